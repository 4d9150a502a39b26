"""How trials went: what each took, and its weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from plyscope.engine.tuning.tuning import Trial
from plyscope.visualizer.lab.charts import curve, level

KERNEL: Final = (0.25, 0.5, 0.25)
EVEN: Final = 0.5


def value_chart(trials: Sequence[Trial]) -> dict[str, Any]:
    """The share of the points by trial, never smoothed, with a line where both are as good."""
    rows = [{"trial": trial.number, "win factor": trial.value} for trial in trials]
    return level(curve(rows, x="trial", y="win factor"), EVEN, "even")


def weights_chart(trials: Sequence[Trial]) -> dict[str, Any]:
    """Every weight by trial, smoothed, by its size without its sign."""
    rows = [
        {"trial": trial.number, "weight": value, "of": name}
        for name in trials[0].weights
        for trial, value in zip(trials, smoothed([abs(each.weights[name]) for each in trials]), strict=True)
    ]
    return curve(rows, x="trial", y="weight", by="of")


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
