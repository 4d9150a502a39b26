"""Reading a log off the disk: at once when it is small, else in a child process that can be killed."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from plyscope.visualizer.formats.compressed import GZIP, unpacked_size
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.mapping import RememberedMappings
from plyscope.visualizer.shelf.log_cache import LogCache, digest_of
from plyscope.visualizer.shelf.telling import teller
from plyscope.visualizer.store.log import Log

SMALL_BYTES: Final = 16 * 2**20
"""Up to this size, decompressed, a log is read within the request that asks for it."""

Progress = Callable[[float], None]
Stamp = tuple[int, int]
"""Size of a file in bytes, and when it was last written, in nanoseconds since 1970."""


def size_once_read(path: Path) -> int:
    """Bytes of a log after decompression; where they are more than `SMALL_BYTES`, only that they are more."""
    with path.open("rb") as file:
        size, start = os.fstat(file.fileno()).st_size, file.read(len(GZIP))
        return (
            unpacked_size(start + file.read(), SMALL_BYTES) if start == GZIP and size <= SMALL_BYTES else size
        )


def stamp_of(path: Path) -> Stamp | None:
    """Size and time of a file, by which it is seen to be written again; None where there is none."""
    try:
        stat = path.stat()
    except OSError:
        return None
    return stat.st_size, stat.st_mtime_ns


def read_with_memory(
    data: bytes,
    *,
    name: str,
    mapping: Mapping[str, str] | None,
    remembered: RememberedMappings,
    max_bytes: int,
    on_progress: Progress | None = None,
) -> Log:
    """Read `data`; a foreign tree of a shape whose mapping was once corrected is read with that mapping.

    Where it does not fit, the tree is read as if nothing were remembered, with a notice.
    """
    log = read_log(data, name=name, mapping=mapping, max_bytes=max_bytes, on_progress=on_progress)
    if mapping is None and log.shape:
        chosen = remembered.get(log.shape)
        if chosen is not None and chosen != dict(log.mapping):
            try:
                return read_log(data, name=name, mapping=chosen, max_bytes=max_bytes, on_progress=on_progress)
            except LogError as error:
                notice = (
                    f"The mapping remembered for trees of this shape does not fit and was left out: {error}."
                )
                return replace(log, notices=(*log.notices, notice))
    return log


class ReadingFailed(LogError):  # noqa: N818
    """A reading that came to an end for no fault of the log: the disk is full, the process was killed."""


def unexpected(name: str, error: Exception) -> str:
    """The sentence for an exception that no reader means to raise: a fault of ours, not of the log.

    >>> unexpected("a.json", KeyError("x"))
    "a.json cannot be read: Plyscope has a fault here (KeyError: 'x'); please report it with the log"
    """
    told = f"{type(error).__name__}: {error}".removesuffix(": ")
    return f"{name} cannot be read: Plyscope has a fault here ({told}); please report it with the log"


class ChildReading:
    """A child process that converts a log into the cache of logs; `wait` blocks, any thread may `kill`."""

    def __init__(
        self, path: Path, mapping: Mapping[str, str] | None, data: Path, cache: Path, max_bytes: int
    ) -> None:
        self._log_cache = LogCache(cache, RememberedMappings(data))
        self._path = path
        self.is_compiling = False
        """Whether it compiles what reads large logs now, once on a machine."""
        task = {
            "path": str(path),
            "mapping": None if mapping is None else dict(mapping),
            "data": str(data),
            "cache": str(cache),
            "max_bytes": max_bytes,
        }
        self._process = subprocess.Popen(
            # -P: a file of the folder we run in must not pass for a module.
            [sys.executable, "-P", "-m", "plyscope.visualizer.shelf.log_reader", json.dumps(task)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            start_new_session=True,  # Ctrl+C is for the viewer, which ends the child itself
        )

    def wait(self, on_progress: Progress) -> Log:
        """The log, memory-mapped; raises LogError with the child's words, ReadingFailed."""
        assert self._process.stdout is not None
        message: dict[str, Any] = {}
        with self._process.stdout as lines:
            for line in lines:
                if line.endswith("\n"):  # else it was killed while it wrote
                    message = json.loads(line)
                    self.is_compiling = message.get("compiling", self.is_compiling)
                    if "compiling" not in message:
                        on_progress(message.get("progress", 1.0))
        code = self._process.wait()
        name = self._path.name
        if "failure" in message:
            raise ReadingFailed(message["failure"])
        if "error" in message:
            raise LogError(message["error"])
        if "kept" not in message:
            raise ReadingFailed(f"reading {name} was ended from outside (exit code {code}); open it again")
        log = self._log_cache.load(message["kept"])
        if log is None:
            raise ReadingFailed(f"what was converted of {name} is not in the cache any more; open it again")
        return log

    def kill(self) -> None:
        """End the child and wait for that; what it had written so far is not used."""
        self._process.kill()
        self._process.wait()

    @property
    def is_running(self) -> bool:
        """Whether the child is still at work."""
        return self._process.poll() is None


def convert(task: Mapping[str, object], tell: Callable[[dict[str, object]], None]) -> None:
    """Read one log and save its columns in the cache of logs; what happens is told as small messages.

    The last one says `kept` and where, or `error` (the log cannot be read) or `failure` (not its fault).
    """
    path, cache = Path(str(task["path"])), Path(str(task["cache"]))
    mapping = task["mapping"]
    assert mapping is None or isinstance(mapping, dict)
    remembered = RememberedMappings(Path(str(task["data"])))
    try:
        data = path.read_bytes()
    except OSError as error:
        tell({"failure": f"{path.name} cannot be read: {error.strerror}"})
        return
    content = digest_of(data)
    try:
        log = read_with_memory(
            data,
            name=path.name,
            mapping=mapping,
            remembered=remembered,
            max_bytes=int(str(task["max_bytes"])),
            on_progress=lambda part: tell({"progress": part}),
        )
        del data
        tell({"kept": LogCache(cache, remembered).save(log, content, mapping)})
    except LogError as error:
        tell({"error": str(error)})
    except MemoryError:
        tell({"failure": f"{path.name} needs more memory than this machine has free; close other programs"})
    except OSError as error:
        tell(
            {
                "failure": f"{path.name} is too large to be read without a cache, and {cache} cannot be "
                f"written: {error.strerror}; make room there, or name another folder in PLYSCOPE_CACHE"
            }
        )
    except Exception as error:
        logging.getLogger(__name__).exception("reading %s", path)
        tell({"failure": unexpected(path.name, error)})


if __name__ == "__main__":
    from plyscope.engine.compile.code_cache import tell_compiling

    tell = teller()
    tell_compiling(lambda is_compiling: tell({"compiling": is_compiling}))
    convert(json.loads(sys.argv[1]), tell)
