"""The stage of the page's tests: one address, and one page of the browser, wiped between tests.

Much of what opening the page costs is a new renderer and a hundred modules. At one address, in one page, the
browser keeps both.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Literal

from flask import Flask
from playwright.sync_api import Browser, ConsoleMessage, Page

from plyscope.visualizer.web.app import create_app
from plyscope.visualizer.web.sockets.server import serving

PATIENCE: Final = 120_000
"""Milliseconds that a page, and an expectation of it, may take on a machine that has other things to do."""

EMULATED: Final = {"color_scheme", "reduced_motion", "forced_colors"}
"""What the shared page can be told later; other options of a context need a context of their own."""

SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
"""The two themes."""


class Stage:
    """One address at which each test in turn puts a viewer of its own; `folder` is empty."""

    def __init__(self, folder: Path) -> None:
        self._shown: Callable[..., Iterable[bytes]] | None = None
        folders = dict.fromkeys(("DATA_FOLDER", "CACHE_FOLDER", "EXAMPLES"), folder)
        self._app = create_app(folders)
        self._between_tests = self._app.wsgi_app
        self._app.wsgi_app = self._answer  # type: ignore[method-assign]

    def _answer(self, environ: Any, start_response: Any) -> Any:
        return (self._between_tests if self._shown is None else self._shown)(environ, start_response)

    @property
    def is_free(self) -> bool:
        return self._shown is None

    @contextmanager
    def showing(self, app: Flask) -> Iterator[None]:
        """Answer with `app` for the length of a `with` block."""
        self._shown = app
        try:
            yield
        finally:
            self._shown = None
            app.extensions["shelf"].close()
            if (searches := app.extensions.get("exact_searches")) is not None:
                searches.close()

    @contextmanager
    def open(self) -> Iterator[str]:
        """Serve for the length of a `with` block; gives the address."""
        listener = socket.create_server(("127.0.0.1", 0))
        with serving(self._app, listener):
            yield f"http://127.0.0.1:{listener.getsockname()[1]}/"


class SharedPage:
    """One page for test after test: what a test left in it is wiped before the next has it."""

    def __init__(self, browser: Browser, origin: str) -> None:
        self._browser = browser
        self._origin = origin.rstrip("/")
        self._page: Page | None = None
        self.problems: list[str] = []
        """Script errors since the page was lent."""

    def lend(self, width: int, height: int, **media: Any) -> Page:
        """The page, as large as asked, with nothing in it."""
        if self._page is None or self._page.is_closed():
            context = self._browser.new_context()
            self._page = context.new_page()
            watch(self._page, self.problems)
        self._page.set_viewport_size({"width": width, "height": height})
        self._page.emulate_media(**{name: media.get(name, "null") for name in EMULATED})
        self._page.set_default_timeout(PATIENCE)
        return self._page

    def wipe(self) -> None:
        """Leave the viewer and forget all that it, and the test, put into the browser."""
        page = self._page
        if page is None or page.is_closed():
            return
        page.unroute_all(behavior="ignoreErrors")
        page.goto("about:blank")
        page.mouse.move(0, 0)  # where nothing answers to it any more
        context = page.context
        for other in context.pages:
            if other is not page:
                other.close()
        context.clear_permissions()
        context.clear_cookies()
        client = context.new_cdp_session(page)
        client.send("Storage.clearDataForOrigin", {"origin": self._origin, "storageTypes": "local_storage"})
        client.detach()


def watch(page: Page, problems: list[str]) -> None:
    """Note every script error of `page`."""

    def note(message: ConsoleMessage) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            problems.append(message.text)

    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("console", note)
