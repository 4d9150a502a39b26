"""The syntax tree of an expression: a few kinds of nodes, each with its place in the text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Comparison = Literal["=", "!=", "<", "<=", ">", ">="]
Operation = Literal["+", "-", "*", "/", "%"]
Function = Literal["abs", "floor", "ceil", "round", "isnan"]


@dataclass(frozen=True)
class Place:
    """Offsets of the first character and of the one behind the last."""

    start: int
    end: int


@dataclass(frozen=True)
class Number:
    """A literal; whole where it was written without point and exponent."""

    value: int | float
    place: Place


@dataclass(frozen=True)
class Text:
    """A literal in single quotes."""

    value: str
    place: Place


@dataclass(frozen=True)
class Truth:
    """`true` or `false`."""

    value: bool
    place: Place


@dataclass(frozen=True)
class Name:
    """A field by the parts of its name: `parent.tt.depth` is ("parent", "tt", "depth")."""

    parts: tuple[str, ...]
    place: Place

    @property
    def text(self) -> str:
        """The name as the table of fields has it."""
        return ".".join(self.parts)


@dataclass(frozen=True)
class Negative:
    """Minus a number."""

    value: Expression
    place: Place


@dataclass(frozen=True)
class Arithmetic:
    """Two numbers and what is done with them."""

    operation: Operation
    left: Expression
    right: Expression
    place: Place


@dataclass(frozen=True)
class Call:
    """A function of one value."""

    function: Function
    value: Expression
    place: Place


@dataclass(frozen=True)
class Compare:
    """Two values of one type."""

    comparison: Comparison
    left: Expression
    right: Expression
    place: Place


@dataclass(frozen=True)
class Among:
    """`value in (…)`; the items are literals."""

    value: Expression
    items: tuple[Number | Text | Truth, ...]
    is_negated: bool
    place: Place


@dataclass(frozen=True)
class Like:
    """`value like 'c%'`: `%` stands for any characters, `_` for one."""

    value: Expression
    pattern: str
    ignores_case: bool
    is_negated: bool
    place: Place


@dataclass(frozen=True)
class IsNull:
    """`value is null`: the node does not state it."""

    value: Expression
    is_negated: bool
    place: Place


@dataclass(frozen=True)
class Not:
    """The opposite; unknown stays unknown."""

    value: Expression
    place: Place


@dataclass(frozen=True)
class Chain:
    """Conditions joined by `and`, or by `or`: at least two."""

    word: Literal["and", "or"]
    values: tuple[Expression, ...]
    place: Place


Expression = (
    Number
    | Text
    | Truth
    | Name
    | Negative
    | Arithmetic
    | Call
    | Compare
    | Among
    | Like
    | IsNull
    | Not
    | Chain
)


def names_in(expression: Expression) -> list[str]:
    """The fields that an expression names, each once, in their order.

    >>> at = Place(0, 1)
    >>> names_in(Compare("<", Name(("score",), at), Name(("tt", "score"), at), at))
    ['score', 'tt.score']
    """
    return list(dict.fromkeys(name.text for name in names_of(expression)))


def names_of(expression: Expression) -> list[Name]:
    """The parts of an expression that name a field, in their order."""
    found: list[Name] = []
    waiting: list[Expression] = [expression]
    while waiting:
        match waiting.pop():
            case Name() as name:
                found.append(name)
            case Arithmetic(left=left, right=right) | Compare(left=left, right=right):
                waiting += [right, left]
            case Negative(value=value) | Call(value=value) | Among(value=value) | Like(value=value):
                waiting.append(value)
            case IsNull(value=value) | Not(value=value):
                waiting.append(value)
            case Chain(values=values):
                waiting += reversed(values)
            case _:
                pass
    return found
