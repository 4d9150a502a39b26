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
from itertools import chain
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.benchmarks.in_browser import address_of, chromium, fresh_page

PLYSCOPE = str(Path(sys.executable).with_name("plyscope"))
RUNS = 7
TARGET_SHELL = 0.6
TARGET_RELOAD = 0.35

PAINTED = """() => new Promise(done => {
    const look = () => document.querySelector("#tree .node") === null
        ? requestAnimationFrame(look)
        : requestAnimationFrame(() => setTimeout(() => done(performance.timeOrigin + performance.now())));
    look();
})"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def answering(command: list[str], port: int) -> Iterator[tuple[subprocess.Popen[bytes], float, float]]:
    """A process that has answered a GET of `/`, when it was started, and when it had answered."""
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
            yield process, started, time.time()
        finally:
            process.terminate()


def painted(page: Page) -> float:
    """Wait for the tree; gives when it was painted, in seconds since the epoch."""
    at = float(page.evaluate(PAINTED)) / 1000
    page.wait_for_selector('html[data-idle="true"]', state="attached")
    return at


def seen_from_the_shell(page: Page, port: int, *arguments: str) -> tuple[float, float]:
    """Seconds from starting `plyscope view` to its first answer, and to the painted tree."""
    command = [PLYSCOPE, "view", *arguments, "--no-browser", "--port", str(port)]
    with answering(command, port) as (_, started, answered):
        page.goto(f"http://127.0.0.1:{port}/?testing=1", wait_until="commit")
        return answered - started, painted(page) - started


def from_the_shell(started: Browser) -> Iterator[tuple[str, float]]:
    """Start `plyscope view` and Python's file server; when each answers and when the tree is painted."""
    usual_port = free_port()
    with fresh_page(started) as knowing:
        for _ in range(RUNS + 1):
            with fresh_page(started) as page:
                answered, seen = seen_from_the_shell(page, free_port())
            port = free_port()
            theirs = [sys.executable, "-m", "http.server", "--bind", "127.0.0.1", str(port)]
            with answering(theirs, port) as (_, began, served):
                pass
            yield "answer", answered
            yield "http.server", served - began
            yield "shell", seen
            page = knowing.context.new_page()
            yield "shell again", seen_from_the_shell(page, usual_port)[1]  # the first fills the cache
            page.close()


def loads(started: Browser, address: str) -> Iterator[tuple[str, float]]:
    """Load the page with an empty cache, then reload it."""
    for _ in range(RUNS + 1):
        with fresh_page(started) as page:
            began = time.time()
            page.goto(f"{address}?testing=1", wait_until="commit")
            yield "first", painted(page) - began
            began = time.time()
            page.reload(wait_until="commit")
            yield "reload", painted(page) - began


def show(median: dict[str, float]) -> None:

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
    times: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as kept, chromium() as started, address_of(Path(kept)) as address:
        for what, seconds in chain(from_the_shell(started), loads(started, address)):
            times.setdefault(what, []).append(seconds)
    show({what: statistics.median(each[1:]) for what, each in times.items()})


if __name__ == "__main__":
    main()
