"""What the rules of `check` see of a log: columns as arrays, what the header declares, what was derived.

A column that the log lacks is an empty array; kernels such as `reduction_of` give the default instead. The
derived arrays are filled by `sweep.derive`. Everything is seen from the root player.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from engine.jit import kernel
from visualizer.store import words
from visualizer.store.columns import COLUMNS
from visualizer.store.log import Log

Array = npt.NDArray[Any]

TT_NARROW: Final = words.TT_USES.index("narrow")

UNSTATED: Final = 0
SOFT: Final = 1
HARD: Final = 2

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
"""A child that would count was stopped or is open."""
HAS_PRUNED: Final = 128
"""A `pruned` stub stands below."""
HAS_LIMITED: Final = 256
"""A `limited` stub stands below."""
UNCLEAR: Final = 512
"""The fold of the children cannot be known: a child without a claim, a layer that is neither max nor min."""
WINDOW_WIDER: Final = 1024
"""The visit's window holds all that its parent had left, and more."""
WINDOW_ELSE: Final = 2048
"""The visit's window leaves out a part of what its parent had left."""


class Sight(NamedTuple):
    """The log as kernels see it. Arrays first, one entry a row where not said otherwise."""

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
    moves: Array
    count: Array  # type: ignore[assignment]
    key: Array
    position: Array
    tt_use: Array
    tt_depth: Array
    tt_bound: Array
    tt_score: Array
    tt_ply: Array
    tt_from: Array
    factors: Array
    """Two-dimensional: raw values, one column a factor."""
    contributions: Array
    """Two-dimensional, one column a contribution."""
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

    # Derived by the sweep.
    marks: Array
    """Bits: COUNTED and the following."""
    low: Array
    """The claim of each row, the table entry that narrowed it intersected; NaN where nothing is claimed."""
    high: Array
    fold_low: Array
    """The fold of the children's claims; NaN where it is not asked."""
    fold_high: Array
    best_child: Array
    """The best score among counted children and stand pat, NaN where a part of it is unknown."""
    before: Array
    """The last earlier visit of the same ply, null moves and probes left out; -1 where there is none."""
    edge_before: Array
    """The mover's best before this child was visited, ±inf where there was none; NaN at roots."""

    # Declared, NaN where not.
    fail: int
    """0 unstated, 1 soft, 2 hard; the sweep settles an unstated one by what fits the whole log."""
    fail_is_declared: bool
    null_width: float
    null_width_is_declared: bool
    range_low: float
    range_high: float
    mate: float
    mate_step: float
    mate_threshold: float
    draw: float
    tolerance: float
    root_player: int
    """Index of the declared root player, -1 where undeclared."""
    rank: int
    alternates: bool
    """Whether turns are declared to alternate."""
    static_pure: bool
    table_equal: bool
    """Whether `table` is declared `equal`."""
    table_carried: bool
    best_first: bool
    stubs_cuts: bool
    """Whether plies that were cut off have stubs in this log."""
    is_averaged: bool
    """Whether scores are averages, as in a Monte Carlo tree: visits are counted, and there are no windows."""
    is_inexact: bool
    """Whether the log has, or may have, reductions, null moves, estimates, deeper entries, carried tables."""

    log: Log
    """For the figures of a finding; kernels cannot read it."""

    @property
    def n_rows(self) -> int:
        """Rows in the table, stubs included."""
        return len(self.parent)


COLUMNS_SEEN: Final = tuple(name for name in Sight._fields if name in COLUMNS)
DERIVED: Final = {
    "marks": np.uint16,
    "low": np.float64,
    "high": np.float64,
    "fold_low": np.float64,
    "fold_high": np.float64,
    "best_child": np.float64,
    "before": np.int32,
    "edge_before": np.float64,
}


def sight_of(log: Log) -> Sight:
    """The sight of a log, its derived arrays still to be filled by the sweep."""
    columns: dict[str, Any] = {
        name: _seen(log.columns.get(name), COLUMNS[name].dtype) for name in COLUMNS_SEEN
    }
    rest = {"other": 1.0}  # holds what the weighted factors leave over
    unknown = [rest.get(factor.name, np.nan) for factor in log.factors]
    weights = [unknown[i] if each.weight is None else each.weight for i, each in enumerate(log.factors)]
    stubs = log.stub_plies
    none = np.zeros(0, np.int64)
    derived: dict[str, Any] = {name: np.zeros(log.n_rows, dtype) for name, dtype in DERIVED.items()}
    return Sight(
        **columns,
        factors=_matrix(log.columns.get("factors")),
        contributions=_matrix(log.columns.get("contributions")),
        weights=_seen(np.array(weights, np.float64), np.float64),
        roots=_seen(np.array([root.row for root in log.roots]), np.int64),
        n_plies=_seen(_plies_made(log), np.int64),
        stub_rows=_seen(none if stubs is None else stubs.rows, np.int32),
        stub_starts=_seen(none if stubs is None else stubs.starts, np.int64),
        stub_plies=_seen(none if stubs is None else stubs.texts, np.int32),
        stub_pre_scores=_seen(none if stubs is None else stubs.numbers, np.float64),
        **derived,
        **_declared(log),
        log=log,
    )


