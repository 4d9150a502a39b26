"""The charts of trials: the points that each took, and its weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from plyscope.engine.tuning.history import smoothed
from plyscope.engine.tuning.tuning import Trial
from plyscope.visualizer.lab.charts import curve, level

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
