"""A log as the rules of `check` see it: columns as arrays, declarations of the header, derived arrays.

A column that the log lacks is an empty array; kernels such as `reduction_of` return the default then. The
derived arrays are filled by `sweep.derive`. Everything is seen from the root player.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, get_type_hints

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.columns.declarations import (
    declared,
    declared_fail,
    is_tablebase_leaf,
    range_of,
    seek_their_own,
    tablebase_leaves,
    tolerance_of,
)
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import COLUMNS
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]

TT_NARROW: Final = words.TT_USES.index("narrow")

# Bits of `Sight.marks`, set by the sweep.
COUNTED: Final = 1
"""This visit counts in its parent."""
REVISITED: Final = 2
"""A later visit of this ply under this parent exists (null moves and probes are no such visits)."""
VERIFIED: Final = 4
"""A later visit of this ply was less reduced."""
DISAGREES: Final = 8
"""This counted visit contradicts an earlier one of the same ply."""
TABLE_DISAGREES: Final = 16
"""The claim of this visit contradicts the table entry that narrowed it."""
CONTRADICTED: Final = 32
"""Among the counted visits below this node two, or one and its table entry, contradict."""
HAS_STOPPED: Final = 64
"""A child that would count was stopped."""
HAS_PRUNED: Final = 128
"""A `pruned` stub stands below."""
HAS_LIMITED: Final = 256
"""A `limited` stub stands below."""
UNCLEAR: Final = 512
"""The fold of the children cannot be known: one without a claim or a row, a layer neither max nor min."""
WINDOW_WIDER: Final = 1024
"""The visit's window holds all that its parent had left, and more."""
WINDOW_ELSE: Final = 2048
"""The visit's window leaves out a part of what its parent had left."""
VALUE_WRONG: Final = 4096
"""The score does not follow from the children by any reading of the log."""
FITS_SOFT: Final = 8192
"""The score follows from the children in a fail-soft search only."""
FITS_HARD: Final = 16384
"""The score follows from the children in a fail-hard search only."""
ENTRY_DISAGREES: Final = 32768
"""The table entry that narrowed this visit contradicts the fold of its children, which then stands alone."""

PLIES_DIFFER: Final = 1 << 16
"""The distinct plies visited below this node, and those of its stubs, are not as many as its `moves`."""
CUT_MISSED: Final = 1 << 17
"""The best of the plies before this visit had reached the mover's edge of its parent."""
FOLD_OUTSIDE: Final = 1 << 18
"""The fold of the children reaches outside the node's claim."""

REDUCED_MORE: Final = 1 << 19
"""This visit was reduced by more plies than another one below its parent."""
FAILS_HIGH: Final = 1 << 20
"""For rows with FITS_SOFT or FITS_HARD: the best child is beyond the mover's edge, not beyond the other."""
CLAIMED: Final = 1 << 21
"""The row claims something of its value, see `claims.claim_of`."""


