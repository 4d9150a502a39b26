"""value: whatever a log leaves out, a score is one that the plies below can have."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.report import Report
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from tests.unit.analysis.check.checked import found

Node = dict[str, Any]


def report_of(document: Any) -> Report:
    return check(read_log(json.dumps(document).encode()), compiled=False)


def node(ply: str, score: float | None, *children: Node, **fields: Any) -> Node:
    below = {"children": list(children)} if children else {}
    return {"ply": ply} | ({} if score is None else {"score": score}) | fields | below


def own(*children: Node, score: float, search: Any = None, **fields: Any) -> Any:
    return {"plyscope": 1, "search": search or {}, "root": node("", score, *children, **fields)}


def foreign(score: float, *children: Node) -> Node:
    """A node in words of another program."""
    return {"move": "m", "val": score, "replies": list(children)}


def test_without_a_layer_a_score_is_that_of_some_child() -> None:
    for score, expected in ((5, []), (3, []), (4, [("value", "root")]), (6, [("value", "root")])):
        assert found(own(node("a", 3), node("b", 5), score=score)) == expected


def test_without_a_layer_what_may_be_hidden_is_not_judged() -> None:
    hidden = {"outcome": "unlogged", "count": 2}
    assert found(own(node("a", 3), hidden, score=9)) == []
    assert found(own(node("a", 3), node("b", None), score=9)) == []
    assert found(own(node("a", 3), node("b", 5, outcome="open"), score=9)) == []
    assert found(own(node("a", 3), score=9, stand_pat=9)) == []
    assert found(own(node("a", 3), score=9, quiescence=True)) == []
    assert found(own(node("a", 3, scores=[3, 4, 5]), score=9)) == []
    assert found(own(node("a", 3), score=9) | {"players": ["x", "y", "z"]}) == []


def test_without_a_layer_an_edge_of_the_window_passes_unless_the_search_is_fail_soft() -> None:
    for search, expected in (({}, []), ({"fail": "hard"}, []), ({"fail": "soft"}, [("value", "root")])):
        document = own(node("a", 3), score=7, alpha=7, beta=9, search=search)
        assert found(document, "value") == expected


def test_a_foreign_tree_is_judged_by_the_reading_that_half_of_its_parents_fit() -> None:
    fits = foreign(3, foreign(3), foreign(1))
    assert found(foreign(9, fits)) == [("value", "root")]
    assert found(foreign(9, foreign(3, foreign(-3)), foreign(2, foreign(-2)))) == [("value", "root")]
    assert found(foreign(9, foreign(3), foreign(9))) == []


@pytest.mark.parametrize(
    "tree",
    [
        foreign(0.77, foreign(0.75), foreign(-0.2)),
        foreign(9, foreign(3)),
        foreign(9, foreign(4, foreign(1), foreign(2)), foreign(5)),
    ],
)
def test_a_small_foreign_tree_that_fits_no_reading_is_not_called_clean(tree: dict[str, Any]) -> None:
    assert [(each.severity, each.path) for each in report_of(tree).findings()] == [("odd", "root")]


def test_a_foreign_tree_whose_scores_are_something_else_gets_one_odd_finding() -> None:
    tree = foreign(9, foreign(4, foreign(3), foreign(1)), foreign(6, foreign(2)), foreign(7, foreign(5)))
    (finding,) = report_of(tree).findings()
    assert (finding.severity, finding.rule, finding.path) == ("odd", "value", "root")
    assert "Of 4 nodes with children 0" in finding.message


def test_an_edge_that_an_ancestor_had_may_be_returned_where_no_window_is_stated() -> None:
    """A fail-hard search returns 5 for b, since a had 5; 4 it cannot return."""
    for score, expected in ((5, []), (3, []), (4, [("value", "b")])):
        refuted = node("b", score, node("x", 3, layer="max"), layer="min")
        document = own(node("a", 5, layer="min"), refuted, score=5, layer="max")
        assert found(document, "value") == expected
        bare = json.loads(json.dumps(document).replace('"layer"', '"note"'))
        assert found(bare, "value") == expected
        declared = document | {"search": {"fail": "soft"}}
        assert found(declared, "value") == ([] if score == 3 else [("value", "b")])


def test_a_player_who_moves_twice_running_has_both_signs_in_one_foreign_tree() -> None:
    twice = foreign(200, foreign(110), foreign(200))
    assert found(foreign(-200, twice, foreign(300, foreign(-300)), foreign(250, foreign(-250)))) == []


def test_an_edge_of_a_window_that_its_root_returned_may_be_returned_below() -> None:
    """Two null windows of MTD, fail-hard, that nothing states: the second one is (-1, 0)."""
    below = node("a", -1, node("x", -7, layer="max"), layer="min")
    roots = [
        node("", 3, node("a", 3, layer="min"), layer="max", iteration=1),
        node("", -1, below, layer="max", iteration=1),
    ]
    assert found({"plyscope": 1, "roots": roots}, "value") == []
    assert found({"plyscope": 1, "roots": roots, "search": {"fail": "soft"}}, "value") == [("value", "a")]


def rest(n: int) -> list[Node]:
    """Plies that are refuted at once in the window (5, 9), each as a fail-hard search returns it."""
    return [
        node(f"r{i}", 5, node("x", 3, layer="max"), layer="min", alpha=5, beta=9, bound="upper")
        for i in range(n)
    ]


def test_where_fail_is_not_declared_the_rare_form_is_odd_among_many_of_the_other() -> None:
    soft = node("s", 3, node("x", 3, layer="max"), layer="min", alpha=5, beta=9, bound="upper")
    wrong = node("w", 4, node("x", 3, layer="max"), layer="min", alpha=5, beta=9, bound="upper")
    first = node("a", 5, layer="min", outcome="leaf")
    few = own(first, *rest(18), soft, score=5, layer="max", alpha=4, beta=9)
    assert found(few, "value") == []
    many = own(first, *rest(19), soft, wrong, score=5, layer="max", alpha=4, beta=9)
    groups = [(group.severity, group.rule, group.count) for group in report_of(many).groups]
    assert ("odd", "value", 1) in groups
    assert ("wrong", "value", 1) in groups


def fail_low(n: int) -> list[Node]:
    """Plies whose answers all miss the window (5, 9), each as a fail-hard search returns it."""
    return [
        node(f"l{i}", 9, node("x", 12, layer="max"), layer="min", alpha=5, beta=9, bound="lower")
        for i in range(n)
    ]


def fail_high(n: int) -> list[Node]:
    """Plies that are refuted by more than the window (5, 9) asks, each as a fail-soft search returns it."""
    return [
        node(f"h{i}", 3, node("x", 3, layer="max"), layer="min", alpha=5, beta=9, bound="upper")
        for i in range(n)
    ]


def odd_values(*children: Node) -> list[str]:
    """The paths and the messages of odd findings of `value`, for these plies of the root."""
    best = node("a", 5, layer="min", outcome="leaf")
    score = max(each["score"] for each in (best, *children))
    report = report_of(own(best, *children, score=score, layer="max", alpha=4, beta=9, bound="lower"))
    said = [each for each in report.findings() if each.rule == "value"]
    assert {each.severity for each in said} <= {"odd"}
    return [f"{each.path}: {each.message}" for each in said]


def test_a_search_may_clamp_where_it_fails_low_and_not_where_it_fails_high() -> None:
    """`if (score >= beta) return score; ... return alpha;`: such a loop clamps on one side only."""
    assert odd_values(*fail_low(40), *fail_high(2)) == []


def test_quiescence_may_clamp_where_the_search_above_does_not() -> None:
    """They are two functions; of one, the rare form is still odd."""
    quiet = [each | {"quiescence": True} for each in fail_low(40)]
    unclamped = node("u", 12, node("x", 12, layer="max"), layer="min", alpha=5, beta=9, bound="lower")
    assert odd_values(*quiet, unclamped) == []
    (message,) = odd_values(*quiet, unclamped | {"quiescence": True})
    assert "nearly all scores of its quiescence" in message


def test_the_rare_form_is_odd_among_those_that_leave_their_window_on_the_same_side() -> None:
    (high,) = odd_values(*fail_low(40), *fail_high(19), *rest(1))
    assert high.startswith("r0: The best of its children is 3, and the node returned 5")
    assert "(fail high) are not clamped to it, which makes it 3." in high
    unclamped = node("u", 12, node("x", 12, layer="max"), layer="min", alpha=5, beta=9, bound="lower")
    (low,) = odd_values(*fail_low(19), unclamped, *fail_high(40))
    assert low.startswith("u: The best of its children is 12, and the node returned 12")
    assert "(fail low) are clamped to it, which makes it 9." in low


def test_a_fail_hard_search_may_return_a_table_hit_a_mate_or_a_stand_pat_as_it_is() -> None:
    for outcome, expected in (("tt", []), ("terminal", []), ("leaf", [("value", "b")])):
        below = node("x", 3, layer="max", outcome=outcome)
        refuted = node("b", 3, below, layer="min", alpha=5, beta=9)
        document = own(node("a", 5, layer="min"), refuted, score=5, layer="max", search={"fail": "hard"})
        assert found(document, "value") == expected
