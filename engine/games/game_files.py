"""The files of a user's game: they import one another as the files beside a script do.

A file is compiled from its text whenever it is loaded: byte code is kept for a text's second and length,
which another text may share. A folder with an `__init__.py` is a package.

While a game is loaded or searched, imports look in its folder first, those inside its functions too. Every
game has modules of its own, as if it had its own process, so two folders with a `rules.py` each do not
clash: `sys.modules` holds the modules of one game at a time, and `enter` replaces them by those of another.
Python has one such table a process, so games that are searched at the same time need a process each.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import importlib.util
import os.path
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final
from weakref import WeakKeyDictionary

from plyscope.engine.game import GameError

_CHECKOUT: Final = os.path.realpath(Path(__file__).parents[2])
_OURS: Final = ("engine", "visualizer", "tests")
"""Folders in a checkout's root, which is on the path. A game that imports these names means its own."""

_files_of: WeakKeyDictionary[type, GameFiles] = WeakKeyDictionary()
_current: GameFiles | None = None


class _FromText(SourceFileLoader):
    """A loader that keeps no byte code."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class GameFiles(MetaPathFinder):
    """The file of a game, or its folder's `__init__.py`, and the modules that were imported beside it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        around = path.resolve().parent
        self._package = str(around) if path.name == "__init__.py" else None
        """The folder, if it is a package."""
        self._name = around.name if self._package else path.stem
        self._folder = str(around.parent if self._package else around)
        self._names: set[str] = set()
        """Modules of the folder, by the first part of their names."""
        self._modules: dict[str, ModuleType] = {}
        """The imported modules, while those of another game are in `sys.modules`."""

    def run(self) -> ModuleType:
        """Enter, and run the game's file as a module of its name; its exceptions are passed on.

        Raises GameError for a package of the name of a module that is loaded.
        """
        spec = importlib.util.spec_from_file_location(
            self._name,
            self._path,
            loader=_FromText(self._name, str(self._path)),
            submodule_search_locations=[self._package] if self._package else None,
        )
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        importlib.invalidate_caches()
        self.enter()
        if spec.name not in sys.modules:
            self._names.add(_first_part(spec.name))
            sys.modules[spec.name] = module
        elif self._package:
            self.leave()
            raise GameError(f"the folder {self._package} has the name of a loaded module: rename it")
        try:
            spec.loader.exec_module(module)
        except BaseException:
            self.leave()
            raise
        return module

    def module(self, name: str) -> ModuleType:
        """Import a module of the package."""
        self.enter()
        return importlib.import_module(f"{self._name}.{name}")

    def digest(self, module: ModuleType) -> str:
        """A digest of the text of `module` and of all that it imports of the folder, inside functions too.

        What the game's file or folder is called does not count.
        """
        waiting = [(module.__name__, Path(module.__file__ or ""))]
        files: dict[str, Path] = {}
        while waiting:
            name, path = waiting.pop()
            if name not in files and path.is_file():
                files[name] = path
                imported = [each for each in _imports(name, path) if _first_part(each) != "plyscope"]
                waiting += [pair for each in imported for pair in self._places(each)]
        parts = {name: name.partition(".") for name in files}
        named = {name: "".join(part[1:]) if part[0] == self._name else name for name, part in parts.items()}
        return digest_of({named[name]: path for name, path in files.items()})

    def _places(self, name: str) -> Iterator[tuple[str, Path]]:
        """The files where a module and the packages around it would be."""
        parts = name.split(".")
        for n in range(1, len(parts) + 1):
            for file in (Path(*parts[:n], "__init__.py"), Path(*parts[: n - 1], f"{parts[n - 1]}.py")):
                yield ".".join(parts[:n]), Path(self._folder, file)

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
            return _from_text(PathFinder.find_spec(name, path)) if _first_part(name) in self._names else None
        is_ours = name in _OURS
        spec = PathFinder.find_spec(name, [place for place in sys.path if not (is_ours and _is_root(place))])
        if spec is not None and self._is_of_folder(spec):
            self._names.add(name)
            return _from_text(spec)
        return spec if is_ours else None

    def _is_of_folder(self, spec: ModuleSpec) -> bool:
        places = [*(spec.submodule_search_locations or ()), spec.origin or ""]
        return any(os.path.dirname(place) == self._folder for place in places)


def digest_of(files: Mapping[str, Path], *others: str) -> str:
    """A digest, 16 hexadecimal digits, of the texts of Python's files by the names of their modules.

    Encodings, ends of lines and spaces before them do not count. `others` are digested as they are.
    """
    digest = hashlib.sha256(repr(others).encode())
    for name, path in sorted(files.items()):
        lines = importlib.util.decode_source(path.read_bytes()).rstrip().split("\n")
        digest.update(repr((name, [line.rstrip() for line in lines])).encode())
    return digest.hexdigest()[:16]


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


def _imports(name: str, path: Path) -> Iterator[str]:
    """The full names that the text of a module imports, of modules and of names in them."""
    package = name.split(".")[: None if path.name == "__init__.py" else -1]
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (each.name for each in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else []
            inside = ".".join([*above, *filter(None, [node.module])])
            yield from (f"{inside}.{each.name}" for each in node.names)


def _from_text(spec: ModuleSpec | None) -> ModuleSpec | None:
    if spec is not None and spec.origin is not None and type(spec.loader) is SourceFileLoader:
        spec.loader = _FromText(spec.name, spec.origin)
    return spec


def _first_part(name: str) -> str:
    return name.partition(".")[0]


def _is_root(place: str) -> bool:
    return os.path.realpath(place) == _CHECKOUT
