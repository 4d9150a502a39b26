"""The plan and the kinds of tiles, read from TOML or JSON files that users may replace."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from plyscope import GameError

HERE: Final = Path(__file__).parent
MOST_CELLS: Final = 400


@dataclass(frozen=True)
class Kind:
    """One kind of tile: what it is worth, how scarce it is, and the zones that its drawing fits."""

    name: str
    potential: float
    points: float
    count: int
    zones: str


@dataclass(frozen=True)
class Plan:
    """The board: a letter for the zone of each cell, rows from the top one down, and the words of zones."""

    rows: tuple[str, ...]
    zones: dict[str, str]

    @property
    def n_columns(self) -> int:
        """Cells of a row."""
        return len(self.rows[0])

    @property
    def n_cells(self) -> int:
        """Cells of the board."""
        return len(self.rows) * self.n_columns

    def zone(self, cell: int) -> str:
        """The letter of a cell; cells are counted row by row from the top left one."""
        return self.rows[cell // self.n_columns][cell % self.n_columns]

    def cell_name(self, cell: int) -> str:
        """The cell as people write it: a column's letter, and the row from 1, the bottom one.

        >>> read_plan().cell_name(0), read_plan().cell_name(79)
        ('a8', 'j1')
        """
        row, column = divmod(cell, self.n_columns)
        return f"{chr(97 + column)}{len(self.rows) - row}"


def read_plan(path: Path | None = None) -> Plan:
    """Read a plan: `rows`, texts of equal length, and `zones`, a word for each letter. Raises GameError."""
    source = path or HERE / "plan.toml"
    data = _data(source)
    rows, zones = data.get("rows"), data.get("zones")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, str) and row for row in rows):
        raise GameError(f"{source}: rows: expected a list of texts, a letter for each cell")
    if len({len(row) for row in rows}) != 1 or len(rows[0]) > 26 or len(rows) * len(rows[0]) > MOST_CELLS:
        raise GameError(
            f"{source}: rows: expected rows of equal length, at most 26 cells, {MOST_CELLS} in all"
        )
    if not isinstance(zones, dict) or not all(isinstance(word, str) for word in zones.values()):
        raise GameError(f"{source}: zones: expected a word for each letter of the rows")
    unknown = sorted(set("".join(rows)) - set(zones))
    if unknown:
        raise GameError(f"{source}: rows: found {unknown[0]!r}, expected one of the zones {', '.join(zones)}")
    return Plan(tuple(rows), dict(zones))


def read_kinds(plan: Plan, path: Path | None = None) -> tuple[Kind, ...]:
    """Read the kinds of tiles, each with zones of the plan. Raises GameError."""
    source = path or HERE / "tiles.toml"
    listed = _data(source).get("kinds")
    if not isinstance(listed, list) or not listed or not all(isinstance(each, dict) for each in listed):
        raise GameError(f"{source}: kinds: expected a list of objects")
    kinds = tuple(_kind(source, place, each, plan) for place, each in enumerate(listed))
    names = [kind.name for kind in kinds]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise GameError(f"{source}: kinds: found {twice!r} twice, expected each name once")
    return kinds


def _kind(source: Path, place: int, found: dict[str, Any], plan: Plan) -> Kind:
    for field, types in (
        ("name", str),
        ("potential", (int, float)),
        ("points", (int, float)),
        ("count", int),
        ("zones", str),
    ):
        value = found.get(field)
        if not isinstance(value, types) or isinstance(value, bool) or value == "":
            raise GameError(
                f"{source}: kinds[{place}].{field}: found {value!r}, expected a value of its kind"
            )
    if not 1 <= found["count"] <= MOST_CELLS or not abs(found["points"]) + abs(found["potential"]) < 1e6:
        raise GameError(f"{source}: kinds[{place}]: expected a count from 1 to {MOST_CELLS}, smaller figures")
    unknown = sorted(set(found["zones"]) - set(plan.zones))
    if unknown:
        raise GameError(f"{source}: kinds[{place}].zones: found {unknown[0]!r}, which the plan does not name")
    fields = ("name", "potential", "points", "count", "zones")
    return Kind(*(found[field] for field in fields))


def _data(source: Path) -> dict[str, Any]:
    try:
        text = source.read_text(encoding="utf-8")
        data = json.loads(text) if source.suffix == ".json" else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise GameError(f"{source}: {error}") from None
    if not isinstance(data, dict):
        raise GameError(f"{source}: expected an object")
    return data
