"""Logs in the API: their list; adding, reading, renaming and deleting one; the summary of an open one."""

from __future__ import annotations

import dataclasses
import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import orjson
from flask import Response, abort, current_app, request

from plyscope.engine.record.logged_game import game_notice
from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.analysis.nodes.colour_scale import mean_scale, score_scale
from plyscope.visualizer.analysis.nodes.deciding_line import principal_variation
from plyscope.visualizer.analysis.nodes.node_json import MOST_VALUES, cut, number
from plyscope.visualizer.analysis.overview.picture import make_ready
from plyscope.visualizer.analysis.results.match_logs import MatchLogs, place_of
from plyscope.visualizer.analysis.statistics.totals import Totals
from plyscope.visualizer.analysis.statistics.visited import snapshots_of
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.formats.errors import LogError, TooLarge
from plyscope.visualizer.formats.foreign.meaning.mapping import parse_mapping
from plyscope.visualizer.formats.header import declared_root_player
from plyscope.visualizer.formats.seal.perspective import find_root_player
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.notes import notes_in
from plyscope.visualizer.shelf.shelf import NotReadyError
from plyscope.visualizer.store.log import Factor, Log
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.api.live import begin_lines
from plyscope.visualizer.web.api.request_arguments import (
    MOST_CHILDREN_IN_ALL,
    FirstNodes,
    boards_of,
    entry_of,
    refuse_games,
    shelf_of_app,
    tree_of,
    wait_as_requested,
)
from plyscope.visualizer.web.api.routes import Body, Routes, first_nodes, flag, text
from plyscope.visualizer.web.json_response import json_response, unless_known
from plyscope.visualizer.web.node_pages import DETAILS_TEXT, LIST_TEXT, Pages, bounded

logs = Routes("logs", __name__, url_prefix="/api/logs")

MOST_LEVELS: Final = 200
MOST_ROOTS: Final = 500
MOST_PV: Final = 1_000
MOST_NOTICES: Final = 50
MEANING_TEXT: Final = 1_000


@logs.get("")
def list_logs() -> Response:
    """Every log on the shelf, and the folders that are looked into for more."""
    shelf = shelf_of_app()
    entries = shelf.entries()
    first = shelf.first()
    return unless_known(
        json_response(
            {
                "logs": [entry.summary() for entry in entries],
                "default": None if first is None else first.id,
                "folders": [os.fsencode(folder.name).decode(errors="replace") for folder in shelf.folders],
                "notices": shelf.notices,
            }
        )
    )


@logs.post("", unless="the log could not be kept")
def add_log(
    follow: bool = flag(), name: str = text(), opens: FirstNodes | None = first_nodes()
) -> Response | tuple[Body, int]:
    """Take the body as a log; refuse it with what is wrong, or keep it. With `follow`, lines are to come."""
    if follow:
        return begin_lines(name)
    body: Any = request.stream  # its published type lacks `readinto`
    n_bytes = request.content_length or 0
    try:
        mapping = parse_mapping(request.args["map"]) if request.args.get("map") else None
        entry = shelf_of_app().paste_arriving(body, n_bytes, name[:200], mapping)
    except TooLarge:
        raise
    except LogError as error:
        place = {name: getattr(error, name) for name in ("line", "column", "path") if getattr(error, name)}
        abort(json_response({"error": str(error), "status": 400, **place}, 400))
    return _told(entry, opens), 201


@logs.get("/<log_id>")
def open_log(log_id: str, as_read: bool = flag()) -> Body:
    """Header, totals, roots and principal variation of one log; with `as_read`, of what was read last."""
    return _opened(log_id, tree_of(log_id, afresh=not as_read))


@logs.get("/<log_id>/summary")
def log_summary(entry: Entry, opens: FirstNodes | None = first_nodes()) -> Body:
    """The progress of reading a log; with `wait`, sent once it has ended or so many seconds have passed."""
    if (followed := entry.live) is not None:
        followed.status()  # waiting for the first nodes of a log that is being written asks for them
    wait_as_requested(entry.settled)
    return _told(entry, opens)


