"""What a run of the search leaves behind: the header, the rows, and the texts of its plies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from engine.rows import EXACT, FIRST_STUB, NULL, NULL_PLY, PROBE, levels_of
from engine.stack import Array
from engine.table import Table

PASSED: Final = "--"
"""The text of handing over the move, which is no ply of the game."""

SMALL_PLIES: Final = 1 << 20
"""Numbers of plies below this are looked up in a table, larger ones by searching."""


class Totals(NamedTuple):
    """What a tree's rows add up to, counted by the search itself; the names are those of a log's result."""

    nodes: int
    leaves: int
    prune_events: int
    pruned: int
    limited: int


class Tree(NamedTuple):
    """One tree of a run: its root's row, where its rows end, its iteration (its depth), its totals."""

    row: int
    end: int
    iteration: int
    totals: Totals

    def shifted(self, distance: int) -> Tree:
        """The same tree where all rows moved by `distance`."""
        return self._replace(row=self.row + distance, end=self.end + distance)


@dataclass(frozen=True)
class Recording:
    """A run of the search, complete: what it was asked, what it found, and a row for every node.

    `header` is the native header of a log (`game`, `position`, `players`, `search`, `factors`, `result`) in
    plain JSON values. `rows` are `engine.rows.ROW`s in pre-order; `factors` the raw value of every factor in
    each row seen from player 0, in the game's own type, not written in stubs and finished games; `stub_plies`
    the plies that stubs stand for; `hits` the `engine.rows.HIT`s, the table entries found at rows. `table` is
    the transposition table as the run left it. A run that did not record has no rows.
    """

    header: dict[str, Any]
    game: Any
    state: Array
    root_player: int
    rows: Array
    factors: Array
    stub_plies: Array
    hits: Array
    trees: tuple[Tree, ...]
    table: Table | None

    @property
    def ply(self) -> str | None:
        """The chosen ply, None where the game is over or the search was stopped too soon."""
        ply: str | None = self.header["result"].get("ply")
        return ply

    @property
    def score(self) -> float | None:
        """The score of the chosen ply, seen from the root player."""
        score: float | None = self.header["result"].get("score")
        return score

    def ply_texts(self) -> tuple[list[str], Array, Array, Array]:
        """Every distinct text of a ply, and its index for each row, each stub ply and each hit (-1: none)."""
        if getattr(self.game, "plies_need_position", False):
            return _texts_by_replay(self)
        return _texts_by_ply(self)


def children(rows: Array, row: int) -> Iterator[int]:
    """The rows of the children of `row` that were visited, in order."""
    child = row + 1
    while child < rows[row]["end"]:
        if rows[child]["outcome"] < FIRST_STUB:
            yield child
        child = int(rows[child]["end"])


def counted_children(rows: Array, row: int) -> list[int]:
    """The children whose scores count: no passes, no probes, of each ply the visits of the greatest depth."""
    visits = [i for i in children(rows, row) if rows[i]["purpose"] not in (NULL, PROBE)]
    deepest: dict[int, int] = {}
    for i in visits:
        ply, depth = int(rows[i]["ply"]), int(rows[i]["depth"])
        deepest[ply] = max(depth, deepest.get(ply, depth))
    return [i for i in visits if rows[i]["depth"] == deepest[int(rows[i]["ply"])]]


def line_of(rows: Array, root: int, ply: int) -> list[int]:
    """The principal variation of the root's `ply`, which has an exact score: that ply, then what answers it.

    At each node it goes to the first counted child that has the node's score exactly, down to where there is
    none: a leaf, or a node whose score is the table's.
    """
    row = next(i for i in counted_children(rows, root) if rows[i]["ply"] == ply and rows[i]["bound"] == EXACT)
    line = [ply]
    while True:
        score = rows[row]["score"]
        below = (
            i for i in counted_children(rows, row) if rows[i]["bound"] == EXACT and rows[i]["score"] == score
        )
        row = next(below, -1)
        if row < 0:
            return line
        line.append(int(rows[row]["ply"]))


def _texts_by_ply(recording: Recording) -> tuple[list[str], Array, Array, Array]:
    """Each ply is written once, whatever the position."""
    kinds = recording.rows["ply"], recording.stub_plies["ply"], recording.hits["ply"]
    distinct = np.unique(np.concatenate([_distinct(plies) for plies in kinds]))
    distinct = distinct[distinct >= 0]
    names = [recording.game.write_ply(recording.state, int(ply)) for ply in distinct]
    texts = {name: index for index, name in enumerate(dict.fromkeys(names))}
    of_rows, of_stubs, of_hits = (_places(distinct, plies) for plies in kinds)
    if len(texts) < len(names):  # different plies of one name, as in a tree written by hand
        index_of = np.array([*(texts[name] for name in names), -1], np.int32)
        of_rows, of_stubs, of_hits = index_of[of_rows], index_of[of_stubs], index_of[of_hits]
    passes = recording.rows["ply"] == NULL_PLY
    if passes.any():
        of_rows[passes] = texts.setdefault(PASSED, len(texts))
    return list(texts), of_rows, of_stubs, of_hits


def _distinct(plies: Array) -> Array:
    """The distinct numbers among `plies`, without sorting them where they are small."""
    if len(plies) and plies.max() < SMALL_PLIES:
        return np.flatnonzero(np.bincount(np.maximum(plies, -1) + 1)) - 1
    return np.unique(plies)


def _places(distinct: Array, plies: Array) -> Array:
    """Where each of `plies` stands in `distinct`, -1 for a negative one."""
    if len(distinct) and distinct[-1] < SMALL_PLIES:
        table = np.full(int(distinct[-1]) + 2, -1, np.int32)
        table[distinct + 1] = np.arange(len(distinct))
        looked_up: Array = table[np.maximum(plies, -1) + 1]
        return looked_up
    found: Array = np.where(plies < 0, -1, np.searchsorted(distinct, plies)).astype(np.int32)
    return found


def _texts_by_replay(recording: Recording) -> tuple[list[str], Array, Array, Array]:
    """Each ply is written in its position, found by playing down to it."""
    rows, game = recording.rows, recording.game
    texts: dict[str, int] = {}
    of_rows = np.full(len(rows), -1, np.int32)
    of_stubs = np.full(len(recording.stub_plies), -1, np.int32)
    of_hits = np.full(len(recording.hits), -1, np.int32)
    states = [recording.state]
    hit = 0

    def index(state: Array, ply: int) -> int:
        return texts.setdefault(game.write_ply(state, ply), len(texts))

    for number, (row, level) in enumerate(zip(rows, levels_of(rows["end"]).tolist(), strict=True)):
        if row["outcome"] >= FIRST_STUB:
            start = int(row["key"])
            for place in range(start, start + int(row["moves"])):
                of_stubs[place] = index(states[level - 1], int(recording.stub_plies[place]["ply"]))
            continue
        if level > 0:
            state = states[level - 1].copy()
            if row["ply"] == NULL_PLY:
                game.pass_turn(state)
                of_rows[number] = texts.setdefault(PASSED, len(texts))
            else:
                of_rows[number] = index(states[level - 1], int(row["ply"]))
                game.apply(state, int(row["ply"]))
            states[level:] = [state]
        if hit < len(recording.hits) and recording.hits[hit]["row"] == number:
            if recording.hits[hit]["ply"] >= 0:
                of_hits[hit] = index(states[level], int(recording.hits[hit]["ply"]))
            hit += 1
    return list(texts), of_rows, of_stubs, of_hits
