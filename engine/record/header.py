"""The header of a recorded search, as the log format writes it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from plyscope.engine.former import ENGINE
from plyscope.engine.game import meanings_of
from plyscope.engine.games import GAMES
from plyscope.engine.games.outside import digest
from plyscope.engine.options import MOST_DEPTH, SearchOptions
from plyscope.engine.record.recording import Totals


class Choice(NamedTuple):
    """The choice of a finished tree, named by its index among the run's trees; no ply if the game is over."""

    tree: int
    ply: str | None
    score: float
    line: tuple[str, ...]


class Course(NamedTuple):
    """The course of a run: its finished depth, its time, what stopped it, the drawn rank and its seed."""

    depth: int
    seconds: float
    stopped: str | None
    rank: int
    seed: int | None


def header_of(
    game: Any,
    position: str,
    options: SearchOptions,
    setting: Any,
    weights: Mapping[str, float],
    choice: Choice | None,
    totals: Iterable[Totals],
    course: Course,
    counted: Mapping[str, Any],
    *,
    table_carried: bool,
) -> dict[str, Any]:
    """Return the native header in plain JSON values; `setting` is the search's `OPTIONS` record.

    `counted` is added to the result: table hits, the counters of the techniques.
    """
    return {
        "plyscope": 1,
        "game": game.name,
        "position": position,
        "players": list(game.players),
        "search": _declared(options, setting, table_carried=table_carried)
        | (of_chance(game, int(setting["root_player"])) if options.algorithm == "expectimax" else {})
        | ({"unit": game.unit} if hasattr(game, "unit") else {})
        | of_unknown_game(game),
        "factors": factors_of(game, weights),
        "result": {**_result(options, choice, totals, course), **counted},
    }


def factors_of(game: Any, weights: Mapping[str, float]) -> list[dict[str, Any]]:
    """Return the name and weight of each factor, and its meaning if the game has one."""
    meanings = meanings_of(game)
    return [
        {"name": name, "weight": weight} | ({"meaning": meanings[name]} if name in meanings else {})
        for name, weight in weights.items()
    ]


def _declared(options: SearchOptions, setting: Any, *, table_carried: bool) -> dict[str, Any]:
    mate, step = float(setting["mate"]), float(setting["mate_step"])
    declared: dict[str, Any] = {"algorithm": options.algorithm, "depth": options.depth}
    if options.limit is not None:
        declared["limit"] = options.limit
    declared |= {
        "engine": ENGINE,
        "fail": options.fail,
        "null_width": float(setting["null_width"]),
        "mate": {"score": mate, "step": step, "threshold": mate - step * MOST_DEPTH},
        "draw": float(setting["draw"]),
        "options": {
            name: value
            for name in ("iterative", "aspiration", "seconds", "nodes", "keep", "evaluation")
            if (value := getattr(options, name)) is not None
        }
        | _techniques(options),
    }
    if options.table is not None:
        declared["table"] = options.table_depth
    if table_carried:
        declared["table_carried"] = True
    return declared


def of_chance(game: Any, root_player: int) -> dict[str, Any]:
    """Return whose scores a search with chance nodes has, as chance may move at its root, and their depth."""
    return {"root_player": game.players[root_player], "chance_depth": 0}


def of_unknown_game(game: Any) -> dict[str, Any]:
    """Return the declarations about a game outside the registry, which readers know for one inside."""
    declared: dict[str, Any] = {}
    if (known_by := digest(game)) is not None:
        declared["game_digest"] = known_by
    if game.name not in GAMES and not getattr(game, "positions_repeat", True):
        declared["positions_repeat"] = False
    return declared


def _techniques(options: SearchOptions) -> dict[str, Any]:
    names = [
        "iid",
        "quiescence",
        "null_move",
        "lmr",
        "reverse_futility",
    ]
    if options.table is not None:
        names = ["table", "table_depth", "table_use", "table_keep", *names]
    techniques = {name: value for name in names if (value := getattr(options, name)) is not None}
    return techniques | {
        name: True for name in ("killers", "history", "prove_wins") if getattr(options, name)
    }


def _result(
    options: SearchOptions, choice: Choice | None, totals: Iterable[Totals], course: Course
) -> dict[str, Any]:
    result: dict[str, Any] = {}
    if choice is not None:
        if choice.ply is not None:
            result |= {"ply": choice.ply, "pv": list(choice.line)}
        result |= {"score": choice.score, "root": choice.tree}
    result["rank"] = course.rank
    if options.quotient is not None:
        result |= {"randomness_quotient": options.quotient, "seed": course.seed}
    if course.stopped is not None:
        result["stopped"] = course.stopped
    result |= {"depth": course.depth, "seconds": course.seconds}
    columns = zip(*totals, strict=True)
    return result | dict(zip(Totals._fields, map(sum, columns), strict=True))
