"""Plain games: an adapter that gives any Python object that plays a game the kernel methods of the search.

The adapter stores a position as an object in a one-word state and numbers the plies it sees, so the same
search runs on them as ordinary Python. Nothing here knows of numba.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any, Final

import numpy as np

from plyscope.engine.game import CHANCE, MOST_MOVES, ONGOING, SCORED, Array, Board, GameError, Place
from plyscope.engine.kernel_game import KernelGame
from plyscope.engine.options import MATE_SCORE

ROUNDING: Final = 1e-9
"""The most by which the sum of all outcomes' probabilities may differ from 1."""

METHODS: Final = ("start", "plies", "apply", "player", "winner", "values")
"""The methods of every plain game; it has `players` and `factors` besides."""


class PlainKernels(KernelGame):
    """A plain game with the methods of a kernel game, over states that hold one object.

    Threads may share it: a ply keeps the number that it was given first.
    """

    state_size = 1
    state_dtype = np.object_

    def __init__(self, game: Any) -> None:
        missing = [name for name in ("players", "factors", *METHODS) if not hasattr(game, name)]
        if missing:
            raise GameError(f"{type(game).__name__} is no game: it lacks {', '.join(missing)}")
        self.game = game
        self.name: str = getattr(game, "name", type(game).__name__)
        self.players: tuple[str, str] = tuple(game.players)
        self.factors = game.factors
        self.meanings = getattr(game, "meanings", {})
        self.mate_score = float(getattr(game, "mate_score", MATE_SCORE))
        self.positions_repeat = bool(getattr(game, "positions_repeat", True))
        self.has_keys = hasattr(game, "key")
        """Whether keys are the game's own: other numbers mean nothing outside the search that gave them."""
        self.max_plies = 64
        self._has_chances = hasattr(game, "chances")
        self._rolled: tuple[Any, list[float]] = (None, [])
        self._plies: list[Any] = []
        self._texts: list[str] = []
        self._numbers: dict[tuple[Any, str], int] = {}
        self._keys: dict[Hashable, int] = {}
        self._numbering = Lock()

    # Called by the search ------------------------------------------------------------------------------

    def generate(self, state: Array, plies: Array) -> int:
        """As a kernel, but -1 if `plies` is too short; `max_plies` is then the length it needs.

        Where chance moves, its outcomes are the plies.
        """
        return self._numbered(state[0], plies_of(self.game, state[0]), plies)

    def noisy(self, state: Array, plies: Array) -> int:
        """As `generate`, only the noisy plies; none if the game has no `noisy`."""
        found = self.game.noisy(state[0]) if hasattr(self.game, "noisy") else ()
        return self._numbered(state[0], found, plies)

    def _numbered(self, position: Any, found: Sequence[Any], plies: Array) -> int:
        if len(found) > len(plies):
            if len(found) > MOST_MOVES:
                raise GameError(f"{self.name}: {len(found)} plies in one position, over {MOST_MOVES}")
            self.max_plies = max(2 * len(plies), len(found))
            return -1
        for i, ply in enumerate(found):
            plies[i] = self._number(position, ply)
        return len(found)

    def apply(self, state: Array, ply: int) -> None:
        """Replace the position by the one after `ply`."""
        state[0] = self.game.apply(state[0], self._plies[ply])

    def undoes(self) -> bool:
        """False: a plain game's positions are objects of their own."""
        return False

    def player(self, state: Array) -> int:
        """The side to move, 0 or 1, or CHANCE; raises GameError for any other, and without `chances`."""
        player = self._whole("player", self.game.player(state[0]), "0 or 1")
        if player not in (0, 1) and (player != CHANCE or not hasattr(self.game, "chances")):
            expected = "expected 0 or 1" if player != CHANCE else "but the game has no chances(position)"
            raise GameError(f"{self.name}: player() gave {player}, {expected}")
        return player

    def chance_of(self, state: Array, place: int) -> float:
        """The probability of the outcome at `place` of `generate`; -1 where a player is to move."""
        is_rolled = self._has_chances and self.player(state) == CHANCE
        return self.probabilities(state)[place] if is_rolled else -1.0

    def probabilities(self, state: Array) -> list[float]:
        """The probability of each outcome that `generate` writes, where chance moves; kept for later."""
        rolled = self._rolled
        if rolled[0] is not state[0]:
            chances = chances_of(self.game, state[0])
            rolled = self._rolled = state[0], [probability for _, probability in chances]
        return rolled[1]

    def status(self, state: Array) -> int:
        """ONGOING, FIRST_WON, SECOND_WON or DRAWN."""
        result = self.game.winner(state[0])
        expected = f"None or a number from {ONGOING} to {SCORED}"
        return ONGOING if result is None else self._whole("winner", result, expected)

    def in_check(self, state: Array) -> bool:
        """Return True if the mover is in check; always False if the game has no `in_check`."""
        return hasattr(self.game, "in_check") and bool(self.game.in_check(state[0]))

    def pass_turn(self, state: Array) -> int:
        """Give the move to the other side and return 1; return 0 if the game does not allow that."""
        passed = self.game.pass_turn(state[0]) if hasattr(self.game, "pass_turn") else None
        if passed is None:
            return 0
        state[0] = passed
        return 1

    def ring(self, state: Array, ply: int) -> int:
        """Return the guide of a ply; raises `GameError` for one outside -6 to 6."""
        guide = int(self.game.ring(state[0], self._plies[ply]))
        if not -6 <= guide <= 6:
            raise GameError(f"{self.name}: ring() gave {guide}, expected a number from -6 to 6")
        return guide

    def values(self, state: Array, out: Array) -> None:
        """Write the factors' values; raises `GameError` if they are too few or many, or not finite."""
        values = self.game.values(state[0])
        if len(values) != len(out):
            raise GameError(f"{self.name}: values() gave {len(values)} numbers for {len(out)} factors")
        out[:] = values
        if not np.isfinite(out).all():
            raise GameError(f"{self.name}: values() gave {list(values)} in {self.write_position(state)}")

    def key(self, state: Array) -> int:
        """Return the game's own key, else a number for each position and side, in the order first seen."""
        if hasattr(self.game, "key"):
            return int(self.game.key(state[0]))
        player = self.player(state)
        with self._hashing("apply() or start() gave a position"):
            return self._keys.setdefault((state[0], player), len(self._keys) + 1)

    # Text ------------------------------------------------------------------------------------------------

    def read_position(self, text: str | None) -> Array:
        """Return the state of `text` as the game reads it; of the start for None and for the start's text."""
        state = np.empty(1, object)
        state[0] = self.game.start()
        if text is None or text == self.write_position(state):
            return state
        if not hasattr(self.game, "read_position"):
            raise GameError(f"{self.name} cannot read positions: it has no read_position(text)")
        state[0] = self.game.read_position(text)
        return state

    def write_position(self, state: Array) -> str:
        """Return the game's text of a position, else Python's."""
        return str(getattr(self.game, "write_position", str)(state[0]))

    def write_ply(self, state: Array, ply: int) -> str:
        """Return the text that the ply had when it was generated; one number never has two texts."""
        return self._texts[ply]

    def ply_of(self, number: int) -> Any:
        """Return the ply of the game that has a number."""
        return self._plies[number]

    def board(self, state: Array) -> Board:
        """Return the game's board, else the text of the position."""
        if hasattr(self.game, "board"):
            drawn: Board = self.game.board(state[0])
            return drawn
        return super().board(state)

    def ply_cells(self, state: Array, ply: int) -> Sequence[Place]:
        """Return the cells that the game says the ply touches, else those that the boards around it tell."""
        if hasattr(self.game, "ply_cells"):
            return list(self.game.ply_cells(state[0], self._plies[ply]))
        return super().ply_cells(state, ply)

    def _whole(self, method: str, given: Any, expected: str) -> int:
        try:
            return int(given)
        except (TypeError, ValueError):
            raise GameError(f"{self.name}: {method}() gave {given!r:.40}, expected {expected}") from None

    @contextmanager
    def _hashing(self, what: str) -> Iterator[None]:
        try:
            yield
        except TypeError as error:
            raise GameError(f"{self.name}: {what} that cannot be hashed ({error}); a tuple can") from error

    def _number(self, position: Any, ply: Any) -> int:
        text = str(self.game.write_ply(position, ply) if hasattr(self.game, "write_ply") else ply)
        with self._hashing("plies() gave a ply"):
            number = self._numbers.get((ply, text))
        if number is not None:
            return number
        with self._numbering:
            number = self._numbers.get((ply, text), len(self._plies))
            if number == len(self._plies):
                self._plies.append(ply)
                self._texts.append(text)
                self._numbers[ply, text] = number
        return number


