"""An expression typed, and written as SQL over columns of codes and numbers.

The SQL is written from the tree alone: names of columns are made here, numbers are written by Python, and no
text of the expression or of the log is in it. `typed_sql` tests texts before, words are their codes.
A value that a node does not state is NULL, and so is a NaN wherever numbers are compared.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.query.errors import Place, QueryError, wrong
from plyscope.visualizer.analysis.query.field import ALL, OWN, At, Known
from plyscope.visualizer.analysis.query.fields import Fields
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
    Not,
    Number,
    Text,
    Truth,
)
from plyscope.visualizer.analysis.query.typed_sql import (
    KINDS,
    Typed,
    code_of,
    is_nan,
    key_of,
    like,
    matching_codes,
    number_sql,
    tested,
    text_ranks,
)

Array = npt.NDArray[Any]
SECONDS: Final = 5.0
"""How long one query may take."""
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


class Writer:
    """Writes SQL over the columns that it gathers: of all rows of a log, or of some."""

    def __init__(
        self,
        fields: Fields,
        asked: Iterable[Expression] = (),
        *,
        rows: npt.NDArray[np.integer[Any]] | None = None,
    ) -> None:
        """Start the time limit of a query; the fields of the expression `asked` are read before."""
        for each in asked:
            fields.prepare(each)
        self.deadline = time.monotonic() + SECONDS
        self.n_rows = fields.log.n_rows if rows is None else len(rows)
        self.columns: dict[str, Array] = {}
        """The columns that the SQL reads, by their names in it."""
        self.notices: dict[str, None] = {}
        """Notices about the fields in the expression, a sentence each."""
        self._fields = fields
        self._at: At = ALL if rows is None else rows
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
        raise wrong(f"{typed.said}; a query is a condition, such as {example}", expression.place)

    def value(self, expression: Expression) -> Typed:
        """Any value with its type; raises QueryError for a text that is no field."""
        typed = self._typed(expression)
        if typed.kind == "literal text":
            raise wrong(f"{typed.said}, the same at every node; name a field", expression.place)
        return typed

    def order(self, expression: Expression) -> str:
        """The SQL of a value by which rows are sorted; words and texts in the order of their characters."""
        typed = self.value(expression)
        known = typed.known
        if typed.kind == "text" and known is not None:
            name = self._column(("rank", known.name), lambda: text_ranks(known.column(self._at), known.texts))
            return f"CASE WHEN {name} < 0 THEN NULL ELSE {name} END"
        if typed.kind == "word" and known is not None:
            by_letters = sorted(range(len(known.words)), key=known.words.__getitem__)
            ranks = np.empty(len(known.words), np.int8)
            ranks[by_letters] = np.arange(len(known.words))
            name = self._column(("rank", known.name), lambda: ranks[known.column(self._at)])
            return f"CASE WHEN {name} = 0 THEN NULL ELSE {name} END"
        return typed.comparable if typed.kind == "number" else typed.sql

    # Nodes of the tree -------------------------------------------------------------------------------
    def _typed(self, node: Expression) -> Typed:
        match node:
            case Number(value=value):
                return Typed(number_sql(value, node.place), "number", node.place)
            case Text(value=value):
                return Typed("", "literal text", node.place, text=value)
            case Truth(value=value):
                return Typed("true" if value else "false", "flag", node.place)
            case Name():
                return self._field(node)
            case Arithmetic(operation=operation, left=left, right=right):
                by = self._divisor(right) if operation in "/%" else self._double(right)
                sql = f"({self._double(left)} {operation} {by})"
                return Typed(sql, "number", node.place, is_derived=True)
            case Call(function="isnan", value=value):
                return self._is_nan(value, node.place)
            case Call(function=function, value=value):
                return Typed(f"({function}({self._double(value)}))", "number", node.place, is_derived=True)
            case Compare():
                return self._compare(node)
            case Among():
                return self._among(node)
            case Like():
                return self._like(node)
            case IsNull(value=value):
                return self._is_null(value, node.place)
            case Not(value=value):
                return Typed(f"(NOT {self._condition(value)})", "flag", node.place)
            case Chain(word=word, values=values):
                joined = f" {word.upper()} ".join(map(self._condition, values))
                return Typed(f"({joined})", "flag", node.place)

    def _field(self, name: Name) -> Typed:
        known = self._fields.at(name.parts, name.place)
        if not known.is_stated:
            self.notices[f"no node of this log states `{known.name}`, so it is unknown everywhere"] = None
        if known.notice:
            self.notices[known.notice] = None
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
            raise wrong(f"{typed.said}; and, or and not join conditions", node.place)
        return typed.sql

    def _double(self, node: Expression) -> str:
        typed = self._typed(node)
        if typed.kind != "number":
            raise wrong(f"{typed.said}; only numbers are calculated with", node.place)
        return f"{typed.sql}::DOUBLE"

    def _divisor(self, node: Expression) -> str:
        """A number that is unknown where it is 0; it stands twice in the SQL, so divisors nest few levels."""
        self._divisors += 1
        if self._divisors > MOST_DIVISORS:
            raise wrong(f"divisions nest deeper than {MOST_DIVISORS} levels here", node.place)
        sql = self._double(node)
        self._divisors -= 1
        return f"(CASE WHEN {sql} = 0 THEN NULL ELSE {sql} END)"

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
                return f"({left.comparable} {sign} {right.comparable})"
            case "flag", "flag":
                self._refuse_order(left, comparison, node)
                return f"({left.sql} {sign} {right.sql})"
            case "word", "literal text":
                self._refuse_order(left, comparison, node)
                return f"({left.sql} {sign} {code_of(_field_of(left), right.text, right.place)})"
            case "word", "word" if left.known and right.known and left.known.words == right.known.words:
                self._refuse_order(left, comparison, node)
                return f"({left.sql} {sign} {right.sql})"
            case "text", "literal text":
                test = TEXT_TESTS[comparison]
                return self._tested(left, lambda text: test(text, right.text))
            case "text", "text" if left.known and right.known and _share_texts(left.known, right.known):
                self._refuse_order(left, comparison, node)
                codes = [self._column_of(left.known), self._coded_as(left.known, right.known)]
                absent = " OR ".join(f"{code} < 0" for code in codes)
                return f"(CASE WHEN {absent} THEN NULL ELSE {codes[0]} {sign} {codes[1]} END)"
            case "key", "number" | "literal text":
                self._refuse_order(left, comparison, node)
                literal = node.right if node.right.place == right.place else node.left
                return f"({left.sql} {sign} {key_of(_field_of(left), literal)})"
            case "key", "key":
                self._refuse_order(left, comparison, node)
                return f"({left.sql} {sign} {right.sql})"
        raise self._mismatch(left, right, node.place)

    def _coded_as(self, known: Known, other: Known) -> str:
        """The texts of another field by the codes that `known` has for them; others have codes of no text."""
        if known.texts is other.texts:
            return self._column_of(other)
        texts, codes = known.texts, other.column
        return self._column(
            (other.name, "as", known.name),
            lambda: matching_codes(codes(self._at), other.texts, texts, self.deadline),
        )

    def _for_a_word(self, error: QueryError, left: Typed, right: Expression) -> QueryError:
        """The error of an unknown name; where a word or text is expected, it suggests quotes."""
        if not isinstance(right, Name) or len(right.parts) > 1 or left.known is None:
            return error
        if left.kind == "text" or right.text in left.known.words:
            error.suggestion = f"'{right.text}'"
        return error

    def _mismatch(self, left: Typed, right: Typed, place: Place) -> QueryError:
        if left.kind == right.kind == "literal text":
            return wrong("two texts are compared, and no field; names stand without quotes", place)
        same = left.kind == right.kind
        why = ", of another kind" if same else ""
        return wrong(f"{left.said} and {right.said}{why}; they are not compared", place)

    def _refuse_order(self, typed: Typed, comparison: str, node: Compare) -> None:
        if comparison not in ("=", "!="):
            raise wrong(f"{typed.said}, which is neither more nor less; ask by = or !=", node.place)

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
                    items = [code_of(_field_of(typed), text, node.place) for text in self._texts(typed, node)]
                case "key":
                    items = [key_of(_field_of(typed), item) for item in node.items]
                case _:
                    raise wrong(f"{typed.said}, and no field to look up in a list", node.value.place)
            sql = f"({typed.comparable} IN ({', '.join(items)}))"
        return Typed(sql, "flag", node.place)

    def _item(self, typed: Typed, item: Number | Text | Truth) -> str:
        if not isinstance(item, Number):
            raise self._mismatch(typed, self._typed(item), item.place)
        return number_sql(item.value, item.place)

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
            raise wrong(f"{typed.said}; like compares texts and words", node.value.place)
        return Typed(sql, "flag", node.place)

    def _tested(self, typed: Typed, holds: Callable[[str], bool]) -> str:
        known = typed.known
        assert known is not None
        answers = tested(known.column(self._at), known.texts, holds, self.deadline)
        column = self._column((known.name, "test", str(len(self.columns))), lambda: answers)
        return f"(CASE WHEN {column} < 0 THEN NULL ELSE {column} = 1 END)"

    # Unstated values, and NaN ------------------------------------------------------------------------
    def _is_null(self, value: Expression, place: Place) -> Typed:
        typed = self._typed(value)
        if typed.known is not None:
            sql = f"({self._is_absent(typed.known)})"
        elif typed.kind == "literal text":
            raise wrong("a text is always stated; fields stand without quotes", value.place)
        else:
            sql = f"({typed.comparable} IS NULL)"
        return Typed(sql, "flag", place)

    def _is_absent(self, known: Known) -> str:
        if known.bit:
            given = self._column((known.of, "given"), lambda: self._fields.given(known.of, self._at))
            return f"({given} & {known.bit}) = 0"
        column = self._column_of(known)
        if known.type == "number":
            return is_nan(column)
        return f"{column} = 0" if known.type == "word" else f"{column} < 0"

    def _is_nan(self, value: Expression, place: Place) -> Typed:
        typed = self._typed(value)
        if typed.kind != "number" or typed.known is None:
            raise wrong("isnan() takes a field that is a number, as in isnan(score)", value.place)
        column = self._column_of(typed.known)
        nan = is_nan(column) if typed.known.type == "number" else "false"
        return Typed(f"(CASE WHEN {self._is_absent(typed.known)} THEN NULL ELSE {nan} END)", "flag", place)

    # Columns -----------------------------------------------------------------------------------------
    def _column(self, what: tuple[str, ...], make: Callable[[], Array]) -> str:
        """The name of a column, which is made once; floats contiguous, since these are scanned fastest."""
        if what not in self._made:
            name = self._made[what] = f"c{len(self.columns)}"
            self.columns[name] = np.ascontiguousarray(make())
        return self._made[what]

    def _column_of(self, known: Known) -> str:
        return self._column((known.name,), lambda: known.column(self._at))


def _field_of(typed: Typed) -> Known:
    assert typed.known is not None  # words and keys are fields
    return typed.known


def _share_texts(one: Known, other: Known) -> bool:
    """Whether two fields may hold the same texts: a ply is no player, an own field may be either."""
    return one.texts is other.texts or any(OWN in known.name.split(".")[:2] for known in (one, other))
