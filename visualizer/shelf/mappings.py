"""The mappings of foreign trees that a person chose, remembered by the shape of the log."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.meaning.mapping import checked_mapping
from plyscope.visualizer.store.whole_file import whole_file


class RememberedMappings:
    """Mappings that a person chose, by the shape of the log, in one JSON file of a folder.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     remembered = RememberedMappings(folder)
    ...     remembered.set("3f1c", {"score": "value"})
    ...     remembered.get("3f1c"), remembered.get("77aa")
    ({'score': 'value'}, None)
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._path = Path(folder) / "mappings.json"

    def get(self, shape: str) -> dict[str, str] | None:
        """The mapping for logs of that shape, None where there is none."""
        return self._read().get(shape)

    def set(self, shape: str, mapping: Mapping[str, str]) -> None:
        """Remember a mapping for logs of that shape; raises LogError where a role is unknown."""
        self._write({**self._read(), shape: checked_mapping(mapping)})

    def forget(self, shape: str) -> None:
        """Forget the mapping for logs of that shape, if there is one."""
        mappings = self._read()
        if mappings.pop(shape, None) is not None:
            self._write(mappings)

    @property
    def fault(self) -> str:
        """The error of a file that cannot be read; empty if there is none."""
        if not os.path.lexists(self._path) or isinstance(self._stored(), dict):
            return ""
        return f"{self._path} holds no mappings that can be read; logs are read as if none had been chosen"

    def _stored(self) -> object:
        if not self._path.is_file():  # reading a pipe would block
            return None
        try:
            return json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return None

    def _read(self) -> dict[str, dict[str, str]]:
        """All mappings; none if the file cannot be read, which the next choice replaces."""
        stored = self._stored()
        if not isinstance(stored, dict):
            return {}
        mappings = {}
        for shape, mapping in stored.items():
            try:
                mappings[shape] = checked_mapping(mapping if isinstance(mapping, dict) else {"": None})
            except LogError:
                continue
        return mappings

    def _write(self, mappings: Mapping[str, Mapping[str, str]]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(mappings, ensure_ascii=False, indent=1, sort_keys=True)
        with whole_file(self._path) as file:
            file.write(text.encode())
