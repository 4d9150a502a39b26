"""Nodes and pages of their children, paths and details, as the API answers with them; bounded.

And the plies of a node as they lie on its board: where each ends, its score, its place among its siblings.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.analysis.check.reproduction import path_of
from plyscope.visualizer.analysis.nodes.best_children import Order, best_children, children_in_order
from plyscope.visualizer.analysis.nodes.best_first import is_best_first, visited_json
from plyscope.visualizer.analysis.nodes.deciding_line import deciding_line
from plyscope.visualizer.analysis.nodes.field_values import extras_of
from plyscope.visualizer.analysis.nodes.node_json import cut, cut_start, node_json, number, others_json, plain
from plyscope.visualizer.analysis.nodes.ply_path import ways_to
from plyscope.visualizer.analysis.nodes.proof import proof_of
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.formats.errors import TooLarge
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.write.write_json import subtree_json
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree

MOST_PLIES: Final = 300


def plies_on_board(tree: Tree, row: int, boards: Boards) -> list[dict[str, Any]]:
    """The plies searched at `row` that end on a cell, best first by what their scores guarantee.

    Each is `id`, `ply`, `to`, `from` where a piece moves, `score`, `bound` and `proof` where it has them, and
    `rank` among all plies with a score (0 the best); in a best-first tree `mean`, `visits` and `visited`. A
    ply with several visits is represented by the deepest, the last of equally deep ones. At most
    `MOST_PLIES`.
    """
    columns = tree.log.columns
    visits = _one_a_ply(tree, row)
    best = [child for child in best_children(tree, row, tree.n_children(row)).tolist() if child in visits]
    ranks = {child: rank for rank, child in enumerate(best)}
    shown = (best + sorted(visits - ranks.keys()))[:MOST_PLIES]
    steps = boards.steps(row, shown)
    found = []
    for child in shown:
        if child not in steps:
            continue
        ply: dict[str, Any] = {
            "id": int(columns["id"][child]),
            "ply": cut(tree.ply(child) or "", LIST_TEXT),
            **steps[child].as_json(),
        }
        if child in ranks:
            ply["rank"] = ranks[child]
            ply |= _visited(tree, child)
        if child in ranks and not np.isnan(columns["score"][child]):
            bound = words.BOUNDS[int(columns["bound"][child])]
            ply["score"] = number(float(columns["score"][child]))
            ply |= {"bound": bound} if bound else {}
            ply |= {} if (proof := proof_of(tree.log, child)) is None else {"proof": proof.as_json()}
        found.append(ply)
    return found


def _visited(tree: Tree, row: int) -> dict[str, Any]:
    """The mean and visits of a node in a best-first tree, in the place of a score; else nothing."""
    log = tree.log
    if not is_best_first(log):
        return {}
    mean, visits = log.column("mean"), log.column("visits")
    if mean is None or np.isnan(mean[row]):
        return {}
    n = {} if visits is None or not visits[row] >= 0 else {"visits": float(visits[row])}
    return {"mean": number(float(mean[row])), **n, "visited": visited_json(tree, row)}


def board_drawing(tree: Tree, row: int, boards: Boards) -> dict[str, Any]:
    """The `Drawing` of the position at `row`, with the plies searched there; or why there is none."""
    drawn = boards.drawing(row)
    plies = plies_on_board(tree, row, boards) if drawn.get("cells") else []
    return {**drawn, "plies": plies} if plies else drawn


def _one_a_ply(tree: Tree, row: int) -> set[int]:
    """The visits that count for their plies; null moves, probes and stubs are none."""
    children = tree.children(row)
    columns = tree.log.columns
    keep = ~tree.is_stub[children]
    purpose, depth = columns.get("purpose"), columns.get("depth")
    if purpose is not None:
        keep &= ~np.isin(purpose[children], (words.NULL, words.PROBE))
    chosen: dict[int, tuple[float, int]] = {}
    for child in children[keep & (columns["ply"][children] >= 0)].tolist():
        ply = int(columns["ply"][child])
        left = 0.0 if depth is None or np.isnan(depth[child]) else float(depth[child])
        chosen[ply] = max(chosen.get(ply, (left, child)), (left, child))
    return {child for _, child in chosen.values()}


MOST_LINE: Final = 200
"""Nodes of a line; of a longer one, half of them from each end."""
MOST_CLOSING: Final = 2
"""The last siblings that are sent too if they are stubs, which stand for the other plies."""
LIST_TEXT: Final = 300
DETAILS_TEXT: Final = 20_000
MOST_NESTED: Final = 100
EXTRAS_TEXT: Final = 100_000
ROOMY_BYTES: Final = 800_000
"""The size of an answer up to which its nodes are written at length."""
MOST_OTHERS: Final = 8
OTHERS_TEXT: Final = 80
SCANT_TEXT: Final = 30
SCANT_VALUES: Final = 4

Places = npt.NDArray[np.integer[Any]]


class Pages:
    """The nodes of one answer, by rows: once they take `ROOMY_BYTES`, others get short texts and lists."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._left = ROOMY_BYTES

    def node(self, at: int) -> dict[str, Any]:
        """A node, as much of it as there is room for."""
        log = self._tree.log
        if self._left > 0:
            made = node_json(self._tree, at, text_limit=LIST_TEXT)
            made |= others_json(log, at, MOST_OTHERS, OTHERS_TEXT)
        else:
            made = node_json(self._tree, at, text_limit=SCANT_TEXT, most_values=SCANT_VALUES)
            made |= others_json(log, at, SCANT_VALUES, SCANT_TEXT)
        self._left -= len(orjson.dumps(made))
        return made

    def all(self, places: Iterable[int]) -> list[dict[str, Any]]:
        """Some nodes, in that order."""
        return [self.node(each) for each in places]

    def one(self, at: int, offset: int, limit: int, best: int, order: Order) -> dict[str, Any]:
        """A node and one page of its children, as searched with the `best` beside it, or in another order."""
        if order == "searched":
            return self._page(at, offset, limit, best, "best")
        on_page = self._ranked(at, order)[0][offset : offset + limit]
        children = {"total": self._n_children(at), "offset": offset, "items": self._siblings(at, on_page)}
        return {"node": self.node(at), "children": children}

    def several(
        self, places: Iterable[int], limit: int, best: int, most: int, order: Order
    ) -> dict[str, Any]:
        """Each of some nodes with its first `limit` children and the `best` of an order, `most` in all."""
        pages = []
        for at in places:
            page = self._page(at, 0, min(limit, most), min(best, most), order)
            most = max(0, most - len(page["children"]["items"]) - len(page["children"].get("best", ())))
            pages.append(page)
        return {"nodes": pages}

    def path(self, at: int, most: int) -> dict[str, Any]:
        """The nodes from the root to this one, the `most` nearest ones."""
        shown, n_levels = self._path(at, most)
        n_more = n_levels - len(shown)
        return {"path": self.all(shown)} | ({"more": n_more} if n_more else {})

    def _page(self, at: int, offset: int, limit: int, best: int, order: Order) -> dict[str, Any]:
        on_page, total = self._children(at, offset, limit), self._n_children(at)
        children: dict[str, Any] = {"total": total, "offset": offset, "items": self._siblings(at, on_page)}
        if best and len(on_page) < total:
            closing = self._children(at, max(0, total - MOST_CLOSING), MOST_CLOSING)
            ranked, n_ranked = self._ranked(at, order)
            stubs = [each for each in closing.tolist() if self._is_stub(each)]
            others = np.union1d(ranked[: min(best, n_ranked)], np.array(stubs, ranked.dtype))
            others = self._as_searched(at, others[~np.isin(others, on_page)])
            children["best"] = self._siblings(at, others)
        return {"node": self.node(at), "children": children}

    # Overridden for a merged tree ---------------------------------------------------------------------
    def _n_children(self, at: int) -> int:
        return self._tree.n_children(at)

    def _children(self, at: int, offset: int, limit: int) -> Places:
        return self._tree.children(at, offset, limit)

    def _ranked(self, at: int, order: Order) -> tuple[Places, int]:
        """The children in an order, and the number of those that state the figure of the order."""
        return children_in_order(self._tree, at, order)

    def _as_searched(self, at: int, children: Places) -> Places:
        return np.sort(children)

    def _siblings(self, at: int, children: Places) -> list[dict[str, Any]]:
        return self.all(children.tolist())

    def _is_stub(self, at: int) -> bool:
        return bool(self._tree.is_stub[at])

    def _path(self, at: int, most: int) -> tuple[Sequence[int], int]:
        """The `most` nearest nodes from the root to this one, and the number of all."""
        return self._tree.path(at, most), int(self._tree.log.columns["level"][at]) + 1