@logs.post("/<log_id>/reading")
def start_reading(entry: Entry, opens: FirstNodes | None = first_nodes()) -> tuple[Body, int]:
    """Read a log, unless it is read already; with `wait`, answer once it is, or after so many seconds."""
    refuse_games(entry.id)
    with suppress(NotReadyError):
        shelf_of_app().open(entry.id, afresh=True)
    wait_as_requested(entry.settled)
    told = _told(entry, opens)
    return told, 202 if told["state"] == "reading" else 200


@logs.delete("/<log_id>/reading")
def stop_reading(log_id: str, entry: Entry) -> Body:
    """End the reading of a large log; its summary then says so."""
    shelf_of_app().stop_reading(entry.id)
    return entry_of(log_id).summary()


@logs.put("/<log_id>/mapping", unless="the choice could not be kept")
def set_mapping(log_id: str) -> Body | tuple[Body, int]:
    """Read a foreign log again with another mapping."""
    mapping = _body_object('{"children": "replies", "score": "value"}')
    tree_of(log_id)
    try:
        with _there(log_id):
            tree = shelf_of_app().set_mapping(log_id, mapping)
    except NotReadyError as reason:
        return {"log": reason.entry.summary()}, 202
    return _opened(log_id, tree)


@logs.put("/<log_id>/name", unless="the name could not be kept")
def rename_log(log_id: str) -> Body:
    """Give a paste another name."""
    name = _body_object('{"name": "aspiration off"}').get("name", "").strip()
    if not name:
        abort(400, 'the name is missing: the body must be an object such as {"name": "aspiration off"}')
    entry_of(log_id)
    with _there(log_id):
        shelf_of_app().rename(log_id, name)
    return entry_of(log_id).summary()


@logs.delete("/<log_id>", unless="the log could not be deleted")
def delete_log(log_id: str, entry: Entry) -> Response:
    """Delete a paste."""
    with _there(log_id):
        shelf_of_app().delete(log_id)
    return Response(status=204)


@logs.get("/<log_id>/game")
def game(entry: Entry) -> Body:
    """The listed logs of the same game in the same folder, turn by turn, by what their headers say."""
    from plyscope.visualizer.shelf.matches import turns_of

    found = turns_of(entry, shelf_of_app().entries())
    if found is None:
        abort(404, "the log is of no game: its name does not begin as in game0003-ply0014-…")
    return found


@contextmanager
def _there(log_id: str) -> Iterator[None]:
    """Answer with an error in words if the log was deleted just now."""
    try:
        yield
    except KeyError:
        abort(404, f"the log {log_id!r} was deleted meanwhile")


def _body_object(example: str) -> dict[str, str]:
    """The body, an object of texts; aborts with 400 where it is none."""
    try:
        body = orjson.loads(request.get_data())
    except orjson.JSONDecodeError:
        body = None
    if not isinstance(body, dict) or not all(isinstance(value, str) for value in body.values()):
        abort(400, f"the body must be an object such as {example}")
    return body


def _told(entry: Entry, opens: FirstNodes | None) -> Body:
    """The summary of a log; with `opens`, a log that is ready is opened as it was read, with first nodes."""
    summary = entry.summary()
    if opens is None or summary["state"] != "ready":
        return summary
    tree = tree_of(entry.id)
    rows = principal_variation(tree, opens.n_levels)[: opens.n_levels]
    first = Pages(tree).several(rows, opens.limit, opens.best, MOST_CHILDREN_IN_ALL, opens.order)
    return {**summary, "opened": {**_opened(entry.id, tree), **first}}


def _opened(log_id: str, tree: Tree) -> Body:
    entry = entry_of(log_id)
    if entry.live is None:
        make_ready(tree)
    answer = _facts(entry.summary(), tree, entry.totals_of(tree), boards_of(tree))
    return answer if (page := _page_of_game(entry)) is None else answer | {"game_page": page}


def _page_of_game(entry: Entry) -> str | None:
    """The page of the game or match that a log is of, where its file of games is listed."""
    folder = entry.path.parent
    for each in shelf_of_app().entries() if place_of(entry.path.name) else ():
        is_beside = each.path.parent == folder.parent and each.is_games
        if is_beside and MatchLogs.beside(each.path, None).folder == folder.resolve():
            return f"/{'play' if each.id in current_app.extensions['plays'] else 'match'}/{each.id}"
    return None


