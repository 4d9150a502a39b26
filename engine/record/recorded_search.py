"""The search that a log records, read back from its header: game, position and options, with other weights.

This is the inverse of `header`. A header may come from anywhere, so all of it is checked, and only games that
this process knows are accepted: nothing that a log contains is run.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from plyscope.engine.former import ENGINE
from plyscope.engine.game import Game, GameError
from plyscope.engine.games import GAMES, find, find_as_written, is_known
from plyscope.engine.games.outside import place_for
from plyscope.engine.option import OptionError
from plyscope.engine.options import SearchOptions, check_game, judged, mate_score, weights_of
from plyscope.engine.quoting import quoted

TOLD_BESIDE: Final = ("algorithm", "depth", "limit", "fail")
"""Options that the header states in `search`."""
TOLD_INSIDE: Final = (
    "iterative",
    "aspiration",
    "seconds",
    "nodes",
    "keep",
    "evaluation",
    "table",
    "table_depth",
    "table_use",
    "table_keep",
    "iid",
    "quiescence",
    "null_move",
    "lmr",
    "reverse_futility",
    "killers",
    "history",
    "prove_wins",
)
"""Options that the header states in `search.options`."""
MONTE_CARLO: Final = ("mcts", "monte_carlo")
STOPPED_FROM_OUTSIDE: Final = {"request": "by hand", "memory": "for want of memory"}


class AgainError(OptionError):
    """A recorded search that cannot be repeated; the message says why, in one line."""


class RecordedSearch(NamedTuple):
    """The game, position and options of a recorded search."""

    game: Any
    position: str
    options: SearchOptions
    notes: tuple[str, ...]
    """Sentences about differences from the recorded search."""
    game_name: str


def recorded_search(header: Mapping[str, Any], weights: Mapping[str, float] | None = None) -> RecordedSearch:
    """Return the search that `header` records, with its weights, replaced where `weights` names one.

    Raises `AgainError` for a search that cannot be repeated, `OptionError` for weights of no factor.

    >>> from plyscope.engine.games.tictactoe import GAME
    >>> from plyscope.engine.run import search
    >>> header = search(GAME, options=SearchOptions(depth=2, killers=True), compiled=False).header
    >>> asked = recorded_search(header, {"centre": 5})
    >>> asked.options.depth, asked.options.killers, asked.options.weights["centre"]
    (2, True, 5)
    """
    search, result, position = _object(header, "search"), header.get("result"), header.get("position")
    game = recorded_game(header)
    if not isinstance(position, str) or not isinstance(result, dict):
        raise AgainError("this log is a part of a search: it does not say in which position that began")
    try:
        game.read_position(position)
    except GameError as error:
        raise AgainError(f"the position of this log cannot be read: {error}") from None
    logged = recorded_weights(header, game)
    try:
        asked, notes = _repeatable(search, result)
        options = SearchOptions(**asked, weights=logged)
        check_game(game, options)
    except AgainError:
        raise
    except OptionError as error:
        raise AgainError(f"the header does not state a search of ours: {error}") from None
    options = replace(options, weights=logged | dict(weights or {}))
    if not math.isfinite(mate_score(game, weights_of(game, options))):
        raise OptionError("weights: they are too large to search with: a win could not count more than them")
    return RecordedSearch(find_as_written(game.name), position, options, notes, game.name)


def recorded_game(header: Mapping[str, Any]) -> Game:
    """Return the game, known here, that our own engine searched, judged as it was; raises AgainError."""
    search = _object(header, "search")
    engine, name = search.get("engine"), header.get("game")
    if engine != ENGINE:
        whose = quoted(engine) if isinstance(engine, str) else "one that it does not name"
        raise AgainError(f"the engine of this log is {whose}; only Plyscope's own can search again here")
    if not isinstance(name, str) or not is_known(name):
        which, place = (quoted(name), place_for(name)) if isinstance(name, str) else ("not stated", "")
        raise AgainError(
            f"the game of this log is {which}, expected one of Plyscope's own ({', '.join(GAMES)})"
            + (f"; one of your own comes with --game {shlex.quote(place)}" if place else "")
        )
    evaluation = _object(search, "options").get("evaluation")
    if not isinstance(evaluation, str | None):
        raise AgainError("the evaluation of this log is no name")
    try:
        judge: Game = judged(find(name), evaluation)
    except OptionError as error:
        raise AgainError(f"this log cannot be searched again: {error}") from None
    return judge


def recorded_options(search: Mapping[str, Any]) -> dict[str, Any]:
    """The options that a header's `search` states, depth and algorithm among them; raises AgainError."""
    if search.get("algorithm") in MONTE_CARLO:
        raise AgainError("only minimax, alphabeta and pvs are searched again, not Monte Carlo searches")
    inside = _object(search, "options")
    unknown = [name for name in inside if name not in TOLD_INSIDE]
    if unknown:
        raise AgainError(f"this log was searched with {quoted(unknown[0])}, an option that is not known here")
    asked = {name: search[name] for name in TOLD_BESIDE if search.get(name) is not None}
    asked |= {name: value for name, value in inside.items() if value is not None}
    if "depth" not in asked or "algorithm" not in asked:
        raise AgainError("this log does not state the depth and the algorithm of its search")
    return asked


def _repeatable(
    search: Mapping[str, Any], result: Mapping[str, Any]
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The options of the search, without weights, and sentences about those that cannot be repeated."""
    asked = recorded_options(search)
    if result.get("randomness_quotient") is not None:
        asked |= {"quotient": result["randomness_quotient"], "seed": result.get("seed")}
    notes = []
    if search.get("table_carried"):
        notes.append(
            "The logged search began with the table of an earlier one, this begins with an empty one."
        )
    stopped, nodes = result.get("stopped"), result.get("nodes")
    why = STOPPED_FROM_OUTSIDE.get(stopped) if isinstance(stopped, str) else None
    if why is not None and isinstance(nodes, int) and nodes > 0:
        asked["nodes"] = nodes
        notes.append(f"The logged search was stopped {why}; this one ends at as many nodes, {nodes:,}.")
    seconds = asked.get("seconds")
    if isinstance(seconds, int | float):
        notes.append(
            f"It ends after {seconds:g} s, as the logged one did; how far it gets depends on the machine."
        )
    return asked, tuple(notes)


def recorded_weights(header: Mapping[str, Any], game: Game) -> dict[str, float]:
    """The weights of the log, which are those of all factors of the game; raises AgainError."""
    factors = header.get("factors")
    found: dict[str, float] = {}
    for each in factors if isinstance(factors, list) else ():
        name, weight = (each.get("name"), each.get("weight")) if isinstance(each, dict) else (None, None)
        if not isinstance(name, str) or isinstance(weight, bool) or not isinstance(weight, int | float):
            raise AgainError("this log does not state the weight of every factor")
        found[name] = weight
    if set(found) != set(game.factors):
        here = ", ".join(game.factors)
        raise AgainError(f"this log has other factors than {game.name} has here, which are {here}")
    return found


def _object(fields: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = fields.get(name)
    return value if isinstance(value, dict) else {}
