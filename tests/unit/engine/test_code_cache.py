"""Machine code: loaded where it is ours and whole, compiled by the passes that fit numba."""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import numba.core.codegen
import numba.core.compiler
import numba.core.typed_passes
import pytest

from plyscope.engine import jit
from plyscope.engine.compile import callee, code_cache
from plyscope.engine.games.tictactoe import GAME
from plyscope.engine.jit import kernel
from plyscope.engine.perft import perft


@kernel
def _tripled(x: float) -> float:
    return x * 3


@kernel
def _impossible(x: float) -> float:
    return x + "no number"  # type: ignore[operator,no-any-return]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of machine code; nothing is loaded yet."""
    monkeypatch.setenv("PLYSCOPE_CACHE", str(tmp_path))
    code_cache.cache_folder.cache_clear()
    yield tmp_path / "kernels" / code_cache.FORMAT
    code_cache.cache_folder.cache_clear()
    jit.compiled.cache_clear()


def compile_anew() -> bool:
    """Call the kernel as a new process would; whether it was compiled."""
    code_cache.cache_folder.cache_clear()
    jit.compiled.cache_clear()
    triple = jit.compiled(_tripled)
    has_to = jit.needs_compiling(triple, 3.0)
    assert triple(3.0) == 9.0
    assert (sum(triple.stats.cache_misses.values()) == 1) is has_to
    return has_to


def owned_by_nobody(path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    os.chown(path, 65534, 65534)


def replace(path: Path, payload: bytes) -> None:
    path.write_bytes(hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload)


def test_machine_code_and_its_folder_are_written_by_the_user_alone(folder: Path) -> None:
    told: list[bool] = []
    code_cache.tell_compiling(told.append)
    try:
        assert compile_anew()
        (file,) = folder.iterdir()
        assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, file)] == [0o700, 0o600]
        assert not compile_anew()
        assert told == [True, False]
    finally:
        code_cache.tell_compiling(None)


def test_what_must_be_compiled_is_known_before_by_the_types_of_its_arguments(folder: Path) -> None:
    triple = jit.compiled(_tripled)
    assert jit.needs_compiling(triple, 3.0)
    jit.load(triple, 3.0)
    assert not jit.needs_compiling(triple, 3.0)
    assert jit.needs_compiling(triple, 3)


def test_machine_code_that_nobody_used_for_months_is_deleted(folder: Path) -> None:
    folder.mkdir(parents=True, mode=0o700)
    old, young = folder / "old.bin", folder / "young.bin"
    for path, days in ((old, 61), (young, 59)):
        path.write_bytes(b"")
        os.utime(path, (time.time() - days * 86400,) * 2)
    assert compile_anew()
    assert (old.exists(), young.exists()) == (False, True)


