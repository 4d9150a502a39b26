"""tt-source: an entry says what its source returned."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import shared_reduction
from plyscope.visualizer.analysis.check.facts.declarations import SOFT
from plyscope.visualizer.analysis.check.facts.digits import apart, shortened
from plyscope.visualizer.analysis.check.facts.entries import searched_depth, shifted, source_of, source_range
from plyscope.visualizer.analysis.check.facts.folds import best_child_of
from plyscope.visualizer.analysis.check.facts.leaf_scores import is_close, returns
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes
from plyscope.visualizer.analysis.check.facts.row import alpha_of, beta_of, depth_of, is_finished
from plyscope.visualizer.analysis.check.facts.sight import Sight
from plyscope.visualizer.analysis.check.facts.windows import reason_if_threaded
from plyscope.visualizer.analysis.check.finding import Figures, Severity
from plyscope.visualizer.analysis.check.passes.key_pass import text_of_key
from plyscope.visualizer.analysis.check.rule import Rule
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.words import BOUNDS, LOWER, UPPER

UNFINISHED = 1
SCORE = 2
BOUND = 3
DEPTH = 4
KEY = 5
SHALLOW = 6
"""Stored with less depth than searched: of less use than it could be, and right."""

_KEY_GIVEN = GIVEN["key"]


@kernel
def fault_of(sight: Sight, row: int) -> int:
    """The fault of a table entry against the node that stored it; 0 if they agree, or no node is named."""
    source = source_of(sight, row)
    if source < 0:
        return 0
    if not is_finished(sight, source) or sight.end[source] > row:
        return UNFINISHED
    have_keys = len(sight.key) > 0 and sight.given[row] & sight.given[source] & _KEY_GIVEN
    if have_keys and sight.key[row] != sight.key[source]:
        return KEY
    keeps_mate = False  # as the least of them, which is no nearer here than there
    if len(sight.tt_score) > 0:
        found = sight.tt_score[row]
        expected = shifted(sight, source, row)
        if not np.isnan(found) and not np.isnan(expected) and not is_close(found, expected, sight.tolerance):
            keeps_mate = abs(found) == sight.mate_threshold and claims_less(sight, row, source)
            if not keeps_mate and not is_clamped(sight, source, found):
                return SCORE
    if not keeps_mate and (bounds_differ(sight, row, source) or claims_more(sight, row, source)):
        return BOUND
    if len(sight.tt_depth) > 0:
        stored = searched_depth(sight.tt_depth[row])
        searched = searched_depth(depth_of(sight, source))
        if not np.isnan(stored) and not np.isnan(searched):
            if stored > searched:
                return DEPTH
            if stored < searched and stored < searched - shared_reduction(sight, source):
                return SHALLOW
    return 0


@kernel
def is_clamped(sight: Sight, source: int, stored: float) -> bool:
    """Whether the source returned its best within its window, and stored it as it was: hard, and soft."""
    return bool(
        is_close(stored, best_child_of(sight, source), sight.tolerance)
        and not (sight.fail == SOFT and sight.fail_is_declared)
        and returns(sight, source, stored)
    )


@kernel
def states_bounds(sight: Sight, row: int, source: int) -> bool:
    """Whether both the entry and its source state a bound."""
    return bool(len(sight.tt_bound) > 0 and sight.tt_bound[row] > 0 and sight.bound[source] > 0)


@kernel
def bounds_differ(sight: Sight, row: int, source: int) -> bool:
    """Whether both state a bound, and not the same."""
    return states_bounds(sight, row, source) and bool(sight.tt_bound[row] != sight.bound[source])


@kernel
def claims_more(sight: Sight, row: int, source: int) -> bool:
    """Whether the source states no bound, and its window and plies prove less than the entry says."""
    if len(sight.tt_bound) == 0 or len(sight.tt_score) == 0 or sight.bound[source] > 0:
        return False
    low, high = source_range(sight, row)
    found, bound = float(sight.tt_score[row]), sight.tt_bound[row]
    is_short = bound & LOWER and low < found and not is_close(low, found, sight.tolerance)
    return bool(is_short or (bound & UPPER and high > found and not is_close(high, found, sight.tolerance)))


@kernel
def claims_less(sight: Sight, row: int, source: int) -> bool:
    """Whether whatever the source proved, the entry holds: it only says less."""
    if not states_bounds(sight, row, source) or len(sight.tt_score) == 0:
        return False
    entry, proven = sight.tt_bound[row], sight.bound[source]
    found, expected = float(sight.tt_score[row]), shifted(sight, source, row)
    at_least = not entry & LOWER or (proven & LOWER and found <= expected)
    at_most = not entry & UPPER or (proven & UPPER and found >= expected)
    return bool(at_least and at_most)


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether the entry differs from what its source returned, or the source had not returned yet."""
    return fault_of(sight, row) > 0


