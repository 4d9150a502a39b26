"""The nodes of a foreign tree in the words of the native form, and of each what is left over."""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt
from typing import Any, Final

from plyscope.visualizer.formats.foreign import names
from plyscope.visualizer.formats.foreign.factors import terms_of
from plyscope.visualizer.formats.foreign.fields import ABSENT, dig, last_name, number, number_in_text, plain
from plyscope.visualizer.formats.foreign.guess import BOUND_WORDS
from plyscope.visualizer.formats.foreign.outline import Outline, ply_text
from plyscope.visualizer.formats.foreign.reading import Reading
from plyscope.visualizer.store.words import OUTCOMES

NUMBERS: Final = frozenset(
    ("score", "pre_score", "static", "depth", "visits", "mean", "prior", "alpha", "beta"),
)
SCALARS: Final = (str, int, float)


class NodeTeller:
    """Tells the nodes of a reading one by one."""

    def __init__(self, reading: Reading, outline: Outline) -> None:
        self._reading, self._outline = reading, outline
        self._roles = [
            (role, path)
            for role, path in reading.taken.items()
            if role not in ("outcome", "factors", "iteration", "total")
        ]

    def node(self, node: int) -> tuple[dict[str, Any], dict[str, Any]]:
        """The fields of a node as the native form names them, and the rest of its fields as they were."""
        reading = self._reading
        source = self._outline.nodes[node]
        label = self._outline.labels[node]
        fields: dict[str, Any] = {}
        used: list[str] = []
        for role, path in self._roles:
            value = dig(source, path)
            if value is ABSENT:
                continue
            told, is_all = told_for(role, value)
            if told is not None or (value is None and role in ("alpha", "beta")):
                fields[role] = told
            if is_all or value is None:
                used += path.split("|")
        if node in self._outline.bare:
            fields["score"] = self._outline.bare[node]
        if reading.are_means[node]:
            fields["mean"] = float(reading.means[node])
        if (layer := reading.layers.layer(source, reading.levels[node])) is not None:
            fields["layer"] = layer
            if reading.layers.path and not reading.layers.is_player:
                used.append(reading.layers.path)
        if node in reading.iterations:
            fields["iteration"] = reading.iterations[node]
        if label is not None and "ply" not in reading.taken:
            fields["ply"] = label
            label = None
        self._add_outcome(node, fields, used)
        self._add_factors(node, fields, used)
        extras = without(source, used)
        if label is not None:
            extras["(key)"] = label
        return fields, extras

    def _add_outcome(self, node: int, fields: dict[str, Any], used: list[str]) -> None:
        """Say how a visit ended, where a field does: game over, a cutoff, a sibling never searched."""
        reading = self._reading
        path = reading.taken.get("outcome")
        value = dig(self._outline.nodes[node], path) if path else ABSENT
        if path is None:
            return
        has_children = bool(reading.has_children[node])
        if isinstance(value, str) and value in OUTCOMES[1:]:
            fields["outcome"] = value
        elif value is True and last_name(path) in names.ENDED:
            fields["outcome"] = "terminal"
        elif value is True and has_children:
            fields["outcome"] = "cutoff"
        elif value is True and "score" not in fields and self._outline.parents[node] >= 0:
            ply = fields.pop("ply", None)
            fields.clear()
            fields |= {"outcome": "pruned", "count": 1} | ({"plies": [ply]} if ply is not None else {})
        elif value is not False:
            return
        used.append(path)

    def _add_factors(self, node: int, fields: dict[str, Any], used: list[str]) -> None:
        reading = self._reading
        if reading.factors is None:
            return
        path = reading.taken["factors"]
        value = dig(self._outline.nodes[node], path)
        if terms := terms_of(value, reading.factors.listed):
            fields |= reading.factors.fields(terms)
            if len(value) == len(terms):
                used.append(path)


def told_for(role: str, value: Any) -> tuple[Any, bool]:
    """The value as a role takes it, None if it does not fit; and whether that is all it says.

    >>> told_for("score", "12.5"), told_for("score", "c6 12.5"), told_for("ply", {"from": "e2", "to": "e4"})
    ((12.5, True), (12.5, False), ('e2e4', False))
    """
    told: Any = None
    if role in NUMBERS:
        told = number(value)
        if told is None and isinstance(value, str):
            return number_in_text(value, role), False
    elif role == "ply":
        return ply_text(value), isinstance(value, SCALARS)
    elif role == "player":
        told = str(value) if isinstance(value, SCALARS) else None
    elif role == "bound":
        told = BOUND_WORDS.get(plain(value)) if isinstance(value, str) else None
    elif role == "position":
        told = value if isinstance(value, str) and value else None
    elif role == "board":
        told = board_text(value)
    return told, told is not None


def board_text(value: object) -> str | None:
    """A board as text, row by row, from text, lists of rows, or a list of the cells of a square.

    >>> print(board_text(["x", "o", None, None, "x", None, None, None, "o"]))
    x o .
    . x .
    . . o
    >>> board_text({"a1": "R"}) is None
    True
    """
    if isinstance(value, str):
        return value or None
    if not isinstance(value, list) or not value:
        return None
    if all(isinstance(row, str) and len(row) > 1 for row in value):
        return "\n".join(value)
    rows = value
    if not any(isinstance(row, list) for row in value):
        width = isqrt(len(value))
        if width < 2 or width * width != len(value):
            return None
        rows = [value[start : start + width] for start in range(0, len(value), width)]
    if not all(
        isinstance(row, list) and not any(isinstance(cell, list | dict) for cell in row) for row in rows
    ):
        return None
    cells = [["." if cell in (None, "", " ") else str(cell) for cell in row] for row in rows]
    widest = max((len(cell) for row in cells for cell in row), default=0)
    return "\n".join(" ".join(cell.rjust(widest) for cell in row) for row in cells)


def without(node: Mapping[str, Any], used: list[str]) -> dict[str, Any]:
    """A copy of a node's fields without those at the paths `used`; an object left empty goes too.

    >>> node = {"name": "c6", "data": {"score": 3, "note": "x"}, "more": {"v": 1}}
    >>> without(node, ["name", "data.score", "more.v"])
    {'data': {'note': 'x'}}
    """
    rest = dict(node)
    copied = set()
    for path in used:
        if path in rest:
            del rest[path]
            continue
        outer, dot, inner = path.partition(".")
        inside = rest.get(outer) if dot else None
        if isinstance(inside, list):
            del rest[outer]
        elif isinstance(inside, dict) and inner in inside:
            if outer not in copied:
                inside = rest[outer] = dict(inside)
                copied.add(outer)
            del rest[outer][inner]
            if not rest[outer]:
                del rest[outer]
                copied.discard(outer)
    return rest
