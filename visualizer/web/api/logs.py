"""Logs in the API: their list, how each is brought, read, named and deleted, and the game that it is of."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import orjson
from flask import Response, abort, current_app, request

from plyscope.visualizer.analysis.overview.picture import make_ready
from plyscope.visualizer.formats.errors import LogError, TooLarge
from plyscope.visualizer.formats.foreign.meaning.mapping import parse_mapping
from plyscope.visualizer.formats.match_logs import MatchLogs, place_of
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.shelf import NotReadyError
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.api.live import begin_lines
from plyscope.visualizer.web.api.request_arguments import (
    boards_of,
    entry_of,
    refuse_games,
    shelf_of_app,
    tree_of,
    wait_as_requested,
)
from plyscope.visualizer.web.api.routes import Body, Routes, flag, text
from plyscope.visualizer.web.bodies.opened_log import opened_log
from plyscope.visualizer.web.json_response import json_response, unless_known

logs = Routes("logs", __name__, url_prefix="/api/logs")


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
def add_log(follow: bool = flag(), name: str = text()) -> Response | tuple[Body, int]:
    """Take the body as a log; refuse it with what is wrong, or keep it. With `follow`, lines are to come."""
    if follow:
        return begin_lines(name)
    data = request.get_data(cache=False)
    try:
        mapping = parse_mapping(request.args["map"]) if request.args.get("map") else None
        entry = shelf_of_app().paste(data, name[:200], mapping)
    except TooLarge:
        raise
    except LogError as error:
        place = {name: getattr(error, name) for name in ("line", "column", "path") if getattr(error, name)}
        abort(json_response({"error": str(error), "status": 400, **place}, 400))
    return entry.summary(), 201


@logs.get("/<log_id>")
def open_log(log_id: str, as_read: bool = flag()) -> Body:
    """Header, totals, roots and principal variation of one log; with `as_read`, of what was read last."""
    return _opened(log_id, tree_of(log_id, afresh=not as_read))


@logs.get("/<log_id>/summary")
def log_summary(entry: Entry) -> Body:
    """The progress of reading a log; with `wait`, sent once it has ended or so many seconds have passed."""
    if (followed := entry.live) is not None:
        followed.status()  # who waits for the first nodes of a log that is being written asks for them
    wait_as_requested(entry.settled)
    return entry.summary()


@logs.post("/<log_id>/reading")
def start_reading(entry: Entry) -> tuple[Body, int]:
    """Read a log, unless it is read already; with `wait`, answer once it is, or after so many seconds."""
    refuse_games(entry.id)
    with suppress(NotReadyError):
        shelf_of_app().open(entry.id, afresh=True)
    wait_as_requested(entry.settled)
    return entry.summary(), 202 if entry.state == "reading" else 200


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
    from plyscope.visualizer.shelf.matches.game_turns import turns_of

    found = turns_of(entry, shelf_of_app().entries())
    if found is None:
        abort(404, "the log is of no game: its name does not begin as in game0003-ply0014-…")
    return found


@contextmanager
def _there(log_id: str) -> Iterator[None]:
    """Refuse in words what cannot be done to a log that was deleted just now."""
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


def _opened(log_id: str, tree: Tree) -> Body:
    entry = entry_of(log_id)
    if entry.live is None:
        make_ready(tree)
    answer = opened_log(entry.summary(), tree, entry.totals_of(tree), boards_of(tree))
    return answer if (page := _page_of_game(entry)) is None else answer | {"game_page": page}


def _page_of_game(entry: Entry) -> str | None:
    """The page of the game or match that a log is of, where its file of games is listed."""
    folder = entry.path.parent
    for each in shelf_of_app().entries() if place_of(entry.path.name) else ():
        is_beside = each.path.parent == folder.parent and each.is_games
        if is_beside and MatchLogs.beside(each.path, None).folder == folder.resolve():
            return f"/{'play' if each.id in current_app.extensions['plays'] else 'match'}/{each.id}"
    return None
