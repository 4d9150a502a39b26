"""Tests of kernels where our passes do not fit numba: compiled without them, to the same results."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import numba.core.codegen
import numba.core.compiler
import numba.core.typed_passes
import pytest

from plyscope.engine.compile import callee
from plyscope.engine.games.tictactoe import GAME
from plyscope.engine.perft import perft

COUNT = """
import sys
from plyscope.engine.compile import callee
callee.way = lambda: sys.argv[1]
from plyscope.engine.games.tictactoe import GAME
from plyscope.engine.perft import perft
print(perft(GAME, GAME.read_position("X.. .O. ..."), 5))
"""


@pytest.fixture
def newer(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A version of numba that nobody has tried."""
    monkeypatch.setattr(numba, "__version__", "0.99.0")
    for made in (callee.callee_pipeline, callee.caller_pipeline):
        made.cache_clear()
    yield
    for made in (callee.callee_pipeline, callee.caller_pipeline):
        made.cache_clear()


@pytest.mark.usefixtures("newer")
def test_a_newer_numba_that_is_as_before_gets_the_passes() -> None:
    assert callee.way.__wrapped__() == "passes"


@pytest.mark.usefixtures("newer")
@pytest.mark.parametrize(
    ("where", "name", "left"),
    [
        (numba.core.codegen, "JITCodeLibrary", "options"),
        (numba.core.typed_passes, "NativeLowering", "options"),
        (numba.core.compiler.DefaultPassBuilder, "define_nopython_pipeline", "public"),
    ],
)
def test_a_numba_without_what_a_way_leans_on_is_not_made_to_go_it(
    where: Any, name: str, left: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(where, name)
    assert callee.way.__wrapped__() == left


@pytest.mark.usefixtures("newer")
def test_a_way_that_computes_something_else_is_not_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(callee, "_probe", lambda by: (7.0, 3) if by == "options" else (6.0, 3))
    assert callee.way.__wrapped__() == "options"


@pytest.mark.slow
@pytest.mark.parametrize("by", ["options", "public"])
def test_kernels_without_the_passes_count_the_same_and_are_found_on_disk(by: str, tmp_path: Path) -> None:
    def counted() -> tuple[int, set[int]]:
        done = subprocess.run(
            [sys.executable, "-c", COUNT, by],
            env={"PLYSCOPE_CACHE": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[3])},
            capture_output=True,
            text=True,
            check=True,
        )
        return int(done.stdout), {path.stat().st_ino for path in tmp_path.rglob("*.bin")}

    expected = perft(GAME, GAME.read_position("X.. .O. ..."), 5, compiled=False)
    n_leaves, files = counted()
    assert n_leaves == expected > 1_000
    assert files
    assert counted() == (expected, files)


def function_addresses(dispatcher: Any) -> list[int]:
    """The addresses of a compiled function's machine code and of its wrappers for Python and C."""
    (made,) = dispatcher.overloads.values()
    names = (
        made.fndesc.llvm_func_name,
        made.fndesc.llvm_cpython_wrapper_name,
        made.fndesc.llvm_cfunc_wrapper_name,
    )
    return [made.library.get_pointer_to_function(name) for name in names]


def test_machine_code_begins_at_cache_lines_and_numba_s_own_does_as_before() -> None:
    def plus(number: int) -> int:
        return number + 3

    ours, numba_s = callee.compile_caller(plus), numba.njit(plus)
    assert ours(4) == numba_s(4) == 7
    assert [address % 64 for address in function_addresses(ours)] == [0, 0, 0]
    assert any(address % 64 for address in function_addresses(numba_s))
