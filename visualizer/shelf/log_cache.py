"""Converted logs in the user's cache: found again by path, size and time, then by content.

library/<digest of content, mapping and layout>/   the columns, as `store.disk` writes them
library/<the same>.mapping                         the remembered mapping a foreign tree was read with
library/index/<digest of path, size, time>         the content digest of that file
"""

from __future__ import annotations

import hashlib
import json
import mmap
import os
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from plyscope.version import __version__
from plyscope.visualizer.analysis.nodes.deciding_line import known_lines, lines_of
from plyscope.visualizer.analysis.statistics.totals import counted_of
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.shelf.library import INDEX, Library, bytes_of, mapping_of
from plyscope.visualizer.shelf.mappings import RememberedMappings
from plyscope.visualizer.store import disk
from plyscope.visualizer.store.columns import LAYOUT
from plyscope.visualizer.store.kept_columns import KeptColumns
from plyscope.visualizer.store.log import Log, child_index
from plyscope.visualizer.store.tree import Tree

LENGTH_OF_DIGEST: Final = 64


class LogCache:
    """The converted logs below one folder; a folder that cannot be written is an OSError of the writer."""

    def __init__(self, folder: Path, remembered: RememberedMappings) -> None:
        self.library = Library(folder)
        self.folder = self.library.folder
        self._remembered = remembered

    def find(self, path: Path, mapping: Mapping[str, str] | None, *, only_known: bool = False) -> Log | None:
        """The converted log, memory-mapped; None where it has not been converted or cannot be used.

        A foreign tree that was read without a mapping cannot be used once a mapping is remembered for its
        shape. With `only_known`, a file of unknown content is not read for its digest.
        """
        content = self._known_digest(self._index_of(path)) if only_known else self.content_digest(path)
        if content is None:
            return None
        place = _place_of(content, mapping)
        log = self.load(place)
        if log is None or mapping is not None or not log.shape:
            return log
        return log if self._read_with(place) == self._remembered.get(log.shape) else None

    def load(self, place: str) -> Log | None:
        """The log that `save` kept there; None where it is not there any more or damaged."""
        folder = self.folder / place
        log = disk.load(folder) if folder.is_dir() else None
        if log is not None:
            with suppress(OSError):  # a cache that is read-only keeps its order of use
                os.utime(folder / disk.META)
            log = replace(log, kept=self._kept(place, log.n_rows))
        return log

    def _kept(self, place: str, n_rows: int) -> KeptColumns:
        """The columns of unknown fields beside a log, which count as its own within the budget."""
        folder = self.folder / place

        def has_room(n_bytes: int) -> bool:
            try:
                return bytes_of(folder) + n_bytes <= self.library.budget()
            except LogError:
                return False

        return KeptColumns(folder, n_rows, has_room, lambda: self.library.keep_budget(besides=place))

    def save(
        self, log: Log, content: str, mapping: Mapping[str, str] | None, source: Path | None = None
    ) -> str:
        """Keep the columns of a log and return the place where `load` finds them.

        `content` is the digest of the bytes that were read, not of the file: an engine may have written more
        since. `mapping` is the one used for reading, None for the one remembered for the shape. `source` is
        the file, which the library names. The library may exceed its budget until `make_room`.
        """
        place = _place_of(content, mapping)
        log = replace(log, children=child_index(log.columns["parent"]))
        tree = Tree(log)
        about: dict[str, object] = {"version": __version__, "nodes": tree.n_logged, "content": content}
        if source is not None:
            about["source"] = str(source.resolve())
        log = replace(log, lines=known_lines(tree) or lines_of(tree), counted=counted_of(tree))
        self.library.remove_leftovers()  # whose room this one may need
        disk.save(log, self.folder / place, about)
        if mapping is None and log.shape:
            chosen = self._remembered.get(log.shape)
            mapping_of(self.folder, place).write_text(json.dumps(chosen), "utf-8")
        return place

    def make_room(self, *, besides: str) -> None:
        """Evict the least recently used logs where the library exceeds its budget, but not the one `besides`.

        The more logs there are, the longer it takes.
        """
        with suppress(OSError, LogError):  # a budget that is not valid was refused when the viewer began
            self.library.keep_budget(besides=besides)

    def _read_with(self, place: str) -> object:
        try:
            return json.loads(mapping_of(self.folder, place).read_text("utf-8"))
        except (OSError, ValueError):
            return None

    def content_digest(self, path: Path) -> str:
        """The digest of the file's present content; raises OSError."""
        index = self._index_of(path)
        known = self._known_digest(index)
        if known is not None:
            return known
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        if self._index_of(path) == index:  # else the file was written to meanwhile
            _keep_digest(index, content)
        return content

    def knows(self, path: Path, content: str) -> None:
        """Keep the digest of the file's present content."""
        with suppress(OSError):
            _keep_digest(self._index_of(path), content)

    def known_digest(self, path: Path) -> str | None:
        """The digest of the file's present content, None where it is not known without reading it."""
        try:
            return self._known_digest(self._index_of(path))
        except OSError:
            return None

    def _known_digest(self, index: Path) -> str | None:
        with suppress(OSError, ValueError):
            content = index.read_text("ascii")
            if len(content) == LENGTH_OF_DIGEST:  # a disk that was full may have left less
                return content
        return None

    def _index_of(self, path: Path) -> Path:
        """The path of the digest of the file's content at its present size and time."""
        stat = path.stat()
        known = json.dumps([str(path.resolve()), stat.st_size, stat.st_mtime_ns])
        return self.folder / INDEX / hashlib.sha256(known.encode()).hexdigest()[:32]


def _keep_digest(index: Path, content: str) -> None:
    with suppress(OSError):  # then it is computed again the next time
        index.parent.mkdir(parents=True, exist_ok=True)
        index.write_text(content, "ascii")


def digest_of(data: bytes | mmap.mmap) -> str:
    """The digest by which the content of a file is known."""
    return hashlib.sha256(data).hexdigest()


def _place_of(content: str, mapping: Mapping[str, str] | None) -> str:
    asked = json.dumps([content, None if mapping is None else dict(mapping), LAYOUT, __version__])
    return hashlib.sha256(asked.encode()).hexdigest()[:32]