def line(tree: Tree, row: int, write: Callable[[int], Any] | None = None) -> dict[str, Any]:
    """The line that decided the score of `row`; `write` makes the JSON of a node."""
    found = deciding_line(tree, row)
    write = write or Pages(tree).node
    is_long = len(found.rows) > MOST_LINE
    half = MOST_LINE // 2
    shown = [*found.rows[:half], *found.rows[-half:]] if is_long else found.rows
    answer: dict[str, Any] = {
        "nodes": [write(each) for each in shown],
        "leaf": write(found.leaf),
        "how": found.how,
    }
    if found.note:
        answer["note"] = found.note
    if is_long:
        answer["more"] = len(found.rows) - MOST_LINE
    return answer


def details(tree: Tree, row: int, boards: Boards, most_path: int) -> dict[str, Any]:
    """Everything known of one node."""
    return {**Pages(tree).path(row, most_path), **own_details(tree, row, boards), "line": line(tree, row)}


def own_details(tree: Tree, row: int, boards: Boards) -> dict[str, Any]:
    """The details of one node that need no other node: its row with long texts, its extras and its board."""
    return {
        "node": node_json(tree, row, text_limit=DETAILS_TEXT, long_texts=True),
        "extras": bounded(extras_of(tree.log, row)),
        "board": board_drawing(tree, row, boards),
    }


