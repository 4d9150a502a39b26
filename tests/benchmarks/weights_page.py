"""A drag of a weight's slider in a real browser: from the event to the paint of what it makes of the log.

python -m tests.benchmarks.weights_page [NODES]

The log is a search of Reversi that ran until so many nodes, as in `whatif`. *One change* is an event on the
slider until the sentence of the panel and the cards that it moved are painted, beside the time that the
server took for its answer, and one fold of all rows. *A drag* is an event a frame: how old the weight is that
one sees, and how often a second another is painted.
"""

from __future__ import annotations

import socket
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from flask import Flask, Response, g, request
from playwright.sync_api import Page, sync_playwright

from plyscope.visualizer.analysis.whatif.reweighing import Reweighing
from plyscope.visualizer.formats.write.files import write_log_file
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.app import create_app
from plyscope.visualizer.web.sockets.server import serving
from tests.benchmarks.check import _searched
from tests.browser import ARGUMENTS, browser

RUNS = 40
FRAMES = 180
BUDGET = 50.0
"""Milliseconds of the server for one set of weights at a million nodes."""
PATIENCE = 600_000
FACTOR = "mobility"

HELPERS = """factor => {
    const slider = document.querySelector(`[data-factor="${factor}"] input[type=range]`);
    const logged = Number(slider.value);
    const pattern = new RegExp(factor + " (\\u2212?[\\\\d.]+) instead");
    window.painted = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
    window.slide = value => {
        slider.value = value;
        slider.dispatchEvent(new Event("input", {bubbles: true}));
        return Number(slider.value);
    };
    window.seen = () => {
        const said = document.querySelector("#weights-panel [role=status]").textContent.match(pattern);
        return said === null ? logged : Number(said[1].replace("\\u2212", "-"));
    };
}"""

ONE = """async value => {
    const begun = performance.now();
    const wanted = slide(value);
    while (Math.abs(seen() - wanted) > 1e-6) await new Promise(requestAnimationFrame);
    await painted();
    return performance.now() - begun;
}"""

DRAG = """async ({low, high, frames}) => {
    const begun = new Map();
    const ages = [];
    let last = seen();
    const look = now => {
        const shown = seen();
        if (shown === last) return;
        last = shown;
        const at = [...begun.keys()].find(value => Math.abs(value - shown) < 1e-6);
        if (at !== undefined) ages.push(now - begun.get(at));
    };
    const first = performance.now();
    for (let frame = 0; frame < frames; frame += 1) {
        const value = slide(low + (high - low) * frame / frames);
        if (!begun.has(value)) begun.set(value, performance.now());
        await new Promise(requestAnimationFrame);
        await new Promise(done => setTimeout(done));
        look(performance.now());
    }
    return {ages, seconds: (performance.now() - first) / 1000};
}"""


def p95(values: list[float]) -> float:
    """The value that one in twenty is above."""
    return sorted(values)[min(len(values) - 1, round(0.95 * len(values)))]


def line(what: str, milliseconds: list[float]) -> None:
    print(f"  {what:46} median {statistics.median(milliseconds):7.1f} ms   p95 {p95(milliseconds):7.1f} ms")


def timed(app: Flask, spent: list[float]) -> None:
    """Have the milliseconds kept that the server takes for answers about weights, from request to body."""

    @app.before_request
    def begin() -> None:
        g.begun = time.perf_counter()

    @app.after_request
    def end(response: Response) -> Response:
        if request.path.endswith("/weights"):
            spent.append((time.perf_counter() - g.begun) * 1e3)
        return response


def measure(page: Page, address: str, spent: list[float]) -> None:
    """One change, and a drag, printed."""
    page.goto(address)
    settle(page)
    page.keyboard.press("g")
    settle(page)
    page.evaluate(HELPERS, FACTOR)
    begin, end = slider_ends(page)
    page.evaluate(ONE, begin + 0.3 * (end - begin))
    spent.clear()
    alone = []
    for run in range(RUNS):
        alone.append(page.evaluate(ONE, begin + (0.05 + 0.9 * run / RUNS) * (end - begin)))
        settle(page)
    line("one change: event to painted", alone)
    line("    of it the server, request to body", spent)
    page.evaluate(ONE, end)
    settle(page)
    spent.clear()
    drag = page.evaluate(DRAG, {"low": begin, "high": end, "frames": FRAMES})
    settle(page)
    line("a drag: age of the weight that is painted", drag["ages"])
    line("    of it the server, request to body", spent)
    print(
        f"  {'a drag: weights painted a second':46} {len(drag['ages']) / drag['seconds']:.1f}, "
        f"events {FRAMES / drag['seconds']:.1f}"
    )


def slider_ends(page: Page) -> tuple[float, float]:
    ends: list[float] = page.locator(f'[data-factor="{FACTOR}"] input[type=range]').evaluate(
        "slider => [Number(slider.min), Number(slider.max)]"
    )
    return ends[0], ends[1]


def settle(page: Page) -> None:
    page.wait_for_selector('html[data-idle="true"]', state="attached", timeout=PATIENCE)


def fold_times(log: Any) -> tuple[list[float], list[float]]:
    """Milliseconds of one fold of all rows, as the server has it done: by the clock, and of a processor."""
    reweighing = Reweighing(Tree(log))
    logged = next(each.weight or 0.0 for each in reweighing.weights if each.name == FACTOR)
    clock, worked = [], []
    for run in range(8):
        begun = time.perf_counter(), time.process_time()
        reweighing.at({FACTOR: logged + run / 7})
        clock.append((time.perf_counter() - begun[0]) * 1e3)
        worked.append((time.process_time() - begun[1]) * 1e3)
    return clock[1:], worked[1:]


def main(n_nodes: int = 1_000_000) -> None:
    """Print all figures for a search of so many nodes."""
    log = _searched(n_nodes)
    print(f"a log of {log.n_rows:,} rows; {RUNS} changes, a drag of {FRAMES} events")
    with tempfile.TemporaryDirectory() as kept:
        path = Path(kept) / "large.jsonl"
        write_log_file(log, path)
        folds = fold_times(log)
        del log
        spent: list[float] = []
        folders = {"DATA_FOLDER": Path(kept) / "data", "CACHE_FOLDER": Path(kept) / "cache"}
        app = create_app({"LOGS": (path,), **folders})
        timed(app, spent)
        listener = socket.create_server(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        with serving(app, listener), sync_playwright() as playwright:
            started = playwright.chromium.launch(executable_path=browser(), args=ARGUMENTS)
            page = started.new_page(viewport={"width": 1280, "height": 720})
            page.set_default_timeout(PATIENCE)
            measure(page, address, spent)
            started.close()
        line(f"one fold of all rows (budget {BUDGET:g} ms)", folds[0])
        line("    of a processor", folds[1])


if __name__ == "__main__":
    main(*(int(size.replace("_", "")) for size in sys.argv[1:2]))
