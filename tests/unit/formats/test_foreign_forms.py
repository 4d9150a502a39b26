"""One tree in every form that programs write is the same log from its bytes as from its values."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.foreign.documents import TapeDocument
from plyscope.visualizer.formats.foreign.reader import read_bytes
from plyscope.visualizer.store.log import Log
from tests.shapes import dump

N_NODES = 600
HEADS = (2**11, 2**15, 2**19)
"""Bytes in which trees are searched first here, so that most of each document lies behind."""


def told(log: Log) -> dict[str, Any]:
    """All that a log says, as plain values; unknown fields in any order."""
    columns = {name: column.tolist() for name, column in log.columns.items()}
    for name in ("ply", "position", "board"):
        if name in columns:
            columns[name] = [log.texts[code] if code >= 0 else None for code in columns[name]]
    extras = {}
    if log.extras is not None:
        blob, starts = bytes(log.extras.blob), log.extras.starts.tolist()
        rows = log.extras.rows.tolist()
        extras = {row: json.loads(blob[starts[at] : starts[at + 1]]) for at, row in enumerate(rows)}
    return {
        "columns": repr(sorted(columns.items())),
        "extras": extras,
        "header": log.header,
        "notices": log.notices,
        "mapping": dict(log.mapping),
        "shape": log.shape,
        "fields": log.fields,
        "names": (log.players, log.contribution_names, [factor.name for factor in log.factors]),
        "roots": log.roots,
    }


def rows() -> list[dict[str, Any]]:
    draw = random.Random(1)
    nodes: list[dict[str, Any]] = [{"id": "n0", "parent": None, "move": None}]
    for at in range(1, N_NODES):
        above = draw.randrange(max(0, at - 40), at)
        nodes.append({"id": f"n{at}", "parent": f"n{above}", "move": f"m{draw.randrange(30)}"})
    for node in nodes:
        node |= {"score": round(draw.uniform(-9, 9), 3), "note": {"t": [1, {"x": draw.randrange(9)}]}}
    return nodes


def trees() -> dict[str, Any]:
    """One tree in the forms that programs write."""
    table = rows()
    below: dict[str, list[str]] = {}
    for row in table:
        below.setdefault(row["parent"], []).append(row["id"])
    shuffled = table[:]
    random.Random(3).shuffle(shuffled)
    of_edges = [(row["parent"], row["id"], row["move"]) for row in table[1:]]
    scores = [{"id": row["id"], "score": row["score"]} for row in table]
    nested = {row["id"]: {k: v for k, v in row.items() if k not in ("id", "parent")} for row in table}
    for row in reversed(table[1:]):
        nested[row["parent"]].setdefault("replies", []).insert(0, nested[row["id"]])
    root = nested["n0"]

    def named(node: dict[str, Any]) -> dict[str, Any]:
        replies = [named(reply) for reply in node.get("replies", [])]
        return {node["move"] or "root": {"data": {"score": node["score"]}, "children": replies}}

    def maps(node: dict[str, Any]) -> Any:
        replies = node.get("replies")
        return {f"{r['move']}{at}": maps(r) for at, r in enumerate(replies)} if replies else node["score"]

    def by_ply(node: dict[str, Any]) -> dict[str, Any]:
        replies = {f"{r['move']}{at}": by_ply(r) for at, r in enumerate(node.get("replies", []))}
        return {"score": node["score"], "next": replies}

    return {
        "rows": table,
        "rows in another order": shuffled,
        "wrapped rows": {
            "engine": "x",
            "when": {"a": 1},
            "log": {"rows": table, "more": [1, 2]},
            "end": True,
        },
        "rows by id": {row["id"]: {k: v for k, v in row.items() if k != "id"} for row in table},
        "listed children": [
            {**{k: v for k, v in row.items() if k != "parent"}, "children": below.get(row["id"], [])}
            for row in table
        ],
        "nodes and edges": {
            "nodes": scores,
            "edges": [{"from": a, "to": b, "label": move, "w": 2} for a, b, move in of_edges],
            "note": "after",
        },
        "links first": {
            "links": [{"source": int(a[1:]), "target": int(b[1:])} for a, b, _ in of_edges],
            "nodes": [{"id": int(node["id"][1:]), "score": node["score"]} for node in scores],
        },
        "pairs": {"nodes": [row["id"] for row in table], "edges": [[a, b] for a, b, _ in of_edges]},
        "toolkit's graph": [
            {
                "id": row["id"],
                "name": row["move"] or "root",
                "data": {"score": row["score"]},
                "adjacencies": [{"nodeTo": to, "data": {"c": 1}} for to in below.get(row["id"], [])],
            }
            for row in table
        ],
        "Cytoscape": {
            "elements": {
                "nodes": [{"data": node, "position": {"x": 1}} for node in scores],
                "edges": [
                    {"data": {"id": f"e{b}", "source": a, "target": b, "label": m}} for a, b, m in of_edges
                ],
            }
        },
        "elements in one list": [{"data": node, "position": {"x": 1}} for node in scores]
        + [{"data": {"id": f"e{b}", "source": a, "target": b, "label": m}} for a, b, m in of_edges],
        "adjacency map": {row["id"]: below.get(row["id"], []) or row["score"] for row in table},
        "NetworkX": {
            "directed": True,
            "nodes": scores,
            "adjacency": [[{"id": to, "w": 1} for to in below.get(row["id"], [])] for row in table],
        },
        "nested": {"a": 1, "tree": root, "z": {"q": 2}},
        "a list of one": [root],
        "treelib": named(root),
        "maps in maps": maps(root),
        "maps of plies": by_ply(root),
        "a forest": [root, nested["n1"], nested["n2"]],
        "trees by depth": {"depth 1": nested["n5"], "depth 2": nested["n2"], "depth 3": root},
        "wrapped one by one": [{"step": 1, "tree": root}, {"step": 2, "tree": nested["n1"]}],
    }


TREES = trees()


@pytest.mark.parametrize("form", TREES)
def test_a_tree_is_the_same_from_its_bytes_and_from_values(form: str) -> None:
    text = json.dumps(TREES[form]).encode()
    log = read_bytes(TapeDocument(text, heads=HEADS))
    assert log is not None
    assert told(log) == told(read_log(text))


@pytest.mark.parametrize("path", dump.documents(), ids=lambda path: path.name)
def test_a_shape_is_the_same_from_its_bytes_and_from_values(path: Path) -> None:
    if path.suffix == ".json":
        log = read_bytes(TapeDocument(path.read_bytes()))
        assert log is not None
        assert told(log) == told(read_log(path.read_bytes()))
