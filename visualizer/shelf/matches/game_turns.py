"""The searches of one game as the chain that they are: the logs of its turns, by what their headers say.

Logs of a match and of `plyscope uhp` are named by game and ply. Their headers say the rest, so no tree is
read.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from plyscope.visualizer.analysis.nodes.mate import declared_mate
from plyscope.visualizer.analysis.nodes.node_json import cut
from plyscope.visualizer.analysis.results.worst_plies import worst_plies
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.header import read_header_of
from plyscope.visualizer.formats.match_logs import Place, place_of
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.store.log import object_in

MOST_TURNS: Final = 2000
MOST_WORST: Final = 8
LONGEST_TEXT: Final = 80


def _place_of(entry: Entry) -> Place | None:
    """The place of a log in its game; None of one that is not named so, or is no file of its own."""
    return place_of(entry.path.name) if entry.source in ("file", "folder") else None


def turns_of(entry: Entry, entries: Iterable[Entry]) -> dict[str, Any] | None:
    """The logs of the game of a log, in the order of its plies, as JSON; None where it is of no game.

    Of the other logs those count that lie in its folder and are listed.
    """
    here = _place_of(entry)
    if here is None:
        return None
    found = [
        (place.ply, each)
        for each in entries
        if each.path.parent == entry.path.parent and (place := _place_of(each)) and place.game == here.game
    ]
    found.sort(key=lambda pair: (pair[0], pair[1].path.name))
    turns = [_turn(ply, each) for ply, each in found[:MOST_TURNS]]
    players = list(dict.fromkeys(turn["player"] for turn in turns if turn["player"] is not None))
    worst = worst_of({each.path: each.id for _, each in found[:MOST_TURNS]})
    left_out = len(found) - len(turns)
    return {"game": here.game, "players": players, "turns": turns, "left_out": left_out, "worst": worst}


def worst_of(logs: Mapping[Path, str]) -> list[dict[str, Any]]:
    """The plies of a game that lost the most, as JSON, with the log of each as `logs` calls it.

    A log that cannot be read is said where it is opened: there is no list then.
    """
    names = {str(path): name for path, name in logs.items()}
    with suppress(LogError, OSError):
        return [
            {"turn": each.turn, "player": each.player, "ply": each.ply, "in_words": each.in_words}
            | {"log": names[each.log]}
            for each in worst_plies(logs)[:MOST_WORST]
        ]
    return []


def _turn(ply: int, entry: Entry) -> dict[str, Any]:
    header: Mapping[str, Any] = {}
    with suppress(OSError):
        header = read_header_of(entry.path)
    match, result, search = (object_in(header, name) for name in ("match", "result", "search"))
    mate, score = declared_mate(search), _number(result.get("score"))
    is_mean = search.get("order") == "best_first"
    return {
        "id": entry.id,
        "turn": ply,
        "player": _text(match.get("searched")),
        "ply": _text(result.get("ply")),
        "score": score,
        "wins": 0 if mate is None or score is None else mate.side(score),
        "is_mean": is_mean,
        "each": _number(result.get("playouts_each")),
        "playouts": _number(result.get("playouts")),
        "nodes": None if is_mean else _number(result.get("nodes")),
        "seconds": _number(result.get("seconds")),
    }


def _text(value: Any) -> str | None:
    return cut(value, LONGEST_TEXT) if isinstance(value, str) else None


def _number(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and math.isfinite(value) else None
