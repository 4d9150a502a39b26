"""The names of the nodes of a document, and the node of each name."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.foreign.scalars import Scalars
from plyscope.visualizer.formats.json_text import json_value
from plyscope.visualizer.formats.tape.batch import Values
from plyscope.visualizer.formats.tape.kinds import (
    ESCAPED,
    FALSE,
    LIST,
    NULL,
    NUMBER,
    OBJECT,
    TEXT,
    TRUE,
    WHOLE,
)

Array = npt.NDArray[Any]

EXACT: Final = 2.0**53
NO_NAMES: Final[dict[int, Any]] = {NULL: None, FALSE: False, TRUE: True, LIST: [], OBJECT: {}}
AT_ONCE: Final = 2**16
"""Names that are spelled together."""
UNKNOWN: Final = -2
FEWEST_IN_TABLE: Final = 1_024
TIMES_IN_TABLE: Final = 8
"""The most places a node of a table of nodes by number; one of few nodes has more."""


class Names(Scalars):
    """Names of nodes, or names by which nodes or links refer to others: texts, or whole numbers."""

    def put(self, values: Values) -> None:
        """Take names of some part of the document."""
        codes, kinds = values.codes(self.texts), np.where(values.kinds == ESCAPED, TEXT, values.kinds)
        odd = np.flatnonzero((kinds == NUMBER) | ((kinds == WHOLE) & (np.abs(values.numbers) >= EXACT)))
        for index in odd.tolist():
            codes[index] = self.texts.of_values([str(values.at(index))])[0]
        numbers = np.where(kinds == TEXT, np.nan, values.numbers)  # so that a number that is spelled shows
        kinds[odd] = TEXT
        self.add(values.nodes, kinds.astype(np.uint8), numbers, codes)

    def put_codes(self, nodes: Array, codes: Array) -> None:
        """Take names by their numbers in `texts`."""
        self.add(nodes, np.full(len(nodes), TEXT, np.uint8), np.full(len(nodes), np.nan), codes)

    def finish(self) -> None:
        """Join the names, by node and in order of arrival."""
        self.join()
        if (self.nodes[1:] < self.nodes[:-1]).any():
            self.take(np.argsort(self.nodes, kind="stable"))

    def choose(self, number_of: Array) -> None:
        """Renumber the nodes by `number_of`; the names of those that get -1 are left out."""
        self.nodes = number_of[self.nodes].astype(np.int32)
        self.take(np.flatnonzero(self.nodes >= 0))

    @property
    def has_texts(self) -> bool:
        """Whether some name is no whole number."""
        return bool((self.kinds == TEXT).any())

    @property
    def are_far_apart(self) -> bool:
        """Whether the least whole number is far from the largest one, for so many; true if there is none."""
        if not len(self.numbers):
            return True
        return bool(np.ptp(self.numbers) > TIMES_IN_TABLE * len(self.numbers) + FEWEST_IN_TABLE)

    def spelled(self) -> Names:
        """The names with texts in the place of whole numbers."""
        whole = np.flatnonzero(self.kinds == WHOLE)
        if not len(whole):
            return self
        self = copy(self)
        self.codes, self.kinds = self.codes.copy(), self.kinds.copy()
        for first in range(0, len(whole), AT_ONCE):
            some = whole[first : first + AT_ONCE]
            numbers = self.numbers[some].astype(np.int64)
            text = orjson.dumps(numbers, option=orjson.OPT_SERIALIZE_NUMPY)[1:-1] + b","
            ends = np.flatnonzero(np.frombuffer(text, np.uint8) == ord(","))
            begins = np.append(0, ends[:-1] + 1)
            self.codes[some] = self.texts.of_slices(np.frombuffer(text, np.uint8), begins, ends)
        self.kinds[whole] = TEXT
        return self

    def value(self, index: int) -> Any:
        """The name at an index as it was written; of what is none, a value of its kind."""
        kind, text = int(self.kinds[index]), self.shown(index)
        if kind not in (TEXT, WHOLE):
            return NO_NAMES[kind]
        return json_value(text) if np.isfinite(self.numbers[index]) else text

    def shown(self, index: int) -> str:
        """The name at an index as text."""
        if self.kinds[index] == WHOLE:
            return str(int(self.numbers[index]))
        return self.texts.text(int(self.codes[index])) if self.kinds[index] == TEXT else ""

    def all_shown(self, indices: Array) -> list[str]:
        """The names at these indices as texts."""
        kinds = self.kinds[indices]
        texts = iter(self.texts.texts_of(self.codes[indices[kinds == TEXT]]))
        return [
            next(texts) if kind == TEXT else str(int(number)) if kind == WHOLE else ""
            for kind, number in zip(kinds.tolist(), self.numbers[indices].tolist(), strict=True)
        ]


class Register:
    """The nodes by their names, and the nodes that other names mean."""

    def __init__(self, ids: Names, others: Sequence[Names]) -> None:
        """Names become texts if some is one, or if numbers are too far apart for a table by number."""
        self._by_text = any(each.has_texts for each in (ids, *others)) or ids.are_far_apart
        if self._by_text:
            ids, *others = (each.spelled() for each in (ids, *others))
        ids.texts.end()
        self._keys = ids.codes if self._by_text else ids.numbers.astype(np.int64)
        self._nodes = ids.nodes
        self._lowest = int(self._keys.min()) if len(self._keys) else 0
        highest = int(self._keys.max(initial=self._lowest - 1))
        self._table = np.full(highest - self._lowest + 2, UNKNOWN, np.int32)
        self._table[self._keys[::-1] - self._lowest] = self._nodes[::-1]
        self.found = [self._found(names) for names in others]
        """By each of the others the node, UNKNOWN where no node has that name, -1 where it is no name."""

    def double(self) -> tuple[int, int] | None:
        """Two nodes with one name, the earlier first; None where names are distinct."""
        first = self._of_keys(self._keys)
        again = np.flatnonzero(first != self._nodes)
        return None if not len(again) else (int(first[again[0]]), int(self._nodes[again[0]]))

    def _found(self, names: Names) -> Array:
        is_name = names.kinds == (TEXT if self._by_text else WHOLE)
        found = np.full(len(names.nodes), UNKNOWN, np.int32)
        keys = names.codes[is_name] if self._by_text else names.numbers[is_name].astype(np.int64)
        found[is_name] = self._of_keys(keys)
        found[(names.kinds != TEXT) & (names.kinds != WHOLE)] = -1
        return found

    def _of_keys(self, keys: Array) -> Array:
        """The first node with each key, UNKNOWN where there is none."""
        places = keys - self._lowest
        places[(places < 0) | (places >= len(self._table))] = -1
        return np.asarray(self._table[places])
