"""The options that a viewer may list, get and set, with their types as the protocol names them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

from engine.quoting import quoted
from visualizer.uhp.errors import CommandError
from visualizer.uhp.levels import DEEPEST, LEVELS, STRONGEST

Value = bool | int | float

_NUMBER: Final = {
    "int": re.compile(r"[+-]?[0-9]{1,20}"),
    "double": re.compile(r"[+-]?([0-9]{1,20}(\.[0-9]{0,20})?|\.[0-9]{1,20})"),
}
"""How numbers are written; Python itself would read more."""

MOST_QUOTIENT: Final = 1_000
MOST_SEED: Final = 2**31 - 1
MOST_SECONDS: Final = 86_400.0


@dataclass(frozen=True)
class Option:
    """One option: its name, type, default, the range that numbers are held to, and what it does."""

    name: str
    kind: Literal["bool", "int", "double"]
    default: Value
    range: tuple[Value, Value] | None
    does: str

    def line(self, value: Value) -> str:
        """The option as the protocol lists it.

        >>> OPTIONS[0].line(3)
        'Level;int;3;9;1;9'
        """
        allowed = [] if self.range is None else list(self.range)
        return ";".join([self.name, self.kind, *map(_written, (value, self.default, *allowed))])

    def read(self, text: str) -> Value:
        """The value that `text` names; raises CommandError.

        >>> OPTIONS[0].read("10")
        Traceback (most recent call last):
        visualizer.uhp.errors.CommandError: Level: '10', expected a whole number from 1 to 9
        """
        value = self._parsed(text.strip())
        in_range = self.range is None or (value is not None and self.range[0] <= value <= self.range[1])
        if value is None or not in_range:
            raise CommandError(f"{self.name}: {quoted(text)}, expected {self._expected()}")
        return value

    def _parsed(self, text: str) -> Value | None:
        if self.kind == "bool":
            return {"true": True, "false": False}.get(text.lower())
        if _NUMBER[self.kind].fullmatch(text) is None:
            return None
        return int(text) if self.kind == "int" else float(text) + 0.0  # which makes 0 of -0

    def _expected(self) -> str:
        if self.range is None:
            return "True or False"
        low, high = map(_written, self.range)
        return f"a {'whole ' if self.kind == 'int' else ''}number from {low} to {high}"


OPTIONS: Final = (
    Option("Level", "int", STRONGEST, (min(LEVELS), STRONGEST), "how strong to play"),
    Option("Q", "int", 0, (0, MOST_QUOTIENT), "1 draw in Q takes the next best ply; 1: none; 0: the level's"),
    Option("Seed", "int", 0, (0, MOST_SEED), "makes these draws, and openings, repeat; 0: new every time"),
    Option("MaxTime", "double", 0.0, (0.0, MOST_SECONDS), "seconds a bestmove may take at most; 0: no limit"),
    Option("MaxDepth", "int", 0, (0, DEEPEST), "plies to look ahead at most; 0: no limit"),
    Option(
        "Openings", "bool", True, None, "open by chance: shapes C, I, L, Z, rarely X; third turns with Q = 2"
    ),
    Option("Threefold", "bool", False, None, "from newgame on, the same position for the third time draws"),
    Option(
        "ReportIntermediateBestMoves", "bool", False, None, "say the best ply of every depth that is done"
    ),
    Option("WriteLogs", "bool", False, None, "write the search of every bestmove into the folder of logs"),
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
