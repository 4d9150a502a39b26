"""The nouns of a search with other weights in the API: whether there may be one, how far it is, its log."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, current_app

from plyscope.engine.options import OptionError
from plyscope.visualizer.shelf.jobs.weighted_searches import Busy, Search, Searches
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.json_response import json_response
from plyscope.visualizer.web.request_arguments import (
    entry_of,
    refuse_for_disk,
    tree_of,
    wait_as_requested,
    weights_argument,
)

searches = Blueprint("searches", __name__, url_prefix="/api/logs/<log_id>/weights/search")


def _searches() -> Searches:
    kept = current_app.extensions["searches"]
    assert isinstance(kept, Searches)
    return kept


@searches.get("")
def state_of_search(log_id: str) -> Response:
    """The state of the search, or why none is possible; with `wait`, sent once it has ended or time is up."""
    tree = tree_of(log_id)
    search = _searches().of(log_id)
    if search is not None:
        wait_as_requested(search.settled)
    return json_response(_state(tree, search))


@searches.post("")
def start_search(log_id: str) -> Response:
    """Search the position of the log again with `weights`, the others as logged; one search at a time."""
    tree, weights = tree_of(log_id), weights_argument()
    from plyscope.engine.record.recorded_search import recorded_search

    try:
        recorded_search(tree.log.header, weights)
        search = _searches().start(entry_of(log_id), tree.log.header, weights)
    except OptionError as error:
        abort(400, str(error))
    except Busy as error:
        abort(409, str(error))
    except OSError as error:
        refuse_for_disk("the search could not begin", error)
    return json_response(_state(tree, search), 202)


@searches.delete("")
def end_search(log_id: str) -> Response:
    """Cancel the search, or forget what came of it; its log stays."""
    tree = tree_of(log_id)
    _searches().stop(log_id)
    return json_response(_state(tree, None))


def _state(tree: Tree, search: Search | None) -> dict[str, Any]:
    from plyscope.engine.record.recorded_search import recorded_search

    try:
        asked = recorded_search(tree.log.header)
    except OptionError as error:
        return {"state": "refused", "reason": str(error)}
    answer = {"state": "none"} if search is None else search.as_json()
    limits = {"depth": asked.options.depth} | (
        {"nodes": asked.options.nodes} if asked.options.nodes is not None else {}
    )
    return {**answer, "asked": limits, "notes": list(asked.notes)}
