"""Converted logs in the user's cache: found again by path, size and time, then by content.

library/<digest of content, mapping and layout>/   the columns, as `store.disk` writes them
library/index/<digest of path, size, time>         the content digest of that file
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from visualizer.store import disk
from visualizer.store.columns import LAYOUT
from visualizer.store.log import Log
from visualizer.version import __version__


class Library:
    """The converted logs below one folder; a folder that cannot be written is an OSError of the writer."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "library"

    def place_of(self, path: Path, mapping: Mapping[str, str] | None) -> Path:
        """The folder in which the columns of this file, read with this mapping, stand or would stand."""
        content = self._content_digest(path)
        asked = json.dumps([content, mapping, LAYOUT, __version__], sort_keys=True)
        return self.folder / hashlib.sha256(asked.encode()).hexdigest()[:32]

    def find(self, path: Path, mapping: Mapping[str, str] | None) -> Log | None:
        """The converted log, memory-mapped; None where it has not been converted or cannot be used."""
        place = self.place_of(path, mapping)
        return disk.load(place) if place.is_dir() else None

    def _content_digest(self, path: Path) -> str:
        stat = path.stat()
        known = json.dumps([str(path.resolve()), stat.st_size, stat.st_mtime_ns])
        index = self.folder / "index" / hashlib.sha256(known.encode()).hexdigest()[:32]
        if index.is_file():
            return index.read_text("ascii")
        with path.open("rb") as file:
            content = hashlib.file_digest(file, "sha256").hexdigest()
        index.parent.mkdir(parents=True, exist_ok=True)
        index.write_text(content, "ascii")
        return content
