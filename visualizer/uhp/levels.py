"""The strength of the engine by level: a table of knowledge, depth, branching limit and randomness.

A level is weak as a person is: it looks less far ahead, considers fewer plies (those that look best at once),
and now and then takes the second or third best; the first one knows only some factors. The highest level has
no depth of its own: it uses the time or depth that `bestmove` gives.
Also the options that a viewer may list, get and set, with the protocol's types.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

from plyscope.engine.games.hive import GAME
from plyscope.engine.options import SearchOptions
from plyscope.engine.quoting import quoted
from plyscope.visualizer.uhp.match import CommandError


@dataclass(frozen=True)
class Level:
    """The plies looked ahead (None: all that the time allows), the plies kept at each node, the quotient.

    `knows` names the factors that it judges by, all where None; a level that `proves` searches a win or loss
    again, all replies kept, until it is proven or refuted.
    """

    depth: int | None
    limit: int
    quotient: int | None
    reason: str
    knows: tuple[str, ...] | None = None
    proves: bool = False

    @property
    def weights(self) -> Mapping[str, float]:
        """The weights that differ from the game's own.

        >>> sorted(set(GAME.factors) - set(LEVELS[1].weights)), dict(LEVELS[2].weights)
        (['hand', 'queen_distance', 'queen_ring'], {})
        """
        return {name: 0.0 for name in GAME.factors if self.knows is not None and name not in self.knows}


FIRST_KNOWLEDGE: Final = ("queen_ring", "hand", "queen_distance")
"""The factors of a beginner: surround the queen, bring pieces in, come near."""

LEVELS: Final[Mapping[int, Level]] = {
    1: Level(1, 60, 2, "gets its pieces near the other queen, as beginners do", FIRST_KNOWLEDGE),
    2: Level(1, 60, 2, "knows more, but sees its own plies only, every second time not the best of them"),
    3: Level(2, 12, 3, "sees an answer, but only to the plies that look best"),
    4: Level(2, 30, 20, "sees most answers, and rarely slips"),
    5: Level(3, 14, 6, "plans a ply of its own behind the answer"),
    6: Level(4, 14, 6, "sees two plies of its own, each with the answer"),
    7: Level(4, 30, 30, "the same, wider, and hardly ever slips"),
    8: Level(5, 30, None, "plays its best, mostly within a second", proves=True),
    9: Level(None, 30, None, "plays its best in all the time it is given", proves=True),
}
"""Each takes about two points of three from the one below, in a match of their options."""
STRONGEST: Final = max(LEVELS)

DEPTH_WITHOUT_ASKING: Final = 4
"""The depth where neither the level, the command nor an option states one."""
DEEPEST: Final = 30
"""Plies ahead where time decides, and at most; no search of Hive gets so far."""

MOST_PLIES: Final = 1_000
"""Plies considered at a node at most, where an option asks for more than the level does: all there are."""

QUOTIENT_OF_STRONGEST: Final = 9
"""With which the levels without a quotient draw where an option asks for it."""

TABLE_MB: Final = 64


def search_options(
    level: int,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    most_depth: int | None = None,
    limit: int | None = None,
    quotient: int | Literal["level", "off"] = "level",
    seed: int | None = None,
    evaluation: str | None = None,
    record: bool = False,
) -> SearchOptions:
    """The search of a level.

    `depth` is that of `bestmove depth` and replaces the level's; with `seconds` the search deepens until it
    has to stop or has reached the level's depth. `most_depth` caps all of these; a `limit` replaces the
    level's. Another `evaluation` has weights of its own at every level.

    >>> search_options(3).depth, search_options(3, depth=5).depth, search_options(9, seconds=2).depth
    (2, 5, 30)
    """
    chosen = LEVELS[level]
    plies = depth or chosen.depth or (DEPTH_WITHOUT_ASKING if seconds is None else DEEPEST)
    plies = min(plies, most_depth or DEEPEST, DEEPEST)
    wanted = chosen.quotient if quotient == "level" else None if quotient == "off" else quotient
    return SearchOptions(
        depth=plies,
        limit=limit or chosen.limit,
        evaluation=evaluation,
        weights=chosen.weights if evaluation is None else {},
        seconds=seconds,
        algorithm="pvs",
        iterative=plies > 1,
        quotient=wanted,
        seed=None if wanted is None else seed,
        record=record,
        keep="last",
        table=TABLE_MB if plies > 1 else None,
        killers=True,
        prove_wins=chosen.proves,
    )


Value = bool | int | float | str

_NUMBER: Final = {
    "int": re.compile(r"[+-]?[0-9]{1,20}"),
    "double": re.compile(r"[+-]?([0-9]{1,20}(\.[0-9]{0,20})?|\.[0-9]{1,20})"),
}
"""How numbers are written; Python itself would read more."""

LEVELS_OWN: Final = "level"
OFF: Final = "off"
OWN: Final = "own"
QUOTIENTS: Final = (*range(2, 13), 15, 20, 25, 30, 40, 50, 75, 100, 200, 500, 1000)
"""The values of `Q`. With 1 the next ply would always be taken, so no randomness is a word."""

MOST_SEED: Final = 2**31 - 1
MOST_SECONDS: Final = 86_400.0


@dataclass(frozen=True)
class Option:
    """One option: its name, type, default, allowed values, and its effect.

    `allowed` is the least and the greatest number, or every word of an `enum`.
    """

    name: str
    kind: Literal["bool", "int", "double", "enum"]
    default: Value
    allowed: tuple[Value, ...]
    does: str

    def line(self, value: Value) -> str:
        """The option as the protocol lists it.

        >>> OPTIONS[0].line(3)
        'Level;int;3;9;1;9'
        """
        return ";".join([self.name, self.kind, *map(_written, (value, self.default, *self.allowed))])

    def read(self, text: str) -> Value:
        """The value that `text` names; raises CommandError.

        >>> OPTIONS[0].read("10")
        Traceback (most recent call last):
        plyscope.visualizer.uhp.match.CommandError: Level: '10', expected a whole number from 1 to 9
        """
        value = self._parsed(text.strip())
        if value is None or not self._allows(value):
            raise CommandError(f"{self.name}: {quoted(text)}, expected {self._expected()}")
        return value

    def _allows(self, value: Value) -> bool:
        if self.kind in ("bool", "enum"):
            return True
        low, high = map(float, self.allowed)
        return low <= float(value) <= high

    def _parsed(self, text: str) -> Value | None:
        if self.kind == "bool":
            return {"true": True, "false": False}.get(text.lower())
        if self.kind == "enum":
            return text.lower() if text.lower() in self.allowed else None
        if _NUMBER[self.kind].fullmatch(text) is None:
            return None
        return int(text) if self.kind == "int" else float(text) + 0.0  # which makes 0 of -0

    def _expected(self) -> str:
        if self.kind == "bool":
            return "True or False"
        if self.kind == "enum":
            return "one of " + ", ".join(map(_written, self.allowed))
        low, high = map(_written, self.allowed)
        return f"a {'whole ' if self.kind == 'int' else ''}number from {low} to {high}"


OPTIONS: Final = (
    Option("Level", "int", STRONGEST, (min(LEVELS), STRONGEST), "how strong to play"),
    Option(
        "Q",
        "enum",
        LEVELS_OWN,
        (LEVELS_OWN, OFF, *map(str, QUOTIENTS)),
        "1 draw in Q takes the next best ply; off: none does; level: the level's own",
    ),
    Option(
        "VaryStrongest", "bool", False, (), f"levels 8 and 9 draw as well, with Q = {QUOTIENT_OF_STRONGEST}"
    ),
    Option("Evaluation", "enum", OWN, (OWN, *GAME.evaluations), "what positions are judged by"),
    Option("Limit", "int", 0, (0, MOST_PLIES), "plies considered at each node, best first; 0: the level's"),
    Option("Seed", "int", 0, (0, MOST_SEED), "makes these draws, and openings, repeat; 0: new every time"),
    Option("MaxTime", "double", 0.0, (0.0, MOST_SECONDS), "seconds a bestmove may take at most; 0: no limit"),
    Option("MaxDepth", "int", 0, (0, DEEPEST), "plies to look ahead at most; 0: no limit"),
    Option(
        "Openings", "bool", True, (), "open by chance: shapes C, I, L, Z, rarely X; third turns with Q = 2"
    ),
    Option("Threefold", "bool", False, (), "from newgame on, the same position for the third time draws"),
    Option("ReportIntermediateBestMoves", "bool", False, (), "say the best ply of every depth that is done"),
    Option("WriteLogs", "bool", False, (), "write the search of every bestmove into the folder of logs"),
)


class Settings:
    """The value of every option."""

    def __init__(self) -> None:
        self._values: dict[str, Value] = {option.name: option.default for option in OPTIONS}

    def __getitem__(self, name: str) -> Value:
        return self._values[name]

    def set(self, name: str, text: str) -> str:
        """Set the option called `name`, in any case; returns its line. Raises CommandError."""
        option = find(name)
        self._values[option.name] = option.read(text)
        return self.get(name)

    def get(self, name: str) -> str:
        """The line of an option; raises CommandError."""
        option = find(name)
        return option.line(self._values[option.name])

    def lines(self) -> list[str]:
        """The line of every option."""
        return [option.line(self._values[option.name]) for option in OPTIONS]


def find(name: str) -> Option:
    """The option called `name`, in any case; raises CommandError that lists the names there are."""
    for option in OPTIONS:
        if option.name.lower() == name.strip().lower():
            return option
    names = ", ".join(option.name for option in OPTIONS)
    raise CommandError(f"no option {quoted(name)}; expected one of {names}")


def _written(value: Value) -> str:
    """As the protocol writes values: whole numbers without a point, others with all their digits."""
    return f"{Decimal(repr(value)).normalize():f}" if isinstance(value, float) else str(value)
