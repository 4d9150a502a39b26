"""Hive's own weights tuned by playing against the present ones, with and without the expansions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from plyscope.engine.games import load_game
from plyscope.engine.match.agents import agent_of
from plyscope.engine.match.games import Terms
from plyscope.engine.match.match import Match
from plyscope.engine.match.score import Score, wilson
from plyscope.engine.match.standing import score_of
from plyscope.engine.options import SearchOptions, weights_of
from plyscope.engine.tuning.tuning import Tuning
from plyscope_studies.lab.lab import Lab
from plyscope_studies.lab.tunings import DEPTH, MOST_PLIES, Tuned, run_tuning, say_tuned

N_TRIALS: Final = 100
NODES: Final = 20_000
GAMES: Final = 400
EVEN: Final = 0.5
DECIDING: Final = 2**30
"""Added to the seed for the games that decide: no trial has played them."""


@dataclass(frozen=True)
class Variant:
    """A set of pieces to play with: its name in the game's words, and that of its files."""

    name: str
    file: str

    @property
    def position(self) -> str:
        """The start."""
        return f"{self.name};NotStarted;White[1]"


VARIANTS: Final = (Variant("Base", "base"), Variant("Base+MLP", "mlp"))


def run(lab: Lab) -> None:
    """Tune on each set of pieces, let a match decide, and say whether the weights are to be kept."""
    present = weights_of(load_game("hive"), SearchOptions(depth=1))
    lab.report.say(
        f"{lab.of(N_TRIALS, 2)} trials of {_games(lab)} games for each set of pieces: weights from 0 to "
        f"three times the present ones, searches {DEPTH} plies deep, against the present weights at the same "
        f"depth. The best of the trials then plays {lab.of(GAMES, 2)} games against the present weights with "
        f"{lab.of(NODES, 200):,} nodes a move, from openings that no trial has played. Only if the interval "
        "of 95 % of its share of those lies above 50 % are its weights better."
    )
    for variant in VARIANTS:
        tuning = Tuning(
            "hive",
            {"depth": DEPTH},
            agent_of("present", {"depth": DEPTH}),
            _games(lab),
            Terms(most_plies=lab.of(MOST_PLIES, 12), seed=lab.seed),
            position=variant.position,
        )
        found = run_tuning(lab, f"hive-own-{variant.file}", tuning, lab.of(N_TRIALS, 2))
        lab.report.head(variant.name)
        say_tuned(lab, variant.file, found, present)
        _say_verdict(lab, _decide(lab, variant, found))


def _games(lab: Lab) -> int:
    return lab.of(20, 2)


def _decide(lab: Lab, variant: Variant, found: Tuned) -> Score:
    """The match that decides."""
    nodes = lab.of(NODES, 200)
    agents = (
        agent_of("tuned", {"nodes": nodes, "table": 16, "weights": found.best.weights}),
        agent_of("present", {"nodes": nodes, "table": 16}),
    )
    terms = Terms(most_plies=lab.of(MOST_PLIES, 12), seed=lab.seed + DECIDING)
    match = Match("hive", agents, lab.of(GAMES, 2), terms, variant.position)
    return score_of(lab.play(match, f"hive-own-{variant.file}-match", f"{variant.name}, deciding"))


def _say_verdict(lab: Lab, score: Score) -> None:
    low, high = wilson(score.share, score.n_games)
    verdict = (
        "The tuned weights are better."
        if low > EVEN
        else "The tuned weights are worse: the present ones stay."
        if high < EVEN
        else "The interval holds 50 %: which are better is not known, and the present ones stay."
    )
    lab.report.say(
        f"With {lab.of(NODES, 200):,} nodes a move the tuned weights took {score.share:.1%} of the points "
        f"(95 % interval: {low:.1%} to {high:.1%}) of {score.n_games} games: {score.won} won, {score.drawn} "
        f"drawn, {score.lost} lost. "
        f"**{verdict}**"
    )
