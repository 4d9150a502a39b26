"""Other weights in the API: a log under them, their ranges, scores against one, a search with them."""

from __future__ import annotations

from typing import Final

from flask import abort

from plyscope.engine.option import OptionError
from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.jobs.searches import Search, Searches, again, name_of
from plyscope.visualizer.shelf.prepared import KeptReweighing, Reweighings
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.api import routes
from plyscope.visualizer.web.api.request_arguments import (
    float_argument,
    of_app,
    shelf_of_app,
    wait_as_requested,
)
from plyscope.visualizer.web.api.routes import Body
from plyscope.visualizer.web.json_response import json_response

weights = routes.Routes("weights", __name__, url_prefix="/api/logs/<log_id>/weights")

MOST_SHOWN: Final = 1000
MOST_PLIES: Final = 200
QUICK_ROWS: Final = 200_000
"""Up to this many rows, preparing takes less than a second, and the page asks for the ranges unprompted."""


@weights.get("")
def reweighted(
    tree: Tree, ids: list[int] = routes.rows(MOST_SHOWN), weights: dict[str, float] = routes.weights()
) -> Body:
    """The log under `weights=name:9,…`, and the intervals of the nodes in `ids`."""
    kept = _prepared(tree)
    from plyscope.visualizer.analysis.whatif.answer import WhatIf

    found = WhatIf.of(kept.log, weights)
    low, high = found.found.intervals
    id_of = tree.log.columns["id"]
    intervals = {int(id_of[row]): as_json((low[row], high[row])) for row in ids if low[row] == low[row]}
    answer = {"state": "done", **as_json(found, MOST_PLIES)}
    return {**answer, "more_plies": answer.get("more_plies", 0), "intervals": intervals}


@weights.get("/ranges")
def ranges(tree: Tree, quick: bool = routes.flag()) -> Body:
    """The range of each weight; with `quick`, only where that takes about a second."""
    if quick:
        from plyscope.visualizer.analysis.warm_up import compile_beside
        from plyscope.visualizer.analysis.whatif.reweighing import waits_for_a_compiler

        log = tree.log
        if log.n_rows > QUICK_ROWS:
            return _asked_later("the log is large")
        if log.factors and waits_for_a_compiler(log):
            compile_beside("weights")
            return _asked_later("machine code is compiled meanwhile")
    kept = _prepared(tree)
    job = kept.ranges()
    wait_as_requested(job.settled)
    if job.state != "done":
        return job.as_json()
    from plyscope.visualizer.analysis.whatif.answer import ranges_of

    return {"state": "done", **as_json(ranges_of(kept.log))}


def _asked_later(why: str) -> Body:
    return {"state": "none", "reason": f"asked for when weights are opened: {why}"}


@weights.get("/curve")
def curve(tree: Tree, name: str = routes.text(name="factor")) -> Body:
    """Every root ply's least and most against the weight of `factor`, between `from` and `to`."""
    kept = _prepared(tree)
    from plyscope.visualizer.analysis.whatif.answer import curve_of, default_span

    names = [each.name for each in kept.log.weights if not each.fixed]
    if name not in names:
        abort(404, f"no factor {name[:40]!r} whose weight could change; there are {', '.join(names)}"[:500])
    factor = [each.name for each in kept.log.weights].index(name)
    low, high = default_span(kept.log, factor)
    low, high = float_argument("from", low), float_argument("to", high)
    if not low < high:
        abort(400, f"`from` must be less than `to`, not {low:g} and {high:g}")
    return {"state": "done", **as_json(curve_of(kept.log, factor, low, high, MOST_PLIES))}


def _prepared(tree: Tree) -> KeptReweighing:
    """The log's what-if; until it is prepared, answers with the progress or the reason of its failure."""
    kept = of_app("reweighings", Reweighings).of(tree)
    wait_as_requested(kept.prepared.settled)
    if kept.prepared.state != "done":
        abort(json_response(kept.prepared.as_json()))
    return kept


# A search with them ----------------------------------------------------------------------------------


def searches_of_app() -> Searches:
    """The searches of this viewer."""
    return of_app("searches", lambda: Searches(shelf_of_app()))


@weights.get("/search")
def state_of_search(tree: Tree, log_id: str) -> Body:
    """The state of the search, or why none is possible; with `wait`, sent once it has ended or time is up."""
    search = searches_of_app().of(log_id)
    if search is not None:
        wait_as_requested(search.settled)
    return _state(tree, search)


@weights.post("/search", unless="the search could not begin")
def start_search(tree: Tree, entry: Entry, weights: dict[str, float] = routes.weights()) -> tuple[Body, int]:
    """Search the position of the log again with `weights`, the others as logged; one search at a time."""
    from plyscope.engine.record.recorded_search import recorded_search

    recorded_search(tree.log.header, weights)
    task, name = again(tree.log.header, weights), name_of(entry.name, weights)
    search = searches_of_app().start(entry.id, entry, task, name)
    return _state(tree, search), 202


@weights.delete("/search")
def end_search(tree: Tree, log_id: str) -> Body:
    """Cancel the search, or forget its result; its log stays."""
    searches_of_app().stop(log_id)
    return _state(tree, None)


def _state(tree: Tree, search: Search | None) -> Body:
    from plyscope.engine.record.recorded_search import recorded_search

    try:
        asked = recorded_search(tree.log.header)
    except OptionError as error:
        return {"state": "refused", "reason": str(error)}
    answer = {"state": "none"} if search is None else search.as_json() | {"weights": search.task["weights"]}
    limits = {"depth": asked.options.depth} | (
        {"nodes": asked.options.nodes} if asked.options.nodes is not None else {}
    )
    return {**answer, "asked": limits, "notes": list(asked.notes)}
