"""Rows a second, written and read, against dictionaries and a JSON library, on the same log in one run.

python -m tests.benchmarks.reading [ROWS]

Seconds are the processor's, so that other programs disturb less; the memory is what a process needs at most,
beyond what it has before. Each figure is of a process of its own, with numba loaded and machine code on disk.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.write import text_kernel
from plyscope.visualizer.formats.write.files import write_log_file
from plyscope.visualizer.formats.write.write_json import header_fields
from plyscope.visualizer.store import disk
from plyscope.visualizer.store.log import Log

PLAIN: Final = ("dicts + orjson", "dicts + json")
FORMS: Final = ("log.json", "log.jsonl", "log.json.gz")


def main(n_rows: int = 300_000) -> None:
    """Print what each way takes; ratios are to dictionaries and orjson."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        log = read_log(orjson.dumps(a_document(n_rows)))
        disk.save(log, folder / "log")
        for name in FORMS:
            write_log_file(log, folder / name)
        mb = (folder / "log.json").stat().st_size / 1e6
        print(f"{log.n_rows:,} rows, {len(log.columns)} columns, {mb:.0f} MB of JSON")
        del log
        for verb in ("write", "read"):
            ways = (*PLAIN, *FORMS)
            took = {way: in_a_process(folder, verb, way) for way in ways}
            for way, (rows, seconds, memory) in took.items():
                ratio = took[PLAIN[0]][1] / seconds
                what = way if way in PLAIN else f"plyscope {way.removeprefix('log')}"
                rate = f"{rows / seconds:>10,.0f} rows/s  {ratio:>5.1f} x"
                print(f"{verb:>5}  {what:<20} {rate}  {memory:>6,.0f} MB")


def in_a_process(folder: Path, verb: str, way: str) -> tuple[int, float, float]:
    """Rows, seconds and megabytes of the second of two runs, so that all machine code is there."""
    command = [sys.executable, "-m", "tests.benchmarks.reading", str(folder), verb, way]
    for _ in range(2):
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    rows, seconds, memory = done.stdout.split()
    return int(rows), float(seconds), float(memory)


def measured(folder: Path, verb: str, way: str) -> None:
    """Run one way once and print rows, seconds and megabytes."""
    log = disk.load(folder / "log")
    assert log is not None
    n_rows = log.n_rows
    run: Callable[[], object]
    if verb == "write":
        target = folder / f"written-{way.replace(' ', '')}"
        run = (
            partial(write_plainly, log, target, way) if way in PLAIN else partial(write_log_file, log, target)
        )
    else:
        data = (folder / ("log.json" if way in PLAIN else way)).read_bytes()
        run = partial(read_plainly, data, way) if way in PLAIN else partial(read_log, data)
    compiled(text_kernel.join)
    before = most_memory()
    start = time.process_time()
    run()
    print(n_rows, time.process_time() - start, most_memory() - before)


def most_memory() -> float:
    """Megabytes that this process had at most (Linux; what getrusage says begins with its parent's)."""
    status = Path("/proc/self/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def write_plainly(log: Log, target: Path, way: str) -> None:
    document = plain_document(log)
    target.write_bytes(orjson.dumps(document) if way == PLAIN[0] else json.dumps(document).encode())


def read_plainly(data: bytes, way: str) -> dict[str, Any]:
    return flattened(orjson.loads(data) if way == PLAIN[0] else json.loads(data))


def plain_document(log: Log) -> dict[str, Any]:
    """The log as dictionaries, as one would write it who has no other means."""
    words = list(log.texts)
    columns = {name: log.columns[name].tolist() for name in log.columns if name not in ("id", "end", "given")}
    nodes: list[dict[str, Any]] = []
    for row, values in enumerate(zip(*columns.values(), strict=True)):
        node = {
            name: value for name, value in zip(columns, values, strict=True) if value == value and value != -1
        }
        parent = node.pop("parent", -1)
        if "ply" in node:
            node["ply"] = words[node["ply"]]
        if row and parent >= 0:
            nodes[parent].setdefault("children", []).append(node)
        nodes.append(node)
    return {**header_fields(log), "root": nodes[0]}


def flattened(document: dict[str, Any]) -> dict[str, Any]:
    """The numbers of a document in columns, the least that any use of it needs."""
    columns: dict[str, list[Any]] = {name: [] for name in ("score", "static", "pre_score", "ply", "factors")}
    stack = [document["root"]]
    while stack:
        node = stack.pop()
        for name, column in columns.items():
            column.append(node.get(name))
        stack.extend(reversed(node.get("children", ())))
    return {name: np.array(columns[name], dtype=np.float64) for name in ("score", "static", "pre_score")}


def a_document(n_rows: int) -> dict[str, Any]:
    """A tree of about `n_rows`, with the fields that an alpha-beta with seven factors logs."""
    draw = random.Random(1)
    root: dict[str, Any] = {}
    nodes, n_made = [(root, 0)], 1
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
        if n_made < n_rows:
            children: list[dict[str, Any]] = [{"ply": f"{draw.choice('abcdefgh')}{n}"} for n in range(1, 9)]
            nodes.extend((child, level + 1) for child in children)
            stub = {"outcome": "pruned", "count": 3, "plies": ["a1", "a2", "a3"]}
            stubs = [stub] if draw.random() < 0.5 else []
            node["children"] = [*children, *stubs]
            n_made += len(children) + len(stubs)
    return {
        "plyscope": 1,
        "players": ["black", "white"],
        "factors": [{"name": f"factor {n}", "weight": 1.5} for n in range(7)],
        "root": root,
    }


if __name__ == "__main__":
    if len(sys.argv) == 4:
        measured(Path(sys.argv[1]), *sys.argv[2:])
    else:
        main(*map(int, sys.argv[1:]))
