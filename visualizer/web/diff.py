"""The nouns of diff in the API: what changed from another log to this one, and both as one tree."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from flask import Blueprint, Response, abort, current_app, request

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.shelf.prepared import Comparisons, KeptComparison
from plyscope.visualizer.web.json_response import json_response
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
    tree_of,
    wait_as_requested,
)

if TYPE_CHECKING:
    from plyscope.visualizer.analysis.diff.change_table import ChangeTable
    from plyscope.visualizer.analysis.diff.comparison import Comparison
    from plyscope.visualizer.analysis.diff.merged_tree import Merged

diffs = Blueprint("diffs", __name__, url_prefix="/api/logs/<log_id>/diff")

MOST_CHANGES: Final = 200


@diffs.get("")
def changes(log_id: str) -> Response:
    """The comparison of the log `against` with this one, and one page of its changes."""
    offset, limit = number_argument("offset", 0), number_argument("limit", 50, most=MOST_CHANGES)
    kinds = [kind for kind in request.args.get("kinds", "").split(",") if kind]
    kept = _compared(log_id)
    if isinstance(kept, Response):
        return kept
    from plyscope.visualizer.analysis.diff.answer import as_json
    from plyscope.visualizer.analysis.diff.merged_tree import Merged
    from plyscope.visualizer.web import merged_tree_bodies

    try:
        answer = as_json(kept.found, offset, limit, kinds)
    except LogError as error:
        abort(400, str(error))
    if request.args.get("merged"):
        answer = merged_tree_bodies.with_places(answer, Merged(kept.found))
    return json_response({"state": "done", **answer})


@diffs.get("/table")
def table(log_id: str) -> Response:
    """One page of the changes as a table, with the nodes of the merged tree."""
    offset, limit = number_argument("offset", 0), number_argument("limit", 50, most=MOST_CHANGES)
    start = number_argument("from", 0, least=-(2**53)) if "from" in request.args else None

    def answer(merged: Merged) -> dict[str, Any]:
        from plyscope.visualizer.web.merged_tree_bodies import table_page

        place = None if start is None else _place_of(merged, start)
        return table_page(merged, _table(merged.compared), offset, limit, place)

    return _of_merged(log_id, answer)


@diffs.get("/table.csv")
def table_as_file(log_id: str) -> Response:
    """All changes as CSV."""
    kept = _compared(log_id)
    if isinstance(kept, Response):
        return kept
    lines = _table(kept.found).lines()

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


def _table(compared: Comparison) -> ChangeTable:
    from plyscope.visualizer.analysis.diff.change_table import ChangeTable

    kinds = [kind for kind in request.args.get("kinds", "").split(",") if kind]
    descending = request.args.get("desc", "") not in ("", "0")
    try:
        return ChangeTable(compared, kinds, request.args.get("sort") or None, descending)
    except LogError as error:
        abort(400, str(error))


# The merged tree -------------------------------------------------------------------------------------


@diffs.get("/nodes")
def several_nodes(log_id: str) -> Response:
    """Several nodes of the merged tree, each with its first children."""
    ids = ids_argument()
    limit = number_argument("limit", 12, most=MOST_CHILDREN)
    best, order = number_argument("best", 0, most=MOST_BEST), order_argument("best")

    def answer(merged: Merged) -> dict[str, Any]:
        from plyscope.visualizer.web.merged_tree_bodies import several_pages

        places = [_place_of(merged, node_id) for node_id in ids]
        return several_pages(merged, places, limit, best, MOST_CHILDREN_IN_ALL, order=order)

    return _of_merged(log_id, answer)


@diffs.get("/nodes/<int(signed=True):node_id>")
def one_node(log_id: str, node_id: int) -> Response:
    """A node of the merged tree and one page of its children, as searched or the best first."""
    offset, limit = number_argument("offset", 0), number_argument("limit", 30, most=MOST_CHILDREN)
    order = order_argument("searched")
    best = number_argument("best", 0, most=MOST_BEST)

    def answer(merged: Merged) -> dict[str, Any]:
        from plyscope.visualizer.web.merged_tree_bodies import MergedNodes

        nodes, place = MergedNodes(merged), _place_of(merged, node_id)
        if order != "searched":
            return nodes.ranked_page(place, offset, limit, order)
        return nodes.page(place, offset, limit, best)

    return _of_merged(log_id, answer)


@diffs.get("/nodes/<int(signed=True):node_id>/path")
def node_path(log_id: str, node_id: int) -> Response:
    """The nodes from the root of the merged tree down to this one."""

    def answer(merged: Merged) -> dict[str, Any]:
        from plyscope.visualizer.web.merged_tree_bodies import path

        return path(merged, _place_of(merged, node_id), MOST_PATH)

    return _of_merged(log_id, answer)


@diffs.get("/nodes/<int(signed=True):node_id>/details")
def node_details(log_id: str, node_id: int) -> Response:
    """Everything that is known of one node of the merged tree."""

    def answer(merged: Merged) -> dict[str, Any]:
        from plyscope.visualizer.web.merged_tree_bodies import details

        place = _place_of(merged, node_id)
        return details(merged, place, boards_of(merged.side(place).tree), MOST_PATH)

    return _of_merged(log_id, answer)


def _of_merged(log_id: str, answer: Callable[[Merged], dict[str, Any]]) -> Response:
    kept = _compared(log_id)
    if isinstance(kept, Response):
        return kept
    from plyscope.visualizer.analysis.diff.merged_tree import Merged

    return json_response({"state": "done", **answer(Merged(kept.found))})


def _place_of(merged: Merged, node_id: int) -> int:
    try:
        return merged.place_of(node_id)
    except KeyError:
        alone = f"only the old log would have a node {node_id}, and it has none"
        abort(404, f"this log has no node {node_id}" if node_id >= 0 else alone)


def _compared(log_id: str) -> KeptComparison | Response:
    """The comparison; how far it is where it is not made yet, or why it cannot be."""
    other = request.args.get("against")
    if not other:
        abort(400, "against which log? Name one of /api/logs as `against=LOG`")
    new, old = tree_of(log_id), tree_of(other)
    comparisons = current_app.extensions["comparisons"]
    assert isinstance(comparisons, Comparisons)
    names = tuple(str(entry_of(each).summary()["name"]) for each in (other, log_id))
    iterations = tuple(
        number_argument(name, 0) if name in request.args else None
        for name in ("against_iteration", "iteration")
    )
    kept = comparisons.of(old, new, (names[0], names[1]), (iterations[0], iterations[1]))
    wait_as_requested(kept.job.settled)
    return kept if kept.job.state == "done" else json_response(kept.job.as_json())
