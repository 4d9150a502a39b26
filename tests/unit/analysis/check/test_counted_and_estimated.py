"""Tests of rules on `counted_as`, `estimate`, several threads, tablebase leaves, a result's own bound."""

from __future__ import annotations

import math
from typing import Any

import pytest

from plyscope.visualizer.analysis.columns.declarations import declared
from tests.unit.analysis.check.checked import Cases, Node, found, held, log, report_of
from tests.unit.logs import log_of

ORDERED = ("window", "window-wide", "cut-missed", "research-missing", "tt-source")
"""The rules that go by the order of rows."""
RANGE = {"range": [-10, 10]}


def node(layer: str, score: float, *children: Node, **fields: Any) -> Node:
    below = {"children": list(children)} if children else {"outcome": "leaf"}
    return {"layer": layer, "score": score, "bound": "exact", "alpha": None, "beta": None, **below, **fields}


def leaf(ply: str, score: float, **fields: Any) -> Node:
    return node("min", score, ply=ply, **fields)


def root(score: float, *children: Node, search: Node | None = None, **fields: Any) -> Any:
    """The log of a max node."""
    return log(node("max", score, *children, **fields), search={"fail": "soft", **(search or {})})


def capped() -> list[Node]:
    """Two plies of at least 9 and 8, of which no more than 6 is taken."""
    one, other = (
        leaf(ply, at_least, bound="lower", beta=7, counted_as=6) for ply, at_least in (("a", 9), ("b", 8))
    )
    return [one, other | {"alpha": 6}]


def varied(*pv: str) -> Any:
    """A variation whose scores are moved by one on the way up."""
    below = node(
        "min", 8, node("max", 9, node("min", 9, ply="c"), ply="b", counted_as=8), ply="a", counted_as=7
    )
    return root(7, below) | {"result": {"ply": "a", "score": 7, "pv": list(pv)}}


def contradicting(change: Node | None = None, **guess: Any) -> Any:
    """Two visits of a ply that contradict one another, beside a ply that may state another depth."""
    visits = leaf("a", 8, bound="lower", depth=1), leaf("a", 6, purpose="research", depth=1)
    return root(6, *visits, leaf("b", 1, depth=1, **(change or {})), depth=2, **guess)


def resulting(**result: Any) -> Any:
    """A root that failed high, at least 7."""
    failed = root(7, leaf("a", 7, bound="lower", beta=5), beta=5, bound="lower", outcome="cutoff")
    return failed | {"result": {"ply": "a", **result}}


FADED, BESIDE = leaf("a", 8, counted_as=4), leaf("b", 0, alpha=8, bound="upper")
MOVED = leaf("a", 9, bound="lower", counted_as=6), leaf("b", 5, alpha=6, bound="upper")
SKIPPED = {"outcome": "skipped", "count": 3}
FALLEN = (
    leaf("a", 4, counted_as=3, bound="upper", alpha=4),
    leaf("b", 2, counted_as=1, bound="upper", alpha=4),
)
AROUND = SKIPPED, leaf("a", 4, alpha=5), leaf("c", 6, alpha=5)
LATE = leaf("a", 5, alpha=9), leaf("b", 9, alpha=5)
STOPPED = {"ply": "a", "layer": "min", "outcome": "stopped"}
CUT = leaf("b", 9, bound="lower", beta=8)
CUT_ROOT: Node = {"beta": 8, "bound": "lower", "outcome": "cutoff"}
PROBED = leaf("a", 90, static=3)
EMPTY: Node = {"alpha": 5, "beta": 5}
MISSED = (
    leaf("a", 5, beta=5),
    node("min", 5, node("max", 7, ply="x", **EMPTY), ply="b", bound="upper", **EMPTY),
)

