"""The lag of a page behind an engine that writes 100,000 nodes a second, its first node and slowest frame.

    python -m tests.benchmarks.follow [nodes a second] [seconds] [jsonl or plyb]

A process writes a depth-first log as our loggers do: JSON Lines, a line as a node is entered and one as it is
left, or the compact form, 50 times a second. The lag is the age of the last node that the page shows, asked
every 100 ms; frames are timed in Chromium. The load of the machine says whether each of the three had the
processor time that it needs.
"""

from __future__ import annotations

import os
import random
import resource
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from plyscope.visualizer.shelf.follow import warm_up
from plyscope.visualizer.web.app import create_app
from tests import compact_logs as made
from tests.benchmarks.page import page_of

STEP: Final = 0.02
WATCH: Final = """() => {
  window.frames_ = [];
  window.shown_ = [];
  let before = performance.now();
  const frame = (now) => { window.frames_.push(now - before); before = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  const bar = document.getElementById("live");
  const look = () => { if (Number(bar.dataset.shown) > 0) window.first_ ??= Date.now() / 1000; };
  new MutationObserver(look).observe(bar, { attributeFilter: ["data-shown"] });
  setInterval(() => window.shown_.push([Date.now() / 1000, Number(bar.dataset.shown)]), 100);
}"""


@dataclass
class Entered:
    """A node as it is entered; the first has no parent."""

    node: int
    parent: int | None
    ply: int
    depth: int
    alpha: float
    beta: float


@dataclass
class Left:
    """A node as it is left."""

    node: int
    score: float


def steps(rate: int, seconds: float) -> Iterator[list[Entered | Left]]:
    """What a search does in each step: a tree of eight levels, its windows and scores drawn."""
    drawn, done = random.Random(1), list[Entered | Left]()
    numbers = [round(drawn.uniform(-9, 9), 2) for _ in range(997)]
    path: list[list[int]] = []
    per_step = int(rate * STEP)
    for node in range(int(rate * seconds)):
        while path and path[-1][1] == 0:
            done.append(Left(path.pop()[0], numbers[node % 997]))
        parent = None
        if path:
            path[-1][1] -= 1
            parent = path[-1][0]
        depth = 8 - len(path)
        done.append(Entered(node, parent, drawn.randrange(60), depth, numbers[node % 13], numbers[node % 89]))
        path.append([node, 10**9 if not path else 0 if depth == 0 else drawn.randrange(2, 9)])
        if (node + 1) % per_step == 0:
            yield done
            done = []


def as_lines(rate: int, seconds: float) -> list[bytes]:
    """The lines of each step: one as a node is entered, one as it is left."""
    pieces = []
    lines = ['{"plyscope": 1, "game": "drawn", "search": {"depth": 8, "perspective": "mover"}}']
    for done in steps(rate, seconds):
        for each in done:
            if isinstance(each, Left):
                left = f'"id": {each.node}, "score": {each.score:.2f}'
                lines.append(f'{{{left}, "outcome": "searched", "bound": "exact"}}')
                continue
            parent = "" if each.parent is None else f', "parent": {each.parent}, "ply": "p{each.ply}"'
            lines.append(
                f'{{"id": {each.node}{parent}, "depth": {each.depth}, "alpha": {each.alpha:.2f}, '
                f'"beta": {each.beta:.2f}, "player": "{"wb"[each.depth % 2]}"}}'
            )
        pieces.append("".join(f"{line}\n" for line in lines).encode())
        lines = []
    return pieces


NEW: Final = [["parent", "u32"], ["ply", "text8"], ["depth", "i8"], ["alpha", "f32"], ["beta", "f32"],
              ["player", "text8"], ["score", "f32"], ["outcome", "word"], ["bound", "word"]]  # fmt: skip
LATE: Final = [["id", "u32"], ["score", "f32"], ["outcome", "word"], ["bound", "word"]]

NOT_STATED: Final = b"\xff" * 4


