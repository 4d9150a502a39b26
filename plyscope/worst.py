"""`plyscope.worst_plies`: which plies of a game lost the most, as `plyscope worst` lists them."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from plyscope.playing import MatchGame
from plyscope.visualizer.analysis.results import worst_plies as found
from plyscope.visualizer.analysis.results.worst_plies import WorstPly
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.marks import LONGEST_START, is_games_file
from plyscope.visualizer.shelf.catalogue import LOG_ENDINGS

Source = MatchGame | str | os.PathLike[str] | Iterable[str | os.PathLike[str]]


def worst_plies(source: Source, *, number: int | None = None) -> tuple[WorstPly, ...]:
    """The plies after which the next search of the same player found less, the greatest loss first.

    `source` is a game of a match, a file of games that has logs, a folder of logs, or several logs in the
    order of their game; of many games `number` names one. Scores are seen by the player of the ply. Raises
    LogError, MatchError, OSError.
    """
    worst = found.worst_plies(logs_of(source))
    return worst if number is None else tuple(each for each in worst if each.game == number)


def logs_of(source: Source) -> list[Path]:
    """The logs that are meant; raises LogError where there are none."""
    if isinstance(source, MatchGame):
        logs = [path for paths in source.logs.values() for path in paths]
    elif not isinstance(source, str | os.PathLike):
        logs = [Path(each) for each in source]
    elif (path := Path(source)).is_dir():
        logs = sorted(each for each in path.iterdir() if each.name.endswith(LOG_ENDINGS) and each.is_file())
    else:
        with path.open("rb") as file:
            has_games = is_games_file(file.read(LONGEST_START))
        logs = _logs_of_games(path) if has_games else [path]
    if not logs:
        raise LogError(f"{source if isinstance(source, str | os.PathLike) else 'this game'}: has no logs")
    return logs


def _logs_of_games(path: Path) -> list[Path]:
    from plyscope.engine.match.games_file import GamesFile
    from plyscope.visualizer.shelf.matches.game_results import logs_of as logs_of_player

    file = GamesFile(path)
    file.read()
    played = [(game, name) for game in {**file.games, **file.going}.values() for name in game.logs]
    logs = [each for game, name in played for each in logs_of_player(path, game, name)]
    if not logs:
        raise LogError(f"{path}: no game has logs; `plyscope match {path} --log all` makes them")
    return logs
