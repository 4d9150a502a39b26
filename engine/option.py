"""An option of a search: its default, its possible values, and its text in help.

Searches declare their options as fields of a dataclass, from which their checks and the options of `plyscope
search` are made.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Protocol


class OptionError(ValueError):
    """An option that makes no sense; the message has its name, the value found and the expected ones."""

    @property
    def option(self) -> str:
        """The name of the option, with which the message begins.

        >>> OptionError("table: 0, expected a number above 0").option
        'table'
        """
        return str(self).partition(":")[0]


class Values(Protocol):
    """The values that an option may have."""

    def check(self, name: str, value: object) -> None:
        """Raise `OptionError` for any other."""


@dataclass(frozen=True)
class Whole:
    """A whole number from `least` to `most` (None: without end)."""

    least: int = 1
    most: int | None = None

    def check(self, name: str, value: object) -> None:
        """Raise `OptionError` for anything else."""
        expected = f"a whole number from {self.least}" + (f" to {self.most}" if self.most is not None else "")
        if not isinstance(value, int) or isinstance(value, bool):
            raise OptionError(f"{name}: {value!r}, expected {expected}")
        if value < self.least or (self.most is not None and value > self.most):
            raise OptionError(f"{name}: {value}, expected {expected}")


@dataclass(frozen=True)
class Number:
    """A finite number from `least` to `most`, above `least` where that is `open`; or a certain word."""

    least: float = -math.inf
    most: float = math.inf
    open: bool = False
    word: str | None = None

    def check(self, name: str, value: object) -> None:
        """Raise `OptionError` for anything else."""
        if self.word is not None and value == self.word:
            return
        number = value if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
        is_in = math.isfinite(number) and self.least <= number <= self.most
        if not is_in or (self.open and number == self.least):
            raise OptionError(f"{name}: {value!r}, expected {self._expected()}")

    def _expected(self) -> str:
        to = f" to {self.most:.16g}" if math.isfinite(self.most) else ""
        if self.word is not None:
            return f"a number or {self.word}"
        if not math.isfinite(self.least):
            return "a finite number"
        return f"a number above {self.least:g}" + to if self.open else f"a number from {self.least:g}{to}"


@dataclass(frozen=True)
class Word:
    """One of some words."""

    words: tuple[str, ...]

    def check(self, name: str, value: object) -> None:
        """Raise `OptionError` for anything else."""
        if value not in self.words:
            one_of = "one of " * (len(self.words) > 1)
            raise OptionError(f"{name}: {value!r}, expected {one_of}{', '.join(self.words)}")


class Flag:
    """Yes or no."""

    def check(self, name: str, value: object) -> None:
        """Raise `OptionError` for anything else."""
        if not isinstance(value, bool):
            raise OptionError(f"{name}: {value!r}, expected True or False")


class Name:
    """The name of something that the game has."""

    def check(self, name: str, value: object) -> None:
        """Raise `OptionError` for anything else."""
        if not isinstance(value, str):
            raise OptionError(f"{name}: {value!r}, expected the name of one")


class Weights:
    """Finite numbers by the names of factors."""

    def check(self, name: str, value: object) -> None:
        """Raise `OptionError` for anything else."""
        assert isinstance(value, Mapping)
        for factor, weight in value.items():
            Number().check(f"{name}: {factor}", weight)


@dataclass(frozen=True)
class Asked:
    """An option as the command line asks for it: its values, its purpose, and its placeholder in help."""

    values: Values
    says: str = ""
    unit: str | None = None


def option(default: Any, values: Values, says: str = "", unit: str | None = None) -> Any:
    """A field of a dataclass of options; None is allowed where it is the default."""
    metadata = {"asked": Asked(values, says, unit)}
    if isinstance(values, Weights):
        return field(default_factory=dict, metadata=metadata)
    return field(default=default, metadata=metadata)


def asked_of(options: type[Any]) -> dict[str, tuple[Asked, Any]]:
    """The options of a dataclass that are asked for, by name, with their defaults."""
    return {each.name: (each.metadata["asked"], each.default) for each in fields(options) if each.metadata}


@dataclass(frozen=True)
class AnyOptions:
    """The options that every search has.

    * `seed` is that of all draws (None: drawn and logged).
    * `seconds` stops the search wherever it is.
    * `evaluation` names another evaluation that the game has, with factors of its own; `weights` replace
      those of the game, or of that evaluation, by name.

    Raises `OptionError` for a value that an option does not have.
    """

    seed: int | None = option(
        None, Whole(0, 2**64 - 1), "Seed of the draw by --quotient, or of all draws of play-outs."
    )
    seconds: float | None = option(None, Number(0, open=True), "Stop after this time.")
    evaluation: str | None = option(
        None, Name(), "Another evaluation of the game, such as Hive's study-3.", "NAME"
    )
    weights: Mapping[str, float] = option(
        {}, Weights(), "Weights of factors instead of the game's own.", "NAME=W,…"
    )
    record: bool = True

    def __post_init__(self) -> None:
        for name, (asked, default) in asked_of(type(self)).items():
            value = getattr(self, name)
            if value is not None or default is not None:
                asked.values.check(name, value)


class Options(Protocol):
    """The fields that the options of every algorithm have; each such class is a frozen dataclass."""

    @property
    def algorithm(self) -> str: ...  # noqa: D102
    @property
    def record(self) -> bool: ...  # noqa: D102
    @property
    def seed(self) -> int | None: ...  # noqa: D102
    @property
    def seconds(self) -> float | None: ...  # noqa: D102
    @property
    def evaluation(self) -> str | None: ...  # noqa: D102
    @property
    def weights(self) -> Mapping[str, float]: ...  # noqa: D102