def _seen(values: Any, dtype: Any) -> Array:
    """A read-only contiguous view, so that compiled kernels meet one type whatever the log came from."""
    if values is None:
        values = np.zeros(0, dtype)
    array = np.ascontiguousarray(np.asarray(values), dtype=dtype).view(np.ndarray)[:]
    array.flags.writeable = False
    return array


def _matrix(values: Any) -> Array:
    return _seen(np.zeros((0, 0)) if values is None else values, np.float64)


def _number(value: Any, default: float = math.nan) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return default


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _plies_made(log: Log) -> Array:
    """Plies from the root to each row; a probe without a ply stands at its parent's own position."""
    columns = log.columns
    level = np.asarray(columns["level"], np.int64)
    if "purpose" not in columns or "ply" not in columns:
        return level
    still = np.flatnonzero((columns["purpose"] == words.PROBE) & (columns["ply"] < 0) & (level > 0))
    steps = np.zeros(log.n_rows + 1, np.int64)
    np.add.at(steps, still, 1)
    np.subtract.at(steps, columns["end"][still], 1)
    return level - np.cumsum(steps[:-1])


def _declared(log: Log) -> dict[str, Any]:
    search = _mapping(log.header.get("search"))
    mate = _mapping(search.get("mate"))
    result = _mapping(log.header.get("result"))
    ends = search.get("range")
    low, high = ends if isinstance(ends, list | tuple) and len(ends) == 2 else (None, None)
    root_player = search.get("root_player")
    rank = result.get("rank")
    return {
        "fail": {"soft": SOFT, "hard": HARD}.get(str(search.get("fail")), UNSTATED),
        "fail_is_declared": search.get("fail") is not None,
        "null_width": _number(search.get("null_width"), 1.0),
        "null_width_is_declared": search.get("null_width") is not None,
        "range_low": _number(low),
        "range_high": _number(high),
        "mate": _number(mate.get("score")),
        "mate_step": _number(mate.get("step")),
        "mate_threshold": _number(mate.get("threshold")),
        "draw": _number(search.get("draw")),
        "tolerance": _number(search.get("tolerance"), 1e-9),
        "root_player": log.players.index(root_player) if root_player in log.players else -1,
        "rank": min(rank, log.n_rows) if isinstance(rank, int) and rank > 0 else 0,
        "alternates": search.get("turns") == "alternate",
        "static_pure": search.get("static_pure") is True,
        "table_equal": search.get("table") == "equal",
        "table_carried": search.get("table_carried") is True,
        "stubs_cuts": bool((log.columns["outcome"] == words.PRUNED).any()),
        "best_first": search.get("order") == "best_first",
        "is_averaged": "visits" in log.columns and not ("alpha" in log.columns or "beta" in log.columns),
        "is_inexact": _is_inexact(log),
    }


def _is_inexact(log: Log) -> bool:
    """Whether equal positions may rightly have contradicting scores in this log."""
    columns = log.columns
    if _mapping(log.header.get("search")).get("table_carried") is True:
        return True
    if "reduction" in columns and bool(np.nanmax(columns["reduction"], initial=0) > 0):
        return True
    if "purpose" in columns and bool((columns["purpose"] == words.NULL).any()):
        return True
    if "cut_by" in columns and bool((columns["cut_by"] >= words.CUT_BY.index("null")).any()):
        return True
    if "tt_use" in columns and "tt_depth" in columns and "depth" in columns:
        used = np.flatnonzero(columns["tt_use"] > 0)
        if bool((columns["tt_depth"][used] > columns["depth"][used]).any()):
            return True
    return _may_be_inexact(columns)


def _may_be_inexact(columns: Mapping[str, Array]) -> bool:
    """Whether reductions, or entries deeper than wanted, may be there without the log saying so."""
    if "depth" not in columns:
        return "reduction" not in columns
    if "tt_depth" not in columns and bool((columns["outcome"] == words.TT).any()):
        return True
    left = np.flatnonzero(columns["outcome"] == words.CUTOFF)
    if "cut_by" not in columns and bool((columns["end"][left] == left + 1).any()):
        return True  # left without a search, so by an estimate
    parent, depth = columns["parent"], columns["depth"]
    below = np.flatnonzero((parent >= 0) & (columns["outcome"] < words.FIRST_STUB))
    reduced = np.nan_to_num(columns["reduction"][below]) if "reduction" in columns else 0.0
    return bool((depth[below] + 1.0 + reduced < depth[parent[below]] - 1e-9).any())


# What a row has, with the default where the log does not say ------------------------------------------


@kernel
def is_stub(sight: Sight, row: int) -> bool:
    """Whether the row stands for siblings without rows."""
    return bool(sight.outcome[row] >= words.FIRST_STUB)


@kernel
def is_finished(sight: Sight, row: int) -> bool:
    """Whether the row is a node that was left with a result: neither stub, nor stopped, nor open."""
    outcome = sight.outcome[row]
    return bool(outcome < words.FIRST_STUB and outcome != words.STOPPED and outcome != words.OPEN)


