"""Small trees in every form that programs write, as text: ours, and those of other people.

Their bytes follow from this file alone, and from the files of `tests/benchmarks/road_forms.py`, `examples`,
`tests/shapes` and `tests/cases`: no writer of Plyscope has made them.
"""

from __future__ import annotations

import gzip
import json
import random
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

from tests.benchmarks import road_forms

ROOT: Final = Path(__file__).parents[2]
N_NODES: Final = 24
DRAW: Final = random.Random(8)
TREE: Final = [(DRAW.randrange(number), number) for number in range(1, N_NODES)]
TRANSPOSED: Final = [*TREE, (0, 20), (3, 20), (3, 20), (7, 21), (7, 8)]
RING: Final = [*TREE, (20, 0)]
Edges = list[tuple[int, int]]

OURS: Final[dict[str, Any]] = {
    "plain": {
        "plyscope": 1,
        "root": {"score": 2, "children": [{"ply": "a", "score": 2}, {"ply": "b", "score": -1}]},
    },
    "rich": {
        "plyscope": 1,
        "game": "hive",
        "players": ["white", "black"],
        "factors": [{"name": "material", "weight": 2.0, "meaning": "Pieces."}, {"name": "mobility"}],
        "search": {"depth": 2, "perspective": "parent", "root_player": "white", "mine": [1, {"a": None}]},
        "result": {"ply": "a", "score": "inf", "pv": ["a", "b"]},
        "about": {"who": "é", "n": 12345678901234567890},
        "roots": [
            {"iteration": 1, "player": "white", "alpha": None, "beta": None, "score": "-inf", "key": "00ff"},
            {
                "iteration": 2,
                "player": "white",
                "position": "x\ny",
                "score": 0.1,
                "children": [
                    {
                        "ply": "a",
                        "factors": [1, None],
                        "tt": {"use": "cut", "depth": 1, "from": 0, "bound": "lower"},
                    },
                    {"ply": "b", "contributions": {"material": 1.5}, "scores": [1, -1], "my own": [1, {}]},
                    {"ply": "c", "layer": "min", "score": -0.0, "visits": 3, "ucb": {"exploit": 0.5, "n": 2}},
                    {"outcome": "pruned", "count": 3, "plies": ["c", "d", "e"], "pre_scores": [1, None, 2]},
                    {"outcome": "limited", "pre_scores": [0.1, 0.2]},
                ],
            },
        ],
    },
}
LINES: Final = {
    "late parent": '{"plyscope":1,"players":["x","o"]}\n{"id":7,"ply":"late","parent":3,"score":1e-7}\n'
    '{"id":3,"layer":"max","key":18446744073709551615}\n{"id":7,"outcome":"leaf"}\n'
    '{"result":{"ply":"late"}}\n',
    "no header": '{"id":1,"parent":null,"score":0}\n{"id":2,"parent":1,"ply":"é\\ud83d\\ude00"}\n'
    '{"id":3,"parent":2}\n',
    "iterations": '{"plyscope":1}\r\n{"id":0,"iteration":1}\r\n{"id":1,"iteration":2}\r\n'
    '{"id":2,"parent":1}\r\n',
    "entry and exit": "\n".join(
        [
            '{"plyscope":1,"search":{"depth":3}}',
            *[
                f'{{"id":{at},"parent":{parent},"ply":"p{at}","alpha":-1}}'
                for parent, at in [(0, 1), *TREE[1:]]
            ],
            '{"id":0,"layer":"max"}',
            *[f'{{"id":{at},"score":{at / 4},"outcome":"searched"}}' for at in range(N_NODES)],
        ]
    ),
    "text ids": '{"plyscope":1}\n{"id":"r"}\n{"id":"a","parent":"r","tt":{"from":"r"}}\n'
    '{"id":"b","parent":"a","unknown":{"x":[1,2]}}\n',
    "orphans": '{"plyscope":1}\n{"id":5,"parent":4,"score":1}\n{"id":6,"parent":5,"score":2}\n'
    '{"id":9,"parent":8}\n',
}


