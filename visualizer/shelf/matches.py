"""Matches and tunings as the page shows them, and the searches of one game as the chain that they are.

A file of games is read on as it grows, and counted. Logs of a match and of `plyscope uhp` are named by game
and ply. Their headers say the rest, so no tree is read.
"""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.games import GOING, Played
from plyscope.engine.match.games_file import GamesFile
from plyscope.engine.match.runner import verdict_of
from plyscope.engine.match.score import wilson
from plyscope.engine.match.standing import standing_of
from plyscope.engine.tuning.history import History, KeptTrial, read_history, smoothed
from plyscope.engine.tuning.tuning import TuningError
from plyscope.visualizer.analysis.json_answer import as_json
from plyscope.visualizer.analysis.nodes.mate import declared_mate
from plyscope.visualizer.analysis.nodes.node_json import cut
from plyscope.visualizer.analysis.results.answer import standings_of
from plyscope.visualizer.analysis.results.match_logs import Place, place_of
from plyscope.visualizer.analysis.results.text import part_by_fault, said
from plyscope.visualizer.analysis.results.worst_plies import worst_plies
from plyscope.visualizer.formats.beginning import header_of
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.marks import LONGEST_START, MARK, START, is_games_file
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.kept import Kept
from plyscope.visualizer.store.log import object_in

MOST_KEPT: Final = 4
MOST_TURNS: Final = 2000
MOST_WORST: Final = 8
LONGEST_TEXT: Final = 80
OUTCOMES: Final = ("won", "drawn", "lost", "logged")
FRESH: Final = "fresh"


@dataclass(frozen=True)
class Results:
    """The results of a file of games, up to the last line read.

    answer     the JSON of `Standings`, with `total`: the games once all are played, and `going`: the plies of
               those that a person plays
    games      by number
    is_cut     whether an incomplete line follows the last complete one: it is being written, or was cut off
    """

    answer: dict[str, Any]
    names: tuple[str, ...]
    games: dict[int, Played]
    is_cut: bool


class GameResults:
    """The results of the files that were asked for last; safe to use from many threads."""

    def __init__(self) -> None:
        self._kept: Kept[_ReadOn] = Kept(MOST_KEPT)

    def of(self, path: Path) -> Results | None:
        """The results in the file now; None while it has no match yet. Raises MatchError, OSError."""
        return self._kept.of(path, make=lambda: _ReadOn(path)).now()


