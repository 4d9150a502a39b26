"""Games that a person plays: how one stands, and what the person does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from flask import abort, current_app

from plyscope.engine.game import GameError
from plyscope.engine.match.errors import MatchError
from plyscope.visualizer.web.api.request_arguments import refuse_for_disk, shelf_of_app
from plyscope.visualizer.web.api.routes import Body, Routes, number, text

if TYPE_CHECKING:  # loaded with the first game
    from plyscope.visualizer.shelf.play.play import Play

plays = Routes("plays", __name__, url_prefix="/api/plays/<play_id>")

MOST_WAIT: Final = 20
"""Seconds for which an answer is kept back while the agent thinks."""


@plays.get("")
def stands(play_id: str, wait: int = number(0, most=MOST_WAIT)) -> Body:
    """The game as it stands; with `wait`, sent once the agent has answered, or after so many seconds."""
    play = _play(play_id)
    play.wait(wait)
    return _told(play)


@plays.post("")
def do(play_id: str, what: str = text(), words: str = text("")) -> Body:
    """Do `what` (`ply`, `back`, `side`, `agent`, `quotient`, `hint`, `resign`, `stop`, `go`) with `words`."""
    play = _play(play_id)
    try:
        play.do(what, words)
    except (GameError, MatchError) as error:
        abort(400, str(error))
    except OSError as error:
        refuse_for_disk("the game could not be kept", error)
    return _told(play)


def _told(play: Play) -> Body:
    told = play.as_json()
    log = play.last_log()
    return told | {"log": None if log is None else shelf_of_app().add_file(log).id}


def _play(play_id: str) -> Play:
    found = current_app.extensions["plays"].get(play_id)
    if found is None:
        abort(404, "this game is not played here; `plyscope play GAME -o FOLDER` goes on with one")
    play: Play = found
    return play
