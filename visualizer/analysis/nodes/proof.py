"""The proofs of the wins and losses that a log claims.

A win is proven by a best ply of the winner and all legal plies of the loser at each node, down to games that
are over. So a branching limit, a reduction, a ply that was skipped or searched less deep leaves it unproven.
All proofs of a log are found in one pass when first asked for, and kept as long as the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import GameError
from plyscope.engine.games import find
from plyscope.visualizer.analysis.columns.declarations import tablebase_leaves
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import plies_made
from plyscope.visualizer.analysis.nodes.mate import UNPROVEN, Mate, Proof, is_open, mate_of
from plyscope.visualizer.analysis.nodes.proof_pass import Nodes, Proven, Steps, prove, room
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.log import Log, main_root, object_in, once_a_log

Array = npt.NDArray[Any]

MOST_PLAIN: Final = 200_000
"""Up to this many rows are looked at in plain Python, for a quarter of a second; more by machine code."""
MOST_ROUNDS: Final = 12
ROUNDING: Final = 1e-9


@dataclass(frozen=True)
class Proofs:
    """The rows of a log that are proven won or lost, ascending, with the scores that are proven."""

    rows: Array
    scores: Array
    repeats: Array

    def of(self, row: int) -> tuple[float, bool] | None:
        """The score that is proven of `row`, and whether its proof goes through the table."""
        at = int(np.searchsorted(self.rows, row))
        if at == len(self.rows) or self.rows[at] != row:
            return None
        return float(self.scores[at]), bool(self.repeats[at])


_NOTHING: Final = Proofs(np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.bool_))
_kept: Final[WeakKeyDictionary[Log, Proofs]] = WeakKeyDictionary()
_at_work: Final = Lock()


def bound_of(log: Log, row: int) -> int:
    """The bound that `row` states, as a code; of the root of the result, if it states none, `result.bound`.

    That counts where the result has the root's score: a search that failed low may say so there alone.
    """
    columns, result = log.columns, log.result
    stated = int(columns["bound"][row])
    if stated or columns["parent"][row] >= 0 or not result:
        return stated
    said, score = result.get("bound"), result.get("score")
    is_of_row = isinstance(score, int | float) and score == columns["score"][row] and row == main_root(log)
    return words.BOUNDS.index(said) if is_of_row and said in words.BOUNDS else 0


def proof_of(log: Log, row: int) -> Proof | None:
    """The verdict on the win or loss that `row` claims; None if it claims none."""
    return proof_of_claim(log, row, float(log.columns["score"][row]), bound_of(log, row))


def proof_of_claim(log: Log, row: int, score: float, bound: int) -> Proof | None:
    """The verdict on `score`, claimed of `row`; None if it is no win or loss, or its bound leaves it open."""
    mate = mate_of(log)
    side = 0 if mate is None else mate.side(score)
    if mate is None or side == 0 or is_open(side, bound):
        return None
    found = proofs_of(log).of(row)
    if found is None or side * found[0] <= 0:
        return UNPROVEN
    proven, repeats = found
    repeats = repeats and may_repeat(log.header)
    if side * (proven - score) >= -ROUNDING * abs(score):
        return Proof("proven", repetition=repeats)
    return Proof("weaker", proven, repeats)


def may_repeat(header: Mapping[str, Any]) -> bool:
    """Whether a position may come again, as a header declares or as the game that it names is known to be.

    >>> may_repeat({"game": "reversi"}), may_repeat({"game": "hive"}), may_repeat({})
    (False, True, True)
    >>> may_repeat({"game": "chomp", "search": {"positions_repeat": False}})
    False
    """
    declared = object_in(header, "search").get("positions_repeat")
    if isinstance(declared, bool):
        return declared
    name = header.get("game")
    if not isinstance(name, str):
        return True
    try:
        return bool(getattr(find(name), "positions_repeat", True))
    except GameError:
        return True


def proofs_of(log: Log) -> Proofs:
    """All that is proven of a log."""
    found = _kept.get(log)
    if found is None:
        with _at_work:
            found = _kept.get(log)
            if found is None:
                mate = mate_of(log)
                found = _NOTHING if mate is None else _proved(log, mate)
                _kept[log] = found
    return found


BY_ENDINGS: Final = Mate(1e9, 1.0, 5e8)
"""Scores for wins and losses by their distance, in a log that does not declare any."""


def end_after(log: Log, row: int) -> tuple[int, int] | None:
    """The side (1: won, -1: lost) and the plies from the root of the end that is proven of `row`, if one is.

    Where wins have no declared scores they are proven by the endings of finished games.
    """
    mate = mate_of(log)
    found = (ends_of(log) if mate is None else proofs_of(log)).of(row)
    mate = mate or BY_ENDINGS
    plies = None if found is None else mate.plies(found[0])
    return None if found is None or plies is None else (mate.side(found[0]), plies)


def end_by_games(log: Log, row: int) -> tuple[int, int] | None:
    """The same by the endings of finished games alone, whatever these were scored."""
    found = ends_of(log).of(row)
    plies = None if found is None else BY_ENDINGS.plies(found[0])
    return None if found is None or plies is None else (BY_ENDINGS.side(found[0]), plies)


@once_a_log
def ends_of(log: Log) -> Proofs:
    """All that is proven of a log by the endings of finished games, whatever these were scored."""
    return _proved(log, BY_ENDINGS) if "ending" in log.columns else _NOTHING


def _proved(log: Log, mate: Mate, *, compiled: bool | None = None) -> Proofs:
    """The pass itself; `compiled`: where it is None the number of rows to look at decides."""
    columns = log.columns
    score = _finished_games(log, mate)
    is_proven = ~np.isnan(score)
    if not is_proven.any():
        return _NOTHING
    source = _sources(log)
    may_be = _may_be_proven(log, is_proven, source)
    rows = np.flatnonzero(may_be)
    rows = rows[np.lexsort((-rows, columns["end"][rows]))]  # the order in which they were left
    proven = Proven(score, np.zeros(log.n_rows, np.bool_))
    purpose = columns.get("purpose")
    is_visit = (columns["outcome"] < words.FIRST_STUB) & (columns["ply"] >= 0)
    if purpose is not None:
        is_visit &= purpose != words.NULL
    if compiled is None:
        parent = columns["parent"]
        compiled = int(np.count_nonzero(may_be[parent[parent >= 0]])) > MOST_PLAIN
    nodes = Nodes(
        end=_contiguous(columns["end"]),
        ply=_contiguous(columns["ply"]),
        is_visit=is_visit,
        move=np.zeros(0) if mate is BY_ENDINGS else _moves_up(log),
        mate_step=mate.step,
        least=mate.threshold,
    )
    room_of_plies = room(int(columns["ply"].max()) + 1)
    Work(compiled).run(prove)(_steps(log, rows, source), nodes, proven, room_of_plies)
    rows = np.flatnonzero(~np.isnan(score))
    return Proofs(rows, score[rows], proven.repeats[rows])


def _moves_up(log: Log) -> Array:
    """Return, by row, the difference of `counted_as` and the score; empty if there is none."""
    counted = log.columns.get("counted_as")
    if counted is None:
        return np.zeros(0)
    moves = _contiguous(counted) - log.columns["score"]
    return np.asarray(np.nan_to_num(moves, posinf=0.0, neginf=0.0))


def _contiguous(column: Array) -> Array:
    """The column as compiled kernels meet it, wherever the log lies."""
    array = np.ascontiguousarray(np.asarray(column)).view(np.ndarray)[:]
    array.flags.writeable = False
    return array


def _finished_games(log: Log, mate: Mate) -> Array:
    """The scores of games that are over and won or lost, and of such leaves from a tablebase; else NaN."""
    columns = log.columns
    score, bound, outcome = columns["score"], columns["bound"], columns["outcome"]
    found = np.full(log.n_rows, np.nan)
    if mate is BY_ENDINGS:
        endings = np.where(outcome == words.TERMINAL, columns["ending"], 0)
        for side, code in ((1.0, words.WIN), (-1.0, words.LOSS)):
            rows = np.flatnonzero(endings == code)
            found[rows] = side * (mate.score - plies_made(log)[rows])
        return found
    size = np.abs(score)
    is_mate = (size >= mate.threshold) & (size <= mate.score)
    ending = columns.get("ending")
    if ending is not None:
        over = outcome == words.TERMINAL
        for side, code in ((1.0, words.WIN), (-1.0, words.LOSS)):
            rows = np.flatnonzero(over & (ending == code) & is_mate & (side * score > 0))
            found[rows] = score[rows]
            if log.search.get("fail") != "soft" and len(rows):
                # A clamped score may be better than the end itself.
                worth = side * (mate.score - mate.step * plies_made(log)[rows])
                found[rows] = side * np.minimum(side * score[rows], side * worth)
    from_tablebase = tablebase_leaves(log)
    if len(from_tablebase):
        is_stated = from_tablebase & is_mate
        open_bound = np.where(score > 0, words.UPPER, words.LOWER)
        rows = np.flatnonzero(is_stated & (bound != open_bound))
        found[rows] = score[rows]
    return found


def _sources(log: Log) -> Array | None:
    """The row that stored the entry of each table row and was left before it, -1 where there is none."""
    columns = log.columns
    source = columns.get("tt_from")
    if source is None:
        return None
    found = np.where(columns["outcome"] == words.TT, source, np.int32(-1))
    rows = np.flatnonzero(found >= 0)
    origin = found[rows]
    is_sound = columns["end"][origin] <= rows
    key = columns.get("key")
    if key is not None:
        have_keys = columns["given"][rows] & columns["given"][origin] & GIVEN["key"] > 0
        is_sound &= ~have_keys | (key[rows] == key[origin])
    found[rows[~is_sound]] = -1
    return np.asarray(found)


def _may_be_proven(log: Log, is_proven: Array, source: Array | None) -> Array:
    """Rows above finished games, table rows whose source is one of these, and what is above those."""
    end = log.columns["end"]
    tables = np.zeros(0, np.int64) if source is None else np.flatnonzero(source >= 0)
    origin = tables if source is None else source[tables]
    begins = is_proven.copy()
    before = np.zeros(log.n_rows + 1, np.int32)
    has_below = begins
    for number in range(MOST_ROUNDS + 1):
        np.cumsum(begins, out=before[1:])
        has_below = before[end] > before[:-1]
        reached = has_below[origin] & ~begins[tables]
        if not reached.any():
            break
        begins[tables if number == MOST_ROUNDS - 1 else tables[reached]] = True
    may_be = has_below & ~is_proven
    return np.asarray(may_be)


def _guesses(log: Log) -> Array:
    """Return the nodes where static reasoning stood in for plies: an estimate, or a `skipped` stub below."""
    columns = log.columns
    estimate = columns.get("estimate")
    found = np.zeros(log.n_rows, np.bool_) if estimate is None else ~np.isnan(estimate)
    above = columns["parent"][columns["outcome"] == words.SKIPPED]
    found[above[above >= 0]] = True
    return found


def _steps(log: Log, rows: Array, source: Array | None) -> Steps:
    columns = log.columns
    moves = columns.get("moves")
    known = np.full(len(rows), -1, np.int64) if moves is None else moves[rows].astype(np.int64)
    quiescence, depth = columns.get("quiescence"), columns.get("depth")
    if quiescence is not None:
        known[quiescence[rows] == 1] = -1  # there `moves` may count the noisy ones alone
    if depth is not None:
        known[depth[rows] <= 0] = -1
    known[_guesses(log)[rows]] = -1
    origin = np.full(len(rows), -1, np.int64)
    later = np.zeros(len(rows), np.int64)
    if source is not None:
        origin = source[rows].astype(np.int64)
        made = plies_made(log)
        later[origin >= 0] = (made[rows] - made[origin])[origin >= 0]
    return Steps(rows.astype(np.int64), np.array(columns["layer"][rows]), known, origin, later)