class _ReadOn:
    """A file of games that is read on and counted again as it grows."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._file = GamesFile(path)
        self._results: Results | None = None

    def now(self) -> Results | None:
        with self._lock:
            has_grown = self._file.read()
            if self._file.match and (has_grown or self._results is None):
                self._results = _counted(self._file)
            return self._results


def may_have_games(path: Path) -> bool:
    """Whether a file without a whole line may still become one of games. Raises OSError."""
    with path.open("rb") as file:
        return START.startswith(file.read(len(START)))


def _counted(file: GamesFile) -> Results:
    games = [file.games[number] for number in sorted(file.games)]
    verdict = verdict_of(games, file.better)
    answer = as_json(standings_of(file.match, standing_of(file.names, games), games, verdict, file.better))
    if verdict is not None and file.better is not None:
        answer["test"]["in_words"] = said(verdict, file.names[0], file.names[1], file.better)
    answer["total"] = file.n_games
    answer["going"] = sum(len(game.plies) for game in file.going.values())
    return Results(answer, file.names, {**file.games, **file.going}, os.stat(file.path).st_size > file.end)


def game_line(results: Results, game: Played) -> dict[str, Any]:
    """A game as the list of the page shows it."""
    won = None if game.loser is None else game.first if game.loser == game.second else game.second
    return {
        "number": game.number,
        "opening": game.opening,
        "players": [results.names[game.first], results.names[game.second]],
        "winner": None if won is None else results.names[won],
        "why": game.why,
        "fault": game.fault,
        "n_plies": len(game.plies),
        "seconds": list(game.seconds),
        "logs": {name: len(paths) for name, paths in game.logs.items()},
        "no_logs": dict(game.no_logs),
    }


def games_of(results: Results, player: str | None, outcome: str | None) -> Iterator[Played]:
    """The games by number: all, those of a player, or those that ended so (`won`, `drawn`, `lost`, `logged`).

    Without a player a game that is not drawn is both won and lost.
    """
    for number in sorted(results.games):
        game = results.games[number]
        names = results.names[game.first], results.names[game.second]
        if player is not None and player not in names:
            continue
        loser = None if game.loser is None else results.names[game.loser]
        matches = {
            None: True,
            "drawn": loser is None and game.why != GOING,
            "lost": loser is not None and player in (None, loser),
            "won": loser is not None and (player is None or player != loser),
            "logged": bool(game.logs) if player is None else player in game.logs,
        }
        if matches[outcome]:
            yield game


def logs_of(path: Path, game: Played, player: str) -> list[Path]:
    """The existing logs of a player's searches in a game, in the order of its plies.

    A file of games may come from anywhere, so only files below its folder are returned, and files in a folder
    that a match marked as one of logs. Raises MatchError, which says what is missing.
    """
    paths = [(path.parent / shown).resolve() for shown in game.logs.get(player, ())]
    if not paths:
        why = game.no_logs.get(player, "play it again with --log to have them")
        raise MatchError(f"game {game.number} has no logs of {player}: {why}")
    for each in paths:
        if path.parent not in each.parents and not (each.parent / MARK).is_file():
            raise MatchError(
                f"{each} lies in no folder of a match's logs; open it with `plyscope view` if you trust it"
            )
    found = [each for each in paths if each.is_file()]
    if not found:
        raise MatchError(f"the logs of game {game.number} are not there any more: {paths[0]}")
    return found


def trials_json(path: Path) -> dict[str, Any]:
    """The trials of a history, with raw and smoothed weights. Raises TuningError, OSError."""
    found = read_history(path)
    smooth = {name: smoothed([abs(trial.weights[name]) for trial in found.trials]) for name in found.names}
    n_fresh = 0 if found.fresh is None else found.fresh.won + found.fresh.drawn + found.fresh.lost
    return {
        "game": found.game,
        "evaluation": found.evaluation,
        "against": found.against,
        "games": found.n_games,
        "names": list(found.names),
        "trials": [
            {**_row(trial), "smoothed": [smooth[name][place] for name in found.names]}
            for place, trial in enumerate(found.trials)
        ],
        "best": found.best,
        "fresh": None
        if found.fresh is None
        else _row(found.fresh) | {"of_95": list(wilson(found.fresh.value, max(1, n_fresh)))},
        "importances": found.importances,
        "faults_in_words": _faults_of(found),
    }


def games_of_trial(path: Path, which: str) -> Path:
    """The file of a trial's games by its number, or those of the best in fresh games.

    A history may come from anywhere, so only files below its folder that have the games of a match are
    returned. Raises TuningError, which says what is missing, and OSError.
    """
    found = read_history(path)
    trial = _trial(found, which)
    if trial.games_file is None:
        raise TuningError(f"the games of trial {trial.number} were not kept; tune with --keep-games FOLDER")
    file = (path.parent / trial.games_file).resolve()
    if path.parent.resolve() not in file.parents:
        raise TuningError(
            f"{file} lies elsewhere than the history; open it with `plyscope view` if you trust it"
        )
    if not file.is_file():
        raise TuningError(f"the games of trial {trial.number} are not there any more: {file}")
    with file.open("rb") as opened:
        if not is_games_file(opened.read(LONGEST_START)):
            raise TuningError(f"{file} has no games of a match")
    return file


def _trial(found: History, which: str) -> KeptTrial:
    if which == FRESH:
        if found.fresh is None:
            raise TuningError("the best played no fresh games")
        return found.fresh
    for trial in found.trials:
        if str(trial.number) == which:
            return trial
    raise TuningError(f"the tuning has no trial {which[:20]!r}")


def _row(trial: KeptTrial) -> dict[str, Any]:
    return {
        "trial": trial.number,
        "weights": list(trial.weights.values()),
        "value": trial.value,
        "won": trial.won,
        "drawn": trial.drawn,
        "lost": trial.lost,
        "has_games": trial.games_file is not None,
    }


def _faults_of(found: History) -> list[str]:
    trials = [*found.trials, *([] if found.fresh is None else [found.fresh])]
    n_games = sum(trial.won + trial.drawn + trial.lost for trial in trials)
    return part_by_fault(sum(trial.by_fault for trial in trials), n_games)


def _place_of(entry: Entry) -> Place | None:
    """The place of a log in its game; None of one that is not named so, or is no file of its own."""
    return place_of(entry.path.name) if entry.source in ("file", "folder") else None


def turns_of(entry: Entry, entries: Iterable[Entry]) -> dict[str, Any] | None:
    """The logs of the game of a log, in the order of its plies, as JSON; None where it belongs to no game.

    Other logs count if they are in its folder and listed.
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
        header = header_of(entry.path)
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
