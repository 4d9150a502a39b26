"""Growing logs in the API: followed while they are written, or uploaded in pieces and read meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from flask import Response, abort, request

from plyscope.visualizer.formats.foreign.meaning.mapping import parse_mapping
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.uploads import Upload
from plyscope.visualizer.web.api.request_arguments import (
    refuse_for_disk,
    seconds_to_wait,
    shelf_of_app,
)
from plyscope.visualizer.web.api.routes import Body, Routes, flag, number, text

if TYPE_CHECKING:  # loaded only to follow a log
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
    entry, _ = shelf_of_app().follow_lines(name[:200] or "posted lines", "post")
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


uploads = Routes("uploads", __name__, url_prefix="/api/uploads")

PIECE_BYTES: Final = 8 * 2**20
"""Bytes of a piece that is asked for; others are taken too."""
MOST_PIECE_BYTES: Final = 64 * 2**20


@uploads.post("", unless="the log could not be kept")
def begin(n_bytes: int = number(least=1), name: str = text()) -> tuple[Body, int]:
    """A new upload of `n_bytes`, and how large its pieces are best."""
    mapping = parse_mapping(request.args["map"]) if request.args.get("map") else None
    upload_id = shelf_of_app().uploads.begin(name[:200], mapping, n_bytes)
    return {"upload": upload_id, "piece": PIECE_BYTES}, 201


@uploads.post("/expected")
def expect() -> Response:
    """Prepare for a large log that is about to be uploaded; if none comes, that ends by itself."""
    shelf_of_app().spare_reader.prepare()
    return Response(status=204)


@uploads.put("/<upload_id>", unless="the log could not be kept")
def append_piece(upload_id: str, at: int = number()) -> tuple[Body, int]:
    """Take the body as the bytes from `at` on. With the last that was missing the log is the answer."""
    upload, n_bytes = _upload(upload_id), request.content_length or 0
    if n_bytes > MOST_PIECE_BYTES:
        abort(413, f"a piece may have {MOST_PIECE_BYTES:,} bytes, not {n_bytes:,}: send it in smaller ones")
    try:
        # The body as it is: it may still be coming.
        is_whole = upload.append(at, n_bytes, request.environ["wsgi.input"])
    except OSError:
        upload.give_up()  # it stays known, so that all its pieces are refused for the same reason
        raise
    if not is_whole:
        return _state_of_upload(upload), 202
    try:
        entry = shelf_of_app().keep_upload(upload_id)
    except KeyError:
        abort(404, f"the upload {upload_id!r} was given up meanwhile")
    return {**_state_of_upload(upload), "log": entry.summary()}, 201


@uploads.delete("/<upload_id>")
def give_up(upload_id: str) -> Response:
    """End an upload: nothing of it stays."""
    shelf_of_app().uploads.give_up(upload_id)
    return Response(status=204)


def _upload(upload_id: str) -> Upload:
    try:
        return shelf_of_app().uploads.upload(upload_id)
    except KeyError:
        abort(404, f"there is no upload {upload_id[:40]!r}: it was given up, or is whole; begin another")


def _state_of_upload(upload: Upload) -> Body:
    answer: dict[str, Any] = {"arrived": upload.n_arrived, "progress": round(upload.progress, 3)}
    if upload.child.is_compiling:
        answer["compiling"] = True
    if upload.child.top is not None:
        answer["top"] = upload.child.top
    return answer
