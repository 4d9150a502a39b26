"""Games from outside: of a file, a folder, or of an entry point in the group `plyscope.games`.

A log never makes code load. A process knows the built-in games and those of its command line, which `bring`
registers by their names.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from inspect import signature
from pathlib import Path
from types import MappingProxyType, ModuleType
from typing import Any, Final, cast
from weakref import WeakKeyDictionary

from plyscope.engine.compile.kernels import GAME_KERNELS
from plyscope.engine.game import Game, GameError
from plyscope.engine.games.game_files import GameFiles, digest_of, keep, leave
from plyscope.engine.games.guard import Guarded, blamed
from plyscope.engine.games.plain import METHODS, PlainKernels
from plyscope.engine.games.promises import hold_bounds

GROUP: Final = "plyscope.games"
"""The group of entry points: a name, and an object that is a game, its class, or a function that returns one.

`NAME:TEXT` calls the function with the text.
"""

LONGEST_NAME: Final = 50


@dataclass(frozen=True)
class Brought:
    """A game that this process was given, and the place by which a child process is given it, too."""

    place: str | None
    """None for an object, which no other process can be given."""

    @cached_property
    def game(self) -> Any:
        """The game as its author wrote it; loaded now, if it was not. Raises GameError."""
        assert self.place is not None
        with self.blamed():
            return load(self.place)

    @cached_property
    def kernels(self) -> Game:
        """The game with all methods of `Game`, which raise nothing but GameError in any thread."""
        given = self.game if hasattr(self.game, "generate") else PlainKernels(self.game)
        return cast(Game, Guarded(given, self.blamed))

    def blamed(self) -> AbstractContextManager[None]:
        """Raise GameError for whatever the game's code does wrong."""
        name = getattr(self.__dict__.get("game"), "name", "the game")
        return blamed(self.place or name, lambda: folder_of(self.place or ""))


_brought: dict[str, Brought] = {}


@cache
def installed() -> Mapping[str, EntryPoint]:
    """The entry points of installed packages that are games, by name; nothing is imported."""
    return MappingProxyType({point.name: point for point in entry_points(group=GROUP)})


def is_place(name: str) -> bool:
    """Whether `name` is meant as a game from outside: of a file or folder, or of an installed package."""
    is_path = name.endswith(".py") or any(sign in name for sign in (":", "/", os.sep))
    return is_path or name in installed() or os.path.isdir(name)


def load(place: str) -> Any:
    """Return the game at `place`, a kernel game or a plain one.

    That is a file or a folder, with `:NAME` if it has several games, or the `NAME` or `NAME:TEXT` of an
    installed package. A name in a file is a class or function, which is called, or a game. Without one it is
    the module's `GAME`, else its only class with the methods of a game, in a folder that of `__init__.py` or
    `game.py`. The files may import those beside them (see `game_files`).

    A kernel game is held to its bounds first (see `promises`). Raises GameError that says which part of
    `place`, or which kernel, is wrong; exceptions of the game's code are passed on.
    """
    if (point := _entry_point(place)) is not None:
        game, digest = _of_package(point, place)
    else:
        game, digest = _of_file(place)
    for each in (game, *getattr(game, "evaluations", {}).values()):
        _digests[type(each)] = digest
        if hasattr(each, "generate"):
            hold_bounds(each)
    return game


def digest(game: Any) -> str | None:
    """A digest of the sources of a game from outside, as they were when it was loaded; None for ours.

    Those are the files that its file imports from its folder, or its package's with their version.
    """
    return _digests.get(type(getattr(game, "game", game)))


_digests: WeakKeyDictionary[type, str] = WeakKeyDictionary()


def folder_of(place: str) -> Path:
    """The folder that has the sources of the game at `place`, or its one file; nothing of it is imported."""
    if (point := _entry_point(place)) is not None:
        spec = find_spec(point.module.partition(".")[0])
        origin = Path((spec and spec.origin) or "")
        return origin.parent if origin.name == "__init__.py" else origin
    path = Path(_parts(place)[0])
    return path if path.is_dir() else path.parent


def _entry_point(place: str) -> EntryPoint | None:
    """The entry point that `place` names; a letter before a colon is a drive."""
    name = place.partition(":")[0]
    return installed().get(name) if len(name) > 1 else None


def _of_package(point: EntryPoint, place: str) -> tuple[Any, str]:
    name, colon, text = place.partition(":")
    leave()
    made = point.load()
    if colon and not callable(made):
        raise GameError(f"{place!r}: {name} is one game, expected {name!r} alone")
    if colon and not _takes_one(made):
        raise GameError(f"{place!r}: {name} takes no text, expected {name!r} alone")
    game = made(text) if colon else made() if callable(made) else made
    version = "" if point.dist is None else point.dist.version
    return game, digest_of(_files_of_package(point), version, str(getattr(game, "version", "")))


def _takes_one(made: Callable[..., Any]) -> bool:
    """Whether a class or function can be called with one text."""
    try:
        signature(made).bind("")
    except TypeError:
        return False
    except ValueError:  # of machine code, which does not say
        return True
    return True


