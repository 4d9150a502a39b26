"""From bytes to columns by every road, against `orjson.loads` alone on the same bytes, in one run.

python -m tests.benchmarks.roads_in [NODES]

Each figure is of a process of its own. The first call loads numba and kernels from disk, the second has them;
seconds are the processor's. Memory is the most that the process needed beyond what it had with the bytes.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import orjson

from plyscope.visualizer.formats.detect import read_log

FACTORS: Final = ("mobility", "corners", "edges")
HEADER: Final = '{"plyscope":1,"factors":[{"name":"mobility"},{"name":"corners"},{"name":"edges"}]'
FORMS: Final = ("ours.json", "ours, unknown.json", "lines.jsonl", "lines, unknown.jsonl", "infovis.json")
TABLES: Final = ("rows.json", "rows.jsonl")
WAYS: Final = ("plyscope", "orjson")


def main(n_nodes: int = 1_000_000) -> None:
    """Print what each road takes."""
    with tempfile.TemporaryDirectory() as temporary:
        for name in (*FORMS, *TABLES):
            path = Path(temporary) / name
            write(path, n_nodes)
            (first, again, memory), (loads, _, dicts) = (in_a_process(path, way) for way in WAYS)
            size = f"{n_nodes:,} nodes {path.stat().st_size / 1e6:,.0f} MB"
            orjson_s = f"times orjson's speed ({loads:.2f} s, {dicts:,.0f} MB)"
            ratio = f"{loads / first:.1f} and {loads / again:.1f} {orjson_s}"
            print(
                f"{name:<22} {size}: {first:.2f} s, then {again:.2f} s, {memory:,.0f} MB: {ratio}", flush=True
            )
            path.unlink()


def in_a_process(path: Path, way: str) -> tuple[float, float, float]:
    """Seconds of the first and the second call, and megabytes; machine code is on disk before."""
    command = [sys.executable, "-m", "tests.benchmarks.roads_in", str(path), way]
    for _ in range(2 if way == "plyscope" else 1):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    first, again, memory = map(float, done.stdout.split())
    return first, again, memory


def measured(path: Path, way: str) -> None:
    """Read one file twice by one way and print the seconds of both and the memory."""
    data = path.read_bytes()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    took = []
    for _ in range(2):
        start = time.process_time()
        if way == "plyscope":
            read_log(data)
        elif path.suffix == ".jsonl":
            kept = [orjson.loads(line) for line in data.splitlines()]
            del kept
        else:
            orjson.loads(data)
        took.append(time.process_time() - start)
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(*took, memory)


def write(path: Path, n_nodes: int) -> None:
    """Write a tree of so many nodes, two to nine children each, in the form that the name says."""
    draw = random.Random(5)
    with path.open("w", encoding="utf-8") as file:
        if path.suffix == ".jsonl":
            if path.name.startswith("lines"):
                file.write(HEADER + "}\n")
            for number, parent, level in nodes(n_nodes):
                file.write(
                    json.dumps(fields(path, draw, number, level, parent), separators=(",", ":")) + "\n"
                )
        elif path.stem == "rows":
            for number, parent, level in nodes(n_nodes):
                row = json.dumps(fields(path, draw, number, level, parent))
                file.write(("[" if number == 0 else ",\n") + row)
            file.write("]")
        else:
            nest(path, n_nodes, draw, file)


def nest(path: Path, n_nodes: int, draw: random.Random, file: Any) -> None:
    """Write the nodes inside one another."""
    is_ours = path.name.startswith("ours")
    file.write(HEADER + ',"root":' if is_ours else "")
    depth, before = -1, -1
    for number, _, level in nodes(n_nodes):
        while depth >= level:
            file.write("]}")
            depth -= 1
        own = json.dumps(fields(path, draw, number, level, None), separators=(",", ":"))
        file.write(("," if before >= level else "") + own[:-1] + ',"children":[')
        depth = before = level
    file.write("]}" * (depth + 1) + ("}" if is_ours else ""))


def fields(path: Path, draw: random.Random, number: int, level: int, parent: int | None) -> dict[str, Any]:
    """What a node says in that form."""
    ply, score = f"{'abcdefgh'[number % 8]}{1 + number // 8 % 8}", round(draw.gauss(0, 10), 3)
    layer, terms = ("max", "min")[level % 2], [round(draw.gauss(0, 10), 3) for _ in FACTORS]
    if path.stem == "infovis":
        data = {"type": layer, "score": score, **dict(zip(FACTORS, terms, strict=True)), "move": ply}
        return {"id": f"n{number}", "name": ply, "data": data}
    if path.stem == "rows":
        name = "node" if path.suffix == ".jsonl" else "id"
        return {
            name: number,
            "parent": parent,
            "move": ply,
            "score": score,
            "layer": layer,
            "note": f"c{number}",
        }
    ids = {"id": number} if parent is None else {"id": number, "parent": parent}
    known = {"ply": ply, "layer": layer, "score": score, "alpha": -1000, "beta": 1000, "factors": terms}
    own = {"myEval": terms[0], "note": f"n{number}", "hash": f"{number * 2654435761:016x}"}
    return (ids if path.suffix == ".jsonl" else {}) | known | (own if "unknown" in path.stem else {})


def nodes(n_nodes: int) -> Iterator[tuple[int, int | None, int]]:
    """Number, parent and level of each node, in pre-order."""
    draw = random.Random(3)
    waiting: list[tuple[int | None, int, int]] = [(None, n_nodes, 0)]
    number = 0
    while waiting:
        parent, size, level = waiting.pop()
        yield number, parent, level
        rest, n_children = size - 1, draw.randint(2, 9)
        parts = [rest // n_children + (at < rest % n_children) for at in range(n_children)]
        waiting += [(number, part, level + 1) for part in reversed(parts) if part]
        number += 1


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measured(Path(sys.argv[1]), sys.argv[2])
    else:
        main(*map(int, sys.argv[1:]))
