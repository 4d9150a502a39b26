"""The rules of a match: openings drawn at random, dice rolled, plies played, and when a game is over."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import CHANCE, DRAWN, FIRST_WON, ONGOING, SCORED, SECOND_WON, State
from plyscope.engine.games.game_files import enter
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.match.errors import MatchError
from plyscope.engine.options import SearchOptions, weights_of

MOST_TRIES: Final = 100
"""How often an opening is drawn again that ends the game."""


class Arbiter:
    """A game as its matches need it, in plain Python: a ply costs microseconds, and no search takes less.

    >>> from plyscope.engine.games.tictactoe import GAME
    >>> arbiter = Arbiter(GAME)
    >>> state = arbiter.start()
    >>> arbiter.play(state, arbiter.legal(state)[4]), arbiter.write(state)
    (0, '... .X. ... O')
    """

    def __init__(self, game: Any, position: str | None = None) -> None:
        enter(game)
        is_plain = hasattr(game, "plies")
        self.rules = game
        """The game as a search takes it."""
        self.game = PlainKernels(game) if is_plain else game
        self._has_chance = is_plain and hasattr(game, "chances")
        self._position = position if position is not None or is_plain else game.start
        self._plies = np.zeros(self.game.max_plies, np.int32)
        self._weights = np.array(list(weights_of(game, SearchOptions()).values()), np.float64)

    def start(self) -> State:
        """A new state, where every game begins."""
        state: State = self.game.read_position(self._position)
        return state

    def legal(self, state: State) -> npt.NDArray[np.int32]:
        """The legal plies, in memory that the next call takes again."""
        while (n_plies := int(self.game.generate(state, self._plies))) < 0:
            self._plies = np.zeros(self.game.max_plies, np.int32)
        return self._plies[:n_plies]

    def drawn(self, state: State, draw: np.random.Generator) -> int:
        """One of the legal plies: the one that `draw.choice` would take, in half the time.

        Where chance moves it is an outcome, by the probabilities.
        """
        plies = self.legal(state)
        if self._has_chance and self.player(state) == CHANCE:
            return int(draw.choice(plies, p=self.game.probabilities(state)))
        return int(plies[draw.integers(len(plies))])

    def play(self, state: State, ply: int) -> int:
        """Play a legal ply; the status after it."""
        return self.step(state, ply)[0]

    def step(self, state: State, ply: int) -> tuple[int, int]:
        """Play a legal ply; the status after it, and who is to move."""
        self.game.apply(state, ply)
        return int(self.game.status(state)), self.player(state)

    def player(self, state: State) -> int:
        """The side to move, 0 or 1, or CHANCE."""
        return int(self.game.player(state))

    def write(self, state: State) -> str:
        """The position as text."""
        return str(self.game.write_position(state))

    def read(self, state: State, text: str | None) -> int:
        """The legal ply that is written so; the first where none is, as of a search that had no time."""
        plies = self.legal(state).tolist()
        written = (ply for ply in plies if str(self.game.write_ply(state, ply)) == text)
        return int(next(written, plies[0]))

    def points(self, state: State, status: int) -> float:
        """Player 0's points in a game that is over: 1, 0.5 or 0."""
        if status == SCORED:
            values = np.zeros(len(self._weights))
            self.game.values(state, values)
            return float((np.sign(values @ self._weights) + 1) / 2)
        return {FIRST_WON: 1.0, SECOND_WON: 0.0, DRAWN: 0.5}[status]

    def adjudicate(self, state: State, way: str) -> float:
        """Player 0's points in a game that was broken off, by the game's `adjudications[way]`."""
        game: Any = self.game
        return float(game.adjudications[way](state))

    def opening(self, n_plies: int, seed: int) -> tuple[State, list[str]]:
        """A position after `n_plies` random plies, and those plies; drawn again where the game ends.

        Raises MatchError where no game lasts that long.
        """
        draw = np.random.default_rng(seed)
        for _ in range(MOST_TRIES):
            texts: list[str] = []
            state, status = self.start(), ONGOING
            while len(texts) < n_plies and status == ONGOING:
                ply = self.drawn(state, draw)
                texts.append(str(self.game.write_ply(state, ply)))
                status = self.play(state, ply)
            if status == ONGOING:
                return state, texts
        raise MatchError(f"{self.game.name}: {MOST_TRIES} games of {n_plies} random plies all ended before")