def _facts(summary: dict[str, Any], tree: Tree, counts: Totals, boards: Boards) -> dict[str, Any]:
    """The facts about a log that the page needs before it asks for nodes."""
    log = tree.log
    ids = log.columns["id"]
    header = dict(log.header)
    whole_variation = principal_variation(tree)
    variation = whole_variation[:MOST_PV]
    of_game = game_notice(header, f"plyscope view {shlex.quote(summary['name'])}")
    notices = [*([] if of_game is None else [of_game]), *log.notices]
    answer: dict[str, Any] = {
        "log": summary,
        "players": [cut(player, LIST_TEXT) for player in log.players[:MOST_VALUES]],
        "factors": [_factor(factor) for factor in log.factors[:MOST_VALUES]],
        "contribution_names": [cut(name, LIST_TEXT) for name in log.contribution_names[:MOST_VALUES]],
        "totals": as_json(counts, MOST_LEVELS),
        "roots": [
            {"id": int(ids[root.row])} | ({} if root.iteration is None else {"iteration": root.iteration})
            for root in log.roots[:MOST_ROOTS]
        ],
        "root": int(ids[tree.main_root]),
        "pv": [int(ids[row]) for row in variation],
        "pv_plies": [None if ply is None else cut(ply, LIST_TEXT) for ply in map(tree.ply, variation)],
        **({"more_pv": n_more} if (n_more := len(whole_variation) - len(variation)) else {}),
        "notices": [cut(notice, 1000) for notice in notices[:MOST_NOTICES]],
        "mapping": dict(log.mapping),
        "fields": [cut(name, LIST_TEXT) for name in log.fields[:500]],
        "pre_scored": "pre_score" in log.columns,
        "drawable": boards.are_drawn,
        "playable": boards.is_game_known,
    }
    for known in ("game", "position", "search", "result"):
        if known in header:
            answer[known] = _known(header.pop(known))
    if (player := _root_player(log)) is not None:
        answer["root_player"] = cut(log.players[player], LIST_TEXT)
    for used in ("plyscope", "players"):
        header.pop(used, None)
    if boards.are_stated:
        header.pop("board", None)  # the page draws it
    if notes_in(header.get("notes")):
        header.pop("notes")  # the page shows them on their nodes
    header |= {"factors": more} if (more := _unknown_of_factors(header.pop("factors", None))) else {}
    answer["header"] = bounded(header)
    if len(log.roots) > 1 and len(snapshots := snapshots_of(tree)) > 1:
        answer["snapshots"] = snapshots
    if (scale := score_scale(tree)) is not None:
        answer["colour"] = scale
    if (means := mean_scale(tree)) is not None:
        answer["means"] = means
    return answer


def _factor(factor: Factor) -> dict[str, Any]:
    """A factor as the page lists it."""
    told: dict[str, Any] = {"name": cut(factor.name, LIST_TEXT)}
    if factor.weight is not None:
        told["weight"] = number(factor.weight)
    if factor.meaning:
        told["meaning"] = cut(factor.meaning, MEANING_TEXT)
    return told


def _unknown_of_factors(factors: Any) -> list[dict[str, Any]]:
    """The factors of a header that say more than the format knows: each with its name and that."""
    known = {field.name for field in dataclasses.fields(Factor)}
    written = [factor for factor in factors or () if isinstance(factor, dict) and not known >= factor.keys()]
    return [
        {name: value for name, value in factor.items() if name == "name" or name not in known}
        for factor in written
    ]


def _root_player(log: Log) -> int | None:
    """The player whose view the numbers are seen from; None if the log does not say."""
    declared = declared_root_player(log.search, log.players)
    player = log.column("player")
    if declared is None and player is not None:
        at_root = next((int(player[root.row]) for root in log.roots if player[root.row] >= 0), None)
        if at_root is not None:  # as `find_root_player` has it, without a pass over all rows
            return at_root
    return find_root_player(dict(log.columns), declared)


def _known(value: Any) -> Any:
    """A field of the header that the page knows, its lists and texts cut where they are too long to send."""
    if isinstance(value, dict):
        lists = {
            key: [cut(each, LIST_TEXT) if isinstance(each, str) else each for each in item[:MOST_VALUES]]
            for key, item in value.items()
            if isinstance(item, list)
        }
        return bounded({**value, **lists})
    if isinstance(value, str):
        return cut(value, DETAILS_TEXT)
    return bounded({"": value})[""]
