"""Reading a log off the disk: at once when it is small, else in a child process that can be killed."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from plyscope.visualizer.analysis.warm_up import compile_beside
from plyscope.visualizer.child_process import (
    ChildEndedError,
    ChildError,
    ChildProcess,
    Message,
    fault_of_ours,
)
from plyscope.visualizer.formats.compressed import LENGTH_OF_MAGIC, is_packed, unpacked_size
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.parquet.schema import MAGIC as PARQUET
from plyscope.visualizer.shelf.jobs.time_limit import at_once
from plyscope.visualizer.shelf.log_cache import LogCache
from plyscope.visualizer.shelf.mappings import RememberedMappings
from plyscope.visualizer.store.log import Log

SMALL_BYTES: Final = 16 * 2**20
"""Up to this size, decompressed, a log is read within the request that asks for it."""

MEDIUM_BYTES: Final = 2**20
"""From this size on a text that is no JSON is read by a child process that is begun for it."""

SOME_BYTES: Final = 2**18
"""From this size on JSON that is not packed is read by a child process where one waits that is ready, and by
machine code in any."""

CONVERTER: Final = "plyscope.visualizer.shelf.jobs.log_converter"
"""The module that child processes run."""

SECONDS_TO_STAY: Final = 60.0
"""A process waits so long for a log that is expected."""

Progress = Callable[[float], None]


def size_once_read(path: Path) -> int:
    """The bytes of a log after decompression; above `SMALL_BYTES`, only some number above that.

    A few bytes of Parquet may become any number of rows, and a text that is no JSON is searched for much
    before it is refused: such files count as large.
    """
    with path.open("rb") as file:
        size, start = os.fstat(file.fileno()).st_size, file.read(LENGTH_OF_MAGIC)
        if start == PARQUET:
            return max(size, SMALL_BYTES + 1)
        if size > MEDIUM_BYTES and not is_packed(start) and not _begins_as_json(start):
            return max(size, SMALL_BYTES + 1)
        if is_packed(start) and size <= SMALL_BYTES:
            return unpacked_size(start + file.read(), SMALL_BYTES)
        return size


def is_small(data: bytes) -> bool:
    """True for data that is read within its request: never Parquet, nor a long text that is no JSON."""
    if len(data) > SMALL_BYTES or data.startswith(PARQUET):
        return False
    return len(data) <= MEDIUM_BYTES or _begins_as_json(data[:LENGTH_OF_MAGIC])


def is_medium(start: bytes, n_bytes: int) -> bool:
    """Whether a log is JSON, not packed, that is read faster by a child process that is ready."""
    return n_bytes > SOME_BYTES and _begins_as_json(start)


def _begins_as_json(start: bytes) -> bool:
    return start.lstrip()[:1] in (b"{", b"[")


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

    Where it does not fit, the tree is read as if nothing were remembered, with a notice. Without
    `on_progress` it is read within a request: raises TakesLong where that would hold it up.
    """
    if on_progress is None:
        return at_once(
            lambda: read_with_memory(
                data,
                name=name,
                mapping=mapping,
                remembered=remembered,
                max_bytes=max_bytes,
                on_progress=lambda part: None,
            )
        )
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
    return f"{name} cannot be read: {fault_of_ours(error)} with the log"


class ChildReading:
    """A child process that converts a log into the cache of logs; `wait` blocks, any thread may `kill`."""

    def __init__(
        self,
        path: Path,
        mapping: Mapping[str, str] | None,
        data: Path,
        cache: Path,
        max_bytes: int,
        *,
        content: str | None = None,
        n_bytes: int | None = None,
        process: ChildProcess | None = None,
    ) -> None:
        """Begin, in a waiting `process` or in a new one. `content` is the file's digest, if known.

        A file that still arrives has all its `n_bytes` already: missing ones read as zeros.
        """
        self._log_cache = LogCache(cache, RememberedMappings(data))
        self.top: dict[str, Any] | None = None
        """The top of the tree so far, from `top_json`."""
        self._path = path
        self._child = process or ChildProcess(CONVERTER)
        self._child.send(
            {
                "path": str(path),
                "mapping": None if mapping is None else dict(mapping),
                "data": str(data),
                "cache": str(cache),
                "max_bytes": max_bytes,
                "content": content,
                "n_bytes": n_bytes,
            }
        )

    def arrived(self, n_bytes: int) -> None:
        """Report that `n_bytes` of an arriving file are there now."""
        self._child.send({"arrived": n_bytes})

    def has_come(self, path: Path, content: str) -> None:
        """Report that the whole file is there, with its new path and its digest."""
        self._path = path
        self._child.send({"path": str(path), "content": content})

    def wait(self, on_progress: Progress) -> Log:
        """The log, memory-mapped; raises LogError with the child's words, ReadingFailed."""
        name, kept = self._path.name, None
        try:
            found = self._child.result(on_progress, self._take_news)
            kept = found.get("kept")
        except ChildEndedError as error:
            raise ReadingFailed(f"{name} was not read: {error}; open it again") from None
        except ChildError as error:
            raise ReadingFailed(str(error)) from None
        finally:
            if kept is None:
                self._child.kill()
        if kept is None:
            raise LogError(found["refused"])
        # Not waited for: its end takes a while, and so does a library of many logs.
        threading.Thread(target=self._end, args=[kept], daemon=True).start()
        on_progress(1.0)
        if "plain" in found:
            compile_beside("read", self._path)
        log = self._log_cache.load(kept)
        if log is None:
            raise ReadingFailed(f"what was converted of {name} is not in the cache any more; open it again")
        return log

    def _end(self, kept: str) -> None:
        """End the child, which has much memory to give back, then make room in the library."""
        self._child.kill()
        self._log_cache.make_room(besides=kept)

    def _take_news(self, message: Message) -> None:
        self.top = message["top"]

    def kill(self) -> None:
        """End the child and wait for its end; its unfinished files are not used."""
        self._child.kill()

    @property
    def is_compiling(self) -> bool:
        """Whether it is compiling the readers of large logs, which happens once on a machine."""
        return self._child.is_compiling

    @property
    def is_running(self) -> bool:
        """Whether the child is still at work."""
        return self._child.is_running


class SpareReader:
    """At most one process that has loaded the readers of large logs; all methods are thread-safe.

    It ends by itself if no log comes.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._child: ChildProcess | None = None
        self._timer: threading.Timer | None = None

    def prepare(self) -> None:
        """Begin a process, or have the one that is there stay."""
        with self._lock:
            if self._child is None or not self._child.is_running:
                self._child = ChildProcess(CONVERTER)
                self._child.prepare({"prepare": True})
            if self._timer is not None:
                self._timer.cancel()
            self._timer = threading.Timer(SECONDS_TO_STAY, self.end)
            self._timer.daemon = True
            self._timer.start()

    @property
    def is_there(self) -> bool:
        """Whether a process waits."""
        child = self._child
        return child is not None and child.is_running

    @property
    def is_ready(self) -> bool:
        """Whether a process waits that has loaded all."""
        child = self._child
        return child is not None and child.is_running and child.is_prepared

    def take(self, *, may_wait: bool = True) -> ChildProcess | None:
        """The process that waits, which is another's from now on; None where there is none.

        None as well where it still loads, or compiles, unless that `may_wait`.
        """
        with self._lock:
            if self._child is not None and not self._child.is_prepared and not may_wait:
                return None
            child, self._child = self._child, None
            if self._timer is not None:
                self._timer.cancel()
        return child if child is not None and child.is_running else None

    def end(self) -> None:
        """End the process that waits."""
        child = self.take()
        if child is not None:
            child.kill()
