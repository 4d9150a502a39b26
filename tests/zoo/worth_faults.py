"""Faults of the evaluation, of endings, of quiescence and of forward pruning."""

from __future__ import annotations

import math
from typing import Any

from tests.second_engine.visit import Visit
from tests.second_engine.worlds import Maze, World
from tests.unit.logs import walked
from tests.zoo.fault import Fault, Faulty, ended, small


class ScoreIsNoNumber(Faulty):
    """The evaluation of some leaves is 0 / 0, and nobody looks."""

    def leaf_score(self, visit: Visit) -> float:
        self.note(visit, visit.static < -3)
        return math.nan if visit.static < -3 else visit.static


class LeafIsNotItsFactors(Faulty):
    """A bonus is added to the evaluation that no factor names."""

    def static(self, visit: Visit, values: list[float]) -> float:
        bonus = 0.5 if visit.level == 3 else 0.0
        self.note(visit, bonus != 0)
        return super().static(visit, values) + bonus


class LeafFromTheWrongSide(Faulty):
    """The horizon returns the evaluation as the mover sees it."""

    def leaf_score(self, visit: Visit) -> float:
        self.note(visit, visit.layer == "min" and visit.static != 0)
        return visit.seen(visit.static)


class StandPatFromTheWrongSide(Faulty):
    """Quiescence stands pat on the evaluation as the mover sees it."""

    def stand_pat_score(self, visit: Visit) -> float:
        self.note(visit, visit.layer == "min" and visit.static != 0)
        return visit.seen(visit.static)


class StandPatNotCounted(Faulty):
    """Quiescence asks if standing pat cuts, then forgets it: the mover must play a noisy ply."""

    def stand_pat(self, visit: Visit) -> bool:
        is_cut = super().stand_pat(visit)
        if not is_cut and visit.quiescence and visit.best > -math.inf:
            self.note(visit)
            visit.best = -math.inf
        return is_cut


class BestOfNoPly(Faulty):
    """Futility drops every ply of a node, and what the best began with, the worst loss, is returned."""

    def skip(self, visit: Visit, kept: list[Any]) -> tuple[list[Any], list[Any]]:
        kept, skipped = super().skip(visit, kept)
        if skipped and not kept and visit.level > 1:
            self.note(visit)
            visit.node.pop("estimate", None)
            visit.best = -self.options.mate_score
        return kept, skipped


class DrawOfNoPly(Faulty):
    """Futility drops every ply of a node, and the loop that tried none calls the game drawn."""

    def skip(self, visit: Visit, kept: list[Any]) -> tuple[list[Any], list[Any]]:
        kept, skipped = super().skip(visit, kept)
        if skipped and not kept and visit.level > 0:
            self.note(visit)
        return kept, skipped

    def finish(self, visit: Visit, score: float, bound: str, outcome: str, cut_by: str = "") -> None:
        if visit.id not in self.misdeeds:
            super().finish(visit, score, bound, outcome, cut_by)
            return
        visit.node.pop("estimate", None)
        visit.node["ending"] = "draw"
        super().finish(visit, self.draw_score(visit), "exact", "terminal")


class ClockReturnsZero(Faulty):
    """Time is up after so many nodes: each returns 0, and its parent takes that for a score."""

    def search_plies(self, visit: Visit) -> None:
        if self.next_id < 60 or visit.level == 0 or visit.quiescence or visit.depth <= 0:
            super().search_plies(visit)
            return
        self.note(visit)
        self.finish(visit, 0.0, "exact", "leaf")

    def document(self) -> dict[str, Any]:
        document = super().document()
        for row, _ in walked({"children": self.roots}):
            if row.get("id") in self.misdeeds:
                row.pop("outcome")
                row.pop("static", None)
        return document


class DrawFromTheWrongSide(Faulty):
    """Contempt turns with the mover: a draw is bad for whoever is to move."""

    def draw_score(self, visit: Visit) -> float:
        self.note(visit, visit.layer == "min")
        return visit.seen(super().draw_score(visit))


class MateWithoutDistance(Faulty):
    """A win is worth the same near and far, so it is put off for ever."""

    def ending_score(self, visit: Visit, word: str) -> float:
        if word == "draw":
            return super().ending_score(visit, word)
        self.note(visit)
        return math.copysign(self.options.mate_score, super().ending_score(visit, word))


class LayerByLevel(Faulty):
    """Layers alternate by level, although a player may move twice."""

    def layer(self, position: Any) -> str:
        return self._by_level() if self.path else super().layer(position)

    def _by_level(self) -> str:
        return ("max", "min")[len(self.path) % 2]

    def enter(self, *about: Any) -> Visit:
        visit = super().enter(*about)
        self.note(visit, visit.layer != super().layer(visit.position))
        return visit


