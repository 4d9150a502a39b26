"""result, nearer-win: what the run says is what its tree shows, and no nearer win was passed over."""

from __future__ import annotations

from typing import Any

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

WRONG = "wrong result root"
MATE = {"mate": {"score": 100, "step": 1, "threshold": 50}}
VARIATION = [
    node("f5", "max", 4, bound="exact", outcome="tt"),
    node("g6", "max", 9, bound="lower"),
]
HIGH = {"bound": "lower", "alpha": 3, "beta": 4}


def saying(**result: Any) -> Any:
    """The example, with another result."""
    return changed("result", result={"ply": "c6", "score": 4, **result})


def failed(bound: str, result: Node) -> Any:
    """The example whose root failed high, or low."""
    return changed("result", {"": HIGH | {"bound": bound}}) | {"result": result}


def followed(*pv: str) -> Any:
    document = saying(pv=list(pv))
    child(document, 0)["children"] = VARIATION
    return document


def iterations(last: str, of_leaf: str | None = None, **result: Any) -> Any:
    """Two iterations, worth 4 and 7, of which the second may be stopped, and its leaf as well."""

    def tree(iteration: int, score: int, outcome: str, of_leaf: str | None = None) -> Node:
        below = node("c6", "min", score, bound="exact", outcome=of_leaf)
        left = {"score": score, "bound": "exact"} if outcome == "searched" else {}
        return {"iteration": iteration, "layer": "max", "outcome": outcome, "children": [below], **left}

    roots = [tree(1, 4, "searched"), tree(2, 7, last, of_leaf)]
    return {"plyscope": 1, "result": result, "roots": roots}


def counting(**totals: int) -> Any:
    root = node(None, "max", 4, leaf("c6", 4), {"outcome": "pruned", "count": 3}, outcome="cutoff")
    return log(root, result=totals)


def nearest(**header: Any) -> Any:
    """The nearest mate there can be, at a root of which only a bound is known."""
    at_once = node("a", "min", 99, outcome="terminal", ending="win")
    open_root = {"layer": "max", "score": 99, "bound": "lower", "alpha": None, "beta": None}
    return log({**open_root, "children": [at_once]}, result={"ply": "a", "score": 99}, **header)


def won(ply: str, score: float, layer: str = "min", **more: Any) -> Node:
    return node(ply, layer, score, **{"outcome": "terminal", "ending": "win", **more})


def line(ply: str, score: float, *, moves: int = 1) -> Node:
    """A ply, its only reply, and a ply that wins."""
    reply = node("r", "max", score, won("w", score), outcome="searched", moves=2)
    return node(ply, "min", score, reply, outcome="searched", moves=moves)


def turned(each: Node) -> Node:
    """The same as the opponent of the root player sees it."""
    layer = "min" if each["layer"] == "max" else "max"
    ending = {"ending": "loss"} if "ending" in each else {}
    children = {"children": [turned(below) for below in each["children"]]} if "children" in each else {}
    return {**each, "layer": layer, "score": -each["score"], **ending, **children}


def chosen(*plies: Node, ply: str = "a", layer: str = "max", **header: Any) -> Any:
    root = node(None, layer, plies[0]["score"], *plies, outcome="searched")
    return log(root, result={"ply": ply}, **header)


NEARER = "odd nearer-win a"
CASES: Cases = {
    "result: each part of it is held against the tree": [
        (saying(nodes=5), "odd result root"),
        (saying(ply="h8"), WRONG),
        (saying(score=5), WRONG),
        (saying(pv=["e6"]), WRONG),
        (saying(rank=1), "wrong result c6"),
        (saying(nodes=4, pv=["c6"], rank=0), ""),
    ],
    "result: a variation is followed to its first table or leaf node": [
        (followed("c6", "f5", "f6"), ""),
        (followed("c6", "g6", "f6"), "wrong result c6 > g6"),
        (followed("c6", "a1", "f6"), "wrong result c6"),
    ],
    "a stopped run may give the result of an older iteration, and no other run": [
        (iterations("stopped", ply="c6", score=4), ""),
        (iterations("searched", ply="c6", score=4), WRONG),
    ],
    "a stopped iteration may choose among the plies that it finished": [
        (iterations("stopped", ply="c6", score=7), ""),
        (iterations("stopped", ply="c6", score=8, root=1), WRONG),
        (iterations("stopped", "stopped", ply="c6", score=7, root=1), "wrong stopped-used root"),
        (iterations("stopped", score=7, root=1), WRONG),
    ],
    "result: a root that failed high may choose a ply and claims no score": [
        (failed("upper", {"ply": "c6"}), WRONG),
        (failed("upper", {"nodes": 4}), ""),
        (changed("result", {"": {"bound": "lower"}}, result={"ply": "c6", "score": 4}), WRONG),
    ],
    "result: totals are the rows; the nearest mate is exact though it is a bound": [
        (nearest(), WRONG),
        (counting(pruned=3, prune_events=1, leaves=1, nodes=2), ""),
        (counting(pruned=4), "odd result root"),
        (counting(prune_events=2), "odd result root"),
        (counting(leaves=2), "odd result root"),
        (counting(nodes=3), "odd result root"),
        (nearest(search=MATE), ""),
    ],
    "nearer-win: a win at once beside a slower one is said, where it is proven": [
        (chosen(turned(line("a", 10)), turned(won("b", 10)), layer="min"), NEARER),
        (chosen(line("a", 99), won("b", 97), search=MATE), NEARER),  # slower wins that score more
        (chosen(line("a", 10, moves=3), won("b", 10)), NEARER),
        (chosen(line("a", 10), won("b", 10, ending="draw")), ""),
        (chosen(line("a", 10), won("b", 10, purpose="probe")), ""),
    ],
}

test_results = held(CASES)


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (saying(nodes=5), "The result counts 5 nodes, but the rows hold 4."),
        (
            chosen(line("a", 10, moves=3), won("b", 10)),
            "b wins at once, which is proven, and has the same score; of this ply no win is proven.",
        ),
    ],
)
def test_what_is_wrong_with_a_result_is_said(document: Any, message: str) -> None:
    assert message in [each.message for each in report_of(document).findings()]


def test_a_ply_with_spaces_around_it_is_quoted_so_that_they_are_seen() -> None:
    assert """The result's ply is "c6 ", but""" in messages(saying(ply="c6 "), "result")[0]
