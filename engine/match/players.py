"""The players of a game: random plies, and searches, whose recordings are kept where a log is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, Protocol

import numpy as np

from plyscope.engine.game import State
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.montecarlo.flat.options import FlatOptions
from plyscope.engine.montecarlo.flat.run import search as search_flat
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.montecarlo.run import search as grow
from plyscope.engine.options import MOST_DEPTH, SearchOptions
from plyscope.engine.record.recording import Recording
from plyscope.engine.run import search

REUSE: Final = "reuse_tree"
"""Whether a Monte Carlo player goes on in the tree of its last turn."""


class Player(Protocol):
    """One side of one game."""

    recording: Recording | None
    """The search of the last choice, for a player that records; None for any other."""

    def choose(self, state: State) -> int:
        """A legal ply in `state`, which is not to be changed. Raises PlayerError: the game is lost."""

    def close(self) -> None:
        """Let go of what the game took."""


class Seat:
    """A player that took nothing which it had to let go of."""

    recording: Recording | None = None

    def close(self) -> None:
        """Nothing to do."""


class RandomPlayer(Seat):
    """Takes any legal ply."""

    def __init__(self, arbiter: Arbiter, seed: int) -> None:
        self._arbiter, self._draw = arbiter, np.random.default_rng(seed)

    def choose(self, state: State) -> int:
        """Draw one of the legal plies."""
        return self._arbiter.drawn(state, self._draw)


class SearchingPlayer(Seat):
    """Takes what a search finds; its transposition table lasts for one game."""

    def __init__(self, arbiter: Arbiter, options: SearchOptions, seed: int, *, records: bool = False) -> None:
        self._arbiter, self._records = arbiter, records
        is_timed = options.seconds is not None or options.nodes is not None
        deep = replace(options, depth=MOST_DEPTH, iterative=True) if is_timed else options
        self._options = replace(deep, record=records)
        self._seeds = np.random.default_rng(seed)
        self._table: Any = None

    def choose(self, state: State) -> int:
        """Search, and read the ply that was found."""
        options = self._options
        if options.quotient is not None:
            options = replace(options, seed=int(self._seeds.integers(2**32)))
        self.recording = None  # before the next search takes memory for its rows
        found = search(self._arbiter.rules, state, options, table=self._table)
        self._table = found.table
        self.recording = found if self._records else None
        return self._arbiter.read(state, found.ply)


class MonteCarloPlayer(Seat):
    """Takes what a Monte Carlo tree search finds; with `reuses_tree` a turn goes on in the last tree."""

    def __init__(
        self,
        arbiter: Arbiter,
        options: MonteCarloOptions,
        seed: int,
        *,
        reuses_tree: bool,
        records: bool = False,
    ) -> None:
        self._arbiter, self._reuses_tree, self._records = arbiter, reuses_tree, records
        self._options = replace(options, record=records)
        self._seeds = np.random.default_rng(seed)
        self._tree: Any = None

    def choose(self, state: State) -> int:
        """Search with a seed of its own, and read the ply that was found."""
        options = replace(self._options, seed=int(self._seeds.integers(2**63)))
        self.recording = None
        found = grow(self._arbiter.rules, state, options, tree=self._tree)
        if self._reuses_tree:
            self._tree = found.table
        self.recording = found if self._records else None
        return self._arbiter.read(state, found.ply)


class FlatPlayer(Seat):
    """Takes the ply that wins most play-outs; it counts its turns, and its play-outs grow if they are to."""

    def __init__(self, arbiter: Arbiter, options: FlatOptions, seed: int, *, records: bool = False) -> None:
        self._arbiter, self._records = arbiter, records
        self._options = replace(options, record=records)
        self._seeds = np.random.default_rng(seed)

    def choose(self, state: State) -> int:
        """Play every legal ply out."""
        options = replace(self._options, seed=int(self._seeds.integers(2**32)))
        self.recording = None
        found = search_flat(self._arbiter.rules, state, options)
        self._options = replace(self._options, turn=options.turn + 1, n=int(found.table or 0))
        self.recording = found if self._records else None
        return self._arbiter.read(state, found.ply)


def tree_options(options: Mapping[str, Any]) -> MonteCarloOptions:
    """The options of a Monte Carlo agent as its search takes them. Raises OptionError."""
    asked = {name: value for name, value in options.items() if name not in ("algorithm", REUSE)}
    return MonteCarloOptions(**asked, record=False)


def flat_options(options: Mapping[str, Any]) -> FlatOptions:
    """The options of a flat Monte Carlo agent as its search takes them. Raises OptionError."""
    asked = {name: value for name, value in options.items() if name != "algorithm"}
    return FlatOptions(**asked, record=False)