class Sight(NamedTuple):
    """The log as kernels see it. Arrays come first, with one entry a row unless stated otherwise."""

    parent: Array
    end: Array
    level: Array
    ply: Array
    layer: Array
    outcome: Array
    bound: Array
    given: Array
    score: Array
    player: Array
    purpose: Array
    cut_by: Array
    ending: Array
    in_check: Array
    quiescence: Array
    depth: Array
    reduction: Array
    extension: Array
    alpha: Array
    beta: Array
    static: Array
    pre_score: Array
    stand_pat: Array
    estimate: Array
    counted_as: Array
    moves: Array
    count: Array  # type: ignore[assignment]
    key: Array
    left_key: Array
    position: Array
    left_position: Array
    tt_use: Array
    tt_depth: Array
    tt_bound: Array
    tt_score: Array
    tt_ply: Array
    tt_from: Array
    visits: Array
    mean: Array
    wins: Array
    draws: Array
    losses: Array
    prior: Array
    ucb_exploit: Array
    ucb_explore: Array
    ucb_n: Array
    ucb_n_parent: Array
    factors: Array
    """Two-dimensional: raw values, one column a factor."""
    contributions: Array
    """Two-dimensional, one column a contribution."""
    scores: Array
    """Two-dimensional: a score for each player, one column a player in the header's order."""
    weights: Array
    """One entry a factor, NaN where unknown."""
    roots: Array
    """Rows of the roots."""
    n_plies: Array
    """Plies made from the root: the level, less the probes on the way that search their parent's position."""
    stub_rows: Array
    """Rows of stubs that name their plies, ascending; the i-th has those from `stub_starts[i]` on."""
    stub_starts: Array
    stub_plies: Array
    stub_pre_scores: Array
    tablebase: Array
    """Whether the row is a leaf whose score is a tablebase's; empty where none is."""

    # Derived by the sweep.
    marks: Array
    """Bits: COUNTED and the following."""
    fold_at: Array
    """The place of the row in the next three, see `folds`."""
    fold_lows: Array
    fold_highs: Array
    fold_bests: Array
    before: Array
    """The last earlier visit of the same ply, null moves and probes left out; -1 where there is none."""
    edge_before: Array
    """The mover's best before this child was visited, ±inf where there was none; NaN at roots."""

    fan_out: int
    """The most rows directly below one row."""

    # Declared, NaN where not.
    fail: int
    """0 unstated, 1 soft, 2 hard; the sweep settles an unstated one by what fits the whole log."""
    fail_is_declared: bool
    n_misdeclared: int
    """Scores that contradict the declared `fail`, where all fit the other form, which `fail` is then."""
    misdeclared_row: int
    """The first of their nodes that was left."""
    odd_forms: Array
    """By `kind_of_fail`: FITS_SOFT or FITS_HARD where nearly all in an undeclared log are the other, or 0."""
    unread_row: int
    """The first root of a foreign log whose scores follow from those below in no way we know, else -1."""
    n_parents: int
    """Parents without a layer whose score could be held against their children's."""
    n_read: int
    """Those of them that fit the better of the two readings: the root player's view, or the mover's."""
    null_width: float
    null_width_is_declared: bool
    range_low: float
    range_high: float
    far: float
    """So far from 0 a finite edge is an engine's infinity: ten times all that is stated of positions."""
    mate: float
    mate_step: float
    mate_threshold: float
    draw: float
    tolerance: float
    stopped_root: int
    """The root that the result names, where that was stopped while a ply is chosen, else -1."""
    result_ply: int
    """Its ply, an index into the log's texts, -1 where it is none of them."""
    root_player: int
    """Index of the declared root player, -1 where undeclared."""
    maximizer: int
    """The same, where undeclared the player who moves at every root; -1 where roots differ or do not say."""
    rank: int
    alternates: bool
    """Whether turns are declared to alternate."""
    static_pure: bool
    table_equal: bool
    """Whether `table` is declared `equal`."""
    table_carried: bool
    verifies: bool
    """Whether a reduced ply that does well is searched again at full depth."""
    best_first: bool
    counted_step: float
    """The difference between `counted_as` and score, where it is the same for all visits, else NaN."""
    counted_ratio: float
    """The ratio of `counted_as` to score, where it is the same for all visits, else NaN."""
    is_threaded: bool
    """Whether several threads searched, so that rows are not in the order of time."""
    mean_error: float
    """The rounding error of a written mean: half a unit of its last digit."""
    count_error: float
    """The same of wins, draws and losses, which some engines count in fractions; 0 where they are whole."""
    is_maxn: bool
    """Whether each of more than two players seeks its own score, not the others the root player's worst."""
    mean_rounding: float
    """The rounding error of chance nodes' scores; 0 where they have all their digits."""
    roll_rounding: float
    """The same of the children of chance nodes."""
    stubs_cuts: bool
    """Whether plies that were cut off have stubs in this log."""
    is_averaged: bool
    """Whether scores are averages, as in a Monte Carlo tree: visits are counted, and there are no windows."""
    is_inexact: bool
    """Whether equal positions may have other scores: reductions, null moves, carried tables and so on."""

    is_foreign: bool
    """Whether the log is a tree in somebody else's words."""

    log: Log
    """For the figures of a finding; kernels cannot read it."""

    @property
    def n_rows(self) -> int:
        """Rows in the table, stubs included."""
        return len(self.parent)


COLUMNS_SEEN: Final = tuple(name for name in Sight._fields if name in COLUMNS)
DERIVED: Final = {
    "marks": np.uint32,
    "fold_at": np.int32,
    "before": np.int32,
    "edge_before": np.float64,
}
FOLDS: Final = ("fold_lows", "fold_highs", "fold_bests")
"""Derived arrays whose length the sweep finds."""