def plies_of(game: Any, position: Any) -> Sequence[Any]:
    """Return the legal plies of a plain game; where chance moves its outcomes, none in a finished game."""
    if not hasattr(game, "chances") or game.player(position) != CHANCE:
        plies: Sequence[Any] = game.plies(position)
        return plies
    return [] if game.winner(position) else [ply for ply, _ in chances_of(game, position)]


def chances_of(game: Any, position: Any) -> list[tuple[Any, float]]:
    """Return the outcomes of chance in `position`, a plain game's, with their probabilities.

    Raises GameError where they differ from the requirements of `PlainGame`.
    """
    found = game.chances(position)

    def error(message: str) -> GameError:
        name, write = getattr(game, "name", type(game).__name__), getattr(game, "write_position", str)
        return GameError(f"{name}: chances() gave {message} in {write(position)}")

    try:
        chances = [(ply, float(probability)) for ply, probability in found]
    except (TypeError, ValueError):
        raise error(f"{found!r}, expected pairs of a ply and its probability,") from None
    for ply, probability in chances:
        if not 0 < probability < math.inf:
            raise error(f"{ply!r} the probability {probability:g}, expected a number above 0,")
    if len({ply for ply, _ in chances}) < len(chances):
        raise error(f"an outcome twice, {[ply for ply, _ in chances]},")
    total = math.fsum(probability for _, probability in chances)
    if abs(total - 1) > ROUNDING:
        raise error(f"probabilities that add up to {total:.10g}, expected 1,")
    return chances
