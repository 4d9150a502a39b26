"""The bodies of the API's answers, made from a tree: plain dicts, bounded, ready for JSON.

It is longer than 300 lines because each body is a function of its own over the same bounds.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import orjson

from plyscope.visualizer.analysis.best_children import Order, best_children, children_in_order
from plyscope.visualizer.analysis.check.reproduction import path_of
from plyscope.visualizer.analysis.colour_scale import mean_scale, score_scale
from plyscope.visualizer.analysis.deciding_line import deciding_line
from plyscope.visualizer.analysis.field_values import extras_of
from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.analysis.node_json import MOST_VALUES, cut, node_json, number, others_json, plain
from plyscope.visualizer.analysis.ply_path import ways_to
from plyscope.visualizer.analysis.pv import principal_variation
from plyscope.visualizer.analysis.snapshots import snapshots_of
from plyscope.visualizer.analysis.totals import Totals
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.formats.errors import TooLarge
from plyscope.visualizer.formats.header import declared_root_player
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.seal.perspective import find_root_player
from plyscope.visualizer.formats.write.write_json import subtree_json
from plyscope.visualizer.store.log import Factor, Log
from plyscope.visualizer.store.tree import Rows, Tree
from plyscope.visualizer.web.board_plies import board_drawing

MOST_LEVELS: Final = 200
MOST_ROOTS: Final = 500
MOST_LINE: Final = 200
"""Nodes of a line; of a longer one, half of them from each end."""
MOST_PV: Final = 1_000
MOST_NOTICES: Final = 50
LIST_TEXT: Final = 300
MEANING_TEXT: Final = 1_000
DETAILS_TEXT: Final = 20_000
MOST_NESTED: Final = 100
EXTRAS_TEXT: Final = 100_000
ROOMY_BYTES: Final = 800_000
"""Nodes of one answer are written at length until they take so much."""
MOST_OTHERS: Final = 8
OTHERS_TEXT: Final = 80
SCANT_TEXT: Final = 30
SCANT_VALUES: Final = 4


class Nodes:
    """The nodes of one answer: once they take `ROOMY_BYTES`, the others get short texts and lists."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._left = ROOMY_BYTES

    def node(self, row: int) -> dict[str, Any]:
        """The node at `row`, as much of it as there is room for."""
        if self._left > 0:
            made = node_json(self._tree, row, text_limit=LIST_TEXT)
            made |= others_json(self._tree.log, row, MOST_OTHERS, OTHERS_TEXT)
        else:
            made = node_json(self._tree, row, text_limit=SCANT_TEXT, most_values=SCANT_VALUES)
            made |= others_json(self._tree.log, row, SCANT_VALUES, SCANT_TEXT)
        self._left -= len(orjson.dumps(made))
        return made

    def all(self, rows: Iterable[int]) -> list[dict[str, Any]]:
        """The nodes at `rows`, in that order."""
        return [self.node(row) for row in rows]