def subtree(
    tree: Tree, row: int, open_rows: set[int] | None, levels: int | None, most_bytes: int, boards: Boards
) -> dict[str, Any]:
    """The shown part of a subtree as text that loads again; raises TooLarge where one node is too much."""
    position = boards.position(row)
    text, whole, n_nodes = subtree_json(tree.log, row, open_rows, levels, most_bytes, position=position)
    if len(text.encode()) > most_bytes:
        raise TooLarge(
            f"this node alone takes {len(text.encode()):,} bytes of JSON, the box holds {most_bytes:,}; "
            "`plyscope convert` writes the whole log"
        )
    return {"text": text, "whole": whole, "nodes": n_nodes}


def search(
    tree: Tree, query: str, hits: Places, offset: int, limit: int, start: int | None
) -> dict[str, Any]:
    """The `hits` that `query` names, one page; `at` is the first hit at or after `start`."""
    page = hits[offset : offset + limit].tolist()
    answer: dict[str, Any] = {
        "q": query,
        "total": len(hits),
        "offset": offset,
        "items": Pages(tree).all(page),
        "paths": [
            cut_start(path_of(tree.log, row, way), LIST_TEXT)
            for row, way in zip(page, ways_to(tree, page), strict=True)
        ],
    }
    if start is not None and len(hits):
        answer["at"] = int(np.searchsorted(hits, start)) % len(hits)
    return answer


def bounded(value: dict[str, Any]) -> dict[str, Any]:
    """The fields, or, if they are too large or too deep to send, their text, cut."""
    share = max(EXTRAS_TEXT // max(len(value), 1), SCANT_TEXT)
    fits = len(json_bytes(value)) <= EXTRAS_TEXT
    written = {}
    for key, item in value.items() if fits else list(value.items())[:500]:
        text = json_bytes(item).decode()
        whole = (fits or len(text) <= share) and _levels_at_most(text, MOST_NESTED)
        written[cut(str(key), LIST_TEXT)] = plain(item) if whole else cut(text, share)
    return written


def _levels_at_most(text: str, most: int) -> bool:
    """Whether JSON is nested no deeper than `most` levels; brackets in its strings may make it seem deeper.

    >>> _levels_at_most("[[], []]", 2), _levels_at_most("[[[]]]", 2)
    (True, False)
    """
    if text.count("[") + text.count("{") <= most:
        return True
    levels = 0
    for bracket in re.findall(r"[\[\]{}]", text):
        levels += 1 if bracket in "[{" else -1
        if levels > most:
            return False
    return True
