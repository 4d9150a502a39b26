"""The nouns of replay in the API: the search at an event, and where a run of it stops next."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
from flask import abort

from plyscope.visualizer.analysis.nodes import node_json
from plyscope.visualizer.analysis.replay import (
    STOPS,
    Mark,
    Open,
    entered,
    event,
    left,
    moment,
    n_events,
    next_stop,
    rail_of,
    rail_of_rows,
    stops_of,
    unvisited,
)
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.kept import Kept
from plyscope.visualizer.store.tree import Rows, Tree
from plyscope.visualizer.web.api.check import ask_check
from plyscope.visualizer.web.api.query import queries_of_app, query_error_response
from plyscope.visualizer.web.api.request_arguments import ids_argument, row_of
from plyscope.visualizer.web.api.routes import Body, Routes, flag, node, number, text

replays = Routes("replays", __name__, url_prefix="/api/logs/<log_id>/replay")

MOST_SHOWN: Final = 1000
MOST_PIXELS: Final = 4096
MOST_KEPT: Final = 16
"""Stops that are kept, of all logs."""
MOST_OPEN: Final = 200
"""Open nodes in an answer: the first and the last hundred."""


@replays.get("")
def at_event(tree: Tree, event: int = number(), node: int | None = node()) -> Body:
    """The search at `event`, or as `node` is entered, and the nodes of `ids` that are not entered yet."""
    return _moment(tree, event if node is None else entered(tree, node))


@replays.get("/next")
def next_event(
    tree: Tree,
    at: int = number(name="event"),
    to: str = text("in"),
    q: str = text(),
    backwards: bool = flag(),
) -> Body:
    """The search at the next event of a kind after `event`: its `to` is a step or a stop."""
    now = moment(tree, at).event
    if to in STOPS or to == "where":
        stops = _stops(tree, q if to == "where" else to)
        stop = next_stop(stops, at, backwards=backwards)
    elif to == "over":
        stop = left(tree, now.row) if now.enters else at + 1
    elif to == "out":
        parent = int(tree.log.columns["parent"][now.row])
        stop = left(tree, now.row if parent < 0 else parent)
    elif to in ("in", "back"):
        stop = at + (1 if to == "in" else -1)
    else:
        abort(400, f"`to` must be in, over, out, back, {', '.join(STOPS)} or where, not {to[:40]!r}")
    if stop is None or not 0 <= stop < n_events(tree):
        return {"event": None, "events": n_events(tree)}
    return _moment(tree, stop)


@replays.get("/rail")
def rail(
    tree: Tree,
    entry: Entry,
    of: str = text("hits"),
    q: str = text(),
    width: int = number(MOST_PIXELS, least=1, most=MOST_PIXELS),
) -> Body:
    """Nodes along the time of the search, reduced to `width` pixels: hits of `q`, findings, or stops."""
    if of == "hits":
        with query_error_response():
            rows, _ = queries_of_app().hits(tree, q)
        return _rail(tree, width, len(rows), {"hits": rail_of_rows(tree, rows, width)})
    if of == "findings":
        found = ask_check(entry, tree, {"ask": "rail", "width": width})
        lanes = {severity: [Mark(*mark) for mark in marks] for severity, marks in found["lanes"].items()}
        return _rail(tree, width, found["total"], lanes)
    if of != "stops":
        abort(400, f"`of` must be hits, findings or stops, not {of[:40]!r}")
    stops = _stops(tree, q)
    return _rail(tree, width, len(stops), {"stops": rail_of(stops, n_events(tree), width)})


def _rail(tree: Tree, width: int, total: int, lanes: dict[str, list[Mark]]) -> Body:
    """Each mark as pixel, count, and the event and the id of the first."""
    ids = tree.log.columns["id"]
    return {
        "events": n_events(tree),
        "width": width,
        "total": total,
        "lanes": {
            name: [[x, count, at, int(ids[event(tree, at).row])] for x, count, at in marks]
            for name, marks in lanes.items()
        },
    }


_kept: Final[Kept[Rows]] = Kept(MOST_KEPT)


def _stops(tree: Tree, stop: str) -> Rows:
    return _kept.of(tree, stop, make=lambda: stops_of(tree, stop))


def _moment(tree: Tree, at: int) -> Body:
    now = moment(tree, at)
    stack = [_open(tree, each) for each in now.stack]
    answer: dict[str, Any] = {
        "event": at,
        "events": n_events(tree),
        "row": now.event.row,
        "rows": tree.log.n_rows,
        "node": int(tree.log.columns["id"][now.event.row]),
        "enters": now.event.enters,
        "stack": stack if len(stack) <= MOST_OPEN else stack[: MOST_OPEN // 2] + stack[-MOST_OPEN // 2 :],
    }
    if len(stack) > MOST_OPEN:
        answer["more"] = len(stack) - MOST_OPEN
    ids = ids_argument("ids", MOST_SHOWN)
    if ids:
        rows = np.array([row_of(tree, each) for each in ids], np.int64)
        later = unvisited(tree, rows, at)
        answer["unvisited"] = [each for each, is_later in zip(ids, later, strict=True) if is_later]
    return answer


def _open(tree: Tree, each: Open) -> Body:
    ids = tree.log.columns["id"]
    found: dict[str, Any] = {"id": int(ids[each.row]), "left": each.n_left}
    ply = tree.ply(each.row)
    if ply is not None:
        found["ply"] = ply[:60]
    for name, value in (("best", each.best), ("alpha", each.alpha), ("beta", each.beta)):
        if not math.isnan(value):
            found[name] = node_json.number(value)
    if each.best_row is not None:
        found["best_id"] = int(ids[each.best_row])
    return found
