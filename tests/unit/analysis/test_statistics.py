"""Statistics of small logs that can be counted by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from plyscope.visualizer.analysis.statistics.figures import Statistics
from plyscope.visualizer.analysis.statistics.iterations import node_iterations
from plyscope.visualizer.analysis.statistics.quotient import rank_bars
from plyscope.visualizer.analysis.statistics.run import counted_in
from plyscope.visualizer.analysis.statistics.text import lines, side_by_side
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import log_of, there, tree_of

LEAF: dict[str, Any] = {"outcome": "leaf", "bound": "exact"}


def of(root: dict[str, Any] | None = None, **header: Any) -> Statistics:
    return counted_in(tree_of(root, **header))


def says_of(figures: Statistics) -> dict[str, str]:
    return {lack.figure: lack.says for lack in figures.missing}


def ply(name: str, score: float, **more: Any) -> dict[str, Any]:
    return {"ply": name, "score": score, "pre_score": score, **LEAF, **more}


def node(*children: dict[str, Any], layer: str = "max", score: float = 0, **more: Any) -> dict[str, Any]:
    fields = {"layer": layer, "score": score, "outcome": "searched", "bound": "exact"}
    return {**fields, **more, "children": list(children)}


def test_stubs_without_a_count_leave_the_branching_with_stubs_unknown() -> None:
    figures = of(node(ply("a", 1), {"outcome": "pruned"}))
    assert (figures.levels[0].branching, figures.levels[0].branching_with_stubs) == (1, None)
    assert figures.levels[1].uncounted_pruned == 1
    assert says_of(figures)["levels.siblings"] == "1 stub without `count`"
    assert "?" in next(line for line in lines(figures) if line.startswith("    1"))


def test_what_a_figure_lacks_is_said() -> None:
    bare = says_of(of({"layer": "max", "children": [{"ply": "a"}]}))
    assert bare["limits"] == "needs `pre_score`: the log has none"
    assert bare["order.cuts"] == "needs `outcome`: the log has none"
    assert bare["where.seconds"] == "needs `seconds` of nodes: the log has none"
    one = node(ply("a", 1), ply("b", 2, pre_score=None), score=2)
    del one["children"][1]["pre_score"]
    assert says_of(of(one))["order.best"] == "1 of 1 node has a ply without `pre_score`"
    assert "2 of 3 nodes" in says_of(of(node(ply("a", 1, seconds=2), ply("b", 1))))["where.seconds"]


def test_a_best_first_tree_has_levels_and_visits_and_says_what_has_no_meaning() -> None:
    root = {"layer": "max", "visits": 10, "mean": 0.5, "children": [{"ply": "a", "visits": 9, "mean": 0.5}]}
    figures = of(root, search={"order": "best_first", "range": [0, 1]})
    assert [level.visits for level in figures.levels] == [10, 9]
    assert [each.playouts for each in figures.where.root_plies] == [9]
    assert (figures.order, figures.limits, figures.counters) == (None, None, ())
    assert {"order", "limits", "counters"} <= set(says_of(figures))
    printed = [line.split() for line in lines(figures)]
    assert [line[2] for line in printed if line[:1] in (["0"], ["1"])] == ["10", "9"]
    assert ["a", "9", "100.0%", "1"] in printed


def test_nodes_of_another_iteration_are_said_to_be_of_it() -> None:
    def tree(score: float) -> dict[str, Any]:
        return node(ply("a", score, pre_score=9), score=score)

    first, second = ({**tree(score), "iteration": at} for at, score in ((1, -50), (2, 4)))
    found = of(roots=[first, second])
    assert [(each.path, each.score, each.iteration) for each in found.extremes.apart if each.level] == [
        ("a", -50, 1),
        ("a", 4, None),
    ]
    assert "#1 a, iteration 1" in "\n".join(lines(found))


# Smaller limits ------------------------------------------------------------------------------------------


def verdicts(root: dict[str, Any], **header: Any) -> list[str]:
    limits = there(of(root, **header).limits)
    return [each.decision for each in limits.each]


def against(*replies: dict[str, Any], chosen: float = 3, score: float = 1) -> dict[str, Any]:
    """A root of a, worth `chosen`, and b, in which the opponent has these replies."""
    a = node(ply("x", chosen), layer="min", ply="a", score=chosen, pre_score=3)
    ends = {"outcome": "cutoff", "bound": "upper"} if replies[-1]["outcome"] == "pruned" else {}
    b = node(*replies, layer="min", ply="b", score=score, pre_score=2, **ends)
    return node(a, b, score=chosen)


BEHIND = {"outcome": "pruned", "count": 1, "plies": ["z"], "pre_scores": [2]}
TWO_BEHIND = {"count": 2, "plies": ["z", "w"], "pre_scores": [2, 2]}
EQUAL = [ply("x", 4, pre_score=2), ply("y", 5, pre_score=2), ply("z", 6, pre_score=2)]
OUT_OF_ORDER = ply("q", 9, pre_score=9), ply("p", 9, pre_score=8)


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        (
            node(ply("a", 1, pre_score=3), ply("b", 4, pre_score=2), ply("c", 0, pre_score=1), score=4),
            ["changed", "kept"],
        ),
        # b is refuted by y, which stands first by pre_score, or last: limit 2 drops it.
        (against(ply("y", 1, pre_score=1), BEHIND), ["kept", "kept"]),
        (against(ply("y", 1, pre_score=9), BEHIND | TWO_BEHIND), ["kept", "unknown"]),
        # Limit 2 keeps the replies that do not refute b, or such a one and z, which was never searched.
        (
            against(ply("w", 4, pre_score=1), ply("x", 5, pre_score=2), ply("y", 1, pre_score=3)),
            ["kept", "changed"],
        ),
        (against(ply("x", 4, pre_score=1), ply("y", 1, pre_score=9), BEHIND), ["kept", "unknown"]),
        # The last row is out of order, so limit 2 keeps w and one of x and y: only y refutes b.
        (
            against(ply("x", 4, pre_score=2), ply("y", 1, pre_score=2), ply("w", 6, pre_score=1)),
            ["kept", "unknown"],
        ),
        # Two of x, y, z stay: b is worth 4 or 5, or 6 for all that is known.
        (against(*EQUAL, *OUT_OF_ORDER, score=4, chosen=5.5), ["kept", "unknown"]),
        (against(*EQUAL, *OUT_OF_ORDER, score=4, chosen=7), ["kept", "kept"]),
    ],
)
def test_what_a_smaller_limit_changes_is_said_as_far_as_it_is_known(
    root: dict[str, Any], expected: list[str]
) -> None:
    assert verdicts(root, search={"limit": 4})[:2] == expected


@pytest.mark.parametrize(
    ("players", "result", "says"),
    [([], {"rank": 1, "ply": "a"}, "rank 1"), (["x", "y", "z"], {}, "more than two")],
)
def test_limits_are_not_asked_where_a_rank_was_drawn_or_more_than_two_play(
    players: list[str], result: dict[str, Any], says: str
) -> None:
    scores = {"scores": [1, 2, 3]} if players else {}
    root = node(ply("a", 1, **scores), ply("b", 0, **scores), score=1, **scores)
    figures = of(root, **({"players": players} if players else {}), result=result)
    assert figures.limits is None
    assert says in says_of(figures)["limits"]


def test_a_leaf_that_its_window_clamped_is_worth_its_static() -> None:
    clamped = ply("y", 3, pre_score=1, bound="lower", alpha=-9, beta=3, static=8)
    a = node(ply("x", 3), layer="min", ply="a", score=3, pre_score=3)
    cut = {"bound": "upper", "outcome": "cutoff", "moves": 1, "depth": 1}
    b = node(clamped, layer="min", ply="b", score=3, pre_score=2, **cut)
    assert verdicts(node(a, b, score=3), search={"limit": 3, "fail": "hard"})[1] == "changed"


def test_rows_of_several_threads_tell_no_order() -> None:
    children = [ply("a", 4, pre_score=2), ply("b", 1, pre_score=2), ply("c", 0, pre_score=1)]
    figures = of(node(*children, score=4), search={"threads": 4})
    assert figures.order is None
    assert says_of(figures)["order"] == "rows of several threads are not in the order of time"
    assert [each.decision for each in there(figures.limits).each] == ["unknown", "kept"]
    alone = there(of(node(*children, score=4)).limits)
    assert [each.decision for each in alone.each] == ["kept", "kept"]


def test_more_limits_than_are_tried_are_said() -> None:
    children = [ply(f"p{i}", -i) for i in range(60)]
    limits = there(of(node(*children, score=0)).limits)
    assert len(limits.each) + limits.left_out == 59
    assert [each.limit for each in limits.each][:12] == list(range(1, 13))
    assert limits.each[-1].limit == 59


# Techniques and iterations -------------------------------------------------------------------------------


def test_iterations_have_growth_windows_and_a_node_through_them_all() -> None:
    roots = [
        {**node(ply("a", 1), score=1), "iteration": 1, "depth": 1},
        {**node(score=2, bound="lower"), "iteration": 2, "alpha": 0, "beta": 2},
        {**node(ply("a", 3), ply("b", 2), score=3), "iteration": 2, "alpha": 0, "beta": 9},
    ]
    log = log_of(roots=roots)
    figures = counted_in(Tree(log))
    assert [(each.iteration, each.attempt) for each in figures.iterations] == [(1, 1), (2, 1), (2, 2)]
    assert [each.growth for each in figures.iterations] == [None, 2, 2]
    assert [each.pv for each in figures.iterations] == [("a",), (), ("a",)]
    windows = {pair.name: (pair.tried, pair.succeeded) for pair in figures.counters}["aspiration windows"]
    assert windows == (2, 1)
    last_a = 4
    through = node_iterations(Tree(log), last_a)
    assert [(each.score, each.bound) for each in through] == [(1, "exact"), (None, ""), (3, "exact")]
    assert [each.id for each in node_iterations(Tree(log), last_a, 1, 1)] == [None]


@pytest.mark.parametrize(
    ("window", "search", "tried"),
    [
        ((-100, 100), {"mate": {"score": 100, "step": 1, "threshold": 90}}, 0),
        ((-32000, 32000), {"mate": {"score": 100, "step": 1, "threshold": 90}}, 0),
        ((-100, 99), {"mate": {"score": 100, "step": 1, "threshold": 90}}, 1),
        ((0, 1), {"range": [0, 1]}, 0),
        ((0, 0.5), {"range": [0, 1]}, 1),
        ((-100, 100), {}, 1),
    ],
)
def test_a_window_that_holds_every_score_the_log_declares_is_not_an_aspiration(
    window: tuple[float, float], search: dict[str, Any], tried: int
) -> None:
    root = {**node(ply("a", 0.25), score=0.25), "alpha": window[0], "beta": window[1]}
    figures = counted_in(tree_of(root, search=search))
    assert {pair.name: pair.tried for pair in figures.counters}["aspiration windows"] == tried


def test_ranks_cost_what_bounds_allow_and_their_probabilities_add_up_to_one() -> None:
    inf = math.inf
    plies: list[Any] = [("a", 5, 5), ("b", 3, 3), ("c", -inf, 2), ("d", -inf, inf)]
    bars = rank_bars(plies[:3], 3, 2)
    costs = [(bar.ply, bar.cost_low, bar.cost_high) for bar in bars]
    assert costs == [("a", 0, 0), ("b", 2, 2), (None, 3, None)]
    assert sum(bar.probability for bar in bars) == 1
    unknown = rank_bars(plies, 4, 3)
    assert [bar.ply for bar in unknown] == [None] * 4
    assert sum(bar.probability for bar in unknown) == pytest.approx(1)


def test_what_the_figures_leave_out_is_named_as_the_tables_name_it_and_names_of_plies_are_harmless() -> None:
    text = list(lines(of(node(ply("a\x1b[31m", 4), ply("b", 2), score=4))))
    assert not any("\x1b" in line for line in text)
    at = text.index("what the figures above leave out, and why:")
    assert "  seconds of root plies – needs `seconds` of nodes: the log has none" in text[at:]
    assert "  techniques – reductions need `reduction`: the log has none" in text[at:]


def test_levels_in_the_middle_of_a_deep_tree_are_one_line() -> None:
    def chain(n_levels: int) -> Statistics:
        below = ply("a", 1)
        for _ in range(n_levels - 2):
            below = {**ply("a", 1), "children": [below]}
        return of(node(below, node(ply("b", 1), score=1, layer="min", ply="z"), score=1))

    whole = list(lines(chain(61)))
    assert not any("…" in line for line in whole)
    short = list(lines(chain(62)))
    at = next(place for place, line in enumerate(short) if "…" in line)
    assert short[at - 1].split()[0] == "49"
    counted = ["…", "2", "2", "at", "levels", "50", "to", "51,"]
    assert short[at].split() == [*counted, "which", "--json", "has", "one", "by", "one"]
    assert short[at + 1].split()[0] == "52"
    pairs = list(side_by_side(chain(62), chain(61)))
    assert "nodes at levels 50 to 51                        2              2     +0.0%" in pairs
    assert sum("nodes at level" in line for line in pairs) == 61


def test_where_standing_pat_was_best_no_ply_was() -> None:
    pat = {"quiescence": True, "stand_pat": 4, "static": 4}
    refuted = ply("a", 4, bound="upper", pre_score=9), ply("b", 4, bound="upper", pre_score=1)
    figures = of(node(*refuted, score=4, **pat))
    assert sum(there(figures.order).best_rank) == 0
    assert says_of(figures)["order.best"] == "1 exact score of standing pat, an estimate or no counted visit"


def test_nodes_below_what_a_limit_drops_are_saved() -> None:
    first = node(ply("x", 5), layer="min", ply="a", score=5, pre_score=5)
    second = node(ply("x", 3), ply("y", 4), layer="min", ply="b", score=3, pre_score=3)
    limits = there(of(node(first, second, score=5), search={"limit": 3}).limits)
    told = [(each.limit, each.decision, each.saved, each.saved_at_most) for each in limits.each]
    assert told == [(1, "kept", 3, 3), (2, "kept", 0, 0)]


def test_equal_pre_scores_whose_order_nobody_knows_leave_it_open() -> None:
    """The rows are out of order, so which of b and c comes first is not known: limit 1 may keep either."""
    children = [ply("a", 0, pre_score=1), ply("b", 4, pre_score=2), ply("c", 1, pre_score=2)]
    assert verdicts(node(*children, score=4)) == ["unknown", "kept"]
    limits = there(of(node(*children, score=4)).limits)
    assert (limits.each[0].saved, limits.each[0].saved_at_most) == (1, 3)


def test_the_quotient_of_a_root_counts_pruned_plies_as_well() -> None:
    stub = {"outcome": "pruned", "count": 2}
    root = node(ply("a", 5), ply("b", 3, bound="upper"), stub, score=5)
    quotient = there(of(root, result={"randomness_quotient": 4, "rank": 0, "ply": "a"}).quotient)
    assert (quotient.n_plies, len(quotient.bars)) == (4, 4)
    assert quotient.bars[0].probability == 0.75