def opened_log(summary: dict[str, Any], tree: Tree, counts: Totals, boards: Boards) -> dict[str, Any]:
    """The facts about a log that the page needs before it asks for nodes."""
    log = tree.log
    ids = log.columns["id"]
    header = dict(log.header)
    whole_variation = principal_variation(tree)
    variation = whole_variation[:MOST_PV]
    answer: dict[str, Any] = {
        "log": summary,
        "players": [cut(player, LIST_TEXT) for player in log.players[:MOST_VALUES]],
        "factors": [_factor(factor) for factor in log.factors[:MOST_VALUES]],
        "contribution_names": [cut(name, LIST_TEXT) for name in log.contribution_names[:MOST_VALUES]],
        "totals": as_json(counts, MOST_LEVELS),
        "roots": [
            {"id": int(ids[root.row])} | ({} if root.iteration is None else {"iteration": root.iteration})
            for root in log.roots[:MOST_ROOTS]
        ],
        "root": int(ids[tree.main_root]),
        "pv": [int(ids[row]) for row in variation],
        "pv_plies": [None if ply is None else cut(ply, LIST_TEXT) for ply in map(tree.ply, variation)],
        **({"more_pv": n_more} if (n_more := len(whole_variation) - len(variation)) else {}),
        "notices": [cut(notice, 1000) for notice in log.notices[:MOST_NOTICES]],
        "mapping": dict(log.mapping),
        "fields": [cut(name, LIST_TEXT) for name in log.fields[:500]],
        "pre_scored": "pre_score" in log.columns,
        "drawable": boards.are_drawn,
    }
    for known in ("game", "position", "search", "result"):
        if known in header:
            answer[known] = _known(header.pop(known))
    if (player := _root_player(log)) is not None:
        answer["root_player"] = cut(log.players[player], LIST_TEXT)
    for used in ("plyscope", "players"):
        header.pop(used, None)
    if boards.are_stated:
        header.pop("board", None)  # the page draws it
    header |= {"factors": more} if (more := _unknown_of_factors(header.pop("factors", None))) else {}
    answer["header"] = _bounded(header)
    if len(log.roots) > 1 and len(snapshots := snapshots_of(tree)) > 1:
        answer["snapshots"] = snapshots
    if (scale := score_scale(tree)) is not None:
        answer["colour"] = scale
    if (means := mean_scale(tree)) is not None:
        answer["means"] = means
    return answer


def _factor(factor: Factor) -> dict[str, Any]:
    """A factor as the page lists it."""
    told: dict[str, Any] = {"name": cut(factor.name, LIST_TEXT)}
    if factor.weight is not None:
        told["weight"] = number(factor.weight)
    if factor.meaning:
        told["meaning"] = cut(factor.meaning, MEANING_TEXT)
    return told


def _unknown_of_factors(factors: Any) -> list[dict[str, Any]]:
    """The factors of a header that say more than the format knows: each with its name and that."""
    known = {field.name for field in dataclasses.fields(Factor)}
    written = [factor for factor in factors or () if isinstance(factor, dict) and not known >= factor.keys()]
    return [
        {name: value for name, value in factor.items() if name == "name" or name not in known}
        for factor in written
    ]


def _root_player(log: Log) -> int | None:
    """The player whose view the numbers are seen from; None if the log does not say."""
    search = log.header.get("search")
    declared = declared_root_player(search, log.players) if isinstance(search, dict) else None
    player = log.column("player")
    if declared is None and player is not None:
        at_root = next((int(player[root.row]) for root in log.roots if player[root.row] >= 0), None)
        if at_root is not None:  # as `find_root_player` has it, without a pass over all rows
            return at_root
    return find_root_player(dict(log.columns), declared)


def _known(value: Any) -> Any:
    """A field of the header that the page knows, its lists and texts cut where they are too long to send."""
    if isinstance(value, dict):
        lists = {
            key: [cut(each, LIST_TEXT) if isinstance(each, str) else each for each in item[:MOST_VALUES]]
            for key, item in value.items()
            if isinstance(item, list)
        }
        return _bounded({**value, **lists})
    if isinstance(value, str):
        return cut(value, DETAILS_TEXT)
    return _bounded({"": value})[""]


