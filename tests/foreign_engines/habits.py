"""Habits of a negamax: to change scores on the way up, to ask a tablebase, to guess in place of a search."""

from __future__ import annotations

from typing import Any

from tests.foreign_engines.paper import Paper
from tests.foreign_engines.tokens import MATE, Position, Tokens

CAP = 120
FADING = 0.5
"""A power of two, so that fading and its inverse are exact."""
MARGIN = 60


class Habits:
    """Habits of a parent: changes to a ply's score, seen by its mover, and guesses; each off by default."""

    style: Any
    game: Tokens
    paper: Paper

    def taken(self, ply: str, score: float) -> float:
        """The score that a parent takes for a ply that returned `score`."""
        match self.style.takes:
            case "capped":
                return min(score, CAP)
            case "rewarded":
                return score + self.reward(ply)
            case "faded":
                return score * FADING
            case "decayed" if abs(score) > MATE - 1000:
                return score - 1 if score > 0 else score + 1
        return score

    def asked(self, ply: str, edge: float) -> float:
        """The score of a ply that is taken for `edge`; an open edge mostly stays as it is."""
        if abs(edge) > MATE + 100 and not self.style.moves_open:
            return edge
        match self.style.takes:
            case "rewarded":
                return edge - self.reward(ply)
            case "faded":
                return edge / FADING
            case "decayed" if abs(edge) > MATE - 1000:
                return edge + 1 if edge > 0 else edge - 1
        return edge

    def reward(self, ply: str) -> float:
        return float("abcd".find(ply)) - 0.5

    def say_taken(self, score: float, taken: float) -> float:
        """Write on the child left last, in its mover's view, what its parent took."""
        if taken != score:
            self.paper.path[-1]["children"][-1]["counted_as"] = -taken
        return taken

    def tablebase(self, at: Position, beta: float) -> tuple[float, str] | None:
        """A tablebase's score of a position (the distance, or a win that cuts) and its bound; else None."""
        drawn = self.game.drawn("tablebase", at, 12)
        if not self.style.tablebases or at.n < 2 or drawn > 2:
            return None
        won = float(MATE - at.n - 7)
        if drawn == 2 and won - 300 >= beta:
            return won - 300, "lower"
        return -won if drawn == 1 else won, "exact"

    def skips(self, depth: int, place: int, static: float, edge: float) -> float | None:
        """The guess that stands for the plies from `place` on, None where they are to be searched."""
        is_near = depth == 1 or (depth <= 0 and self.style.stands_pat)
        if not self.style.skips or not is_near or place == 0 or static + MARGIN > edge:
            return None
        return static + MARGIN