CASES: Cases = {
    "a claim moves with what was taken": [
        (root(6, *MOVED, bound="lower"), ""),
        (root(6, *MOVED), "wrong claim root"),
    ],
    "where all scores move by one step or in one ratio, a window moves so though its score does not": [
        (root(999, leaf("a", 1000, counted_as=999), leaf("b", 12, alpha=1000, bound="upper")), ""),
    ],
    "window: where they move in no one way, it does not": [
        (root(5, FADED, BESIDE, leaf("c", 6, counted_as=5, alpha=8)), "wrong window b, wrong window c"),
    ],
    "in an empty window, after a missed cut, every score is both bounds": [
        (root(5, *MISSED, beta=5, bound="lower", search={"fail": "hard"}), "waste cut-missed b"),
    ],
    "the end of the range does not move with a claim": [
        (root(3, *FALLEN, bound="upper", alpha=3, search=RANGE), ""),
        (root(2, *FALLEN, bound="upper", alpha=3, search=RANGE), "wrong value root, wrong claim root"),
    ],
    "a cap cuts off the open side of a claim": [(root(6, *capped(), beta=7), "")],
    "the principal variation goes on with the score that was moved": [
        (varied("a", "b", "c"), ""),
        (varied("a", "b", "d"), "wrong result a > b"),
    ],
    "a ply may be searched before the rest is estimated, or twice around it": [
        (root(6, leaf("a", 3), leaf("b", 6, alpha=4), SKIPPED, estimate=5), "waste window-wide b"),
        (root(6, leaf("a", 4), leaf("b", 5, alpha=4, bound="upper"), *AROUND, estimate=5), ""),
        (
            root(6, leaf("a", 4), leaf("b", 5, alpha=3, bound="upper"), *AROUND, estimate=5),
            "waste window-wide b",
        ),
    ],
    "a node all of whose plies were estimated has the estimate": [
        (root(6, SKIPPED, estimate=6, alpha=9, bound="upper"), ""),
        (root(7, SKIPPED, estimate=6, alpha=9, bound="upper"), "wrong value root"),
    ],
    "threads, and plies that have no rows, leave windows and stopped children unjudged": [
        (root(5, leaf("a", 2), leaf("b", 5, alpha=3), {"outcome": "unlogged", "count": 1}), ""),
        (root(9, *LATE), "wrong window a"),
        (root(9, *LATE, search={"threads": 4}), ""),
        (root(9, STOPPED, CUT, **CUT_ROOT), "wrong stopped-used root"),
        (root(9, STOPPED, CUT, **CUT_ROOT, search={"threads": 2}), ""),
        (root(7, STOPPED, leaf("b", 7), search={"threads": 2}), "wrong stopped-used root"),
    ],
    "a tablebase leaf need not have its static": [
        (root(90, PROBED), "wrong leaf a, odd repropagate root"),
        (root(90, PROBED | {"why": "tablebase"}), ""),
    ],
    "research-disagrees: it is odd beside estimates and where depth may follow the order of plies": [
        (contradicting(), "wrong research-disagrees a#2"),
        (contradicting(estimate=1), "odd research-disagrees a#2"),
        *(
            (contradicting(change), "odd research-disagrees a#2")
            for change in ({"extension": 1}, {"extension": -0.5}, {"reduction": 1})
        ),
    ],
    "result: one that is a bound says which": [
        (resulting(score=7, bound="lower"), ""),
        (resulting(score=7, bound="upper"), "wrong result root"),
    ],
}

test_what_was_taken_or_estimated = held(CASES)


def test_rules_of_order_say_that_threads_have_none() -> None:
    reasons = {
        each.rule: each.why or "" for each in report_of(root(9, *LATE, search={"threads": 4})).not_checked
    }
    assert all("thread" in reasons[rule] for rule in ORDERED)


def test_the_bound_of_a_result_turns_with_its_score() -> None:
    turned = log_of(
        {"layer": "min", "player": "b", "score": 3, "bound": "lower"},
        players=["a", "b"],
        search={"perspective": "mover", "root_player": "a"},
        result={"score": 3, "bound": "lower"},
    )
    assert turned.header["result"] == {"score": -3, "bound": "upper"}
    assert turned.columns["score"][0] == -3


@pytest.mark.parametrize(
    "taken",
    [
        [(-1.5e308, 1.7e308)],
        [(1e-308, 1e308)],
        [(5e-324, 3.0), (2.0, 3.0)],
        [(1.0, 1.7e308), (1.0, -1.7e308)],
    ],
)
def test_what_was_counted_beyond_all_numbers_is_no_step_and_no_warning(
    taken: list[tuple[float, float]],
) -> None:
    plies = [
        {"ply": f"p{at}", "score": score, "counted_as": counted, "outcome": "leaf"}
        for at, (score, counted) in enumerate(taken)
    ]
    best = {"layer": "max", "score": max(counted for _, counted in taken), "outcome": "searched"}
    told = declared(log_of(best | {"children": plies}))
    assert not math.isinf(told["counted_step"])
    assert not math.isinf(told["counted_ratio"])
    assert found(log(best | {"children": plies}), "value") == []
