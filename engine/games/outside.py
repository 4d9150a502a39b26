"""Games from outside: a class of a file, or what an installed package names in the group `plyscope.games`.

What a log says never makes code load. A process knows the built-in games and those that it was given on its
command line, which `bring` keeps by their names.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any, Final

from plyscope.engine.game import GameError

GROUP: Final = "plyscope.games"
"""The group of entry points: a name, and an object that is a game, its class, or a function that returns one.

`NAME:TEXT` calls the function with the text.
"""


@dataclass(frozen=True)
class Brought:
    """A game that this process was given, and the place by which a child process is given it, too."""

    place: str
    game: Any


_brought: dict[str, Brought] = {}


def installed() -> dict[str, EntryPoint]:
    """The entry points of installed packages that are games, by name; nothing is imported."""
    return {point.name: point for point in entry_points(group=GROUP)}


def is_place(name: str) -> bool:
    """Whether `name` is meant as a game from outside: of a file, or of an installed package."""
    return ":" in name or name.endswith(".py") or name in installed()


def load(place: str) -> Any:
    """Return the game at `place`: `file.py:Class`, or the `NAME` or `NAME:TEXT` of an installed package.

    Raises GameError that says which part of `place` is wrong; exceptions of the game's code are passed on.
    """
    name, colon, text = place.partition(":")
    point = installed().get(name)
    if point is None:
        from plyscope.engine.games.plain import load as load_file

        return load_file(place)
    made = point.load()
    if colon and not callable(made):
        raise GameError(f"{place!r}: {name} is one game, expected {name!r} alone")
    return made(text) if colon else made() if callable(made) else made


def bring(place: str) -> Any:
    """Load the game at `place` and know it by its name in this process; raises GameError."""
    game = load(place)
    _brought[game.name] = Brought(place, game)
    return game


def brought() -> MappingProxyType[str, Brought]:
    """The games that this process was given, by the names that logs of them state."""
    return MappingProxyType(_brought)
