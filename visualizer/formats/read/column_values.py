"""Values of columns of tables and records: arrays, gathered by the same rules as values of JSON."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import count
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.seal.field_buffers import codes_as_met
from plyscope.visualizer.formats.tape.batch import Batch, PythonValues
from plyscope.visualizer.formats.tape.extras import Extras
from plyscope.visualizer.formats.tape.kinds import FALSE, NULL, NUMBER, TEXT, TRUE, WHOLE
from plyscope.visualizer.formats.tape.reading import WalkReading
from plyscope.visualizer.formats.tape.texts import Texts

Array = npt.NDArray[Any]

KINDS_OF: Final = {"f": NUMBER, "i": WHOLE, "u": WHOLE, "O": TEXT, "b": FALSE}
"""The kinds of values by numpy's letters for types."""


class ColumnValues(PythonValues):
    """Values of a column: an array of numbers, flags or texts, with their nodes.

    Where `listed` is given, the array has numbers of these texts, which are the values. `places` has the byte
    at which each begins.
    """

    values: Any

    def __init__(
        self,
        nodes: Array,
        values: Array,
        kinds: Array | None = None,
        *,
        places: Array | None = None,
        listed: Sequence[Any] | None = None,
    ) -> None:
        self.nodes, self.values, self._places, self._listed = nodes, values, places, listed
        kind = TEXT if listed is not None else KINDS_OF[values.dtype.kind]
        if kinds is None:
            kinds = np.full(len(values), kind, np.uint8)
            if kind == FALSE:
                kinds[values] = TRUE
        elif len(kinds):
            kind = int(kinds.max())
        self.kinds = kinds
        is_number = kind in (WHOLE, NUMBER)
        self.numbers = values.astype(np.float64, copy=False) if is_number else np.zeros(len(values))

    def codes(self, texts: Texts) -> Array:
        """The number of each text in `texts`, -1 where a value is none."""
        if self._listed is not None:
            used = codes_as_met(self.values, len(self._listed))
            table = np.zeros(len(self._listed), np.int32)
            table[used] = texts.of_values([self._listed[code] for code in used.tolist()])
            return np.asarray(table[self.values])
        if not (self.kinds == TEXT).all():
            return super().codes(texts)
        code_of: dict[str, int] = defaultdict(count().__next__)
        codes = np.fromiter(map(code_of.__getitem__, self.values), np.int32, len(self))
        return np.asarray(texts.of_values(list(code_of))[codes])

    def at(self, index: int) -> Any:
        """The value as Python has it."""
        if self._listed is not None:
            return self._listed[self.values[index]]
        value = self.values[index] if self.kinds[index] != NULL else None
        return value.item() if isinstance(value, np.generic) else value

    def place(self, index: int) -> int:
        """The byte at which the value begins, -1 where that is not known."""
        return -1 if self._places is None else int(self._places[index])

    def where(self, chosen: Array) -> ColumnValues:
        """Those of the values at these indices, or where a mask is true."""
        places = None if self._places is None else self._places[chosen]
        nodes, values, kinds = self.nodes[chosen], self.values[chosen], self.kinds[chosen]
        return ColumnValues(nodes, values, kinds, places=places, listed=self._listed)


class ColumnReading(WalkReading):
    """The reading of columns, of which no document is left open."""

    innermost = -1

    def __init__(self) -> None:
        self.extras, self.containers = Extras(), []


def batch_of(first: int, n_nodes: int, values: dict[int, Any]) -> Batch:
    """The batch of nodes in a table, with values by role."""
    none = np.zeros(0, np.int32)
    values = {role: each for role, each in values.items() if len(each)}
    parents = np.full(n_nodes, -1, np.int32)
    return Batch(first, parents, none, none, none, values, none, none, None, 0, none)