@kernel
def purpose_of(sight: Sight, row: int) -> int:
    """The code of the purpose, 0 where unstated."""
    return int(sight.purpose[row]) if len(sight.purpose) > 0 else 0


@kernel
def is_aside(sight: Sight, row: int) -> bool:
    """Whether the row is a null-move or probing visit, which never counts in its parent."""
    purpose = purpose_of(sight, row)
    return purpose == words.NULL or purpose == words.PROBE


@kernel
def cut_by_of(sight: Sight, row: int) -> int:
    """The code of what cut the node off, 0 where unstated."""
    return int(sight.cut_by[row]) if len(sight.cut_by) > 0 else 0


@kernel
def player_of(sight: Sight, row: int) -> int:
    """The index of the player to move, -1 where unstated."""
    return int(sight.player[row]) if len(sight.player) > 0 else -1


@kernel
def depth_of(sight: Sight, row: int) -> float:
    """The depth, NaN where unstated."""
    return float(sight.depth[row]) if len(sight.depth) > 0 else math.nan


@kernel
def reduction_of(sight: Sight, row: int) -> float:
    """The plies by which the visit was reduced, 0 where unstated."""
    if len(sight.reduction) > 0 and sight.reduction[row] == sight.reduction[row]:
        return float(sight.reduction[row])
    return 0.0


@kernel
def extension_of(sight: Sight, row: int) -> float:
    """The plies by which the visit was extended, 0 where unstated."""
    if len(sight.extension) > 0 and sight.extension[row] == sight.extension[row]:
        return float(sight.extension[row])
    return 0.0


@kernel
def alpha_of(sight: Sight, row: int) -> float:
    """Alpha on entry, NaN where unstated."""
    return float(sight.alpha[row]) if len(sight.alpha) > 0 else math.nan


@kernel
def beta_of(sight: Sight, row: int) -> float:
    """Beta on entry, NaN where unstated."""
    return float(sight.beta[row]) if len(sight.beta) > 0 else math.nan


@kernel
def static_of(sight: Sight, row: int) -> float:
    """The static evaluation, NaN where unstated."""
    return float(sight.static[row]) if len(sight.static) > 0 else math.nan


@kernel
def pre_score_of(sight: Sight, row: int) -> float:
    """The quick score for sorting, NaN where unstated."""
    return float(sight.pre_score[row]) if len(sight.pre_score) > 0 else math.nan


@kernel
def stand_pat_of(sight: Sight, row: int) -> float:
    """The value of not moving, NaN where unstated."""
    return float(sight.stand_pat[row]) if len(sight.stand_pat) > 0 else math.nan


@kernel
def moves_of(sight: Sight, row: int) -> int:
    """Legal plies, -1 where unstated."""
    return int(sight.moves[row]) if len(sight.moves) > 0 else -1


@kernel
def count_of(sight: Sight, row: int) -> int:
    """The siblings that a stub stands for, -1 where unstated."""
    return int(sight.count[row]) if len(sight.count) > 0 else -1


@kernel
def is_quiescence(sight: Sight, row: int) -> bool:
    """Whether the node is in the quiescence search."""
    return bool(len(sight.quiescence) > 0 and sight.quiescence[row] == 1)


@kernel
def lacks_stand_pat(sight: Sight, row: int) -> bool:
    """Whether the mover may have stood pat here in a log that never says so."""
    return len(sight.stand_pat) == 0 and (is_quiescence(sight, row) or depth_of(sight, row) <= 0.0)


@kernel
def tt_use_of(sight: Sight, row: int) -> int:
    """The code of the use of a table entry, 0 where there was none."""
    return int(sight.tt_use[row]) if len(sight.tt_use) > 0 else 0


@kernel
def entry_low(sight: Sight, row: int) -> float:
    """What the table entry that narrowed this visit claims at least, -inf where none did."""
    if tt_use_of(sight, row) == TT_NARROW and len(sight.tt_score) > 0 and len(sight.tt_bound) > 0:
        score = float(sight.tt_score[row])
        if sight.tt_bound[row] & words.LOWER and score == score:
            return score
    return -math.inf


@kernel
def entry_high(sight: Sight, row: int) -> float:
    """What the table entry that narrowed this visit claims at most, inf where none did."""
    if tt_use_of(sight, row) == TT_NARROW and len(sight.tt_score) > 0 and len(sight.tt_bound) > 0:
        score = float(sight.tt_score[row])
        if sight.tt_bound[row] & words.UPPER and score == score:
            return score
    return math.inf


@kernel
def narrowed_alpha(sight: Sight, row: int) -> float:
    """Alpha after the table entry that narrowed the visit; NaN where the window is unstated."""
    alpha = alpha_of(sight, row)
    low = entry_low(sight, row)
    return low if low > alpha else alpha


@kernel
def narrowed_beta(sight: Sight, row: int) -> float:
    """Beta after the table entry that narrowed the visit; NaN where the window is unstated."""
    beta = beta_of(sight, row)
    high = entry_high(sight, row)
    return high if high < beta else beta
