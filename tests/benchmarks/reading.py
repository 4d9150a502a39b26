"""Nodes a second, read and written, against what the JSON library alone needs for the same bytes.

python -m tests.benchmarks.reading [NODES]
"""

from __future__ import annotations

import io
import random
import sys
import time
from collections.abc import Callable
from typing import Any

import orjson

from visualizer.formats.detect import read_log
from visualizer.formats.write_json import write_json
from visualizer.formats.write_jsonl import write_jsonl


def main(n_nodes: int = 27_000) -> None:
    """Print the best of five runs of each."""
    document = orjson.dumps(a_document(n_nodes))
    log = read_log(document)
    forms = {"JSON": written(write_json, log), "JSON Lines": written(write_jsonl, log)}
    print(f"{log.n_rows:,} rows, {len(log.columns)} columns")
    for name, data in forms.items():
        texts = [data] if name == "JSON" else data.splitlines()
        alone = best(lambda texts=texts: [orjson.loads(text) for text in texts])
        read = best(lambda data=data: read_log(data))
        print(
            f"read {name}: {len(data) / 1e6:.1f} MB in {read:.3f} s, {log.n_rows / read:,.0f} nodes/s, "
            f"{read / alone:.1f} x orjson alone ({alone:.3f} s)"
        )
    objects = orjson.loads(forms["JSON"])
    alone = best(lambda: orjson.dumps(objects))
    for name, write in (("JSON", write_json), ("JSON Lines", write_jsonl)):
        seconds = best(lambda write=write: written(write, log))
        print(f"write {name}: {seconds:.3f} s, {log.n_rows / seconds:,.0f} nodes/s, "
              f"{seconds / alone:.1f} x orjson.dumps of the same objects ({alone:.3f} s)")  # fmt: skip


def best(run: Callable[[], Any], n_runs: int = 5) -> float:
    seconds = []
    for _ in range(n_runs):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return min(seconds)


def written(write: Callable[[Any, Any], None], log: Any) -> bytes:
    write(log, out := io.BytesIO())
    return out.getvalue()


def a_document(n_nodes: int) -> dict[str, Any]:
    """A tree of about `n_nodes`, with the fields that an alpha-beta with seven factors logs."""
    draw = random.Random(1)
    root: dict[str, Any] = {}
    nodes = [(root, 0)]
    for node, level in nodes:
        node.update(
            layer="min" if level % 2 else "max",
            player="white" if level % 2 else "black",
            score=draw.uniform(-50, 50),
            bound=draw.choice(["exact", "lower", "upper"]),
            static=draw.randrange(-99, 99) / 4,
            pre_score=draw.randrange(-99, 99) / 4,
            factors=[draw.randrange(20) for _ in range(7)],
            depth=6 - level,
            alpha=None if draw.random() < 0.3 else draw.randrange(-50, 0),
            beta=draw.randrange(0, 50),
            key=f"{draw.getrandbits(64):016x}",
            outcome="searched",
        )
        if len(nodes) < n_nodes:
            children: list[dict[str, Any]] = [{"ply": f"{draw.choice('abcdefgh')}{n}"} for n in range(1, 9)]
            nodes.extend((child, level + 1) for child in children)
            stub = {"outcome": "pruned", "count": 3, "plies": ["a1", "a2", "a3"]}
            node["children"] = [*children, *([stub] if draw.random() < 0.5 else [])]
    return {
        "plyscope": 1,
        "players": ["black", "white"],
        "factors": [{"name": f"factor {n}", "weight": 1.5} for n in range(7)],
        "root": root,
    }


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