def as_records(rate: int, seconds: float) -> list[bytes]:
    """The chunks of each step, as `binary_log.h` writes them: a node that was left by then is one record."""
    header = {"game": "drawn", "search": {"depth": 8, "perspective": "mover"}}
    names = [*(f"p{ply}" for ply in range(60)), "w", "b"]
    begin = (
        made.UPDATED_START + made.header(**header) + made.layout(NEW) + made.layout(LATE) + made.texts(*names)
    )
    pieces, searched, exact = [], 1, 3
    for done in steps(rate, seconds):
        new: dict[int, list[Any]] = {}
        late: list[tuple[int, float, int, int]] = []
        for each in done:
            if isinstance(each, Entered):
                where = (2**32 - 1, 255) if each.parent is None else (each.parent, each.ply)
                new[each.node] = [
                    *where,
                    each.depth,
                    each.alpha,
                    each.beta,
                    60 + each.depth % 2,
                    NOT_STATED,
                    0,
                    0,
                ]
            elif each.node in new:
                new[each.node][-3:] = struct.pack("<f", each.score), searched, exact
            else:
                late.append((each.node, each.score, searched, exact))
        rows = b"".join(struct.pack("<IBbffB4sBB", *row) for row in new.values())
        piece = begin + made.chunk("NODE", struct.pack("<I", 0) + rows)
        if late:
            rows = b"".join(struct.pack("<IfBB", *row) for row in late)
            piece += made.chunk("LATE", struct.pack("<I", 1) + rows)
        pieces.append(piece)
        begin = b""
    return pieces


FORMS: Final = {"jsonl": as_lines, "plyb": as_records}


def write(path: Path, rate: int, seconds: float) -> None:
    """Write each piece at its time, and when it was written to standard output."""
    pieces = FORMS[path.suffix[1:]](rate, seconds)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.stdin.readline()
    began = time.time()
    with path.open("ab", buffering=0) as file:
        for step, piece in enumerate(pieces):
            time.sleep(max(0.0, began + step * STEP - time.time()))
            file.write(piece)
            sys.stdout.write(f"{time.time()}\n")
    sys.stdout.write(f"{time.process_time()}\n")


def measure(rate: int, seconds: float, form: str) -> None:
    """Print the lag and the frames of one run."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"run.{form}"
        path.touch()
        command = [sys.executable, "-m", __spec__.name, "write", str(path), str(rate), str(seconds)]
        writer = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        with (
            page_of(create_app({"LOGS": (path,), "FOLLOW": True, "DATA_FOLDER": folder})) as (page, address),
            writer,
        ):
            warm_up.begin()  # as a viewer does that follows
            assert writer.stdin is not None
            assert writer.stdout is not None
            page.goto(address)
            writer.stdout.readline()
            page.evaluate(WATCH)
            before = time.process_time()
            writer.stdin.write("\n")
            writer.stdin.close()
            page.wait_for_timeout(1000 * seconds)
            shown: list[Any] = page.evaluate("window.shown_")
            first = float(page.evaluate("window.first_"))
            frames: list[float] = page.evaluate("window.frames_")
            server = time.process_time() - before
            *times, of_writer = (float(line) for line in writer.stdout)
    written = np.array(times)
    report(rate, np.array(shown), np.array(frames), written)
    print(f"first node shown {first - written[0]:.2f} s after it was written")
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    others = usage.ru_utime + usage.ru_stime - of_writer
    each = f"server {server:.1f} s, writer with its pieces {of_writer:.1f} s, browser {others:.1f} s"
    print(f"processor time: {each}")
    print(f"load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def report(rate: int, shown: Any, frames: Any, written: Any) -> None:
    """Print what was measured."""
    n_written = (np.arange(len(written)) + 1) * int(rate * STEP)
    asked = shown[(shown[:, 0] > written[0] + 1) & (shown[:, 0] < written[-1])]
    last = np.searchsorted(n_written, asked[:, 1], side="right").clip(0, len(written) - 1)
    behind = np.maximum(0.0, asked[:, 0] - written[last])
    took = written[-1] - written[0]
    print(f"{n_written[-1]:,} nodes in {took:.1f} s: {n_written[-1] / took:,.0f} a second")
    p50, p95 = np.percentile(behind, (50, 95))
    print(f"the page is behind by p50 {p50:.2f} s, p95 {p95:.2f} s, at most {behind.max():.2f} s")
    print(f"it was brought up {len(np.unique(asked[:, 1]))} times")
    print(f"frames: p99 {np.percentile(frames, 99):.0f} ms, slowest {frames.max():.0f} ms")


if __name__ == "__main__":
    if sys.argv[1:2] == ["write"]:
        write(Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
    else:
        numbers = [int(each) for each in sys.argv[1:] if each not in FORMS]
        forms = [each for each in sys.argv[1:] if each in FORMS]
        rate, seconds = (*numbers, *(100_000, 30)[len(numbers) :])
        measure(rate, seconds, *(forms or ["jsonl"]))
