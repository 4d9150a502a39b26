"""The game that a log's search belongs to, turn by turn, in the API."""

from __future__ import annotations

from flask import Blueprint, Response, abort

from plyscope.visualizer.web.json_response import json_response
from plyscope.visualizer.web.request_arguments import entry_of, shelf_of_app

game = Blueprint("game", __name__, url_prefix="/api/logs/<log_id>/game")


@game.get("")
def turns(log_id: str) -> Response:
    """The listed logs of the same game in the same folder, by what their headers say."""
    from plyscope.visualizer.shelf.matches.game_turns import turns_of

    found = turns_of(entry_of(log_id), shelf_of_app().entries())
    if found is None:
        abort(404, "the log is of no game: its name does not begin as in game0003-ply0014-…")
    return json_response(found)
