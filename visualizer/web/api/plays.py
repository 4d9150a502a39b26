"""Games that a person plays: how one stands, and what the person does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from flask import abort, current_app

from plyscope.engine.game import GameError
from plyscope.engine.match.errors import MatchError
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.store.positions import game_of, state_at
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.api.request_arguments import refuse_for_disk, shelf_of_app
from plyscope.visualizer.web.api.routes import Body, Routes, number, text

if TYPE_CHECKING:  # loaded with the first game
    from plyscope.visualizer.shelf.play.play import Play

plays = Routes("plays", __name__, url_prefix="/api")

MOST_WAIT: Final = 20
"""Seconds for which an answer is kept back while the agent thinks."""


@plays.get("/plays/<play_id>")
def stands(play_id: str, wait: int = number(0, most=MOST_WAIT)) -> Body:
    """The game as it stands; with `wait`, sent once the agent has answered, or after so many seconds."""
    play = _play(play_id)
    play.wait(wait)
    return _told(play)


@plays.post("/plays/<play_id>")
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


@plays.post("/logs/<log_id>/nodes/<int:node_id>/play")
def play_on(tree: Tree, row: int, boards: Boards) -> Body:
    """Begin a game at the position of a node, against a search as that of the log where it is ours."""
    from plyscope.visualizer.shelf.play.agent_lines import agent_of_log
    from plyscope.visualizer.shelf.play.play import Play
    from plyscope.visualizer.shelf.play.played_game import PlayedGame, new_folder

    try:
        game, _ = game_of(tree.log), state_at(tree.log, row)
        if (position := boards.position(row)) is None:
            abort(409, "the position of this node cannot be written as text that its game reads")
        folder = new_folder(Path(current_app.config["DATA_FOLDER"]), game.name)
        play = Play(PlayedGame(folder, game.name, agent_of_log(tree.log.header, game), None, position))
    except (GameError, MatchError) as error:
        abort(409, f"no game can be played on from here: {error}")
    except OSError as error:
        refuse_for_disk("the game could not be kept", error)
    entry = shelf_of_app().add_file(play.game.path)
    current_app.extensions["plays"][entry.id] = play
    play.begin()
    return {"play": entry.id}


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
