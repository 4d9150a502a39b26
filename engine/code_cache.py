"""The cache of machine code on disk, so that a kernel is compiled once and not in every process.

There is one file for a kernel and its types of arguments, named by a digest of all that decides its
contents, so an edited kernel is another file and none is ever stale. Where one is damaged, its kernel is
compiled again. What no process loaded for two months is deleted. How kernels are compiled is not known here.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import tempfile
import time
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, Final

import platformdirs

from engine.fingerprint import fingerprint

CACHE_VARIABLE: Final = "PLYSCOPE_CACHE"
UNUSED_DAYS: Final = 60
"""Machine code that no process loaded for so long is deleted."""


@cache
def cache_folder() -> Path:
    """The folder of compiled kernels: in `$PLYSCOPE_CACHE`, else the user's cache folder.

    A temporary one, gone with the process, where that cannot be written.
    """
    folder = Path(os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("plyscope")) / "kernels"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return Path(_temporary_folder().name)
    return folder


@cache
def _temporary_folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="plyscope-", ignore_cleanup_errors=True)


class CodeCache:
    """The machine code of one kernel, as numba's dispatchers ask for it and hand it over.

    `made_with` is what decides it besides the kernel and the types: the compiler and how it was told to work.
    """

    def __init__(self, function: FunctionType, made_with: tuple[Any, ...]) -> None:
        self._function = function
        self._made_with = made_with
        self._digest = fingerprint(function)
        self.cache_path = str(cache_folder())

    def _path(self, signature: Any, target: Any) -> Path:
        decides = (self._digest, str(signature), target.codegen().magic_tuple(), *self._made_with)
        name = f"{self._function.__name__}-{hashlib.sha256(repr(decides).encode()).hexdigest()[:32]}.bin"
        return cache_folder() / name

    def has(self, signature: Any, target: Any) -> bool:
        """Whether machine code for these types is on disk."""
        return self._path(signature, target).exists()

    def load_overload(self, signature: Any, target: Any) -> Any:
        """The machine code for these types, or None: it may name what has moved since it was written."""
        import numba.core.compiler

        compiler: Any = numba.core.compiler
        target.refresh()
        path = self._path(signature, target)
        try:
            check, payload = path.read_bytes().split(b"\n", 1)
            if check != hashlib.sha256(payload).hexdigest().encode():
                return None
            os.utime(path)
            parts = pickle.loads(payload)
        except (OSError, ValueError, AttributeError, ImportError):
            return None
        return compiler.CompileResult._rebuild(target, *parts)

    def save_overload(self, signature: Any, result: Any) -> None:
        """Keep `result`; a full disk or a lost folder only costs compiling it again."""
        import numba.core.serialize

        serialize: Any = numba.core.serialize
        if result.library.has_dynamic_globals:
            return
        payload = serialize.dumps(result._reduce())
        path = self._path(signature, result.target_context)
        try:
            with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
                file.write(hashlib.sha256(payload).hexdigest().encode() + b"\n" + payload)
            os.replace(file.name, path)
            _delete_unused(path.parent)
        except OSError:
            return


def _delete_unused(folder: Path) -> None:
    oldest = time.time() - UNUSED_DAYS * 86400
    for path in folder.iterdir():
        if path.stat().st_mtime < oldest:
            path.unlink(missing_ok=True)