def severity_at(sight: Sight, rows: npt.NDArray[np.int64]) -> list[Severity]:
    """Odd where the entry only says less than it could."""
    return ["odd" if _says_less(sight, row) else "wrong" for row in rows.tolist()]


def _says_less(sight: Sight, row: int) -> bool:
    """A distance of mate that differs is none of less: the edge of a window may be, and was stored then."""
    fault, source = fault_of(sight, row), source_of(sight, row)
    if fault == SCORE and sight.mate_threshold == sight.mate_threshold:
        found, expected = float(sight.tt_score[row]), shifted(sight, source, row)
        is_distance = min(abs(found), abs(expected)) > sight.mate_threshold
        if is_distance and found not in (alpha_of(sight, source), beta_of(sight, source)):
            return False
    return fault == SHALLOW or (fault in (SCORE, BOUND) and claims_less(sight, row, source))


def figures(sight: Sight, row: int) -> Figures:
    """The value that the source returned, and the value that the table entry states."""
    source = source_of(sight, row)
    number = int(sight.log.columns["id"][source])
    fault = fault_of(sight, row)
    expected: object
    found: object
    if fault == UNFINISHED:
        expected, found = "finished", "not finished"
        message = f"The entry comes from node {number}, which was not finished when it was used."
    elif fault == KEY:
        here, there = text_of_key(sight, row), text_of_key(sight, source)
        expected, found = shortened(here, there), shortened(there, here)
        message = f"The key here is {expected}, but node {number}, which stored the entry, has {found}."
    elif fault == SCORE:
        expected, found = float(shifted(sight, source, row)), float(sight.tt_score[row])
        score = float(sight.score[source])
        returned, here, stored = apart(score, expected, found)
        says = returned if expected == score else f"{returned}, here {here} by the distance of the win"
        message = f"Node {number} returned {says}, but the entry it stored says {stored}."
        if bounds_differ(sight, row, source):
            kind, called = BOUNDS[sight.bound[source]], BOUNDS[sight.tt_bound[row]]
            message = (
                f"Node {number} returned {says}, a score that is {kind}, but the entry it stored says "
                f"{stored} and calls it {called}."
            )
    elif fault == BOUND:
        expected, found = BOUNDS[_bound_of(sight, source, row)], BOUNDS[sight.tt_bound[row]]
        message = f"Node {number} returned a score that is {expected}, but its entry calls it {found}."
    else:
        expected, found = depth_of(sight, source), float(sight.tt_depth[row])
        searched, stored = apart(expected, found)
        message = f"Node {number} was searched to depth {searched}, but its entry says {stored}."
    return Figures(expected=expected, found=found, message=message, involved=(source,))


def _bound_of(sight: Sight, source: int, row: int) -> int:
    """The bound that the source states, else the one that its window and plies leave it."""
    if sight.bound[source] > 0:
        return int(sight.bound[source])
    low, _ = source_range(sight, row)
    return LOWER if low >= float(sight.score[source]) else UPPER


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    return codes(sight.tt_from, rows, -1) >= 0


_EXAMPLE: Final = """
{"plyscope": 1,
 "root": {"layer": "max", "score": 5, "children": [
   {"ply": "c6", "layer": "min", "score": 5, "depth": 2, "bound": "exact", "key": "A"},
   {"ply": "d3", "layer": "min", "score": 4, "depth": 2, "bound": "exact", "key": "A",
    "outcome": "tt", "tt": {"use": "cut", "depth": 2, "bound": "exact", "score": 4, "from": 1}},
   {"ply": "e6", "layer": "min", "score": 1, "depth": 2, "bound": "exact", "key": "B"}]}}
"""

RULE = Rule(
    name="tt-source",
    severity="wrong",
    reason="an entry says what its source returned, shifted for mate distance, and the source was finished",
    judged=judged,
    unjudged="no table entry names a source in this log",
    meaning=(
        "What was read from the table is not what was stored there. Usually a win is not shifted by its "
        "distance from the node when storing and back when probing, a bound is stored as exact, the "
        "entry was overwritten in between by a position that shares its slot, or the node stores before "
        "it has a result. Compare the lines that store with those that probe. A score that is shifted "
        "by distance needs `search.mate` with its step and threshold. Depths at or below 0 are one, "
        "quiescence. An entry that says less than its source, such as a smaller depth or an exact score kept "
        "as a bound, is odd. It is right where a win or a loss is kept as a bound at the threshold of "
        "`search.mate`, and where all plies below the source state the difference in depth as `reduction`."
    ),
    needs=("tt.from",),
    example=_EXAMPLE,
    violates=violates,
    why_not=reason_if_threaded,
    figures=figures,
    severity_at=severity_at,
)
