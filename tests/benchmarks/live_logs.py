"""The log of a search that goes on, as an engine writes it: lines in several orders, or compact records.

Every form yields what is written in each step, `STEP` seconds, of a search of so many nodes a second.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from tests import compact_logs as made

STEP: Final = 0.02
WINDOW: Final = 5_000
"""Lines among which those of the order `shuffled` are drawn, as threads of a search mix them."""
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


@dataclass
class Left:
    node: int
    score: float

    @property
    def fields(self) -> str:
        """What a line says of it then."""
        return f'"score": {self.score:.2f}, "outcome": "searched", "bound": "exact"'


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


def entered(each: Entered, prefix: str, is_rich: bool) -> str:
    """The fields of a node as it is entered."""
    parent = "" if each.parent is None else f', "parent": {_id(each.parent, prefix)}, "ply": "p{each.ply}"'
    line = (
        f'"id": {_id(each.node, prefix)}{parent}, "depth": {each.depth}, "alpha": {each.alpha:.2f}, '
        f'"beta": {each.beta:.2f}, "player": "{"wb"[each.depth % 2]}"'
    )
    if not is_rich:
        return line
    return line + (
        f', "key": "{each.node * 2654435761 % 2**64:016x}", "factors": [{each.ply}, {each.depth}.5, 3]'
        f', "contributions": {{"mobility": {each.depth}, "corners": -{each.ply}}}'
        f', "tt": {{"use": "order"}}, "hash_full": {each.ply}, "note": "x{each.depth}"'
    )


def _id(node: int, prefix: str) -> str:
    return f'"{prefix}{node}"' if prefix else str(node)


def two_lines(rate: int, seconds: float, prefix: str = "", *, is_rich: bool = False) -> Iterator[list[str]]:
    """A line as a node is entered and one as it is left, as our loggers write."""
    for done in steps(rate, seconds):
        yield [
            f"{{{entered(each, prefix, is_rich)}}}"
            if isinstance(each, Entered)
            else f'{{"id": {_id(each.node, prefix)}, {each.fields}}}'
            for each in done
        ]


def one_line(rate: int, seconds: float) -> Iterator[list[str]]:
    """A line a node, in pre-order."""
    for done in steps(rate, seconds):
        yield [
            f'{{{entered(each, "", False)}, "score": {each.alpha:.2f}, "outcome": "searched"}}'
            for each in done
            if isinstance(each, Entered)
        ]


def post_order(rate: int, seconds: float) -> Iterator[list[str]]:
    """A line a node as it is left: its parent comes later."""
    open_nodes: dict[int, str] = {}
    for done in steps(rate, seconds):
        open_nodes |= {each.node: entered(each, "", False) for each in done if isinstance(each, Entered)}
        yield [f"{{{open_nodes.pop(each.node)}, {each.fields}}}" for each in done if isinstance(each, Left)]
    yield [f"{{{each}}}" for each in reversed([*open_nodes.values()])]


def shuffled(rate: int, seconds: float) -> Iterator[list[str]]:
    """A line a node, mixed with the lines near it: parents come before or after, numbers in no order."""
    drawn, waiting = random.Random(2), list[str]()
    for lines in one_line(rate, seconds):
        waiting += lines
        is_due = len(waiting) >= WINDOW
        if is_due:
            drawn.shuffle(waiting)
        yield waiting if is_due else []
        waiting = [] if is_due else waiting
    yield waiting


ORDERS: Final[dict[str, Callable[[int, float], Iterator[list[str]]]]] = {
    "two_lines": two_lines,
    "one_line": one_line,
    "post_order": post_order,
    "shuffled": shuffled,
    "text_ids": partial(two_lines, prefix="n"),
    "rich": partial(two_lines, is_rich=True),
}


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
    steps = ("".join(f"{line}\n" for line in lines).encode() for lines in ORDERS[form](rate, seconds))
    return [HEADER + next(steps), *steps]
