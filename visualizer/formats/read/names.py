"""The ids in lines of nodes, whole numbers or texts, each mapped to one number."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.tape.batch import Values
from plyscope.visualizer.formats.tape.kinds import ESCAPED, NUMBER, TEXT, WHOLE
from plyscope.visualizer.formats.tape.texts import Texts

Array = npt.NDArray[Any]

EXACT: Final = 2.0**53
"""Whole numbers below this are mapped to themselves."""
FIRST_TEXT: Final = 2**62
FIRST_LARGE: Final = 2**61
NOTHING: Final = -(2**63)


class Names:
    """The numbers of names, which are whole numbers or texts; `1.0` is 1, and "1" is another name."""

    def __init__(self, texts: Texts | None = None) -> None:
        """`texts` number the names that are texts."""
        self._texts = Texts() if texts is None else texts
        self._large: dict[int, int] = {}
        self._listed_large: list[int] = []

    def numbers(self, values: Values) -> tuple[Array, Array]:
        """The number of each value, and a mask of the values that are no name."""
        kinds, floats = values.kinds, values.numbers
        is_number = (kinds == WHOLE) | (kinds == NUMBER)
        is_bad = ~is_number
        if not is_bad.any() and (np.abs(floats) < EXACT).all() and (floats == np.floor(floats)).all():
            return floats.astype(np.int64), is_bad
        is_bad |= ~np.isfinite(floats) | (floats != np.floor(floats))
        numbers = np.where(is_bad | (np.abs(floats) >= EXACT), 0, floats).astype(np.int64)
        for at in np.flatnonzero(~is_bad & (np.abs(floats) >= EXACT)).tolist():
            numbers[at] = self.number_of_whole(int(values.at(at)))
        is_text = (kinds == TEXT) | (kinds == ESCAPED)
        if is_text.any():
            numbers[is_text] = FIRST_TEXT + values.where(is_text).codes(self._texts).astype(np.int64)
            is_bad &= ~is_text
        return numbers, is_bad

    def number_of_whole(self, whole: int) -> int:
        """The number that a whole number is mapped to."""
        if abs(whole) < EXACT:
            return whole
        place = self._large.setdefault(whole, len(self._large))
        if place == len(self._listed_large):
            self._listed_large.append(whole)
        return FIRST_LARGE + place

    def numbers_of_texts(self, texts: Sequence[str]) -> Array:
        """The numbers that texts are mapped to."""
        return FIRST_TEXT + self._texts.of_values(texts).astype(np.int64)

    def numbers_of(self, names: Sequence[int | str]) -> Array:
        """The numbers that names are mapped to."""
        with suppress(OverflowError):
            whole = np.array(names if set(map(type, names)) == {int} else [], np.int64)
            if len(whole) and (np.abs(whole) < EXACT).all():
                return whole
        is_text = np.array([type(name) is str for name in names], np.bool_)
        numbers = np.empty(len(names), np.int64)
        numbers[is_text] = self.numbers_of_texts([name for name in names if type(name) is str])
        numbers[~is_text] = [self.number_of_whole(name) for name in names if type(name) is int]
        return numbers

    def numbers_from(self, names: Names, numbers: Array) -> Array:
        """The numbers here of names that have the numbers `numbers` in `names`."""
        is_odd = numbers >= FIRST_LARGE
        if names is self or not is_odd.any():
            return numbers
        odd = numbers[is_odd]
        is_text = odd >= FIRST_TEXT
        odd[is_text] = self._texts.of_texts(names._texts, odd[is_text] - FIRST_TEXT)
        odd[is_text] += FIRST_TEXT
        odd[~is_text] = [self.number_of_whole(name) for name in names.listed(odd[~is_text])]
        numbers = numbers.copy()
        numbers[is_odd] = odd
        return numbers

    def number_of(self, name: int | str) -> int:
        """The number that one name is mapped to."""
        return int(self.numbers_of([name])[0])

    def listed(self, numbers: Array) -> list[Any]:
        """The names of these numbers."""
        texts = self._texts.texts_of(numbers[numbers >= FIRST_TEXT] - FIRST_TEXT)
        if len(texts) == len(numbers):
            return texts
        of_texts = iter(texts)
        return [
            next(of_texts)
            if number >= FIRST_TEXT
            else self._listed_large[number - FIRST_LARGE]
            if number >= FIRST_LARGE
            else number
            for number in numbers.tolist()
        ]
