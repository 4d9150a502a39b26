"""A log as one HTML file in the API: starting, progress, stopping; the contents, and the file."""

from __future__ import annotations

import orjson
from flask import Flask, Response, abort, current_app, request

from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.store.words import LAYERS
from plyscope.visualizer.web.api.request_arguments import (
    ids_argument,
    number_argument,
    of_app,
    row_of,
    wait_as_requested,
)
from plyscope.visualizer.web.api.routes import Body, Routes
from plyscope.visualizer.web.share.share_job import Share, Shares

shares = Routes("shares", __name__, url_prefix="/api/logs/<log_id>")


@shares.get("/share")
def state_of_share(tree: Tree) -> Body:
    """The progress of a shared page, once made its contents; `wait` waits for that, so many seconds."""
    share = _shares().of(tree)
    if share is not None:
        wait_as_requested(share.settled)
    return _state(share)


@shares.post("/share")
def start_share(tree: Tree, entry: Entry) -> tuple[Body, int]:
    """Begin to make the page as it is now, unless that is under way; the log is checked first."""
    if entry.live is not None:
        abort(409, f"{entry.name} is still being written; it can be shared once it is whole")
    return _state(_shares().start(tree, entry.id, _labels(), _view(tree))), 202


@shares.delete("/share")
def end_share(tree: Tree) -> Body:
    """Stop making the page, or forget it."""
    _shares().stop(tree)
    return _state(None)


@shares.get("/share.html")
def shared_page(tree: Tree, entry: Entry) -> Response:
    """The page that was made, as a file."""
    share = _shares().of(tree)
    if share is None or share.state != "done":
        abort(409, "there is no page of this log to save; POST to its share first")
    answer = Response(share.html, mimetype="text/html")
    stem = entry.name.partition(".")[0] or "log"
    answer.headers.set("Content-Disposition", "attachment", filename=f"{stem}.html")
    return answer


def _labels() -> Body:
    """The fields that cards show, by layer, as their page chose them; aborts with 400 for anything else."""
    try:
        labels = orjson.loads(request.args.get("labels") or "{}")
    except orjson.JSONDecodeError:
        labels = None
    is_labels = isinstance(labels, dict) and all(
        layer in (*LAYERS[1:], "plain")
        and isinstance(names, list)
        and len(names) in (2, 3)
        and all(isinstance(name, str) for name in names)
        for layer, names in labels.items()
    )
    if not is_labels:
        abort(400, 'labels says two or three fields of a layer, such as {"max": ["ply", "score", "depth"]}')
    return dict(labels)


def _view(tree: Tree) -> Body:
    """The nodes that are selected and open when it opens; aborts with 404 for one that is not there."""
    node, opened = number_argument("node", None), ids_argument("open")
    for each in opened if node is None else (node, *opened):
        row_of(tree, each)
    return {"node": node, "open": opened}


def _state(share: Share | None) -> Body:
    return {"state": "none"} if share is None else share.as_json()


def _shares() -> Shares:
    app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
    return of_app("shares", lambda: Shares(app))
