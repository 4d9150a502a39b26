"""The declarations of a log, as kernels read them, and whether a sound log may contradict itself."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.columns.rounding import rounding
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import largest_size, pieces
from plyscope.visualizer.store.log import Log

UNSTATED: Final = 0
SOFT: Final = 1
HARD: Final = 2
MOST_OPPONENTS: Final = 2
"""Up to this many players, one's loss is the other's gain, and one number is enough."""
MOST_DECIMALS: Final = 8
"""With more decimals a score counts as not rounded."""

PERCENTS: Final = 10.0
"""Means in a range as wide may be rounded to whole numbers; in one as [0, 1] whole ones are exact."""

WORTHS: Final = ("score", "counted_as", "static", "stand_pat", "estimate", "tt_score")
"""The columns with worths of positions."""
FAR: Final = 10.0
TABLEBASE: Final = "tablebase"
"""The `why` of a leaf whose score comes from a tablebase: proven as stated, and no evaluation."""


def declared(log: Log) -> dict[str, Any]:
    """Return the fields of a sight that follow from the header, and whether scores may be inexact."""
    search = log.search
    mate = _mapping(search.get("mate"))
    result = log.result
    low, high = range_of(log)
    root_player = search.get("root_player")
    declared_player = log.players.index(root_player) if root_player in log.players else -1
    rank = result.get("rank")
    best_first = search.get("order") == "best_first"
    counted_step, counted_ratio = _counted_moves(log)
    stopped_root, result_ply = _stopped_choice(log, result)
    return {
        **declared_fail(log),
        "n_misdeclared": 0,
        "misdeclared_row": -1,
        "odd_forms": np.zeros(4, np.int64),
        "unread_row": -1,
        "n_parents": 0,
        "n_read": 0,
        "null_width": _number(search.get("null_width"), 1.0),
        "null_width_is_declared": search.get("null_width") is not None,
        "range_low": low,
        "range_high": high,
        "far": _far(log),
        "mate": _number(mate.get("score")),
        "mate_step": _number(mate.get("step")),
        "mate_threshold": _number(mate.get("threshold")),
        "draw": _number(search.get("draw")),
        "tolerance": tolerance_of(log),
        "root_player": declared_player,
        "maximizer": _player_of_roots(log) if declared_player < 0 else declared_player,
        "stopped_root": stopped_root,
        "result_ply": result_ply,
        "rank": min(rank, log.n_rows) if isinstance(rank, int) and rank > 0 else 0,
        "alternates": search.get("turns") == "alternate",
        "static_pure": search.get("static_pure") is True,
        "table_equal": search.get("table") == "equal",
        "table_carried": search.get("table_carried") is True,
        "verifies": search.get("verify") is not False,
        "stubs_cuts": bool((log.columns["outcome"] == words.PRUNED).any()),
        "best_first": best_first,
        "counted_step": counted_step,
        "counted_ratio": counted_ratio,
        "is_threaded": _number(search.get("threads"), 1.0) > 1.0,
        "mean_error": rounding(log, "mean", whole=0.5 if high - low >= PERCENTS else 0.0),
        "count_error": rounding(log, "wins", "draws", "losses"),
        "is_maxn": seek_their_own(log),
        **_roundings_of_means(log),
        "is_averaged": "visits" in log.columns
        and (best_first or not ("alpha" in log.columns or "beta" in log.columns)),
        "is_inexact": _is_inexact(log),
        "is_foreign": bool(log.shape or log.mapping or log.fields),
    }


def declared_fail(log: Log) -> dict[str, Any]:
    """Return whether scores beyond the window are declared unclamped (fail-soft) or clamped (fail-hard)."""
    fail = log.search.get("fail")
    return {
        "fail": {"soft": SOFT, "hard": HARD}.get(str(fail), UNSTATED),
        "fail_is_declared": fail in ("soft", "hard"),
    }


def seek_their_own(log: Log) -> bool:
    """Whether scores are vectors of more than two numbers, and some rival's layer is not `min`."""
    scores = log.columns.get("scores")
    if scores is None or scores.shape[1] <= MOST_OPPONENTS:
        return False
    layer, end = log.columns["layer"], log.columns["end"]
    is_parent = (end > np.arange(log.n_rows) + 1) & (log.columns["outcome"] < words.FIRST_STUB)
    return bool((layer == words.OTHER).any() or (is_parent & (layer == 0)).any())


