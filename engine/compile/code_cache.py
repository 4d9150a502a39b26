"""The cache of machine code on disk, so that a kernel is compiled once and not in every process.

One file holds the code of one kernel for one set of argument types. Its name is a digest of all that decides
its contents, so an edited kernel has another file and none is ever stale. If a file is damaged, its kernel is
compiled again. Processes that want the same code at one time wait for the one that compiles it. A file that
no process loaded for 60 days is deleted. This module does not know how kernels are compiled.

Loading machine code means running it. So a file is loaded only if it and its folder belong to the user, and
nobody else may write to either.
"""

from __future__ import annotations

import hashlib
import logging
import os
import pickle
import tempfile
import threading
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from stat import S_IWGRP, S_IWOTH
from types import FunctionType
from typing import Any, Final

import platformdirs

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

from plyscope.engine.compile.fingerprint import fingerprint

CACHE_VARIABLE: Final = "PLYSCOPE_CACHE"
FORMAT: Final = "2"
"""Format of the files; an earlier one used other module names."""
LONGEST_WAIT: Final = 120.0
"""Seconds for which a process waits for machine code that another compiles."""
LOOK_AGAIN: Final = 0.05
UNUSED_DAYS: Final = 60
"""Days after which machine code that no process loaded is deleted."""


@cache
def cache_folder() -> Path:
    """Return the folder of compiled kernels: in `$PLYSCOPE_CACHE`, else in the user's cache folder.

    If that cannot be written or belongs to somebody else, return a temporary folder that is deleted when the
    process ends. If others could write to the folder, their access is removed and its files are deleted.
    """
    ours = Path(os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("plyscope"))
    folder = ours / "kernels" / FORMAT
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
        if not _is_ours_alone(folder.stat()):
            _take_from_others(folder)
    except OSError:
        return Path(_temporary_folder().name)
    return folder


def is_shared() -> bool:
    """Return True if other processes find what this one compiles."""
    return cache_folder().name == FORMAT


def _is_ours_alone(stat: os.stat_result) -> bool:
    """Return True if a file or folder belongs to the user, and no other user may write to it."""
    if not hasattr(os, "geteuid"):  # Windows has no such bits, but protects a user's cache folder
        return True
    return stat.st_uid == os.geteuid() and not stat.st_mode & (S_IWGRP | S_IWOTH)


def _take_from_others(folder: Path) -> None:
    """Make the folder writable for the user alone, and delete its files; OSError if it is another user's."""
    if folder.stat().st_uid != os.geteuid():
        logging.getLogger(__name__).warning(
            "machine code is compiled anew by this process: %s belongs to another user", folder
        )
        raise PermissionError(f"{folder} belongs to another user")
    folder.chmod(0o700)
    for path in folder.glob("*.bin"):
        path.unlink(missing_ok=True)


def _read_ours(path: Path) -> bytes:
    """Return the bytes of a file that no other user can have written; OSError for any other."""
    with open(path, "rb", opener=_open_at_once) as file:  # `Path.open` takes no opener
        if not (_is_ours_alone(os.fstat(file.fileno())) and _is_ours_alone(path.parent.stat())):
            raise PermissionError(f"others may have written {path}")
        return file.read()


def _open_at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))  # opening a pipe would wait for its writer


@cache
def _temporary_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="plyscope-", ignore_cleanup_errors=True)


_compiling: set[int] = set()
"""Ids of the threads that are compiling, because the cache did not have the code."""
_lock: Final = threading.Lock()
_listener: Callable[[bool], None] | None = None


def tell_compiling(listener: Callable[[bool], None] | None) -> None:
    """Call `listener` with True when this process begins to compile, for seconds, and with False at the end.

    Any thread may compile, so any may call the listener. There is one listener at a time; None removes it.
    """
    global _listener
    _listener = listener


def _note(is_compiling: bool) -> None:
    with _lock:
        before = bool(_compiling)
        (_compiling.add if is_compiling else _compiling.discard)(threading.get_ident())
        if _listener is not None and bool(_compiling) != before:
            _listener(is_compiling)


_turns: dict[int, tuple[int, Path]] = {}
"""By thread, the open lock file that it holds while it compiles, and the file's path."""


