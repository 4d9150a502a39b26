"""Reading a log off the disk: at once when it is small, else in a child process that can be killed."""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from plyscope.visualizer.analysis.node_json import node_json
from plyscope.visualizer.child_process import (
    ChildEndedError,
    ChildError,
    ChildProcess,
    Message,
    Tell,
    fault_of_ours,
    serve_parent,
    tell_result,
)
from plyscope.visualizer.formats.arrival import Arrived, all_there
from plyscope.visualizer.formats.compressed import LENGTH_OF_MAGIC, is_packed, unpacked_size
from plyscope.visualizer.formats.detect import read_log, read_mapped
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.meaning.mapping import RememberedMappings
from plyscope.visualizer.formats.parquet.schema import MAGIC as PARQUET
from plyscope.visualizer.shelf.log_cache import LogCache, digest_of
from plyscope.visualizer.shelf.spare_reader import SAMPLES
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

if TYPE_CHECKING:
    from plyscope.visualizer.formats.read.top import Top

SMALL_BYTES: Final = 16 * 2**20
"""Up to this size, decompressed, a log is read within the request that asks for it."""

MEDIUM_BYTES: Final = 2**20
"""From this size on a log that is not packed is read by a child process, where one waits that is ready."""

PARQUET_PACKS: Final = 10
"""Bytes of JSON for each byte of Parquet, about, so that logs of as many rows are read in the same way."""

MODULE: Final = "plyscope.visualizer.shelf.log_reader"
"""This one, which child processes run."""

LONGEST_TOP_TEXT: Final = 60
UNKNOWN_AT_TOP: Final = frozenset(("n_children", "below", "proof", "index", "parent", "id", "row"))
"""What of a node is not known before the end."""

Progress = Callable[[float], None]
Stamp = tuple[int, int]
"""Size of a file in bytes, and when it was last written, in nanoseconds since 1970."""


def size_once_read(path: Path) -> int:
    """Bytes of a log after decompression, of Parquet about those of JSON.

    Where they are more than `SMALL_BYTES`, they only are more than that.
    """
    with path.open("rb") as file:
        size, start = os.fstat(file.fileno()).st_size, file.read(LENGTH_OF_MAGIC)
        if start == PARQUET:
            return size * PARQUET_PACKS
        if is_packed(start) and size <= SMALL_BYTES:
            return unpacked_size(start + file.read(), SMALL_BYTES)
        return size


def is_small(data: bytes) -> bool:
    """Whether unpacked data is read within the request that brings it: of Parquet what it is as JSON."""
    return len(data) * (PARQUET_PACKS if data.startswith(PARQUET) else 1) <= SMALL_BYTES


def is_medium(data: bytes) -> bool:
    """Whether data is JSON, not packed, that is read faster by a child process that is ready."""
    return len(data) > MEDIUM_BYTES and data[:1] in (b"{", b"[")


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
        least: int = SMALL_BYTES,
        process: ChildProcess | None = None,
    ) -> None:
        """Begin, in a `process` that waits for it or in a new one. `content` is the file's digest, if known.

        A file that is still to come has `n_bytes` already: what is not there yet reads as zeros. One of more
        than `least` bytes is read by kernels.
        """
        self._log_cache = LogCache(cache, RememberedMappings(data))
        self.top: dict[str, Any] | None = None
        """The top of the tree as far as it has come, as `top_json` gives it."""
        self._path = path
        self._child = process or ChildProcess(MODULE)
        self._child.send(
            {
                "path": str(path),
                "mapping": None if mapping is None else dict(mapping),
                "data": str(data),
                "cache": str(cache),
                "max_bytes": max_bytes,
                "content": content,
                "n_bytes": n_bytes,
                "least": least,
            }
        )

    def arrived(self, n_bytes: int) -> None:
        """Say that so many bytes of a file that is still to come are there now."""
        self._child.send({"arrived": n_bytes})

    def has_come(self, path: Path, content: str) -> None:
        """Say that all of a file is there, where it lies from now on, and what its digest is."""
        self._path = path
        self._child.send({"path": str(path), "content": content})

    def wait(self, on_progress: Progress) -> Log:
        """The log, memory-mapped; raises LogError with the child's words, ReadingFailed."""
        name = self._path.name
        try:
            with self._child:
                found = self._child.result(on_progress, self._take_news)
        except ChildEndedError as error:
            raise ReadingFailed(f"{name} was not read: {error}; open it again") from None
        except ChildError as error:
            raise ReadingFailed(str(error)) from None
        on_progress(1.0)
        if "refused" in found:
            raise LogError(found["refused"])
        log = self._log_cache.load(found["kept"])
        if log is None:
            raise ReadingFailed(f"what was converted of {name} is not in the cache any more; open it again")
        return log

    def _take_news(self, message: Message) -> None:
        self.top = message["top"]

    def kill(self) -> None:
        """End the child and wait for that; what it had written so far is not used."""
        self._child.kill()

    @property
    def is_compiling(self) -> bool:
        """Whether it compiles what reads large logs now, once on a machine."""
        return self._child.is_compiling

    @property
    def is_running(self) -> bool:
        """Whether the child is still at work."""
        return self._child.is_running