def _rounding_of_scores(scores: npt.NDArray[Any]) -> float:
    """Return half a unit of the last digit of some scores; 0 if they have all their digits."""
    scores = scores[np.isfinite(scores)]
    if not len(scores):
        return 0.0
    for n_decimals in range(MOST_DECIMALS):
        scaled = scores * 10.0**n_decimals
        if bool((np.abs(scaled - np.rint(scaled)) <= 1e-12 * np.maximum(1.0, np.abs(scaled))).all()):
            return float(0.5 * 10.0**-n_decimals)
    return 0.0


def _roundings_of_means(log: Log) -> dict[str, float]:
    """Return the rounding of the scores of chance nodes, and of their children's.

    An engine with whole scores rounds its means, or truncates them.
    """
    columns = log.columns
    is_chance = columns["layer"] == words.CHANCE
    if not is_chance.any():
        return {"mean_rounding": 0.0, "roll_rounding": 0.0}
    is_below = (columns["parent"] >= 0) & is_chance[np.maximum(columns["parent"], 0)]
    rounding = _rounding_of_scores(columns["score"][is_chance])
    return {
        "mean_rounding": 1.0 if rounding == 0.5 else rounding,
        "roll_rounding": _rounding_of_scores(columns["score"][is_below]),
    }


def _player_of_roots(log: Log) -> int:
    """Return the player who moves at every root, -1 if roots differ or do not say."""
    players = log.columns.get("player")
    at_roots = set() if players is None else set(players[[root.row for root in log.roots]].tolist())
    return at_roots.pop() if len(at_roots) == 1 else -1


def _far(log: Log) -> float:
    """Return ten times the largest finite score of a position; inf if all are 0, or there are no windows."""
    most = 0.0
    if "alpha" in log.columns and "beta" in log.columns:
        most = max(largest_size(log.columns[name]) for name in WORTHS if name in log.columns)
    return FAR * most if most > 0.0 else math.inf


def range_of(log: Log) -> tuple[float, float]:
    """Return the declared range of the scores, NaN if it is not declared."""
    ends = log.search.get("range")
    low, high = ends if isinstance(ends, list | tuple) and len(ends) == 2 else (None, None)
    return _number(low), _number(high)


def _stopped_choice(log: Log, result: Mapping[str, Any]) -> tuple[int, int]:
    """Return the row of the root of the result if it was stopped, and the text of its ply; else -1."""
    number, ply = result.get("root"), result.get("ply")
    if not isinstance(number, int) or not 0 <= number < len(log.roots) or not isinstance(ply, str):
        return -1, -1
    row = log.roots[number].row
    if log.columns["outcome"][row] != words.STOPPED:
        return -1, -1
    return row, log.texts.index(ply) if ply in log.texts else -1


def tolerance_of(log: Log) -> float:
    """Return the most by which two equal figures may differ after rounding, relative to the larger."""
    return _number(log.search.get("tolerance"), 1e-9)


def _counted_moves(log: Log) -> tuple[float, float]:
    """The step (its sign aside) and the ratio by which `counted_as` differs from scores.

    NaN if there are several, or an infinite one.
    """
    counted = log.columns.get("counted_as")
    if counted is None:
        return math.nan, math.nan
    score = log.columns["score"]
    rows = np.flatnonzero(np.isfinite(counted) & np.isfinite(score) & (counted != score) & (score != 0))
    if not len(rows):
        return math.nan, math.nan
    steps, ratios = np.abs(counted[rows] - score[rows]), counted[rows] / score[rows]
    return _one_of(steps), _one_of(ratios)