def _bounded(value: dict[str, Any]) -> dict[str, Any]:
    """Fields as they are, unless they are too large or too deep to send whole; then their text, cut."""
    share = max(EXTRAS_TEXT // max(len(value), 1), SCANT_TEXT)
    fits = len(json_bytes(value)) <= EXTRAS_TEXT
    bounded = {}
    for key, item in value.items() if fits else list(value.items())[:500]:
        text = json_bytes(item).decode()
        whole = (fits or len(text) <= share) and _levels_at_most(text, MOST_NESTED)
        bounded[cut(str(key), LIST_TEXT)] = plain(item) if whole else cut(text, share)
    return bounded


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


def several_pages(
    tree: Tree, rows: Iterable[int], limit: int, best: int, most: int, *, order: Order = "best"
) -> dict[str, Any]:
    """Each of some nodes with its first `limit` children and the `best` of an order, `most` in all."""
    nodes = Nodes(tree)
    pages = []
    for row in rows:
        page = _page(nodes, tree, row, 0, min(limit, most), min(best, most), order)
        most = max(0, most - len(page["children"]["items"]) - len(page["children"].get("best", ())))
        pages.append(page)
    return {"nodes": pages}


def ranked_page(tree: Tree, row: int, offset: int, limit: int, order: Order) -> dict[str, Any]:
    """A node with one page of its children in an order; `offset` counts ranks."""
    nodes = Nodes(tree)
    on_page = children_in_order(tree, row, order)[0][offset : offset + limit]
    items = nodes.all(on_page.tolist())
    return {
        "node": nodes.node(row),
        "children": {"total": tree.n_children(row), "offset": offset, "items": items},
    }


def node_page(tree: Tree, row: int, offset: int, limit: int, best: int) -> dict[str, Any]:
    """A node with one page of its children, and its `best` children that do not stand on the page."""
    return _page(Nodes(tree), tree, row, offset, limit, best)


def _page(
    nodes: Nodes, tree: Tree, row: int, offset: int, limit: int, best: int, order: Order = "best"
) -> dict[str, Any]:
    on_page = tree.children(row, offset, limit)
    total = tree.n_children(row)
    children: dict[str, Any] = {"total": total, "offset": offset, "items": nodes.all(on_page.tolist())}
    if best and len(on_page) < total:
        others = np.union1d(best_children(tree, row, best, order), _closing_stubs(tree, row))
        children["best"] = nodes.all(np.sort(others[~np.isin(others, on_page)]).tolist())
    return {"node": nodes.node(row), "children": children}


def _closing_stubs(tree: Tree, row: int) -> Rows:
    """The stubs among the last two children, which say what became of all others."""
    last = tree.children(row, max(0, tree.n_children(row) - 2), 2)
    return last[tree.is_stub[last]]


def path(tree: Tree, row: int, most: int) -> dict[str, Any]:
    """The nodes from the root to `row`, the `most` nearest ones."""
    rows = tree.path(row, most)
    answer: dict[str, Any] = {"path": Nodes(tree).all(rows)}
    n_more = int(tree.log.columns["level"][row]) + 1 - len(rows)
    if n_more:
        answer["more"] = n_more
    return answer


def line(tree: Tree, row: int) -> dict[str, Any]:
    """The line that decided the score of `row`."""
    found = deciding_line(tree, row)
    nodes = Nodes(tree)
    is_long = len(found.rows) > MOST_LINE
    half = MOST_LINE // 2
    shown = [*found.rows[:half], *found.rows[-half:]] if is_long else found.rows
    answer: dict[str, Any] = {
        "nodes": nodes.all(shown),
        "leaf": nodes.node(found.leaf),
        "how": found.how,
    }
    if found.note:
        answer["note"] = found.note
    if is_long:
        answer["more"] = len(found.rows) - MOST_LINE
    return answer


def details(tree: Tree, row: int, boards: Boards, most_path: int) -> dict[str, Any]:
    """Everything known of one node."""
    return {
        "node": node_json(tree, row, text_limit=DETAILS_TEXT, long_texts=True),
        **path(tree, row, most_path),
        "extras": _bounded(extras_of(tree.log, row)),
        "line": line(tree, row),
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


def cut_start(text: str, limit: int) -> str:
    """The end of a text that is longer than `limit`, after `…`.

    >>> cut_start("c6 > d6 > e6", 8)
    '…d6 > e6'
    """
    return text if len(text) <= limit else "…" + text[len(text) - limit + 1 :]


def search(tree: Tree, query: str, offset: int, limit: int, start: int | None) -> dict[str, Any]:
    """The nodes that `query` names, one page; `at` is the first hit at or after `start`."""
    hits = tree.find(query)
    page = hits[offset : offset + limit].tolist()
    answer: dict[str, Any] = {
        "q": query,
        "total": len(hits),
        "offset": offset,
        "items": Nodes(tree).all(page),
        "paths": [
            cut_start(path_of(tree.log, row, way), LIST_TEXT)
            for row, way in zip(page, ways_to(tree, page), strict=True)
        ],
    }
    if start is not None and len(hits):
        answer["at"] = int(np.searchsorted(hits, start)) % len(hits)
    return answer
