"""Results in the API: of matches their figures, games and logs; of tunings the trials, and their games."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from flask import Response, abort

from plyscope.engine.match.errors import MatchError
from plyscope.visualizer.web.api.request_arguments import entry_of, of_app, shelf_of_app
from plyscope.visualizer.web.api.routes import Body, Routes, number, text
from plyscope.visualizer.web.json_response import json_response, unless_known

if TYPE_CHECKING:
    from plyscope.engine.match.games import Played
    from plyscope.visualizer.shelf.entry import Entry
    from plyscope.visualizer.shelf.matches import Results

matches = Routes("matches", __name__, url_prefix="/api/matches/<match_id>")
tunings = Routes("tunings", __name__, url_prefix="/api/tunings/<tuning_id>")

MOST_GAMES: Final = 200


@matches.get("")
def figures(match_id: str) -> Body | Response:
    """The results of a match so far; `awaited` while its file states none yet."""
    entry = entry_of(match_id)
    results = _results(entry)
    if results is None:
        return {"name": entry.name, "awaited": True}
    told = {"name": entry.name, "awaited": False, "is_cut": results.is_cut}
    return unless_known(json_response(told | results.answer))


@matches.get("/games")
def games(
    match_id: str,
    player: str | None = text(None),
    outcome: str | None = text(None),
    offset: int = number(),
    limit: int = number(MOST_GAMES, most=MOST_GAMES),
) -> Body:
    """A page of the games; `player` and `outcome` (won, drawn, lost, logged) leave out others."""
    from plyscope.visualizer.shelf.matches import OUTCOMES, game_line, games_of

    results = _counted(match_id)
    if player is not None and player not in results.names:
        abort(400, f"player: {player[:80]!r} takes no part, expected one of {', '.join(results.names)[:400]}")
    if outcome is not None and outcome not in OUTCOMES:
        abort(400, f"outcome: {outcome[:80]!r}, expected {', '.join(OUTCOMES)}")
    found = list(games_of(results, player, outcome))
    items = [game_line(results, game) for game in found[offset : offset + limit]]
    return {"total": len(found), "offset": offset, "items": items}


@matches.get("/games/<int:number>")
def game(match_id: str, number: int) -> Body:
    """One game with its plies, and those of its logs that lost the most."""
    from plyscope.visualizer.shelf.matches import game_line, logs_of, worst_of

    entry, results = entry_of(match_id), _counted(match_id)
    played = _game(results, number)
    opening = min(int(results.answer["match"].get("n_opening", 0)), len(played.plies))
    logs: list[Path] = []
    for player in played.logs:
        with suppress(MatchError):
            logs += logs_of(entry.path, played, player)
    told = {
        "plies": list(played.plies),
        "n_opening": opening,
        "worst": worst_of({each: each.name for each in logs}),
    }
    return game_line(results, played) | told


@matches.post("/games/<int:number>/logs")
def list_logs(match_id: str, number: int, player: str = text()) -> Body:
    """List the logs of a player's searches in a game; answers with them, in the order of its plies.

    Those of the other player are listed as well, so that the game can be looked at turn by turn.
    """
    from plyscope.visualizer.shelf.matches import logs_of

    entry, results = entry_of(match_id), _counted(match_id)
    played = _game(results, number)
    try:
        paths = logs_of(entry.path, played, player)
    except MatchError as error:
        abort(404, str(error))
    listed = [shelf_of_app().add_file(path) for path in paths]
    for other in set(played.logs) - {player}:
        with suppress(MatchError):
            for path in logs_of(entry.path, played, other):
                shelf_of_app().add_file(path)
    return {"logs": [each.summary() for each in listed]}


@tunings.get("")
def trials(tuning_id: str) -> Response:
    """The weights that were tuned, and all trials."""
    from plyscope.visualizer.shelf.matches import trials_json

    entry = entry_of(tuning_id)
    if not entry.is_tuning:
        abort(400, f"{entry.name} has no trials of a tuning; its tree is at /#log={entry.id}")
    with _reading(entry, 400):
        return unless_known(json_response({"name": entry.name, **trials_json(entry.path)}))


@tunings.post("/trials/<which>/games")
def list_games(tuning_id: str, which: str) -> Body:
    """List the games of a trial by its number, or those that the best played at the end (`fresh`)."""
    from plyscope.visualizer.shelf.matches import games_of_trial

    entry = entry_of(tuning_id)
    with _reading(entry, 404):
        found = games_of_trial(entry.path, which)
    return {"match": shelf_of_app().add_file(found).summary()}


@contextmanager
def _reading(entry: Entry, refused: int) -> Iterator[None]:
    """Answer with an error in words if the file of an entry cannot be read, or lacks the results."""
    try:
        yield
    except OSError as error:
        abort(409, f"{entry.name}: {error.strerror or error}")
    except MatchError as error:
        abort(refused, str(error))


def _results(entry: Entry) -> Results | None:
    """The results in the file of games, None if it has none yet; aborts if it never will."""
    from plyscope.visualizer.shelf.matches import GameResults, may_have_games

    with _reading(entry, 400), suppress(FileNotFoundError):
        results = of_app("matches", GameResults).of(entry.path)
        if results is None and not may_have_games(entry.path):
            abort(400, f"{entry.name} has no games of a match; its tree is at /#log={entry.id}")
        return results
    return None


def _counted(match_id: str) -> Results:
    results = _results(entry_of(match_id))
    if results is None:
        abort(404, "the match has no games yet")
    return results


def _game(results: Results, number: int) -> Played:
    if number not in results.games:
        abort(404, f"the match has no game {number} yet")
    return results.games[number]
