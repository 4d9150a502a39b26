"""over, no-outcome, all-skipped: where the game or the search ended, and what says so."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.analysis.check.checked import Cases, Node, hold, leaf, log, messages, node

SKIPPED = {"outcome": "skipped", "count": 3}
LIMITED = {"outcome": "limited", "count": 2}


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

CASES: Cases = {
    "over: a finished game has no plies": [
        (over(SKIPPED), "wrong over b"),
        (over(LIMITED), "wrong over b"),
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
    "over: plies may be left over at the end": [(root(9, leaf("a", 4, moves=7), WON), "")],
    "over: a mate at the horizon is no leaf": [
        (root(4, leaf("a", 3, moves=0), leaf("b", 4, moves=0, in_check=True)), "odd over b"),
    ],
    "over: a leaf without plies is odd where others have some": [
        (root(4, SIX_PLIES, leaf("b", 4, moves=0)), "odd over b"),
        (root(4, leaf("a", 3, moves=0), leaf("b", 4, moves=0)), ""),
    ],
    "over: a side without plies may pass": [(root(4, PASSED, leaf("b", 4, moves=0)), "")],
    "over: a leaf that may have plies or knows its worth is right": [
        (root(4, SIX_PLIES, leaf("b", 4, moves=0, quiescence=True)), ""),
        (root(4, SIX_PLIES, leaf("b", 4, moves=0, why="tablebase")), ""),
        (root(4, SIX_PLIES, leaf("b", 4, moves=3)), ""),
    ],
    "over: an engine that takes kings knows of mate after its plies": [
        (mated(900), ""),
        (mated(3), "wrong over b"),
    ],
    "moves: plies that are left over at an end are not missed": [
        (root(9, leaf("a", 4), WON, moves=2), ""),
        (root(9, leaf("a", 4), WON, moves=3), "wrong moves root"),
    ],
    "no-outcome: a node above the horizon says why it ended": [(bare(), "odd no-outcome b")],
    "no-outcome: other nodes without children are left alone": [
        (bare(outcome="stopped"), ""),
        (bare(outcome="tt"), ""),
        (bare(depth=0), ""),
        (bare(depth=-1, quiescence=True), ""),
        (bare(score=None), ""),
        (bare(ending="draw"), ""),
        (bare(tt={"use": "cut", "score": 0}), ""),
        (bare(cut_by="null"), ""),
    ],
    "no-outcome: a writer who never says leaf need not say outcomes": [
        (horizon(node("b", "min", 0, depth=1), said=None), ""),
    ],
    "all-skipped: a score of which no ply was searched is a bound or an estimate": [
        (all_skipped(bound="exact"), "odd all-skipped b"),
        (all_skipped(alpha=3, beta=9), "odd all-skipped b"),
        (all_skipped(), "odd all-skipped b"),
        (all_skipped(static=3), "odd all-skipped b"),
    ],
    "all-skipped: a node that skipped its plies for a reason is left alone": [
        (all_skipped(bound="upper"), ""),
        (all_skipped(alpha=4, beta=9), ""),
        (all_skipped(estimate=4), ""),
        (all_skipped(static=4), ""),
        (all_skipped(stand_pat=4, quiescence=True), ""),
        (all_skipped(cut_by="estimate", outcome="cutoff"), ""),
        (all_skipped(outcome="stopped", score=None), ""),
        (all_skipped(ending="draw"), ""),
        (all_skipped(tt={"use": "narrow", "score": 4, "bound": "exact"}), ""),
    ],
}


@pytest.mark.parametrize("sentence", CASES)
def test_where_it_ended(sentence: str) -> None:
    hold(CASES, sentence)


def test_a_finished_game_above_the_horizon_is_called_a_leaf() -> None:
    plies = leaf("a", 3, moves=5, depth=2), leaf("b", 4, moves=0, depth=2)
    (message,) = messages(root(4, *plies, depth=3), "over")
    assert message.endswith("but the position is called a leaf: `outcome` should be `terminal`.")
