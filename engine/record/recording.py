"""The result of a run of the search: the header, the rows, and lines read from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from plyscope.engine.game import CHANCE, Array
from plyscope.engine.record.ply_texts import Plies, PlyTexts, ply_texts
from plyscope.engine.record.rows import EXACT, FIRST_STUB, NULL, PROBE


class Totals(NamedTuple):
    """Counts of a tree's rows, made by the search itself; the names are those of a log's result."""

    nodes: int
    leaves: int
    prune_events: int
    pruned: int
    limited: int


class Tree(NamedTuple):
    """One tree of a run: its root's row, the row after its last, its iteration (its depth), its totals."""

    row: int
    end: int
    iteration: int
    totals: Totals

    def shifted(self, distance: int) -> Tree:
        """Return the same tree with all rows moved by `distance`."""
        return self._replace(row=self.row + distance, end=self.end + distance)


@dataclass(frozen=True)
class Recording:
    """A complete run of the search: its options, its result, and a row for every node.

    `header` is the native header of a log (`game`, `position`, `players`, `search`, `factors`, `result`) in
    plain JSON values. `rows` are `ROW`s of `rows.py` in pre-order. `factors` are the raw values of every
    factor in each row, seen from player 0, in the game's own type; not written in stubs and finished games.
    `stub_plies` are the plies that stubs stand for; `hits` the `HIT`s, the table entries found at rows.
    `table` is what the search carries from run to run: the transposition table of alpha-beta, the tree of a
    Monte Carlo tree search, the play-outs of each ply of flat Monte Carlo. `figures` are the `FIGURES` of
    each row, if the search is best-first; with `keeps_places` its rows are named by where their nodes stand
    in the tree, as those of a run that goes on, whose nodes are in other rows later. `is_proven` is True if
    the search was asked for proofs and has proven its win or loss. A run that did not record has no rows.
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
    table: Any | None
    is_proven: bool = False
    figures: Array | None = None
    keeps_places: bool = False

    @property
    def ply(self) -> str | None:
        """The chosen ply; None if the game is over or the search was stopped too soon."""
        ply: str | None = self.header["result"].get("ply")
        return ply

    @property
    def score(self) -> float | None:
        """The score of the chosen ply, seen from the root player."""
        score: float | None = self.header["result"].get("score")
        return score

    def ply_texts(self) -> PlyTexts:
        """Return every distinct text of a ply, and its index for each row, stub ply and hit."""
        plies = Plies(self.rows, self.stub_plies, self.hits)
        evaluation = self.header["search"].get("options", {}).get("evaluation")
        return ply_texts(self.game, self.state, plies, evaluation)


def children(rows: Array, row: int) -> Iterator[int]:
    """Yield the rows of the visited children of `row`, in order."""
    child = row + 1
    while child < rows[row]["end"]:
        if rows[child]["outcome"] < FIRST_STUB:
            yield child
        child = int(rows[child]["end"])


def counted_children(rows: Array, row: int) -> list[int]:
    """Return the children whose scores count: of each ply the deepest visits; no null moves, no probes."""
    visits = [i for i in children(rows, row) if rows[i]["purpose"] not in (NULL, PROBE)]
    deepest: dict[int, int] = {}
    for i in visits:
        ply, depth = int(rows[i]["ply"]), int(rows[i]["depth"])
        deepest[ply] = max(depth, deepest.get(ply, depth))
    return [i for i in visits if rows[i]["depth"] == deepest[int(rows[i]["ply"])]]


def line_of(rows: Array, root: int, ply: int) -> list[int]:
    """Return the principal variation that begins with the root's `ply`, which has an exact score.

    At each node it goes on to the first counted child with exactly the node's score. It ends where there is
    none: at a leaf, or at a node whose score is the table's. And it ends where chance moves.
    """
    row = next(i for i in counted_children(rows, root) if rows[i]["ply"] == ply and rows[i]["bound"] == EXACT)
    line = [ply]
    while rows[row]["player"] != CHANCE:
        score = rows[row]["score"]
        below = (
            i for i in counted_children(rows, row) if rows[i]["bound"] == EXACT and rows[i]["score"] == score
        )
        row = next(below, -1)
        if row < 0:
            break
        line.append(int(rows[row]["ply"]))
    return line
