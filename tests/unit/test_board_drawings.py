"""Boards as pictures and as text: every kind and piece, marks, stacks and hands, by the page's own tables."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from plyscope.engine.game import Board, Cell, GameError, Place
from plyscope.engine.quoting import visible
from plyscope.visualizer import board_picture as module
from plyscope.visualizer.analysis.picture.svg import FONTS
from plyscope.visualizer.board_picture import board_picture, piece_table
from plyscope.visualizer.board_text import board_text
from plyscope.visualizer.boards import drawing_of

MORRIS = Board(
    "points",
    (
        Cell(0, 0, ("white stone",), "a3"),
        Cell(2, 0, name="c3"),
        Cell(1, 1, ("black stone",), "b2"),
        Cell(0, 2, name="a1"),
        Cell(2, 2, name="c1"),
    ),
    lines=(("a3", "c3", "c1", "a1", "a3"), ("a3", "b2", "c1"), ("a1", "b2", "c3")),
    hands=(("white stone",) * 2, ()),
)


def drawn(board: Board, *last: Place, dark: bool = False) -> ElementTree.Element:
    elements = board_picture(drawing_of(board, last), dark=dark).elements
    return ElementTree.fromstring("".join(elements))


def written(board: Board) -> list[str]:
    return [each.text or "" for each in drawn(board).iter("text")]


def test_lines_of_points_are_joined_and_hands_lie_below() -> None:
    strokes = [each for each in drawn(MORRIS).iter("path") if each.get("fill") == "none"]
    assert [each.get("d") for each in strokes] == ["M0 0L2 0L2 2L0 2L0 0", "M0 0L1 1L2 2", "M0 2L1 1L2 0"]
    assert written(MORRIS) == ["a", "c", "b", "3", "2", "1"]
    assert (
        board_picture(drawing_of(MORRIS)).height
        > board_picture(drawing_of(Board("points", MORRIS.cells))).height
    )


def test_a_board_of_points_is_text_with_its_lines() -> None:
    assert board_text(drawing_of(MORRIS, [(1, 1)], [(1, 1), (0, 2)]), ["Ann", "Ben"]) == "\n".join(
        [
            "   a   b   c",
            "3  w-------.",
            "   | \\   / |",
            "2  |  [b]  |",
            "   | /   \\ |",
            "1 (.)------.",
            "Ann in hand: w w",
            "b: black stone, w: white stone; [ ] last ply, ( ) changed by it",
        ]
    )


def test_hexes_are_staggered_empty_ones_named_and_stacks_counted() -> None:
    cells = (
        Cell(0, 0, ("red disc",), "a1"),
        Cell(1, 0, name="b1"),
        Cell(0, 1, ("red disc", "blue disc"), "a2"),
    )
    board = Board("hexes", cells)
    assert board_text(drawing_of(board)).splitlines() == [
        " r    b1",
        "   b+",
        "+ at a2: b on r",
        "b: blue disc, r: red disc",
    ]
    assert written(board) == ["b1", "2"]
    stack = Board("squares", (Cell(0, 0, ("white K", "black Q"), "a1", dark=True, label="w"),))
    assert written(stack) == ["w", "Q", "2", "a", "1"]
    assert board_text(drawing_of(stack)).splitlines()[2:] == ["+ at a1: bQ on wK", "bQ: black Q, wK: white K"]


def test_free_places_are_listed_and_drawn_with_their_names() -> None:
    board = Board("free", (Cell(0.5, 0, ("4",), "left"), Cell(2, 1.25), Cell(3, 0, ("12",), "c")))
    assert board_text(drawing_of(board, [(3, 0)])).splitlines() == [
        "     left  4",
        "(2, 1.25)  .",
        "        c [12]",
        "[ ] last ply",
    ]
    assert written(board) == ["4", "left", "12", "c"]


def test_the_picture_in_the_docs_has_every_shape() -> None:
    """Where this fails, write `made` into the file, and look at it."""
    table = piece_table()
    colours = itertools.cycle(table["colours"])
    names = [*(f"{colour} {name}" for colour, name in zip(colours, table["shapes"], strict=False)), "blue K"]
    cells = [Cell(2.2 * (i % 5), 1.4 * (i // 5), (name,), name) for i, name in enumerate(names)]
    board = board_picture(drawing_of(Board("free", tuple(cells))))
    size = f'width="{board.width:g}" height="{board.height:g}" font-family="{FONTS}"'
    made = f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n'
    made += "\n".join(['<rect width="100%" height="100%" fill="#ffffff"/>', *board.elements, "</svg>\n"])
    assert (Path(__file__).parents[2] / "docs" / "images" / "pieces.svg").read_text("utf-8") == made


def test_colours_of_pieces_are_told_apart_by_colour_blind_readers_too() -> None:
    """Seen by the matrices of Machado, Oliveira and Fernandes (2009); distances are CIE 1976."""
    seen = {
        "by all": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        "without red": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
        "without green": ((0.367, 0.861, -0.228), (0.28, 0.673, 0.047), (-0.012, 0.043, 0.969)),
        "without blue": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
    }
    for dark, (who, matrix) in itertools.product((False, True), seen.items()):
        colours = {
            name: _lab(module._colours(dark)[f"piece-{name}"], matrix) for name in piece_table()["colours"]
        }
        for (one, a), (two, b) in itertools.combinations(colours.items(), 2):
            apart = sum((x - y) ** 2 for x, y in zip(a, b, strict=True)) ** 0.5
            assert apart > 15, f"{one} and {two}, {who}, dark: {dark}"


def _lab(colour: str, matrix: Any) -> tuple[float, float, float]:
    levels = [int(part, 16) / 255 for part in re.findall("[0-9a-f]{2}", colour)]
    linear = [level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4 for level in levels]
    r, g, b = (
        min(1.0, max(0.0, sum(m * each for m, each in zip(row, linear, strict=True)))) for row in matrix
    )
    white = (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505, 0.2126 * r + 0.7152 * g + 0.0722 * b
    x, y, z = (
        each ** (1 / 3) if each > 0.008856 else 7.787 * each + 16 / 116
        for each in (*white, (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def test_values_of_stated_cells_are_shaded_and_written() -> None:
    cells = [{"x": x, "y": 0, "name": "", "pieces": [], "value": x / 2} for x in range(2)]
    parts = board_picture({"kind": "squares", "cells": cells, "text": "", "last": [], "changed": []}).elements
    assert [part for part in parts if "fill-opacity" in part and ('"0.04"' in part or '"0.55"' in part)]
    assert sum(">0.5</text>" in part for part in parts) == 1


def test_a_board_too_wide_for_a_terminal_is_listed_and_sends_it_no_orders() -> None:
    board = Board("squares", (Cell(0, 0, ("\x1b[2J",), "a1"), Cell(5000, 0)))
    assert written(board)[0] == f"{visible(chr(27))}[2J"
    assert written(Board("text", text="<b>\n.O.")) == ["<b>", ".O."]
    assert board_text(drawing_of(Board("text", text="x\ny\x1b[2J"))) == f"x\ny{visible(chr(27))}[2J"
    assert board_text(drawing_of(board)).splitlines()[1:] == [
        "(5000, 0)  .",
        f"{visible(chr(27))}: {visible(chr(27))}[2J",
    ]


@pytest.mark.parametrize(
    ("kind", "place", "message"),
    [
        ("square", 0, r"Board\('square'\): expected one of squares, hexes, points, free, text"),
        ("hexes", "k", r"Cell\(9, 'k'\): y = 'k', expected a number"),
        ("free", float("nan"), r"y = nan, expected a number"),
    ],
)
def test_a_board_refuses_kinds_that_nobody_draws_and_places_that_are_no_numbers(
    kind: Any, place: Any, message: str
) -> None:
    with pytest.raises(GameError, match=message):
        Board(kind, (Cell(9, place),))
    with pytest.raises(
        GameError, match=r"pieces = 'white disc', expected a tuple of names, \('white disc',\)"
    ):
        Cell(0, 0, "white disc")  # type: ignore[arg-type]
