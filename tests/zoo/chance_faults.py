"""Faults at chance nodes, and in games of more than two players."""

from __future__ import annotations

from collections.abc import Sequence
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


class Gamble(Noting, Dice):
    """Expectiminimax with a fault in its means."""

    SOUND: ClassVar = Dice
    OPTIONS: ClassVar = DiceStyle

    def wrong_mean(self, outcomes: Sequence[Outcome], scores: Sequence[float]) -> float:
        """The mean that the fault makes of the outcomes."""
        raise NotImplementedError

    def mean(self, outcomes: list[Outcome], scores: list[float]) -> float:
        right, wrong = super().mean(outcomes, scores), self.wrong_mean(outcomes, scores)
        self.note(wrong != right)
        return wrong


class OutcomesCountedAlike(Gamble):
    """The mean over the outcomes is a plain one, however likely they are."""

    def wrong_mean(self, outcomes: Sequence[Outcome], scores: Sequence[float]) -> float:
        return sum(scores) / len(scores)


class LikeliestOutcomeOnly(Gamble):
    """A chance node is worth what its likeliest outcome is; the others are searched for nothing."""

    def wrong_mean(self, outcomes: Sequence[Outcome], scores: Sequence[float]) -> float:
        return max(zip(outcomes, scores, strict=True), key=lambda each: each[0].likelihood)[1]


class ChancePlaysForTheRoot(Gamble):
    """Chance is taken for one more move of the root player: its best outcome counts."""

    def wrong_mean(self, outcomes: Sequence[Outcome], scores: Sequence[float]) -> float:
        return max(scores)


class SumOfOutcomes(Gamble):
    """The scores of the outcomes are added up, and not divided."""

    def wrong_mean(self, outcomes: Sequence[Outcome], scores: Sequence[float]) -> float:
        return sum(scores)


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


class ChoosesOtherwise(Gathering):
    """Players take a child that is not the best for them."""

    def chosen(self, vectors: list[Vector], player: int) -> Vector:
        vector = super().chosen(vectors, player)
        self.note(vector[player] < max(each[player] for each in vectors))
        return vector


class ChoosesForWhoIsNext(ChoosesOtherwise):
    """Each player takes the child that is best for the one who moves after it."""

    def worth(self, vector: Vector, player: int) -> float:
        return super().worth(vector, (player + 1) % len(vector))


class ParanoidAmongMany(ChoosesOtherwise):
    """The others choose what is worst for the root player, though the tree is one of maxn."""

    def worth(self, vector: Vector, player: int) -> float:
        return vector[player] if player == self.root else -vector[self.root]


class VectorOfAnotherChild(Gathering):
    """The mover's own part is that of its best child, the parts of the others are those of the last one."""

    def chosen(self, vectors: list[Vector], player: int) -> Vector:
        best, last = super().chosen(vectors, player), vectors[-1]
        mixed = tuple(best[each] if each == player else last[each] for each in range(len(last)))
        right = [vector for vector in vectors if vector[player] == best[player]]
        self.note(mixed not in right)
        return mixed


class ScoreOfTheLastChild(Gathering):
    """The vector is that of the best child, the score beside it that of the child searched last."""

    last: Vector = ()

    def chosen(self, vectors: list[Vector], player: int) -> Vector:
        vector = super().chosen(vectors, player)
        self.last = vectors[-1]
        return vector

    def leaf(self, draw: Any) -> Vector:
        self.last = super().leaf(draw)
        return self.last

    def score(self, vector: Vector, player: int) -> float:
        self.note(self.last[self.root] != vector[self.root])
        return self.last[self.root]


# These engines draw their worlds from the seed itself.
FAULTS = (
    Fault(OutcomesCountedAlike, "wrong", "chance", world=int),
    Fault(LikeliestOutcomeOnly, "wrong", "chance", world=int),
    Fault(ChancePlaysForTheRoot, "wrong", "chance", world=int),
    Fault(SumOfOutcomes, "wrong", "chance", {"priors": "none"}, world=int),
    Fault(AnotherPlayersComponent, "wrong", "maxn", world=int),
    Fault(ChoosesForWhoIsNext, "wrong", "maxn", world=int),
    Fault(ParanoidAmongMany, "wrong", "maxn", world=int),
    Fault(VectorOfAnotherChild, "wrong", "maxn", world=int),
    Fault(ScoreOfTheLastChild, "wrong", "maxn", world=int),
)
