"""The nouns of query in the API: tables of rows, the hits at and below nodes, the part of the tree that leads
to them, colours by a value, the fields, CSV and Parquet; all about the same tables.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from flask import Response, abort, request, send_file

from plyscope.visualizer.analysis.nodes.best_children import Order
from plyscope.visualizer.analysis.nodes.node_json import cut, cut_start
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.api import routes
from plyscope.visualizer.web.api.check import ask_check, check_of
from plyscope.visualizer.web.api.request_arguments import (
    is_asked,
    list_argument,
    number_argument,
    of_app,
    order_argument,
    row_argument,
    row_of,
    rows_argument,
)
from plyscope.visualizer.web.api.routes import Body, Routes, flag, number, text
from plyscope.visualizer.web.json_response import json_response
from plyscope.visualizer.web.node_pages import Pages

if TYPE_CHECKING:  # loaded only for queries
    from plyscope.visualizer.analysis.query.answer import Answer
    from plyscope.visualizer.shelf.queries import Queries, Source

queries = Routes("queries", __name__, url_prefix="/api/logs/<log_id>")

MOST_ROWS: Final = 500
MOST_MARKED: Final = 1000
LONGEST_PATH: Final = 600
SOURCES: Final = ("hits", "search", "children", "visits", "findings")
MIMETYPES: Final = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}
MOST_ERROR_TEXT: Final = 2000


@queries.get("/query")
def table(
    tree: Tree,
    entry: Entry,
    offset: int = number(),
    limit: int = number(50, most=MOST_ROWS),
    nodes: bool = flag(),
    start: int | None = routes.node(name="from"),
) -> Body:
    """One page of a table: the hits of an expression, the children of a node, or the visits of a key."""
    from plyscope.visualizer.analysis.query.table import signs

    with query_error_response():
        answer = _asked(entry, tree)
        body = answer.as_json(offset, limit) | {"offset": offset}
    for row in body["rows"]:
        row["path"] = cut_start(row["path"], LONGEST_PATH)
    if request.args.get("rows") == "findings":
        assert answer.places is not None
        places = answer.places[offset : offset + limit].tolist()
        body["findings"] = ask_check(entry, tree, {"ask": "at", "places": places})["items"]
    if nodes:
        page = answer.rows[offset : offset + limit]
        before = {known.name: signs(answer.fields, known, page) for known in answer.columns}
        body["nodes"] = Pages(tree).all(page.tolist())
        body["signs"] = {name: each for name, each in before.items() if each is not None}
    if start is not None:
        body["at"], body["here"] = _place(answer, start)
    return body


@queries.get("/query/marks")
def query_marks(tree: Tree, entry: Entry, ids: list[int] = routes.rows(MOST_MARKED)) -> Body:
    """The hits among some nodes, and the number of hits below each."""
    from plyscope.visualizer.shelf.queries import marks

    with query_error_response():
        hits = queries_of_app().rows(tree, _source(entry, tree))
    return {"total": len(hits), "marks": marks(tree, hits, ids)}


@queries.get("/query/leading")
def query_leading(
    tree: Tree,
    entry: Entry,
    limit: int = number(50, least=1, most=MOST_ROWS),
    order: Order = routes.order("best"),
) -> Body:
    """The children of some nodes that lead to rows of a table; or the nodes to be opened first."""
    from plyscope.visualizer.analysis.query.hit_tree import children_to_hits, opened_first

    with query_error_response():
        hits = queries_of_app().rows(tree, _source(entry, tree))
        if (top := row_argument(tree, "top")) is not None:
            room = number_argument("room", 20, most=MOST_ROWS)
            found = opened_first(tree, hits, top, limit, room, order)
        else:
            asked = rows_argument(tree, "ids")
            found = [children_to_hits(tree, hits, row, limit, order) for row in asked]
    nodes, ids = Pages(tree), tree.log.columns["id"]
    listed = [
        {
            "id": int(ids[one.row]),
            "total": one.total,
            "others": one.others,
            "items": nodes.all(one.shown.tolist()),
        }
        for one in found
    ]
    return {"total": len(hits), "nodes": listed}


@queries.get("/query/colour")
def query_colour(tree: Tree, ids: list[int] = routes.ids(MOST_MARKED), of: str = text()) -> Body:
    """The scale of a field or expression over the whole log, and the values of some nodes."""
    from plyscope.visualizer.analysis.query.value_colours import short

    rows = np.array([row_of(tree, node_id) for node_id in ids], np.int64)
    with query_error_response():
        scale = queries_of_app().colouring(tree, of)
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
    return body


@queries.get("/query/fields")
def query_fields(tree: Tree) -> Body:
    """The fields that nodes of this log state, and the operators of expressions for them."""
    from plyscope.visualizer.analysis.query.errors import written
    from plyscope.visualizer.analysis.query.field import OF_OTHERS
    from plyscope.visualizer.analysis.query.fields import fields_of
    from plyscope.visualizer.analysis.query.parse import FUNCTIONS

    listed = [
        {"name": known.name, "type": known.type, "meaning": known.meaning}
        | ({"words": list(known.words[1:])} if known.words else {})
        | ({"written": text} if (text := written(known.name)) != known.name else {})
        for known in fields_of(tree).listed()
    ]
    return {"fields": listed, "of": OF_OTHERS, "functions": FUNCTIONS}


@queries.get("/query.<any(csv, parquet):form>", unless="the rows could not be written")
def file_of_rows(tree: Tree, entry: Entry, form: str) -> Response:
    """All rows of a table as a file."""
    from plyscope.visualizer.analysis.query.table import write_rows

    with query_error_response():
        answer = _asked(entry, tree)
    beside: dict[str, list[str]] = {}
    if request.args.get("rows") == "findings":
        assert answer.places is not None
        found = ask_check(entry, tree, {"ask": "at", "places": answer.places.tolist()})["items"]
        beside = {name: [each[name] for each in found] for name in ("severity", "rule", "message")}
    with ExitStack() as kept:
        with tempfile.NamedTemporaryFile(suffix=f".{form}", delete=False) as file:
            path = Path(file.name)
            kept.callback(path.unlink, missing_ok=True)
        write_rows(answer.fields, answer.rows, answer.columns, path, beside)
        mimetype, name = MIMETYPES[form], f"rows.{form}"
        response = send_file(path, mimetype, as_attachment=True, download_name=name, etag=False)
        response.call_on_close(kept.pop_all().close)
        return response


def queries_of_app() -> Queries:
    """The queries of the application that answers."""
    from plyscope.visualizer.shelf.queries import Queries

    return of_app("queries", Queries)


def _asked(entry: Entry, tree: Tree) -> Answer:
    return queries_of_app().table(
        tree,
        _source(entry, tree),
        columns=list_argument("columns") if is_asked("columns") else None,
        sort=request.args.get("sort") or None,
        descending=request.args.get("desc", "") not in ("", "0"),
    )


def _source(entry: Entry, tree: Tree) -> Source:
    rows = request.args.get("rows", "hits")
    if rows not in SOURCES:
        abort(400, f"rows is {rows[:40]!r}; a table has {', '.join(SOURCES[:-1])} or {SOURCES[-1]}")
    if rows in ("hits", "search"):
        return rows, request.args.get("q", "")
    if rows == "findings":
        return _findings(entry, tree)
    name = "node" if rows == "children" else "key"
    row = row_argument(tree, name)
    if row is None:
        abort(400, f"{name} is missing: the id of the node whose {rows} are asked for")
    order = order_argument("order", "searched") if rows == "children" else "searched"
    return rows, str(row) if order == "searched" else f"{row} {order}"


def _findings(entry: Entry, tree: Tree) -> Source:
    """The findings of the check as rows; aborts with 409 where the log is not checked."""
    check = check_of(entry, tree)
    source = ("findings", str(check.serial))

    def rows() -> Body:
        return ask_check(entry, tree, {"ask": "rows"})

    queries_of_app().keep(tree, source, lambda: np.array(rows()["rows"], np.int32))
    return source


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
