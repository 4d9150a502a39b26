"""The JSON API of docs/api.md: logs and their nodes, every answer bounded, every error in one shape."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import orjson
from flask import Blueprint, Response, abort, request

from plyscope.visualizer.analysis.overview.ready import make_ready
from plyscope.visualizer.formats.errors import LogError, TooLarge
from plyscope.visualizer.formats.foreign.meaning.mapping import parse_mapping
from plyscope.visualizer.shelf.shelf import NotAPasteError, NotReadyError
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web import response_bodies
from plyscope.visualizer.web.board_plies import board_drawing
from plyscope.visualizer.web.json_response import json_response
from plyscope.visualizer.web.live import begin_lines
from plyscope.visualizer.web.request_arguments import (
    MOST_BEST,
    MOST_CHILDREN,
    MOST_CHILDREN_IN_ALL,
    MOST_PATH,
    boards_of,
    entry_of,
    ids_argument,
    number_argument,
    order_argument,
    refuse_for_disk,
    refuse_games,
    row_of,
    shelf_of_app,
    tree_of,
    wait_as_requested,
)

api = Blueprint("api", __name__, url_prefix="/api")

MOST_HITS: Final = 500
MOST_SUBTREE_BYTES: Final = 256 * 1024


# Logs ------------------------------------------------------------------------------------------------


@api.get("/logs")
def list_logs() -> Response:
    """Every log on the shelf, and the folders that are looked into for more."""
    shelf = shelf_of_app()
    entries = shelf.entries()
    first = shelf.first()
    answer = json_response(
        {
            "logs": [entry.summary() for entry in entries],
            "default": None if first is None else first.id,
            "folders": [os.fsencode(folder.name).decode(errors="replace") for folder in shelf.folders],
            "notices": shelf.notices,
        }
    )
    answer.add_etag()
    answer.make_conditional(request)  # who asks every few seconds is told that nothing has changed
    return answer


@api.post("/logs")
def add_log() -> Response:
    """Take the body as a log; refuse it with what is wrong, or keep it. With `follow`, lines are to come."""
    if "follow" in request.args:
        return begin_lines()
    data = request.get_data(cache=False)
    try:
        mapping = parse_mapping(request.args["map"]) if request.args.get("map") else None
        entry = shelf_of_app().paste(data, request.args.get("name", "")[:200], mapping)
    except TooLarge as error:
        abort(413, str(error))
    except LogError as error:
        place = {name: getattr(error, name) for name in ("line", "column", "path") if getattr(error, name)}
        abort(json_response({"error": str(error), "status": 400, **place}, 400))
    except OSError as error:
        refuse_for_disk("the log could not be kept", error)
    return json_response(entry.summary(), 201)


@api.get("/logs/<log_id>")
def open_log(log_id: str) -> Response:
    """Header, totals, roots and principal variation of one log; with `as_read`, of what was read last."""
    return _opened(log_id, tree_of(log_id, afresh="as_read" not in request.args))


@api.get("/logs/<log_id>/summary")
def log_summary(log_id: str) -> Response:
    """The progress of reading a log; with `wait`, sent once it has ended or so many seconds have passed."""
    entry = entry_of(log_id)
    if (followed := entry.live) is not None:
        followed.status()  # who waits for the first nodes of a log that is being written asks for them
    wait_as_requested(entry.settled)
    return json_response(entry.summary())


@api.post("/logs/<log_id>/reading")
def start_reading(log_id: str) -> Response:
    """Read a log, unless it is read already; with `wait`, answer once it is, or after so many seconds."""
    entry = entry_of(log_id)
    refuse_games(entry.id)
    with suppress(NotReadyError):
        shelf_of_app().open(entry.id, afresh=True)
    wait_as_requested(entry.settled)
    return json_response(entry.summary(), 202 if entry.state == "reading" else 200)


@api.delete("/logs/<log_id>/reading")
def stop_reading(log_id: str) -> Response:
    """End the reading of a large log; its summary then says so."""
    shelf_of_app().stop_reading(entry_of(log_id).id)
    return json_response(entry_of(log_id).summary())


@api.put("/logs/<log_id>/mapping")
def set_mapping(log_id: str) -> Response:
    """Read a foreign log again with another mapping."""
    mapping = _body_object('{"children": "replies", "score": "value"}')
    tree_of(log_id)
    try:
        tree = shelf_of_app().set_mapping(log_id, mapping)
    except LogError as error:
        abort(400, str(error))
    except NotReadyError as reason:
        return json_response({"log": reason.entry.summary()}, 202)
    except KeyError:
        abort(404, f"the log {log_id!r} was deleted meanwhile")
    except OSError as error:
        refuse_for_disk("the choice could not be kept", error)
    return _opened(log_id, tree)


@api.put("/logs/<log_id>/name")
def rename_log(log_id: str) -> Response:
    """Give a paste another name."""
    name = _body_object('{"name": "aspiration off"}').get("name", "").strip()
    if not name:
        abort(400, 'the name is missing: the body must be an object such as {"name": "aspiration off"}')
    entry_of(log_id)
    with _changing_a_paste(log_id, "the name could not be kept"):
        shelf_of_app().rename(log_id, name)
    return json_response(entry_of(log_id).summary())


@api.delete("/logs/<log_id>")
def delete_log(log_id: str) -> Response:
    """Delete a paste."""
    entry_of(log_id)
    with _changing_a_paste(log_id, "the log could not be deleted"):
        shelf_of_app().delete(log_id)
    return Response(status=204)


@contextmanager
def _changing_a_paste(log_id: str, what: str) -> Iterator[None]:
    """Refuse in words what cannot be done to a log."""
    try:
        yield
    except KeyError:
        abort(404, f"the log {log_id!r} was deleted meanwhile")
    except NotAPasteError as error:
        abort(403, str(error))
    except OSError as error:
        refuse_for_disk(what, error)


def _body_object(example: str) -> dict[str, str]:
    """The body, an object of texts; aborts with 400 where it is none."""
    try:
        body = orjson.loads(request.get_data())
    except orjson.JSONDecodeError:
        body = None
    if not isinstance(body, dict) or not all(isinstance(value, str) for value in body.values()):
        abort(400, f"the body must be an object such as {example}")
    return body


def _opened(log_id: str, tree: Tree) -> Response:
    entry = entry_of(log_id)
    if entry.live is None:
        make_ready(tree)
    return json_response(
        response_bodies.opened_log(entry.summary(), tree, entry.totals_of(tree), boards_of(tree))
    )


# Nodes -----------------------------------------------------------------------------------------------


@api.get("/logs/<log_id>/nodes")
def several_nodes(log_id: str) -> Response:
    """Several nodes, each with its first children."""
    tree = tree_of(log_id)
    ids = ids_argument()
    limit = number_argument("limit", 12, most=MOST_CHILDREN)
    rows = [row_of(tree, node_id) for node_id in ids]
    best, order = number_argument("best", 0, most=MOST_BEST), order_argument("best")
    return json_response(
        response_bodies.several_pages(tree, rows, limit, best, MOST_CHILDREN_IN_ALL, order=order)
    )


@api.get("/logs/<log_id>/nodes/<int:node_id>")
def one_node(log_id: str, node_id: int) -> Response:
    """A node and one page of its children, in the order searched, or the best first by score or pre-score."""
    tree = tree_of(log_id)
    offset, limit = number_argument("offset", 0), number_argument("limit", 30, most=MOST_CHILDREN)
    order = order_argument("searched")
    if order != "searched":
        return json_response(response_bodies.ranked_page(tree, row_of(tree, node_id), offset, limit, order))
    best = number_argument("best", 0, most=MOST_BEST)
    return json_response(response_bodies.node_page(tree, row_of(tree, node_id), offset, limit, best))


@api.get("/logs/<log_id>/nodes/<int:node_id>/path")
def node_path(log_id: str, node_id: int) -> Response:
    """The nodes from the root down to this one."""
    tree = tree_of(log_id)
    return json_response(response_bodies.path(tree, row_of(tree, node_id), MOST_PATH))


@api.get("/logs/<log_id>/nodes/<int:node_id>/details")
def node_details(log_id: str, node_id: int) -> Response:
    """Everything that is known of one node."""
    tree = tree_of(log_id)
    return json_response(response_bodies.details(tree, row_of(tree, node_id), boards_of(tree), MOST_PATH))


@api.get("/logs/<log_id>/nodes/<int:node_id>/board")
def node_board(log_id: str, node_id: int) -> Response:
    """The position of a node as cells to draw, and where the plies searched there end."""
    tree = tree_of(log_id)
    return json_response(board_drawing(tree, row_of(tree, node_id), boards_of(tree)))


@api.get("/logs/<log_id>/nodes/<int:node_id>/subtree")
def node_subtree(log_id: str, node_id: int) -> Response:
    """The shown part of a subtree as a log that loads again."""
    tree = tree_of(log_id)
    most_bytes = number_argument("max_bytes", MOST_SUBTREE_BYTES, 1000, MOST_SUBTREE_BYTES)
    open_rows = {row_of(tree, i) for i in ids_argument()} if request.args.get("ids") else None
    levels = None if open_rows is not None else number_argument("levels", 3)
    try:
        row = row_of(tree, node_id)
        return json_response(
            response_bodies.subtree(tree, row, open_rows, levels, most_bytes, boards_of(tree))
        )
    except TooLarge as error:
        abort(413, str(error))


@api.get("/logs/<log_id>/search")
def search(log_id: str) -> Response:
    """Nodes that a text names."""
    tree = tree_of(log_id)
    query = request.args.get("q", "")[:1000]
    offset, limit = number_argument("offset", 0), number_argument("limit", 50, most=MOST_HITS)
    start = row_of(tree, number_argument("from", 0)) if "from" in request.args else None
    return json_response(response_bodies.search(tree, query, offset, limit, start))
