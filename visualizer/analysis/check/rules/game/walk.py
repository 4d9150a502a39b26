"""Play a log again in its game, from the first row to the last, and compare each position with the log.

A short log is played in plain Python, a long one by compiled kernels, as is one of medium length if their
machine code is at hand (see `kernel_call`). A plain game is always played in Python. Plies are read once a
text; where a text may mean a different ply in every position, once a position. That is fast for a game with
codes of plies, whose texts are cached; of other games, not all rows of a long log are played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from plyscope.engine import jit
from plyscope.engine.compile.bundle import Bundle
from plyscope.engine.compile.kernels import has_no_codes, with_all_kernels
from plyscope.engine.compile.plain_call import plain_view
from plyscope.engine.game import GameError
from plyscope.visualizer.analysis.check.facts.judged import every, is_expanded
from plyscope.visualizer.analysis.check.rules.game.habits import odd_key, without_habits
from plyscope.visualizer.analysis.check.rules.game.play import (
    DREW,
    ILLEGAL,
    MISSED,
    MISSED_EARLIER,
    NOT_IN_LOG,
    ODD_KEY,
    UNKNOWN,
    UNREAD,
    UNWRITTEN,
    Rules,
    play,
)
from plyscope.visualizer.analysis.check.rules.game.start import rules_of, start_of
from plyscope.visualizer.analysis.columns.kernel_call import PLAIN_ROWS, Work, is_at_hand
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.store.log import Log

CHUNK: Final = 1 << 16
"""Rows played between two reports of progress."""
PLAIN_CHUNK: Final = 500
MOST_POSITIONS: Final = 300_000
"""The most positions whose plies are written in Python, in games where each position has its own texts."""
MOST_CODES: Final = 1 << 20
"""Codes of plies below this keep their texts."""
ILLEGAL_PLY: Final = UNREAD + 1


_n_plain: Counter[str] = Counter()
"""Rows that this process has played as plain Python for want of machine code, by game.

They count with those of the next log, so that a folder of many small ones is not played so to its end.
"""


class Replay:
    """A walk over the rows with the positions of the current path."""

    def __init__(self, sight: Sight, work: Work) -> None:
        self.faults: dict[int, int] = {}
        """What is wrong, a code of `playing`, by row, ascending."""
        self.n_played = sight.n_rows
        """Rows that were played, from the first."""
        self.broke = ""
        """The reason why no more were played, where that is a mistake of the game."""
        self._sight = sight
        self.game, start = start_of(sight)
        rules = self._rules = rules_of(sight, self.game, start)
        self._needs_position = rules.needs_position
        n_positions, n_texts = int(sight.level.max(initial=0)) + 2, len(sight.log.texts)
        self._states = np.zeros((n_positions, len(start)), start.dtype)
        self._states[0] = start
        self._plies = np.zeros((n_positions, self.game.max_plies), np.int32)
        self._n_plies = np.full(n_positions, UNKNOWN, np.int64)
        # The row of a position is filled when its plies are written, so that unused rows cost nothing.
        self._numbers = np.empty((n_positions + 1 if self._needs_position else 1, n_texts), np.int32)
        self._numbers[[0, -1]] = UNREAD
        self._is_read = np.zeros(n_positions, np.bool_)
        self._text_of_code = np.full(MOST_CODES if self._needs_position else 0, UNWRITTEN, np.int32)
        self._n_read = 0
        texts = sight.log.texts if self._needs_position else ()
        self._text_numbers = {text: number for number, text in enumerate(texts)}
        is_plain = start.dtype.hasobject  # a plain game, which nothing compiles
        self.compiled = not is_plain and (
            bool(work.compiled) or (work.compiled is None and self._is_machine_code_used(rules))
        )
        """Whether machine code plays the rows."""
        self._work = Work(self.compiled, work.on_progress)
        self._arguments = self._arguments_for(rules, self.compiled)

    def _arguments_for(self, rules: Rules, compiled: bool) -> tuple[Any, ...]:
        """Return the first arguments of `play`, compiled or plain, up to the rows."""
        expanded = is_expanded(self._sight, every(self._sight))
        return (
            jit.bind(self.game) if compiled else with_all_kernels(self.game),
            Bundle(self._sight) if compiled else plain_view(self._sight),
            Bundle(rules) if compiled else plain_view(rules),
            expanded if compiled else plain_view(expanded),
            self._states,
            self._plies,
            self._n_plies,
            np.zeros(len(self.game.factors)),
            self._numbers,
            self._is_read,
            self._text_of_code,
        )

    def _is_machine_code_used(self, rules: Rules) -> bool:
        """Whether machine code is at hand, or has been missed for many rows of this game."""
        name, n_rows = self.game.name, self._sight.n_rows
        if _n_plain[name] + n_rows > PLAIN_ROWS:
            return True
        rest = 0, 0, UNREAD, np.zeros(0, np.uint8)
        if is_at_hand(play, lambda: (*self._arguments_for(rules, True), *rest)):
            return True
        _n_plain[name] += n_rows
        return False

    def play(self) -> None:
        """Play the rows, and note those at which the log differs, with the fault."""
        n_rows, compiled = self._sight.n_rows, self.compiled
        codes = np.zeros(CHUNK if compiled else PLAIN_CHUNK, np.uint8)
        play_rows: Callable[..., Any] = play
        if compiled:
            self._work.run(play)(*self._arguments, 0, 0, UNREAD, codes)  # says that it compiles
            play_rows = jit.compiled(play)
        row, number = 0, UNREAD
        while row < n_rows:
            last = min(row + len(codes), n_rows)
            codes[:] = 0
            # The kernel plays on until a text has no number yet: only the game can read that, in Python, and
            # it is asked once a text, or once a position where a text may mean another ply in each.
            try:
                stopped_at = int(play_rows(*self._arguments, row, last, number, codes))
            except GameError as error:  # in the code of somebody's own game
                self.n_played, self.broke = row, str(error)
                break
            wrong = np.flatnonzero(codes[: stopped_at - row])
            self.faults.update(zip((wrong + row).tolist(), codes[wrong].tolist(), strict=True))
            number = number if stopped_at == row else UNREAD
            row = stopped_at
            if (most := self.game.max_plies) > self._plies.shape[1]:  # a plain game, which had fewer so far
                self._plies = np.pad(self._plies, ((0, 0), (0, most - self._plies.shape[1])))
                self._arguments = self._arguments_for(self._rules, compiled)
                continue
            number = UNREAD
            if row < last:  # it stopped before the end of the chunk, at a ply that it cannot read
                above = int(self._sight.level[row])
                if self._needs_position and not self._is_read[above]:
                    if self._n_read == MOST_POSITIONS:
                        self.n_played = row
                        break
                    self._write_out(above)
                else:
                    number = self._read(row, above)
                if number == ILLEGAL_PLY:
                    self.faults[row] = ILLEGAL
                    row, number = row + 1, UNREAD
            self._work.go_on(row / n_rows)
        self._work.go_on(1.0)

    def _write_out(self, place: int) -> None:
        """Note the number of each text in the position at `place`, as the game writes its legal plies.

        Also note the text of each code, so that the kernel knows the codes in other positions.
        """
        state, numbers = self._states[place], self._numbers[place]
        code_of = getattr(self.game, "ply_code", has_no_codes)
        numbers[:] = UNREAD
        for ply in self._plies[place, : self._n_plies[place]].tolist():
            text = self._text_numbers.get(self.game.write_ply(state, ply), NOT_IN_LOG)
            if text != NOT_IN_LOG:
                numbers[text] = ply
            if 0 <= (code := code_of(state, ply)) < MOST_CODES:
                self._text_of_code[code] = text
        self._is_read[place] = True
        self._n_read += 1

    def _read(self, row: int, above: int) -> int:
        """Return the number of the row's ply in the position at `above`, ILLEGAL_PLY if there is none."""
        text = int(self._sight.ply[row])
        try:
            number = int(self.game.read_ply(self._states[above], self._sight.log.text(text) or ""))
        except GameError:
            return ILLEGAL_PLY
        self._numbers[above if self._needs_position else 0, text] = number
        return number


