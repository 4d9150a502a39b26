"""Tests of the comparison of two logs: small trees, drawn by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

import plyscope
from plyscope.visualizer.analysis.diff.answer import fails
from plyscope.visualizer.analysis.diff.comparison import (
    Comparison,
    compare,
    parting_of_runs,
    root_of_iteration,
)
from plyscope.visualizer.analysis.diff.sentences import plain_text, sentences
from plyscope.visualizer.analysis.diff.text import lines
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import tree_of


def exact(score: float, ply: str | None = None, **fields: Any) -> dict[str, Any]:
    named = {} if ply is None else {"ply": ply}
    return {**named, "score": score, "bound": "exact", **fields}


def sentences_of(found: Comparison) -> list[str]:
    return [plain_text(sentence) for sentence in sentences(found)]


D4_FIRST = exact(28, layer="max", children=[exact(28, "d4", depth=4), exact(20, "Nf3", depth=4)])
NF3_FIRST = exact(31, layer="max", children=[exact(28, "d4", depth=2), exact(31, "Nf3", depth=4)])


def test_the_sentences_of_a_changed_choice_and_of_the_same_tree() -> None:
    found = compare(tree_of(D4_FIRST), tree_of(NF3_FIRST))
    assert sentences_of(found) == [
        "The choice changed, from d4 +28 to Nf3 +31.",
        "The two runs part at #1: d4 is searched 2 plies shallower now.",
        "Both trees have 3 nodes.",
        "3 nodes are in both trees: 1 returned the same, 2 another score.",
    ]
    assert fails(found, "choice")
    assert fails(found, "score")
    assert fails(found, "any")
    assert not fails(found, "nodes")
    same = compare(tree_of(D4_FIRST, game="chess"), tree_of(D4_FIRST))
    assert sentences_of(same) == [
        "The choice is the same, d4 +28.",
        "Both trees are the same in all that both logs state of the search.",
    ]
    assert not any(fails(same, on) for on in ("choice", "score", "nodes", "any"))
    assert same.sides.notes == ("The new log does not state its game; it is taken to be that of the other.",)


def test_a_choice_that_one_log_does_not_tell_is_unknown() -> None:
    bound = {"score": 3, "bound": "upper", "layer": "max", "children": [{"ply": "a", "score": 3}]}
    found = compare(tree_of(D4_FIRST), tree_of(bound))
    assert found.choice_changed is None
    assert (
        sentences_of(found)[0]
        == "The new log does not tell which ply was chosen; the roots have +28 and ≤ +3."
    )
    assert fails(found, "choice")
    assert any(note.startswith("The two logs have nothing in common") for note in found.sides.notes)


BELOW_A = exact(1, "a", outcome="searched", children=[exact(1, "b", outcome="leaf")])
FROM_TABLE = exact(1, children=[exact(1, "a", outcome="tt")])
UNFINISHED = {"score": 1, "outcome": "open", "children": [{"ply": "a", "score": 1}]}
FINISHED = UNFINISHED | {"outcome": "searched", "bound": "exact"}


def of_plies(*scores: tuple[str, float]) -> dict[str, Any]:
    return exact(1, children=[exact(score, ply) for ply, score in scores])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (exact(1, children=[BELOW_A]), FROM_TABLE, "#1: a returns outcome tt, before searched."),
        (FROM_TABLE, exact(1, children=[BELOW_A]), "#1: a returns outcome searched, before tt."),
        (
            of_plies(("a", 1), ("b", 0)),
            of_plies(("a", 1), ("c", 0)),
            "#2: the new one goes on with c, the old one with b.",
        ),
        (
            of_plies(("a", 1), ("b", 0)),
            of_plies(("a", 1)),
            "#2: the new one goes on with nothing, it ended there, the old one with b.",
        ),
        (FINISHED, UNFINISHED, "#0: root is not finished in the new log, which ends inside it."),
    ],
)
def test_where_two_runs_part_is_said(old: dict[str, Any], new: dict[str, Any], said: str) -> None:
    found = compare(tree_of(old), tree_of(new))
    assert sentences_of(found)[1] == f"The two runs part at {said}"
    assert new is not UNFINISHED or found.choices[1] is None


def test_a_run_that_was_stopped_is_said_to_have_been() -> None:
    stopped = tree_of(UNFINISHED | {"outcome": "stopped"})
    assert "root was stopped in the old run." in sentences_of(compare(stopped, tree_of(FINISHED)))[1]


def test_numbers_that_the_opponent_sees_are_turned() -> None:
    of_old = {"ply": "a", "score": -3, "bound": "lower", "layer": "max", "alpha": -9, "beta": -1}
    of_new = {"ply": "a", "score": 3, "bound": "upper", "layer": "min", "alpha": 1, "beta": 9}
    old = exact(-3, layer="min", children=[of_old])
    new = exact(3, layer="max", children=[of_new])
    found = compare(tree_of(old), tree_of(new))
    assert found.first is None
    assert not found.n_changes()
    assert "turned" in found.sides.notes[0]
    players = {"players": ["w", "b"]}
    for root in (old, new):
        root["player"] = "w"
    old_log = tree_of(old, **players, search={"root_player": "b"})
    assert compare(old_log, tree_of(new, **players)).first is None


THREE = {"players": ["a", "b", "c"], "root": {"player": "a", "score": 1}}
RATES = {"search": {"order": "best_first", "range": [0, 1]}}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ({"game": "chess"}, {"game": "go"}, "different games, 'chess' and 'go'"),
        ({"position": "x"}, {"position": "y"}, "different positions, 'x' and 'y'"),
        ({"search": {"order": "best_first"}}, {}, "the other a best-first one"),
        (
            {"players": ["w", "b"], "root": {"player": "w"}},
            {"players": ["w", "b"], "root": {"player": "b"}},
            "w moves at the old root, b at the new one",
        ),
        (
            THREE | {"search": {"root_player": "a"}},
            THREE | {"search": {"root_player": "b"}},
            "seen by a in the old log, by b in the new one",
        ),
        (
            RATES | {"root": {"layer": "max", "mean": 0.5}},
            RATES | {"root": {"layer": "min", "mean": 0.5}},
            "seen by different root players",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(old: Any, new: Any, said: str) -> None:
    with pytest.raises(LogError, match=said):
        compare(tree_of(**{"root": {}} | old), tree_of(**{"root": {}} | new))


def test_other_questions_that_have_no_answer_are_refused() -> None:
    with pytest.raises(LogError, match="no kind of change 'scores'; there are score, visits, bound"):
        compare(tree_of({}), tree_of({})).changes(0, 1, ["scores"])
    for search, message in (({"order": "best_first"}, "no order of time"), ({"threads": 4}, "of 4 threads")):
        log = tree_of({}, search=search)
        with pytest.raises(LogError, match=message):
            parting_of_runs(log, log)
    found = compare(tree_of(D4_FIRST, search={"threads": 4}), tree_of(NF3_FIRST, search={"threads": 4}))
    assert found.first is None
    assert sentences_of(found)[1] == (
        "One log is of 4 threads: its rows are not in the order of time, so none is the first that differs."
    )


DEEPENING = {
    "roots": [
        {"iteration": 1, "score": 1, "children": [exact(1, "a")]},
        {"iteration": 2, "score": 9, "bound": "upper", "children": []},
        {"iteration": 2, "score": 2, "children": [exact(2, "a")]},
    ]
}


def test_iterations_are_compared_by_their_last_roots() -> None:
    log = tree_of(**DEEPENING)
    found = compare(log, log, roots=(root_of_iteration(log, 1), root_of_iteration(log, 2)))
    assert [
        (each.path, each.old and each.old.row, each.new and each.new.row) for each in found.changes(0, 9)
    ] == [("root", 0, 3), ("a", 1, 4)]
    with pytest.raises(LogError, match="no iteration 7 in this log; it has 1, 2"):
        root_of_iteration(log, 7)
    with pytest.raises(LogError, match="its roots state none"):
        root_of_iteration(tree_of({}), 7)
    with pytest.raises(LogError, match="row 1 is no root"):
        compare(log, log, roots=(1, 0))


def test_lines_say_what_they_leave_out() -> None:
    told = list(lines(compare(tree_of(D4_FIRST), tree_of(NF3_FIRST)), 1))
    assert told[-2:] == ["score  root  +28 → +31", "… 1 more changes (--limit 2 shows them)"]


def mcts(visits: int, mean: float, root: int = 100, **search: Any) -> Tree:
    children = [
        {"ply": "a", "visits": visits, "mean": mean},
        {"ply": "b", "visits": root - 1 - visits, "mean": 0.5},
    ]
    return tree_of({"visits": root, "mean": 0.5, "children": children}, search=search)


BEST_FIRST = {"order": "best_first", "range": [0, 1]}


def test_best_first_trees_differ_in_visits_and_have_no_first_row() -> None:
    found = compare(mcts(60, 0.6, **BEST_FIRST), mcts(25, 0.4, **BEST_FIRST))
    assert [(change.kind, change.path) for change in found.changes(0, 9)] == [
        ("visits", "a"),
        ("visits", "b"),
    ]
    assert found.first is None
    assert found.most_moved == (1, 1)
    assert sentences_of(found)[1:3] == [
        "One log is a final best-first tree: its rows have no order of time, so none is the first that "
        "differs. Visits changed most at a: 25, before 60.",
        "Both trees have 3 nodes.",
    ]
    assert fails(found, "any")
    assert "visits  a  visits 60, mean 0.6 → visits 25, mean 0.4" in list(lines(found, 9))
    assert not fails(compare(mcts(60, 0.6, **BEST_FIRST), mcts(60, 0.6, **BEST_FIRST)), "any")


def test_of_logs_with_several_trees_the_trees_are_spoken_of() -> None:
    roots = [{"iteration": each, "score": each, "children": [{"ply": "a"}] * each} for each in (1, 2)]
    log = tree_of(roots=roots)
    found = compare(log, log, roots=(0, 2))
    assert sentences_of(found)[1].startswith("The two trees part at #4: ")
    assert sentences_of(found)[2] == "The tree has 50 % more nodes: 3, before 2."


@pytest.mark.parametrize(("n_plies", "share"), [(3, "2 times"), (4, "2.5 times"), (30, "16 times")])
def test_twice_as_many_nodes_and_more_are_said_as_times(n_plies: int, share: str) -> None:
    few, many = (
        tree_of({"score": 1, "children": [{"ply": f"p{at}"} for at in range(n)]}) for n in (1, n_plies)
    )
    found = sentences_of(compare(few, many))
    assert f" {share} as many nodes: {n_plies + 1}, before 2." in found[2]
    assert found[3:] == [
        "2 nodes are in both trees: 2 returned the same.",
        f"Other changes (a subtree counts as one): {n_plies - 1} only in the new tree.",
    ]


def test_a_chess_log_in_another_notation_is_compared_by_its_plies() -> None:
    def search(*plies: str) -> Tree:
        root = exact(28, layer="max", children=[exact(28 - at, ply) for at, ply in enumerate(plies)])
        return tree_of(root, game="chess", result={"ply": plies[0], "pv": [plies[0]]})

    assert sentences_of(compare(search("e2e4", "g1f3"), search("e4", "Nf3"))) == [
        "The choice is the same, e4 +28.",
        "Both trees are the same in all that both logs state of the search.",
    ]
    changed = sentences_of(compare(search("e2e4", "g1f3"), search("Nf3", "e4")))
    assert "The choice changed, from e4 +28 to Nf3 +28." in changed


def test_a_tree_of_stubs_alone_has_no_nodes_to_count_by() -> None:
    both = [plyscope.open(json.dumps({"plyscope": 1, "root": root})) for root in ({"outcome": "pruned"}, {})]
    assert "The new tree has 1 node, the old one none." in str(plyscope.diff(*both))
    assert "100 % fewer nodes: 0, before 1." in str(plyscope.diff(*both[::-1]))
