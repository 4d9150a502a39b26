"""An expression typed, and written as SQL over columns of codes and numbers.

The SQL is written from the tree alone: names of columns are made here, numbers are written by Python, and no
text of the expression or of the log is in it. Texts are tested before (see `texts`), words are their codes.
A value that a node does not state is NULL, and so is a NaN wherever numbers are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from plyscope.engine.quoting import quoted
from plyscope.visualizer.analysis.query.errors import QueryError
from plyscope.visualizer.analysis.query.fields import ALL, At, Fields, Known
from plyscope.visualizer.analysis.query.syntax import (
    Among,
    Arithmetic,
    Call,
    Chain,
    Compare,
    Expression,
    IsNull,
    Like,
    Name,
    Negative,
    Not,
    Number,
    Place,
    Text,
    Truth,
)
from plyscope.visualizer.analysis.query.texts import like, ranked, tested

Array = npt.NDArray[Any]
Kind = Literal["number", "flag", "word", "text", "key", "literal text"]

SAID: Final[dict[Kind, str]] = {
    "number": "a number",
    "flag": "a condition",
    "word": "a word",
    "text": "a text",
    "key": "a key",
    "literal text": "a text",
}
KINDS: Final[dict[str, Kind]] = {
    "number": "number",
    "whole number": "number",
    "flag": "flag",
    "word": "word",
    "text": "text",
    "key": "key",
}
LARGEST_KEY: Final = 2**64
LARGEST_WHOLE: Final = 2**63
MOST_DIVISORS: Final = 4
MIRRORED: Final = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
TEXT_TESTS: Final[dict[str, Callable[[str, str], bool]]] = {
    "=": str.__eq__,
    "!=": str.__ne__,
    "<": str.__lt__,
    "<=": str.__le__,
    ">": str.__gt__,
    ">=": str.__ge__,
}


@dataclass(frozen=True)
class Typed:
    """A part of an expression as SQL, and what it is."""

    sql: str
    kind: Kind
    place: Place
    known: Known | None = None
    text: str = ""
    """Of a literal text."""
    is_derived: bool = False
    """Whether it was calculated, so that it may be NaN."""


class Writer:
    """Writes SQL over the columns that it gathers: of all rows of a log, or of some."""

    def __init__(
        self,
        fields: Fields,
        *,
        rows: npt.NDArray[np.integer[Any]] | None = None,
        deadline: float = float("inf"),
    ) -> None:
        self.columns: dict[str, Array] = {}
        """The columns that the SQL reads, by the names that it has for them."""
        self.unstated: dict[str, None] = {}
        """Fields that no row of the log states."""
        self._fields = fields
        self._at: At = ALL if rows is None else rows
        self._deadline = deadline
        self._made: dict[tuple[str, ...], str] = {}
        self._divisors = 0

    def condition(self, expression: Expression) -> str:
        """The SQL of an expression that is true or false; raises QueryError for any other."""
        typed = self._typed(expression)
        if typed.kind == "flag":
            return typed.sql
        known = typed.known
        example = "score > 0"
        if known is not None and known.type == "text":
            example = f"{known.name} = 'c6'"
        elif known is not None and known.type == "word":
            example = f"{known.name} = '{known.words[-1]}'"
        elif known is not None and known.type != "key":
            example = f"{known.name} > 0"
        raise _error(f"{self._said(typed)}; a query is a condition, such as {example}", expression.place)

    def order(self, expression: Expression) -> str:
        """The SQL of a value by which rows are sorted; words and texts in the order of their characters."""
        typed = self._typed(expression)
        known = typed.known
        if typed.kind == "literal text":
            raise _error("all rows would have the same place; sort by a field", expression.place)
        if typed.kind == "text" and known is not None:
            name = self._column(("rank", known.name), lambda: ranked(known.column(self._at), known.texts))
            return f"CASE WHEN {name} < 0 THEN NULL ELSE {name} END"
        if typed.kind == "word" and known is not None:
            by_letters = sorted(range(len(known.words)), key=known.words.__getitem__)
            ranks = np.empty(len(known.words), np.int8)
            ranks[by_letters] = np.arange(len(known.words))
            name = self._column(("rank", known.name), lambda: ranks[known.column(self._at)])
            return f"CASE WHEN {name} = 0 THEN NULL ELSE {name} END"
        return self._number(typed) if typed.kind == "number" else typed.sql

    # Nodes of the tree -------------------------------------------------------------------------------
    def _typed(self, node: Expression) -> Typed:
        match node:
            case Number(value=value):
                return Typed(_number(value, node.place), "number", node.place)
            case Text(value=value):
                return Typed("", "literal text", node.place, text=value)
            case Truth(value=value):
                return Typed("true" if value else "false", "flag", node.place)
            case Name():
                return self._field(node)
            case Negative(value=value):
                sql = f"(-{self._double(value)})"
                return Typed(sql, "number", node.place, is_derived=True)
            case Arithmetic(operation=operation, left=left, right=right):
                by = self._divisor(right) if operation in "/%" else self._double(right)
                sql = f"({self._double(left)} {operation} {by})"
                return Typed(sql, "number", node.place, is_derived=True)
            case Call(function="isnan", value=value):
                return self._is_nan(value, node.place)
            case Call(function=function, value=value):
                return Typed(f"{function}({self._double(value)})", "number", node.place, is_derived=True)
            case Compare():
                return self._compare(node)
            case Among():
                return self._among(node)
            case Like():
                return self._like(node)
            case IsNull(value=value, is_negated=is_negated):
                return self._is_null(value, is_negated, node.place)
            case Not(value=value):
                return Typed(f"(NOT {self._condition(value)})", "flag", node.place)
            case Chain(word=word, values=values):
                joined = f" {word.upper()} ".join(map(self._condition, values))
                return Typed(f"({joined})", "flag", node.place)

    def _field(self, name: Name) -> Typed:
        known = self._fields.at(name.parts, name.place)
        if not known.is_stated:
            self.unstated[known.name] = None
        kind = KINDS[known.type]
        if kind == "text":
            return Typed("", kind, name.place, known)
        column = self._column_of(known)
        if kind == "key":
            sql = f"(CASE WHEN {self._is_absent(known)} THEN NULL ELSE {column} END)"
        elif kind == "flag":
            sql = f"(CASE WHEN {column} < 0 THEN NULL ELSE {column} = 1 END)"
        elif known.type == "number":
            sql = f"(CASE WHEN isnan({column}) THEN NULL ELSE {column} END)"
        else:
            absent = "= 0" if kind == "word" else "< 0"
            sql = f"(CASE WHEN {column} {absent} THEN NULL ELSE {column} END)"
        return Typed(sql, kind, name.place, known)

    def _condition(self, node: Expression) -> str:
        typed = self._typed(node)
        if typed.kind != "flag":
            raise _error(f"{self._said(typed)}; and, or and not join conditions", node.place)
        return typed.sql

    def _double(self, node: Expression) -> str:
        typed = self._typed(node)
        if typed.kind != "number":
            raise _error(f"{self._said(typed)}; only numbers are calculated with", node.place)
        return f"{typed.sql}::DOUBLE"

    def _divisor(self, node: Expression) -> str:
        """A number that is unknown where it is 0; it stands twice in the SQL, so divisors nest few levels."""
        self._divisors += 1
        if self._divisors > MOST_DIVISORS:
            raise _error(f"divisions nest deeper than {MOST_DIVISORS} levels here", node.place)
        sql = self._double(node)
        self._divisors -= 1
        return f"(CASE WHEN {sql} = 0 THEN NULL ELSE {sql} END)"

    def _number(self, typed: Typed) -> str:
        return (
            f"(CASE WHEN isnan({typed.sql}) THEN NULL ELSE {typed.sql} END)"
            if typed.is_derived
            else typed.sql
        )

    # Comparisons -------------------------------------------------------------------------------------
    def _compare(self, node: Compare) -> Typed:
        left = self._typed(node.left)
        try:
            right = self._typed(node.right)
        except QueryError as error:
            raise self._for_a_word(error, left, node.right) from None
        comparison: str = node.comparison
        if left.kind == "literal text" or (right.kind == "key" and left.kind == "number"):
            left, right, comparison = right, left, MIRRORED[comparison]
        sql = self._compared(left, comparison, right, node)
        return Typed(sql, "flag", node.place)

    def _compared(self, left: Typed, comparison: str, right: Typed, node: Compare) -> str:
        sign = "<>" if comparison == "!=" else comparison
        match left.kind, right.kind:
            case "number", "number":
                return f"({self._number(left)} {sign} {self._number(right)})"
            case "flag", "flag":
                self._refuse_order(left, comparison, node)
                return f"({left.sql} {sign} {right.sql})"
            case "word", "literal text":
                self._refuse_order(left, comparison, node)
                return f"({left.sql} {sign} {self._code(left, right.text, right.place)})"
            case "word", "word" if left.known and right.known and left.known.words == right.known.words:
                self._refuse_order(left, comparison, node)
                return f"({left.sql} {sign} {right.sql})"
            case "text", "literal text":
                test = TEXT_TESTS[comparison]
                return self._tested(left, lambda text: test(text, right.text))
            case "text", "text" if left.known and right.known and left.known.texts is right.known.texts:
                self._refuse_order(left, comparison, node)
                codes = [self._column_of(each) for each in (left.known, right.known)]
                absent = " OR ".join(f"{code} < 0" for code in codes)
                return f"(CASE WHEN {absent} THEN NULL ELSE {codes[0]} {sign} {codes[1]} END)"
            case "key", "number" | "literal text":
                self._refuse_order(left, comparison, node)
                literal = node.right if node.right.place == right.place else node.left
                return f"({left.sql} {sign} {self._key(left, literal)})"
            case "key", "key":
                self._refuse_order(left, comparison, node)
                return f"({left.sql} {sign} {right.sql})"
        raise self._mismatch(left, right, node.place)

    def _for_a_word(self, error: QueryError, left: Typed, right: Expression) -> QueryError:
        """The error of a name that is unknown; where a word or text is due, quotes are all that it lacks."""
        if not isinstance(right, Name) or len(right.parts) > 1 or left.known is None:
            return error
        if left.kind == "text" or right.text in left.known.words:
            error.suggestion = f"'{right.text}'"
        return error

    def _mismatch(self, left: Typed, right: Typed, place: Place) -> QueryError:
        if left.kind == right.kind == "literal text":
            return _error("two texts are compared, and no field; names stand without quotes", place)
        same = left.kind == right.kind
        why = ", of another kind" if same else ""
        return _error(f"{self._said(left)} and {self._said(right)}{why}; they are not compared", place)

    def _refuse_order(self, typed: Typed, comparison: str, node: Compare) -> None:
        if comparison not in ("=", "!="):
            raise _error(f"{self._said(typed)}, which is neither more nor less; ask by = or !=", node.place)

    def _among(self, node: Among) -> Typed:
        typed = self._typed(node.value)
        if typed.kind == "text":
            wanted = frozenset(self._texts(typed, node))
            sql = self._tested(typed, wanted.__contains__)
        else:
            match typed.kind:
                case "number":
                    items = [self._item(typed, item) for item in node.items]
                case "word":
                    items = [self._code(typed, text, node.place) for text in self._texts(typed, node)]
                case "key":
                    items = [self._key(typed, item) for item in node.items]
                case _:
                    raise _error(f"{self._said(typed)}, and no field to look up in a list", node.value.place)
            sql = f"({self._number(typed)} IN ({', '.join(items)}))"
        return Typed(f"(NOT {sql})" if node.is_negated else sql, "flag", node.place)

    def _item(self, typed: Typed, item: Number | Text | Truth) -> str:
        if not isinstance(item, Number):
            raise self._mismatch(typed, self._typed(item), item.place)
        return _number(item.value, item.place)

    def _texts(self, typed: Typed, node: Among) -> Iterable[str]:
        for item in node.items:
            if not isinstance(item, Text):
                raise self._mismatch(typed, self._typed(item), item.place)
            yield item.value

    def _like(self, node: Like) -> Typed:
        typed = self._typed(node.value)
        matches = like(node.pattern, ignores_case=node.ignores_case)
        if typed.kind == "text":
            sql = self._tested(typed, matches)
        elif typed.kind == "word" and typed.known is not None:
            codes = [str(code) for code, word in enumerate(typed.known.words) if word and matches(word)]
            sql = f"({typed.sql} IN ({', '.join(codes or ['255'])}))"
        else:
            raise _error(f"{self._said(typed)}; like compares texts and words", node.value.place)
        return Typed(f"(NOT {sql})" if node.is_negated else sql, "flag", node.place)

    def _tested(self, typed: Typed, holds: Callable[[str], bool]) -> str:
        known = typed.known
        assert known is not None
        answers = tested(known.column(self._at), known.texts, holds, self._deadline)
        column = self._column((known.name, "test", str(len(self.columns))), lambda: answers)
        return f"(CASE WHEN {column} < 0 THEN NULL ELSE {column} = 1 END)"

    # What is not stated, and what is NaN -------------------------------------------------------------
    def _is_null(self, value: Expression, is_negated: bool, place: Place) -> Typed:
        typed = self._typed(value)
        if typed.known is not None:
            sql = f"({self._is_absent(typed.known)})"
        elif typed.kind == "literal text":
            raise _error("a text is always stated; fields stand without quotes", value.place)
        else:
            sql = f"({self._number(typed)} IS NULL)"
        return Typed(f"(NOT {sql})" if is_negated else sql, "flag", place)

    def _is_absent(self, known: Known) -> str:
        if known.bit:
            given = self._column((known.of, "given"), lambda: self._fields.given(known.of, self._at))
            return f"({given} & {known.bit}) = 0"
        column = self._column_of(known)
        if known.type == "number":
            return _is_nan(column)
        return f"{column} = 0" if known.type == "word" else f"{column} < 0"

    def _is_nan(self, value: Expression, place: Place) -> Typed:
        typed = self._typed(value)
        if typed.kind != "number" or typed.known is None:
            raise _error("isnan() takes a field that is a number, as in isnan(score)", value.place)
        column = self._column_of(typed.known)
        is_nan = _is_nan(column) if typed.known.type == "number" else "false"
        return Typed(f"(CASE WHEN {self._is_absent(typed.known)} THEN NULL ELSE {is_nan} END)", "flag", place)

    # Literals by the field they belong to ------------------------------------------------------------
    def _code(self, typed: Typed, word: str, place: Place) -> str:
        assert typed.known is not None
        words = typed.known.words
        if word and word in words:
            return str(words.index(word))
        near = get_close_matches(word.lower(), words[1:], n=1)
        name = typed.known.name
        raise QueryError(
            f"`{name}` is never {quoted(word, 40)}, but one of {', '.join(words[1:])}",
            start=place.start,
            end=place.end,
            suggestion=f"'{near[0]}'" if near else "",
        )

    def _key(self, typed: Typed, literal: Expression) -> str:
        """A key as a number: 16 hexadecimal digits in quotes, or a whole number, as the log has them."""
        assert typed.known is not None
        value = -1
        form = typed.known.key_form
        if isinstance(literal, Text) and literal.value.isascii():
            digits = literal.value.strip().lower()
            allowed = "0123456789" if form == "number" else "0123456789abcdef"
            if digits and not set(digits) - set(allowed):
                value = int(digits, 10 if form == "number" else 16)
        elif isinstance(literal, Number) and isinstance(literal.value, int) and form == "number":
            value = literal.value
        if not 0 <= value < LARGEST_KEY:
            expected = (
                "whole numbers"
                if form == "number"
                else "texts of 16 hexadecimal digits, such as '00c0ffee00c0ffee'"
            )
            raise _error(f"keys of this log are {expected}", literal.place)
        return f"{value}::UBIGINT"

    # Columns -----------------------------------------------------------------------------------------
    def _column(self, what: tuple[str, ...], make: Callable[[], Array]) -> str:
        """The name of a column that is made once; floats without gaps, as they are scanned fastest."""
        if what not in self._made:
            name = self._made[what] = f"c{len(self.columns)}"
            self.columns[name] = np.ascontiguousarray(make())
        return self._made[what]

    def _column_of(self, known: Known) -> str:
        return self._column((known.name,), lambda: known.column(self._at))

    def _said(self, typed: Typed) -> str:
        if typed.known is not None:
            kind = "true or false" if typed.kind == "flag" else SAID[typed.kind]
            return f"`{typed.known.name}` is {kind}"
        if typed.kind == "literal text":
            return f"{quoted(typed.text, 30)} is a text"
        return f"this is {SAID[typed.kind]}"


def _is_nan(column: str) -> str:
    """Whether a float of numpy is NaN, which DuckDB reads as NULL."""
    return f"({column} IS NULL OR isnan({column}))"


def _number(value: float, place: Place) -> str:
    """A number as SQL reads it, to the last bit.

    >>> _number(-5, Place(0, 2)), _number(0.1, Place(0, 3))
    ('(-5)', "'0.1'::DOUBLE")
    """
    if isinstance(value, int) and abs(value) < LARGEST_WHOLE:
        return str(value) if value >= 0 else f"({value})"
    try:
        return f"'{float(value)!r}'::DOUBLE"
    except OverflowError:
        raise _error("this number is larger than any that a log can hold", place) from None


def _error(message: str, place: Place) -> QueryError:
    return QueryError(message, start=place.start, end=place.end)