def take_turn(path: Path) -> None:
    """Wait while another process compiles the code that goes to `path`, then let others wait for this thread.

    Where files have no locks, and after `LONGEST_WAIT`, each compiles for itself.
    """
    if fcntl is None or threading.get_ident() in _turns:
        return
    lock = path.with_suffix(".lock")
    try:
        opened = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError:
        return
    until = time.monotonic() + LONGEST_WAIT
    while not path.exists() and time.monotonic() < until:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            time.sleep(LOOK_AGAIN)
            continue
        _turns[threading.get_ident()] = opened, lock
        return
    lock.unlink(missing_ok=True)
    os.close(opened)


def end_turn() -> None:
    """Release this thread's lock: its code is on disk, or there will be none."""
    if (turn := _turns.pop(threading.get_ident(), None)) is not None:
        opened, lock = turn
        lock.unlink(missing_ok=True)
        os.close(opened)


def give_up() -> None:
    """Say that this thread failed to compile."""
    end_turn()
    _note(False)


def path_of(name: str, decides: tuple[Any, ...]) -> Path:
    """The file of a kernel's machine code, by all that decides it."""
    return cache_folder() / f"{name}-{hashlib.sha256(repr(decides).encode()).hexdigest()[:32]}.bin"


def has_any(name: str) -> bool:
    """Return True if the disk has machine code of a kernel of this name, for whatever arguments."""
    return next(cache_folder().glob(f"{name}-*.bin"), None) is not None


def read_checked(path: Path) -> bytes | None:
    """Return the content of the file; None if it is missing, damaged, or others may have written it."""
    try:
        check, payload = _read_ours(path).split(b"\n", 1)
    except (OSError, ValueError):
        return None
    return payload if check == hashlib.sha256(payload).hexdigest().encode() else None


def write_checked(path: Path, payload: bytes) -> None:
    """Write such a file, and delete those that were not loaded for long; a full disk is no error."""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
            file.write(hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload)
        os.replace(file.name, path)
        _delete_unused(path.parent)
    except OSError:
        return


class CodeCache:
    """The machine code of one kernel, with the methods that numba's dispatchers call on a cache.

    `made_with` has the other facts that decide the code: the compiler and its options.
    """

    def __init__(self, function: FunctionType, made_with: tuple[Any, ...]) -> None:
        self._function = function
        self._made_with = made_with
        self._digest = fingerprint(function)
        self.cache_path = str(cache_folder())

    def _path(self, signature: Any, target: Any) -> Path:
        decides = (self._digest, str(signature), target.codegen().magic_tuple(), *self._made_with)
        return path_of(self._function.__name__, decides)

    def has(self, signature: Any, target: Any) -> bool:
        """Return True if machine code for these types is on disk and can be loaded."""
        return read_checked(self._path(signature, target)) is not None

    def load_overload(self, signature: Any, target: Any) -> Any:
        """Return the machine code for these types, or None if there is none or it cannot be loaded."""
        import numba.core.compiler

        compiler: Any = numba.core.compiler
        target.refresh()
        path = self._path(signature, target)
        if (payload := read_checked(path)) is None:
            take_turn(path)
            payload = read_checked(path)
        if payload is None:
            _note(True)
            return None
        end_turn()
        try:
            result = compiler.CompileResult._rebuild(target, *pickle.loads(payload))
            os.utime(path)
        except Exception as error:  # this numba cannot load it, or a module that it names has moved
            logging.getLogger(__name__).debug("%s is compiled again: %r", path, error)
            _note(True)
            return None
        return result

    def save_overload(self, signature: Any, result: Any) -> None:
        """Write `result` to disk; with a full disk or a missing folder it is compiled again next time."""
        import numba.core.serialize

        _note(False)
        serialize: Any = numba.core.serialize
        if not result.library.has_dynamic_globals:
            write_checked(self._path(signature, result.target_context), serialize.dumps(result._reduce()))
        end_turn()


def _delete_unused(folder: Path) -> None:
    oldest = time.time() - UNUSED_DAYS * 86400
    for path in folder.iterdir():
        if path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)
