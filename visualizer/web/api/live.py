"""Logs that are written while one looks: how far they are, lines posted to them, the engine that waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import Response, abort, request

from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.web.api.request_arguments import (
    refuse_for_disk,
    seconds_to_wait,
    shelf_of_app,
)
from plyscope.visualizer.web.api.routes import Body, Routes, flag, number

if TYPE_CHECKING:  # whoever follows nothing does not load what does
    from plyscope.visualizer.shelf.follow.followed_log import FollowedLog

live = Routes("live", __name__, url_prefix="/api/logs/<log_id>")

MOST_POSTED: Final = 16 * 2**20
"""Bytes of lines in one request."""


@live.get("/live")
def status(entry: Entry, after: int | None = number(None), paused: bool = flag()) -> Body:
    """The state of the log; with `after`, sent once there is another change, or after so many seconds."""
    followed = entry.live or entry.ended
    if followed is None:
        return {"state": "ended", "log": entry.id}
    with seconds_to_wait() as seconds:
        return followed.status(after, seconds, snapshots=not paused)


@live.delete("/live/hold")
def go_on(entry: Entry) -> Response:
    """Let the engine go on that waits."""
    if not _followed(entry).release():
        abort(409, "the engine does not wait")
    return Response(status=204)


@live.post("/lines")
def append_lines(entry: Entry, end: bool = flag()) -> tuple[Body, int]:
    """Append the body to a log that was begun with `follow`; with `end` nothing more comes."""
    followed = _followed(entry)
    spool = entry.spool
    if spool is None or followed.kind != "post":
        abort(409, f"{entry.name} takes no lines: only a log that was begun by POST /api/logs?follow=1 does")
    _append(entry, _body())
    if end:
        spool.close()
    return entry.summary(), 202


def begin_lines(name: str) -> tuple[Body, int]:
    """A new log, whose first lines are the body."""
    data = _body()
    try:
        entry, _ = shelf_of_app().follow_lines(name[:200] or "posted lines", "post")
    except OSError as error:
        refuse_for_disk("the log could not be kept", error)
    _append(entry, data)
    return entry.summary(), 201


def _body() -> bytes:
    data = b"" if (request.content_length or 0) > MOST_POSTED else request.get_data(cache=False)
    if max(request.content_length or 0, len(data)) > MOST_POSTED:
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
