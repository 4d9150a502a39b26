"""One browser for the whole run, a fresh server and page for each test.

A test waits on states, never on time: `settled(page)` waits until the page says that nothing is pending.
"""

from __future__ import annotations

import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import ARGUMENTS, browser
from tests.page.trees import textbook, write
from visualizer.web.app import create_app
from visualizer.web.server import serving


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.page)


@dataclass(frozen=True)
class Server:
    """A running viewer."""

    address: str
    data: Path


Serve = Callable[..., Server]
NewPage = Callable[..., Page]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = browser()
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Serve]:
    """`serve(*logs, **config)` starts a viewer for these logs on a free port; with no logs, the examples."""
    with ExitStack() as running:

        def start(*logs: Path, **config: Any) -> Server:
            listener = socket.create_server(("127.0.0.1", 0))
            folders = {"DATA_FOLDER": tmp_path / "data", "CACHE_FOLDER": tmp_path / "cache"}
            app = create_app({"LOGS": logs, **folders, **config})
            running.enter_context(serving(app, listener))
            return Server(f"http://127.0.0.1:{listener.getsockname()[1]}/", tmp_path / "data")

        yield start


@pytest.fixture
def server(serve: Serve) -> Server:
    """A viewer on the bundled examples."""
    return serve()


@pytest.fixture
def new_page(chromium: Browser) -> Iterator[NewPage]:
    """`new_page(width=…, height=…, **context options)`: a page that fails its test on any script error."""
    contexts = []
    problems: list[str] = []

    def make(width: int = 1440, height: int = 900, **options: Any) -> Page:
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on(
            "console",
            lambda message: (
                problems.append(message.text)
                if message.type == "error" and "Failed to load resource" not in message.text
                else None
            ),
        )
        return page

    yield make
    for context in contexts:
        context.close()
    assert not problems, problems


@pytest.fixture
def tree(serve: Serve, new_page: NewPage, tmp_path: Path) -> Page:
    """The textbook tree: root, c6 and a1 are open, since the principal variation is."""
    return opened_at(new_page(), serve(write(tmp_path, textbook())))


@pytest.fixture
def page(new_page: NewPage, server: Server) -> Page:
    """The page on the bundled examples, loaded and settled."""
    return visit(new_page(), server)


def visit(page: Page, server: Server, fragment: str = "") -> Page:
    """Open the viewer without animation and wait until it has settled."""
    page.goto(f"{server.address}?testing=1{fragment}")
    return settled(page)


def settled(page: Page) -> Page:
    """Wait until the page has nothing pending: no request, no animation, no redraw."""
    page.wait_for_selector('html[data-idle="true"]', state="attached")
    return page


def opened_at(page: Page, server: Server, packed: str = "0.1.1") -> Page:
    """The log with only these nodes open; `0.1.1` are 0, 1 and 2, each by the distance from the last."""
    log = page.request.get(f"{server.address}api/logs").json()["default"]
    return visit(page, server, f"#log={log}&open={packed}")


@pytest.fixture
def show(new_page: NewPage, serve: Serve, tmp_path: Path) -> Callable[[Any], Page]:
    """`show(document)`: the page on one log, settled."""

    def make(document: Any) -> Page:
        path = tmp_path / "shown.json"
        path.write_text(json.dumps(document), "utf-8")
        return visit(new_page(), serve(path))

    return make
