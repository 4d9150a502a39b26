"""Faults of Monte Carlo tree searches: of what is backed up, what is selected, and what is played."""

from __future__ import annotations

from typing import Any, Final

from tests.second_engine.monte_carlo import Edge, MonteCarlo, Node
from tests.second_engine.tree_options import TreeOptions
from tests.second_engine.worlds import Maze, World
from tests.zoo.fault import Fault


class FaultyTree(MonteCarlo):
    """A Monte Carlo search that notes the nodes where its fault did something else than a sound one."""

    SOUND: Final = MonteCarlo
    OPTIONS: Final = TreeOptions
    DEFAULTS: Final[dict[str, Any]] = {}

    def __init__(self, world: World, options: TreeOptions) -> None:
        super().__init__(world, options)
        self.noted: list[Node] = []

    def note(self, node: Node, is_misdeed: bool = True) -> None:
        """Remember the node where the fault changed what happened."""
        if is_misdeed:
            self.noted.append(node)

    @property
    def misdeeds(self) -> list[int]:
        """Their ids, once the log is written."""
        return sorted({self.ids[id(node)] for node in self.noted if id(node) in self.ids})


class ResultNotTurned(FaultyTree):
    """At level 2 a result is backed up as the other player sees it, so that means are mirrored there."""

    def credit(self, node: Node, level: int, value: float, place: int) -> None:
        self.note(node, level == 2 and value != 0.5)
        super().credit(node, level, 1.0 - value if level == 2 else value, place)


class EndingNotTurned(FaultyTree):
    """A finished game is backed up as the other player sees it."""

    def back_up(self, path: list[Node], value: float, place: int) -> None:
        is_over = bool(self.world.ending(path[-1].position))
        self.note(path[-1], is_over and value != 0.5)
        turned = (1.0 - value, 2 - place if place >= 0 else place)
        super().back_up(path, *(turned if is_over else (value, place)))


class VisitCountedTwice(FaultyTree):
    """The last child of a path is credited twice, its parents once."""

    def back_up(self, path: list[Node], value: float, place: int) -> None:
        super().back_up(path, value, place)
        if len(path) > 1:
            self.note(path[-1])
            self.note(path[-2])
            self.credit(path[-1], len(path) - 1, value, place)


class WinCountedAsLoss(FaultyTree):
    """At level 1 a win is counted among the losses, while the mean is right."""

    def credit(self, node: Node, level: int, value: float, place: int) -> None:
        self.note(node, level == 1 and place == 0)
        super().credit(node, level, value, 2 if level == 1 and place == 0 else place)


class ChildNeverTried(FaultyTree):
    """The loop over the children of the root ends one too early."""

    def edges_of(self, node: Node) -> list[Edge]:
        edges = super().edges_of(node)
        if node is not self.root or len(edges) < 2:
            return edges
        self.note(node)
        return edges[:-1]


class ChosenByUrgency(FaultyTree):
    """The ply with the highest UCB term is played, not the one with the most visits."""

    def chosen(self) -> Edge:
        visited = [edge for edge in self.root.edges or [] if edge.node.visits]
        chosen = max(visited, key=lambda edge: self.urgency(self.root, edge, [self.root]))
        self.note(chosen.node, chosen is not super().chosen())
        return chosen


class VisitsOfTheRoot(FaultyTree):
    """UCB1 takes the visits of the root for those of the parent."""

    def n_parent(self, node: Node, path: list[Node]) -> int:
        self.note(node, self.root.visits > node.visits)
        return max(self.root.visits, 1)


class ScoreOfTheFirstPly(FaultyTree):
    """The most visited ply is played, but the mean of the first one is reported as its score."""

    def header(self) -> dict[str, Any]:
        header = super().header()
        first = next(edge.node for edge in self.root.edges or [] if edge.node.visits)
        means = [node.mean for node in (first, self.chosen().node, self.root)]
        self.note(self.chosen().node, min(abs(means[0] - mean) for mean in means[1:]) > 0.01)
        header["result"]["score"] = self.seen(first.mean, True)
        return header


class OpponentHelps(FaultyTree):
    """The opponent's replies are selected by the mean of the root player, as it sees them."""

    def urgency(self, node: Node, edge: Edge, path: list[Node]) -> float:
        exploit, explore, _, _ = self.terms(node, edge, path)
        self.note(node, not self.is_roots(node))
        return exploit + explore


def wide(seed: int) -> World:
    """A maze in which most positions have several plies."""
    return Maze(seed, 120, 8)


MANY: Final = {"playouts": 400, "keys": False}
KEYED: Final = {**MANY, "keys": True}
"""Without keys some sums may be those of shared positions."""

FAULTS: Final = (
    Fault(ResultNotTurned, "wrong", "mean", KEYED, world=wide),
    Fault(EndingNotTurned, "wrong", "ending-mean", MANY, world=wide),
    Fault(VisitCountedTwice, "wrong", "visits", KEYED, world=wide),
    Fault(WinCountedAsLoss, "wrong", "visits", MANY, world=wide),
    Fault(ChosenByUrgency, "wrong", "choice", MANY, world=wide),
    Fault(ScoreOfTheFirstPly, "wrong", "choice", MANY, world=wide),
    Fault(VisitsOfTheRoot, "wrong", "choice", MANY, world=wide),
    Fault(OpponentHelps, "odd", "descent", {**MANY, "playouts": 1600}, world=wide),
    Fault(ChildNeverTried, "odd", "choice", MANY, world=wide),
)
