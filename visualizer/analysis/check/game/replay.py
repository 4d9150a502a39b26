"""Play a log again in its game, from the first row to the last, and compare each position with what is
said of it.

A short log is played as plain Python, a long one by compiled kernels, and so is one between where their
machine code is at hand. Plies are read once a text; where one text may mean another ply in every position,
once a position. That is fast for a game that has codes of plies, whose texts are kept; of others not all rows
of a long log are played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from plyscope.engine import jit
from plyscope.engine.compile.bundle import Bundle
from plyscope.engine.compile.kernels import has_no_codes, with_all_kernels
from plyscope.engine.former import ENGINE
from plyscope.engine.game import Game, GameError, State
from plyscope.engine.games import find as find_game
from plyscope.visualizer.analysis.check.facts.sight import Sight
from plyscope.visualizer.analysis.check.game.play import (
    ILLEGAL,
    NOT_IN_LOG,
    UNKNOWN,
    UNREAD,
    UNWRITTEN,
    Rules,
    play,
)
from plyscope.visualizer.analysis.check.passes.kernel_call import Work
from plyscope.visualizer.analysis.check.passes.key_pass import is_expanded
from plyscope.visualizer.analysis.log_memo import PerLog
from plyscope.visualizer.store.words import FIRST_STUB, NULL, PROBE

PLAIN_ROWS: Final = 20_000
"""Up to so many rows of a game a process plays as plain Python where machine code has to be compiled first.

Hive takes 0.15 ms a row, and ten seconds to compile, once on a machine. The rows of all logs count, so that
a folder of small ones is not played as plain Python to its end, each time.
"""
CHUNK: Final = 1 << 16
"""Rows played between two looks at whether to stop."""
PLAIN_CHUNK: Final = 500
MOST_POSITIONS: Final = 300_000
"""Of so many positions the plies are written out in Python where each position has texts of its own."""
MOST_CODES: Final = 1 << 16
"""Codes of plies below this keep their texts."""
MOST_LEVELS: Final = 500
"""No deeper log is played: there is room for a position a level."""
ILLEGAL_PLY: Final = UNREAD + 1


class _Start(NamedTuple):
    """The position of a log's roots; no state, and the reason, if the game cannot read the text."""

    game: Game
    text: str
    state: State | None
    why: str = ""


_starts: PerLog[_Start] = PerLog()


def start_of(sight: Sight) -> tuple[Game, State]:
    """Return the game of a log and its position at the roots; raises GameError if either is unknown."""
    start = _start(sight)
    if start.state is None:
        raise GameError(start.why)
    return start.game, start.state.copy()


def _start(sight: Sight) -> _Start:
    """Return the start of a log, read once for all findings; raises GameError if it is unknown."""
    start = _starts.get(sight.log)
    if start is None:
        game, text = stated_start(sight)
        try:
            start = _Start(game, text, game.read_position(text))
        except GameError as error:
            start = _Start(game, text, None, str(error))
        _starts.put(sight.log, start)
    return start


def stated_start(sight: Sight) -> tuple[Game, str]:
    """Return the game of a log and the text of its roots' position; raises GameError if either is unknown."""
    name, text = sight.log.header.get("game"), sight.log.header.get("position")
    if not isinstance(name, str):
        raise GameError("the log does not say which game it is of")
    if (deepest := int(sight.level.max(initial=0))) > MOST_LEVELS:
        raise GameError(f"the log is {deepest:,} levels deep, and no game is played beyond {MOST_LEVELS}")
    game = find_game(name)
    if is_ours(sight) and (name, _factors(sight)) != (game.name, list(game.factors)):
        raise GameError(f"{name!r} is not the game of that name that comes with the engine")
    if text is not None and not isinstance(text, str):
        raise GameError("the header's position is no text")
    if own := _positions_of_roots(sight):
        if len(own) > 1:
            raise GameError("its roots stand in several positions")
        text = own.pop()
    if text is None and (sight.ply[sight.roots] >= 0).any():
        raise GameError("the log does not say in which position its roots stand")
    return game, game.start if text is None else text


