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
from plyscope.visualizer.analysis.columns.row import best_child_of, fold_of, is_stub
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


def derived(root: dict[str, Any], **header: Any) -> Sight:
    return derive(sight_of(log_of(root, **header)), Work())


def leaf(ply: str, score: float, **fields: Any) -> dict[str, Any]:
    return {"ply": ply, "layer": "min", "score": score, "bound": "exact", "outcome": "leaf"} | fields


def a_max_node(*children: dict[str, Any], **fields: Any) -> dict[str, Any]:
    return {"layer": "max", "score": 5, "bound": "exact", "outcome": "searched", **fields} | {
        "children": list(children)
    }


def test_of_the_visits_of_a_ply_only_the_deepest_finished_ones_count() -> None:
    sight = derived(
        a_max_node(
            leaf("a", 9, depth=1, reduction=1),
            leaf("a", 5, depth=2, bound="lower"),
            leaf("a", 6, depth=2),
            leaf("a", 8, depth=3, purpose="probe"),
            leaf("--", 8, depth=3, purpose="null"),
            {"ply": "b", "layer": "min", "depth": 2, "outcome": "stopped"},
        )
    )
    assert [bool(mark & COUNTED) for mark in sight.marks] == [False, False, True, True, False, False, False]


def test_claims_of_one_ply_are_intersected_and_fold_at_a_max_layer_by_their_largest() -> None:
    sight = derived(a_max_node(leaf("a", 5, bound="lower"), leaf("a", 7, bound="upper"), leaf("b", 6)))
    assert fold_of(sight, 0) == (6, 7)


def test_claims_fold_at_a_min_layer_by_their_smallest() -> None:
    root = a_max_node(leaf("a", 5, bound="lower"), leaf("b", 6, bound="upper")) | {"layer": "min"}
    sight = derived(root)
    assert fold_of(sight, 0) == (-math.inf, 6)


@pytest.mark.parametrize(
    ("outcome", "fold"),
    [("pruned", (5, 20)), ("limited", (5, 5)), ("skipped", (5, 5)), ("unlogged", (-20, 20))],
)
def test_a_stub_opens_the_fold_as_far_as_its_plies_might_matter(outcome: str, fold: tuple[int, int]) -> None:
    root = a_max_node(leaf("a", 5), {"outcome": outcome, "count": 2})
    sight = derived(root, search={"range": [-20, 20]})
    assert fold_of(sight, 0) == fold


def test_a_pruned_stub_opens_the_low_side_at_a_min_layer() -> None:
    root = a_max_node(leaf("a", 5), {"outcome": "pruned", "count": 2}) | {"layer": "min"}
    sight = derived(root, search={"range": [-20, 30]})
    assert fold_of(sight, 0) == (-20, 5)


def test_stand_pat_is_one_more_ply() -> None:
    sight = derived(a_max_node(leaf("a", 3), stand_pat=5, quiescence=True))
    assert best_child_of(sight, 0) == 5
    assert sight.edge_before[1] == 5


def test_an_entry_that_narrowed_a_node_is_intersected_with_its_fold_and_its_claim() -> None:
    entry = {"use": "narrow", "bound": "lower", "score": 4, "depth": 1}
    sight = derived(a_max_node(leaf("a", 5, bound="upper"), tt=entry, bound="upper"))
    assert fold_of(sight, 0) == (4, 5)
    assert claim_of(sight, 0) == (4, 5)


def test_a_visit_below_what_its_entry_claims_disagrees_with_the_table() -> None:
    entry = {"use": "narrow", "bound": "lower", "score": 6, "depth": 1}
    sight = derived(a_max_node(leaf("a", 5, tt=entry)))
    assert sight.marks[1] & TABLE_DISAGREES


def test_of_two_contradicting_visits_the_later_one_is_marked_and_counts() -> None:
    sight = derived(a_max_node(leaf("a", 8, bound="lower"), leaf("a", 5)))
    assert not sight.marks[1] & DISAGREES
    assert sight.marks[2] & DISAGREES
    assert fold_of(sight, 0) == (5, 5)


def test_the_edge_before_a_visit_leaves_out_earlier_visits_of_its_own_ply() -> None:
    sight = derived(a_max_node(leaf("a", 2), leaf("b", 9), leaf("b", 5), leaf("c", 1), leaf("b", 5)))
    assert sight.edge_before[1:].tolist() == [-math.inf, 2, 2, 5, 2]


def test_the_edge_at_a_root_with_a_drawn_rank_is_that_of_the_ranked_ply() -> None:
    root = a_max_node(leaf("a", 2), leaf("b", 9), leaf("c", 5), leaf("d", 1))
    sight = derived(root, result={"rank": 1})
    assert sight.edge_before[1:].tolist() == [-math.inf, -math.inf, 2, 5]


@pytest.mark.parametrize(("declared", "score", "fail"), [("hard", 5, HARD), (None, 5, SOFT), (None, 4, HARD)])
def test_an_undeclared_fail_is_what_fits_the_whole_log(declared: str | None, score: float, fail: int) -> None:
    root = a_max_node(leaf("a", 5), score=score, bound="lower", alpha=None, beta=4)
    assert derived(root, search={} if declared is None else {"fail": declared}).fail == fail


def test_a_claim_without_a_bound_follows_from_the_window() -> None:
    root = a_max_node(
        leaf("a", 5, bound=None, alpha=None, beta=4),
        leaf("b", 3, bound=None, alpha=3, beta=4),
        leaf("c", 3, bound=None, alpha=2, beta=4),
        leaf("d", 3, bound=None),
    )
    sight = derived(root)
    claims = [list(claim_of(sight, row)) for row in range(1, sight.n_rows)]
    assert claims[:3] == [[5, math.inf], [-math.inf, 3], [3, 3]]
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
            np.full(log.n_rows, random.choice([-9.0, math.inf])),
        ]
        log.columns[name] = np.choose(random.integers(0, 8, log.n_rows), [*others, *[column] * 4])
    sight = derive(sight_of(log), Work())
    expected = [FITS if is_stub(sight, row) else fit(sight, row) for row in range(sight.n_rows)]
    marked = np.where(
        sight.marks & WINDOW_WIDER > 0, WIDER, np.where(sight.marks & WINDOW_ELSE > 0, ELSE, FITS)
    )
    assert marked.tolist() == expected
    assert {FITS, WIDER, ELSE} == set(expected)