def _one_of(numbers: npt.NDArray[Any]) -> float:
    """Return the finite number that all of them equal, rounding aside; else NaN."""
    first = numbers[0]
    is_one = np.isfinite(first) and bool((np.abs(numbers - first) <= 1e-9 * np.abs(first)).all())
    return float(first) if is_one else math.nan


def _number(value: Any, default: float = math.nan) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return default


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _is_inexact(log: Log) -> bool:
    """Whether equal positions may rightly have contradicting scores in this log."""
    columns = log.columns
    if log.search.get("table_carried") is True:
        return True
    changes = [columns[name] for name in ("reduction", "extension") if name in columns]
    if any(bool(np.nanmax(np.abs(each), initial=0) > 0) for each in changes):
        return True  # reductions and extensions may depend on the order of plies
    if "purpose" in columns and bool((columns["purpose"] == words.NULL).any()):
        return True
    if "cut_by" in columns and bool((columns["cut_by"] >= words.CUT_BY.index("null")).any()):
        return True
    if "estimate" in columns and not bool(np.isnan(columns["estimate"]).all()):
        return True
    if bool((columns["outcome"] == words.SKIPPED).any()):
        return True  # forward pruning depends on the window
    if "tt_use" in columns and "tt_depth" in columns and "depth" in columns:
        used = np.flatnonzero(columns["tt_use"] > 0)
        if bool((columns["tt_depth"][used] > columns["depth"][used]).any()):
            return True
    return _may_be_inexact(columns)


def _may_be_inexact(columns: Mapping[str, npt.NDArray[Any]]) -> bool:
    """Whether reductions, or entries deeper than wanted, may be there without the log saying so."""
    if "depth" not in columns:
        return "reduction" not in columns
    if "tt_depth" not in columns and bool((columns["outcome"] == words.TT).any()):
        return True
    left = np.flatnonzero(columns["outcome"] == words.CUTOFF)
    if "cut_by" not in columns and bool((columns["end"][left] == left + 1).any()):
        return True  # left without a search, so by an estimate
    return any(_is_reduced_unsaid(columns, rows) for rows in pieces(len(columns["depth"])))


def _is_reduced_unsaid(columns: Mapping[str, npt.NDArray[Any]], rows: slice) -> bool:
    """Whether a node of a piece was searched less deep than its parent's depth and its `reduction` say."""
    parent, depth = columns["parent"][rows], columns["depth"]
    is_below = (parent >= 0) & (columns["outcome"][rows] < words.FIRST_STUB)
    reduced = np.nan_to_num(columns["reduction"][rows]) if "reduction" in columns else 0.0
    return bool((is_below & (depth[rows] + 1.0 + reduced < depth[parent] - 1e-9)).any())


def tablebase_leaves(log: Log) -> npt.NDArray[np.bool_]:
    """One entry a row: whether it is such a leaf; empty where the log has none."""
    why = log.columns.get("why")
    if why is None:
        return np.zeros(0, np.bool_)
    texts = np.unique(why[why >= 0])
    named = [int(at) for at in texts if _is_tablebase(log.texts[int(at)])]
    if not named:
        return np.zeros(0, np.bool_)
    return np.asarray((log.columns["outcome"] == words.LEAF) & np.isin(why, named))


def is_tablebase_leaf(log: Log, row: int) -> bool:
    """Whether one row is such a leaf, without reading the others."""
    why = log.columns.get("why")
    if why is None or why[row] < 0 or log.columns["outcome"][row] != words.LEAF:
        return False
    return _is_tablebase(log.texts[int(why[row])])


def _is_tablebase(why: str) -> bool:
    return why.strip().casefold() == TABLEBASE
