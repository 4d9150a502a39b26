"""The nouns of what-if in the API: a log under other weights, their ranges, scores against one weight."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, current_app, request

from plyscope.engine.options import OptionError
from plyscope.visualizer.analysis.node_json import number
from plyscope.visualizer.shelf.prepared import KeptReweighing, Reweighings
from plyscope.visualizer.web.json_response import json_response
from plyscope.visualizer.web.request_arguments import (
    float_argument,
    ids_argument,
    row_of,
    tree_of,
    wait_as_requested,
    weights_argument,
)

weights = Blueprint("weights", __name__, url_prefix="/api/logs/<log_id>/weights")

MOST_SHOWN: Final = 1000
MOST_PLIES: Final = 200
QUICK_ROWS: Final = 200_000
"""Up to so many rows preparing takes less than a second; the page asks for the ranges by itself."""


def _kept(log_id: str) -> KeptReweighing:
    reweighings = current_app.extensions["reweighings"]
    assert isinstance(reweighings, Reweighings)
    return reweighings.of(tree_of(log_id))


@weights.get("")
def reweighted(log_id: str) -> Response:
    """The log under `weights=name:9,…`, and the intervals of the nodes in `ids`."""
    tree = tree_of(log_id)
    rows = [row_of(tree, node_id) for node_id in ids_argument(MOST_SHOWN)]
    asked = weights_argument()
    kept = _prepared(log_id)
    if isinstance(kept, Response):
        return kept
    from plyscope.visualizer.analysis.whatif.answer import reweighted_json

    try:
        found = kept.log.at(asked)
    except OptionError as error:
        abort(400, str(error))
    answer = reweighted_json(kept.log, found)
    plies = answer["plies"]
    answer |= {"plies": plies[:MOST_PLIES], "more_plies": max(0, len(plies) - MOST_PLIES)}
    low, high = found.intervals
    ids = tree.log.columns["id"]
    intervals = {int(ids[row]): [number(low[row]), number(high[row])] for row in rows if low[row] == low[row]}
    return json_response({"state": "done", **answer, "intervals": intervals})


@weights.get("/ranges")
def ranges(log_id: str) -> Response:
    """The range of each weight; with `quick`, only where that takes about a second."""
    if "quick" in request.args:
        from plyscope.visualizer.analysis.warm_up import compile_beside
        from plyscope.visualizer.analysis.whatif.reweighing import waits_for_a_compiler

        log = tree_of(log_id).log
        if log.n_rows > QUICK_ROWS:
            return _asked_later("the log is large")
        if log.factors and waits_for_a_compiler(log):
            compile_beside("weights")
            return _asked_later("machine code is compiled meanwhile")
    kept = _prepared(log_id)
    if isinstance(kept, Response):
        return kept
    job = kept.ranges()
    wait_as_requested(job.settled)
    if job.state != "done":
        return json_response(job.as_json())
    from plyscope.visualizer.analysis.whatif.answer import ranges_json

    return json_response({"state": "done", **ranges_json(kept.log)})


def _asked_later(why: str) -> Response:
    return json_response({"state": "none", "reason": f"asked for when weights are opened: {why}"})


@weights.get("/curve")
def curve(log_id: str) -> Response:
    """Every root ply's least and most against the weight of `factor`, between `from` and `to`."""
    name = request.args.get("factor", "")
    kept = _prepared(log_id)
    if isinstance(kept, Response):
        return kept
    from plyscope.visualizer.analysis.whatif.answer import curve_json, default_span

    names = [each.name for each in kept.log.weights if not each.fixed]
    if name not in names:
        abort(404, f"no factor {name[:40]!r} whose weight could change; there are {', '.join(names)}"[:500])
    factor = [each.name for each in kept.log.weights].index(name)
    low, high = default_span(kept.log, factor)
    low, high = float_argument("from", low), float_argument("to", high)
    if not low < high:
        abort(400, f"`from` must be less than `to`, not {low:g} and {high:g}")
    return json_response({"state": "done", **curve_json(kept.log, factor, low, high, MOST_PLIES)})


def _prepared(log_id: str) -> KeptReweighing | Response:
    """The log's what-if; how far it is where it is not prepared yet, or why it cannot be."""
    kept = _kept(log_id)
    wait_as_requested(kept.prepared.settled)
    return kept if kept.prepared.state == "done" else json_response(kept.prepared.as_json())
