"""A log as one HTML file in the API: what will be inside, and the file."""

from __future__ import annotations

from flask import Flask, Response, abort, current_app

from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.api.routes import Body, Routes
from plyscope.visualizer.web.share.answers import Contents, contents
from plyscope.visualizer.web.share.one_file import one_file

shares = Routes("shares", __name__, url_prefix="/api/logs/<log_id>")


@shares.get("/share")
def what_is_inside(tree: Tree, entry: Entry) -> Body:
    """Tell in sentences what whoever gets the file will read of names, machine and notes."""
    return {"says": _contents(entry, is_told=True).said}


@shares.get("/share.html")
def shared_page(tree: Tree, entry: Entry) -> Response:
    """The page on the log as one file; findings are in it where the log was checked, or that is quick."""
    answer = Response(one_file(_app(), _contents(entry).data), mimetype="text/html")
    stem = entry.name.partition(".")[0] or "log"
    answer.headers.set("Content-Disposition", "attachment", filename=f"{stem}.html")
    return answer


def _contents(entry: Entry, *, is_told: bool = False) -> Contents:
    if entry.live is not None:
        abort(409, f"{entry.name} is still being written; it can be shared once it is whole")
    return contents(_app(), entry.id, is_checked=False, is_told=is_told)


def _app() -> Flask:
    return current_app._get_current_object()  # type: ignore[attr-defined, no-any-return]
