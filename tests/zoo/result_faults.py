"""Faults of the plies, the depth, the limits and what is reported at the end."""

from __future__ import annotations

from typing import Any

from plyscope.engine.games import tictactoe
from tests.second_engine.engine import OutOfNodes
from tests.second_engine.visit import INF, Visit, Window
from tests.second_engine.worlds import KernelWorld, World
from tests.zoo.fault import Fault, Faulty, small


class PrunedPliesForgotten(Faulty):
    """A cut of a min node leaves no stub: its siblings vanish from the log."""

    def add_stub(self, visit: Visit, outcome: str, scored: list[tuple[float, Any]]) -> None:
        if outcome == "pruned" and scored and visit.layer == "min":
            self.note(visit)
            return
        super().add_stub(visit, outcome, scored)


class LimitBeforeSorting(Faulty):
    """The branching limit keeps the first plies generated; only then they are sorted."""

    def select(self, visit: Visit, scored: list[tuple[float, Any]]) -> tuple[list[Any], list[Any]]:
        limit = len(scored) if self.options.limit is None else self.options.limit
        kept, limited = scored[:limit], scored[limit:]
        if limited:
            worst = min(visit.seen(score) for score, _ in kept)
            self.note(visit, worst < max(visit.seen(score) for score, _ in limited))
        return sorted(kept, key=lambda each: -visit.seen(each[0])), limited


class EqualBoundReplacesTheBest(Faulty):
    """A ply with an equal score replaces the best one, although its score is an upper bound."""

    def improves(self, visit: Visit, child: Visit) -> bool:
        is_equal = visit.best_child is not None and visit.seen(child.score) == visit.best
        self.note(visit, is_equal)
        return is_equal or super().improves(visit, child)


class DepthNotDecremented(Faulty):
    """Children of level 1 are searched as deep as their parent."""

    def child_depth(self, visit: Visit) -> float:
        self.note(visit, visit.level == 1)
        return visit.depth if visit.level == 1 else super().child_depth(visit)


class AspirationFailureBelieved(Faulty):
    """A score outside the aspiration window is not searched again."""

    def held(self, root: Visit, window: Window) -> bool:
        self.note(root, not super().held(root, window))
        return True

    def chosen_root(self) -> int:
        return len(self.root_visits) - 1


class StoppedResultUsed(Faulty):
    """When the nodes run out, what was found so far is returned as if the node were finished."""

    def search_plies(self, visit: Visit) -> None:
        try:
            super().search_plies(visit)
        except OutOfNodes:
            if visit.best == -INF or visit.parent is None:
                raise
            self.note(visit)
            self.finish(visit, visit.seen(visit.best), self.bound_of(visit), "searched")


class VariationOfTheLastPly(Faulty):
    """The variation goes on with the last ply searched, not with the best."""

    def variation(self, root: Visit) -> list[str]:
        plies = super().variation(root)
        last = [child for child in root.node["children"] if "ply" in child][-1]
        self.note(root, last["ply"] != plies[0])
        return [last["ply"]]


class PliesOfThePath(Faulty):
    """One ply is lost at odd levels, so one position has several numbers of plies."""

    def generate(self, visit: Visit) -> list[Any]:
        plies = super().generate(visit)
        if visit.level % 2 == 0 or len(plies) < 2:
            return plies
        self.note(visit)
        visit.node["moves"] -= 1
        return plies[:-1]


class MissingPlies(Faulty):
    """The last ply generated is lost in some positions, always the same ones."""

    def generate(self, visit: Visit) -> list[Any]:
        plies = super().generate(visit)
        if len(plies) < 3 or self.key_of(visit.position) % 3:
            return plies
        self.note(visit)
        visit.node["moves"] -= 1
        return plies[:-1]


class PlyLostInAKnownGame(MissingPlies):
    """The last cell is no ply in some positions of tic-tac-toe."""


class WinNotSeen(Faulty):
    """A finished game of tic-tac-toe is taken for one that goes on, and evaluated."""

    def end_game(self, visit: Visit) -> bool:
        self.note(visit, self.world.ending(visit.position) != "")
        return False


def tictactoe_world(seed: int) -> World:
    """Tic-tac-toe from a few openings."""
    openings = ("... ... ...", "X.. ... ...", ".O. .X. ...", "XO. ... ..X O")
    return KernelWorld(tictactoe.GAME, openings[seed % len(openings)], alternates=True)


ASPIRATION = {"iterative": True, "depth": 5, "aspiration": 0.25}

FAULTS = (
    Fault(PrunedPliesForgotten, "wrong", "moves"),
    Fault(LimitBeforeSorting, "wrong", "limit-order", {"limit": 2}),
    Fault(EqualBoundReplacesTheBest, "wrong", "result"),
    Fault(AspirationFailureBelieved, "wrong", "result", ASPIRATION),
    Fault(VariationOfTheLastPly, "wrong", "result"),
    Fault(StoppedResultUsed, "wrong", "stopped-used", {"nodes": 20}),
    Fault(DepthNotDecremented, "odd", "depth-step"),
    Fault(PliesOfThePath, "twice", "key-moves", {"depth": 5}, world=small),
    Fault(PlyLostInAKnownGame, "replay", "replay", {"depth": 3}, world=tictactoe_world),
    Fault(WinNotSeen, "replay", "replay", {"depth": 5, "limit": 3}, world=tictactoe_world),
    Fault(MissingPlies, "against", "against"),
)