def test_where_nothing_can_be_written_the_cache_is_temporary(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("PLYSCOPE_CACHE", str(tmp_path / "file"))
    assert tmp_path not in code_cache.cache_folder().parents
    assert code_cache.cache_folder().is_dir()


SPOILS: dict[str, Callable[[Path], object]] = {
    "writable by all": lambda file: file.chmod(0o602),
    "of another user": owned_by_nobody,
    "in a folder writable by the group": lambda file: file.parent.chmod(0o770),
    "cut short": lambda file: file.write_bytes(file.read_bytes()[:-7]),
    "of another compiler": lambda file: replace(file, pickle.dumps((1, 2))),
    "no pickle": lambda file: replace(file, b"not a pickle"),
    "a pickle cut short": lambda file: replace(file, pickle.dumps(list(range(1000)))[:-9]),
    "a pickle of nothing": lambda file: replace(file, pickle.dumps(None)),
    "of a module that is no more": lambda file: replace(file, b"cnowhere_at_all\nX\n."),
    "a pipe": lambda file: (file.unlink(), os.mkfifo(file)),
    "a folder": lambda file: (file.unlink(), file.mkdir()),
}
"""Ways in which a file of the cache is not to be believed."""


@pytest.mark.slow
@pytest.mark.parametrize("how", SPOILS)
def test_machine_code_that_is_not_to_be_believed_is_compiled_again(folder: Path, how: str) -> None:
    compile_anew()
    (file,) = folder.iterdir()
    whole = file.read_bytes()
    file.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    assert code_cache.read_checked(file) is None  # not what its digest is of
    file.write_bytes(whole)
    SPOILS[how](file)
    code_cache.cache_folder.cache_clear()
    jit.compiled.cache_clear()
    triple = jit.compiled(_tripled)
    assert triple(3.0) == 9.0
    assert sum(triple.stats.cache_misses.values()) == 1


def test_a_folder_that_others_could_write_to_is_emptied_and_closed_and_not_read(folder: Path) -> None:
    compile_anew()
    (file,) = folder.iterdir()
    folder.chmod(0o777)
    code_cache.cache_folder.cache_clear()
    assert code_cache.cache_folder() == folder
    assert not file.exists()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    compile_anew()
    folder.chmod(0o777)  # while we run
    jit.compiled.cache_clear()
    assert jit.needs_compiling(jit.compiled(_tripled), 3.0)


def test_a_folder_of_another_user_is_left_alone_and_that_is_said(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.mkdir(parents=True)
    owned_by_nobody(folder)
    code_cache.cache_folder.cache_clear()
    assert code_cache.cache_folder() != folder
    assert "belongs to another user" in caplog.text
    assert compile_anew()
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(code_cache.fcntl is None, reason="this system's files have no locks")
@pytest.mark.parametrize("is_written", [True, False])
def test_who_wants_what_another_compiles_waits_and_compiles_it_only_where_that_failed(
    tmp_path: Path, is_written: bool
) -> None:
    path = tmp_path / "kernel.bin"
    code_cache.take_turn(path)
    found: list[tuple[bytes | None, bool]] = []

    def want() -> None:
        code_cache.take_turn(path)
        found.append((code_cache.read_checked(path), threading.get_ident() in code_cache._turns))
        code_cache.end_turn()

    other = threading.Thread(target=want)
    other.start()
    if is_written:
        code_cache.write_checked(path, b"code")
        code_cache.end_turn()
    else:
        code_cache.give_up()
    other.join()
    assert found == [(b"code", False) if is_written else (None, True)]
    assert [each.name for each in tmp_path.iterdir()] == ["kernel.bin"] * is_written


def test_a_kernel_that_does_not_compile_keeps_nobody_waiting(folder: Path) -> None:
    with pytest.raises(Exception, match="No implementation"):
        jit.compiled(_impossible)(3.0)
    assert not code_cache._turns
    assert not list(folder.glob("*.lock"))


COUNT = """
from plyscope.engine.compile import callee
callee.way = lambda: "public"
from plyscope.engine.games.tictactoe import GAME
from plyscope.engine.perft import perft
print(perft(GAME, GAME.read_position("X.. .O. ..."), 5))
"""


def tried_anew() -> str:
    """The way that a numba which nobody has tried is made to go."""
    for made in (callee.callee_pipeline, callee.caller_pipeline):
        made.cache_clear()
    return callee.way.__wrapped__()


def test_a_newer_numba_gets_our_passes_where_it_has_all_that_these_use_and_computes_the_same() -> None:
    with pytest.MonkeyPatch.context() as newer:
        newer.setattr(numba, "__version__", "0.99.0")
        assert tried_anew() == "passes"
        for where, name in (
            (numba.core.codegen, "JITCodeLibrary"),
            (numba.core.typed_passes, "NativeLowering"),
            (numba.core.compiler.DefaultPassBuilder, "define_nopython_pipeline"),
        ):
            with pytest.MonkeyPatch.context() as lacking:
                lacking.delattr(where, name)
                assert tried_anew() == "public"
        newer.setattr(callee, "_probe", lambda: (6.0, 3))
        assert tried_anew() == "public"
    tried_anew()


@pytest.mark.slow
def test_kernels_without_the_passes_count_the_same_and_are_found_on_disk(tmp_path: Path) -> None:
    def counted() -> tuple[int, set[int]]:
        done = subprocess.run(
            [sys.executable, "-c", COUNT],
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
