"""The trials of a tuning as the page shows them, and the files of their games."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from plyscope.engine.match.score import wilson
from plyscope.engine.tuning.history import History, KeptTrial, read_history, smoothed
from plyscope.engine.tuning.tuning import TuningError
from plyscope.visualizer.analysis.results.text import part_by_fault
from plyscope.visualizer.formats.marks import LONGEST_START, is_games_file

FRESH: Final = "fresh"


def as_json(path: Path) -> dict[str, Any]:
    """The trials of a history, with the weights as they are and smoothed. Raises TuningError, OSError."""
    found = read_history(path)
    smooth = {name: smoothed([abs(trial.weights[name]) for trial in found.trials]) for name in found.names}
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
        "fresh": None if found.fresh is None else {**_row(found.fresh), "of_95": _of_95(found.fresh)},
        "importances": found.importances,
        "faults_in_words": _faults_of(found),
    }


def games_of(path: Path, which: str) -> Path:
    """The file of a trial's games by its number, or those of the best in fresh games.

    A history may come from anywhere, so only files below its folder are given that have the games of a match.
    Raises TuningError, which says what is missing, and OSError.
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


def _of_95(trial: KeptTrial) -> list[float]:
    return list(wilson(trial.value, max(1, trial.won + trial.drawn + trial.lost)))
