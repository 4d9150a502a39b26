"""The trials of tunings in the API, and the way to the games of each."""

from __future__ import annotations

from flask import Blueprint, Response, abort, request

from plyscope.engine.match.errors import MatchError
from plyscope.visualizer.web.json_response import json_response
from plyscope.visualizer.web.request_arguments import entry_of, shelf_of_app

tunings = Blueprint("tunings", __name__, url_prefix="/api/tunings/<tuning_id>")


@tunings.get("")
def trials(tuning_id: str) -> Response:
    """The weights that were tuned, and all trials."""
    from plyscope.visualizer.shelf.matches.tuning_results import as_json

    entry = entry_of(tuning_id)
    if not entry.is_tuning:
        abort(400, f"{entry.name} has no trials of a tuning; its tree is at /#log={entry.id}")
    try:
        answer = json_response({"name": entry.name, **as_json(entry.path)})
    except MatchError as error:
        abort(400, str(error))
    except OSError as error:
        abort(409, f"{entry.name}: {error.strerror or error}")
    answer.add_etag()
    answer.make_conditional(request)
    return answer


@tunings.post("/trials/<which>/games")
def list_games(tuning_id: str, which: str) -> Response:
    """List the games of a trial by its number, or those that the best played at the end (`fresh`)."""
    from plyscope.visualizer.shelf.matches.tuning_results import games_of

    entry = entry_of(tuning_id)
    try:
        found = games_of(entry.path, which)
    except MatchError as error:
        abort(404, str(error))
    except OSError as error:
        abort(409, f"{entry.name}: {error.strerror or error}")
    return json_response({"match": shelf_of_app().add_file(found).summary()})
