"""chance: means by priors, as far as digits tell, and the claims and worths that are folded from them."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.unit.analysis.check.checked import Cases, Node, held, log, node, report_of
from tests.unit.analysis.check.test_rule_repropagate import root_worth

WRONG, ODD = "wrong chance root", "odd chance root"
HALVES = (0.5, 0.5)


def leaf(ply: str, score: float, prior: float | None = None, **more: Any) -> Node:
    return node(ply, "max", score, **{"outcome": "leaf", "bound": "exact", "prior": prior, **more})


def rolled(score: float, *children: Node, **more: Any) -> Node:
    return node(None, "chance", score, *children, **{"bound": "exact", **more})


def dice(score: float, *children: Node, **more: Any) -> Any:
    """A log whose root is a chance node."""
    return log(rolled(score, *children, **more))


def falls(priors: tuple[float, ...], *scores: float) -> list[Node]:
    return [leaf(f"d{i}", scores[i], priors[i]) for i in range(len(scores))]


def of(priors: tuple[float, ...], scores: tuple[float, ...], score: float) -> Any:
    return dice(score, *falls(priors, *scores))


def not_asked(**more: Any) -> Any:
    """A node that is no mean, with fields that may say why."""
    return dice(9, *falls(HALVES, 1, 2), **more)


def with_last(last: Node) -> Any:
    return dice(9, *falls(HALVES, 1, 2), last)


def with_counted(score: float) -> Any:
    """A second outcome, of 3, that counts as 8."""
    one, other = falls(HALVES, 1, 3)
    return dice(score, one, other | {"counted_as": 8})


ONE_WHOLE = [
    rolled(2.25, *falls((0.75, 0.25), 1.0, 6.0), ply="a"),
    rolled(5, *falls((0.75, 0.25), 4.25, 6.25), ply="b"),
]
BETWEEN = leaf("a", 1), leaf("b", 4), rolled(1.5, leaf("x", 1.5), ply="c")
BOUNDED = leaf("d0", 2, 0.5), leaf("d1", 4, 0.5, bound="upper", outcome="searched")
AGAIN = leaf("d0", 40, 0.5, purpose="probe"), leaf("d1", 50, 0.5, depth=0)
DEEPER = [{**fall, "depth": 1} for fall in falls(HALVES, 1, 3)]
STATICS = [leaf("d0", 2, 0.5, static=2), leaf("d1", 4, 0.5, static=4)]
ABOVE = node(None, "max", 5, node("r", "chance", None, *STATICS))
RANGE = {"search": {"range": [-10, 10]}}

CASES: Cases = {
    "a mean by priors passes as exactly as the priors are written": [
        (of((1 / 3, 2 / 3), (1.0, 2.0), 5 / 3), ""),
        (of(HALVES, (1.0, 3.0), 2.0), ""),
        (of((0.0278, 0.972), (36.0, 72.0), 71.0), ""),
        (of((1.0, 0.0), (3.0, 9.0), 3.0), ""),
    ],
    "whole scores may be cut or rounded where all are": [
        (of((0.25, 0.75), (2.0, 5.8), 4), ""),
        (log(node(None, "max", 5, *ONE_WHOLE, bound="exact")), "wrong chance b, wrong claim b"),
    ],
    "chance: a node that was cut or is a bound is not asked": [
        (not_asked(), WRONG),
        (not_asked(outcome="cutoff"), ""),
        (not_asked(bound="lower"), ""),
        (not_asked(cut_by="child"), ""),
        (not_asked(tt={"use": "narrow", "bound": "lower", "score": 4}), ""),
        (not_asked(bound=None, alpha=20, beta=30), ""),
    ],
    "chance: a node whose children or odds are not all known is not asked": [
        (with_last(leaf("c", 7)), ""),
        (with_last(leaf("d1", 5, 0.5)), ""),
        (dice(9, leaf("a", 1), leaf("b", 4), moves=3, outcome="searched"), ""),
    ],
    "chance: without priors a score lies between its children": [
        (dice(1, *BETWEEN), ""),
        (dice(0.5, *BETWEEN), WRONG),
        (dice(9, *BETWEEN[:2], bound=None), ""),
        (dice(9, *BETWEEN[:2], bound=None, moves=2), WRONG),
    ],
    "chance: priors that lack an outcome are odd whatever the score, those above one wrong": [
        (of((0.2, 0.3, 0.4), (1, 2, 3), 9), ODD),
        (of((0.333, 0.333, 0.33), (1, 2, 3), 9), ODD),
        (of((0.25, 0.25), (1, 2), 9) | RANGE, WRONG),  # no missing outcome allows that
        (of((0.25, 0.25), (1, 2), 5.5) | RANGE, ODD),
        (dice(9, *falls((0.25, 0.25), 1, 2), {"outcome": "unlogged", "count": 2}), ""),
        (of((0.5, 0.75), (1, 2), 1.5), WRONG),
    ],
    "chance: wrong weights are found, and weights of which only the digits are rounded fit": [
        (of((0.25, 0.25, 0.5), (8, 0, 4), 2), WRONG),  # one outcome left out
        (of((0.333, 0.667), (0, 15), 10), ""),
    ],
    "chance: what an outcome is worth itself is counted": [
        (with_counted(4.5), ""),
        (with_counted(2), WRONG),
    ],
    "a claim above a bound, or a root above leaves that do not give it, is said below chance too": [
        (dice(3, *BOUNDED), "wrong claim root"),
        (log(ABOVE), "odd repropagate root"),
        (dice(2, *AGAIN, *DEEPER), ""),  # probes and shallower visits do not count
    ],
}

test_chance = held(CASES)


@pytest.mark.parametrize(
    ("score", "more", "worth"),
    [
        (9, {}, [3.5, 3.5]),
        (3.500001, {}, [3.500001, 3.500001]),
        (9, {"outcome": "cutoff"}, [9, 9]),
        (9, {"bound": "lower", "outcome": "cutoff"}, [9, math.inf]),
    ],
)
def test_leaves_are_folded_up_through_a_chance_node_unless_it_was_cut(
    score: float, more: Node, worth: list[float]
) -> None:
    children = leaf("a", 2, 0.75, static=2), leaf("b", 8, 0.25, static=8)
    assert root_worth(rolled(score, *children, **more)) == worth


def test_a_log_without_chance_nodes_is_not_said_to_be_asked() -> None:
    assert "chance" not in report_of(log(leaf("a", 3))).checked
