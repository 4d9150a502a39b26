"""Faults at chance nodes, and in games of more than two players."""

from __future__ import annotations

from typing import Any, ClassVar

from tests.foreign_engines.dice import Dice, DiceStyle, Outcome
from tests.foreign_engines.many import Many, ManyStyle, Vector
from tests.foreign_engines.paper import Paper
from tests.zoo.fault import Fault


class Noting:
    """Notes where a fault changed what came out."""

    DEFAULTS: ClassVar[dict[str, Any]] = {}
    paper: Paper

    def __init__(self, *about: Any) -> None:
        super().__init__(*about)
        self.misdeeds: list[int] = []

    def note(self, is_misdeed: bool) -> None:
        if is_misdeed:
            self.misdeeds.append(self.paper.path[-1]["id"])


class SumOfOutcomes(Noting, Dice):
    """The scores of the outcomes are added up, and not divided."""

    SOUND: ClassVar = Dice
    OPTIONS: ClassVar = DiceStyle

    def mean(self, outcomes: list[Outcome], scores: list[float]) -> float:
        right, wrong = super().mean(outcomes, scores), self.part(scores)
        self.note(wrong != right)
        return wrong

    def part(self, scores: list[float]) -> float:
        return sum(scores)


class OutcomesCountedAlike(SumOfOutcomes):
    """The mean over the outcomes is a plain one, however likely they are."""

    def part(self, scores: list[float]) -> float:
        return sum(scores) / len(scores)


class Gathering(Noting, Many):
    """Maxn of three players with a fault."""

    SOUND: ClassVar = Many
    OPTIONS: ClassVar = ManyStyle


class AnotherPlayersComponent(Gathering):
    """The score beside the vector is the part of the player after the root player."""

    def score(self, vector: Vector, player: int) -> float:
        wrong = vector[(self.root + 1) % len(vector)]
        self.note(wrong != super().score(vector, player))
        return wrong


class ChoosesForWhoIsNext(Gathering):
    """Each player takes the child that is best for the one who moves after it."""

    def chosen(self, vectors: list[Vector], player: int) -> Vector:
        vector = super().chosen(vectors, player)
        self.note(vector[player] < max(each[player] for each in vectors))
        return vector

    def worth(self, vector: Vector, player: int) -> float:
        return super().worth(vector, (player + 1) % len(vector))


class VectorOfAnotherChild(Gathering):
    """The mover's own part is that of its best child, the parts of the others are those of the last one."""

    def chosen(self, vectors: list[Vector], player: int) -> Vector:
        best, last = super().chosen(vectors, player), vectors[-1]
        mixed = tuple(best[each] if each == player else last[each] for each in range(len(last)))
        right = [vector for vector in vectors if vector[player] == best[player]]
        self.note(mixed not in right)
        return mixed


# These engines draw their worlds from the seed itself.
FAULTS = (
    Fault(OutcomesCountedAlike, "wrong", "chance", world=int),
    Fault(SumOfOutcomes, "wrong", "chance", {"priors": "none"}, world=int),
    Fault(AnotherPlayersComponent, "wrong", "maxn", world=int),
    Fault(ChoosesForWhoIsNext, "wrong", "maxn", world=int),
    Fault(VectorOfAnotherChild, "wrong", "maxn", world=int),
)
