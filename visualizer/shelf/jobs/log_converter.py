"""The child process that converts a large log into the cache of logs."""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from plyscope.visualizer.analysis.nodes.node_json import node_json
from plyscope.visualizer.child_process import Message, Tell, serve_parent, tell_result
from plyscope.visualizer.formats import detect
from plyscope.visualizer.formats.arrival import Arrived, all_there
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.memory_limit import bound_memory
from plyscope.visualizer.shelf.jobs.log_reader import SOME_BYTES, ReadingFailed, read_with_memory
from plyscope.visualizer.shelf.log_cache import LogCache, digest_of
from plyscope.visualizer.shelf.mappings import RememberedMappings
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

if TYPE_CHECKING:
    from plyscope.visualizer.formats.read.top import Top

LONGEST_TOP_TEXT: Final = 60
UNKNOWN_AT_TOP: Final = frozenset(("n_children", "below", "proof", "index", "parent", "id", "row"))
"""The keys of a node that are unknown before the end."""

SAMPLES: Final = (
    b'{"plyscope": 1, "root": {"score": 1, "factors": [1], "x": 1, "children": [{"ply": "a1", "score": 1}]}}',
    b'{"name": "start", "score": 1, "children": [{"name": "a1", "score": 1, "children": []}]}',
)
"""Reading them loads the machine code."""


def top_json(top: Top) -> dict[str, Any]:
    """The top of a tree that is being read, as a page shows it: its first nodes, and the counts so far."""
    tree = Tree(top.log)
    nodes = [
        node_json(tree, row, text_limit=LONGEST_TOP_TEXT, most_values=0) for row in range(top.log.n_rows)
    ]
    shown = [{name: value for name, value in node.items() if name not in UNKNOWN_AT_TOP} for node in nodes]
    answer = {"nodes": shown, "n_children": top.n_children, "n_nodes": top.n_nodes}
    mate = top.log.search.get("mate")
    return answer if mate is None else {**answer, "mate": mate}


class Arrival:
    """A file that arrives while it is read, as the parent's messages report."""

    def __init__(self, path: Path, n_bytes: int, least: int, messages: Iterator[Message]) -> None:
        self._path, self._n_bytes, self._least, self._messages = path, n_bytes, least, messages
        self._n_arrived = 0
        self._content = ""

    def data(self) -> bytes | mmap.mmap:
        """The bytes of the file, mapped; a file that cannot be mapped is waited for. Raises OSError."""
        if self._n_bytes > self._least:
            with suppress(FileNotFoundError):  # all came before this process began, and the file was moved
                return mapped_file(self._path, self._least)
        path, _ = self.end()
        return mapped_file(path, self._least)

    def wait_for(self, n_bytes: int) -> int:
        """Wait for `n_bytes`, or for all; return the number of bytes there."""
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


def convert(task: Mapping[str, Any], tell: Tell, messages: Iterator[Message]) -> dict[str, Any]:
    """Read one log and save its columns in the cache of logs, reporting progress.

    For a log that still arrives, `messages` report the bytes there. Returns the place of the columns, `kept`,
    and `plain` where machine code would have been faster; or why the log is `refused`. Raises ReadingFailed.
    """
    path, cache, mapping = Path(task["path"]), Path(task["cache"]), task["mapping"]
    remembered = RememberedMappings(Path(task["data"]))
    log_cache = LogCache(cache, remembered)
    n_bytes, content, least = task.get("n_bytes"), task.get("content"), task.get("least", SOME_BYTES)
    arrival = None if n_bytes is None else Arrival(path, n_bytes, least, messages)

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
        log = detect.read_mapped(
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
            begun = furthest  # a second reading reports from there on
            log = read_with_memory(
                data[:],
                name=path.name,
                mapping=mapping,
                remembered=remembered,
                max_bytes=task["max_bytes"],
                on_progress=on_progress,
            )
        del data
        kept = log_cache.save(log, content, mapping, path)
        return {"kept": kept, **({"plain": True} if detect.missed else {})}
    except LogError as error:
        return {"refused": str(error)}
    except OSError as error:
        raise ReadingFailed(
            f"{path.name} is read by way of a cache, and {cache} cannot be "
            f"written: {error.strerror or error}; make room there, or name another folder in PLYSCOPE_CACHE"
        ) from None


def mapped_file(path: Path, least: int) -> bytes | mmap.mmap:
    """The bytes of a file, mapped into memory where there are more than `least`; raises OSError."""
    with path.open("rb") as file:
        if os.fstat(file.fileno()).st_size > least:
            with suppress(ValueError, OSError):  # what is no regular file
                return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        return file.read()


def _prepare() -> None:
    """Load all that reads large logs, compiled if need be, and all that converts them."""
    from plyscope.visualizer.formats.foreign.documents import TapeDocument
    from plyscope.visualizer.formats.foreign.reader import read_bytes
    from plyscope.visualizer.formats.read.own import read_own

    native, foreign = SAMPLES
    read_own(native)
    read_bytes(TapeDocument(foreign))
    with suppress(OSError, ReadingFailed), tempfile.TemporaryDirectory() as folder:
        for sample in SAMPLES:
            path = Path(folder, "sample.json")
            path.write_bytes(sample)
            task = {"path": path, "data": folder, "cache": folder, "mapping": None}
            task |= {"max_bytes": len(sample), "least": 1}
            convert(task, lambda message: None, iter(()))


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
    bound_memory()
    serve_parent(serve)