class Played(NamedTuple):
    """The result of playing a log again, with the error of the game's code if it had one."""

    faults: dict[int, int]
    habits: frozenset[int]
    """The draws that the log takes (`play.DREW`)."""
    n_played: int
    broke: str = ""


_played: WeakKeyDictionary[Log, Played] = WeakKeyDictionary()


def replayed(sight: Sight, work: Work) -> list[int]:
    """Return the rows at which the log and the game differ, ascending."""
    try:
        replay = Replay(sight, work)
    except GameError as error:
        played = Played({}, frozenset(), 0, str(error))
    else:
        replay.play()
        faults = without_habits(sight, replay.game, replay.faults)
        if (odd := odd_key(sight)) is not None:
            faults = dict(sorted({odd[0]: ODD_KEY, **faults}.items()))
        played = Played(*_by_habit(faults), replay.n_played, replay.broke)
    _played[sight.log] = played
    return list(played.faults)


def _by_habit(codes: dict[int, int]) -> tuple[dict[int, int], frozenset[int]]:
    """Part the faults of rows from the draws that the log takes.

    A law of draws that its engine does not have is a fault of the first row alone, and a position that came
    before in a log that calls no such one a draw is none.
    """
    habits = frozenset(code for code in codes.values() if code >= DREW)
    faults, told = {}, set[int]()
    for row, code in codes.items():
        is_habit = code + DREW - MISSED in habits
        if code < MISSED or (code < DREW and (is_habit or (code != MISSED_EARLIER and code not in told))):
            faults[row] = code
            told.add(code)
    return faults, habits


def takes_draw(sight: Sight, draw: int) -> bool:
    """Whether the log that was played calls a draw of this kind (`Game.draw_of`) the end of the game."""
    return DREW + draw in _played[sight.log].habits


def fault_at(sight: Sight, row: int) -> int:
    """Return the code of the fault at a row of a log that was played."""
    played = _played[sight.log]
    return played.faults[row]


def left_out(sight: Sight) -> tuple[str, int] | None:
    """Return a sentence that a log was not played to its end, and the number of rows left; else None."""
    played = _played.get(sight.log)
    if played is None or played.n_played == sight.n_rows:
        return None
    why = f"; {played.broke}" if played.broke else ""
    return f"only the first {played.n_played:,} rows are played again{why}", sight.n_rows - played.n_played
