"""Expectimax and expectiminimax in the styles of the world, on random trees: chance lies between the players.

Each field of `DiceStyle` is a habit of some engine; all of them are right.
"""

from __future__ import annotations

import json
import math
import random
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.foreign_engines.paper import Paper

LOW, HIGH = -10.0, 10.0
"""No score is beyond these: what star1 assumes of outcomes that it has not seen."""


@dataclass(frozen=True)
class DiceStyle:
    """Options of a search with dice, and of its log."""

    alone: bool = False
    """One player against chance (expectimax), else two (expectiminimax)."""
    depth: int = 4
    turned: bool = False
    """Scores are written as the mover sees them, those of chance as the one who moved before."""
    star1: bool = False
    hard: bool = False
    priors: str = "full"
    """`full`, `decimals` (three of them), `digits` (three from the first that is not 0), or `none`."""
    alike: bool = False
    """All outcomes are equally likely: thirds, mostly."""
    unlogged: str = ""
    """`stub` where rows of outcomes are left out and a stub says so, `silent` where nothing does."""
    rewards: bool = False
    """Outcomes are worth something themselves, which the node above counts."""
    whole: bool = False
    """Means are cut to whole numbers."""
    decimals: int = -1
    """Written scores are rounded so."""
    omits: tuple[str, ...] = ()


class Outcome(NamedTuple):
    """An outcome of chance: its ply, its likelihood, and its own reward."""

    ply: str
    likelihood: float
    reward: float


