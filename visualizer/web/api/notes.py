"""Notes on nodes in the API: list, put, delete, and the log with them as a file."""

from __future__ import annotations

import tempfile
from pathlib import Path

import orjson
from flask import Response, abort, request

from plyscope.visualizer.formats.write.files import WRITERS, write_log_file
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.notes import (
    as_json,
    note_at,
    notes_in,
    placed,
    with_notes,
)
from plyscope.visualizer.store.header_fields import NOTE_COLOURS
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.api.request_arguments import row_of, shelf_of_app
from plyscope.visualizer.web.api.routes import Body, Routes

notes = Routes("notes", __name__, url_prefix="/api/logs/<log_id>")


@notes.get("/notes")
def of_log(tree: Tree, entry: Entry) -> Body:
    """Every note on a log, in the order of its nodes; those without a node come last, and have no id."""
    return {"notes": as_json(placed(tree, shelf_of_app().notes(entry, tree)))}


@notes.put("/notes", unless="the note could not be kept")
def put_note(tree: Tree, entry: Entry) -> Body:
    """Put one note in place of the one that its node has; without a text (null) that is deleted."""
    asked = _asked()
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


@notes.get("/copy", unless="the copy could not be written")
def copy(tree: Tree, entry: Entry) -> Response:
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


def _asked() -> Body:
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
