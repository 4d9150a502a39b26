"""Faults of what a parent takes for a visit (`counted_as`), and of estimates that stand in for plies."""

from __future__ import annotations

from tests.second_engine.visit import Visit, Window, written
from tests.zoo.fault import Fault, Faulty


class CountedAsIgnored(Faulty):
    """At one layer the toll of a ply is written, and the score is taken as it was."""

    def taken(self, visit: Visit, child: Visit) -> float:
        right = super().taken(visit, child)
        if visit.layer == "max" or right == child.score:
            return right
        self.note(visit)
        return child.score

    def say_taken(self, visit: Visit, child: Visit) -> None:
        right = super().taken(visit, child)
        if right != child.score:
            child.node["counted_as"] = written(right)


class TollOnTheWrongSide(Faulty):
    """The window below is moved by the toll to the wrong side."""

    def window_below(self, visit: Visit, low: float, high: float) -> Window:
        right = super().window_below(visit, low, high)
        toll = self.options.toll
        wrong = visit.window_of(self.untolled(low) - 3 * toll, self.untolled(high) - 3 * toll)
        if visit.level != 1 or wrong == right:
            return right
        self.note(visit)
        return wrong


class ScoutHeldAgainstItsToll(Faulty):
    """A scout is searched again only where it beats the best by another toll."""

    def needs_research(self, visit: Visit, child: Visit) -> bool:
        needs = super().needs_research(visit, child)
        seen = visit.seen(self.taken(visit, child)) - self.options.toll
        still = max(visit.low, visit.best) + self.options.null_width <= seen
        self.note(visit, needs and not still)
        return needs and still


class TakenAtItsScoreByTheCut(Faulty):
    """The test for a cut takes the last child's score as it was, before its toll."""

    def reaches(self, visit: Visit) -> bool:
        right = super().reaches(visit)
        if right or visit.best_child is None or visit.level != 1:
            return right
        is_cut = visit.seen(visit.best_child.score) >= visit.high
        self.note(visit, is_cut)
        return is_cut


class EstimateForgottenInTheBest(Faulty):
    """The plies that futility skips are dropped, and their estimate is not taken into the best."""

    def take_estimate(self, visit: Visit, guess: float) -> None:
        self.note(visit, guess > visit.best)


class EstimateLiftsTheWrongSide(Faulty):
    """An estimate narrows the other side's edge in place of the mover's."""

    def child_window(self, visit: Visit) -> Window:
        right = super().child_window(visit)
        if "estimate" not in visit.node or visit.best_child is not None:
            return right
        guess = visit.seen(float(visit.node["estimate"]))
        if not visit.low < guess < visit.high:
            return right
        self.note(visit)
        return visit.window_of(visit.low, guess)


class EstimateAboveItsPlies(Faulty):
    """The margin of futility is added twice in what is returned and once in what is written."""

    def take_estimate(self, visit: Visit, guess: float) -> None:
        self.note(visit, guess + 2.0 > visit.best)
        super().take_estimate(visit, guess + 2.0)


TOLL = {"toll": 1.0}
LIFTED = {"lift": 1.0}
SKIPPING = {"frontier": 1.0}

FAULTS = (
    Fault(CountedAsIgnored, "wrong", "value", TOLL),
    Fault(TollOnTheWrongSide, "wrong", "window", TOLL),
    Fault(ScoutHeldAgainstItsToll, "wrong", "research-missing", {"algorithm": "pvs", **TOLL}),
    Fault(TakenAtItsScoreByTheCut, "wrong", "cut", TOLL),
    Fault(EstimateForgottenInTheBest, "wrong", "value", LIFTED),
    Fault(EstimateLiftsTheWrongSide, "wrong", "window", LIFTED),
    Fault(EstimateAboveItsPlies, "wrong", "value", SKIPPING),
)
