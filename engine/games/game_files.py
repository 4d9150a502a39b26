"""The files of a user's game: they import one another as the files beside a script do.

While a game is loaded or searched, imports look in its folder first, those inside its functions too. Every
game has modules of its own, as if it had its own process, so two folders with a `rules.py` each do not
clash: `sys.modules` holds the modules of one game at a time, and `enter` replaces them by those of another.
Python has one such table a process, so games that are searched at the same time need a process each.
"""

from __future__ import annotations

import importlib
import importlib.util
import os.path
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, Final
from weakref import WeakKeyDictionary

_CHECKOUT: Final = os.path.realpath(Path(__file__).parents[2])
_OURS: Final = ("engine", "visualizer", "tests")
"""Folders in a checkout's root, which is on the path. A game that imports these names means its own."""

_files_of: WeakKeyDictionary[type, GameFiles] = WeakKeyDictionary()
_current: GameFiles | None = None


class GameFiles(MetaPathFinder):
    """The file of a game, and the modules that were imported from its folder."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._folder = str(path.resolve().parent)
        self._names: set[str] = set()
        """Modules of the folder, by the first part of their names."""
        self._modules: dict[str, ModuleType] = {}
        """The imported modules, while those of another game are in `sys.modules`."""

    def run(self) -> ModuleType:
        """Enter, and run the game's file as a module of its name; its exceptions are passed on."""
        spec = importlib.util.spec_from_file_location(self._path.stem, self._path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        importlib.invalidate_caches()
        self.enter()
        if spec.name not in sys.modules:
            self._names.add(_first_part(spec.name))
            sys.modules[spec.name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            self.leave()
            raise
        return module

    def enter(self) -> None:
        """Make imports look in the folder first, and find the modules of this game."""
        global _current
        if _current is self:
            return
        leave()
        sys.path.insert(0, self._folder)
        sys.meta_path.insert(sys.meta_path.index(PathFinder), self)
        sys.modules.update(self._modules)
        _current = self

    def leave(self) -> None:
        """Undo `enter`; another `enter` brings folder and modules back."""
        global _current
        if self._folder in sys.path:
            sys.path.remove(self._folder)
        sys.meta_path.remove(self)
        ours = [name for name in sys.modules if _first_part(name) in self._names]
        self._modules = {name: sys.modules.pop(name) for name in ours}
        _current = None

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find a module on Python's path, and note those of the folder; None leaves it to the next finder.

        Folders in the checkout's root are skipped: Python would prefer one with an `__init__.py` to the
        game's without.
        """
        if path is not None:
            return None
        is_ours = name in _OURS
        spec = PathFinder.find_spec(name, [place for place in sys.path if not (is_ours and _is_root(place))])
        if spec is not None and self._is_of_folder(spec):
            self._names.add(name)
            return spec
        return spec if is_ours else None

    def _is_of_folder(self, spec: ModuleSpec) -> bool:
        places = [*(spec.submodule_search_locations or ()), spec.origin or ""]
        return any(os.path.dirname(place) == self._folder for place in places)


def keep(game: Any, files: GameFiles) -> None:
    """Remember the files of a game, so that `enter` finds them."""
    _files_of[type(game)] = files


def enter(game: Any) -> None:
    """Make imports find the files of `game` again, if another game was loaded since."""
    files = _files_of.get(type(game))
    if files is not None:
        files.enter()


def leave() -> None:
    """Restore imports as they were before any game was loaded; `enter` brings a game's back."""
    if _current is not None:
        _current.leave()


def _first_part(name: str) -> str:
    return name.partition(".")[0]


def _is_root(place: str) -> bool:
    return os.path.realpath(place) == _CHECKOUT
