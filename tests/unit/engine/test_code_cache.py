"""Machine code is loaded where it is the user's own, whole, and of this numba; else it is compiled again."""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plyscope.engine import jit
from plyscope.engine.compile import code_cache
from plyscope.engine.jit import kernel


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
    "a pipe": lambda file: (file.unlink(), os.mkfifo(file)),
    "a folder": lambda file: (file.unlink(), file.mkdir()),
}
"""Ways in which a file of the cache is not to be believed."""


@pytest.mark.slow
@pytest.mark.parametrize("how", SPOILS)
def test_machine_code_that_is_not_to_be_believed_is_compiled_again(folder: Path, how: str) -> None:
    compile_anew()
    (file,) = folder.iterdir()
    SPOILS[how](file)
    code_cache.cache_folder.cache_clear()
    jit.compiled.cache_clear()
    triple = jit.compiled(_tripled)
    assert triple(3.0) == 9.0
    assert sum(triple.stats.cache_misses.values()) == 1


def test_a_folder_that_others_could_write_to_is_emptied_and_closed(folder: Path) -> None:
    compile_anew()
    (file,) = folder.iterdir()
    folder.chmod(0o777)
    code_cache.cache_folder.cache_clear()
    assert code_cache.cache_folder() == folder
    assert not file.exists()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


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
