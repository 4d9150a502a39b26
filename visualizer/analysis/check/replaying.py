"""A log played again in its game, in plain Python: what each position is there, beside what its row says.

Nothing is compiled. So that the time is bounded, only the first rows of a long log are played.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from weakref import ref

import numpy as np

from engine.game import DRAWN, FIRST_WON, ONGOING, SCORED, SECOND_WON, Game, GameError, State
from engine.games import find as find_game
from visualizer.analysis.check.keys import is_expanded
from visualizer.analysis.check.returned import is_close
from visualizer.analysis.check.sight import Sight, is_stub, moves_of, player_of, purpose_of, static_of
from visualizer.store import words
from visualizer.store.columns import GIVEN
from visualizer.store.log import Log

MOST_ROWS: Final = 2000
"""So many rows are played."""
OURS: Final = "plyscope"


class Difference(NamedTuple):
    """What the game says at a row and what the log says, and a sentence with both."""

    expected: Any
    found: Any
    message: str


def start_of(sight: Sight) -> tuple[Game, State]:
    """The game of a log and its position at the roots; raises GameError where either is unknown."""
    name, text = sight.log.header.get("game"), sight.log.header.get("position")
    if not isinstance(name, str):
        raise GameError("the log does not say which game it is of")
    game = find_game(name)
    if is_ours(sight) and (name, _factors(sight)) != (game.name, list(game.factors)):
        raise GameError(f"{name!r} is not the game of that name that comes with the engine")
    if text is not None and not isinstance(text, str):
        raise GameError("the header's position is no text")
    if text is None and (sight.ply[sight.roots] >= 0).any():
        raise GameError("the log does not say in which position its roots stand")
    return game, game.read_position(game.start if text is None else text)


def is_ours(sight: Sight) -> bool:
    """Whether our own engine wrote the log, so that its keys and evaluations are the game's."""
    search = sight.log.header.get("search")
    return isinstance(search, Mapping) and search.get("engine") == OURS


def _factors(sight: Sight) -> list[str]:
    return [factor.name for factor in sight.log.factors]


def left_out(sight: Sight) -> tuple[str, int] | None:
    """That a long log is not played to its end, and how many rows are not; None for a short one."""
    if sight.n_rows <= MOST_ROWS:
        return None
    return f"only the first {MOST_ROWS:,} rows are played again", sight.n_rows - MOST_ROWS


_last: list[tuple[ref[Log], dict[int, Difference]]] = []


def differences(sight: Sight) -> dict[int, Difference]:
    """The first difference at each row that has one, by row; kept for the log last asked about."""
    if not _last or _last[0][0]() is not sight.log:
        _last[:] = [(ref(sight.log), dict(_Replay(sight).play()))]
    return _last[0][1]


