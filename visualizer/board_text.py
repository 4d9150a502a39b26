"""A board in a terminal, of a `Drawing` as docs/api.md lists it: letters for pieces, with a legend below."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, count, pairwise
from typing import Any, Final

from plyscope.engine.quoting import visible
from plyscope.visualizer.board_picture import grid_names, joined, piece_table, shape_of

Canvas = dict[tuple[int, int], str]
"""Characters by line and column."""
WIDEST: Final = 100
"""Cells of boards that are wider or higher are listed."""
MARKS: Final = {"[": "[ ] last ply", "(": "( ) changed by it"}


def board_text(drawing: Mapping[str, Any], players: Sequence[str] = ()) -> str:
    """Draw a board with letters: `[b]` where the last ply ended, `(b)` on other cells that it changed.

    >>> cells = [{"x": x, "y": 0, "name": f"{'ab'[x]}1", "pieces": ["white disc"] * x} for x in range(2)]
    >>> print(board_text({"kind": "squares", "cells": cells, "last": [[1, 0]], "changed": [[0, 0], [1, 0]]}))
       a   b
    1 (.) [w]
    w: white disc; [ ] last ply, ( ) changed by it
    """
    if not drawing["cells"]:
        return "\n".join(map(visible, drawing["text"].split("\n")))
    hands = drawing.get("hands", ())
    every = [piece for cell in drawing["cells"] for piece in cell["pieces"]]
    letters = _letters([*every, *(piece for hand in hands for piece in hand)])
    places = {(cell["x"], cell["y"]): _marked(cell, drawing, letters) for cell in drawing["cells"]}
    spread = max(max(axis) - min(axis) for axis in zip(*places, strict=True))
    is_listed = drawing["kind"] == "free" or spread > WIDEST
    lines = _listed(drawing, places) if is_listed else _laid(drawing, places)
    for cell in drawing["cells"]:
        if len(cell["pieces"]) > 1:
            stack = " on ".join(letters[piece] for piece in reversed(cell["pieces"]))
            lines.append(f"+ at {_called(cell)}: {stack}")
    for i, hand in enumerate(hands):
        if hand:
            held = " ".join(letters[piece] for piece in hand)
            lines.append(f"{players[i] if i < len(players) else f'player {i + 1}'} in hand: {held}")
    legend = ", ".join(f"{letter}: {piece}" for piece, letter in letters.items() if letter != piece)
    signs = {text[0] for text in places.values()}
    marks = ", ".join(says for sign, says in MARKS.items() if sign in signs)
    lines += filter(None, ["; ".join(filter(None, [legend, marks]))])
    return "\n".join(map(visible, lines))


def _letters(pieces: Iterable[str]) -> dict[str, str]:
    """A sign for each piece, no two the same: its name if that is short, else as few of its letters as do.

    >>> _letters(["black disc", "black crowned disc", "blue disc", "blue K", "wQ"])
    {'wQ': 'wQ', 'black disc': 'b', 'blue K': 'bK', 'blue disc': 'B', 'black crowned disc': 'bcd'}
    >>> _letters(["black knight"])
    {'black knight': 'bN'}
    """
    shapes = piece_table()["shapes"]
    named: dict[str, str] = {}
    for piece in sorted(set(pieces), key=lambda piece: (len(piece) > 3, piece.count(" "), piece)):
        first, words = piece[:1].lower(), piece.split()
        shape = shape_of(piece)
        letter = shapes[shape[1]].get("letter") if shape is not None else None
        marked = [first + words[-1]] if len(words) == 2 and len(words[1]) <= 2 else []
        marked += [first + letter] if letter and len(words) == 2 else []
        short = [piece] if len(piece) <= 3 else [first, first.upper(), "".join(word[0] for word in words)]
        numbered = (f"{first}{n}" for n in count(2))
        named[piece] = next(sign for sign in chain(marked, short, numbered) if sign not in named.values())
    return named


def _marked(cell: Mapping[str, Any], drawing: Mapping[str, Any], letters: Mapping[str, str]) -> str:
    pieces = cell["pieces"]
    text = letters[pieces[-1]] + "+" * (len(pieces) > 1) if pieces else ""
    if not text:
        text = cell["name"] if drawing["kind"] == "hexes" and cell["name"] else "."
    at, last = [cell["x"], cell["y"]], drawing["last"]
    if at == drawing.get("step", {}).get("to", last[0] if last else None):
        return f"[{text}]"
    return f"({text})" if at in drawing["changed"] or at in last else f" {text} "


def _called(cell: Mapping[str, Any]) -> str:
    return cell["name"] or f"({cell['x']:g}, {cell['y']:g})"


def _listed(drawing: Mapping[str, Any], places: Mapping[Any, str]) -> list[str]:
    names = {(cell["x"], cell["y"]): _called(cell) for cell in drawing["cells"]}
    widest = max(map(len, names.values()))
    return [f"{name:>{widest}} {places[at]}".rstrip() for at, name in names.items()]


def _laid(drawing: Mapping[str, Any], places: Mapping[Any, str]) -> list[str]:
    """The cells in rows, those of hexes by half a cell aside for each row; lines run between points."""
    half = max(map(len, places.values())) // 2 + 1
    has_lines = bool(joined(drawing))
    deep = 2 if has_lines else 1

    def spot(x: float, y: float) -> tuple[int, int]:
        return int(deep * y), int(half * (2 * x + y if drawing["kind"] == "hexes" else 2 * x))

    canvas: Canvas = {}
    for way in joined(drawing):
        ends = [spot(cell["x"], cell["y"]) for cell in way]
        for start, end in pairwise(ends):
            _line(canvas, start, end)
    for (x, y), text in places.items():
        line, column = spot(x, y)
        shown = text.strip() if has_lines else text
        _write(canvas, line, column - len(shown) // 2, shown)
    top, left = min(line for line, _ in canvas), min(column for _, column in canvas)
    edges = grid_names(drawing)
    if edges is not None:
        for x, name in edges[0].items():
            _write(canvas, top - 1, spot(x, 0)[1], name)
        widest = max(map(len, edges[1].values()))
        for y, name in edges[1].items():
            _write(canvas, spot(0, y)[0], left - 1 - widest, name.rjust(widest))
    left = min(column for _, column in canvas)
    rows: dict[int, dict[int, str]] = {line: {} for line in range(min(canvas)[0], max(canvas)[0] + 1)}
    for (line, column), sign in canvas.items():
        rows[line][column - left] = sign
    return [
        "".join(row.get(i, " ") for i in range(max(row, default=-1) + 1)).rstrip() for row in rows.values()
    ]


def _line(canvas: Canvas, start: tuple[int, int], end: tuple[int, int]) -> None:
    down, right = end[0] - start[0], end[1] - start[1]
    n = max(abs(down), 1) if down else abs(right)
    sign = "-" if not down else "|" if not right else "\\" if (down > 0) == (right > 0) else "/"
    for i in range(1, n):
        canvas[start[0] + down * i // n, start[1] + round(right * i / n)] = sign


def _write(canvas: Canvas, line: int, column: int, text: str) -> None:
    for i, sign in enumerate(text):
        canvas[line, column + i] = sign
