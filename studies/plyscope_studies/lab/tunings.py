"""Runs of `plyscope tune` as a study makes them: kept in the lab's folder, told as a section of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from plyscope.engine.match.score import Score, wilson
from plyscope.engine.tuning.trials import importances, replayed, tune
from plyscope.engine.tuning.tuning import Trial, Tuning, best_of
from plyscope.visualizer.cli.play.tuning_charts import value_chart, weights_chart
from plyscope_studies.lab.lab import Lab

MOST_PLIES: Final = 100
DEPTH: Final = 2


@dataclass(frozen=True)
class Tuned:
    """A run: its trials, and what the best of them took in games that no trial has played."""

    tuning: Tuning
    trials: Sequence[Trial]
    again: Score

    @property
    def best(self) -> Trial:
        """The trial that took the most."""
        return best_of(self.trials)


def run_tuning(lab: Lab, name: str, tuning: Tuning, n_trials: int) -> Tuned:
    """Run all trials, or go on with those that the lab's folder has, and let the best play fresh games."""
    storage = games = None
    if lab.games is not None:
        games = lab.games / name
        games.mkdir(parents=True, exist_ok=True)
        storage = str(lab.games / f"{name}.log")

    def told(trials: Sequence[Trial]) -> None:
        lab.tell(f"{name}, {len(trials)} of {n_trials} trials")

    trials = tune(
        tuning, n_trials, storage, n_workers=lab.n_workers, games=games, resume=True, on_trials=told
    )
    lab.tell(f"{name}, fresh games of the best")
    n_fresh = lab.of(400, 2)
    return Tuned(
        tuning, trials, replayed(tuning, best_of(trials), n_fresh, n_workers=lab.n_workers, games=games)
    )


def say_tuned(lab: Lab, name: str, run: Tuned, present: Mapping[str, float] | None = None) -> None:
    """The best weights, beside the present ones where there are any, what they took, and the charts."""
    best, matters = run.best, importances(run.tuning, run.trials)
    lab.report.table(
        ["weight of", *(["present"] if present else []), "best trial's", "importance"],
        [
            [
                f"`{factor}`",
                *([f"{present[factor]:g}"] if present else []),
                f"{weight:.2f}",
                f"{matters[factor]:.0%}" if factor in matters else "–",
            ]
            for factor, weight in best.weights.items()
        ],
    )
    low, high = wilson(run.again.share, run.again.n_games)
    again = run.again
    lab.report.say(
        f"Trial {best.number}, the best of {len(run.trials)}, took {best.value:.1%} of the points of its "
        f"{best.score.n_games} games; in {again.n_games} games that no trial has played its weights took "
        f"{again.share:.1%} (95 % interval: {low:.1%} to {high:.1%}): {again.won} won, {again.drawn} drawn, "
        f"{again.lost} lost."
    )
    lab.report.chart(f"{name}-value", "Share of the points by trial, not smoothed", value_chart(run.trials))
    lab.report.chart(f"{name}-weights", "Weights by trial, smoothed by ¼, ½, ¼", weights_chart(run.trials))
