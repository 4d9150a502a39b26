"""The sentences of explanations, each on the smallest log that asks for it."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyscope.visualizer.analysis.explain.answer import Explained, explain
from plyscope.visualizer.analysis.explain.margin import split_of
from plyscope.visualizer.analysis.explain.named_plies import node_named, rival_named
from plyscope.visualizer.analysis.explain.ply_side import Made
from plyscope.visualizer.analysis.explain.text import lines_of
from plyscope.visualizer.analysis.nodes.best_first import wilson
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import log_of, there

DISCS = [{"name": "discs", "weight": 1}]
MATE = {"mate": {"score": 1000, "step": 1, "threshold": 900}}


def leaf(ply: str, score: float, **more: Any) -> dict[str, Any]:
    return {"ply": ply, "score": score, "bound": "exact", "outcome": "leaf", **more}


def node(ply: str, score: float, *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    fields = {"bound": "exact", "outcome": "searched", "layer": "max"}
    return {"ply": ply, "score": score, **fields, "children": list(children), **more}


def why(
    root: dict[str, Any], versus: str | None = None, *, of: str | None = None, **header: Any
) -> Explained:
    """The explanation of a small log, by the names that people give."""
    tree = Tree(log_of(root, **header))
    chosen = None if of is None else node_named(tree, of)
    return explain(tree, chosen, None if versus is None else rival_named(tree, versus, chosen))


def said(found: Explained) -> list[str]:
    return [str(each) for each in found.sentences]


def amounts(found: Explained) -> dict[str, float]:
    return {part.name: part.amount for part in found.split}


def test_exact_scores_and_what_speaks_for_and_against() -> None:
    factors = [{"name": "mobility", "weight": 2}, {"name": "discs", "weight": 1}]
    root = node("", 7, leaf("a", 4, factors=[1, 2]), leaf("b", 7, factors=[3, 1]))
    found = why(root, factors=factors)
    assert said(found) == [
        "b is worth +7, a +4: 3 better.",
        "Where the lines end, mobility (+4: 3 against 1) speaks for b; "
        "discs (−1: 1 against 2) speaks against b.",
    ]
    assert amounts(found) == {"mobility": 4.0, "discs": -1.0}


def test_plies_that_read_as_numbers_stand_in_quotes_among_the_scores() -> None:
    root = node("", 7, leaf("1", 4), leaf("-12", 7))
    assert said(why(root))[0] == "“-12” is worth +7, “1” +4: 3 better."
    assert said(why(node("", 7, leaf("1a", 4), leaf("c6", 7))))[0] == "c6 is worth +7, 1a +4: 3 better."


def test_the_text_says_of_which_of_several_trees_it_speaks() -> None:
    plies = leaf("a", 1), leaf("b", 2)
    found = {"layer": "max", "score": 2, "bound": "exact", "children": list(plies)}
    one = lines_of(explain(Tree(log_of(found))))
    assert not [line for line in one if line.startswith("tree")]
    stopped = {"layer": "max", "outcome": "stopped", "iteration": 4, "children": [leaf("b", 3)]}
    roots = [{**found, "iteration": 2}, {**found, "iteration": 3}, stopped]
    assert "tree    2 of 3, iteration 3" in lines_of(explain(Tree(log_of(roots=roots))))
    unnumbered = [{**found, "iteration": None}, {**found, "iteration": None}]
    assert "tree    2 of 2" in lines_of(explain(Tree(log_of(roots=unnumbered))))


def test_a_bound_is_said_as_a_bound_with_its_refutation() -> None:
    reply = leaf("r", 2)
    cut = {"outcome": "pruned", "count": 29}
    rival = node("b", 2, reply, cut, layer="min", bound="upper", outcome="cutoff")
    found = why(node("", 5, leaf("a", 5), rival))
    assert found.margin_is == "at_least"
    assert said(found)[0] == "a is worth +5, b at most +2: at least 3 better."
    assert said(found)[1].startswith("The reply r refutes b, and the 29 replies after it were not searched.")
    # At a min layer b is worth at least 0, and a 9: b may be the better ply, whatever closed its window.
    rival = node("b", 0, leaf("r", 0), bound="lower", outcome="cutoff")
    found = why(node("", 0, leaf("a", 9), rival, layer="min"), "b", of="a")
    assert said(found)[0] == "a is worth +9, b at least 0: at most 9 worse for the opponent, who moves here."
    assert not any("refutes" in each for each in said(found))


def test_a_chosen_bound_leaves_the_lead_open_above_or_below() -> None:
    low, high = leaf("a", 5, bound="lower"), leaf("a", 5, bound="upper")
    assert said(why(node("", 5, low, leaf("b", 2)), "b", of="a"))[0].endswith(": at least 3 better.")
    assert said(why(node("", 5, high, leaf("b", 2)), "b", of="a"))[0].endswith(": at most 3 better.")
    assert said(why(node("", 5, low, leaf("b", 9)), "b", of="a"))[0].endswith(": at most 4 worse.")
    both = why(node("", 5, high, leaf("b", 2, bound="upper")), "b", of="a")
    assert both.margin_is == "unknown"
    assert said(both)[0].endswith("from these bounds it does not follow which is better.")


def test_a_difference_that_is_rounding_is_none() -> None:
    high, low = leaf("a", 0.1 + 0.2, factors=[0.1 + 0.2]), leaf("b", 0.3, factors=[0.3], bound="upper")
    found = why(node("", 0.1 + 0.2, high, low), "b", of="a", factors=DISCS)
    assert said(found) == ["a is worth +0.3, b at most +0.3: a is at least as good."]
    assert amounts(found) == {"discs": 0.0}


def over(ply: str, score: float, ending: str = "win", **more: Any) -> dict[str, Any]:
    return {"ply": ply, "score": score, "outcome": "terminal", "ending": ending, **more}


def slow(ply: str, score: float, *, moves: int = 1, layer: str = "min") -> dict[str, Any]:
    """A win in two plies more than one at once."""
    below = node("r", score, over("e", score), layer="max" if layer == "min" else "min", moves=1)
    return node(ply, score, below, layer=layer, moves=moves)


def test_a_nearer_win_that_was_passed_over_is_the_rival() -> None:
    """Wins of equal score, with no `mate` declared: b was searched between and is worth as much."""
    root = node(
        "", 10, slow("a", 10), slow("b", 10), over("c", 10, bound="exact"), leaf("d", 10), result={"ply": "a"}
    )
    found = why(root, result={"ply": "a"})
    assert found.rival == 7
    assert said(found)[:2] == [
        "a and c are both worth exactly +10; a was searched first.",
        "c wins at once, a in 3: a nearer win was passed over.",
    ]
    assert not any("wins" in each for each in said(why(root, "b", result={"ply": "a"})))
    assert "c wins at once, a in 3." in said(why(root, "a", of="c"))


def test_of_two_wins_the_nearer_the_proven_and_at_a_min_layer_the_later_one_is_named() -> None:
    found = why(node("", 997, leaf("a", 995), leaf("b", 997)), search=MATE)
    assert (found.margin, found.split) == (None, ())
    assert said(found)[0] == (
        "b: win in 3 among the plies searched; a: win in 5 among the plies searched. "
        "As claimed, the win after b comes 2 plies sooner."
    )
    declared = why(node("", 997, slow("a", 997), over("c", 999, bound="exact")), of="a", search=MATE)
    assert said(declared)[0].startswith("a: win in 3; c wins at once. As claimed")
    assert said(declared)[1] == "c wins at once, a in 3: a nearer win was passed over."
    unproven = why(node("", 10, slow("a", 10, moves=2), over("c", 10)), result={"ply": "a"})
    assert said(unproven)[1] == "c wins at once, which is proven; the win after a is not."
    lost = node("a", -10, node("r", -10, over("e", -10, "loss"), layer="min", moves=1), layer="max", moves=1)
    root = node("", -10, lost, over("c", -10, "loss"), layer="min")
    assert said(why(root, of="a"))[1] == "c loses at once, a in 3: a nearer loss was passed over."


def test_bounds_that_leave_all_open_are_not_said_as_wins() -> None:
    one, two = (leaf(name, 999, bound="upper") for name in "ab")
    found = why(node("", 999, one, two, alpha=999, beta=None), search=MATE)
    assert said(found)[0] == "The bounds of a and b leave all open: nothing is better than a win at once."


def calls(found: Explained) -> list[str]:
    return [each for each in said(found) if "calls" in each]


RIGHT = node("b", -2, leaf("e", -2), layer="min")


@pytest.mark.parametrize(
    ("children", "rules"),
    [
        ([node("a", 4, leaf("c", 5), leaf("d", 9), layer="min"), RIGHT], ["value"]),
        ([node("x", 9, leaf("y", 9), layer="min"), RIGHT], []),
        ([node("a", 4, *(leaf(x, 4, prior=0.25) for x in "cd"), layer="chance"), RIGHT], []),  # odd alone
        ([leaf("x", 9), RIGHT, node("z", -7, leaf("e", -3), layer="min")], []),  # off the lines
        ([node("a", 3, leaf("r", 3, static=1), layer="min"), leaf("b", 1)], ["leaf"]),
        ([node("a", 3, leaf("r", 3, static=3, factors=[2]), layer="min"), leaf("b", 1)], ["static-sum"]),
        ([node("a", 3, over("r", 3, "loss", bound="exact"), layer="min"), leaf("b", 1)], ["terminal"]),
    ],
)
def test_a_score_on_the_lines_that_check_calls_wrong_is_said(
    children: list[dict[str, Any]], rules: list[str]
) -> None:
    root = node("", children[0]["score"], *children)
    found = calls(why(root, factors=[{"name": "f", "weight": 1}], search={"fail": "soft", **MATE}))
    assert [each.split("`")[3] for each in found] == rules
    if rules == ["value"]:
        what = "the best of its children is 5, but the node returned 4."
        assert found == [f"`check` calls the score of a wrong (`value`): {what}"]


def test_at_a_min_layer_better_says_for_whom() -> None:
    factors = DISCS
    root = node("", 4, leaf("a", 4, factors=[4]), leaf("b", 7, factors=[7]), player="white")
    below = node("x", 4, *root["children"], layer="min", player="white", moves=2)
    log = {"players": ["black", "white"], "factors": factors}
    found = why(node("", 4, below, leaf("y", 1), player="black"), "b", of="x > a", **log)
    assert said(found)[:2] == [
        "a is worth +4, b +7: 3 better for white, who moves here.",
        "Where the lines end, discs (−3: 4 against 7) speaks for a, as white sees it.",
    ]
    assert found.as_json()["mover"] == {"layer": "min", "name": "white"}


@pytest.mark.parametrize(
    ("score", "words"),
    [
        (7.832763671875, "the same, +7.83"),
        (7.25, "exactly +7.25"),
        (3e12, "the same, +3e+12"),
        (-4, "exactly −4"),
    ],
)
def test_a_figure_is_called_exact_only_where_all_of_it_is_shown(score: float, words: str) -> None:
    root = node("", score, leaf("a", score), leaf("b", score))
    assert said(why(root))[0] == f"a and b are both worth {words}; a was searched first."
    grown = why(root, search={"order": "best_first", "fail": "soft"})  # in no order of time
    assert said(grown)[0].endswith("a stands first in the log.")


def test_plies_that_were_never_searched_are_told_with_the_reason() -> None:
    stub = {"outcome": "limited", "count": 2, "plies": ["c", "d"], "pre_scores": [1, -6]}
    root = node("", 5, leaf("a", 5, pre_score=4), leaf("b", 2, pre_score=3.5), stub)
    found = why(root, "d")
    assert said(found) == [
        "a is worth +5.0.",
        "d was never searched here: it is over the branching limit. By pre_score it was number 4 of 4: "
        "it had −6.0, and the 2 kept had +3.5 or better.",
    ]
    assert (found.rival_ply, found.margin, found.split) == ("d", None, ())
    pruned = node("", 5, leaf("a", 5), {"outcome": "pruned", "count": 3})
    assert said(why(pruned, "(pruned)"))[1] == (
        "3 plies were never searched here: alpha-beta cut them off, since the score there had "
        "already reached the edge of the window."
    )
    win = node("b", 997, over("m", 997, bound="exact"), {"outcome": "limited", "count": 74}, layer="min")
    assert "After b, 74 replies over the branching limit were not looked at." in said(
        why(node("", 997, leaf("a", 4), win), search=MATE)
    )


def test_the_search_overturned_the_quick_order() -> None:
    one = node("a", 6, leaf("r", 6, pre_score=9), layer="min", pre_score=1)
    two = node("b", 2, leaf("s", 2, pre_score=3), layer="min", pre_score=5)
    assert said(why(node("", 6, one, two)))[-1] == (
        "By pre_score a was number 2 of 2, behind b; "
        "along the two lines the pre_scores first turn in its favour at level 2, with a > r."
    )


def test_an_exact_ply_that_most_others_beat_by_their_bounds_is_no_rival() -> None:
    """`b` alone is exact beside the best: it was searched first, and may be the worst of all."""
    b, c, d = leaf("b", -8), leaf("c", 0, bound="upper"), leaf("d", 1, bound="upper")
    first = said(why(node("", 5, b, leaf("a", 5), c, d)))[0]
    assert first == "a is worth +5, d at most +1: at least 4 better."
    worse = leaf("c", -9, bound="upper")
    assert said(why(node("", 5, b, leaf("a", 5), worse, d)))[0] == "a is worth +5, b −8: 13 better."
    # At a min layer, and for the ply that is asked about.
    b, c, d = leaf("b", 8), leaf("c", 0, bound="lower"), leaf("d", -1, bound="lower")
    tree = Tree(log_of(node("", -5, b, leaf("a", -5), c, d, layer="min")))
    for asked in (None, node_named(tree, "a")):
        assert said(explain(tree, asked))[0].startswith("a is worth −5, d at least −1: at least 4 better")


def test_a_drawn_rank_is_said_with_its_probability() -> None:
    result = {"ply": "b", "score": 2, "rank": 1, "randomness_quotient": 7}
    found = why(node("", 2, leaf("a", 5), leaf("b", 2), leaf("c", 1)), result=result)
    assert said(found)[0] == "b is worth +2, a +5: 3 worse."
    drawn = "Rank 1 was drawn by the randomness quotient (Q = 7 does that 12.2 % of the time)"
    assert f"{drawn}; the best is rank 0." in said(found)


def test_a_log_without_factors_says_so_once_and_gives_the_lines() -> None:
    found = why(node("", 5, node("a", 5, leaf("r", 5), layer="min"), leaf("b", 2)))
    assert said(found)[1:] == ["This log states no factors; the lines alone explain: a > r against b."]
    assert amounts(found) == {"not recorded": 3.0}
    assert said(why(node("", 5, leaf("a", 5, depth=6), leaf("b", 2, depth=4))))[1:] == [
        "This log states no factors, and no replies to either ply that explain more.",
        "b was searched 2 plies shallower than a.",
    ]


def test_the_two_largest_factors_are_named_where_both_lines_have_some() -> None:
    loss = over("b", -995, "loss", bound="exact")
    alone = why(node("", 5, leaf("a", 5, factors=[5]), loss), factors=DISCS, search=MATE)
    assert said(alone)[-1] == (
        "Only the line of a ends in an evaluation, so its factors stand alone: "
        "the line of b ends with the game."
    )
    assert not any("speaks for" in each for each in said(alone))
    none = why(node("", 0, over("a", 0, "draw", bound="exact"), loss), factors=DISCS)
    assert said(none)[1] == "The lines of a and b end with the game, so no factors are compared."
    factors = [{"name": name, "weight": 1} for name in "pqrs"]
    one, two = leaf("a", 9, factors=[20, 9, -18, -2]), leaf("b", 0, factors=[0, 0, 0, 0])
    assert said(why(node("", 9, one, two), factors=factors))[1] == (
        "Where the lines end, p (+20: 20 against 0) speaks for a; r (−18: −18 against 0) speaks against a."
    )


def test_scores_whose_bounds_are_not_stated_are_no_proof() -> None:
    cut = {"ply": "b", "score": 2, "layer": "min"}
    cut["children"] = [{"ply": "c", "score": 2}, {"outcome": "pruned"}]
    root = {"layer": "max", "score": 5, "children": [{"ply": "a", "score": 5}, cut]}
    found = why(root, search={"threads": 2})
    assert found.margin_is == "unstated"
    assert said(found)[0].endswith("3 better as logged; the log does not say whether both are exact.")


def hard(ply: str, score: float, alpha: float | None, static: float, **more: Any) -> dict[str, Any]:
    fields = {"layer": "min", "alpha": alpha, "beta": None, "score": score, "static": static}
    return {"ply": ply, "outcome": "leaf", **fields, **more}


def edged(*children: dict[str, Any]) -> dict[str, Any]:
    """A root of 27 whose window is open."""
    return {"layer": "max", "alpha": None, "beta": None, "score": 27, "children": list(children)}


def test_a_leaf_behind_the_edge_of_the_window_is_worth_its_evaluation() -> None:
    factors = [{"name": "mobility", "weight": 1}, {"name": "king", "weight": 2}]
    a, b = hard("a", 27, None, 27, factors=[11, 8]), hard("b", 27, 27, -2, factors=[-4, 1], bound="upper")
    found = why(edged(a, b), factors=factors, search={"fail": "hard"})
    assert said(found) == [
        "a is worth +27, b −2: 29 better.",
        "Where the lines end, mobility (+15: 11 against −4) and king (+14: 8 against 1) speak for a.",
        "The search returned the edge of its window, +27, for b; the rows behind it say −2.",
    ]
    assert amounts(found) == {"mobility": 15.0, "king": 14.0}


@pytest.mark.parametrize(
    ("below", "said_of_it", "amount"),
    [
        (leaf("x", 2, factors=[2]), "at most +2: at least 25 better.", 25.0),
        (hard("c", 27, 27, -20, factors=[-20], layer="max"), "at most −20: at least 47 better.", 47.0),
    ],
)
def test_behind_a_refuted_ply_the_leaf_below_it_speaks(
    below: dict[str, Any], said_of_it: str, amount: float
) -> None:
    """The search clamped what b returned, which is no part on the way up: b is known to be worth that."""
    cut = {"ply": "b", "layer": "min", "alpha": 27, "beta": None, "score": 27, "outcome": "cutoff"}
    cut["children"] = [below, {"outcome": "pruned", "count": 3}]
    factors = [{"name": "mobility", "weight": 1}]
    found = why(edged(hard("a", 27, None, 27, factors=[27]), cut), factors=factors, search={"fail": "hard"})
    assert said(found)[0] == f"a is worth +27, b {said_of_it}"
    assert amounts(found) == {"mobility": amount}
    assert found.as_json()["rival"]["returned"] == 27


def test_in_a_game_of_points_a_nearer_end_is_not_the_better() -> None:
    root = node("", 16, slow("a", 16), over("c", 10, bound="exact"), leaf("d", 12))
    assert why(root).rival == 5  # d, the best other
    assert not any("wins" in each for each in said(why(root, "c")))
    twice = node("", 10, slow("a", 10), slow("b", 10))
    assert not any("wins" in each for each in said(why(twice)))


def test_what_ends_a_line_without_a_leaf_is_named_in_the_split() -> None:
    entry = {"use": "cut", "score": 2, "bound": "exact"}
    table = leaf("b", 2, outcome="tt", tt=entry)
    root = node("", 5, leaf("a", 5, factors=[5]), table, over("c", 1, "draw", bound="exact"))
    by_table, by_end = (why(root, ply, factors=DISCS) for ply in "bc")
    assert amounts(by_table) == {"discs": 5.0, "table": -2.0}
    assert amounts(by_end) == {"discs": 5.0, "game over": -1.0}
    assert said(by_table)[-1].endswith(
        "of b, the transposition table gave it, and the log does not say from which node."
    )


def test_what_the_parent_took_is_the_worth_and_the_way_up_is_named() -> None:
    root = node("", 4, leaf("a", 5, factors=[5], counted_as=4), leaf("b", 2, factors=[2]))
    found = why(root, factors=DISCS)
    assert (found.margin, amounts(found)) == (2.0, {"discs": 3.0, "on the way up": -1.0})


ASIDE = node("", 5, node("a", 5, leaf("r", 5), layer="min"), leaf("b", 2), leaf("pass", 9, purpose="null"))


@pytest.mark.parametrize(
    ("root", "versus", "reason"),
    [
        ({"score": 1}, None, "This log has no ply below its root."),
        (node("", 1, leaf("a", 1)), None, "a is the only ply that was searched here, so there is nothing to"),
        (node("", 1, {"ply": "a", "outcome": "stopped"}), None, "No ply here was finished, so there is"),
        (ASIDE, "a > r", "r follows a on one line, so no node chooses between them."),
        (ASIDE, "a", "Both are the same node"),
        (ASIDE, "pass", "pass is a null move here, which never counts in its parent."),
    ],
)
def test_where_there_is_nothing_to_compare_the_reason_is_said(
    root: dict[str, Any], versus: str | None, reason: str
) -> None:
    found = why(root, versus, of=None if versus is None else "a")
    assert said(found)[0].startswith(reason)
    assert (found.rival, found.margin) == (None, None)


def test_visits_of_one_ply_count_as_that_ply() -> None:
    scout = leaf("b", 3, purpose="scout", bound="lower", depth=2)
    again = leaf("b", 6, purpose="research", depth=2)
    root = node("", 6, leaf("a", 2), scout, again)
    found = why(root, "#2", of="a")  # the scout is asked about, its re-search counts
    assert (found.rival, found.margin) == (3, -4.0)
    assert said(why(root, "#3", of="#2"))[0].startswith("Both are visits of one ply, b")


RATES = {"order": "best_first", "range": [0, 1]}
A: dict[str, Any] = {"ply": "a", "visits": 10_412, "mean": 0.582, "wins": 5841, "draws": 438, "losses": 4133}
B: dict[str, Any] = {"ply": "b", "visits": 7721, "mean": 0.575, "wins": 4239, "draws": 401, "losses": 3081}
C: dict[str, Any] = {"ply": "c", "visits": 1469, "mean": 0.51}
NEVER = ("decided", "horizon", "window", "cut", "win in")


def tree_of_means(*children: dict[str, Any], layer: str = "max", **more: Any) -> dict[str, Any]:
    return {"layer": layer, "visits": 21_737, **more, "children": list(children)}


def test_best_first_plies_are_compared_by_visits_mean_and_noise() -> None:
    found = why(tree_of_means(C, B, A), search=RATES | {"choose": "visits"}, result={"ply": "a"})
    assert said(found) == [
        "a was chosen by visits: 10,412 of 21,737 visits, with a mean of 58.2 %.",
        "b (7,721 visits with a mean of 57.5 %) lies within its noise: 0.7 points lower.",
        "b needs 2,692 more visits to have the most.",
        "If the means stay, some 57,000 more visits would part them.",
        "The other ply is clearly worse.",
        "95 % intervals (Wilson's, from wins, draws and losses; at most, since the log says no more than the "
        "visits and the range of results); in a growing tree play-outs are not quite independent.",
    ]
    assert not any(word in each for each in said(found) for word in NEVER)


LOST = {"score": 0, "bound": "exact"}


@pytest.mark.parametrize(
    ("of_a", "of_b", "sentences"),
    [
        (
            {"score": 1, "bound": "exact"},
            {},
            ["a is proven to win.", "b has 20 visits with a mean of 57.5 %, and is not solved."],
        ),
        ({}, LOST, ["a is not solved.", "b is proven to lose, after 20 visits with a mean of 57.5 %."]),
        (
            LOST,
            {"outcome": "terminal", "ending": "loss"},
            ["a is proven to lose.", "b is proven to lose, after 20 visits with a mean of 57.5 %."],
        ),
    ],
)
def test_what_a_solver_has_proven_is_no_noise(
    of_a: dict[str, Any], of_b: dict[str, Any], sentences: list[str]
) -> None:
    a = {"ply": "a", "layer": "min", "visits": 30, "mean": 0.6, **of_a}
    b = {"ply": "b", "layer": "min", "visits": 20, "mean": 0.575, **of_b}
    root = {"layer": "max", "visits": 51, "children": [a, b]}
    found = said(why(root, search={**RATES, "choose": "visits"}))
    assert found[1:3] == sentences
    assert not any("noise" in each or "needs" in each or "would part" in each for each in found)


def visited(name: str, visits: int, wins: float) -> dict[str, Any]:
    return {"ply": name, "visits": visits, "mean": wins / visits, "wins": wins, "losses": visits - wins}


def test_the_rival_is_counted_against_the_one_that_the_search_would_choose() -> None:
    root = {"layer": "max", "visits": 101}
    root["children"] = [visited("a", 90, 45), visited("b", 6, 3), visited("c", 4, 2)]
    search = {"order": "best_first", "range": [0, 1], "choose": "visits"}
    found = why(root, "c", of="b", search=search)
    assert "c needs 87 more visits to have the most." in said(found)
    assert [line.split()[0] for line in lines_of(found)[-2:]] == ["asked", "rival"]
    assert not any("chosen" in line for line in lines_of(found))
    assert found.means is not None
    assert found.means.to_overtake == 87
    assert not any("more visits to have" in each for each in said(why(root, "a", of="b", search=search)))
    by_mean = search | {"choose": "mean"}
    root["children"] = [visited("a", 90, 72), visited("b", 10, 5), visited("c", 10, 5)]
    assert "c overtakes a after 16 visits at the earliest, all of them won." in said(
        why(root, "c", of="b", search=by_mean)
    )


def test_a_ply_that_the_search_would_not_choose_is_not_called_chosen() -> None:
    root = node("", 5, leaf("a", 5), leaf("b", 3), leaf("c", 1))
    assert lines_of(why(root, "c", of="b"))[-2].split()[0] == "asked"
    assert lines_of(why(root, "b"))[-2].split()[0] == "chosen"
    assert lines_of(why(root, result={"ply": "b"}))[-2].split() == ["chosen", "b"]


def test_a_choice_by_the_mean_is_overtaken_by_wins() -> None:
    one = {"ply": "a", "visits": 10, "mean": 0.6}
    two = {"ply": "b", "visits": 30, "mean": 0.5}
    header = {"search": RATES | {"choose": "mean"}, "result": {"ply": "a"}}
    found = why({"layer": "max", "visits": 40, "children": [two, one]}, **header)
    assert said(found)[0] == "a was chosen by its mean, 60.0 %, after 10 of 40 visits."
    # (15 + 7) / 37 is less than 0.6, (15 + 8) / 38 is more.
    assert said(found)[2] == "b overtakes it after 8 visits at the earliest, all of them won."
    reply = why({"layer": "min", "visits": 40, "children": [one | {"mean": 0.4}, two]}, **header)
    assert said(reply)[2] == "b overtakes it after 8 visits at the earliest, all of them won by the opponent."


def test_means_without_a_range_are_numbers_and_their_noise_is_unknown() -> None:
    plies = {"ply": "a", "visits": 5, "mean": -12.5}, {"ply": "b", "visits": 4, "mean": -14}
    first, second, _ = said(why(tree_of_means(*plies), search={"order": "best_first"}))
    assert first == "a has 5 of 21,737 visits, with a mean of −12.5."
    assert second.startswith("b has 4 visits with a mean of −14.0. Whether the means differ by more")
    stated = tree_of_means(*({**each, "stderr": 1.5} for each in plies))
    assert "lies within its noise: 1.5" in said(why(stated, search={"order": "best_first"}))[1]
    normal = "95 % intervals (normal, from the standard error that the log states)"
    assert normal in said(why(stated, search=RATES))[-1]


def test_plies_without_rows_of_their_own_are_compared_by_what_their_stub_says() -> None:
    stub = {"outcome": "unlogged", "count": 12, "visits": 150, "mean": 0.41}
    found = why(tree_of_means(A, B, stub), "#3", search=RATES)
    assert said(found) == [
        "a has 10,412 visits with a mean of 58.2 %.",
        "The other 12 plies have no row of their own in this log, "
        "with 150 visits together and a mean of 41.0 %.",
    ]


plies_of_means = st.lists(
    st.fixed_dictionaries(
        {"visits": st.integers(1, 500), "wins": st.integers(0, 500)}, optional={"forget": st.just(True)}
    ),
    min_size=2,
    max_size=8,
)


@given(plies_of_means, st.sampled_from(["visits", "mean", None]), st.sampled_from(["max", "min"]))
def test_figures_of_means_agree_with_counting_them_by_hand(
    plies: list[dict[str, Any]], choose: str | None, layer: str
) -> None:
    """The second way: sort, subtract and compare plain dictionaries."""
    children = []
    for place, ply in enumerate(plies):
        row = visited(f"p{place}", ply["visits"], min(ply["wins"], ply["visits"]))
        if "forget" in ply:
            del row["mean"]
        children.append(row)
    total = sum(each["visits"] for each in children) + 1
    search = RATES | ({} if choose is None else {"choose": choose})
    found = there(why({"layer": layer, "visits": total, "children": children}, search=search).means)
    sign = 1 if layer == "max" else -1

    def worth(row: dict[str, Any]) -> float:
        return sign * row["mean"] if "mean" in row else -math.inf

    def key(row: dict[str, Any]) -> tuple[float, float]:
        return (-worth(row), -row["visits"]) if choose == "mean" else (-row["visits"], -worth(row))

    expected = sorted(children, key=key)
    assert [found.tree.ply(each.row) for each in found.plies] == [row["ply"] for row in expected]
    first, second = expected[:2]
    assert [each.share for each in found.plies] == [row["visits"] / total for row in expected]
    if choose != "mean":
        assert found.to_overtake == first["visits"] - second["visits"] + 1
    elif "mean" not in second or sign * second["mean"] > worth(first):
        assert found.to_overtake is None
    else:
        best = 1 if layer == "max" else 0
        needed, won, n = 0, second["wins"], second["visits"]
        while sign * won <= sign * first["mean"] * n + 1e-9 and needed < 10_000:
            needed, won, n = needed + 1, won + best, n + 1
        if needed < 10_000:
            assert found.to_overtake == needed
        else:  # more than was tried one by one
            assert found.to_overtake is None or found.to_overtake >= needed
    ends = [wilson(row["mean"], row["visits"]) for row in (first, second) if "mean" in row]
    if len(ends) == 2:
        shared = max(ends[0][0], ends[1][0]), min(ends[0][1], ends[1][1])
        assert found.shared == (pytest.approx(shared) if shared[0] <= shared[1] else None)


def test_amounts_of_any_size_add_up_to_the_margin() -> None:
    chosen = Made({"a": 1e16, "b": 1e-30, "c": 0.1}, {"table": -1e16}, {})
    rival = Made({"a": 0.3, "b": 0.2}, {"chance": 1e-17}, {})
    for margin in (0.0, 0.1, -1e-20, 123456.789):
        assert math.fsum(part.amount for part in split_of(margin, chosen, rival)) == margin


@pytest.mark.parametrize("amount", [math.nan, math.inf])
def test_a_score_that_is_lost_on_the_way_leaves_the_margin_unsplit(amount: float) -> None:
    parts = split_of(2.0, Made({"a": 1.0}, {"on the way up": amount}, {}), Made({}, {}, {}))
    assert [(part.name, part.amount) for part in parts] == [("not recorded", 2.0)]


def test_where_standing_pat_or_an_estimate_decided_no_ply_did() -> None:
    plies = leaf("a", 4), leaf("b", 7)
    stood = node("", 9, *plies, outcome="cutoff", cut_by="stand_pat", stand_pat=9, static=9, quiescence=True)
    assert said(why(stood))[0] == "No ply decided at the root: not moving did: its own evaluation (+9)."
    guessed = node("", 8, *plies, estimate=8)
    assert said(why(guessed))[0].startswith("No ply decided at the root: an estimate of plies")
    assert "No ply decided" not in " ".join(said(why(node("", 7, *plies))))


def test_a_choice_that_is_no_searched_ply_is_said_not_to_be_the_one_explained() -> None:
    plies = leaf("a", 4), leaf("b", 7)
    found = said(why(node("", 7, *plies), result={"ply": "zz"}))
    assert found[0] == "b is worth +7, a +4: 3 better."
    not_searched = (
        "The log says that zz was chosen, of which the root has no finished visit: b is the best there."
    )
    assert found[-1] == not_searched
    assert not any("zz" in each for each in said(why(node("", 7, *plies), "a", of="b", result={"ply": "zz"})))
    only = why(node("", 7, plies[1]), result={"ply": "zz"})
    assert said(only)[-1] == not_searched


def roll(score: float, *outcomes: dict[str, Any], **more: Any) -> dict[str, Any]:
    return node("a", score, *outcomes, layer="chance", **more)


SIX_OR_ONE = (leaf("six", 9, prior=0.5), leaf("one", -5, prior=0.5))
"""Worth 2."""


def test_where_chance_moves_nothing_is_chosen_and_the_mean_and_probabilities_are_said() -> None:
    found = why(roll(2, *SIX_OR_ONE))
    assert said(found) == [
        "Chance moves here: the mean of 2 outcomes is +2.",
        "Each comes with a probability of 50 %.",
        "six (+9) raises the mean most, one (−5) lowers it most.",
    ]
    above = node("", 2, roll(2, *SIX_OR_ONE), leaf("b", 1))
    for of, versus in (("a > six", None), (None, "a > six")):  # an outcome has no rival
        assert said(why(above, versus, of=of))[0] == "Chance moves here: the mean of 2 outcomes is +2."
    answer = found.as_json()
    assert (answer["chosen"], answer["rival"], answer["margin"], answer["lines"]) == (None, None, None, [])
    outcome = answer["outcomes"]["outcomes"][0]
    assert outcome == {"id": 1, "ply": "six", "prior": 0.5, "worth": 9.0}


def test_two_outcomes_that_are_both_asked_for_are_compared_as_values() -> None:
    found = why(roll(2, *SIX_OR_ONE), "six", of="one")
    assert said(found)[:2] == [
        "one is worth −5, six +9: 14 lower.",
        "Chance decides which comes, with 50 % each.",
    ]
    assert not found.is_choice
    lines = lines_of(found)
    assert "asked   one" in lines
    assert "other   six" in lines


def test_the_outcomes_of_a_best_first_tree_are_not_chosen_by_visits() -> None:
    counts = ("six", 48, 0.9), ("one", 52, 0.1)
    outcomes = [{"ply": ply, "visits": n, "mean": mean, "prior": 0.5} for ply, n, mean in counts]
    root = {"layer": "chance", "visits": 100, "mean": 0.5, "children": outcomes}
    search = RATES | {"choose": "visits"}
    assert said(why(root, search=search)) == [
        "Chance moves here: the mean of 2 outcomes is 50.0 %.",
        "Each comes with a probability of 50 %.",
        "six (90.0 %) raises the mean most, one (10.0 %) lowers it most.",
    ]
    both = why(root, "six", of="one", search=search)
    assert said(both) == [
        "one has 52 visits with a mean of 10.0 %.",
        "six has 48 visits with a mean of 90.0 %.",
        "Chance decides which comes, with 50 % each.",
    ]
    assert not any("chosen" in line or "rival" in line for line in lines_of(both))


@pytest.mark.parametrize(
    ("children", "expected"),
    [
        (  # the rare 100 moves the mean less than the likely 10 does
            [leaf("a", 100, prior=0.01), leaf("b", 10, prior=0.45), leaf("c", -5, prior=0.54)],
            [
                "Chance moves here: the mean of 3 outcomes is +2.",
                "Their probabilities are a 1 %, b 45 % and c 54 %.",
                "b (+10) raises the mean most, c (−5) lowers it most.",
            ],
        ),
        (
            [leaf("six", 9), leaf("one", -5)],
            [
                "Chance moves here: the mean of 2 outcomes is +2.",
                "This log does not state how likely each outcome is (`prior`).",
                "six (+9) is worth most, one (−5) least.",
            ],
        ),
        ([{"ply": "six", "outcome": "stopped"}], ["Chance moves here, and no outcome was finished."]),
        (
            [leaf("six", 1e308, prior=0.5), leaf("one", -1e308, prior=math.inf)],
            [
                "Chance moves here: the mean of 2 outcomes is +2.",
                "Their probabilities are six 50 % and one inf %.",
            ],
        ),
        (
            [leaf("six", 4, prior=1.0), {"outcome": "unlogged", "count": 5}],
            [
                "Chance moves here: the mean of 6 outcomes is +2; this log has 1 of them.",
                "It comes with a probability of 100 %.",
            ],
        ),
    ],
)
def test_odd_outcomes_of_chance_are_told(children: list[dict[str, Any]], expected: list[str]) -> None:
    assert said(why(roll(2, *children))) == expected


def test_distances_are_counted_from_the_position_that_is_explained() -> None:
    deep = node("b", 997, over("c", 997), leaf("d", 5), moves=2)
    root = node("", 5, node("a", 5, deep, layer="min", moves=1), leaf("e", 1))
    assert said(why(root, "d", of="a > b > c", search=MATE))[0] == "c wins at once; d is worth +5."
    assert said(why(root, "a", of="e", search=MATE))[0].startswith("e is worth +1")


def test_of_many_wrong_scores_the_first_are_said_and_the_others_counted() -> None:
    below, wrong = leaf("x", 3), {"static": 1, "factors": [2]}
    for layer in ("max", "min", "max", "min"):
        below = node("r", 3, below, layer=layer, **wrong)
    found = why(node("", 3, below, leaf("b", 1)), factors=[{"name": "f", "weight": 1}])
    assert calls(found)[2] == "It calls 2 more on these lines wrong."
