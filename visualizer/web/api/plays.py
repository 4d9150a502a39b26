"""Games that a person plays, in the API: the state of one, and the person's actions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from flask import abort, current_app

from plyscope.engine.game import Game, GameError
from plyscope.engine.match.errors import MatchError
from plyscope.engine.option import OptionError
from plyscope.visualizer.analysis.nodes.ply_path import shown_path
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.jobs.searches import Busy, stem_of
from plyscope.visualizer.store.positions import game_of, state_at
from plyscope.visualizer.store.tree import Tree
from plyscope.visualizer.web.api.request_arguments import refuse_for_disk, shelf_of_app, wait_as_requested
from plyscope.visualizer.web.api.routes import Body, Routes, number, text
from plyscope.visualizer.web.api.weights import searches_of_app

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
        game, position = _standing(tree, row, boards)
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


@plays.get("/logs/<log_id>/nodes/<int:node_id>/search")
def searched_on(tree: Tree, row: int, boards: Boards, log_id: str) -> Body:
    """The search from the position of a node on, or the agent that one may ask for there."""
    return _searched_on(tree, row, boards, log_id)


def _searched_on(tree: Tree, row: int, boards: Boards, log_id: str) -> Body:
    from plyscope.visualizer.shelf.play.agent_lines import line_on
    from plyscope.visualizer.shelf.play.told import set_beside

    search = searches_of_app().of((log_id, row))
    if search is None:
        try:
            return {"state": "none", "agent": line_on(tree, row, _standing(tree, row, boards)[0])}
        except GameError as error:
            return {"state": "refused", "reason": str(error)}
    wait_as_requested(search.settled)
    answer = search.as_json() | {"agent": search.task["agent"]["name"]}
    if search.state != "done":
        return answer
    order = search.header["search"].get("order", "depth_first")
    return answer | {"order": order, "says": set_beside(tree, row, search.header)}


@plays.post("/logs/<log_id>/nodes/<int:node_id>/search")
def search_on(
    tree: Tree, row: int, boards: Boards, entry: Entry, log_id: str, agent: str = text()
) -> tuple[Body, int]:
    """Search the position of a node as `agent` says; one search at a time, whose log is listed."""
    from plyscope.visualizer.shelf.play.agent_lines import agent_on, as_stated

    try:
        game, position = _standing(tree, row, boards)
        asked = as_stated(agent_on(agent, tree.log.header, game))
        task = {"game": game.name, "position": position, "agent": asked}
        where = f" from {shown_path(tree, row)}" if tree.log.columns["level"][row] else ""
        name = f"{stem_of(entry.name)}{where} with {agent}"
        searches_of_app().start((log_id, row), entry, task, name)
    except (GameError, MatchError, OptionError) as error:
        abort(400, f"this cannot be searched on: {error}")
    except Busy as error:
        abort(409, str(error))
    except OSError as error:
        refuse_for_disk("the search could not begin", error)
    return _searched_on(tree, row, boards, log_id), 202


@plays.delete("/logs/<log_id>/nodes/<int:node_id>/search")
def end_searched_on(tree: Tree, row: int, boards: Boards, log_id: str) -> Body:
    """Cancel that search, or forget what came of it; its log stays."""
    searches_of_app().stop((log_id, row))
    return _searched_on(tree, row, boards, log_id)


def _standing(tree: Tree, row: int, boards: Boards) -> tuple[Game, str]:
    """The game and the position of a node. Raises GameError where it is not known."""
    game, _ = game_of(tree.log), state_at(tree.log, row)
    if (position := boards.position(row)) is None:
        raise GameError("the position of this node cannot be written as text that its game reads")
    return game, position


def _told(play: Play) -> Body:
    told, shelf = play.as_json(), shelf_of_app()
    logs = {"log": play.last_log(), "hint": play.hint_log()}
    return told | {name: None if log is None else shelf.add_file(log).id for name, log in logs.items()}


def _play(play_id: str) -> Play:
    found = current_app.extensions["plays"].get(play_id)
    if found is None:
        abort(404, "this game is not played here; `plyscope play GAME -o FOLDER` goes on with one")
    play: Play = found
    return play