class _Replay:
    """A walk down the rows with the positions of the path we are on."""

    def __init__(self, sight: Sight) -> None:
        self.sight = sight
        self.game, self.start = start_of(sight)
        self.plies = np.zeros(self.game.max_plies, np.int32)
        self.is_ours = is_ours(sight)
        self.expanded = is_expanded(sight)
        names = [name.casefold() for name in self.game.players]
        self.player_of_log = [
            names.index(name.casefold()) if name.casefold() in names else -1 for name in sight.log.players
        ]
        self.root_player = int(self.game.player(self.start))
        if sight.root_player >= 0 and self.player_of_log[sight.root_player] >= 0:
            self.root_player = self.player_of_log[sight.root_player]
        self.weights = sight.weights if self.is_ours else None
        self.values = np.zeros(len(self.game.factors))

    def play(self) -> list[tuple[int, Difference]]:
        """Every row with a difference; nothing is said of what stands below a ply that cannot be played."""
        sight = self.sight
        at_level: dict[int, State | None] = {}
        found: list[tuple[int, Difference]] = []
        for row in range(min(sight.n_rows, MOST_ROWS)):
            if is_stub(sight, row):
                continue
            level = int(sight.level[row])
            state, difference = self._reached(row, self.start if level == 0 else at_level[level - 1])
            at_level[level] = state
            if state is not None:
                difference = self._difference(row, state)
            if difference is not None:
                found.append((row, difference))
        return found

    def _reached(self, row: int, before: State | None) -> tuple[State | None, Difference | None]:
        """The position after the row's ply; None where unknown, with a difference where it is illegal."""
        sight = self.sight
        if before is None or sight.parent[row] < 0:
            return before, None
        state: State = before.copy()
        if purpose_of(sight, row) == words.NULL:
            hand_over = getattr(self.game, "pass_turn", None)
            return (state if hand_over is not None and hand_over(state) else None), None
        text = sight.log.text(int(sight.ply[row]))
        if text is None:
            return None, None
        try:
            self.game.apply(state, self.game.read_ply(state, text))
        except GameError as error:
            return None, Difference("a legal ply", text, f"This ply cannot be played here: {error}.")
        return state, None

    def _difference(self, row: int, state: State) -> Difference | None:
        status = int(self.game.status(state))
        player = int(self.game.player(state))
        if (said := player_of(self.sight, row)) >= 0 and status == ONGOING:
            theirs = self.player_of_log[said]
            if theirs >= 0 and theirs != player:
                expected, found = self.game.players[player], self.game.players[theirs]
                return Difference(expected, found, f"{expected} is to move here, but the log says {found}.")
        return (
            self._of_ending(row, status)
            or self._of_moves(row, state, status)
            or self._of_key(row, state)
            or self._of_static(row, state, status)
        )

    def _of_ending(self, row: int, status: int) -> Difference | None:
        sight = self.sight
        outcome = int(sight.outcome[row])
        over = "the game is over" if status != ONGOING else "the game goes on"
        if outcome == words.TERMINAL and status == ONGOING:
            return Difference(over, "terminal", "The log calls the game over here, but it goes on.")
        if status in (ONGOING, SCORED):
            return None
        if outcome in (words.SEARCHED, words.CUTOFF, words.LEAF):
            found = words.OUTCOMES[outcome]
            return Difference(over, found, f"The game is over here, but the log calls the node {found}.")
        stated = int(sight.ending[row]) if len(sight.ending) else 0
        if status == DRAWN:
            right = words.DRAW
        else:
            winner = {FIRST_WON: 0, SECOND_WON: 1}[status]
            right = words.WIN if winner == self.root_player else words.LOSS
        if stated in (0, right):
            return None
        expected, found = words.ENDINGS[right], words.ENDINGS[stated]
        return Difference(expected, found, f"The game is a {expected} here, but the log says {found}.")

    def _of_moves(self, row: int, state: State, status: int) -> Difference | None:
        found = moves_of(self.sight, row)
        if found < 0 or status != ONGOING or not self.expanded[row]:
            return None
        expected = int(self.game.generate(state, self.plies))
        if expected == found:
            return None
        return Difference(
            expected, found, f"There are {expected} legal plies here, but the log says {found}."
        )

    def _of_key(self, row: int, state: State) -> Difference | None:
        sight = self.sight
        is_given = len(sight.key) > 0 and sight.given[row] & GIVEN["key"]
        if not self.is_ours or not is_given or sight.log.key_form != "hex":
            return None
        expected, found = int(self.game.key(state)) & 0xFFFFFFFFFFFFFFFF, int(sight.key[row])
        if expected == found:
            return None
        message = f"The key of this position is {expected:016x}, but the log says {found:016x}."
        return Difference(f"{expected:016x}", f"{found:016x}", message)

    def _of_static(self, row: int, state: State, status: int) -> Difference | None:
        found = static_of(self.sight, row)
        if self.weights is None or np.isnan(found) or status not in (ONGOING, SCORED):
            return None
        self.game.values(state, self.values)
        expected = float(self.weights @ self.values) * (1.0 if self.root_player == 0 else -1.0)
        if np.isnan(expected) or is_close(found, expected, max(self.sight.tolerance, 1e-9)):
            return None
        if abs(found - expected) <= 1e-9 * float(np.abs(self.weights * self.values).sum()):
            return None
        message = f"The evaluation of this position is {expected:g}, but the log says {found:g}."
        return Difference(expected, found, message)
