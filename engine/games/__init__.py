"""The games of the engine, their registry, and the modules that play any game.

A game's module is imported when the game is first asked for. Adding a game takes one module that ends in
`GAME: Final = …` and one line here; the tests walk this table. `outside.py` has the games that others bring,
by a file, a folder or an installed package, and `game_files.py` what a user's file imports. `stepping.py`
goes from one position to the next, `bits.py` has boards of 64 cells as a word, `plain.py` gives any Python
object the methods of kernels, and `guard.py` calls the code of others with care.
"""

from __future__ import annotations

import os.path
import shlex
from collections.abc import Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any, Final, cast

from plyscope.engine.former import left
from plyscope.engine.game import Game, GameError
from plyscope.engine.games import outside

GAMES: Final[Mapping[str, str]] = {
    "chess": "plyscope.engine.games.chess",
    "connect_four": "plyscope.engine.games.connect_four",
    "explicit_tree": "plyscope.engine.games.explicit_tree",
    "hive": "plyscope.engine.games.hive",
    "reversi": "plyscope.engine.games.reversi",
    "tictactoe": "plyscope.engine.games.tictactoe",
}
"""Module of each game, by the name that logs and commands use."""
RESPELLED: Final = ("chess",)
"""Games whose plies come in several notations in foreign logs; all are shown in the game's own."""
LEFT: Final = ("odd",)
"""Games that have left for the package plyscope-studies."""


def find(name: str) -> Game:
    """Return the game called `name`, in any case, its words joined by `_`, `-` or a space.

    It is one of ours, or one that this process was given by `outside.bring`: a name in a log loads no code.
    Raises GameError that lists the games there are.

    >>> find("Connect-Four").name
    'connect_four'
    """
    wanted = _as_registered(name)
    if (given := outside.brought().get(name)) is not None:
        return given.kernels
    if wanted not in GAMES:
        close = get_close_matches(wanted[:50], GAMES, n=1)
        hint = "; of a file expected file.py:Class; the" if wanted.endswith(".py") else "; the"
        hint = f"; did you mean {close[0]!r}? The" if close else hint
        raise GameError(f"no game {name[:50]!r}{hint} games are: {', '.join(GAMES)}")
    return cast(Game, import_module(GAMES[wanted]).GAME)


def find_as_written(name: str) -> Any:
    """The same as searches take it: a plain game is the object that somebody wrote, without kernels."""
    given = outside.brought().get(name)
    return find(name) if given is None else given.game


def find_logged(name: str) -> Game:
    """The same for the name that a log states; the GameError says how a game of somebody's own comes here."""
    try:
        return find(name)
    except GameError as error:
        if is_known(name):
            raise
        if name in LEFT and name not in outside.installed():
            raise GameError(left(name, f"add --game {name}")) from None
        raise GameError(
            f"{error}; one of your own comes with --game {shlex.quote(outside.place_for(name))}"
        ) from None


def load_game(name: str) -> Any:
    """Return the game of this name, of a user's file or folder, or of an installed package.

    Raises GameError.

    >>> load_game("reversi").name
    'reversi'
    """
    if is_outside(name):
        return outside.load(name)
    if not is_known(name) and (wanted := _as_registered(name)) in LEFT:
        raise GameError(left(wanted, "ask again"))
    try:
        return find_as_written(name)
    except GameError as error:
        installed = f"; installed are: {', '.join(outside.installed())}" if outside.installed() else ""
        file = f"; the file beside you is {shlex.quote(f'{name}.py')}" if os.path.isfile(f"{name}.py") else ""
        raise GameError(f"{error}{installed}{file}") from None


def is_outside(name: str) -> bool:
    """Whether a name that a person gave is the place of a game from outside; no folder hides a game of ours.

    >>> is_outside("mine.py:Mine"), is_outside("Connect-Four")
    (True, False)
    """
    return not is_known(name) and outside.is_place(name)


def is_known(name: str) -> bool:
    """Whether `find` finds the game; its module is not imported.

    >>> is_known("Connect-Four"), is_known("shogi")
    (True, False)
    """
    return _as_registered(name) in GAMES or name in outside.brought()


def is_respelled(name: str) -> bool:
    """Return whether plies of that game are shown in its own notation, whatever a log wrote."""
    return _as_registered(name) in RESPELLED and name not in outside.brought()


def _as_registered(name: str) -> str:
    return name.strip().lower().replace("-", "_").replace(" ", "_")
