"""The header of a recorded Monte Carlo search, as the log format writes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from plyscope.engine.former import ENGINE
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.record.header import factors_of, of_unknown_game

UNIT: Final = "win rate"


class Found(NamedTuple):
    """The result of a search; `ply` and its figures are None if the game is over or nothing was played out.

    `nodes` and `leaves` are None of a search that wrote no rows.
    """

    ply: str | None
    mean: float | None
    visits: int | None
    line: tuple[str, ...]
    root: int
    playouts: int
    cut_short: int
    reused: int
    max_level: int
    seconds: float
    stopped: str | None
    nodes: int | None
    leaves: int | None


def header_of(
    game: Any,
    position: str,
    options: MonteCarloOptions,
    seed: int,
    weights: Mapping[str, float],
    found: Found | None,
) -> dict[str, Any]:
    """Return the native header in plain JSON values; without a result while nothing is `found` yet."""
    header: dict[str, Any] = {
        "plyscope": 1,
        "game": game.name,
        "position": position,
        "players": list(game.players),
        "search": _declared(options, seed) | of_unknown_game(game),
        "factors": factors_of(game, weights),
    }
    return header if found is None else header | {"result": _result(found, seed)}


def _declared(options: MonteCarloOptions, seed: int) -> dict[str, Any]:
    asked = {
        "playouts": options.most_playouts,
        "seconds": options.seconds,
        "select": options.select,
        "c": options.c if options.select == "ucb1" else None,
        "guide": options.guide,
        "guide_power": options.guide_power if options.guide is not None else None,
        "fpu": options.fpu,
        "turn_limit": options.turn_limit,
        "log_visits": options.log_visits,
        "evaluation": options.evaluation,
        "seed": seed,
    }
    return {
        "algorithm": options.algorithm,
        "engine": ENGINE,
        "order": "best_first",
        "choose": options.choose,
        "unit": UNIT,
        "range": [0.0, 1.0],
        "draw": 0.5,
        "options": {name: value for name, value in asked.items() if value is not None},
    }


def _result(found: Found, seed: int) -> dict[str, Any]:
    result: dict[str, Any] = {}
    if found.ply is not None:
        result |= {"ply": found.ply, "score": found.mean, "visits": found.visits, "pv": list(found.line)}
    result |= {"root": found.root, "rank": 0, "seed": seed, "playouts": found.playouts}
    if found.seconds > 0:
        result["playouts_per_second"] = round(found.playouts / found.seconds, 1)
    result |= {"cut_short": found.cut_short, "max_level": found.max_level}
    if found.reused:
        result["reused_visits"] = found.reused
    if found.stopped is not None:
        result["stopped"] = found.stopped
    result["seconds"] = found.seconds
    if found.nodes is not None:
        result |= {"nodes": found.nodes, "leaves": found.leaves}
    return result