def sight_of(log: Log) -> Sight:
    """Return the sight of a log; the sweep has yet to fill its derived arrays."""
    columns: dict[str, Any] = {
        name: view(log.columns.get(name), COLUMNS[name].dtype) for name in COLUMNS_SEEN
    }
    rest = {"other": 1.0}  # the remainder besides the weighted factors
    unknown = [rest.get(factor.name, np.nan) for factor in log.factors]
    weights = [unknown[i] if each.weight is None else each.weight for i, each in enumerate(log.factors)]
    stubs = log.stub_plies
    none = np.zeros(0, np.int64)
    derived: dict[str, Any] = {name: np.zeros(log.n_rows, dtype) for name, dtype in DERIVED.items()}
    derived |= {name: np.zeros(0) for name in FOLDS}
    return Sight(
        **columns,
        factors=_matrix(log.columns.get("factors")),
        contributions=_matrix(log.columns.get("contributions")),
        scores=_matrix(log.columns.get("scores")),
        weights=view(np.array(weights, np.float64), np.float64),
        roots=view(np.array([root.row for root in log.roots]), np.int64),
        n_plies=view(plies_made(log), np.int32),
        stub_rows=view(none if stubs is None else stubs.rows, np.int32),
        stub_starts=view(none if stubs is None else stubs.starts, np.int64),
        stub_plies=view(none if stubs is None else stubs.texts, np.int32),
        stub_pre_scores=view(none if stubs is None else stubs.numbers, np.float64),
        tablebase=view(tablebase_leaves(log), np.bool_),
        **derived,
        fan_out=0,
        **declared(log),
        log=log,
    )


_NOT_DECLARED: Final[dict[Any, Any]] = {int: 0, bool: False, float: np.nan}
_UNDECLARED: Final = {name: _NOT_DECLARED.get(kind) for name, kind in get_type_hints(Sight).items()}


def glance_of(log: Log) -> Sight:
    """Return the sight of a log for questions about a few rows, asked by kernels that run as Python.

    There is no pass over all rows: arrays that need all rows are left out.
    """
    columns = {name: view(log.columns.get(name), COLUMNS[name].dtype) for name in COLUMNS_SEEN}
    derived = {name: _Few() for name in (*DERIVED, *FOLDS)}
    low, high = range_of(log)
    fields: dict[str, Any] = {
        **columns,
        **derived,
        **declared_fail(log),
        "tablebase": _Tablebase(log),
        "range_low": low,
        "range_high": high,
        "tolerance": tolerance_of(log),
        "best_first": log.search.get("order") == "best_first",
        "is_maxn": seek_their_own(log),
        "log": log,
    }
    return Sight(**{**_UNDECLARED, **fields})


class _Few(dict[int, Any]):
    """A derived array with few rows in use; 0 where nothing was written."""

    def __missing__(self, row: int) -> int:
        return 0


class _Tablebase:
    """The leaves whose score is a tablebase's, looked up row by row."""

    def __init__(self, log: Log) -> None:
        self._log = log

    def __len__(self) -> int:
        return int("why" in self._log.columns)

    def __getitem__(self, row: int) -> bool:
        return is_tablebase_leaf(self._log, row)


def view(values: Any, dtype: Any) -> Array:
    """Return a read-only contiguous view, so that compiled kernels get one type for every source of logs."""
    if values is None:
        values = np.zeros(0, dtype)
    array = np.ascontiguousarray(np.asarray(values), dtype=dtype).view(np.ndarray)[:]
    array.flags.writeable = False
    return array


def _matrix(values: Any) -> Array:
    return view(np.zeros((0, 0)) if values is None else values, np.float64)


def plies_made(log: Log) -> Array:
    """Return the plies from the root to each row; a probe without a ply is at its parent's position."""
    columns = log.columns
    level = np.asarray(columns["level"], np.int32)
    if "purpose" not in columns or "ply" not in columns:
        return level
    probes = np.flatnonzero(columns["purpose"] == words.PROBE)
    still = probes[(columns["ply"][probes] < 0) & (level[probes] > 0)]
    if not len(still):
        return level
    steps = np.zeros(log.n_rows + 1, np.int32)
    np.add.at(steps, still, 1)
    np.subtract.at(steps, columns["end"][still], 1)
    return level - np.cumsum(steps[:-1], dtype=np.int32)
