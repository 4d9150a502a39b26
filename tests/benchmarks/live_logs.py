"""The log of a search that goes on, as an engine writes it: lines, or compact records.

Either form yields what is written in each step, `STEP` seconds, of a search of so many nodes a second.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from tests import compact_logs as made

STEP: Final = 0.02
HEADER: Final = b'{"plyscope": 1, "game": "drawn", "search": {"depth": 8, "perspective": "mover"}}\n'


@dataclass
class Entered:
    """A node as it is entered; the first has no parent."""

    node: int
    parent: int | None
    ply: int
    depth: int
    alpha: float
    beta: float

    @property
    def fields(self) -> str:
        """What a line says of it then."""
        parent = "" if self.parent is None else f', "parent": {self.parent}, "ply": "p{self.ply}"'
        window = f'"alpha": {self.alpha:.2f}, "beta": {self.beta:.2f}'
        return f'{parent}, "depth": {self.depth}, {window}, "player": "{"wb"[self.depth % 2]}"'


@dataclass
class Left:
    """A node as it is left."""

    node: int
    score: float

    @property
    def fields(self) -> str:
        """What a line says of it then."""
        return f', "score": {self.score:.2f}, "outcome": "searched", "bound": "exact"'


def steps(rate: int, seconds: float) -> Iterator[list[Entered | Left]]:
    """What a search does in each step: a tree of eight levels, its windows and scores drawn."""
    drawn, done = random.Random(1), list[Entered | Left]()
    numbers = [round(drawn.uniform(-9, 9), 2) for _ in range(997)]
    path: list[list[int]] = []
    per_step = int(rate * STEP)
    for node in range(int(rate * seconds)):
        while path and path[-1][1] == 0:
            done.append(Left(path.pop()[0], numbers[node % 997]))
        parent = None
        if path:
            path[-1][1] -= 1
            parent = path[-1][0]
        depth = 8 - len(path)
        done.append(Entered(node, parent, drawn.randrange(60), depth, numbers[node % 13], numbers[node % 89]))
        path.append([node, 10**9 if not path else 0 if depth == 0 else drawn.randrange(2, 9)])
        if (node + 1) % per_step == 0:
            yield done
            done = []


def lines(rate: int, seconds: float) -> Iterator[str]:
    """A line as a node is entered and one as it is left, as our loggers write."""
    for done in steps(rate, seconds):
        yield "".join(f'{{"id": {each.node}{each.fields}}}\n' for each in done)


NEW: Final = [["parent", "u32"], ["ply", "text8"], ["depth", "i8"], ["alpha", "f32"], ["beta", "f32"],
              ["player", "text8"], ["score", "f32"], ["outcome", "word"], ["bound", "word"]]  # fmt: skip
LATE: Final = [["id", "u32"], ["score", "f32"], ["outcome", "word"], ["bound", "word"]]

NOT_STATED: Final = b"\xff" * 4


def as_records(rate: int, seconds: float) -> list[bytes]:
    """The chunks of each step, as `binary_log.h` writes them: a node that was left by then is one record."""
    header = {"game": "drawn", "search": {"depth": 8, "perspective": "mover"}}
    names = [*(f"p{ply}" for ply in range(60)), "w", "b"]
    begin = (
        made.UPDATED_START + made.header(**header) + made.layout(NEW) + made.layout(LATE) + made.texts(*names)
    )
    pieces, searched, exact = [], 1, 3
    for done in steps(rate, seconds):
        new: dict[int, list[Any]] = {}
        late: list[tuple[int, float, int, int]] = []
        for each in done:
            if isinstance(each, Entered):
                where = (2**32 - 1, 255) if each.parent is None else (each.parent, each.ply)
                entry = each.depth, each.alpha, each.beta, 60 + each.depth % 2
                new[each.node] = [*where, *entry, NOT_STATED, 0, 0]
            elif each.node in new:
                new[each.node][-3:] = struct.pack("<f", each.score), searched, exact
            else:
                late.append((each.node, each.score, searched, exact))
        rows = b"".join(struct.pack("<IBbffB4sBB", *row) for row in new.values())
        piece = begin + made.chunk("NODE", struct.pack("<I", 0) + rows)
        if late:
            rows = b"".join(struct.pack("<IfBB", *row) for row in late)
            piece += made.chunk("LATE", struct.pack("<I", 1) + rows)
        pieces.append(piece)
        begin = b""
    return pieces


def pieces_of(form: str, rate: int, seconds: float) -> list[bytes]:
    """The bytes of each step."""
    if form == "plyb":
        return as_records(rate, seconds)
    first, *others = (text.encode() for text in lines(rate, seconds))
    return [HEADER + first, *others]
