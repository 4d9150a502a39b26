"""The nouns of query in the API: tables of rows, the hits at and below nodes, the part of the tree that leads
to them, colours by a value, the fields, CSV and Parquet; all about the same tables.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from flask import Blueprint, Response, abort, current_app, request, send_file

from plyscope.visualizer.analysis.node_json import cut
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.check import ask_check, check_of
from plyscope.visualizer.web.json_response import json_response
from plyscope.visualizer.web.request_arguments import (
    entry_of,
    ids_argument,
    number_argument,
    order_argument,
    refuse_for_disk,
    row_of,
    tree_of,
)
from plyscope.visualizer.web.response_bodies import Nodes, cut_start

if TYPE_CHECKING:  # who never asks a query does not load what answers it
    from plyscope.visualizer.analysis.query.answer import Answer
    from plyscope.visualizer.shelf.queries import Queries, Source

queries = Blueprint("queries", __name__, url_prefix="/api/logs/<log_id>")

MOST_ROWS: Final = 500
MOST_MARKED: Final = 1000
LONGEST_PATH: Final = 600
SOURCES: Final = ("hits", "search", "children", "visits", "findings")
MIMETYPES: Final = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}
MOST_ERROR_TEXT: Final = 2000


@queries.get("/query")
def table(log_id: str) -> Response:
    """One page of a table: the hits of an expression, the children of a node, or the visits of a key."""
    from plyscope.visualizer.analysis.query.table import signs

    tree = tree_of(log_id)
    offset, limit = number_argument("offset", 0), number_argument("limit", 50, most=MOST_ROWS)
    with query_error_response():
        answer = _asked(log_id, tree)
        body = answer.as_json(offset, limit) | {"offset": offset}
    for row in body["rows"]:
        row["path"] = cut_start(row["path"], LONGEST_PATH)
    if request.args.get("rows") == "findings":
        assert answer.places is not None
        places = answer.places[offset : offset + limit].tolist()
        body["findings"] = _ask_check(log_id, tree, {"ask": "at", "places": places})["items"]
    if "nodes" in request.args:
        page = answer.rows[offset : offset + limit]
        before = {known.name: signs(answer.fields, known, page) for known in answer.columns}
        body["nodes"] = Nodes(tree).all(page.tolist())
        body["signs"] = {name: each for name, each in before.items() if each is not None}
    if "from" in request.args:
        body["at"], body["here"] = _place(answer, row_of(tree, number_argument("from", 0)))
    return json_response(body)


@queries.get("/query/marks")
def query_marks(log_id: str) -> Response:
    """Which of some nodes are hits, and how many hits are below each."""
    from plyscope.visualizer.shelf.queries import marks

    tree = tree_of(log_id)
    rows = [row_of(tree, node_id) for node_id in ids_argument(MOST_MARKED)]
    with query_error_response():
        hits = queries_of_app().rows(tree, _source(log_id, tree))
    return json_response({"total": len(hits), "marks": marks(tree, hits, rows)})


@queries.get("/query/leading")
def query_leading(log_id: str) -> Response:
    """The children of some nodes that lead to rows of a table; or what of a tree is opened first for them."""
    from plyscope.visualizer.analysis.query.hit_tree import children_to_hits, opened_first

    tree = tree_of(log_id)
    limit = number_argument("limit", 50, least=1, most=MOST_ROWS)
    order = order_argument("best")
    with query_error_response():
        hits = queries_of_app().rows(tree, _source(log_id, tree))
        if "top" in request.args:
            top, room = row_of(tree, number_argument("top", 0)), number_argument("room", 20, most=MOST_ROWS)
            found = opened_first(tree, hits, top, limit, room, order)
        else:
            asked = [row_of(tree, node_id) for node_id in ids_argument()]
            found = [children_to_hits(tree, hits, row, limit, order) for row in asked]
    nodes, ids = Nodes(tree), tree.log.columns["id"]
    listed = [
        {
            "id": int(ids[one.row]),
            "total": one.total,
            "others": one.others,
            "items": nodes.all(one.shown.tolist()),
        }
        for one in found
    ]
    return json_response({"total": len(hits), "nodes": listed})


@queries.get("/query/colour")
def query_colour(log_id: str) -> Response:
    """The scale of a field or expression over the whole log, and the values of some nodes."""
    from plyscope.visualizer.analysis.query.value_colours import short

    tree = tree_of(log_id)
    ids = ids_argument(MOST_MARKED)
    rows = np.array([row_of(tree, node_id) for node_id in ids], np.int64)
    with query_error_response():
        scale = queries_of_app().colouring(tree, request.args.get("of", ""))
        values = scale.values(rows)
    body: dict[str, Any] = {
        "scale": scale.as_json(),
        "values": {node_id: short(value) for node_id, value in zip(ids, values, strict=True)},
    }
    if scale.kind == "category":
        body["places"] = {
            node_id: place
            for node_id, value in zip(ids, values, strict=True)
            if (place := scale.place(value)) is not None
        }
    return json_response(body)


@queries.get("/query/fields")
def query_fields(log_id: str) -> Response:
    """The fields that nodes of this log state, and what an expression can do with them."""
    from plyscope.visualizer.analysis.query.field import OF_OTHERS
    from plyscope.visualizer.analysis.query.fields import fields_of
    from plyscope.visualizer.analysis.query.name_errors import written
    from plyscope.visualizer.analysis.query.parse import FUNCTIONS

    tree = tree_of(log_id)
    listed = [
        {"name": known.name, "type": known.type, "meaning": known.meaning}
        | ({"words": list(known.words[1:])} if known.words else {})
        | ({"written": text} if (text := written(known.name)) != known.name else {})
        for known in fields_of(tree).listed()
    ]
    return json_response({"fields": listed, "of": OF_OTHERS, "functions": FUNCTIONS})


@queries.get("/query.<any(csv, parquet):form>")
def file_of_rows(log_id: str, form: str) -> Response:
    """All rows of a table as a file."""
    from plyscope.visualizer.analysis.query.export import write_rows

    tree = tree_of(log_id)
    with query_error_response():
        answer = _asked(log_id, tree)
    beside: dict[str, list[str]] = {}
    if request.args.get("rows") == "findings":
        assert answer.places is not None
        found = _ask_check(log_id, tree, {"ask": "at", "places": answer.places.tolist()})["items"]
        beside = {name: [each[name] for each in found] for name in ("severity", "rule", "message")}
    handle, name = tempfile.mkstemp(suffix=f".{form}")
    os.close(handle)
    path = Path(name)
    try:
        write_rows(answer.fields, answer.rows, answer.columns, path, beside)
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


def queries_of_app() -> Queries:
    """The queries of the application that answers."""
    from plyscope.visualizer.shelf.queries import Queries

    kept = current_app.extensions.get("queries")
    if kept is None:
        kept = current_app.extensions.setdefault("queries", Queries())
    assert isinstance(kept, Queries)
    return kept


def _asked(log_id: str, tree: Tree) -> Answer:
    """The table that the request asks for."""
    columns = request.args.get("columns")
    return queries_of_app().table(
        tree,
        _source(log_id, tree),
        columns=None if columns is None else [name for part in columns.split(",") if (name := part.strip())],
        sort=request.args.get("sort") or None,
        descending=request.args.get("desc", "") not in ("", "0"),
    )


def _source(log_id: str, tree: Tree) -> Source:
    rows = request.args.get("rows", "hits")
    if rows not in SOURCES:
        abort(400, f"rows is {rows[:40]!r}; a table has {', '.join(SOURCES[:-1])} or {SOURCES[-1]}")
    if rows in ("hits", "search"):
        return rows, request.args.get("q", "")
    if rows == "findings":
        return _findings(log_id, tree)
    name = "node" if rows == "children" else "key"
    if name not in request.args:
        abort(400, f"{name} is missing: the id of the node whose {rows} are asked for")
    row = row_of(tree, number_argument(name, 0))
    order = order_argument("searched") if rows == "children" else "searched"
    return rows, str(row) if order == "searched" else f"{row} {order}"


def _findings(log_id: str, tree: Tree) -> Source:
    """The findings of the check as rows; aborts with 409 where the log is not checked."""
    check = check_of(entry_of(log_id), tree)
    source = ("findings", str(check.serial))
    queries_of_app().keep(tree, source, lambda: _rows_of(ask_check(entry_of(log_id), tree, {"ask": "rows"})))
    return source


def _rows_of(answer: dict[str, Any]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    return np.array(answer["rows"], np.int32)


def _ask_check(log_id: str, tree: Tree, question: dict[str, Any]) -> dict[str, Any]:
    return ask_check(entry_of(log_id), tree, question)


def _place(answer: Answer, row: int) -> tuple[int | None, bool]:
    """The index of `row` in the table, else that of the next row of the search; and whether it is there."""
    if not answer.total:
        return None, False
    at = np.flatnonzero(answer.rows == row)
    if len(at):
        return int(at[0]), True
    behind = np.where(answer.rows > row, answer.rows, np.iinfo(answer.rows.dtype).max)
    return int(behind.argmin()) if (answer.rows > row).any() else int(answer.rows.argmin()), False


@contextmanager
def query_error_response() -> Iterator[None]:
    """Answer 400 for an expression that is refused, with its place, and 503 where others are asked.

    With `refused=answer` the refusal is an answer as any other (200): browsers log errors in their console.
    """
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
        if request.args.get("refused") == "answer":
            abort(json_response({"refused": body}))
        abort(json_response(body, 400))
    except BusyError:
        abort(503, "other queries take long; ask again")
