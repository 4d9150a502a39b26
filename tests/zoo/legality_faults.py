"""Faults of what may be done in a position: no ply at all, a null move, standing pat."""

from __future__ import annotations

from typing import Any

from tests.second_engine.visit import Visit
from tests.unit.logs import walked
from tests.zoo.fault import Fault, Faulty, ended


class StalemateNotSeen(Faulty):
    """A drawn end of the game is searched on: the loop over no plies returns what it began with."""

    def draw_is_missed(self, visit: Visit) -> bool:
        return self.world.ending(visit.position) == "draw" and visit.depth > 0

    def end_game(self, visit: Visit) -> bool:
        return False if self.draw_is_missed(visit) else super().end_game(visit)

    def search_plies(self, visit: Visit) -> None:
        if not self.draw_is_missed(visit):
            super().search_plies(visit)
            return
        self.note(visit)
        visit.node["moves"] = 0
        self.finish(visit, visit.seen(-self.options.mate_score - 1), "exact", "searched")


class NullMoveInCheck(Faulty):
    """The null move is tried in check as well."""

    def may_pass(self, visit: Visit) -> bool:
        if not self.world.in_check(visit.position):
            return super().may_pass(visit)
        may = visit.parent is not None and visit.purpose != "null" and visit.depth >= 2
        may = may and visit.entry_high < float("inf") and not visit.quiescence
        self.note(visit, may)
        return may


class StandPatInCheck(Faulty):
    """Quiescence stands pat in check, where the mover cannot decline to move."""

    def may_stand_pat(self, visit: Visit) -> bool:
        self.note(visit, not super().may_stand_pat(visit))
        return True


class PointAddedOnTheWayUp(Faulty):
    """No layer is logged, and nodes of level 1 return half a point more than their best child has."""

    def document(self) -> dict[str, Any]:
        document = super().document()
        for node, _ in walked({"children": self.roots}):
            for name in ("layer", "player", "alpha", "beta", "bound"):
                node.pop(name, None)
        return document

    def finish(self, visit: Visit, score: float, bound: str, outcome: str, cut_by: str = "") -> None:
        is_wrong = visit.level == 1 and outcome == "searched"
        self.note(visit, is_wrong)
        super().finish(visit, score + 0.5 if is_wrong else score, bound, outcome, cut_by)


FAULTS = (
    Fault(StalemateNotSeen, "wrong", "no-plies", world=ended),
    Fault(PointAddedOnTheWayUp, "wrong", "value"),
    Fault(NullMoveInCheck, "odd", "in-check", {"null_move": 1, "depth": 5}),
    Fault(StandPatInCheck, "odd", "in-check", {"quiescence": 4, "depth": 3}),
)
