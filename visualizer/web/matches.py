"""The results of matches in the API: figures, the list of games, and the logs of a game's searches."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from flask import Blueprint, Response, abort, current_app, request

from plyscope.engine.match.errors import MatchError
from plyscope.visualizer.web.json_response import json_response
from plyscope.visualizer.web.request_arguments import entry_of, number_argument, shelf_of_app

if TYPE_CHECKING:
    from plyscope.visualizer.shelf.entry import Entry
    from plyscope.visualizer.shelf.matches.game_results import GameResults, Results

matches = Blueprint("matches", __name__, url_prefix="/api/matches/<match_id>")

MOST_GAMES: Final = 200


@matches.get("")
def figures(match_id: str) -> Response:
    """The results of a match so far; `awaited` while its file states none yet."""
    entry = entry_of(match_id)
    results = _results(entry)
    if results is None:
        return json_response({"name": entry.name, "awaited": True})
    answer = json_response({"name": entry.name, "awaited": False, "is_cut": results.is_cut, **results.answer})
    answer.add_etag()
    answer.make_conditional(request)
    return answer


@matches.get("/games")
def games(match_id: str) -> Response:
    """A page of the games; `player` and `outcome` (won, drawn, lost, logged) leave out others."""
    from plyscope.visualizer.shelf.matches.game_results import OUTCOMES, game_line, games_of

    results = _counted(match_id)
    player, outcome = request.args.get("player"), request.args.get("outcome")
    if player is not None and player not in results.names:
        abort(400, f"player: {player[:80]!r} takes no part, expected one of {', '.join(results.names)[:400]}")
    if outcome is not None and outcome not in OUTCOMES:
        abort(400, f"outcome: {outcome[:80]!r}, expected {', '.join(OUTCOMES)}")
    offset = number_argument("offset", 0)
    limit = number_argument("limit", MOST_GAMES, most=MOST_GAMES)
    found = list(games_of(results, player, outcome))
    items = [game_line(results, game) for game in found[offset : offset + limit]]
    return json_response({"total": len(found), "offset": offset, "items": items})


@matches.get("/games/<int:number>")
def game(match_id: str, number: int) -> Response:
    """One game with its plies."""
    from plyscope.visualizer.shelf.matches.game_results import game_line

    results = _counted(match_id)
    if number not in results.games:
        abort(404, f"the match has no game {number} yet")
    played = results.games[number]
    opening = min(int(results.answer["match"].get("n_opening", 0)), len(played.plies))
    return json_response({**game_line(results, played), "plies": list(played.plies), "n_opening": opening})


@matches.post("/games/<int:number>/logs")
def list_logs(match_id: str, number: int) -> Response:
    """List the logs of a player's searches in a game; answers with them, in the order of its plies.

    Those of the other player are listed as well, so that the game can be looked at turn by turn.
    """
    from plyscope.visualizer.shelf.matches.game_results import logs_of

    entry, results = entry_of(match_id), _counted(match_id)
    if number not in results.games:
        abort(404, f"the match has no game {number} yet")
    played, player = results.games[number], request.args.get("player", "")
    try:
        paths = logs_of(entry.path, played, player)
    except MatchError as error:
        abort(404, str(error))
    listed = [shelf_of_app().add_file(path) for path in paths]
    for other in set(played.logs) - {player}:
        with suppress(MatchError):
            for path in logs_of(entry.path, played, other):
                shelf_of_app().add_file(path)
    return json_response({"logs": [each.summary() for each in listed]})


def _results(entry: Entry) -> Results | None:
    """The results in the file of games, None if it has none yet; aborts if it never will."""
    from plyscope.visualizer.shelf.matches.game_results import GameResults, may_have_games

    kept: GameResults = current_app.extensions.setdefault("matches", GameResults())
    try:
        results = kept.of(entry.path)
        if results is None and not may_have_games(entry.path):
            abort(400, f"{entry.name} has no games of a match; its tree is at /#log={entry.id}")
        return results
    except FileNotFoundError:
        return None
    except OSError as error:
        abort(409, f"{entry.name}: {error.strerror or error}")
    except MatchError as error:
        abort(400, str(error))


def _counted(match_id: str) -> Results:
    results = _results(entry_of(match_id))
    if results is None:
        abort(404, "the match has no games yet")
    return results
