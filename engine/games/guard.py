"""Safe calls of a user's game: from any thread, with every fault as one sentence."""

from __future__ import annotations

import ast
import functools
import re
import sysconfig
import traceback
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, Final

from plyscope.engine.compile.fingerprint import KernelError
from plyscope.engine.compile.kernels import GAME_KERNELS, OPTIONAL_KERNELS
from plyscope.engine.game import Board, Cell, GameError
from plyscope.engine.games.game_files import enter
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.option import OptionError
from plyscope.engine.quoting import quoted

HOME: Final = Path(__file__).resolve().parents[2]
OURS: Final = ("plyscope", "engine", "visualizer")
"""Our own code, as folders of `HOME`: a checkout's root, or the package of a wheel."""

_TEXTS: Final = ("read_position", "write_position", "read_ply", "write_ply", "board", "ply_cells")
_OPTIONAL: Final = ("taken_back", "contradiction", "write_code", "why_over")
_GUARDED: Final = frozenset((*_TEXTS, *_OPTIONAL, *GAME_KERNELS, *OPTIONAL_KERNELS))
_turn: Final = RLock()
"""Held while a game's code runs: Python has one table of modules, and each game has its own in it."""


class Guarded:
    """A game whose Python finds its files whichever thread calls it, and raises nothing but GameError.

    `blamed` makes the context that says so. The game is `unguarded`, for whoever compiles its kernels.
    """

    def __init__(self, game: Any, blamed: Callable[[], AbstractContextManager[None]]) -> None:
        self.unguarded, self._blamed = game, blamed
        self._files_of = game.game if isinstance(game, PlainKernels) else game

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.unguarded, name)
        if name in _GUARDED:
            found = self._with_care(name, found)
            setattr(self, name, found)
        return found

    def _with_care(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def _called(*arguments: Any) -> Any:
            with _turn, self._blamed():
                enter(self._files_of)
                found = method(*arguments)
                if name == "board":
                    _see_board(found)
                return found

        return _called


@contextmanager
def blamed(place: str, folder: Callable[[], Path]) -> Iterator[None]:
    """Raise GameError for whatever the code of the game at `place`, in a folder, does wrong."""
    try:
        yield
    except (GameError, OptionError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        raise GameError(fault_of(place, folder(), error)) from error


def _see_board(found: Any) -> None:
    """Raise TypeError for anything but a board."""
    if not isinstance(found, Board) or not all(isinstance(cell, Cell) for cell in found.cells):
        raise TypeError(f"board() gave {quoted(repr(found))}, expected a Board with a tuple of Cells")


LONGEST: Final = 1000
"""The most characters of an exception's message."""


def fault_of(place: str, folder: Path, error: BaseException) -> str:
    """The sentence about an exception in the code of a game, or about its result, with the place."""
    if isinstance(error, KernelError):
        return f"{place}: {error}"
    if type(error).__module__.startswith("numba."):
        return f"{place}: numba cannot compile it: {_refused(str(error), folder.resolve())}"
    says = error.msg if isinstance(error, SyntaxError) else str(error)
    says = f"{says[:LONGEST]}…" if len(says) > LONGEST else says
    what = f"{type(error).__name__}: {says}" if says else type(error).__name__
    return f"{place}: {what} ({_where(error, folder)})"


def _refused(text: str, folder: Path) -> str:
    """Numba's innermost reason why it does not compile a kernel, and the line of the game if it has one."""
    inmost = text.rpartition("(step: nopython frontend)\n")[2].strip()
    places = re.findall(r"During: typing of .* at (.+) \((\d+)\)", inmost)
    own = [(Path(file), int(line)) for file, line in places if _is_own(Path(file).resolve(), folder)]
    where = "".join(f" (line {line} of {file}, in {_function_at(file, line)})" for file, line in own[:1])
    reason, _, more = inmost.partition("\n")
    call = re.search(r">{3} (.+)", more) if reason.endswith(":") else None
    return reason.removesuffix(":") + (f" {call[1]}" if call else "") + where


def _function_at(file: Path, line: int) -> str:
    """The name of the function that has a line of a file."""
    functions = [node for node in ast.walk(ast.parse(file.read_bytes())) if isinstance(node, ast.FunctionDef)]
    around = [node.name for node in functions if node.lineno <= line <= (node.end_lineno or line)]
    return around[-1] if around else "the module"


def _where(error: BaseException, given: Path) -> str:
    if isinstance(error, SyntaxError) and error.lineno is not None:
        return f"line {error.lineno} of {error.filename}"
    frames = traceback.extract_tb(error.__traceback__)  # from where it was caught
    folder = given.resolve()
    own = [frame for frame in frames if _is_own(Path(frame.filename).resolve(), folder)]
    if own:
        file = given / Path(own[-1].filename).resolve().relative_to(folder)
        return f"line {own[-1].lineno} of {file}, in {own[-1].name}"
    asked = [f" to {frame.name}" for frame in frames[1:] if not frame.name.startswith("_")]
    return f"in what its methods gave{''.join(asked[-1:])}; docs/adding-a-game.md says what they give"


def _is_own(file: Path, folder: Path) -> bool:
    """Whether a file is the game's own: in its folder, and neither ours nor of a library that lies there."""
    theirs = (Path(sysconfig.get_path("stdlib")), *(HOME / name for name in OURS))
    if not file.is_file() or not file.is_relative_to(folder):
        return False
    around = [place for place in theirs if not folder.is_relative_to(place)]
    is_library = "site-packages" in file.relative_to(folder).parts
    return not is_library and not any(file.is_relative_to(place) for place in around)
