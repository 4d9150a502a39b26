"""The nouns of diff in the API: the changes from another log to this one, and the merged tree."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from flask import Response, abort, request

from plyscope.visualizer.analysis.nodes.best_children import Order
from plyscope.visualizer.shelf.prepared import Comparisons
from plyscope.visualizer.web.api import routes
from plyscope.visualizer.web.api.request_arguments import (
    MOST_BEST,
    MOST_CHILDREN,
    MOST_CHILDREN_IN_ALL,
    MOST_PATH,
    boards_of,
    entry_of,
    number_argument,
    of_app,
    tree_of,
    wait_as_requested,
)
from plyscope.visualizer.web.api.routes import Body, number
from plyscope.visualizer.web.json_response import json_response

if TYPE_CHECKING:
    from plyscope.visualizer.analysis.diff.change_table import ChangeTable
    from plyscope.visualizer.analysis.diff.comparison import Comparison
    from plyscope.visualizer.analysis.diff.merged_tree import Merged
    from plyscope.visualizer.web.merged_pages import MergedPages

diffs = routes.Routes("diffs", __name__, url_prefix="/api/logs/<log_id>/diff")

MOST_CHANGES: Final = 200


@diffs.get("")
def changes(
    log_id: str,
    offset: int = number(),
    limit: int = number(50, most=MOST_CHANGES),
    kinds: list[str] = routes.listed(),
    merged: str = routes.text(),
) -> Body:
    """The comparison of the log `against` with this one, and one page of its changes."""
    both = _merged(log_id)
    from plyscope.visualizer.analysis.diff.answer import diff_json
    from plyscope.visualizer.web.merged_pages import with_places

    answer = diff_json(both.compared, offset, limit, kinds)
    return {"state": "done", **(with_places(answer, both) if merged else answer)}


@diffs.get("/table")
def table(
    log_id: str,
    offset: int = number(),
    limit: int = number(50, most=MOST_CHANGES),
    start: int | None = number(None, least=-(2**53), name="from"),
    kinds: list[str] = routes.listed(),
    sort: str = routes.text(),
    descending: str = routes.text(name="desc"),
) -> Body:
    """One page of the changes as a table, with the nodes of the merged tree."""
    merged = _merged(log_id)
    from plyscope.visualizer.web.merged_pages import table_page

    place = None if start is None else _place_of(merged, start)
    changes = _table(merged.compared, kinds, sort, descending)
    return {"state": "done", **table_page(merged, changes, offset, limit, place)}


@diffs.get("/table.csv")
def table_as_file(
    log_id: str,
    kinds: list[str] = routes.listed(),
    sort: str = routes.text(),
    descending: str = routes.text(name="desc"),
) -> Response:
    """All changes as CSV."""
    lines = _table(_merged(log_id).compared, kinds, sort, descending).lines()

    def written() -> Iterator[str]:
        text = io.StringIO()
        writer = csv.writer(text)
        for line in lines:
            writer.writerow(line)
            yield text.getvalue()
            text.seek(0)
            text.truncate()

    answer = Response(written(), mimetype="text/csv")
    answer.headers["Content-Disposition"] = "attachment; filename=changes.csv"
    return answer


def _table(compared: Comparison, kinds: list[str], sort: str, descending: str) -> ChangeTable:
    from plyscope.visualizer.analysis.diff.change_table import ChangeTable

    return ChangeTable(compared, kinds, sort or None, descending not in ("", "0"))


# The merged tree -------------------------------------------------------------------------------------


@diffs.get("/nodes")
def several_nodes(
    log_id: str,
    ids: list[int] = routes.ids(),
    limit: int = number(12, most=MOST_CHILDREN),
    best: int = number(most=MOST_BEST),
    order: Order = routes.order("best"),
) -> Body:
    """Several nodes of the merged tree, each with its first children."""
    merged = _merged(log_id)
    places = [_place_of(merged, node_id) for node_id in ids]
    return {"state": "done", **_pages(merged).several(places, limit, best, MOST_CHILDREN_IN_ALL, order)}


@diffs.get("/nodes/<int(signed=True):node_id>")
def one_node(
    log_id: str,
    node_id: int,
    offset: int = number(),
    limit: int = number(30, most=MOST_CHILDREN),
    order: Order = routes.order("searched"),
    best: int = number(most=MOST_BEST),
) -> Body:
    """A node of the merged tree and one page of its children, as searched or the best first."""
    merged = _merged(log_id)
    place = _place_of(merged, node_id)
    return {"state": "done", **_pages(merged).one(place, offset, limit, best, order)}


@diffs.get("/nodes/<int(signed=True):node_id>/path")
def node_path(log_id: str, node_id: int) -> Body:
    """The nodes from the root of the merged tree down to this one."""
    merged = _merged(log_id)
    return {"state": "done", **_pages(merged).path(_place_of(merged, node_id), MOST_PATH)}


@diffs.get("/nodes/<int(signed=True):node_id>/details")
def node_details(log_id: str, node_id: int) -> Body:
    """Everything that is known of one node of the merged tree."""
    merged = _merged(log_id)
    from plyscope.visualizer.web.merged_pages import details

    place = _place_of(merged, node_id)
    return {"state": "done", **details(merged, place, boards_of(merged.side(place).tree), MOST_PATH)}


def _pages(merged: Merged) -> MergedPages:
    from plyscope.visualizer.web.merged_pages import MergedPages

    return MergedPages(merged)


def _place_of(merged: Merged, node_id: int) -> int:
    try:
        return merged.place_of(node_id)
    except KeyError:
        alone = f"only the old log would have a node {node_id}, and it has none"
        abort(404, f"this log has no node {node_id}" if node_id >= 0 else alone)


def _merged(log_id: str) -> Merged:
    """The merged tree; without one, answers with the comparison's progress or the reason of its failure."""
    other = request.args.get("against")
    if not other:
        abort(400, "against which log? Name one of /api/logs as `against=LOG`")
    new, old = tree_of(log_id), tree_of(other)
    names = tuple(str(entry_of(each).summary()["name"]) for each in (other, log_id))
    before, after = number_argument("against_iteration", None), number_argument("iteration", None)
    kept = of_app("comparisons", Comparisons).of(old, new, (names[0], names[1]), (before, after))
    wait_as_requested(kept.job.settled)
    if kept.job.state != "done":
        abort(json_response(kept.job.as_json()))
    from plyscope.visualizer.analysis.diff.merged_tree import Merged

    return Merged(kept.found)
