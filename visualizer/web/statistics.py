"""The statistics of a log in the API: all figures, and one node through the iterations."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, current_app, request

from plyscope.visualizer.analysis.check.passes import kernel_call
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.json_response import json_response
from plyscope.visualizer.web.request_arguments import entry_of, number_argument, row_of, tree_of

if TYPE_CHECKING:
    from plyscope.visualizer.analysis.statistics.figures import Statistics

statistics = Blueprint("statistics", __name__, url_prefix="/api/logs/<log_id>/statistics")

MOST_LISTED: Final = 200
MOST_KEPT: Final = 2
"""Logs whose figures are kept: two, since two may be compared."""
_counting: Final = threading.Lock()


@statistics.get("")
def all_figures(log_id: str) -> Response:
    """Every figure of a log; lists end after 200 entries."""
    return json_response(_figures(log_id, tree_of(log_id)).as_json(MOST_LISTED))


@statistics.get("/iterations")
def through_iterations(log_id: str) -> Response:
    """A node, found by its path of plies, in the trees of the log; one page of them."""
    from plyscope.visualizer.analysis.statistics.iterations import node_iterations

    tree = tree_of(log_id)
    root = int(tree.log.columns["id"][tree.main_root])
    row = row_of(tree, number_argument("node", root)) if "node" in request.args else tree.main_root
    offset = number_argument("offset", 0)
    limit = number_argument("limit", MOST_LISTED, most=MOST_LISTED)
    items = node_iterations(tree, row, offset, limit)
    body = {"node": int(tree.log.columns["id"][row]), "total": len(tree.log.roots), "offset": offset}
    return json_response({**body, "items": items})


def _figures(log_id: str, tree: Tree) -> Statistics:
    """The figures of a tree; those of the trees asked for last are kept. Counted one at a time."""
    from plyscope.visualizer.analysis.statistics.run import counted_in
    from plyscope.visualizer.analysis.warm_up import compile_beside, compile_elsewhere

    with _counting:
        kept: list[tuple[Tree, Statistics]] = current_app.extensions.get("statistics", [])
        found = next((each for each in kept if each[0] is tree), None)
        if found is None:
            totals = entry_of(log_id).totals_of(tree)
            found = tree, counted_in(tree, totals, on_compiling=lambda: compile_elsewhere("statistics"))
            if kernel_call.missed:
                compile_beside("statistics")
        others = [each for each in kept if each is not found]
        current_app.extensions["statistics"] = [found, *others][:MOST_KEPT]
        return found[1]