def _files_of_package(point: EntryPoint) -> dict[str, Path]:
    """The sources of an entry point's package by name; of our own the module alone."""
    module, top = (import_module(name) for name in (point.module, point.module.partition(".")[0]))
    if not hasattr(top, "__path__") or top.__name__ == "plyscope":
        return {module.__name__: Path(module.__file__ or "")}
    folders = [Path(folder) for folder in top.__path__]
    return {file.relative_to(at).as_posix(): file for at in folders for file in at.rglob("*.py")}


def _parts(place: str) -> tuple[str, str]:
    """The path of a place, and the name after it."""
    path, _, name = place.rpartition(":")
    return (path, name) if len(path) > 1 and name.isidentifier() else (place, "")


def _of_file(place: str) -> tuple[Any, str]:
    given, name = _parts(place)
    path = Path(given)
    if path.suffix != ".py" and not path.is_dir():
        known = f"; installed are: {', '.join(installed())}" if installed() else ""
        raise GameError(
            f"{place!r} names no game; expected file.py:Class, a folder, or an installed game{known}"
        )
    files = [path / each for each in ("__init__.py", "game.py")] if path.is_dir() else [path]
    if not (there := [file for file in files if file.is_file()]):
        raise GameError(f"{place!r}: there is no file {' or '.join(map(str, files))}")
    modules = GameFiles(there[0])
    module = modules.run()
    if there[1:] and not (hasattr(module, name) if name else _games_in(module)):
        module = modules.module("game")
    game = _game_in(module, name, place)
    for each in (game, *getattr(game, "evaluations", {}).values()):
        keep(each, modules)
    return game, modules.digest(module)


def _game_in(module: ModuleType, name: str, place: str) -> Any:
    """The game of this name in a module; of no name, its only one."""
    file = Path(module.__file__ or "").name
    if name and not hasattr(module, name):
        own = [each for each in vars(module).values() if isinstance(each, type)]
        classes = [each.__name__ for each in own if not each.__module__.startswith("plyscope.")]
        raise GameError(f"{place!r}: {file} has no {name}; it has {', '.join(classes) or 'no class'}")
    games = {name: getattr(module, name)} if name else _games_in(module)
    if not games:
        raise GameError(f"{place!r}: {file} has no game{_almost(module)}")
    if len(games) > 1:
        raise GameError(f"{place!r}: {file} has several games; expected one of {', '.join(games)}")
    (found,) = games.values()
    return found() if callable(found) else found


def _almost(module: ModuleType) -> str:
    """The end of an error: methods that the class most like a game lacks, or all that a game has."""
    lacks = {
        name: [method for method in methods if not hasattr(each, method)]
        for name, each in vars(module).items()
        if isinstance(each, type) and each.__module__ == module.__name__
        for methods in [GAME_KERNELS if hasattr(each, "generate") else METHODS]
        if any(hasattr(each, method) for method in methods)
    }
    if not lacks:
        return f", which is a class with {', '.join(METHODS)}"
    name = min(lacks, key=lambda name: len(lacks[name]))
    return f": {name} lacks {', '.join(lacks[name])}"


def _games_in(module: ModuleType) -> dict[str, Any]:
    """The games of a module by name: `GAME`, else its own classes of games, else those that it imports."""
    if hasattr(module, "GAME"):
        return {"GAME": module.GAME}
    games = {
        name: each
        for name, each in vars(module).items()
        if isinstance(each, type)
        and not each.__module__.startswith("plyscope.")
        and any(all(hasattr(each, method) for method in methods) for methods in (METHODS, GAME_KERNELS))
    }
    own = {name: each for name, each in games.items() if each.__module__ == module.__name__}
    return own or games


def bring(place: str) -> Any:
    """Load the game at `place` and know it by its name in this process; raises GameError."""
    return know(load(place), place)


def know(game: Any, place: str | None = None, *, is_kept: bool = True) -> Any:
    """Check that `game` is complete, and register it by its name in this process; raises GameError."""
    given = Brought(place)
    given.__dict__["game"] = game
    name = given.kernels.name
    if place is None and hasattr(game, "generate") and not type(game).__module__.startswith("plyscope."):
        hold_bounds(game)
    if is_kept:
        _brought[name] = given
    leave()
    return game


def expect(places: Mapping[str, str]) -> None:
    """Know games by their names, and load each from its place when it is first asked for."""
    _brought.update({name: Brought(place) for name, place in places.items()})


def brought() -> MappingProxyType[str, Brought]:
    """The games that this process was given, by the names that logs of them state."""
    return MappingProxyType(_brought)


def faults_told(name: str) -> AbstractContextManager[None]:
    """Raise GameError for whatever the code of this game does wrong, if this process was given it."""
    given = _brought.get(name)
    return nullcontext() if given is None else given.blamed()


def place_for(name: str) -> str:
    """The place by which a game of this name is brought, which is compared as text: nothing is imported."""
    is_short = len(name) <= LONGEST_NAME and name.isprintable()
    return name if is_short and name.partition(":")[0] in installed() else "FILE.py:Class"


def places() -> dict[str, str]:
    """The places of the games that another process can be given, by name."""
    return {name: given.place for name, given in _brought.items() if given.place is not None}
