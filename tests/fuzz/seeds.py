"""Seeds of the mutated inputs: small logs of every form that is read, and texts that are refused."""

from __future__ import annotations

import gzip
import io
import json
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, Final

from plyscope.engine.games import find
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.formats import zstandard
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.formats.write.write_json import write_json
from plyscope.visualizer.formats.write.write_jsonl import write_jsonl
from plyscope.visualizer.store.log import Log
from tests.equality.forms import EDGES, GRAPHS
from tests.second_engine.sound import sound_search
from tests.shapes.dump import documents
from tests.unit.formats.test_errors import REFUSED
from tests.zoo.broken import broken_log

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
LARGEST: Final = 6_000
"""Bytes of a seed: what a mutation changes is found in a small log as in a large one, and sooner."""
N_SEARCHES: Final = 12

BY_HAND: Final[tuple[dict[str, Any], ...]] = (
    {"plyscope": 1, "root": {"score": 2, "children": [{"ply": "a", "score": 2}, {"ply": "b", "score": -1}]}},
    {
        "plyscope": 1,
        "players": ["white", "black"],
        "factors": [{"name": "material", "weight": 2.0}, {"name": "mobility"}],
        "search": {"depth": 2, "perspective": "parent", "root_player": "white"},
        "result": {"ply": "a", "score": "inf", "pv": ["a", "b"]},
        "roots": [
            {"iteration": 1, "player": "white", "alpha": None, "beta": None, "score": "-inf", "key": "00ff"},
            {
                "iteration": 2,
                "player": "white",
                "position": "x\ny",
                "children": [
                    {"ply": "a", "factors": [1, None], "tt": {"use": "cut", "depth": 1, "from": 0}},
                    {"ply": "b", "contributions": {"material": 1.5}, "scores": [1, -1], "my own": [1, {}]},
                    {"outcome": "pruned", "count": 3, "plies": ["c", "d", "e"], "pre_scores": [1, None, 2]},
                    {"outcome": "limited", "pre_scores": [0.1, 0.2]},
                ],
            },
        ],
    },
)
LINES: Final = (
    '{"plyscope":1,"players":["x","o"]}\n{"id":7,"ply":"late","parent":3,"score":1e-7}\n'
    '{"id":3,"layer":"max","key":18446744073709551615}\n{"id":7,"outcome":"leaf"}\n{"result":{"ply":"late"}}\n',
    '{"id":1,"parent":null,"score":0}\n{"id":2,"parent":1,"ply":"é\\ud83d\\ude00"}\n{"id":3,"parent":2}\n',
    '{"plyscope":1}\r\n{"id":0,"iteration":1}\r\n{"id":1,"iteration":2}\r\n{"id":2,"parent":1}\r\n',
)


@cache
def seeds() -> tuple[tuple[str, bytes], ...]:
    """Every seed with its name; the same in every process."""
    plain = dict(_plain())
    packed = {f"{name}.gz": gzip.compress(data, mtime=0) for name, data in list(plain.items())[::5]}
    halves = {
        f"{name}.two.gz": b"".join(
            gzip.compress(part, mtime=0) for part in (data[: len(data) // 2], data[len(data) // 2 :])
        )
        for name, data in list(plain.items())[2::9]
    }
    by_zstd = {f"{name}.zst": zstandard.compress(data) for name, data in list(plain.items())[4::9]}
    return tuple((plain | packed | by_zstd | halves).items())


def _plain() -> Any:
    for number, document in enumerate(BY_HAND):
        yield f"by-hand-{number}.json", json.dumps(document).encode()
        yield f"by-hand-{number}-indented.json", json.dumps(document, indent=2).encode()
    for number, lines in enumerate(LINES):
        yield f"by-hand-{number}.jsonl", lines.encode()
    logs = [(f"search-{number}", log) for number, log in enumerate(_searches())]
    for seed in range(N_SEARCHES):
        logs += [(f"sound-{seed}", sound_search(seed).log), (f"zoo-{seed}", broken_log(seed))]
    for name, log in logs:
        for ending, write in ((".json", write_json), (".jsonl", write_jsonl)):
            write(log, out := io.BytesIO())
            # A cut log of ours is a seed as well: it is read up to the cut, or refused.
            yield name + ending, out.getvalue()[:LARGEST]
    shapes = [*documents(), EXAMPLES / "infovis-toolkit.js", EXAMPLES / "textbook-alpha-beta.json"]
    for path in shapes:
        yield path.name, path.read_bytes()[:LARGEST]
    for number, text in enumerate(REFUSED):
        yield f"refused-{number}", text.encode("utf-8", "surrogatepass")
    for (name, graph), (how, edges) in product(GRAPHS.items(), EDGES.items()):
        yield f"graph-{name}{how}.json", json.dumps(graph(edges)).encode()[:LARGEST]


def _searches() -> list[Log]:
    """Searches of ours, as plain Python: with a table, windows, stubs, iterations and quiescence."""
    asked = (
        ("tictactoe", "XO. ... ..X O", {"depth": 2, "limit": 2}),
        ("tictactoe", "XXO O.. ..X O", {"depth": 4, "table": 0.01, "algorithm": "pvs", "iterative": True}),
        ("connect_four", "444", {"depth": 2, "limit": 3, "killers": True, "quiescence": 1}),
    )
    return [
        log_from_recording(search(find(name), position, SearchOptions(**said), compiled=False))
        for name, position, said in asked
    ]
