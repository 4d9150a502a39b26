"""One browser, address and page for all tests of a process; a fresh viewer and a wiped page for each test.

A test waits on states, never on time: `settled(page)` waits until the page says that nothing is pending.

A new test asks for `tree` (the textbook tree) or `show` (logs, whatever the viewer and the window); or for
`serve` and `new_page`, as `visit(new_page(), serve(path))`, and for `alone` (a page that is one file). What
the browser and the address keep is in `stage.py`.
To load the page costs more than what most tests do with it: one test states several things of one page, each
below a line that says what; `again(page, link)` brings the view of the beginning back.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Download, Locator, Page, expect, sync_playwright

from plyscope.visualizer.web.app import create_app
from plyscope.visualizer.web.sockets.server import serving
from tests.browser import ARGUMENTS, browser
from tests.page.stage import EMULATED, PATIENCE, SharedPage, Stage, watch
from tests.page.trees import textbook


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith("tests/page/"):
            item.add_marker(pytest.mark.page)


Serve = Callable[..., str]
NewPage = Callable[..., Page]
Show = Callable[..., Page]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = browser()
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield started
        started.close()


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    return Stage(tmp_path_factory.mktemp("between"))


@pytest.fixture(scope="session")
def address(stage: Stage) -> Iterator[str]:
    """The address of each test's first viewer: always the same, so the browser keeps what it loaded."""
    with stage.open() as address:
        yield address


@pytest.fixture(scope="session")
def converted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of converted logs, one for all viewers of all processes: examples are converted once."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "converted"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def serve(tmp_path: Path, stage: Stage, address: str, converted: Path) -> Iterator[Serve]:
    """`serve(*logs, **config)`: the address of a viewer for these logs; with no logs, for the examples.

    The first of a test is at the address that all tests share, further ones are on ports of their own.
    """
    with ExitStack() as running:

        def start(*logs: Path, **config: Any) -> str:
            folders = {"DATA_FOLDER": tmp_path / "data", "CACHE_FOLDER": converted}
            app = create_app({"LOGS": logs, **folders, **config})
            if stage.is_free:
                running.enter_context(stage.showing(app))
                return address
            listener = socket.create_server(("127.0.0.1", 0))
            running.enter_context(serving(app, listener))
            return f"http://127.0.0.1:{listener.getsockname()[1]}/"

        yield start


@pytest.fixture(scope="session")
def shared_page(chromium: Browser, address: str) -> SharedPage:
    return SharedPage(chromium, address)


@pytest.fixture
def new_page(chromium: Browser, shared_page: SharedPage) -> Iterator[NewPage]:
    """`new_page(width=…, height=…, **context options)`: a page that fails its test on any script error.

    The first is the page that all tests share. Further ones, those with options of a context such as
    `has_touch`, and what is asked for with `own=True` (to add scripts to it) are pages of their own.
    """
    contexts = []
    shared_page.problems.clear()
    problems = shared_page.problems
    is_lent = False

    def make(width: int = 1440, height: int = 900, *, own: bool = False, **options: Any) -> Page:
        nonlocal is_lent
        if not (own or is_lent or options.keys() - EMULATED):
            is_lent = True
            return shared_page.lend(width, height, **options)
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        watch(page, problems)
        return page

    yield make
    for context in contexts:
        context.close()
    if is_lent:
        shared_page.wipe()
    assert not problems, problems


@pytest.fixture
def tree(show: Show) -> Page:
    """The textbook tree: root, c6 and a1 are open, since the principal variation is."""
    return show(textbook(), named="log.json", only="0.1.1")


def visit(page: Page, server: str, fragment: str = "") -> Page:
    """Open the viewer without animation and wait until it has settled."""
    page.goto(f"{server}?testing=1{fragment}")
    return settled(page)


IDLE: Final = """() => new Promise((done) => {
    const root = document.documentElement;
    const look = () => root.dataset.idle === "true" && (watcher.disconnect(), done(true));
    const watcher = new MutationObserver(look);
    watcher.observe(root, { attributeFilter: ["data-idle"] });
    look();
})"""