@cache
def forms() -> dict[str, bytes]:
    """Every small document by name; the name ends like a file of its form."""
    return dict(_forms())


def _forms() -> Iterator[tuple[str, bytes]]:
    for name, document in OURS.items():
        yield f"ours {name}.json", json.dumps(document).encode()
    for name, text in LINES.items():
        yield f"lines {name}.jsonl", text.encode()
    with tempfile.TemporaryDirectory() as folder:
        for form in road_forms.FORMS:
            road_forms.write(path := Path(folder) / form, 2 * N_NODES)
            yield f"road {form}", path.read_bytes()
    for name, document in others().items():
        yield f"other {name}.json", json.dumps(document).encode()
    for place in ("tests/shapes", "tests/cases", "examples", "examples/bugs"):
        for path in sorted((ROOT / place).iterdir()):
            if path.name.endswith((".json", ".js", ".txt", ".jsonl")) and path.stat().st_size < 20_000:
                yield f"{Path(place).name} {path.name}", path.read_bytes()
    packed = ROOT / "tests/cases/capped-on-the-way-up.jsonl.gz"
    yield "cases capped-on-the-way-up.jsonl", gzip.decompress(packed.read_bytes())


def own(at: int) -> dict[str, Any]:
    """The fields of a node."""
    return {"move": f"m{at % 7}", "score": at % 11 - 5.5}


def below(at: int, edges: Edges = TREE) -> list[int]:
    """The children of a node."""
    return [child for parent, child in edges if parent == at]


def others() -> dict[str, Any]:
    """The same tree as tools and students write it."""

    def nested(at: int, name: str = "children", **more: Any) -> dict[str, Any]:
        children = [nested(child, name, **more) for child in below(at)]
        return own(at) | more | ({name: children} if children else {})

    def mapped(at: int) -> dict[str, Any]:
        return own(at) | {"children": {f"m{child}": mapped(child) for child in below(at)}}

    def maps(at: int) -> Any:
        return {f"m{child}": maps(child) for child in below(at)} or at

    def maps_with_fields(at: int) -> Any:
        return {"score": at - 3.5, "visits": at} | {f"e{c}": maps_with_fields(c) for c in below(at)}

    def pairs(at: int) -> Any:
        children = below(at)
        return [f"n{at}", [pairs(child) for child in children] if children else at]

    def labelled(at: int) -> Any:
        return {f"n{at}": {"data": own(at), "children": [labelled(child) for child in below(at)]}}

    def lists(at: int) -> Any:
        return [lists(child) for child in below(at)] or at

    def sides(at: int) -> Any:
        children = below(at)[:2]
        return own(at) | dict(zip(("left", "right"), map(sides, children), strict=False))

    def sides_with_null(at: int) -> Any:
        return own(at) | {"left": None, "right": None} | sides(at)

    def tree_data(at: int) -> Any:
        return {"id": at, **own(at), "children": [tree_data(child) for child in below(at)]}

    rows = [{"id": at, "parent": parent, **own(at)} for parent, at in [(None, 0), *TREE]]
    listing = [{"id": at, "children": below(at), **own(at)} for at in range(N_NODES)]
    return {
        "nested": nested(0),
        "nested in root": {"date": "today", "depth": 3, "root": nested(0)},
        "nested in a list": [nested(0), nested(0, score=1)],
        "nested branches": nested(0, "branches"),
        "nested layers": nested(0, player="MAX"),
        "maps of plies": mapped(0),
        "maps in maps": maps(0),
        "maps with fields": maps_with_fields(0),
        "labelled pairs": pairs(0),
        "labelled nodes": labelled(0),
        "nested lists": lists(0),
        "left and right": sides(0),
        "left and right, null": sides_with_null(0),
        "tree data": tree_data(0),
        "rows": rows,
        "rows backwards": rows[::-1],
        "rows with text ids": [
            row | {"id": f"n{row['id']}", "parent": row["parent"] and f"n{row['parent']}"} for row in rows
        ],
        "rows by id": {str(row["id"]): row for row in rows},
        "rows in nodes": {"nodes": rows, "best": "m1"},
        "listed children": listing,
        "listed children by id": {str(row["id"]): row for row in listing},
        "adjacency map": {f"n{at}": [f"n{child}" for child in below(at)] for at in range(N_NODES)},
        **{f"{name}{more}": graph(edges) for more, edges in EDGES.items() for name, graph in GRAPHS.items()},
        "toolkit, texts": [
            {"id": f"n{at}", "name": "c6", "data": own(at), "adjacencies": [f"n{c}" for c in below(at)]}
            for at in range(N_NODES)
        ],
        "network, start": _network(TREE) | {"start": 3},
        "network, two trees": _network(TREE[:5] + TREE[7:]),
    }


