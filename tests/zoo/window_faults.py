"""Faults of windows, cuts, scouts and the folding of children."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tests.second_engine.visit import INF, Visit, Window
from tests.zoo.fault import Fault, Faulty


class WrongSignAtOneLayer(Faulty):
    """Children of min nodes at level 1 are folded with the wrong sign."""

    def take(self, visit: Visit, child: Visit) -> None:
        if visit.level == 1 and visit.layer == "min" and child.score != 0:
            child = replace(child, node=child.node | {"score": 0.0 - child.score})
            self.note(visit)
        super().take(visit, child)


class CutOnlyWhereBetter(Faulty):
    """`>` where `>=` belongs in the cut: a score equal to the edge does not cut."""

    def reaches(self, visit: Visit) -> bool:
        self.note(visit, visit.best == visit.high)
        return self.options.algorithm != "minimax" and visit.best > visit.high


class OwnBestNotPassedOn(Faulty):
    """Children get the node's window on entry: the best so far does not narrow it."""

    def child_window(self, visit: Visit) -> Window:
        self.note(visit, super().child_window(visit) != visit.window)
        return visit.window


class NarrowedWindowForgotten(Faulty):
    """Children get the parent's edges on entry in place of those that the table narrowed."""

    def child_window(self, visit: Visit) -> Window:
        low, high = visit.window_of(*visit.window)
        window = visit.window_of(max(low, visit.best), high)
        self.note(visit, window != super().child_window(visit))
        return window


class WindowTooNarrow(Faulty):
    """The mover's best so far is passed on one point too high."""

    def child_window(self, visit: Visit) -> Window:
        low = max(visit.low, visit.best)
        if low > -INF and low + 1 < visit.high:
            self.note(visit)
            return visit.window_of(low + 1, visit.high)
        return super().child_window(visit)


class CutReturnsTheBound(Faulty):
    """A cut returns the edge of the window in a search that says it is fail-soft."""

    def finish(self, visit: Visit, score: float, bound: str, outcome: str, cut_by: str = "") -> None:
        if cut_by == "child" and visit.seen(score) > visit.high:
            self.note(visit)
            score = visit.seen(visit.high)
        super().finish(visit, score, bound, outcome, cut_by)


class SoftThatSaysHard(Faulty):
    """Fail-hard is declared, but no score is drawn into the window."""

    def clamp(self, visit: Visit, score: float) -> float:
        self.note(visit, super().clamp(visit, score) != score)
        return score


class CutAtTheWrongLayer(Faulty):
    """Min nodes cut where the score reaches beta, as max nodes do."""

    def reaches(self, visit: Visit) -> bool:
        if visit.layer == "max" or visit.best == -INF:
            return super().reaches(visit)
        is_cut = visit.seen(visit.best) >= visit.window.beta
        self.note(visit, is_cut and not super().reaches(visit))
        return is_cut


class ScoutOnTheWrongSide(Faulty):
    """The scout's null window lies at the other side's edge."""

    def scout_window(self, visit: Visit) -> Window:
        if visit.high < INF:
            self.note(visit)
            return visit.window_of(visit.high - self.options.null_width, visit.high)
        return super().scout_window(visit)


class ScoutNotSearchedAgain(Faulty):
    """A scout that beats its window is believed: its bound passes for a score."""

    def needs_research(self, visit: Visit, child: Visit) -> bool:
        self.note(visit, super().needs_research(visit, child))
        return False


class ResearchAboveTheScout(Faulty):
    """The re-search starts above what the scout has shown."""

    def research_window(self, visit: Visit, child: Visit) -> Window:
        low = visit.seen(child.score) + 0.5
        if low < visit.high:
            self.note(visit)
            return visit.window_of(low, visit.high)
        return super().research_window(visit, child)


class ResearchForgotten(Faulty):
    """A ply is searched again, but the scout's score is the one that is kept."""

    def search_ply(self, visit: Visit, place: int, pre_score: float, ply: Any) -> Visit:
        before = len(visit.node.get("children", []))
        last = super().search_ply(visit, place, pre_score, ply)
        first = visit.node["children"][before]
        if last.purpose == "research" and first["score"] != last.node["score"]:
            self.note(visit)
            return replace(last, node=last.node | {"score": first["score"]})
        return last


class BoundLabelledExact(Faulty):
    """A score beyond the window is labelled exact."""

    def bound_of(self, visit: Visit) -> str:
        self.note(visit, super().bound_of(visit) != "exact")
        return "exact"


PVS = {"algorithm": "pvs"}
NARROW = {"table": True, "table_use": "narrow", "depth": 5}

FAULTS = (
    Fault(WrongSignAtOneLayer, "wrong", "value"),
    Fault(CutReturnsTheBound, "wrong", "value"),
    Fault(SoftThatSaysHard, "declared", "declared-fail", {"fail": "hard"}, declaration="fail"),
    Fault(ResearchForgotten, "wrong", "value", PVS),
    Fault(WindowTooNarrow, "wrong", "window"),
    Fault(ScoutOnTheWrongSide, "wrong", "window", PVS),
    Fault(ResearchAboveTheScout, "wrong", "window", PVS),
    Fault(OwnBestNotPassedOn, "waste", "window-wide"),
    Fault(NarrowedWindowForgotten, "waste", "window-wide", NARROW),
    Fault(CutAtTheWrongLayer, "wrong", "cut"),
    Fault(CutOnlyWhereBetter, "waste", "cut-missed"),
    Fault(ScoutNotSearchedAgain, "wrong", "research-missing", PVS),
    Fault(BoundLabelledExact, "wrong", "claim"),
)
