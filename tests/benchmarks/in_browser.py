"""A page of a viewer in a real browser for the benchmarks, and the JavaScript that times what it shows."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Browser, Page, sync_playwright

from plyscope.visualizer.web.app import create_app
from plyscope.visualizer.web.sockets.server import serving
from tests.browser import ARGUMENTS, browser

PATIENCE: Final = 180_000
"""Milliseconds: where nothing is compiled yet, what the page asks for by itself takes its time."""

HELPERS: Final = """
window.painted = () => new Promise(done => requestAnimationFrame(() => setTimeout(done)));
window.idle = async () => {
    const root = document.documentElement;
    while (root.dataset.idle !== "true") await new Promise(done => {
        const watch = new MutationObserver(() => { watch.disconnect(); done(); });
        watch.observe(root, {attributeFilter: ["data-idle"]});
    });
};
window.watched = async (act, isThere, changes = {childList: true}) => {
    const tree = document.getElementById("tree");
    const begun = performance.now();
    act();
    await new Promise(done => {
        const look = () => isThere(tree) && (watch.disconnect(), done());
        const watch = new MutationObserver(look);
        watch.observe(tree, {...changes, subtree: true});
    });
    await painted();
    const spent = performance.now() - begun;
    await idle();
    return spent;
};
window.anotherTree = act => {
    for (const old of document.querySelectorAll("#tree .node")) old.setAttribute("data-old", "");
    return watched(act, tree => tree.querySelector('[aria-level="1"]') && !tree.querySelector("[data-old]"));
};
window.pressed = key => document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
"""
"""`watched` times what `act` changes in the tree until the frame after it was painted."""


def wait(page: Page) -> None:
    """Wait until the page rests; it has the helpers then."""
    page.wait_for_selector('html[data-idle="true"]', state="attached")
    page.evaluate(HELPERS)


@contextmanager
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=browser(), args=ARGUMENTS)
        yield started
        started.close()


@contextmanager
def fresh_page(started: Browser, width: int = 1440, height: int = 900) -> Iterator[Page]:
    """An empty page of a browser that has nothing in its cache."""
    context = started.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


@contextmanager
def address_of(folder: Path, **config: Any) -> Iterator[str]:
    """The address of a viewer that keeps in `folder` what it keeps."""
    listener = socket.create_server(("127.0.0.1", 0))
    app = create_app({"DATA_FOLDER": folder / "data", "CACHE_FOLDER": folder / "cache", **config})
    with serving(app, listener):
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"


@contextmanager
def page_of(folder: Path, width: int = 1440, height: int = 900, **config: Any) -> Iterator[tuple[Page, str]]:
    """An empty page in a browser, and the address of a viewer."""
    with (
        address_of(folder, **config) as address,
        chromium() as started,
        fresh_page(started, width, height) as page,
    ):
        yield page, address
