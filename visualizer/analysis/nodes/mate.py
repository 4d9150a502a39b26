"""Wins and losses by their distance, as a log declares their scores; in words, the same as on the page."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log, once_a_log

Is = Literal["proven", "weaker", "none"]

SEARCHED = "among the plies searched"
"""Said of a win or loss that is not proven: a ply that was left out may lead elsewhere."""
REPETITION = ", but for repetition"


@dataclass(frozen=True)
class Mate:
    """The declared scores of won games: `score` at the root, `step` less a ply, at least `threshold`."""

    score: float
    step: float
    threshold: float
    made: int = 0
    """Plies from the root to the position from which distances are counted."""

    def side(self, score: float) -> int:
        """1 for the score of a win, -1 for that of a loss, 0 for any other.

        >>> mate = Mate(1000, 1, 900)
        >>> mate.side(997), mate.side(-997), mate.side(899), mate.side(math.inf), mate.side(math.nan)
        (1, -1, 0, 0, 0)
        """
        if not self.threshold <= abs(score) <= self.score:
            return 0
        return 1 if score > 0 else -1

    def plies(self, score: float) -> int | None:
        """Plies to the end by the score of a win or loss; None where it is between two, or has passed."""
        plies = (self.score - abs(score)) / self.step - self.made if self.step else math.nan
        return int(plies) if math.isfinite(plies) and plies == int(plies) and plies >= 0 else None


@dataclass(frozen=True)
class Proof:
    """The verdict whether a claimed win or loss is proven, by all plies of its loser, down to finished games.

    `weaker`: only a later end, that of `score`, is proven. `repetition`: the proof goes through the table in
    a game whose positions may recur.
    """

    verdict: Is
    score: float | None = None
    repetition: bool = False

    def as_json(self) -> dict[str, Any]:
        """For machines.

        >>> Proof("weaker", 993.0, True).as_json()
        {'is': 'weaker', 'score': 993.0, 'repetition': True}
        """
        answer: dict[str, Any] = {"is": self.verdict}
        if self.score is not None:
            answer["score"] = self.score
        return answer | ({"repetition": True} if self.repetition else {})


UNPROVEN = Proof("none")


@once_a_log
def mate_of(log: Log) -> Mate | None:
    """The scores of wins that the log declares; None if it declares none, or not all of them."""
    return declared_mate(log.header.get("search"))


def declared_mate(search: Any) -> Mate | None:
    """The same from the header's `search`."""
    declared = search.get("mate") if isinstance(search, Mapping) else None
    if not isinstance(declared, Mapping):
        return None
    numbers = [declared.get(name) for name in ("score", "step", "threshold")]
    if not all(_is_finite(number) for number in numbers):
        return None
    score, step, threshold = (float(number) for number in numbers if number is not None)
    mate = Mate(score, step, threshold)
    return mate if mate.threshold > 0 else None


def _is_finite(number: Any) -> bool:
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    return is_number and abs(number) < 1e308


def is_open(side: int, bound: int) -> bool:
    """Whether the bound leaves open that the game ends otherwise: at best a win, at worst a loss."""
    return bound == (words.UPPER if side > 0 else words.LOWER)


def mate_text(mate: Mate | None, score: float, bound: int, proof: Proof | None) -> str:
    """A claimed win or loss in words; empty where the score is none. An absent `proof` counts as none.

    >>> mate = Mate(1000, 1, 900)
    >>> mate_text(mate, 995, words.EXACT, Proof("proven"))
    'win in 5'
    >>> mate_text(mate, -995, words.UPPER, None)
    'loss in 5 or less among the plies searched'
    >>> mate_text(mate, 997, words.EXACT, Proof("weaker", 993))
    'win in 3 among the plies searched, proven only in 7'
    >>> mate_text(mate, 995, 0, Proof("proven", repetition=True))
    'win in 5, but for repetition'
    >>> mate_text(mate, 997, words.UPPER, None), mate_text(mate, 996.5, words.EXACT, None)
    ('at best a win in 3', 'win among the plies searched')
    """
    side = 0 if mate is None else mate.side(score)
    if mate is None or side == 0:
        return ""
    proof = proof or UNPROVEN
    noun = "win" if side > 0 else "loss"
    plies = mate.plies(score)
    within = "" if plies is None else f"in {plies}"
    if is_open(side, bound):
        return f"at {'best' if side > 0 else 'worst'} a {noun} {within}".rstrip() if plies != 0 else ""
    is_sooner = plies is not None and plies > 1 and bound in (words.LOWER, words.UPPER)
    less = " or less" if is_sooner else ""
    repetition = REPETITION if proof.repetition else ""
    if proof.verdict == "weaker" and proof.score is not None:
        later = mate.plies(proof.score)
        proven = "its distance is not proven" if later is None else f"proven only in {later}"
        return f"{noun} {within}".rstrip() + f"{less} {SEARCHED}, {proven}{repetition}"
    ended = f"{_ended(mate, score)}{less}"
    return ended + (repetition if proof.verdict == "proven" else f" {SEARCHED}")


def short_mate(mate: Mate | None, score: float, bound: int, proof: Proof | None) -> str:
    """The same in short, as on the page's cards: `?` means "among the plies searched".

    Empty where the score is none, and where the log does not show its distance. A dagger means "but for
    repetition".

    >>> mate = Mate(1000, 1, 900)
    >>> [short_mate(mate, 995, words.EXACT, proof) for proof in (Proof("proven"), None, Proof("weaker", 993))]
    ['win in 5', 'win in 5?', 'win in 7, 5?']
    >>> short_mate(mate, -995, words.UPPER, None), short_mate(mate, 997, words.UPPER, None)
    ('loss in ≤ 5?', '≤ win in 3')
    """
    side = 0 if mate is None else mate.side(score)
    plies = None if mate is None else mate.plies(score)
    if mate is None or side == 0 or plies is None:
        return ""
    if is_open(side, bound):
        return "" if plies == 0 else f"{'≤' if side > 0 else '≥'} {_ended(mate, score)}"
    proof = proof or UNPROVEN
    repetition = "†" if proof.repetition else ""
    less = "≤ " if bound in (words.LOWER, words.UPPER) and plies else ""
    if proof.verdict == "weaker" and proof.score is not None:
        return f"{_ended(mate, proof.score)}{repetition}, {less}{plies}?"
    ended = _ended(mate, score) if plies == 0 else f"{'win' if side > 0 else 'loss'} in {less}{plies}"
    return ended + (repetition if proof.verdict == "proven" else "?")


def _ended(mate: Mate, score: float) -> str:
    """`win in 5`, `lost` at the root itself, `win` where the distance is not known."""
    plies = mate.plies(score)
    if plies == 0:
        return "won" if score > 0 else "lost"
    return ("win" if score > 0 else "loss") + ("" if plies is None else f" in {plies}")