def settled(page: Page) -> Page:
    """Wait until the page has nothing pending: no request, no animation, no redraw.

    The page says so at once; Playwright would look again and again, up to half a second apart.
    """
    page.wait_for_function(IDLE)
    return page


def drawn_twice(page: Page) -> Page:
    """Wait for two frames: what fits itself to a size, or answers a press, is there then."""
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page


def press(page: Page, target: Locator) -> Page:
    """Click and wait until the page has settled."""
    target.click()
    return settled(page)


def keys(page: Page, *names: str) -> Page:
    """Press keys one after the other, each once the page has settled."""
    for name in names:
        page.keyboard.press(name)
        settled(page)
    return page


def menu(page: Page, command: str) -> Page:
    """Choose a command of the page's menu."""
    page.evaluate("document.querySelector('#page-menu').showPopover()")
    return press(page, page.get_by_role("button", name=command))


def choose(page: Page, label: str, option: str) -> Page:
    """Choose an option by its value, in the list of this label."""
    page.get_by_label(label, exact=True).select_option(option)
    return settled(page)


def search(page: Page, text: str) -> Page:
    """Ask in the search box, by keys alone."""
    page.keyboard.press("/")
    page.keyboard.press("Control+a")
    page.keyboard.type(text)
    return keys(page, "Enter")


def downloaded(page: Page, target: Locator) -> Download:
    """What a press has the browser save."""
    with page.expect_download() as download:
        target.click()
    return download.value


def linked(page: Page) -> str:
    """The link to the view that the page shows."""
    page.wait_for_function("location.hash.startsWith('#log=')")
    return str(page.evaluate("location.hash"))


def again(page: Page, link: str) -> Page:
    """Go to a link within the page, which is not loaded anew: a flow begins its next statement there.

    Panels that were folded, open dialogs and settings are no part of a link, and stay.
    """
    page.evaluate(
        """link => location.hash === link || new Promise(done => {
            addEventListener("popstate", () => setTimeout(done), { once: true });
            location.hash = link;
        })""",
        link,
    )
    return settled(page)


@pytest.fixture
def show(new_page: NewPage, serve: Serve, tmp_path: Path) -> Show:
    """`show(log, …)`: the page on a log, a file or a document, which gets a name.

    `beside` are documents of further logs by their names. `only` names the nodes that are open: `0.1.1` are
    0, 1 and 2, each by the distance from the last. Names in capitals are the viewer's configuration; what
    else follows is of `new_page`.
    """

    def file(name: str, document: Any) -> Path:
        path = tmp_path / name
        path.write_text(document if isinstance(document, str) else json.dumps(document), "utf-8")
        return path

    def make(
        log: Path | dict[str, Any],
        *size: int,
        named: str = "shown.json",
        beside: dict[str, Any] | None = None,
        only: str | None = None,
        **options: Any,
    ) -> Page:
        first = log if isinstance(log, Path) else file(named, log)
        others = [file(name, document) for name, document in (beside or {}).items()]
        config = {name: options.pop(name) for name in [*options] if name.isupper()}
        page, server = new_page(*size, **options), serve(first, *others, **config)
        if only is None:
            return visit(page, server)
        shown = page.request.get(f"{server}api/logs").json()["default"]
        return visit(page, server, f"#log={shown}&open={only}")

    return make


@pytest.fixture
def alone(new_page: NewPage, tmp_path: Path) -> Callable[..., Page]:
    """`alone(what)`: a page that is one file, a download or a shared log, opened from the disk, offline."""

    def make(what: Any, fragment: str = "") -> Page:
        file = tmp_path / "shared.html"
        what.save_as(file) if isinstance(what, Download) else what.write(file)
        page = new_page(own=True, offline=True)
        page.goto(f"{file.as_uri()}{fragment}")
        return settled(page)

    return make
