"""What a position is worth, the windows and layers of nodes, and where the game or the search ended.

static-sum, leaf, terminal, mate-distance; layers, probe-window, depth-step at chance nodes, edges that cross;
over, no-outcome, all-skipped.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from tests.unit.analysis.check.checked import (
    Cases,
    Node,
    changed,
    child,
    held,
    leaf,
    log,
    messages,
    node,
    report_of,
)

MAX, MIN = "max", "min"
SKIPPED = {"outcome": "skipped", "count": 3}
FACTORS: Final = [{"name": "mobility", "weight": 2}, {"name": "corners", "weight": 10}, {"name": "other"}]
OPEN: Final = {"alpha": None, "beta": None}


def with_rest(last: float) -> Any:
    """A third factor without a weight; of the third ply it is `last`."""
    rests = {"0": [2, 1, 0], "1": [3, 0, 2], "2": [1, 0, last]}
    return changed("static-sum", {at: {"factors": values} for at, values in rests.items()}, factors=FACTORS)


def clamped(fail: str | None, last: float) -> Any:
    """A leaf of -9 at alpha 4 that says 4, and one of 1 that says `last`."""
    document = changed("leaf", search={"fail": fail} if fail else None)
    for each in (document["root"], *document["root"]["children"]):
        each.update(OPEN)
    child(document, 1).update(static=-9, score=4, alpha=4)
    child(document, 2).update(static=1, score=last, alpha=4)
    return document


def deep(above: str = "upper", **fields: Any) -> Any:
    """The node all of whose plies were skipped, with other fields, below one with this bound."""
    return changed("mate-distance", {"1": {"bound": above}, "1.0": fields})


WORTHS: Cases = {
    "a rounding error within the tolerance is no finding": [
        (changed("static-sum", {"1": {"factors": [4 + 1e-12, 0]}}), ""),
        (changed("static-sum", {"1": {"factors": [4.001, 0]}}), "wrong static-sum d3"),
    ],
    "a static with an unknown factor is not judged": [
        (changed("static-sum", {"1": {"factors": [3, None]}}), ""),
    ],
    "contributions are added up without weights": [
        (
            changed(
                "static-sum",
                {
                    str(at): {
                        "factors": None,
                        "contributions": {"mobility": 2 * mobility, "corners": corners},
                    }
                    for at, (mobility, corners) in enumerate(((2, 10), (3, 0), (1, 0)))
                },
            ),
            "wrong static-sum d3",
        ),
    ],
    "the rest term called other needs no weight": [
        (with_rest(0), ""),
        (with_rest(1), "wrong static-sum e6"),
    ],
    "leaf: it is clamped to its window only where the search may be fail-hard": [
        (clamped("hard", 4), ""),
        (clamped("soft", 1), "wrong leaf d3"),
        (clamped(None, 4), ""),
    ],
    "leaf: it is not judged where neither fail nor windows are declared": [
        (changed("leaf", search=None), "")
    ],
    "terminal: an ending whose worth is not declared is not judged": [(changed("terminal", search=None), "")],
    "mate-distance: a score that may be true is clean": [
        (deep("lower", outcome="stopped"), ""),
        (deep("lower", score=-998), ""),  # mated here
        (deep("lower", score=-999), ""),  # by an engine that counts from 1
        (deep("lower", bound="lower"), ""),  # at least, which nobody denies
        (deep("lower", score=997), ""),  # mates by the next ply
        (deep("lower", moves=0), ""),  # no-plies says it
    ],
    "mate-distance: a win too near is found too": [
        (deep(score=1000, bound="lower"), "wrong mate-distance d3 > e3"),
    ],
    "mate-distance: wins that decay on the way up are not judged": [
        (changed("mate-distance", {"0": {"counted_as": 3}}), ""),
    ],
}


def path(*layers: str, **header: Any) -> Any:
    """A log of one line of plies, and a second ply at each node."""
    below: list[Node] = []
    for at, layer in reversed([*enumerate(layers)]):
        below = [node(f"p{at}" if at else None, layer, 1, *below), node("q", layer, 1)]
    return log(below[0], **header)


def probe(*window: float | None, **more: Any) -> Any:
    """The probe of the example with another window."""
    document = changed("probe-window", {"0": more})
    document["root"]["children"][0].update(alpha=window[0], beta=window[1])
    return document


def rolled(above: int, roll: int, below: int) -> Any:
    """A chance node between two others, by their depths."""
    one = node("1", MAX, 5, prior=1, depth=below, outcome="leaf")
    return log(node(None, MAX, 5, node("a", "chance", 5, one, depth=roll), depth=above))


def crossed(alpha: Any, beta: Any) -> Any:
    """A root that was called with these edges, which it hands on."""
    edges = {"alpha": alpha, "beta": beta}
    below = {"ply": "a", "layer": MIN, "score": 3, "children": [node("x", MAX, 3, outcome="leaf") | edges]}
    return log({"layer": MAX, "score": 3, "children": [below | edges]} | edges)


ALTERNATING = (MAX, MAX, MIN, MAX)
OF_A = path(*ALTERNATING, players=["A", "B"])
OF_A["root"]["player"] = "A"
DECLARED = path(*ALTERNATING, search={"turns": "alternate"})

WINDOWS: Cases = {
    "layers: branches that are swapped below the root are said once": [
        (path(*ALTERNATING), "odd layers root"),
        (path(MIN, MIN, MAX, MIN), "odd layers root"),
    ],
    "layers: what a game may have is left alone": [
        (path(MAX, MAX, MIN), ""),  # cut short
        (path(MAX, MAX, MIN, MIN), ""),  # double moves
        (path(MAX, MAX, MAX, MIN), ""),  # all one side
        (path(MAX, MAX, MIN, MAX, MAX), ""),  # once more
    ],
    "layers: players and declared turns are judged by another rule": [(OF_A, ""), (DECLARED, "")],
    "layer: declared turns are judged by it": [
        (path(MAX, MAX, search={"turns": "alternate"}), "wrong layer p1, wrong layer q"),
    ],
    "probe-window: a probe of its own position asks what its node asks, or a part, any other anything": [
        (probe(-40, -20), "odd probe-window ?"),
        (probe(41, 60), "odd probe-window ?"),
        (probe(30, 90), ""),  # a part
        (probe(40, 60), ""),  # at its edge
        (probe(9, 10), ""),  # a null window
        (probe(-40, -20, ply="a", layer="min"), ""),
    ],
    "depth-step: either side of a roll, or both, may take the depth": [
        (rolled(2, 2, 1), ""),
        (rolled(2, 1, 1), ""),
    ],
    "reduced-unverified: late plies may cost more by design": [
        (changed("reduced-unverified"), "wrong reduced-unverified b"),
        (changed("reduced-unverified", search={"verify": False}), ""),
    ],
    "window: edges that cross from the root on are odd once": [
        (crossed(100, -100), "odd window root"),
        (crossed(2147483648, -2147483647), "odd window root"),  # an infinity that does not bear a minus
    ],
    "window: edges that leave something or are not known are not odd": [
        (crossed(3, 3), ""),
        (log(node(None, MAX, 5, leaf("b", 5, alpha=5, beta=4, outcome="cutoff"))), ""),  # by mate distance
    ],
}


def root(score: float, *children: Node, **fields: Any) -> Any:
    return log(node(None, "max", score, *children, **fields))


def over(*below: Node) -> Any:
    """A finished game, b, with rows below it."""
    return root(4, leaf("a", 4), node("b", "min", 0, *below, outcome="terminal", ending="draw"))


def solved(outcome: str | None) -> Any:
    """A best-first log in which b, above a ply, states its ending."""
    below = node("x", "max", 1, visits=2, mean=1.0)
    b = node("b", "min", 1, below, ending="win", visits=3, mean=1.0, outcome=outcome)
    search = {"order": "best_first", "range": [-1, 1]}
    return log(node(None, "max", 1, b, visits=4, mean=1.0, outcome="searched"), search=search)


def mated(first: float) -> Any:
    """A node each of whose plies is answered by the capture of the king; it returns none of these scores."""
    taken = node("x", "min", 900, outcome="terminal", ending="win")
    replies = [node(ply, "max", score, taken, outcome="cutoff") for ply, score in (("p", first), ("q", 900))]
    return root(500, node("b", "min", 500, *replies, outcome="terminal"))


def horizon(*nodes: Node, said: str | None = "leaf") -> Any:
    searched = node("a", "min", 5, node("x", "max", 5, outcome=said, depth=0), outcome="searched", depth=1)
    return root(5, searched, *nodes, outcome="searched", depth=2)


def bare(**more: Any) -> Any:
    """A node above the horizon without children."""
    return horizon(node("b", "min", **{"score": 0, "depth": 1, **more}))


def all_skipped(**more: Any) -> Any:
    """A node above the horizon that skips all its plies."""
    return horizon(node("b", "min", **{"score": 4, "outcome": "searched", **more}, children=[SKIPPED]))


WON = node("b", "min", 9, outcome="terminal", ending="win", moves=6)
PASSED = node("c", "min", 3, node("pass", "max", 3, outcome="leaf", moves=4), outcome="searched", moves=0)
SIX_PLIES = leaf("a", 3, moves=5)

ENDS: Cases = {
    "over: a finished game has no plies": [
        (over(node("x", "max", 0, outcome="leaf")), "wrong over b"),
        (over(), ""),
    ],
    "over: an ending says that the game is over too": [
        (
            root(9, node("b", "min", 9, node("x", "max", 9), outcome="searched", ending="win")),
            "wrong over b",
        ),
    ],
    "over: a node that a solver proved may state its ending above plies": [
        (solved(None), "odd over b"),
        (solved("terminal"), "wrong over b"),
    ],
    "over: a leaf without plies is odd where others have some": [
        (root(4, SIX_PLIES, leaf("b", 4, moves=0)), "odd over b"),
        (root(4, leaf("a", 3, moves=0), leaf("b", 4, moves=0)), ""),
        (root(4, leaf("a", 3, moves=0), leaf("b", 4, moves=0, in_check=True)), "odd over b"),  # a mate
    ],
    "over: a leaf that may have plies or knows its worth, an end with plies left over, a pass are right": [
        (root(4, SIX_PLIES, leaf("b", 4, moves=0, quiescence=True)), ""),
        (root(4, SIX_PLIES, leaf("b", 4, moves=0, why="tablebase")), ""),
        (root(9, leaf("a", 4, moves=7), WON), ""),  # plies are left over
        (root(4, PASSED, leaf("b", 4, moves=0)), ""),
    ],
    "over: an engine that takes kings knows of mate after its plies": [
        (mated(900), ""),
        (mated(3), "wrong over b"),
    ],
    "moves: plies that are left over at an end are not missed": [
        (root(9, leaf("a", 4), WON, moves=2), ""),
        (root(9, leaf("a", 4), WON, moves=3), "wrong moves root"),
    ],
    "no-outcome: a node above the horizon says why it ended, others without children need not": [
        (bare(), "odd no-outcome b"),
        (bare(outcome="tt"), ""),
        (bare(depth=0), ""),
        (bare(score=None), ""),
        (bare(ending="draw"), ""),
        (bare(tt={"use": "cut", "score": 0}), ""),
        (bare(cut_by="null"), ""),
        (horizon(node("b", "min", 0, depth=1), said=None), ""),  # of a writer who never says leaf
    ],
    "all-skipped: a score of which no ply was searched is a bound or an estimate": [
        (all_skipped(alpha=3, beta=9), "odd all-skipped b"),
    ],
    "all-skipped: a node that skipped its plies for a reason is left alone": [
        (all_skipped(bound="upper"), ""),
        (all_skipped(alpha=4, beta=9), ""),
        (all_skipped(estimate=4), ""),
        (all_skipped(static=4), ""),
        (all_skipped(stand_pat=4, quiescence=True), ""),
        (all_skipped(cut_by="estimate", outcome="cutoff"), ""),
        (all_skipped(ending="draw"), ""),
        (all_skipped(tt={"use": "narrow", "score": 4, "bound": "exact"}), ""),
    ],
}


CASES: Cases = {**WORTHS, **WINDOWS, **ENDS}

test_single_nodes = held(CASES)


@pytest.mark.parametrize("mate", [None, {"score": 1000, "threshold": 900}])
def test_wins_without_a_step_are_not_judged(mate: Node | None) -> None:
    document = changed("mate-distance", search={"mate": mate} if mate else None)
    assert "mate-distance" not in report_of(document).checked


LEAF_MATED = root(4, leaf("a", 3, moves=5, depth=2), leaf("b", 4, moves=0, depth=2), depth=3)


@pytest.mark.parametrize(
    ("document", "rule", "message"),
    [
        (crossed(4, 3), "window", "alpha is above beta, so that no score lies between them."),
        (LEAF_MATED, "over", "but the position is called a leaf: `outcome` should be `terminal`."),
    ],
)
def test_what_is_wrong_is_said(document: Any, rule: str, message: str) -> None:
    (said,) = messages(document, rule)
    assert said.endswith(message)
