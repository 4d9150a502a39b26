"""A game of somebody's own, in a file: two discs on a strip go towards each other until one cannot move."""

from __future__ import annotations

from pathlib import Path

STRIP = """
from plyscope.engine.game import Board, Cell


class Strip:
    name = "strip"
    players = ("white", "black")
    factors = {"gap": 1.0, "steps": 2.0}
    meanings = {"gap": "Free cells between the discs."}

    def start(self):
        return (0, 6, 0)

    def plies(self, position):
        left, right, turn = position
        return [n for n in (1, 2) if left + n < right]

    def apply(self, position, ply):
        left, right, turn = position
        return (left + ply, right, 1) if turn == 0 else (left, right - ply, 0)

    def player(self, position):
        return position[2]

    def winner(self, position):
        return None if position[1] - position[0] > 1 else 2 - position[2]

    def values(self, position):
        left, right, turn = position
        return [right - left - 1, left - (6 - right)]

    def key(self, position):
        left, right, turn = position
        return left + 8 * right + 64 * turn

    def read_position(self, text):
        left, right, turn = map(int, text.split())
        return left, right, turn

    def write_position(self, position):
        return " ".join(map(str, position))

    def write_ply(self, position, ply):
        left, right, turn = position
        return "abcdefg"[left + ply if turn == 0 else right - ply] + "1"

    def board(self, position):
        discs = {position[0]: ("white disc",), position[1]: ("black disc",)}
        return Board("squares", tuple(Cell(x, 0, discs.get(x, ()), "abcdefg"[x] + "1") for x in range(7)))
"""


def write_strip(folder: Path, *edits: tuple[str, str]) -> str:
    """Write the game into a file of `folder`, with edits of its text; return the place."""
    text = STRIP
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    path = folder / "strip.py"
    path.write_text(text)
    return f"{path}:Strip"
