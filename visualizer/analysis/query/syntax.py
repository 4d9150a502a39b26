"""The tokens of an expression, and its syntax tree: a few kinds of nodes, each with its place in the text."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Final, Literal

from plyscope.engine.quoting import quoted
from plyscope.visualizer.analysis.query.errors import Place, QueryError, wrong

Comparison = Literal["=", "!=", "<", "<=", ">", ">="]
Operation = Literal["+", "-", "*", "/", "%"]
Function = Literal["abs", "floor", "ceil", "round", "isnan"]


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
class Arithmetic:
    """Two numbers and an operator."""

    operation: Operation
    left: Expression
    right: Expression
    place: Place


@dataclass(frozen=True)
class Call:
    """A function of one value, or minus a number (`-`)."""

    function: Function | Literal["-"]
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
    place: Place


@dataclass(frozen=True)
class Like:
    """`value like 'c%'`: `%` stands for any characters, `_` for one."""

    value: Expression
    pattern: str
    ignores_case: bool
    place: Place


@dataclass(frozen=True)
class IsNull:
    """`value is null`: the node does not state it."""

    value: Expression
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


Expression = Number | Text | Truth | Name | Arithmetic | Call | Compare | Among | Like | IsNull | Not | Chain


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
            case Chain(values=values):
                waiting += reversed(values)
            case Call() | Among() | Like() | IsNull() | Not() as of_one:
                waiting.append(of_one.value)
    return found


LONGEST: Final = 4000
"""Characters of an expression."""

KEYWORDS: Final = frozenset(
    {"and", "or", "not", "in", "is", "null", "like", "ilike", "between", "true", "false", "inf"}
)
"""Words with a meaning of their own, in any case; a field with such a name needs double quotes."""

Kind = Literal["number", "text", "name", "keyword", "sign", "end"]

_TOKEN: Final = re.compile(
    r"""(?P<space>[ \t\r\n]+)
      | (?P<comment>--|/\*|\#)
      | (?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
      | '(?P<text>(?:[^']|'')*)'
      | "(?P<quoted>(?:[^"]|"")*)"
      | (?P<name>[^\W\d]\w*)
      | (?P<sign><=|>=|!=|<>|==|[-+*/%=<>(),.])
    """,
    re.VERBOSE,
)
_CURLY: Final = "‘’‚‛“”„‟´`"
_SAME: Final = {"<>": "!=", "==": "="}


@dataclass(frozen=True)
class Token:
    """One piece of an expression; a keyword in small letters, a text without its quotes."""

    kind: Kind
    text: str
    place: Place

    @property
    def said(self) -> str:
        """The token as a message names it."""
        return "the end" if self.kind == "end" else quoted(self.text, 40)


def tokens_of(expression: str) -> list[Token]:
    """The tokens of an expression, with one of the kind `end` behind them; raises QueryError.

    >>> [token.text for token in tokens_of("score <= -5 AND ply = 'it''s'")]
    ['score', '<=', '-', '5', 'and', 'ply', '=', "it's", '']
    """
    if len(expression) > LONGEST:
        raise QueryError(f"the expression has {len(expression):,} characters, at most {LONGEST:,} are read")
    found: list[Token] = []
    at = 0
    while at < len(expression):
        match = _TOKEN.match(expression, at)
        if match is None:
            raise _refused(expression, at)
        place = Place(at, match.end())
        at = match.end()
        kind = match.lastgroup
        text = match[kind or ""] if kind else ""
        if kind == "space":
            continue
        if kind == "comment":
            hint = "; an id is asked for by `id = 5`" if text == "#" else ""
            raise wrong(f"found {text}: there are no comments{hint}", place)
        if kind == "number" and (follower := _TOKEN.match(expression, at)) and follower["name"]:
            place = Place(place.start, follower.end())
            raise wrong(f"{quoted(expression[place.start : place.end], 40)} is no number", place)
        found.append(_token(kind or "", text, place))
    return [*found, Token("end", "", Place(len(expression), len(expression)))]


def _token(kind: str, text: str, place: Place) -> Token:
    match kind:
        case "text":
            return Token("text", text.replace("''", "'"), place)
        case "quoted":
            return Token("name", text.replace('""', '"'), place)
        case "name" if text.lower() in KEYWORDS and text.isascii():
            return Token("keyword", text.lower(), place)
        case "sign":
            return Token("sign", _SAME.get(text, text), place)
    return Token("number" if kind == "number" else "name", text, place)


def _refused(expression: str, at: int) -> QueryError:
    sign = expression[at]
    end = at + 1
    if sign == "'":
        message, end = "this text has no end; texts stand between single quotes", len(expression)
    elif sign == '"':
        message, end = "this name has no end; names may stand between double quotes", len(expression)
    elif sign in _CURLY:
        message = f"found {sign}; texts stand between straight quotes, as in ply = 'c6'"
    elif sign == ";":
        message = "found ;: a query is one expression"
    else:
        name = unicodedata.name(sign, "")
        named = f" ({name.lower()})" if name and not sign.isascii() else ""
        message = f"{quoted(sign, 10)}{named} has no meaning here"
    return wrong(message, Place(at, end))
