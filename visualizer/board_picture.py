"""A board as SVG, of a `Drawing` as docs/api.md lists it, drawn as the page draws it.

The forms of pieces and all colours are read from the page's own tables, `static/views/board/shapes.js` and
`static/css/tokens.css`, so that page and picture agree.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

from plyscope.engine.quoting import visible

UNIT: Final = 34.0
"""Pixels between two cells."""
MARGIN: Final = 0.66
NAMES: Final = 1.1
SHIFT: Final = (0.03, -0.07)
SHRINK: Final = 0.078
MOST_SHIFTED: Final = 4
"""As in `static/views/board/pieces.js`: how the pieces of a stack lie on one another."""
TEXT_LINE: Final = 0.4
GRID_NAME: Final = re.compile(r"([a-z]+|[0-9]+(?=\.))\.?([0-9]+)", re.IGNORECASE)
_TOKEN: Final = re.compile(r"--([\w-]+): (?:light-dark\((#\w+), (#\w+)\)|(#\w+));")

Point = tuple[float, float]


@dataclass(frozen=True)
class BoardPicture:
    """The elements of a drawn board, from (0, 0) on, and its size in pixels."""

    elements: tuple[str, ...]
    width: float
    height: float


def board_picture(drawing: Mapping[str, Any], *, dark: bool = False) -> BoardPicture:
    """Draw the cells, the pieces on them, their names, the marks of the last ply, and the hands."""
    pen = _Pen(drawing["kind"], _colours(dark))
    if not drawing["cells"]:
        lines = drawing["text"].splitlines()
        for i, line in enumerate(lines):
            pen.text(
                line, (0, TEXT_LINE * (i + 0.6)), 0.36, "ink", 'font-family="monospace" xml:space="preserve"'
            )
        return pen.framed(0, 0, 0.22 * max(map(len, lines), default=0), TEXT_LINE * len(lines))
    edges = grid_names(drawing)
    _ground(pen, drawing)
    points = []
    for cell in drawing["cells"]:
        points.append(place(pen.kind, cell))
        pen.stack(cell["pieces"], points[-1])
        if edges is None:
            points += _name(pen, cell)
    _marks(pen, drawing)
    left, top = min(x for x, _ in points), min(y for _, y in points)
    right, bottom = max(x for x, _ in points) + MARGIN, max(y for _, y in points) + MARGIN
    columns, rows = edges or ({}, {})
    for at, name in columns.items():
        pen.text(name, (at, top - 0.78), 0.34, "dim")
    for at, name in rows.items():
        pen.text(name, (left - 0.8, at), 0.34, "dim")
    for hand in filter(None, drawing.get("hands", ())):
        for i, piece in enumerate(hand):
            pen.stack([piece], (left + 0.75 * i, bottom + 0.4), 0.7)
        right, bottom = max(right, left + 0.75 * len(hand)), bottom + 0.85
    before = MARGIN if edges is None else NAMES
    return pen.framed(left - before, top - before, right, bottom)


def _ground(pen: _Pen, drawing: Mapping[str, Any]) -> None:
    """Lines, outlines of cells, and of a board that a log states values and labels."""
    values = [cell["value"] for cell in drawing["cells"] if "value" in cell]
    low, high = min(values, default=0), max(values, default=0)
    for line in joined(drawing):
        pen.path(
            "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in (place(pen.kind, cell) for cell in line)),
            "board-ink",
        )
    for cell in drawing["cells"]:
        x, y = at = place(pen.kind, cell)
        if pen.kind == "points":
            pen.path(_outline(pen.kind, at, 0.2 if "lines" in drawing else 0.1), fill="board-ink")
        elif pen.kind != "hexes" or cell["name"]:
            pen.path(
                _outline(pen.kind, at, 1), "board-line", 0.03, "board-dark" if cell.get("dark") else "board"
            )
        elif not cell["pieces"]:
            pen.path(_outline(pen.kind, at, 1), "board-line", 0.025, more='stroke-dasharray="0.06 0.06"')
        if "value" in cell:
            share = 0.04 + 0.51 * ((cell["value"] - low) / (high - low) if high > low else 0.5)
            pen.path(_outline(pen.kind, at, 1), fill="accent", more=f'fill-opacity="{_n(share)}"')
            pen.text(f"{cell['value']:g}", (x, y - 0.14), 0.3, "ink")
        pen.text(cell.get("label", ""), (x, y + 0.24), 0.26, "dim")


def _name(pen: _Pen, cell: Mapping[str, Any]) -> list[Point]:
    """Write a name in its cell, or below a round place, where it may be wider; return where it ends then."""
    x, y = place(pen.kind, cell)
    if pen.kind in ("points", "free"):
        pen.text(cell["name"], (x, y + 0.57), 0.22, "dim")
        aside = max(0.0, 0.07 * len(cell["name"]) - 0.5)
        return [(x - aside, y + 0.1), (x + aside, y + 0.1)]
    below, size = (0.36, 0.2) if pen.kind == "hexes" else (0.0, 0.3)
    pen.text("" if cell["pieces"] else cell["name"], (x, y + below), size, "dim")
    return []


def _marks(pen: _Pen, drawing: Mapping[str, Any]) -> None:
    """Outline the cells of the last ply (its end, its start, others that it changed) and of a check."""
    last, step = drawing["last"], drawing.get("step", {})
    to, left = step.get("to", last[0] if last else None), step.get("from")
    for x, y in [*last, *([left] if left else [])]:
        size, width, dashes = (0.9, 0.08, "") if [x, y] == to else (0.84, 0.05, 'stroke-dasharray="0.1 0.08"')
        size = 1 if pen.kind == "hexes" and not dashes else size
        pen.path(_outline(pen.kind, place(pen.kind, {"x": x, "y": y}), size), "accent", width, more=dashes)
    if check := drawing.get("check"):
        pen.path(_outline(pen.kind, place(pen.kind, {"x": check[0], "y": check[1]}), 0.9), "lost", 0.1)


class _Pen:
    """The shapes of a picture so far; colours are tokens of the page."""

    def __init__(self, kind: str, looks: Mapping[str, str]) -> None:
        self.kind = kind
        self._looks = looks
        self._parts: list[str] = []

    def path(self, d: str, stroke: str = "", width: float = 0.035, fill: str = "", more: str = "") -> None:
        looks = [f'fill="{self._looks[fill] if fill else "none"}"', more]
        if stroke:
            looks.append(f'stroke="{self._looks[stroke]}" stroke-width="{width}"')
        if d:
            self._parts.append(f'<path d="{d}" {" ".join(filter(None, looks))}/>')

    def text(self, text: str, at: Point, size: float, fill: str, more: str = 'text-anchor="middle"') -> None:
        where = f'x="{_n(at[0])}" y="{_n(at[1] + 0.35 * size)}" font-size="{_n(size)}"'
        if text:
            looks = f'font-weight="600" fill="{self._looks[fill]}" {more}'
            self._parts.append(f"<text {where} {looks}>{escape(visible(text))}</text>")

    def framed(self, left: float, top: float, right: float, bottom: float) -> BoardPicture:
        moved = f'<g class="board" transform="scale({UNIT:g}) translate({_n(-left)} {_n(-top)})">'
        return BoardPicture((moved, *self._parts, "</g>"), UNIT * (right - left), UNIT * (bottom - top))

    def stack(self, pieces: Sequence[str], at: Point, scale: float = 1.0) -> None:
        """Draw the pieces of a cell, the top last, and their number where there are several."""
        raised = len(pieces) - 1
        step = min(1.0, MOST_SHIFTED / max(1, raised))
        for i, piece in enumerate(pieces):
            shift = step * (i - raised / 2)
            middle = at[0] + SHIFT[0] * shift, at[1] + SHIFT[1] * shift
            self._piece(piece, middle, scale * (1 - SHRINK * step * raised), is_top=i == raised)
        if raised > 0:
            corner = at[0] + 0.34, at[1] - 0.28
            self.path(_outline("free", corner, 0.37), "ink", 0.03, "raised")
            self.text(str(len(pieces)), corner, 0.26, "ink")

    def _piece(self, piece: str, at: Point, size: float, is_top: bool) -> None:
        table, shape = piece_table(), shape_of(piece)
        box = f'transform="translate({_n(at[0])} {_n(at[1])}) scale({0.01 * size:.4g})" fill-rule="evenodd"'
        for name, sign in table["signs"].items():
            if piece.lower() in sign["names"]:
                return self.path(sign["line"], "max" if name == "cross" else "min", 12, more=box)
        word, ink, height = piece, "ink", size * min(0.5, 1.3 / max(2, len(piece)))
        if shape is not None:
            colour, name, word = shape
            form, ink = table["shapes"][name], f"ink-{table['colours'][colour]}"
            height = 0.85 * size * min(0.5, 1.3 / max(2, len(word)))
            self.path(form["body"], "piece-edge", 3.5, f"piece-{colour}", box)
            self.path(form.get("line", ""), ink, 4, more=box)
        elif self.kind == "hexes":
            bug = re.fullmatch(f"([wb])([{''.join(table['bugs'])}])[1-9]?", piece)
            side = "" if bug is None else "white" if bug[1] == "w" else "black"
            self.path(
                _outline("hexes", at, 0.97 * size), "piece-edge", 0.025, f"tile-{side}" if bug else "board"
            )
            if bug is not None and is_top:
                drawn, ink = table["bugs"][bug[2]], "ink-dark" if bug[1] == "w" else "ink-light"
                up = f"translate({_n(at[0])} {_n(at[1] - 0.19 * size)}) scale({0.0255 * size:.4g})"
                self.path(drawn["legs"], f"bug-{drawn['name']}", 1.2, more=f'transform="{up}"')
                self.path(
                    drawn["body"], fill=f"bug-{drawn['name']}", more=f'transform="{up}" fill-rule="evenodd"'
                )
                word, at, height = piece[1:], (at[0], at[1] + 0.27 * size), 0.34 * size
        self.text(word if is_top else "", at, height, ink)


def _page_file(name: str) -> str:
    """The text of a file of the page, which is in this package or beside it."""
    package = Path(__file__).resolve().parent
    inside = package / "static" / name
    return (inside if inside.is_file() else package.parent / "static" / name).read_text("utf-8")


@cache
def piece_table() -> dict[str, Any]:
    """The table of pieces: colours, shapes, signs, bugs."""
    text = _page_file("views/board/shapes.js")
    table: dict[str, Any]
    table, _ = json.JSONDecoder().raw_decode(text, text.index("PIECES = {") + len("PIECES = "))
    return table


@cache
def _colours(dark: bool) -> dict[str, str]:
    found = _TOKEN.findall(_page_file("css/tokens.css"))
    return {name: always or (at_night if dark else by_day) for name, by_day, at_night, always in found}


def shape_of(piece: str) -> tuple[str, str, str] | None:
    """Colour, shape and the word on it of a piece by its name, as `shapeOf` of the page's table has it.

    >>> shape_of("white crowned man"), shape_of("stars"), shape_of("black K"), shape_of("K")
    (('white', 'crowned disc', ''), ('grey', 'star', ''), ('black', 'disc', 'K'), None)
    """
    table = piece_table()
    first, _, rest = piece.strip().partition(" ")
    colour = first.lower() if first.lower() in table["colours"] else None
    said = " " + (piece.strip() if colour is None else rest.strip()).lower().removesuffix("s")
    for name, form in table["shapes"].items():
        for each in form["names"]:
            ending = f" {each.removesuffix('s')}"
            if said == ending or (colour is not None and said.endswith(ending)):
                return colour or "grey", name, ""
    return None if colour is None or not rest.strip() else (colour, "disc", rest.strip())


def place(kind: str, cell: Mapping[str, Any]) -> Point:
    """The middle of a cell; hexes have pointed tops."""
    x, y = cell["x"], cell["y"]
    return (x + y / 2, y * math.sqrt(3) / 2) if kind == "hexes" else (x, y)


def grid_names(drawing: Mapping[str, Any]) -> tuple[dict[float, str], dict[float, str]] | None:
    """The names of columns by x and of rows by y, if the names of all cells tell one of each; else None."""
    columns: dict[float, str] = {}
    rows: dict[float, str] = {}
    for cell in drawing["cells"]:
        found = GRID_NAME.fullmatch(cell["name"])
        if found is None or drawing["kind"] in ("hexes", "free"):
            return None
        column, row = found.groups()
        if columns.setdefault(cell["x"], column) != column or rows.setdefault(cell["y"], row) != row:
            return None
    return columns, rows


def joined(drawing: Mapping[str, Any]) -> list[list[Mapping[str, Any]]]:
    """The lines of a board, each the cells that it goes through; by default between neighbouring points."""
    cells = drawing["cells"]
    if "lines" in drawing:
        named = {cell["name"]: cell for cell in cells}
        return [[named[name] for name in line if name in named] for line in drawing["lines"]]
    if drawing["kind"] != "points":
        return []
    there = {(cell["x"], cell["y"]): cell for cell in cells}
    return [
        [cell, there[to]] for (x, y), cell in there.items() for to in ((x + 1, y), (x, y + 1)) if to in there
    ]


def _outline(kind: str, at: Point, size: float) -> str:
    x, y = at
    if kind == "hexes":
        angles = [math.radians(60 * i - 30) for i in range(6)]
        radius = size * 0.97 / math.sqrt(3)
        corners = (f"{_n(x + radius * math.cos(a))} {_n(y + radius * math.sin(a))}" for a in angles)
        return f"M{'L'.join(corners)}z"
    if kind == "squares":
        return f"M{_n(x - size / 2)} {_n(y - size / 2)}h{_n(size)}v{_n(size)}h{_n(-size)}z"
    r = 0.46 * size
    half = f"a{_n(r)} {_n(r)} 0 1 0 "
    return f"M{_n(x - r)} {_n(y)}{half}{_n(2 * r)} 0{half}{_n(-2 * r)} 0z"


def _n(value: float) -> str:
    """A length with at most four decimals.

    >>> _n(3.0), _n(-0.25), _n(-0.00001)
    ('3', '-0.25', '0')
    """
    return f"{round(value, 4) + 0.0:g}"
