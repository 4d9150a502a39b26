"""A board as SVG, of a `Drawing` as docs/api.md lists it, drawn as the page draws it.

The forms of pieces and all colours are read from the page's own tables, `static/views/board/shapes.js` and
`static/css/tokens.css`, so that page and picture agree.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, Final

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
    """The elements of a drawn board, from (0, 0) on, and how many pixels they take."""

    elements: tuple[str, ...]
    width: float
    height: float


def board_picture(drawing: Mapping[str, Any], *, dark: bool = False) -> BoardPicture:
    """Draw the cells, what stands on them, their names, the marks of the last ply, and the hands."""
    looks = _colours(dark)
    if not drawing["cells"]:
        lines = drawing["text"].splitlines()
        monospace = 'text-anchor="start" font-family="monospace" xml:space="preserve"'
        rows = [
            _text(line, (0, TEXT_LINE * (i + 0.6)), 0.36, looks["ink"], monospace)
            for i, line in enumerate(lines)
        ]
        return _framed(rows, 0, 0, 0.22 * max(map(len, lines), default=0), TEXT_LINE * len(lines))
    edges = grid_names(drawing)
    parts = [*_ground(drawing, looks), *_values(drawing, looks)]
    for cell in drawing["cells"]:
        parts += _pieces(cell["pieces"], place(drawing["kind"], cell), looks, drawing["kind"] == "hexes")
        parts += [] if edges else _name(drawing["kind"], cell, looks)
    parts += _marks(drawing, looks)
    points = [place(drawing["kind"], cell) for cell in drawing["cells"]]
    for cell in drawing["cells"] if drawing["kind"] in ("points", "free") and not edges else ():
        aside = max(0.0, 0.07 * len(cell["name"]) - 0.5)  # a name may be wider than the place above it
        points += [(cell["x"] - aside, cell["y"] + 0.1), (cell["x"] + aside, cell["y"] + 0.1)]
    left, top = min(x for x, _ in points), min(y for _, y in points)
    right, bottom = max(x for x, _ in points) + MARGIN, max(y for _, y in points) + MARGIN
    if edges:
        for at, name in edges[0].items():
            parts.append(_text(name, (at, top - 0.78), 0.34, looks["dim"]))
        for at, name in edges[1].items():
            parts.append(_text(name, (left - 0.8, at), 0.34, looks["dim"]))
    for hand in filter(None, drawing.get("hands", ())):
        for i, piece in enumerate(hand):
            parts += _pieces([piece], (left + 0.75 * i, bottom + 0.4), looks, drawing["kind"] == "hexes", 0.7)
        right, bottom = max(right, left + 0.75 * len(hand)), bottom + 0.85
    before = NAMES if edges else MARGIN
    return _framed(parts, left - before, top - before, right, bottom)


def _framed(parts: Sequence[str], left: float, top: float, right: float, bottom: float) -> BoardPicture:
    moved = f'<g class="board" transform="scale({UNIT:g}) translate({_n(-left)} {_n(-top)})">'
    return BoardPicture((moved, *parts, "</g>"), UNIT * (right - left), UNIT * (bottom - top))


# The tables that the page has


def _page_file(name: str) -> str:
    """A file of the page, which lies in this package, else beside it."""
    package = Path(__file__).resolve().parent
    inside = package / "static" / name
    return (inside if inside.is_file() else package.parent / "static" / name).read_text("utf-8")


@cache
def piece_table() -> dict[str, Any]:
    """The table of pieces: colours, shapes, signs, bugs."""
    text = _page_file("views/board/shapes.js")
    table: dict[str, Any] = json.JSONDecoder().raw_decode(text, text.index("PIECES = {") + len("PIECES = "))[
        0
    ]
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


# Cells


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


def _ground(drawing: Mapping[str, Any], looks: Mapping[str, str]) -> Iterator[str]:
    kind = drawing["kind"]
    for line in joined(drawing):
        d = "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in (place(kind, cell) for cell in line))
        yield _path(d, fill="none", stroke=looks["board-ink"], stroke_width=0.035)
    for cell in drawing["cells"]:
        at, fill = place(kind, cell), looks["board-dark" if cell.get("dark") else "board"]
        if kind == "points":
            yield _path(_outline(kind, at, 0.2 if "lines" in drawing else 0.1), fill=looks["board-ink"])
        elif kind != "hexes" or cell["name"]:
            yield _path(_outline(kind, at, 1), fill=fill, stroke=looks["board-line"], stroke_width=0.03)
        elif not cell["pieces"]:
            around = {"stroke_width": 0.025, "stroke_dasharray": "0.06 0.06"}
            yield _path(_outline(kind, at, 1), fill="none", stroke=looks["board-line"], **around)


def _values(drawing: Mapping[str, Any], looks: Mapping[str, str]) -> Iterator[str]:
    values = [cell["value"] for cell in drawing["cells"] if "value" in cell]
    low, high = min(values, default=0), max(values, default=0)
    for cell in drawing["cells"]:
        x, y = at = place(drawing["kind"], cell)
        if "value" in cell:
            share = 0.04 + 0.51 * ((cell["value"] - low) / (high - low) if high > low else 0.5)
            outline = _outline(drawing["kind"], at, 1)
            yield _path(outline, fill=looks["accent"], fill_opacity=_n(share))
            yield _text(f"{cell['value']:g}", (x, y - 0.14), 0.3, looks["ink"])
        if "label" in cell:
            yield _text(cell["label"], (x, y + 0.24), 0.26, looks["dim"])


def _name(kind: str, cell: Mapping[str, Any], looks: Mapping[str, str]) -> list[str]:
    x, y = place(kind, cell)
    if kind in ("points", "free"):
        return [_text(cell["name"], (x, y + 0.57), 0.22, looks["dim"])]
    below, size = (0.36, 0.2) if kind == "hexes" else (0.0, 0.3)
    return [] if cell["pieces"] else [_text(cell["name"], (x, y + below), size, looks["dim"])]


def _marks(drawing: Mapping[str, Any], looks: Mapping[str, str]) -> Iterator[str]:
    """Where the last ply ended, where its piece came from, and what else it touched."""
    last, step = drawing["last"], drawing.get("step", {})
    to, left = step.get("to", last[0] if last else None), step.get("from")
    for cell in ([*last, left] if left else last) if to else ():
        at = place(drawing["kind"], {"x": cell[0], "y": cell[1]})
        is_end = cell == to
        dashes = {} if is_end else {"stroke_dasharray": "0.1 0.08"}
        size = (1 if drawing["kind"] == "hexes" else 0.9) if is_end else 0.84
        outline = _outline(drawing["kind"], at, size)
        yield _path(
            outline, fill="none", stroke=looks["accent"], stroke_width=0.08 if is_end else 0.05, **dashes
        )


# Pieces


def _pieces(
    pieces: Sequence[str], at: Point, looks: Mapping[str, str], has_tiles: bool, scale: float = 1.0
) -> Iterator[str]:
    raised = len(pieces) - 1
    step = min(1.0, MOST_SHIFTED / max(1, raised))
    size = scale * (1 - SHRINK * step * raised)
    for i, piece in enumerate(pieces):
        shift = step * (i - raised / 2)
        middle = at[0] + SHIFT[0] * shift, at[1] + SHIFT[1] * shift
        yield from _piece(piece, middle, size, looks, has_tiles, i == raised)
    if raised > 0:
        corner = at[0] + 0.34, at[1] - 0.28
        yield _path(
            _outline("free", corner, 0.37), fill=looks["raised"], stroke=looks["ink"], stroke_width=0.03
        )
        yield _text(str(len(pieces)), corner, 0.26, looks["ink"])


def _piece(
    piece: str, at: Point, size: float, looks: Mapping[str, str], has_tiles: bool, is_top: bool
) -> Iterator[str]:
    table = piece_table()
    box = f"translate({_n(at[0])} {_n(at[1])}) scale({0.01 * size:.4g})"
    sign = next((name for name, each in table["signs"].items() if piece.lower() in each["names"]), None)
    if sign is not None:
        stroke = looks["max" if sign == "cross" else "min"]
        yield _path(table["signs"][sign]["line"], fill="none", stroke=stroke, stroke_width=12, transform=box)
        return
    shape = shape_of(piece)
    bug = re.fullmatch(f"([wb])([{''.join(table['bugs'])}])[1-9]?", piece) if has_tiles else None
    if shape is not None:
        colour, name, word = shape
        form, ink = table["shapes"][name], looks[f"ink-{table['colours'][colour]}"]
        edge = {"stroke": looks["piece-edge"], "stroke_width": 3.5, "fill_rule": "evenodd"}
        yield _path(form["body"], fill=looks[f"piece-{colour}"], transform=box, **edge)
        if "line" in form:
            yield _path(form["line"], fill="none", stroke=ink, stroke_width=4, transform=box)
        if word and is_top:
            yield _text(word, at, 0.85 * size * _text_size(word), ink)
        return
    if has_tiles:
        fill = looks["board" if bug is None else "tile-white" if bug[1] == "w" else "tile-black"]
        outline = _outline("hexes", at, 0.97 * size)
        yield _path(outline, fill=fill, stroke=looks["piece-edge"], stroke_width=0.025)
    if bug is not None and is_top:
        drawn, ink = table["bugs"][bug[2]], looks["ink-dark" if bug[1] == "w" else "ink-light"]
        colour = looks[f"bug-{drawn['name']}"]
        box = f"translate({_n(at[0])} {_n(at[1] - 0.19 * size)}) scale({0.0255 * size:.4g})"
        yield _path(drawn["legs"], fill="none", stroke=colour, stroke_width=1.2, transform=box)
        yield _path(drawn["body"], fill=colour, fill_rule="evenodd", transform=box)
        yield _text(piece[1:], (at[0], at[1] + 0.27 * size), 0.34 * size, ink)
    elif is_top:
        yield _text(piece, at, size * _text_size(piece), looks["ink"])


def _text_size(text: str) -> float:
    return min(0.5, 1.3 / max(2, len(text)))


def _path(d: str, **looks: object) -> str:
    told = "".join(f' {name.replace("_", "-")}="{value}"' for name, value in looks.items())
    return f'<path d="{d}"{told}/>'


def _text(text: str, at: Point, size: float, fill: str, more: str = 'text-anchor="middle"') -> str:
    where = f'x="{_n(at[0])}" y="{_n(at[1] + 0.35 * size)}" font-size="{_n(size)}"'
    return f'<text {where} font-weight="600" fill="{fill}" {more}>{escape(text)}</text>' if text else ""


def _n(value: float) -> str:
    """A length with at most four decimals.

    >>> _n(3.0), _n(-0.25), _n(-0.00001)
    ('3', '-0.25', '0')
    """
    return f"{round(value, 4) + 0.0:g}"