def _toolkit(edges: Edges) -> Any:
    """The graph of the JavaScript InfoVis Toolkit."""
    return [
        {
            "id": f"n{at}",
            "name": f"c{at}",
            "data": own(at),
            "adjacencies": [
                {"nodeTo": f"n{to}", "nodeFrom": f"n{at}", "data": {"$color": "#557EAA", "weight": to}}
                for to in below(at, edges)
            ],
        }
        for at in range(N_NODES)
    ]


def _network(edges: Edges) -> Any:
    """`node_link_data` of NetworkX."""
    links = [{"source": at, "target": to, "weight": to} for at, to in edges]
    nodes = [own(at) | {"id": at} for at in range(N_NODES)]
    return {"directed": True, "multigraph": False, "graph": {}, "nodes": nodes, "links": links}


def _adjacency(edges: Edges) -> Any:
    """`adjacency_data` of NetworkX."""
    listed = [[{"id": to, "weight": at} for to in below(at, edges)] for at in range(N_NODES)]
    nodes = [own(at) | {"id": at} for at in range(N_NODES)]
    return {"directed": True, "multigraph": False, "graph": [], "nodes": nodes, "adjacency": listed}


def _dot(edges: Edges) -> Any:
    """What `dot -Tjson` writes."""
    objects = [{"_gvid": at, "name": f"n{at}", "score": str(at % 9), "pos": "27,18"} for at in range(N_NODES)]
    links = [
        {"_gvid": place, "tail": at, "head": to, "label": f"m{to % 7}", "_draw_": [{"op": "b"}]}
        for place, (at, to) in enumerate(edges)
    ]
    return {"name": "G", "directed": True, "strict": False, "objects": objects, "edges": links}


def _cytoscape(edges: Edges) -> Any:
    """`cytoscape_data` of NetworkX."""
    nodes = [{"data": own(at) | {"id": f"n{at}"}, "position": {"x": at, "y": 0}} for at in range(N_NODES)]
    links = [
        {"data": {"id": f"e{place}", "source": f"n{at}", "target": f"n{to}", "weight": to}}
        for place, (at, to) in enumerate(edges)
    ]
    return {"data": [], "directed": True, "elements": {"nodes": nodes, "edges": links}}


def _vis(edges: Edges) -> Any:
    """The nodes and edges of vis-network."""
    nodes = [{"id": at, "label": f"c{at} {at / 2}", "level": at % 3} for at in range(N_NODES)]
    return {"nodes": nodes, "edges": [{"from": at, "to": to, "label": f"m{to}"} for at, to in edges]}


GRAPHS: Final = {
    "toolkit": _toolkit,
    "network": _network,
    "adjacency": _adjacency,
    "dot": _dot,
    "cytoscape": _cytoscape,
    "vis": _vis,
}
EDGES: Final = {"": TREE, ", transposed": TRANSPOSED, ", in a ring": RING}
