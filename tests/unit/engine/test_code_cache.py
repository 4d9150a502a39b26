"""Machine code is loaded where it is the user's own, whole, and of this numba; else it is compiled again."""

from __future__ import annotations

import hashlib
import os
import pickle
import stat
import threading
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
    assert compile_anew()
    (file,) = folder.iterdir()
    assert [stat.S_IMODE(path.stat().st_mode) for path in (folder, file)] == [0o700, 0o600]
    assert not compile_anew()


SPOILS: dict[str, Callable[[Path], object]] = {
    "writable by the group": lambda file: file.chmod(0o620),
    "writable by all": lambda file: file.chmod(0o602),
    "of another user": owned_by_nobody,
    "in a folder writable by all": lambda file: file.parent.chmod(0o777),
    "in a folder writable by the group": lambda file: file.parent.chmod(0o770),
    "empty": lambda file: file.write_bytes(b""),
    "cut short": lambda file: file.write_bytes(file.read_bytes()[:-7]),
    "without a line": lambda file: file.write_bytes(b"x" * 1000),
    "of another compiler": lambda file: replace(file, pickle.dumps((1, 2))),
    "no pickle": lambda file: replace(file, b"not a pickle"),
    "a pickle cut short": lambda file: replace(file, pickle.dumps(list(range(1000)))[:-9]),
    "a pickle of nothing": lambda file: replace(file, pickle.dumps(None)),
    "a pipe": lambda file: (file.unlink(), os.mkfifo(file)),
    "a link to nothing": lambda file: (file.unlink(), file.symlink_to("nowhere")),
    "a folder": lambda file: (file.unlink(), file.mkdir()),
}
"""Ways in which a file of the cache is not to be believed."""

LOOKS_WHOLE = {"of another compiler", "no pickle", "a pickle cut short", "a pickle of nothing"}


@pytest.mark.slow
@pytest.mark.parametrize("how", SPOILS)
def test_machine_code_that_is_not_to_be_believed_is_compiled_again(folder: Path, how: str) -> None:
    compile_anew()
    (file,) = folder.iterdir()
    SPOILS[how](file)
    if how in LOOKS_WHOLE:
        jit.compiled.cache_clear()
        triple = jit.compiled(_tripled)
        assert triple(3.0) == 9.0
        assert sum(triple.stats.cache_misses.values()) == 1
    else:
        assert compile_anew()


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


def test_a_folder_that_is_opened_to_others_while_we_run_is_not_read(folder: Path) -> None:
    compile_anew()
    folder.chmod(0o777)
    jit.compiled.cache_clear()
    assert jit.needs_compiling(jit.compiled(_tripled), 3.0)


def test_that_something_is_compiled_is_told_when_it_begins_and_when_it_ends(folder: Path) -> None:
    told: list[bool] = []
    code_cache.tell_compiling(told.append)
    try:
        compile_anew()
        assert told == [True, False]
        compile_anew()
        assert told == [True, False]
    finally:
        code_cache.tell_compiling(None)


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
