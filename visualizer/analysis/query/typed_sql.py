"""A part of an expression with its type, and literals as SQL: numbers, codes of words, keys.

Numbers are written by Python, words are codes, and no text of the expression or of the log is in the SQL.
"""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final, Literal

from plyscope.engine.quoting import quoted
from plyscope.visualizer.analysis.query.errors import QueryError
from plyscope.visualizer.analysis.query.field import Known
from plyscope.visualizer.analysis.query.syntax import Expression, Number, Place, Text

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

    @property
    def said(self) -> str:
        """The part and its type, as a message says them."""
        if self.known is not None:
            kind = "true or false" if self.kind == "flag" else SAID[self.kind]
            return f"`{self.known.name}` is {kind}"
        if self.kind == "literal text":
            return f"{quoted(self.text, 30)} is a text"
        return f"this is {SAID[self.kind]}"

    @property
    def comparable(self) -> str:
        """The SQL of a number, NULL where it is NaN; of all else as it is."""
        return f"(CASE WHEN isnan({self.sql}) THEN NULL ELSE {self.sql} END)" if self.is_derived else self.sql


def code_of(known: Known, word: str, place: Place) -> str:
    """The code of a word of a field; raises QueryError for a word that it never has."""
    if word and word in known.words:
        return str(known.words.index(word))
    near = get_close_matches(word.lower(), known.words[1:], n=1)
    raise QueryError(
        f"`{known.name}` is never {quoted(word, 40)}, but one of {', '.join(known.words[1:])}",
        start=place.start,
        end=place.end,
        suggestion=f"'{near[0]}'" if near else "",
    )


def key_of(known: Known, literal: Expression) -> str:
    """A key as a number: 16 hexadecimal digits in quotes, or a whole number, as the log has them."""
    value = -1
    form = known.key_form
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
        raise wrong(f"keys of this log are {expected}", literal.place)
    return f"{value}::UBIGINT"


def is_nan(column: str) -> str:
    """The SQL condition that a float of numpy is NaN, which DuckDB reads as NULL."""
    return f"({column} IS NULL OR isnan({column}))"


def number_sql(value: float, place: Place) -> str:
    """A number as SQL reads it, to the last bit.

    >>> number_sql(-5, Place(0, 2)), number_sql(0.1, Place(0, 3))
    ('(-5)', "'0.1'::DOUBLE")
    """
    if isinstance(value, int) and abs(value) < LARGEST_WHOLE:
        return str(value) if value >= 0 else f"({value})"
    try:
        return f"'{float(value)!r}'::DOUBLE"
    except OverflowError:
        raise wrong("this number is larger than any that a log can hold", place) from None


def wrong(message: str, place: Place) -> QueryError:
    """The error of what stands at `place`."""
    return QueryError(message, start=place.start, end=place.end)
