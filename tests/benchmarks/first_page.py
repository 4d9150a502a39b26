"""Shell to painted tree, and a reload, beside Python's own file server in the same run; medians and ratios.

A browser that has shown the page before keeps its files from one `plyscope view` to the next.
Targets: shell to painted tree at most 0.6 s, a reload 0.35 s.
"""

from __future__ import annotations

import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from plyscope.visualizer.web.app import create_app
from plyscope.visualizer.web.sockets.server import serving
from tests.browser import ARGUMENTS, browser

RUNS = 7
TARGET_SHELL = 0.6
TARGET_RELOAD = 0.35
PATIENCE = 180_000
"""Milliseconds: where nothing is compiled yet, what the page asks for after it is painted takes its time."""

PAINTED = """() => new Promise(done => {
    const look = () => document.querySelector("#tree .node") === null
        ? requestAnimationFrame(look)
        : requestAnimationFrame(() => setTimeout(() => done(performance.timeOrigin + performance.now())));
    look();
})"""

Times = dict[str, list[float]]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def answering(command: list[str], port: int) -> Iterator[tuple[float, float]]:
    """A process that has answered a GET of `/`; gives when it was started, and when it had answered."""
    started = time.time()
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            while True:
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=10) as answer:
                        answer.read()
                        break
                except (ConnectionError, urllib.error.URLError):
                    if process.poll() is not None:
                        raise RuntimeError(f"{command[0]} ended with {process.returncode}") from None
            yield started, time.time()
        finally:
            process.terminate()


def painted(page: Page) -> float:
    """Wait for the tree; gives when it was painted, in seconds since the epoch."""
    at = float(page.evaluate(PAINTED)) / 1000
    page.wait_for_selector('html[data-idle="true"]', state="attached")
    return at


def new_context(chromium: Browser) -> BrowserContext:
    """A browser that has nothing in its cache."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    context.set_default_timeout(PATIENCE)
    return context


@contextmanager
def fresh_page(chromium: Browser) -> Iterator[Page]:
    """A page of a browser that has nothing in its cache."""
    context = new_context(chromium)
    yield context.new_page()
    context.close()


def seen_from_the_shell(page: Page, port: int) -> tuple[float, float]:
    """Seconds from starting `plyscope view` to its first answer, and to the painted tree."""
    plyscope = str(Path(sys.executable).with_name("plyscope"))
    with answering([plyscope, "view", "--no-browser", "--port", str(port)], port) as (started, answered):
        page.goto(f"http://127.0.0.1:{port}/?testing=1", wait_until="commit")
        return answered - started, painted(page) - started


def from_the_shell(chromium: Browser, times: Times) -> None:
    """Start `plyscope view` and Python's file server, and note when each answers and what is painted."""
    knowing, usual_port = new_context(chromium), free_port()
    for run in range(RUNS + 1):
        with fresh_page(chromium) as page:
            answered, seen = seen_from_the_shell(page, free_port())
        page = knowing.new_page()  # the first of these runs fills the cache
        _, again = seen_from_the_shell(page, usual_port)
        page.close()
        port = free_port()
        theirs = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", str(port)]
        with answering(theirs, port) as (began, served):
            pass
        if run:
            times.setdefault("answer", []).append(answered)
            times.setdefault("http.server", []).append(served - began)
            times.setdefault("shell", []).append(seen)
            times.setdefault("shell again", []).append(again)
    knowing.close()


def loads(chromium: Browser, address: str, times: Times) -> None:
    """Load the page with an empty cache, then reload it."""
    for run in range(RUNS + 1):
        with fresh_page(chromium) as page:
            began = time.time()
            page.goto(f"{address}?testing=1", wait_until="commit")
            first = painted(page) - began
            began = time.time()
            page.reload(wait_until="commit")
            again = painted(page) - began
        if run:
            times.setdefault("first", []).append(first)
            times.setdefault("reload", []).append(again)


def show(times: Times) -> None:
    """Print the medians, and the ratio of each to what it is compared with."""
    median = {name: statistics.median(each) for name, each in times.items()}

    def line(what: str, name: str, target: float | None = None) -> None:
        aim = f"  (target {target} s)" if target else ""
        print(f"{what:52}{median[name]:7.3f} s{aim}")

    line("plyscope view, shell to first answer", "answer")
    line("    python -m http.server", "http.server")
    print(f"    ratio {median['answer'] / median['http.server']:.2f}")
    line("plyscope view, shell to painted tree, first time", "shell", TARGET_SHELL)
    line("    files in the browser's cache", "shell again", TARGET_SHELL)
    print(f"    ratio {median['shell'] / median['shell again']:.2f}")
    line("first load, nothing cached, to painted tree", "first")
    line("reload, to painted tree", "reload", TARGET_RELOAD)


def main() -> None:
    times: Times = {}
    listener = socket.create_server(("127.0.0.1", 0))
    with tempfile.TemporaryDirectory() as kept, sync_playwright() as playwright:
        app = create_app({"DATA_FOLDER": Path(kept) / "data"})
        chromium = playwright.chromium.launch(executable_path=browser(), args=ARGUMENTS)
        from_the_shell(chromium, times)
        with serving(app, listener):
            loads(chromium, f"http://127.0.0.1:{listener.getsockname()[1]}/", times)
        chromium.close()
    show(times)


if __name__ == "__main__":
    main()
