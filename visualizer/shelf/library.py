"""Converted logs in the user's cache: found again by path, size and time, then by content.

library/<digest of content, mapping and layout>/   the columns, as `store.disk` writes them
library/<the same>.mapping                         the remembered mapping a foreign tree was read with
library/index/<digest of path, size, time>         the content digest of that file
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from visualizer.formats.foreign.mapping import RememberedMappings
from visualizer.store import disk
from visualizer.store.columns import LAYOUT
from visualizer.store.log import Log
from visualizer.version import __version__

LENGTH_OF_DIGEST: Final = 64


class Library:
    """The converted logs below one folder; a folder that cannot be written is an OSError of the writer."""

    def __init__(self, folder: Path, remembered: RememberedMappings) -> None:
        self.folder = folder / "library"
        self._remembered = remembered

    def find(self, path: Path, mapping: Mapping[str, str] | None) -> Log | None:
        """The converted log, memory-mapped; None where it has not been converted or cannot be used.

        A foreign tree that was read without a mapping is of no use any more once another one is remembered
        for its shape.
        """
        place = self._place_of(path, mapping)
        log = disk.load(place) if place.is_dir() else None
        if log is None or mapping is not None or not log.shape:
            return log
        return log if self._read_with(place) == self._remembered.get(log.shape) else None

    def save(self, log: Log, path: Path, mapping: Mapping[str, str] | None) -> None:
        """Keep the columns of the log at `path`, read with `mapping` or as remembered for its shape."""
        place = self._place_of(path, mapping)
        disk.save(log, place)
        if mapping is None and log.shape:
            chosen = self._remembered.get(log.shape)
            place.with_suffix(".mapping").write_text(json.dumps(chosen), "utf-8")

    def _read_with(self, place: Path) -> object:
        try:
            return json.loads(place.with_suffix(".mapping").read_text("utf-8"))
        except (OSError, ValueError):
            return None

    def _place_of(self, path: Path, mapping: Mapping[str, str] | None) -> Path:
        content = self._content_digest(path)
        asked = json.dumps([content, None if mapping is None else dict(mapping), LAYOUT, __version__])
        return self.folder / hashlib.sha256(asked.encode()).hexdigest()[:32]

    def _content_digest(self, path: Path) -> str:
        stat = path.stat()
        known = json.dumps([str(path.resolve()), stat.st_size, stat.st_mtime_ns])
        index = self.folder / "index" / hashlib.sha256(known.encode()).hexdigest()[:32]
        with suppress(OSError, ValueError):
            content = index.read_text("ascii")
            if len(content) == LENGTH_OF_DIGEST:  # a disk that was full may have left less
                return content
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        with suppress(OSError):  # then it is computed again the next time
            index.parent.mkdir(parents=True, exist_ok=True)
            index.write_text(content, "ascii")
        return content
