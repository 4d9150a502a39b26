"""The lag of a page behind an engine that writes 100,000 nodes a second, its first node and slowest frame.

    python -m tests.benchmarks.follow [nodes a second] [seconds] [form]

A process writes a depth-first log as our loggers do, 50 times a second: as `two_lines`, one as a node is
entered and one as it is left; as `one_line`, `post_order`, `shuffled`, with `text_ids` or `rich` in fields;
or as `plyb`, the compact form. The lag is the age of the last node that the page
shows, asked every 100 ms; frames are timed in Chromium. The load of the machine says whether each of the
three had the processor time that it needs.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import numpy as np

from plyscope.visualizer.shelf.follow import warm_up
from tests.benchmarks.in_browser import page_of
from tests.benchmarks.live_logs import STEP, pieces_of
from tests.benchmarks.timing import numbers

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


def write(path: Path, form: str, rate: int, seconds: float) -> None:
    """Write each piece at its time, and when it was written to standard output."""
    pieces = pieces_of(form, rate, seconds)
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
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / ("run.plyb" if form == "plyb" else "run.jsonl")
        path.touch()
        command = [sys.executable, "-m", __spec__.name, "write", str(path), form, str(rate), str(seconds)]
        writer = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
        )
        with (
            page_of(Path(folder), LOGS=(path,), FOLLOW=True) as (page, address),
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
            first = float(page.evaluate("window.first_") or "nan")
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
        path, form, rate, seconds = sys.argv[2:]
        write(Path(path), form, int(rate), float(seconds))
    else:
        sizes = numbers([each for each in sys.argv[1:] if each[0].isdigit()])
        forms = [each for each in sys.argv[1:] if not each[0].isdigit()]
        measure(*sizes, *(100_000, 30)[len(sizes) :], *(forms or ["two_lines"]))
