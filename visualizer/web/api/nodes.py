"""Nodes in the API: pages of children, paths, details, boards, subtrees, searches, and notes on nodes."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Final

import numpy as np
import orjson
from flask import Response, abort, request

from plyscope.visualizer.analysis.nodes.best_children import Order
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.formats.write.files import WRITERS, write_log_file
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.notes import (
    as_json,
    note_at,
    notes_in,
    placed,
    rows_whose_text_has,
    with_notes,
)
from plyscope.visualizer.store.header_fields import NOTE_COLOURS
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web import node_pages
from plyscope.visualizer.web.api import routes
from plyscope.visualizer.web.api.request_arguments import (
    MOST_BEST,
    MOST_CHILDREN,
    MOST_CHILDREN_IN_ALL,
    MOST_PATH,
    row_of,
    rows_argument,
    shelf_of_app,
)
from plyscope.visualizer.web.api.routes import Body, number
from plyscope.visualizer.web.node_pages import board_drawing

nodes = routes.Routes("nodes", __name__, url_prefix="/api/logs/<log_id>")

MOST_HITS: Final = 500
MOST_SUBTREE_BYTES: Final = 256 * 1024


@nodes.get("/nodes")
def several_nodes(
    tree: Tree,
    limit: int = number(12, most=MOST_CHILDREN),
    ids: list[int] = routes.rows(),
    best: int = number(most=MOST_BEST),
    order: Order = routes.order("best"),
) -> Body:
    """Several nodes, each with its first children."""
    return node_pages.Pages(tree).several(ids, limit, best, MOST_CHILDREN_IN_ALL, order)


@nodes.get("/nodes/<int:node_id>")
def one_node(
    tree: Tree,
    offset: int = number(),
    limit: int = number(30, most=MOST_CHILDREN),
    order: Order = routes.order("searched"),
    best: int = number(most=MOST_BEST),
    *,
    row: int,
) -> Body:
    """A node and one page of its children, in the order searched, or the best first by score or pre-score."""
    return node_pages.Pages(tree).one(row, offset, limit, best, order)


@nodes.get("/nodes/<int:node_id>/path")
def node_path(tree: Tree, row: int) -> Body:
    """The nodes from the root down to this one."""
    return node_pages.Pages(tree).path(row, MOST_PATH)


@nodes.get("/nodes/<int:node_id>/details")
def node_details(tree: Tree, row: int, boards: Boards) -> Body:
    """Everything that is known of one node."""
    return node_pages.details(tree, row, boards, MOST_PATH)


@nodes.get("/nodes/<int:node_id>/board")
def node_board(tree: Tree, row: int, boards: Boards) -> Body:
    """The position of a node as cells to draw, and where the plies searched there end."""
    return board_drawing(tree, row, boards)


@nodes.get("/nodes/<int:node_id>/subtree")
def node_subtree(
    tree: Tree,
    max_bytes: int = number(MOST_SUBTREE_BYTES, least=1000, most=MOST_SUBTREE_BYTES),
    ids: str = routes.text(),
    levels: int = number(3),
    *,
    row: int,
    boards: Boards,
) -> Body:
    """The shown part of a subtree as a log that loads again."""
    open_rows = set(rows_argument(tree, "ids")) if ids else None
    return node_pages.subtree(tree, row, open_rows, levels if open_rows is None else None, max_bytes, boards)


@nodes.get("/search")
def search(
    tree: Tree,
    entry: Entry,
    q: str = routes.text(),
    offset: int = number(),
    limit: int = number(50, most=MOST_HITS),
    start: int | None = routes.node(name="from"),
) -> Body:
    """Nodes that a text names, or whose notes have it."""
    hits = tree.find(q[:1000])
    if q.strip() and (noted := shelf_of_app().notes(entry, tree)):
        hits = np.union1d(hits, rows_whose_text_has(tree, noted, q))
    return node_pages.search(tree, q[:1000], hits, offset, limit, start)


@nodes.get("/notes")
def list_notes(tree: Tree, entry: Entry) -> Body:
    """Every note on a log, in the order of its nodes; those without a node come last, and have no id."""
    return {"notes": as_json(placed(tree, shelf_of_app().notes(entry, tree)))}


@nodes.put("/notes", unless="the note could not be kept")
def put_note(tree: Tree, entry: Entry) -> Body:
    """Put one note in place of the one that its node has; without a text (null) that is deleted."""
    asked = _asked_note()
    kept = placed(tree, shelf_of_app().notes(entry, tree))
    node_id, path, text = asked["id"], asked.get("path"), asked.get("text", "")
    others = [note for note in kept if (note.id != node_id if path is None else note.path != path)]
    if text is None:
        changed = others
    elif path is None:
        row = row_of(tree, node_id)
        changed = [*others, note_at(tree, row, text, asked.get("colour", NOTE_COLOURS[0]))]
    else:
        changed = others + notes_in([asked])
    shelf_of_app().keep_notes(entry, changed)
    return {"notes": as_json(placed(tree, changed))}


@nodes.get("/copy", unless="the copy could not be written")
def copy_with_notes(tree: Tree, entry: Entry) -> Response:
    """The log as a file with its notes in the header: in its own form if that is one we write, else JSON."""
    name = Path(entry.name)
    ending = name.suffix if name.suffix in WRITERS else ".json"
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / f"copy{ending}"
        write_log_file(with_notes(tree.log, placed(tree, shelf_of_app().notes(entry, tree))), target)
        answer = Response(target.read_bytes(), mimetype="application/octet-stream")
    stem = name.name.partition(".")[0] or "log"
    answer.headers.set("Content-Disposition", "attachment", filename=f"{stem} with notes{ending}")
    return answer


def _asked_note() -> Body:
    """The note that the body states; aborts with 400 where it is none."""
    try:
        body = orjson.loads(request.get_data())
    except orjson.JSONDecodeError:
        body = None
    names = body if isinstance(body, dict) else {}
    is_named = isinstance(names.get("path"), str) or type(names.get("id")) is int
    if not is_named or not all(isinstance(names.get(key, ""), str | None) for key in ("text", "colour")):
        abort(400, 'the body must be an object such as {"id": 12, "text": "loses a piece", "colour": "red"}')
    return {**names, "id": names.get("id") if type(names.get("id")) is int else -1}
