"""Tests of texts: each distinct text is tested once, and its answer looked up for every row that has it.

Patterns know no repetition but `%`, which is matched from left to right without going back, so that no
pattern takes longer than the length of the text times its own.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.query.errors import QueryError

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
