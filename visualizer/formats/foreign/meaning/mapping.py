"""Mappings of a foreign tree's fields to ours: as people write them, and remembered by shape."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.meaning.names import words

ROLES: Final = words("""
    children ply score layer player pre_score static factors alpha beta depth bound outcome visits mean
    total prior game position board iteration perspective go
""")
"""The roles of a mapping. `total` is a sum over visits, which gives the mean; `perspective` takes a word of
ours instead of a field, `layer` may; `game` takes the name of a game; `go` is the number of the search to be
read in a session over UCI."""

LAYERS_IN_TURN: Final = {"max first": ("max", "min"), "min first": ("min", "max")}
"""Words that `layer` takes in the place of a field, with the layers of even and odd levels."""

PERSPECTIVES: Final = ("root", "mover", "parent", "first")


def parse_mapping(text: str) -> dict[str, str]:
    """The mapping in a text such as `children=nextMove,score=value`; `score=` is for no field.

    >>> parse_mapping("children=nextMove, score=, layer=max first")
    {'children': 'nextMove', 'score': '', 'layer': 'max first'}
    >>> parse_mapping("score")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    plyscope.visualizer.formats.errors.LogError: mapping "score": expected pairs such as score=value, ...
    """
    mapping: dict[str, str] = {}
    for part in text.split(","):
        if not part.strip():
            continue
        role, equals, field = (piece.strip() for piece in part.partition("="))
        if not equals:
            raise LogError(f'mapping "{part.strip()}": expected pairs such as score=value, joined by commas')
        if role in mapping:
            raise LogError(f'mapping: "{role}" is given twice, expected each once')
        mapping[role] = field
    return checked_mapping(mapping)


def checked_mapping(mapping: Mapping[str, object]) -> dict[str, str]:
    """The mapping, if all its roles are known and every field is a text; else raises LogError.

    >>> checked_mapping({"scores": "value"})  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    plyscope.visualizer.formats.errors.LogError: mapping: "scores" is nothing to map, expected one of ...
    """
    checked = {}
    for role, field in mapping.items():
        if role not in ROLES:
            raise LogError(f'mapping: "{role}" is nothing to map, expected one of {", ".join(ROLES)}')
        if not isinstance(field, str):
            raise LogError(f'mapping: the field for "{role}" is {json.dumps(field)[:60]}, expected a text')
        if role == "perspective" and field not in ("", *PERSPECTIVES):
            raise LogError(f'mapping: perspective "{field}", expected {", ".join(PERSPECTIVES)}')
        checked[role] = field
    return checked


class RememberedMappings:
    """Mappings that a person chose, by the shape of the log, in one JSON file of a folder.

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
        handle, temporary = tempfile.mkstemp(dir=self._path.parent, prefix=".mappings-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(mappings, file, ensure_ascii=False, indent=1, sort_keys=True)
            os.replace(temporary, self._path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
