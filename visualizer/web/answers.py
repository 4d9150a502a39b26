"""The bodies of the API's answers, made from a tree: plain dicts, bounded, ready for JSON."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import orjson

from visualizer.analysis.line import deciding_line
from visualizer.analysis.node import cut, node_json, number, plain
from visualizer.analysis.pv import principal_variation
from visualizer.boards import Boards
from visualizer.formats.errors import TooLarge
from visualizer.formats.write_json import subtree_json
from visualizer.shelf.entry import Entry
from visualizer.store.tree import Tree

MOST_LEVELS: Final = 200
MOST_ROOTS: Final = 500
MOST_LINE: Final = 200
MOST_NOTICES: Final = 50
LIST_TEXT: Final = 300
DETAILS_TEXT: Final = 20_000
EXTRAS_TEXT: Final = 100_000


def opened(entry: Entry, tree: Tree) -> dict[str, Any]:
    """What the page needs of a log before it asks for nodes."""
    log = tree.log
    ids = log.columns["id"]
    header = dict(log.header)
    counts = entry.totals
    assert counts is not None
    answer: dict[str, Any] = {
        "log": entry.summary(),
        "players": [cut(player, LIST_TEXT) for player in log.players[:100]],
        "factors": [
            {"name": cut(factor.name, LIST_TEXT)}
            | ({} if factor.weight is None else {"weight": number(factor.weight)})
            for factor in log.factors
        ],
        "contribution_names": [cut(name, LIST_TEXT) for name in log.contribution_names],
        "totals": counts.as_json(MOST_LEVELS),
        "roots": [
            {"id": int(ids[root.row])} | ({} if root.iteration is None else {"iteration": root.iteration})
            for root in log.roots[:MOST_ROOTS]
        ],
        "root": int(ids[tree.main_root]),
        "pv": [int(ids[row]) for row in principal_variation(tree)[:MOST_LINE]],
        "notices": [cut(notice, 1000) for notice in log.notices[:MOST_NOTICES]],
        "mapping": dict(log.mapping),
        "fields": [cut(name, LIST_TEXT) for name in log.fields[:500]],
        "drawable": isinstance(log.header.get("game"), str) or log.column("board") is not None,
    }
    for known in ("game", "position", "search", "result"):
        if known in header:
            answer[known] = plain(header.pop(known))
    if isinstance(answer.get("position"), str):
        answer["position"] = cut(answer["position"], DETAILS_TEXT)
    for used in ("plyscope", "players", "factors"):
        header.pop(used, None)
    answer["header"] = _bounded(header)
    scores = _finite_scores(tree)
    if len(scores):
        answer["colour"] = {"low": float(scores.min()), "high": float(scores.max())}
    return answer


def _finite_scores(tree: Tree) -> Any:
    """Scores of the main tree by which a scale of colours can be laid out, game results (mates) left out."""
    log = tree.log
    root = tree.main_root
    scores = log.columns["score"][root : int(log.columns["end"][root])]
    scores = scores[np.isfinite(scores)]
    search = log.header.get("search")
    mate = search.get("mate") if isinstance(search, dict) else None
    threshold = mate.get("threshold") if isinstance(mate, dict) else None
    if isinstance(threshold, (int, float)) and (np.abs(scores) < threshold).any():
        scores = scores[np.abs(scores) < threshold]
    return scores


def _bounded(value: dict[str, Any]) -> dict[str, Any]:
    """Unknown fields as they are, unless they are too large to send whole; then their text, cut."""
    value = plain(value)
    text = orjson.dumps(value, option=orjson.OPT_NON_STR_KEYS)
    if len(text) <= EXTRAS_TEXT:
        return value
    share = EXTRAS_TEXT // max(len(value), 1)
    cut_values = {}
    for key, item in list(value.items())[:500]:
        written = orjson.dumps(item).decode()
        cut_values[cut(key, LIST_TEXT)] = item if len(written) <= share else cut(written, max(share, 40))
    return cut_values


def node_page(tree: Tree, row: int, offset: int, limit: int) -> dict[str, Any]:
    """A node with one page of its children."""
    return {
        "node": node_json(tree, row, text_limit=LIST_TEXT),
        "children": {
            "total": tree.n_children(row),
            "offset": offset,
            "items": [
                node_json(tree, child, text_limit=LIST_TEXT)
                for child in tree.children(row, offset, limit).tolist()
            ],
        },
    }


def path(tree: Tree, row: int, most: int) -> dict[str, Any]:
    """The nodes from the root to `row`, the `most` nearest ones."""
    rows = tree.path(row)
    answer: dict[str, Any] = {"path": [node_json(tree, r, text_limit=LIST_TEXT) for r in rows[-most:]]}
    if len(rows) > most:
        answer["more"] = len(rows) - most
    return answer


def line(tree: Tree, row: int) -> dict[str, Any]:
    """The line that decided the score of `row`."""
    found = deciding_line(tree, row)
    answer: dict[str, Any] = {
        "nodes": [node_json(tree, r, text_limit=LIST_TEXT) for r in found.rows[:MOST_LINE]],
        "leaf": node_json(tree, found.leaf, text_limit=LIST_TEXT),
        "how": found.how,
    }
    if found.note:
        answer["note"] = found.note
    if len(found.rows) > MOST_LINE:
        answer["more"] = len(found.rows) - MOST_LINE
    return answer


def details(tree: Tree, row: int, boards: Boards, most_path: int) -> dict[str, Any]:
    """Everything known of one node."""
    extras = tree.log.extras.of(row) if tree.log.extras is not None else b""
    return {
        "node": node_json(tree, row, text_limit=DETAILS_TEXT, long_texts=True),
        **path(tree, row, most_path),
        "extras": _bounded(orjson.loads(extras)) if extras else {},
        "line": line(tree, row),
        "board": boards.drawing(row),
    }


def subtree(
    tree: Tree, row: int, open_rows: set[int] | None, levels: int | None, most_bytes: int
) -> dict[str, Any]:
    """The shown part of a subtree as text that loads again; raises TooLarge where one node is too much."""
    text, whole, n_nodes = subtree_json(tree.log, row, open_rows, levels, most_bytes)
    if len(text.encode()) > most_bytes:
        raise TooLarge(
            f"this node alone takes {len(text.encode()):,} bytes of JSON, the box holds {most_bytes:,}; "
            "`plyscope convert` writes the whole log"
        )
    return {"text": text, "whole": whole, "nodes": n_nodes}


def search(tree: Tree, query: str, offset: int, limit: int, start: int | None) -> dict[str, Any]:
    """The nodes that `query` names, one page; `at` is the first hit at or after `start`."""
    hits = tree.find(query)
    answer: dict[str, Any] = {
        "q": query,
        "total": len(hits),
        "offset": offset,
        "items": [
            node_json(tree, row, text_limit=LIST_TEXT) for row in hits[offset : offset + limit].tolist()
        ],
    }
    if start is not None and len(hits):
        answer["at"] = int(np.searchsorted(hits, start)) % len(hits)
    return answer
