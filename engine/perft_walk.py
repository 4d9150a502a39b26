"""Perft by plies against another count of them, walked down to the first position where the two differ."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from plyscope.engine.game import Game, GameError, PlainGame
from plyscope.engine.perft import divide, named_children
from plyscope.engine.quoting import counted

COUNT: Final = re.compile(r"\s*(\S+?)\s*(?::|=|\s|-(?=\s))\s*(\d[\d,_']*)\s*")
"""A line with a ply and the leaves below it, as engines print them."""
NO_PLIES: Final = frozenset(("nodes", "total", "leaves", "moves", "perft", "depth", "time", "nps", "sum"))
MOST_LISTED: Final = 8

Ask = Callable[[Any, int], Iterable[str]]
"""Gives the lines of the other count for a position and a depth."""


@dataclass(frozen=True)
class Comparison:
    """Two counts of the position at the end of a path: one that differs, or the start for none.

    `here` and `there` are the leaves below `ply`, or of all plies where it is None.
    """

    path: tuple[str, ...]
    position: str | None
    here: int
    there: int
    only_here: tuple[str, ...] = ()
    only_there: tuple[str, ...] = ()
    ply: str | None = None

    @property
    def is_equal(self) -> bool:
        """Whether no ply differs."""
        return self.ply is None and not self.only_here and not self.only_there

    def __str__(self) -> str:
        """The first difference, in words."""
        if self.is_equal:
            return f"both count {counted(self.here, 'leaf')}, ply by ply"
        where = f"after {' > '.join(self.path)}" if self.path else "in the first position"
        if self.ply is not None:
            return f"{where}, {self.ply} has {counted(self.here, 'leaf')} here and {self.there:,} there"
        said = [
            f"{counted(len(plies), 'ply')} only {side}: {', '.join(plies[:MOST_LISTED])}"
            + (" …" if len(plies) > MOST_LISTED else "")
            for side, plies in (("here", self.only_here), ("there", self.only_there))
            if plies
        ]
        return f"{where}, {'; '.join(said)}"


def read_counts(game: Any, state: Any, lines: Iterable[str]) -> dict[str, int]:
    """The leaves below each ply that lines tell, by the ply's text here; one that is none here keeps its own.

    >>> from plyscope.engine.games import find
    >>> game = find("reversi")
    >>> read_counts(game, game.read_position(game.start), ["d3: 3", "x9 - 1,000", "", "Nodes searched: 1003"])
    {'d3': 3, 'x9': 1000}
    """
    counts = {}
    for line in lines:
        found = COUNT.fullmatch(line)
        if found is None or found[1].lower() in NO_PLIES:
            continue
        name = found[1]
        if hasattr(game, "read_ply") and hasattr(game, "generate"):
            with suppress(GameError):
                name = game.write_ply(state, game.read_ply(state, name))
        counts[name] = int(re.sub(r"\D", "", found[2]))
    return counts


def compare(game: Game | PlainGame, state: Any, depth: int, ask: Ask, *, deeper: bool = True) -> Comparison:
    """Walk down from `state` to the first position where plies differ.

    Without `deeper` the other count is known of `state` alone. Raises GameError where it tells nothing.
    """
    path: tuple[str, ...] = ()
    above: Comparison | None = None
    while True:
        here, there = divide(game, state, depth), read_counts(game, state, ask(state, depth))
        if here and not there:
            raise GameError("the other count has no line with a ply and a number, such as 'e2e4: 20'")
        position = game.write_position(state) if hasattr(game, "write_position") else None
        only_here = tuple(ply for ply in here if ply not in there)
        only_there = tuple(ply for ply in there if ply not in here)
        differs = next((ply for ply in here if there.get(ply, here[ply]) != here[ply]), None)
        if only_here or only_there or differs is None:
            found = Comparison(path, position, sum(here.values()), sum(there.values()), only_here, only_there)
            # Below a ply whose counts differ both may count the same: then the sum above is wrong.
            return above if above is not None and found.is_equal else found
        above = Comparison(path, position, here[differs], there[differs], ply=differs)
        if depth == 1 or not deeper:
            return above
        state = dict(named_children(game, state))[differs]
        path, depth = (*path, differs), depth - 1
