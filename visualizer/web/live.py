"""Logs that are written while one looks: how far they are, lines posted to them, the engine that waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, abort, request

from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.web.json_response import json_response
from plyscope.visualizer.web.request_arguments import (
    entry_of,
    number_argument,
    refuse_for_disk,
    seconds_to_wait,
    shelf_of_app,
)

if TYPE_CHECKING:  # whoever follows nothing does not load what does
    from plyscope.visualizer.shelf.follow.followed_log import FollowedLog

live = Blueprint("live", __name__, url_prefix="/api/logs/<log_id>")

MOST_POSTED: Final = 16 * 2**20
"""Bytes of lines in one request."""


@live.get("/live")
def status(log_id: str) -> Response:
    """The state of the log; with `after`, sent once there is another change, or after so many seconds."""
    entry = entry_of(log_id)
    followed = entry.live or entry.ended
    if followed is None:
        return json_response({"state": "ended", "log": entry.id})
    after = number_argument("after", 0) if "after" in request.args else None
    with seconds_to_wait() as seconds:
        return json_response(followed.status(after, seconds, snapshots="paused" not in request.args))


@live.delete("/live/hold")
def go_on(log_id: str) -> Response:
    """Let the engine go on that waits."""
    if not _followed(entry_of(log_id)).release():
        abort(409, "the engine does not wait")
    return Response(status=204)


@live.post("/lines")
def append_lines(log_id: str) -> Response:
    """Append the body to a log that was begun with `follow`; with `end` nothing more comes."""
    entry = entry_of(log_id)
    followed = _followed(entry)
    spool = entry.spool
    if spool is None or followed.kind != "post":
        abort(409, f"{entry.name} takes no lines: only a log that was begun by POST /api/logs?follow=1 does")
    _append(entry, _body())
    if "end" in request.args:
        spool.close()
    return json_response(entry.summary(), 202)


def begin_lines() -> Response:
    """A new log, whose first lines are the body."""
    data = _body()
    try:
        entry, _ = shelf_of_app().follow_lines(request.args.get("name", "")[:200] or "posted lines", "post")
    except OSError as error:
        refuse_for_disk("the log could not be kept", error)
    _append(entry, data)
    return json_response(entry.summary(), 201)


def _body() -> bytes:
    if (request.content_length or 0) > MOST_POSTED:
        abort(413, f"at most {MOST_POSTED:,} bytes of lines in one request; send the rest in another one")
    data = request.get_data(cache=False)
    if len(data) > MOST_POSTED:
        abort(413, f"at most {MOST_POSTED:,} bytes of lines in one request; send the rest in another one")
    return data


def _append(entry: Entry, data: bytes) -> None:
    spool = entry.spool
    try:
        if spool is None or not spool.append(data):
            abort(409, f"{entry.name} has ended: begin another log by POST /api/logs?follow=1")
    except OSError as error:
        refuse_for_disk("the lines could not be kept", error)


def _followed(entry: Entry) -> FollowedLog:
    if entry.live is None:
        abort(409, f"{entry.name} is not being written")
    return entry.live
