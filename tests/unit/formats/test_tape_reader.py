"""Foreign trees read by the tape are those that the other readers make, from values as from bytes."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import pytest

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.reader import read_foreign
from plyscope.visualizer.formats.foreign.tape_reader import TapeDocument, read_bytes, read_values
from plyscope.visualizer.formats.literal import read_literal
from plyscope.visualizer.store.log import Log
from tests.shapes import dump

N_NODES = 2_500
HEADS = (2**13, 2**17, 2**21)
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
    document = TREES[form]
    known = told(read_foreign(copy.deepcopy(document)))
    assert told(read_values(copy.deepcopy(document))) == known
    log = read_bytes(TapeDocument(json.dumps(document).encode(), heads=HEADS))
    assert log is not None
    assert told(log) == known


@pytest.mark.parametrize("path", dump.documents(), ids=lambda path: path.name)
def test_a_shape_is_the_same_from_its_bytes_and_from_values(path: Any) -> None:
    document = read_literal(path.read_text()).value
    known = told(read_foreign(copy.deepcopy(document)))
    assert told(read_values(copy.deepcopy(document))) == known
    if path.suffix == ".json":
        log = read_bytes(TapeDocument(path.read_bytes()))
        assert log is not None
        assert told(log) == known


@pytest.mark.parametrize("text", ['{"a":1', "[1,2,3]", '{"kids":[{"v":1,"v":2},{"v":3}]}', "nothing"])
def test_what_is_no_tree_is_left_to_who_tells_the_place(text: str) -> None:
    assert read_bytes(TapeDocument(text.encode())) is None


def test_a_field_that_no_node_has_is_refused_alike() -> None:
    tree = {"v": 1, "kids": [{"v": 2}, {"v": 1}]}
    with pytest.raises(LogError) as known:
        read_foreign(tree, mapping={"score": "nothing"})
    with pytest.raises(LogError) as refused:
        read_values(tree, mapping={"score": "nothing"})
    assert str(refused.value) == str(known.value)
