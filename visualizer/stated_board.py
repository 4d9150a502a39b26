"""The board that a log's header states for its root: cells and pieces of a game that is not ours.

The plies at the root are drawn on it by the names of cells in their texts. Below, no position is known.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from plyscope.engine.game import GameError, Place

KINDS: Final = ("squares", "hexes", "points", "free")
MOST_CELLS: Final = 4096
LARGEST_PLACE: Final = 10_000
NEW: Final = "+"


class StatedBoard:
    """A header's `board`, checked. Raises GameError with the fault and its place."""

    def __init__(self, stated: Any) -> None:
        if not isinstance(stated, Mapping) or stated.get("kind") not in KINDS:
            raise GameError(
                f"the header's `board` has no `kind`: expected {', '.join(KINDS[:-1])} or {KINDS[-1]}"
            )
        cells = stated.get("cells")
        if not isinstance(cells, list) or not 0 < len(cells) <= MOST_CELLS:
            raise GameError(f"the header's `board` has no `cells`: expected a list of 1 to {MOST_CELLS:,}")
        self.kind: str = stated["kind"]
        self.cells = [_cell(cell, place, self.kind == "free") for place, cell in enumerate(cells)]
        self.value_name = stated["value"] if isinstance(stated.get("value"), str) else "value"
        labels = stated.get("labels")
        self.labels = {
            str(label): meaning
            for label, meaning in (labels if isinstance(labels, Mapping) else {}).items()
            if isinstance(meaning, str)
        }
        self.lines = stated.get("lines", [])
        if not isinstance(self.lines, list) or not all(map(_are_texts, self.lines)):
            raise GameError(
                f"the header's `board.lines` is {_shown(self.lines)}, expected lists of names of cells"
            )
        self._places: dict[str, Place] = {}
        for cell in self.cells:
            if cell["name"]:
                self._places.setdefault(cell["name"].lower(), (cell["x"], cell["y"]))
        longest_first = sorted(map(re.escape, self._places), key=len, reverse=True)
        self._names = re.compile(rf"(?<!\w)({'|'.join(longest_first)})(?!\w)", re.IGNORECASE)

    def places_of(self, ply: str) -> list[Place]:
        """The cells that the text of a ply names, in its order, each once.

        >>> board = StatedBoard({"kind": "squares", "cells": [{"x": 0, "y": 0, "name": "a1"}]})
        >>> board.places_of("wall a1 + a1"), board.places_of("wall a10")
        ([(0, 0)], [])
        """
        if not self._places:
            return []
        return list(dict.fromkeys(self._places[name.lower()] for name in self._names.findall(ply)))

    def drawing(self, last: Sequence[Place] = ()) -> dict[str, Any]:
        """The `Drawing` of docs/api.md; `last` are the cells of the ply that leads here.

        The piece that the ply puts there is unknown: on empty cells it is `+`.
        """
        laid = set(last)
        cells = [
            {key: cell[key] for key in ("x", "y", "name", "dark") if key in cell} | {"pieces": [NEW]}
            if (cell["x"], cell["y"]) in laid and not cell["pieces"]
            else cell
            for cell in self.cells
        ]
        drawn: dict[str, Any] = {
            "kind": self.kind,
            "cells": cells,
            "text": "",
            "last": [list(place) for place in last],
            "changed": [],
        }
        if any("value" in cell for cell in self.cells):
            drawn["value"] = self.value_name
        if self.lines:
            drawn["lines"] = self.lines
        return {**drawn, "labels": self.labels} if self.labels else drawn


def _cell(cell: Any, place: int, is_free: bool) -> dict[str, Any]:
    where = f"the header's `board.cells[{place}]`"
    if not isinstance(cell, Mapping):
        raise GameError(f"{where} is no object: expected x, y and a name")
    found: dict[str, Any] = {}
    for axis in ("x", "y"):
        value = cell.get(axis)
        is_number = type(value) is int or (is_free and type(value) is float)
        if not is_number or not abs(value or 0) <= LARGEST_PLACE:
            expected = "number" if is_free else "whole number"
            raise GameError(f"{where}.{axis} is {_shown(value)}, expected a {expected}")
        found[axis] = value
    pieces, value = cell.get("pieces", []), cell.get("value")
    for key in ("name", "label"):
        text = cell.get(key, "")
        if not isinstance(text, str):
            raise GameError(f"{where}.{key} is {_shown(text)}, expected a text")
        if text or key == "name":
            found[key] = text
    if not _are_texts(pieces):
        raise GameError(f"{where}.pieces is {_shown(pieces)}, expected a list of texts")
    found["pieces"] = pieces
    if cell.get("dark") is True:
        found["dark"] = True
    if value is None:
        return found
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise GameError(f"{where}.value is {_shown(value)}, expected a number")
    return {**found, "value": value}


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:40] + "…"
