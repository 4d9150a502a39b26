"""An animal of the zoo: a second engine with exactly one fault, and where the fault must be seen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final

from tests.second_engine.engine import SecondEngine
from tests.second_engine.options import SecondOptions
from tests.second_engine.visit import Entry, Visit
from tests.second_engine.worlds import Maze, World

CLASSES: Final = {
    "wrong": "wrong, in one log as it is",
    "waste": "waste, in one log as it is",
    "odd": "odd, in one log as it is",
    "declared": "wrong, only with a declaration",
    "twice": "wrong, only where a position is met twice",
    "replay": "not in one log alone: replayed in its game",
    "against": "not in one log alone: against another log",
}


class Faulty(SecondEngine):
    """A second engine that notes where its fault did something that a sound search would not have done."""

    SOUND: ClassVar[Any] = SecondEngine
    """The same without a fault; what both are asked for is OPTIONS, DEFAULTS where nothing else is said."""
    OPTIONS: ClassVar[Any] = SecondOptions
    DEFAULTS: ClassVar[Mapping[str, Any]] = {"depth": 4}

    def __init__(self, world: World, options: SecondOptions, carried: dict[int, Entry] | None = None) -> None:
        super().__init__(world, options, carried)
        self.misdeeds: list[int] = []

    def note(self, visit: Visit, is_misdeed: bool = True) -> None:
        """Remember the visit where the fault changed what happened."""
        if is_misdeed:
            self.misdeeds.append(visit.id)


def maze(seed: int) -> World:
    """The world in which most faults are looked for."""
    return Maze(seed, 40, 5)


def small(seed: int) -> World:
    """A world with many transpositions."""
    return Maze(seed, 16, 4)


def ended(seed: int) -> World:
    """A world whose games end soon, many of them drawn."""
    return Maze(seed, 16, 3)


@dataclass(frozen=True, eq=False)
class Fault:
    """One entry of the zoo."""

    engine: Any
    """A class as `Faulty` is: of a second engine, a Monte Carlo search, or one for chance or many players."""
    kind: str
    """One of CLASSES."""
    rule: str
    """The rule that must find it; `against` where two logs are compared."""
    options: Mapping[str, Any] = field(default_factory=dict)
    declaration: str = ""
    """The word in `search` without which the rule stays silent, for the kind `declared`."""
    world: Callable[[int], World] = maze
    other: Mapping[str, Any] = field(default_factory=dict)
    """What the sound search does otherwise against whose log this one is held."""

    @property
    def name(self) -> str:
        """The class's name as words."""
        letters = [f" {letter.lower()}" if letter.isupper() else letter for letter in self.engine.__name__]
        return "".join(letters).strip()

    @property
    def what(self) -> str:
        """A sentence on the fault: the first line of the class's docstring."""
        return (self.engine.__doc__ or "").strip().splitlines()[0]

    @property
    def search_options(self) -> Any:
        """The options of the faulty search."""
        return self.engine.OPTIONS(**{**self.engine.DEFAULTS, **self.options})

    def sound(self, seed: int) -> Any:
        """The search without the fault, not run yet."""
        said = {**vars(self.search_options), **self.other}
        return self.engine.SOUND(self.world(seed), self.engine.OPTIONS(**said))