def top_json(top: Top) -> dict[str, Any]:
    """The top of a tree that is being read, as a page shows it: its first nodes, and the counts so far."""
    tree = Tree(top.log)
    nodes = [
        node_json(tree, row, text_limit=LONGEST_TOP_TEXT, most_values=0) for row in range(top.log.n_rows)
    ]
    shown = [{name: value for name, value in node.items() if name not in UNKNOWN_AT_TOP} for node in nodes]
    answer = {"nodes": shown, "n_children": top.n_children, "n_nodes": top.n_nodes}
    search = top.log.header.get("search")
    mate = search.get("mate") if isinstance(search, dict) else None
    return answer if mate is None else {**answer, "mate": mate}


class Arrival:
    """A file that is still to come while it is read, as the messages of the parent tell of it."""

    def __init__(self, path: Path, n_bytes: int, messages: Iterator[Message]) -> None:
        self._path, self._n_bytes, self._messages = path, n_bytes, messages
        self._n_arrived = 0
        self._content = ""

    def data(self) -> bytes | mmap.mmap:
        """The bytes of the file, mapped; what is not mapped is waited for. Raises OSError."""
        if self._n_bytes > SMALL_BYTES:
            with suppress(FileNotFoundError):  # all came before this process began, and lies elsewhere
                return mapped_file(self._path)
        path, _ = self.end()
        return mapped_file(path)

    def wait_for(self, n_bytes: int) -> int:
        """Wait for so many bytes, or for all; return how many are there."""
        while self._n_arrived < min(n_bytes, self._n_bytes):
            self._n_arrived = next(self._messages)["arrived"]
        return self._n_arrived

    def end(self) -> tuple[Path, str]:
        """Wait for the whole file; return its path and its digest."""
        while not self._content:
            message = next(self._messages)
            if "content" in message:
                self._path, self._content = Path(message["path"]), message["content"]
        self._n_arrived = self._n_bytes
        return self._path, self._content


def convert(task: Mapping[str, Any], tell: Tell, messages: Iterator[Message]) -> dict[str, str]:
    """Read one log and save its columns in the cache of logs, telling how far it is.

    Of a log that is still to come `messages` tell how much is there. Returns where the columns are `kept`,
    or why the log is `refused`. Raises ReadingFailed.
    """
    path, cache, mapping = Path(task["path"]), Path(task["cache"]), task["mapping"]
    remembered = RememberedMappings(Path(task["data"]))
    log_cache = LogCache(cache, remembered)
    n_bytes, content, least = task.get("n_bytes"), task.get("content"), task.get("least", SMALL_BYTES)
    arrival = None if n_bytes is None else Arrival(path, n_bytes, messages)

    furthest = begun = 0.0

    def on_progress(part: float) -> None:
        nonlocal furthest
        furthest = max(furthest, begun + part * (1 - begun))
        tell({"progress": furthest})

    def on_top(top: Top) -> None:
        tell({"top": top_json(top)})

    def read_by_kernels(data: bytes | mmap.mmap, arrived: Arrived) -> Log | None:
        if not isinstance(data, mmap.mmap) or len(data) > task["max_bytes"]:
            return None
        log = read_mapped(
            data,
            mapping=mapping,
            on_progress=on_progress,
            arrived=arrived,
            on_top=on_top,
            least=least,
            scratch=log_cache.folder,
        )
        if log is not None and mapping is None and remembered.get(log.shape) is not None:
            return None  # a mapping that was chosen may not fit, which is said
        return log

    try:
        data = mapped_file(path, least) if arrival is None else arrival.data()
    except OSError as error:
        raise ReadingFailed(f"{path.name} cannot be read: {error.strerror}") from None
    try:
        log = read_by_kernels(data, all_there if arrival is None else arrival.wait_for)
        if arrival is not None:
            path, content = arrival.end()
            if log is None:  # perhaps for a value that was not there as a whole
                log = read_by_kernels(data, all_there)
        if content is None:
            content = digest_of(data)
        if log is None:
            begun = furthest  # what is read again goes on from there
            log = read_with_memory(
                data[:],
                name=path.name,
                mapping=mapping,
                remembered=remembered,
                max_bytes=task["max_bytes"],
                on_progress=on_progress,
            )
        del data
        return {"kept": log_cache.save(log, content, mapping, path)}
    except LogError as error:
        return {"refused": str(error)}
    except OSError as error:
        raise ReadingFailed(
            f"{path.name} is too large to be read without a cache, and {cache} cannot be "
            f"written: {error.strerror or error}; make room there, or name another folder in PLYSCOPE_CACHE"
        ) from None


def mapped_file(path: Path, least: int = SMALL_BYTES) -> bytes | mmap.mmap:
    """The bytes of a file, mapped into memory where there are more than `least`; raises OSError."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > least:
            with suppress(ValueError, OSError):  # what is no regular file
                return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return file.read()


def _prepare() -> None:
    """Load all that reads large logs."""
    from plyscope.visualizer.formats.foreign.documents import TapeDocument
    from plyscope.visualizer.formats.foreign.reader import read_bytes
    from plyscope.visualizer.formats.read.own import read_own

    native, foreign = SAMPLES
    read_own(native)
    read_bytes(TapeDocument(foreign))


def serve(tasks: Iterator[Message], tell: Tell) -> None:
    """Convert the log of the first task; the last message is the result, or why there is none.

    Before that all is loaded where the task is still to come, and a message says so.
    """
    task = next(tasks)
    if "prepare" in task:
        _prepare()
        tell({"prepared": True})
        task = next(tasks)
    name = Path(task["path"]).name
    tell_result(lambda: convert(task, tell, tasks), tell, what=name, refusals=(ReadingFailed,))


if __name__ == "__main__":
    serve_parent(serve)