def unread_position(sight: Sight) -> tuple[str, str] | None:
    """Return the text of the roots' position if the game cannot read it, and the reason; else None."""
    try:
        start = _start(sight)
    except GameError:
        return None
    return None if start.state is not None else (start.text, start.why)


_notations: PerLog[tuple[str, str] | str] = PerLog()


def unread_plies(sight: Sight) -> tuple[str, str] | None:
    """Return the roots' first ply and why it cannot be read, if none can (another notation); else None.

    Our own engine writes plies as its games do, so in its logs an unreadable ply is a fault.
    """
    found = _notations.get(sight.log)
    if found is None:
        found = _unread_plies(sight) or ""
        _notations.put(sight.log, found)
    return found if isinstance(found, tuple) else None


def _unread_plies(sight: Sight) -> tuple[str, str] | None:
    try:
        game, state = start_of(sight)
    except GameError:
        return None
    first = None
    is_ply = (sight.level == 1) & (sight.outcome < FIRST_STUB) & (sight.ply >= 0)
    if len(sight.purpose):
        is_ply &= (sight.purpose != NULL) & (sight.purpose != PROBE)
    for number in [] if is_ours(sight) else np.unique(sight.ply[is_ply]).tolist():
        text = sight.log.text(number) or ""
        try:
            game.read_ply(state, text)
        except GameError as error:
            first = first or (text, str(error))
        else:
            return None
    return first


def is_ours(sight: Sight) -> bool:
    """Whether our own engine wrote the log, so that its keys and evaluations are the game's."""
    search = sight.log.header.get("search")
    return isinstance(search, Mapping) and search.get("engine") == ENGINE


def _factors(sight: Sight) -> list[str]:
    return [factor.name for factor in sight.log.factors]


def _positions_of_roots(sight: Sight) -> set[str]:
    """Return the positions that the roots state themselves."""
    numbers = sight.position[sight.roots] if len(sight.position) else ()
    return {text for number in numbers if (text := sight.log.text(int(number))) is not None}


def rules_of(sight: Sight, game: Game, start: State) -> Rules:
    """Return the fields of the log that are compared with `game`; players are matched by name."""
    names = [name.casefold() for name in game.players]
    theirs = [names.index(name.casefold()) if name.casefold() in names else -1 for name in sight.log.players]
    root_player = int(game.player(start))
    if sight.root_player >= 0 and theirs[sight.root_player] >= 0:
        root_player = theirs[sight.root_player]
    return Rules(
        player_of_log=np.array(theirs, np.int64),
        weights=np.array(sight.weights if is_ours(sight) else [], np.float64),
        root_player=root_player,
        has_keys=is_ours(sight) and len(sight.key) > 0 and sight.log.key_form == "hex",
        needs_position=getattr(game, "plies_need_position", False),
    )


_n_plain: Counter[str] = Counter()
"""Rows that this process has played as plain Python for want of machine code, by game."""