class EvaluationOfThePath(Faulty):
    """The evaluation counts plies played since the root, so one position has several."""

    def values(self, position: Any) -> list[float]:
        first, *others = super().values(position)
        return [first + len(self.path), *others]

    def enter(self, *about: Any) -> Visit:
        visit = super().enter(*about)
        self.note(visit)
        return visit


class NullMoveBelowTheEdge(Faulty):
    """A null move that falls a point short of the edge cuts all the same."""

    def null_holds(self, visit: Visit, child: Visit) -> bool:
        is_short = visit.entry_high - 1 <= visit.seen(child.score) < visit.entry_high
        self.note(visit, is_short)
        return is_short or super().null_holds(visit, child)


class NullMoveCounts(Faulty):
    """The score of the null move counts as if it were that of a ply."""

    def null_holds(self, visit: Visit, child: Visit) -> bool:
        if not super().null_holds(visit, child):
            self.note(visit)
            visit.best = max(visit.best, visit.seen(child.score))
            return False
        return True


class EstimateBelowTheEdge(Faulty):
    """The estimate cuts where it comes within two points of the edge."""

    def guess_reaches(self, visit: Visit, guess: float) -> bool:
        self.note(visit, visit.entry_high - 2 <= guess < visit.entry_high)
        return guess >= visit.entry_high - 2


class ReducedUnverified(Faulty):
    """A late ply searched one ply less beats the window, and is believed."""

    def needs_verification(self, visit: Visit, child: Visit) -> bool:
        self.note(visit, super().needs_verification(visit, child))
        return False


class EstimateOverPrunes(Faulty):
    """The margin of the estimate is added to the evaluation, so that almost anything is cut."""

    def estimate(self, visit: Visit) -> bool:
        visit.static += 8.0
        is_cut = super().estimate(visit)
        visit.static -= 8.0
        self.note(visit, is_cut)
        return is_cut


class WrongEvaluation(Faulty):
    """A factor of the evaluation is miscounted, in every position alike."""

    def values(self, position: Any) -> list[float]:
        first, *others = super().values(position)
        return [-first, *others]

    def leaf_score(self, visit: Visit) -> float:
        self.note(visit)
        return super().leaf_score(visit)


class MissedRepetition(Faulty):
    """A position met again on the path is played on, not scored as a draw."""

    def is_repeated(self, visit: Visit) -> bool:
        self.note(visit, super().is_repeated(visit))
        return False


def bent(seed: int) -> World:
    """A world whose paths may come back to where they were."""
    return Maze(seed, 14, 3, returns=0.3)


QUIET = {"quiescence": 4, "depth": 3}
REDUCED = {"reductions": 1, "depth": 5}

FAULTS = (
    Fault(ScoreIsNoNumber, "wrong", "nan"),
    Fault(LeafIsNotItsFactors, "wrong", "static-sum"),
    Fault(LeafFromTheWrongSide, "wrong", "leaf"),
    Fault(StandPatFromTheWrongSide, "wrong", "stand-pat", QUIET),
    Fault(StandPatNotCounted, "wrong", "value", QUIET),
    Fault(DrawOfNoPly, "wrong", "over", {"frontier": 0.5}),
    Fault(ClockReturnsZero, "odd", "no-outcome"),
    Fault(BestOfNoPly, "declared", "mate-distance", {"frontier": 0.5}, declaration="mate"),
    Fault(DrawFromTheWrongSide, "declared", "terminal", {"draw": -2.0}, declaration="draw", world=ended),
    Fault(MateWithoutDistance, "declared", "terminal", declaration="mate", world=ended),
    Fault(LayerByLevel, "wrong", "layer"),
    Fault(EvaluationOfThePath, "twice", "key-static", {"depth": 5}, declaration="static_pure", world=small),
    Fault(NullMoveBelowTheEdge, "wrong", "cut", {"null_move": 1, "depth": 5}),
    Fault(NullMoveCounts, "wrong", "value", {"null_move": 1, "depth": 5}),
    Fault(EstimateBelowTheEdge, "wrong", "cut", {"futility": 1.0}),
    Fault(ReducedUnverified, "wrong", "reduced-unverified", REDUCED),
    Fault(EstimateOverPrunes, "against", "against", {"futility": 1.0}, other={"futility": None}),
    Fault(WrongEvaluation, "against", "against"),
    Fault(MissedRepetition, "against", "against", {"repetition": True, "depth": 5}, world=bent),
)
