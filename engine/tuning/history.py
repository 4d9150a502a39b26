"""The history that `plyscope tune -o` writes, read back and checked: it may come from anywhere."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from plyscope.engine.tuning.tuning import TuningError

LARGEST: Final = 64 * 2**20
"""Bytes of a history."""
KERNEL: Final = (0.25, 0.5, 0.25)


@dataclass(frozen=True)
class KeptTrial:
    """A written trial: its weights, its points, and the file of its games if they were kept.

    by_fault  the number of its games that ended by a fault
    """

    number: int
    weights: dict[str, float]
    value: float
    won: int
    drawn: int
    lost: int
    games_file: str | None
    by_fault: int = 0


@dataclass(frozen=True)
class History:
    """A tuning that was run, and its trials.

    fresh        the points of the best in games that no trial has played; None: there were none
    importances  by weight; empty where there were too few trials
    """

    game: str
    evaluation: str | None
    against: str
    n_games: int
    names: tuple[str, ...]
    trials: tuple[KeptTrial, ...]
    best: int
    fresh: KeptTrial | None
    importances: dict[str, float]


def read_history(path: Path) -> History:
    """Read a history. Raises TuningError with the fault, and OSError."""
    if path.stat().st_size > LARGEST:
        raise TuningError(f"{path.name} is larger than a history of trials is")
    try:
        return _history(json.loads(path.read_bytes()))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise TuningError(
            f"{path} has no weights that were tuned: expected what `plyscope tune -o` writes"
        ) from None


def smoothed(values: Sequence[float]) -> list[float]:
    """A quarter, a half and a quarter of three neighbours; at the ends of those that are there.

    >>> smoothed([0.0, 4.0, 0.0, 0.0])
    [1.3333333333333333, 2.0, 1.0, 0.0]
    """
    found = []
    for at in range(len(values)):
        near = [(values[at + step], KERNEL[step + 1]) for step in (-1, 0, 1) if 0 <= at + step < len(values)]
        found.append(sum(value * share for value, share in near) / sum(share for _, share in near))
    return found


def _history(found: Any) -> History:
    """Raises ValueError, TypeError, KeyError, AttributeError where it is none."""
    tuning, best = found["tuning"], _trial(found["best"])
    trials = tuple(map(_trial, found["trials"]))
    names = tuple(best.weights)
    if not names or any(set(trial.weights) != set(names) for trial in trials):
        raise ValueError
    if best.number not in {trial.number for trial in trials}:
        raise ValueError
    fresh = found.get("best_in_fresh_games")
    return History(
        _text(tuning["game"]),
        None if (evaluation := tuning["search"].get("evaluation")) is None else _text(evaluation),
        _text(tuning["against"]["name"]),
        int(tuning["games"]),
        names,
        trials,
        best.number,
        None if fresh is None else _trial({"trial": best.number, "params": best.weights, **fresh}),
        {
            name: _number(share)
            for name, share in dict(found.get("importances") or {}).items()
            if name in names
        },
    )


def _trial(row: Mapping[str, Any]) -> KeptTrial:
    file = row.get("games_file")
    counts = [int(row[name]) for name in ("trial", "won", "drawn", "lost")]
    by_fault = int(row.get("by_fault", 0))
    if min(*counts, by_fault) < 0:
        raise ValueError
    number, won, drawn, lost = counts
    return KeptTrial(
        number,
        {_text(name): _number(weight) for name, weight in row["params"].items()},
        _number(row["value"]),
        won,
        drawn,
        lost,
        file if isinstance(file, str) and file else None,
        by_fault,
    )


def _number(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError
    return number


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value
