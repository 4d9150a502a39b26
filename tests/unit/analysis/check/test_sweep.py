"""Tests of the sweep: which visits count, folds of claims, edges, and how `fail` is settled."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from plyscope.engine.games import tictactoe
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.declarations import HARD, SOFT
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.row import fold_of, is_stub
from plyscope.visualizer.analysis.columns.sight import (
    COUNTED,
    DISAGREES,
    TABLE_DISAGREES,
    WINDOW_ELSE,
    WINDOW_WIDER,
    Sight,
    sight_of,
)
from plyscope.visualizer.analysis.columns.sweep import derive
from plyscope.visualizer.analysis.columns.windows import ELSE, FITS, WIDER, fit
from plyscope.visualizer.formats.seal.recording import log_from_recording
from tests.unit.logs import log_of

INF = math.inf


def derived(root: dict[str, Any], **header: Any) -> Sight:
    return derive(sight_of(log_of(root, **header)), Work())


def leaf(ply: str, score: float, **fields: Any) -> dict[str, Any]:
    return {"ply": ply, "layer": "min", "score": score, "bound": "exact", "outcome": "leaf"} | fields


def most(*children: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A node of the root player."""
    root = {"layer": "max", "score": 5, "bound": "exact", "outcome": "searched", **fields}
    return root | {"children": list(children)}


PRUNED = {"outcome": "pruned", "count": 2}
NARROWED = {"tt": {"use": "narrow", "bound": "lower", "score": 4, "depth": 1}}


@pytest.mark.parametrize(
    ("root", "fold"),
    [
        (most(leaf("a", 5, bound="lower"), leaf("a", 7, bound="upper"), leaf("b", 6)), (6, 7)),
        (most(leaf("a", 5, bound="lower"), leaf("b", 6, bound="upper"), layer="min"), (-20, 6)),
        (most(leaf("a", 5), PRUNED), (5, 30)),
        (most(leaf("a", 5), PRUNED, layer="min"), (-20, 5)),
        (most(leaf("a", 5), {"outcome": "limited", "count": 2}), (5, 5)),
        (most(leaf("a", 5), {"outcome": "unlogged", "count": 2}), (-20, 30)),
        (most(leaf("a", 3), stand_pat=5, quiescence=True), (5, 5)),
        (most(leaf("a", 5, bound="upper"), bound="upper", **NARROWED), (4, 5)),
        (most(leaf("a", 8, bound="lower"), leaf("a", 5)), (5, 5)),  # of two that contradict the later one
    ],
)
def test_claims_are_intersected_for_a_ply_and_folded_over_plies_as_far_as_all_are_known(
    root: dict[str, Any], fold: tuple[float, float]
) -> None:
    assert fold_of(derived(root, search={"range": [-20, 30]}), 0) == fold


def test_of_the_visits_of_a_ply_only_the_deepest_finished_ones_count() -> None:
    visits = [
        leaf("a", 9, depth=1, reduction=1),
        leaf("a", 5, depth=2, bound="lower"),
        leaf("a", 6, depth=2),
        leaf("a", 8, depth=3, purpose="probe"),
        leaf("--", 8, depth=3, purpose="null"),
        {"ply": "b", "layer": "min", "depth": 2, "outcome": "stopped"},
    ]
    assert [row for row, mark in enumerate(derived(most(*visits)).marks) if mark & COUNTED] == [2, 3]


def test_visits_that_contradict_an_earlier_one_or_an_entry_are_marked() -> None:
    sight = derived(most(leaf("a", 8, bound="lower"), leaf("a", 5)))
    assert [bool(mark & DISAGREES) for mark in sight.marks] == [False, False, True]
    entry = {"use": "narrow", "bound": "lower", "score": 6, "depth": 1}
    assert derived(most(leaf("a", 5, tt=entry))).marks[1] & TABLE_DISAGREES


@pytest.mark.parametrize(
    ("children", "header", "edges"),
    [
        ((("a", 2), ("b", 9), ("b", 5), ("c", 1), ("b", 5)), {}, [-INF, 2, 2, 5, 2]),
        ((("a", 2), ("b", 9), ("c", 5), ("d", 1)), {"result": {"rank": 1}}, [-INF, -INF, 2, 5]),
    ],
    ids=["but for visits of its own ply", "of the ranked ply, where a rank was drawn"],
)
def test_the_edge_before_a_visit_is_that_of_the_plies_before_it(
    children: Any, header: dict[str, Any], edges: list[float]
) -> None:
    assert derived(most(*(leaf(*each) for each in children)), **header).edge_before[1:].tolist() == edges


@pytest.mark.parametrize(("declared", "score", "fail"), [("hard", 5, HARD), (None, 5, SOFT), (None, 4, HARD)])
def test_an_undeclared_fail_is_what_fits_the_whole_log(declared: str | None, score: float, fail: int) -> None:
    root = most(leaf("a", 5), score=score, bound="lower", alpha=None, beta=4)
    assert derived(root, search={} if declared is None else {"fail": declared}).fail == fail


def test_a_claim_without_a_bound_follows_from_the_window() -> None:
    windows = ("a", 5, {"alpha": None}), ("b", 3, {"alpha": 3}), ("c", 3, {"alpha": 2})
    leaves = [leaf(ply, score, bound=None, beta=4, **edge) for ply, score, edge in windows]
    sight = derived(most(*leaves, leaf("d", 3, bound=None)))
    claims = [list(claim_of(sight, row)) for row in range(1, sight.n_rows)]
    assert claims[:3] == [[5, INF], [-INF, 3], [3, 3]]
    assert np.isnan(claims[3]).all()


def test_windows_that_plainly_fit_are_no_others_than_those_that_fit() -> None:
    """The fold of a parent passes most windows at a glance; asked one by one, all get the same answer."""
    options = SearchOptions(depth=4, limit=4, algorithm="pvs", iterative=True, table=1.0, lmr=1)
    log = log_from_recording(search(tictactoe.GAME, options=options, compiled=False))
    random = np.random.default_rng(1)
    for name in ("alpha", "beta"):
        column = log.columns[name].copy()
        others = [
            column - 1,
            column + 1,
            np.roll(column, 1),
            np.full(log.n_rows, random.choice([-9.0, INF])),
        ]
        log.columns[name] = np.choose(random.integers(0, 8, log.n_rows), [*others, *[column] * 4])
    sight = derive(sight_of(log), Work())
    expected = [FITS if is_stub(sight, row) else fit(sight, row) for row in range(sight.n_rows)]
    marked = np.where(
        sight.marks & WINDOW_WIDER > 0, WIDER, np.where(sight.marks & WINDOW_ELSE > 0, ELSE, FITS)
    )
    assert marked.tolist() == expected
    assert {FITS, WIDER, ELSE} == set(expected)
