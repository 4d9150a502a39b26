"""The players of a game: random plies, and searches, whose recordings are kept where a log is wanted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol, cast

import numpy as np

from plyscope.engine.algorithms import OURS, Algorithm
from plyscope.engine.game import State
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.option import Options
from plyscope.engine.record.recording import Recording


class Player(Protocol):
    """One side of one game."""

    recording: Recording | None
    """The search of the last choice, for a player that records; None for any other."""

    def choose(self, state: State) -> int:
        """A legal ply in `state`, which is not to be changed. Raises PlayerError: the game is lost."""

    def close(self) -> None:
        """Free the resources of the game."""


class Seat:
    """A player that took nothing which it had to let go of."""

    recording: Recording | None = None

    def close(self) -> None:
        """Nothing to do."""


class RandomPlayer(Seat):
    """Takes any legal ply; as the dice of a game, any outcome by its probability."""

    def __init__(self, arbiter: Arbiter, seed: int) -> None:
        self._arbiter, self._draw = arbiter, np.random.default_rng(seed)

    def choose(self, state: State) -> int:
        """Draw one of the legal plies."""
        return self._arbiter.drawn(state, self._draw)


class SearchingPlayer(Seat):
    """A player that takes the choice of a search.

    With `carries` a search continues from the last one's result: a transposition table, which lasts for one
    game, or a tree. A search limited by time waits for its machine code, since plain Python would search
    less. With `most_rows` a person waits for its plies: it begins at once, and ends when its log would exceed
    these rows.
    """

    def __init__(
        self,
        arbiter: Arbiter,
        algorithm: Algorithm,
        options: Options,
        seed: int,
        *,
        carries: bool = True,
        records: bool = False,
        most_rows: int | None = None,
    ) -> None:
        self._arbiter, self._algorithm, self._carries, self._records = arbiter, algorithm, carries, records
        self._options = replace(cast(Any, options), record=records)
        self._seeds = np.random.default_rng(seed)
        self._carried: Any = None
        self._how: dict[str, Any] = {}
        if algorithm in OURS.values() and most_rows is not None:
            self._how = {"most_rows": most_rows}
        elif algorithm in OURS.values() and options.seconds is not None:
            self._how = {"compiled": True}

    def choose(self, state: State) -> int:
        """Search, and read the ply that was found."""
        options = self._algorithm.of_turn(self._options, self._seeds)
        self.recording = None  # before the next search takes memory for its rows
        found = self._algorithm.search(
            self._arbiter.rules, state, options, carried=self._carried, **self._how
        )
        self._carried = found.table if self._carries else None
        self.recording = found if self._records else None
        return self._arbiter.read(state, found.ply)
