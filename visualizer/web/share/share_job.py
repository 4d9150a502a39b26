"""The shared pages of a viewer: each is made in a thread beside the requests, can be stopped, and is kept."""

from __future__ import annotations

import base64
import gzip
import hashlib
import re
from typing import Any, Final

import orjson
from flask import Flask, render_template

from plyscope.version import __version__
from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.shelf.folders import shipped_folder
from plyscope.visualizer.shelf.jobs.job import Job, StoppedError
from plyscope.visualizer.shelf.kept import Kept
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.json_response import OPTIONS
from plyscope.visualizer.web.page.one_script import whole_script
from plyscope.visualizer.web.page.page_files import SCRIPT, SHEET, modules_of_page
from plyscope.visualizer.web.share.answers import contents

MOST_BYTES: Final = 5_000_000
_ENDS: Final = re.compile(r"<(?=/script|/style|!--)", re.IGNORECASE)


def one_file(app: Flask, data: dict[str, Any]) -> bytes:
    """The page that answers from `data`; with fewer details where it would be larger than 5 MB.

    Under `file://` a browser loads no module by its address and answers no request. One inline module runs,
    and unpacks its data itself. A policy names the script by its digest, so that nothing else runs.
    """
    files = modules_of_page(shipped_folder("static").resolve()).now().content
    script = _ENDS.sub(r"<\\", whole_script(files, SCRIPT))
    style = files[SHEET].decode()
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )
    while True:
        packed = gzip.compress(orjson.dumps(data, default=as_json, option=OPTIONS), 9, mtime=0)
        shared = {
            "policy": policy,
            "script": script,
            "style": style,
            "data": base64.b64encode(packed).decode(),
            "view": orjson.dumps(data["view"]).decode(),
        }
        with app.app_context():
            page = render_template("index.html", shared=shared, version=__version__).encode()
        details = data["details"]
        if len(page) <= MOST_BYTES or not details:
            return page
        data = {**data, "details": dict(list(details.items())[: len(details) // 2])}


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


MOST_KEPT: Final = 2
"""Pages that are kept, of 5 MB at most."""


class Share(Job):
    """A page that is made of a log, from its beginning; `html` and `says` are there once it is done."""

    def __init__(self, app: Flask, log_id: str, labels: dict[str, Any], view: dict[str, Any]) -> None:
        super().__init__()
        self.phase = "checking"
        self.html = b""
        self.says: tuple[str, ...] = ()
        self.begin(lambda: self._make(app, log_id, labels, view))

    def _make(self, app: Flask, log_id: str, labels: dict[str, Any], view: dict[str, Any]) -> None:
        held = contents(app, log_id, labels=labels, view=view, on_progress=self._has_come)
        self.html, self.says = one_file(app, held.data), held.said

    def _has_come(self, phase: str, part: float) -> None:
        if self.state != "running":
            raise StoppedError
        self.phase, self.progress = phase, part

    def as_json(self) -> dict[str, Any]:
        """The progress as JSON; once the page is done, its contents."""
        told = {"phase": self.phase} if self.state == "running" else {}
        return super().as_json() | told | ({"says": self.says} if self.state == "done" else {})


class Shares:
    """Begins, keeps and ends the shared pages, one for each log; safe for many threads."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._kept: Kept[Share] = Kept(
            MOST_KEPT,
            is_spoilt=lambda share: share.state != "running",  # notes may be others by now
            is_busy=lambda share: share.state == "running",
            let_go=lambda share: share.end(),
        )

    def of(self, tree: Tree) -> Share | None:
        """The page of this very tree, if one was begun."""
        return self._kept.get(tree)

    def start(self, tree: Tree, log_id: str, labels: dict[str, Any], view: dict[str, Any]) -> Share:
        """The page that is being made, else one that begins now, with these fields by layer and this view."""
        return self._kept.of(tree, make=lambda: Share(self._app, log_id, labels, view))

    def stop(self, tree: Tree) -> None:
        """Stop making the page, or forget it."""
        self._kept.take(tree)

    def close(self) -> None:
        """Stop all of them."""
        self._kept.clear()