class Replay:
    """A walk over the rows with the positions of the current path."""

    def __init__(self, sight: Sight, work: Work) -> None:
        self.faults: dict[int, int] = {}
        """What is wrong, a code of `playing`, by row, ascending."""
        self.n_played = sight.n_rows
        """Rows that were played, from the first."""
        self._sight = sight
        self._game, start = start_of(sight)
        rules = rules_of(sight, self._game, start)
        self._needs_position = rules.needs_position
        n_positions, n_texts = int(sight.level.max(initial=0)) + 2, len(sight.log.texts)
        self._states = np.zeros((n_positions, len(start)), start.dtype)
        self._states[0] = start
        self._plies = np.zeros((n_positions, self._game.max_plies), np.int32)
        self._n_plies = np.full(n_positions, UNKNOWN, np.int64)
        # A row a position is filled when its plies are written out, so that what is never met costs nothing.
        self._numbers = np.empty((n_positions if self._needs_position else 1, n_texts), np.int32)
        self._numbers[0] = UNREAD
        self._is_read = np.zeros(n_positions, np.bool_)
        self._text_of_code = np.full(MOST_CODES if self._needs_position else 0, UNWRITTEN, np.int32)
        self._n_read = 0
        texts = sight.log.texts if self._needs_position else ()
        self._text_numbers = {text: number for number, text in enumerate(texts)}
        self.compiled = work.compiled and self._is_worth_compiling(rules)
        """Whether machine code plays the rows."""
        self._work = Work(self.compiled, work.on_progress, work.should_stop)
        self._arguments = self._arguments_for(rules, self.compiled)

    def _arguments_for(self, rules: Rules, compiled: bool) -> tuple[Any, ...]:
        """Return the first arguments of `play`, compiled or plain, up to the rows."""
        return (
            jit.bind(self._game) if compiled else with_all_kernels(self._game),
            Bundle(self._sight) if compiled else self._sight,
            Bundle(rules) if compiled else rules,
            is_expanded(self._sight),
            self._states,
            self._plies,
            self._n_plies,
            np.zeros(len(self._game.factors)),
            self._numbers,
            self._is_read,
            self._text_of_code,
        )

    def _is_worth_compiling(self, rules: Rules) -> bool:
        """Whether machine code plays the rows sooner than Python, loading or compiling it included."""
        name, n_rows = self._game.name, self._sight.n_rows
        if _n_plain[name] + n_rows > PLAIN_ROWS:
            return True
        arguments = (*self._arguments_for(rules, True), 0, 0, UNREAD, np.zeros(0, np.uint8))
        if not jit.needs_compiling(jit.compiled(play), *arguments):
            return True
        _n_plain[name] += n_rows
        return False

    def play(self) -> None:
        """Play the rows, and note those at which the log differs, with the fault."""
        n_rows, compiled = self._sight.n_rows, self.compiled
        codes = np.zeros(CHUNK if compiled else PLAIN_CHUNK, np.uint8)
        self._work.run(play)(*self._arguments, 0, 0, UNREAD, codes)  # compiled here, where that is to be
        play_rows: Callable[..., Any] = jit.compiled(play) if compiled else play
        row, number = 0, UNREAD
        while row < n_rows:
            last = min(row + len(codes), n_rows)
            codes[:] = 0
            # The kernel plays on until a text has no number yet: only the game can read that, in Python, and
            # it is asked once a text, or once a position where a text may mean another ply in each.
            stopped_at = int(play_rows(*self._arguments, row, last, number, codes))
            wrong = np.flatnonzero(codes[: stopped_at - row])
            self.faults.update(zip((wrong + row).tolist(), codes[wrong].tolist(), strict=True))
            row, number = stopped_at, UNREAD
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
        code_of = getattr(self._game, "ply_code", has_no_codes)
        numbers[:] = UNREAD
        for ply in self._plies[place, : self._n_plies[place]].tolist():
            text = self._text_numbers.get(self._game.write_ply(state, ply), NOT_IN_LOG)
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
            number = int(self._game.read_ply(self._states[above], self._sight.log.text(text) or ""))
        except GameError:
            return ILLEGAL_PLY
        self._numbers[above if self._needs_position else 0, text] = number
        return number


class Played(NamedTuple):
    """The result of playing a log again."""

    faults: dict[int, int]
    n_played: int


_played: PerLog[Played] = PerLog()


def replayed(sight: Sight, work: Work) -> list[int]:
    """Return the rows at which the log and the game differ, ascending."""
    replay = Replay(sight, work)
    replay.play()
    _played.put(sight.log, Played(replay.faults, replay.n_played))
    return list(replay.faults)


def fault_at(sight: Sight, row: int) -> int:
    """Return the code of the fault at a row of a log that was played."""
    played = _played.get(sight.log)
    assert played is not None
    return played.faults[row]


def left_out(sight: Sight) -> tuple[str, int] | None:
    """Return a sentence that a log was not played to its end, and how many rows were not; None if it was."""
    played = _played.get(sight.log)
    if played is None or played.n_played == sight.n_rows:
        return None
    return f"only the first {played.n_played:,} rows are played again", sight.n_rows - played.n_played
