"""Pasted logs on the disk: the bytes as they came, and beside them the name and mapping they were given.

pasted/<id>.log, pasted/<id>.about.json
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from visualizer.shelf.entry import Entry


class Pastes:
    """The pasted logs in one folder, which is made when the first one comes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, log_id: str, name: str, data: bytes, mapping: dict[str, str] | None) -> Entry:
        """Write a paste to the disk and return its entry; raises OSError, and then nothing of it stays."""
        self._folder.mkdir(parents=True, exist_ok=True)
        path = self._folder / f"{log_id}.log"
        entry = Entry(log_id, name, "pasted", path, len(data), mapping=mapping)
        try:
            path.write_bytes(data)
            self.describe(entry)
        except OSError:
            self.forget(entry)
            raise
        return entry

    def describe(self, entry: Entry) -> None:
        """Write down the entry's name and mapping."""
        about = {"name": entry.name, "mapping": entry.mapping}
        _about(entry).write_text(json.dumps(about), "utf-8")

    def forget(self, entry: Entry) -> None:
        """Delete what is kept of a paste."""
        entry.path.unlink(missing_ok=True)
        _about(entry).unlink(missing_ok=True)

    def all(self) -> Iterator[Entry]:
        """The pastes of earlier days, the oldest first; one whose description is lost bears its id."""
        if not self._folder.is_dir():
            return
        for path in sorted(self._folder.glob("*.log"), key=lambda path: path.stat().st_mtime):
            entry = Entry(path.stem, path.stem, "pasted", path, path.stat().st_size)
            try:
                about = json.loads(_about(entry).read_text("utf-8"))
                entry.name, entry.mapping = str(about["name"]), about["mapping"]
            except (OSError, ValueError, KeyError):
                entry.name = path.stem
            yield entry


def _about(entry: Entry) -> Path:
    return entry.path.with_suffix(".about.json")