class Dice:
    """One search; `document` is its log."""

    def __init__(self, seed: int, style: DiceStyle) -> None:
        self.style = style
        self.seed = seed
        self.layers = ("max", "chance") if style.alone else ("max", "chance", "min", "chance")
        search: dict[str, Any] = {"perspective": "mover"} if style.turned else {}
        if style.star1:
            search["fail"] = "hard" if style.hard else "soft"
        search = {name: said for name, said in search.items() if name not in style.omits}
        self.paper = Paper(style.omits, search=search)

    def log(self) -> dict[str, Any]:
        self.search((), -math.inf, math.inf, None)
        document: dict[str, Any] = json.loads(self.paper.nested())
        return document

    def drawn(self, path: tuple[str, ...]) -> random.Random:
        return random.Random(f"{self.seed} {' '.join(path)}")

    def search(
        self, path: tuple[str, ...], alpha: float, beta: float, outcome: Outcome | None, *, mute: bool = False
    ) -> float:
        """One visit; the score as the root player sees it. Muted, nothing of it is written."""
        style, layer = self.style, self.layers[len(path) % len(self.layers)]
        paper = self.paper
        if mute:
            self.paper = Paper(style.omits)
        prior = self.written_prior(outcome)
        window = self.seen_window(path, alpha, beta) if style.star1 else {}
        self.paper.enter(path[-1] if path else None, prior=prior, **window, layer=layer)
        draw = self.drawn(path)
        said: dict[str, Any] = {"outcome": "searched"}
        if len(path) == style.depth:
            score = float(draw.randint(-8, 8))
            said = {"outcome": "leaf", "static": self.seen(path, score), "bound": "exact"}
            if style.hard and not alpha < score < beta:
                score = min(max(score, alpha), beta)
                said["bound"] = self.bound(path, score, alpha, beta)
        elif layer == "chance":
            score, said["moves"] = self.expect(path, alpha, beta)
        else:
            score, said["moves"] = self.choose(path, layer, alpha, beta)
        if style.star1 and said["outcome"] != "leaf":
            is_cut = self.paper.path[-1].pop("is_cut", False)
            said["outcome"] = "cutoff" if is_cut else "searched"
            said["bound"] = self.bound(path, score, alpha, beta)
        elif "bound" not in said:
            said["bound"] = "exact"
        if outcome is not None and style.rewards:
            said["counted_as"] = self.seen(path, score + outcome.reward)
        self.paper.leave(self.seen(path, score), **said)
        self.paper = paper
        return score

    def choose(self, path: tuple[str, ...], layer: str, alpha: float, beta: float) -> tuple[float, int]:
        """The best of the plies for the mover, by alpha-beta where the style cuts at all."""
        plies = [f"{layer[1]}{i}" for i in range(self.drawn(path).randint(1, 3))]
        sign = 1 if layer == "max" else -1
        best = -math.inf
        for i, ply in enumerate(plies):
            low, high = (max(alpha, best), beta) if sign > 0 else (alpha, min(beta, -best))
            best = max(best, sign * self.search((*path, ply), low, high, None))
            if self.style.star1 and (best >= beta if sign > 0 else -best <= alpha):
                self.paper.path[-1]["is_cut"] = True
                self.paper.cut(plies[i + 1 :])
                break
        score = sign * best
        return (min(max(score, alpha), beta) if self.style.hard else score), len(plies)

    def outcomes(self, path: tuple[str, ...]) -> list[Outcome]:
        draw = self.drawn((*path, "chance"))
        weights = [1 if self.style.alike else draw.randint(1, 6) for _ in range(draw.randint(2, 4))]
        rewards = [float(draw.randint(-3, 3)) for _ in weights]
        shares = [weight / sum(weights) for weight in weights]
        return [Outcome(f"d{i}", shares[i], rewards[i]) for i in range(len(weights))]

    def expect(self, path: tuple[str, ...], alpha: float, beta: float) -> tuple[float, int]:
        """The mean over the outcomes: by star1, which ends where the rest can bring nothing back."""
        outcomes, style = self.outcomes(path), self.style
        if style.star1:
            return self.star1(path, outcomes, alpha, beta), len(outcomes)
        draw, n_mute = self.drawn((*path, "mute")), 0
        scores = []
        for outcome in outcomes:
            mute = bool(style.unlogged) and draw.random() < 0.4
            n_mute += mute
            score = self.search((*path, outcome.ply), alpha, beta, outcome, mute=mute)
            scores.append(score + (outcome.reward if style.rewards else 0.0))
        if n_mute and style.unlogged == "stub":
            self.paper.cut([f"x{i}" for i in range(n_mute)], "unlogged")
        mean = self.mean(outcomes, scores)
        return (float(math.trunc(mean)) if style.whole else mean), len(outcomes)

    def mean(self, outcomes: list[Outcome], scores: list[float]) -> float:
        """The score of a chance node: the mean of its outcomes' scores, weighted by their likelihoods."""
        return sum(outcome.likelihood * score for outcome, score in zip(outcomes, scores, strict=True))

    def star1(self, path: tuple[str, ...], outcomes: list[Outcome], alpha: float, beta: float) -> float:
        """Ballard's Star1: each outcome gets the window outside of which the mean leaves the node's own."""
        total, rest = 0.0, 1.0
        for i, outcome in enumerate(outcomes):
            share = outcome.likelihood
            rest = rest - share if i + 1 < len(outcomes) else 0.0
            low, high = (alpha - total - rest * HIGH) / share, (beta - total - rest * LOW) / share
            score = self.search((*path, outcome.ply), low, high, outcome)
            total += share * score
            if score >= high or score <= low:
                total += rest * (LOW if score >= high else HIGH)
                self.paper.path[-1]["is_cut"] = True
                self.paper.cut([each.ply for each in outcomes[i + 1 :]])
                if self.style.hard:
                    return beta if score >= high else alpha
                return max(total, beta) if score >= high else min(total, alpha)
        return min(max(total, alpha), beta) if self.style.hard else total

    # What is written ---------------------------------------------------------------------------------
    def sign(self, path: tuple[str, ...]) -> int:
        """-1 where scores are written from the opponent's side: at chance from that of who moved before."""
        if not self.style.turned:
            return 1
        layer = self.layers[len(path) % len(self.layers)]
        return self.sign(path[:-1]) if layer == "chance" else -1 if layer == "min" else 1

    def seen(self, path: tuple[str, ...], score: float) -> float:
        """A score as it is written."""
        seen = self.sign(path) * score
        return seen if self.style.decimals < 0 else round(seen, self.style.decimals)

    def seen_window(self, path: tuple[str, ...], alpha: float, beta: float) -> dict[str, float]:
        low, high = (alpha, beta) if self.sign(path) > 0 else (-beta, -alpha)
        return {"alpha": low, "beta": high}

    def bound(self, path: tuple[str, ...], score: float, alpha: float, beta: float) -> str:
        bounds = ("lower", "upper") if self.sign(path) > 0 else ("upper", "lower")
        return bounds[0] if score >= beta else bounds[1] if score <= alpha else "exact"

    def written_prior(self, outcome: Outcome | None) -> float | None:
        if outcome is None or self.style.priors == "none":
            return None
        if self.style.priors == "decimals":
            return round(outcome.likelihood, 3)
        return float(f"{outcome.likelihood:.3g}") if self.style.priors == "digits" else outcome.likelihood
