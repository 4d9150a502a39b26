"""repropagate: the leaves folded up again give the root's score."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plyscope.visualizer.analysis.check.rules.values.repropagate import Refold, refolded
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import sight_of
from plyscope.visualizer.analysis.columns.sweep import derive
from plyscope.visualizer.store.log import Log
from tests.unit.analysis.check.checked import Cases, Node, changed, example, found, held, log
from tests.unit.logs import log_of

ODD = "odd repropagate root"
NAN, INF = np.nan, np.inf
PRUNED = {"outcome": "pruned", "count": 2}


def worths(log: Log) -> Refold:
    return refolded(derive(sight_of(log), Work()), Work())


def root_worth(root: Node, **header: Any) -> list[float]:
    refold = worths(log_of(root, **header))
    return [float(refold.low[0]), float(refold.high[0])]


def leaf(ply: str, static: float, **fields: Any) -> Node:
    """A leaf whose score says nothing, so that only its static counts."""
    return {"ply": ply, "layer": "min", "score": 77, "outcome": "leaf", "static": static, **fields}


def most(*children: Any, **fields: Any) -> Node:
    """A node of the root player."""
    return {"layer": "max", "score": 77, "outcome": "searched", "children": list(children), **fields}


def least(*children: Any, **fields: Any) -> Node:
    return most(*children, **{"layer": "min", **fields})


A, B = leaf("a", 3), leaf("b", 5)
SCOUT = least(leaf("x", 4), PRUNED, ply="a", outcome="cutoff")
AGAIN = least(leaf("x", 4), leaf("y", 2), ply="a", purpose="research")
NARROWED = {"tt": {"use": "narrow", "bound": "upper", "score": 6}}


@pytest.mark.parametrize(
    ("root", "worth"),
    [
        (most(A, B), [5, 5]),
        (least(A, B), [3, 3]),
        (most(A, leaf("b", 9, purpose="null"), leaf("c", 8, purpose="probe")), [3, 3]),
        (most(A, stand_pat=4), [4, 4]),
        (most(A, {"outcome": "limited", "count": 2}), [3, 3]),
        (most(A, PRUNED), [3, INF]),
        (least(A, PRUNED), [-INF, 3]),
        (most(A, {"outcome": "unlogged", "count": 2}), [-INF, INF]),
        (most(A, outcome="cutoff"), [3, INF]),
        (most(A, score=6, outcome="cutoff", cut_by="null"), [6, INF]),
        (least(score=6, outcome="cutoff", cut_by="estimate"), [-INF, 6]),
        (most(A, {"ply": "b", "layer": "min", "outcome": "stopped"}), [NAN, NAN]),
        (most(A, layer="chance"), [NAN, NAN]),
        (most(A, leaf("b", 9, score=4, outcome="terminal")), [4, 4]),
        (most(leaf("a", 3, depth=1), leaf("a", 8, depth=0)), [3, 3]),
        (most(SCOUT, AGAIN), [2, 2]),  # visits of one ply are intersected
        (most(A, PRUNED, **NARROWED), [3, 6]),
        (most(leaf("a", 7), PRUNED, **NARROWED), [NAN, NAN]),
    ],
)
def test_what_a_node_is_worth(root: Node, worth: list[float]) -> None:
    assert root_worth(root) == pytest.approx(worth, nan_ok=True)


def test_the_declared_range_closes_what_a_cut_opened() -> None:
    assert root_worth(most(A, PRUNED), search={"range": [-9, 9]}) == [3, 9]


def test_a_table_row_is_worth_what_its_source_is_with_wins_nearer_above() -> None:
    """A win at level 3, stored at level 2, is a ply nearer where it is used at level 1."""
    win = {"ply": "c", "layer": "max", "score": 97, "outcome": "terminal", "ending": "win"}
    source = least(least(win, ply="b"), ply="a")
    used = {"ply": "d", "layer": "min", "score": 0, "outcome": "tt", "tt": {"use": "cut", "from": 2}}
    search = {"mate": {"score": 100, "step": 1, "threshold": 90}}
    refold = worths(log_of(most(source, used), search=search))
    assert (refold.low[2], refold.low[4]) == (97, 98)


def iterations(*places: int) -> Any:
    """The example as one of two iterations: 0 is the example, 1 the same with a ply that says nothing."""
    document = example("repropagate")
    root = document.pop("root")
    roots = [root, {**root, "children": [{"ply": "c6"}]}]
    return document | {"roots": [{**roots[place], "iteration": at} for at, place in enumerate(places, 1)]}


def cut(score: float, bound: str | None) -> Any:
    """A root that was cut, whose leaves give 5 or more."""
    bounded = {} if bound is None else {"bound": bound}
    return log(most(leaf("a", 5, score=5), PRUNED, score=score, outcome="cutoff", **bounded))


CASES: Cases = {
    "weights that are not known leave the scores as they are": [
        (changed("repropagate", factors=[{"name": "mobility", "weight": 2}, {"name": "corners"}]), ""),
    ],
    "the last root is judged though it states no bound, and others are not": [
        (iterations(0, 1), ""),
        (iterations(1, 0), ODD),
    ],
    "repropagate: a cut root is worth at least what was found, whether or not its bound says too much": [
        (cut(4, "lower"), ""),
        (cut(4, "upper"), ODD),
        (cut(4, "exact"), ODD),
        (cut(4, None), ODD),
        *((cut(score, bound), "") for score in (5, 9) for bound in ("lower", "upper", "exact", None)),
    ],
    "scores between the leaves and the root are not asked": [
        (log(most({**least(leaf("x", 5, score=5), ply="a"), "score": None}, score=4)), ODD),
    ],
}

test_repropagate = held(CASES)


@pytest.mark.parametrize(("weight", "value"), [(1e308, 1e308), (1e308, -1e308), (1e308, "inf"), (0, "inf")])
def test_terms_beyond_all_numbers_are_added_without_a_warning(weight: float, value: float) -> None:
    beyond = {"factors": [value, 0]}
    document = changed("repropagate", {"": {"static": 7, **beyond}, "0": beyond})
    document["factors"][0]["weight"] = weight
    assert ("repropagate", "root") in found(document) or weight == 0
