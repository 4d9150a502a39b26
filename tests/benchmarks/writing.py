"""Rows a second, written, against dictionaries and a JSON library, on the same log in one run.

python -m tests.benchmarks.writing [ROWS]

Seconds are the processor's, so that other programs disturb less; the memory is what a process needs at most,
beyond what it has before. Each figure is of a process of its own, with numba loaded and machine code on disk.
"""

from __future__ import annotations

import json
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any, Final

import orjson

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.write import text_kernel
from plyscope.visualizer.formats.write.files import write_log_file
from plyscope.visualizer.formats.write.write_json import header_fields
from plyscope.visualizer.store import disk
from plyscope.visualizer.store.log import Log
from tests.benchmarks import road_forms
from tests.benchmarks.timing import memory, numbers, taken, told_by

PLAIN: Final = ("dicts + orjson", "dicts + json")
FORMS: Final = ("log.json", "log.jsonl", "log.json.gz")


def main(n_rows: int = 300_000) -> None:
    """Print what each way takes; ratios are to dictionaries and orjson."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        road_forms.write(folder / "ours, table.json", n_rows)
        log = read_log((folder / "ours, table.json").read_bytes())
        disk.save(log, folder / "log")
        print(f"{log.n_rows:,} rows, {len(log.columns)} columns")
        del log
        # The second of two runs, so that all machine code is there.
        took = {way: told_by("tests.benchmarks.writing", folder, way, runs=2) for way in (*PLAIN, *FORMS)}
        for way, (rows, seconds, memory) in took.items():
            ratio = took[PLAIN[0]][1] / seconds
            what = way if way in PLAIN else f"plyscope {way.removeprefix('log')}"
            print(f"  {what:<20} {rows / seconds:>10,.0f} rows/s  {ratio:>5.1f} x  {memory:>6,.0f} MB")


def measured(folder: Path, way: str) -> None:
    """Write once in one way and print rows, seconds and megabytes."""
    log = disk.load(folder / "log")
    assert log is not None
    target = folder / f"written-{way.replace(' ', '')}"
    write = partial(write_plainly, way=way) if way in PLAIN else write_log_file
    compiled(text_kernel.join)
    before = memory("VmHWM")
    print(log.n_rows, taken(lambda: write(log, target)), memory("VmHWM") - before)


def write_plainly(log: Log, target: Path, way: str) -> None:
    document = plain_document(log)
    target.write_bytes(orjson.dumps(document) if way == PLAIN[0] else json.dumps(document).encode())


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


if __name__ == "__main__":
    if len(sys.argv) == 3:
        measured(Path(sys.argv[1]), sys.argv[2])
    else:
        main(*numbers(sys.argv[1:]))
