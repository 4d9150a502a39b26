"""A part of an expression with its type, literals as SQL (numbers, codes of words, keys), tests of texts.

Numbers are written by Python, words are codes, and no text of the expression or of the log is in the SQL.
Each distinct text is tested once, and its answer looked up for every row that has it. Patterns know no
repetition but `%`, which is matched from left to right without going back, so that no pattern takes longer
than the length of the text times its own.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from plyscope.engine.quoting import quoted
from plyscope.visualizer.analysis.query.errors import Place, QueryError, wrong
from plyscope.visualizer.analysis.query.field import Known
from plyscope.visualizer.analysis.query.syntax import Expression, Number, Text

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
    """A part of an expression as SQL, with its type."""

    sql: str
    kind: Kind
    place: Place
    known: Known | None = None
    text: str = ""
    """The value of a literal text."""
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
        """The SQL for comparisons: of a number, NULL where it is NaN; of other types unchanged."""
        return f"(CASE WHEN isnan({self.sql}) THEN NULL ELSE {self.sql} END)" if self.is_derived else self.sql


def code_of(known: Known, word: str, place: Place) -> str:
    """The code of a word of a field; raises QueryError for a word that it never has."""
    if word and word in known.words:
        return str(known.words.index(word))
    near = get_close_matches(word.lower(), known.words[1:], n=1)
    message = f"`{known.name}` is never {quoted(word, 40)}, but one of {', '.join(known.words[1:])}"
    raise wrong(message, place, f"'{near[0]}'" if near else "")


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


BETWEEN_LOOKS: Final = 4096
"""Texts that are tested between two looks at the clock."""

Answers = npt.NDArray[np.int8]


def tested(
    codes: npt.NDArray[Any], texts: Sequence[str], holds: Callable[[str], bool], deadline: float
) -> Answers:
    """For each row 1 where the text at its code holds, 0 where not, -1 for code -1.

    `deadline` is a time of `time.monotonic`; raises QueryError once it has passed.
    """
    answers = np.full(len(texts) + 1, -1, np.int8)  # the last one is that of code -1
    for number, code in enumerate(used_codes(codes, len(texts)).tolist()):
        _look_at_the_clock(number, deadline)
        answers[code] = holds(texts[code])
    return np.asarray(answers[codes])


def text_ranks(codes: npt.NDArray[Any], texts: Sequence[str]) -> npt.NDArray[np.int32]:
    """For each row the place of its text among those used, in the order of their characters; -1 for none."""
    ranks = np.full(len(texts) + 1, -1, np.int32)
    for rank, code in enumerate(sorted(used_codes(codes, len(texts)).tolist(), key=texts.__getitem__)):
        ranks[code] = rank
    return np.asarray(ranks[codes])


def matching_codes(
    codes: npt.NDArray[Any], texts: Sequence[str], others: Sequence[str], deadline: float
) -> npt.NDArray[np.int64]:
    """For each row the code that `others` have for its text; beyond all of them for a text that they lack.

    -1 for none. `deadline` is a time of `time.monotonic`; raises QueryError once it has passed.
    """
    found = np.full(len(texts) + 1, -1, np.int64)
    by_text = {text: code for code, text in enumerate(others)}
    for number, code in enumerate(used_codes(codes, len(texts)).tolist()):
        _look_at_the_clock(number, deadline)
        found[code] = by_text.get(texts[code], len(others))
    return np.asarray(found[codes])


def _look_at_the_clock(number: int, deadline: float) -> None:
    if number % BETWEEN_LOOKS == 0 and time.monotonic() > deadline:
        raise QueryError("the texts of this log took too long to test; ask for fewer fields of text")


def used_codes(codes: npt.NDArray[Any], n_texts: int) -> npt.NDArray[np.int64]:
    """The codes that occur, each once, in order; -1 left out."""
    is_used = np.zeros(n_texts + 1, np.bool_)
    is_used[codes] = True
    return np.flatnonzero(is_used[:-1])


def like(pattern: str, *, ignores_case: bool = False) -> Callable[[str], bool]:
    """The test of a whole text against a pattern: `%` stands for any characters, `_` for one.

    >>> matches = like("c_ %")
    >>> matches("c6 x"), matches("c6"), like("%QUEEN%", ignores_case=True)("wQueen1")
    (True, False, True)
    """
    first, *others = pattern.split("%")
    if not others:
        whole = _part(first, ignores_case)
        return lambda text: len(text) == len(first) and whole.match(text) is not None
    *middle, last = others
    begins, ends = _part(first, ignores_case), _part(last, ignores_case)
    within = [_part(part, ignores_case) for part in middle if part]

    def matches(text: str) -> bool:
        at, tail = len(first), len(text) - len(last)
        if tail < at or begins.match(text) is None or ends.match(text, tail) is None:
            return False
        for part in within:
            found = part.search(text, at, tail)
            if found is None:
                return False
            at = found.end()
        return True

    return matches


def _part(part: str, ignores_case: bool) -> re.Pattern[str]:
    """A piece of a pattern without `%`: as many characters as it has, so that nothing is tried twice."""
    flags = re.DOTALL | (re.IGNORECASE if ignores_case else 0)
    return re.compile("".join("." if sign == "_" else re.escape(sign) for sign in part), flags)
