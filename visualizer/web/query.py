"""The nouns of query in the API: tables of rows, the hits at and below nodes, the fields, CSV and Parquet."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from flask import Blueprint, Response, abort, current_app, request, send_file

from plyscope.visualizer.analysis.node import cut
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.answers import Nodes, cut_start
from plyscope.visualizer.web.asked import asked_ids, asked_number, refuse_for_disk, row_of, tree_of
from plyscope.visualizer.web.json_answer import json_answer

if TYPE_CHECKING:  # who never asks a query does not load what answers it
    from plyscope.visualizer.analysis.query.answer import Answer
    from plyscope.visualizer.shelf.queries import Queries, Source

queries = Blueprint("queries", __name__, url_prefix="/api/logs/<log_id>")

MOST_ROWS: Final = 500
MOST_MARKED: Final = 1000
LONGEST_PATH: Final = 600
SOURCES: Final = ("hits", "search", "children", "visits")
MIMETYPES: Final = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}
MOST_ERROR_TEXT: Final = 2000


@queries.get("/query")
def table(log_id: str) -> Response:
    """One page of a table: the hits of an expression, the children of a node, or the visits of a key."""
    from plyscope.visualizer.analysis.query.table import signs

    tree = tree_of(log_id)
    offset, limit = asked_number("offset", 0), asked_number("limit", 50, most=MOST_ROWS)
    with _said():
        answer = _asked(tree)
        body = answer.as_json(offset, limit) | {"offset": offset}
    for row in body["rows"]:
        row["path"] = cut_start(row["path"], LONGEST_PATH)
    if "nodes" in request.args:
        page = answer.rows[offset : offset + limit]
        before = {known.name: signs(answer.fields, known, page) for known in answer.columns}
        body["nodes"] = Nodes(tree).all(page.tolist())
        body["signs"] = {name: each for name, each in before.items() if each is not None}
    if "from" in request.args:
        body["at"], body["here"] = _place(answer, row_of(tree, asked_number("from", 0)))
    return json_answer(body)


@queries.get("/query/marks")
def query_marks(log_id: str) -> Response:
    """Which of some nodes are hits, and how many hits are below each."""
    from plyscope.visualizer.shelf.queries import marks

    tree = tree_of(log_id)
    rows = [row_of(tree, node_id) for node_id in asked_ids(MOST_MARKED)]
    with _said():
        hits, _ = _queries().hits(tree, request.args.get("q", ""))
    return json_answer({"total": len(hits), "marks": marks(tree, hits, rows)})


@queries.get("/query/fields")
def query_fields(log_id: str) -> Response:
    """The fields that nodes of this log state, and what an expression can do with them."""
    from plyscope.visualizer.analysis.query.fields import OF_OTHERS, fields_of
    from plyscope.visualizer.analysis.query.parse import FUNCTIONS

    tree = tree_of(log_id)
    listed = [
        {"name": known.name, "type": known.type, "meaning": known.meaning}
        | ({"words": list(known.words[1:])} if known.words else {})
        for known in fields_of(tree).listed()
    ]
    return json_answer({"fields": listed, "of": OF_OTHERS, "functions": FUNCTIONS})


@queries.get("/query.<any(csv, parquet):form>")
def file_of_rows(log_id: str, form: str) -> Response:
    """All rows of a table as a file."""
    from plyscope.visualizer.analysis.query.export import write_rows

    tree = tree_of(log_id)
    with _said():
        answer = _asked(tree)
    handle, name = tempfile.mkstemp(suffix=f".{form}")
    os.close(handle)
    path = Path(name)
    try:
        write_rows(answer.fields, answer.rows, answer.columns, path)
        response = send_file(
            path, mimetype=MIMETYPES[form], as_attachment=True, download_name=f"rows.{form}", etag=False
        )
    except OSError as error:
        path.unlink(missing_ok=True)
        refuse_for_disk("the rows could not be written", error)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    response.call_on_close(lambda: path.unlink(missing_ok=True))
    return response


def _queries() -> Queries:
    from plyscope.visualizer.shelf.queries import Queries

    kept = current_app.extensions.get("queries")
    if kept is None:
        kept = current_app.extensions.setdefault("queries", Queries())
    assert isinstance(kept, Queries)
    return kept


def _asked(tree: Tree) -> Answer:
    """The table that the request asks for."""
    columns = request.args.get("columns")
    return _queries().table(
        tree,
        _source(tree),
        columns=None if columns is None else [name for part in columns.split(",") if (name := part.strip())],
        sort=request.args.get("sort") or None,
        descending=request.args.get("desc", "") not in ("", "0"),
    )


def _source(tree: Tree) -> Source:
    rows = request.args.get("rows", "hits")
    if rows not in SOURCES:
        abort(400, f"rows is {rows[:40]!r}; a table has {', '.join(SOURCES[:-1])} or {SOURCES[-1]}")
    if rows in ("hits", "search"):
        return rows, request.args.get("q", "")
    name = "node" if rows == "children" else "key"
    if name not in request.args:
        abort(400, f"{name} is missing: the id of the node whose {rows} are asked for")
    return rows, str(row_of(tree, asked_number(name, 0)))


def _place(answer: Answer, row: int) -> tuple[int | None, bool]:
    """Where `row` stands in the table, else the next row of the search; and whether it stands there."""
    if not answer.total:
        return None, False
    at = np.flatnonzero(answer.rows == row)
    if len(at):
        return int(at[0]), True
    behind = np.where(answer.rows > row, answer.rows, np.iinfo(answer.rows.dtype).max)
    return int(behind.argmin()) if (answer.rows > row).any() else int(answer.rows.argmin()), False


@contextmanager
def _said() -> Iterator[None]:
    """Answer 400 for an expression that is refused, with its place, and 503 where others are asked."""
    from plyscope.visualizer.analysis.query.errors import QueryError
    from plyscope.visualizer.shelf.queries import BusyError

    try:
        yield
    except QueryError as error:
        body: dict[str, Any] = {"error": cut(error.sentence, MOST_ERROR_TEXT), "status": 400}
        if error.start is not None:
            body |= {"start": error.start, "end": error.end}
        if error.suggestion:
            body["suggestion"] = error.suggestion
        abort(json_answer(body, 400))
    except BusyError:
        abort(503, "other queries take long; ask again")
