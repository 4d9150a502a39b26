"""The kernel of a run, which is called slice by slice: plain Python until its machine code is there.

All of a search is in arrays between two slices. So a slice may run by machine code where the one before ran
as plain Python, and the log is the same. A search that takes long has another process compile meanwhile:
numba holds the lock of the interpreter, so a process cannot compile beside its own work.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from plyscope.engine import jit
from plyscope.engine.compile.code_cache import is_shared
from plyscope.engine.games import GAMES, load_game, outside

PATIENCE: Final = 0.5
"""The processor time in plain Python before machine code is made: for less, its process would cost more, and
on a busy machine it would only be one more competitor."""

_SEARCH: Final = "plyscope.engine.algorithms"
_makers: dict[tuple[Any, ...], subprocess.Popen[bytes] | None] = {}
"""The compiling processes by task; None where no other process can be given the game."""


class Step:
    """A kernel and the kernels of its game; `rest` are the arguments after those.

    With `compiled=True` it is compiled at once, which takes seconds if the disk has no machine code, after a
    call of `on_compiling`; with False never. With None it runs in plain Python until there is machine code,
    which another process makes from `options`, even if this one ends before. If the game has no name by which
    another process finds it, this one compiles once patience is over. Raises `KernelError` for kernels that
    cannot be compiled.
    """

    def __init__(
        self,
        kernel: Callable[..., Any],
        bound: Any,
        rest: tuple[Any, ...],
        options: Any,
        *,
        compiled: bool | None,
        on_compiling: Callable[[], None] | None = None,
    ) -> None:
        self._kernel, self._options = kernel, options
        self._run = kernel
        self._bound = bound
        self._began = time.process_time()
        self._named = kernel, bound.name, getattr(options, "evaluation", None), *map(jit.form, rest)
        self.is_compiled = self._waits = False
        if compiled is None:
            compiled = jit.is_at_hand(kernel, lambda: (jit.bind(bound), *rest))
            self._waits = not compiled
        if compiled:
            self._load(rest, on_compiling)

    def __call__(self, *rest: Any) -> Any:
        """Call the kernel."""
        if self._waits and (self.is_compiling or time.process_time() - self._began >= PATIENCE):
            self.get_ready(*rest)
        return self._run(self._bound, *rest)

    @property
    def is_compiling(self) -> bool:
        """Return whether its machine code is made meanwhile."""
        return self._waits and self._named in _makers

    def get_ready(self, *rest: Any) -> bool:
        """Load the machine code, or have another process make it; False while it is made."""
        if self._waits:
            if self._named not in _makers:
                _makers[self._named] = _maker(_SEARCH, self._bound.name, self._options)
            maker = _makers[self._named]
            if maker is None or maker.poll() is not None:
                self._load(rest)
        return not self._waits

    def _load(self, rest: tuple[Any, ...], on_compiling: Callable[[], None] | None = None) -> None:
        compiled, bound = jit.compiled(self._kernel), jit.bind(self._bound)
        if on_compiling is not None and jit.needs_compiling(compiled, bound, *rest):
            on_compiling()
        jit.load(compiled, bound, *rest)
        self._run, self._bound = compiled, bound
        self.is_compiled, self._waits = True, False


def make_once(module: str, game: str, evaluation: str | None) -> None:
    """Start a process that calls `make_ready` of a module, unless one compiles a search of this game already.

    That one compiles the kernels for the log as well.
    """
    if all(named[1:3] != (game, evaluation) for named in _makers):
        _makers[module, game, evaluation] = _maker(module, game, evaluation)


def _maker(module: str, game: str, asked: Any) -> subprocess.Popen[bytes] | None:
    places = outside.places()
    if not is_shared() or (game not in GAMES and game not in places):
        return None
    task = pickle.dumps((places, game, asked))
    make = f"from {module} import make_ready; make_ready()"
    command = [sys.executable, "-P", "-c", make]  # -P: no file of the folder we run in passes for a module
    try:
        maker = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    except OSError:
        return None
    assert maker.stdin is not None
    with suppress(OSError):
        maker.stdin.write(task)
        maker.stdin.close()
    return maker


def told_beside() -> tuple[Any, Any]:
    """The game and the options that a compiling process gets on standard input."""
    places, name, asked = pickle.load(sys.stdin.buffer)
    outside.expect(places)
    return outside.brought()[name].game if name in places else load_game(name), asked
