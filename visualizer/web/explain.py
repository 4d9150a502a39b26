"""The noun of explain in the API: why one ply and not another."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.asked import asked_number, row_of, tree_of
from plyscope.visualizer.web.json_answer import json_answer

explain = Blueprint("explain", __name__, url_prefix="/api/logs/<log_id>/explain")


@explain.get("")
def why(log_id: str) -> Response:
    """Why the ply of `node` and not that of `versus`; each may be left out (see docs/api.md)."""
    from plyscope.visualizer.analysis.explain.answer import explain as explained
    from plyscope.visualizer.analysis.explain.naming import stub_with
    from plyscope.visualizer.analysis.explain.pair import Named

    tree = tree_of(log_id)
    chosen, rival = _row(tree, "node"), _row(tree, "versus")
    ply = request.args.get("ply")
    if ply is not None:
        parent = -1 if rival is None else int(tree.log.columns["parent"][rival])
        if rival is None or not tree.is_stub[rival] or stub_with(tree, parent, ply) != rival:
            abort(404, f"versus names no stub that stands for the ply {ply[:40]!r}")
    one = None if chosen is None else Named(chosen)
    two = None if rival is None else Named(rival, ply)
    return json_answer(explained(tree, one, two).as_json())


def _row(tree: Tree, name: str) -> int | None:
    return row_of(tree, asked_number(name, 0)) if name in request.args else None
