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
from tests.equality.forms import EDGES, GRAPHS, LINES, OURS
from tests.equality.hard_values import odd_texts
from tests.second_engine.sound import sound_search
from tests.shapes.dump import documents
from tests.unit.formats.test_errors import REFUSED
from tests.zoo.broken import broken_log

EXAMPLES: Final = Path(__file__).parents[2] / "examples"
LARGEST: Final = 6_000
"""Bytes of a seed: what a mutation changes is found in a small log as in a large one, and sooner."""
N_SEARCHES: Final = 12


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
    for name, document in OURS.items():
        yield f"by-hand-{name}.json", json.dumps(document).encode()
        yield f"by-hand-{name}-indented.json", json.dumps(document, indent=2).encode()
    for name, lines in LINES.items():
        yield f"by-hand-{name}.jsonl", lines.encode()
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
    odd = [data for texts in odd_texts().values() for _, data in texts]
    for number, data in enumerate([*odd, *(text.encode() for text, _ in REFUSED)]):
        yield f"refused-{number}", data[:LARGEST]
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
