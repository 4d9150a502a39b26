"""Which node a written id names: the number in order of arrival, for lines that come by the thousand."""

from __future__ import annotations

from itertools import islice
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Id = int | str

UNKNOWN: Final = -1


class NodeNumbers:
    """The arrival number of each id. Of ids that are counted up, as loggers count them, only a base is kept.

    >>> numbers = NodeNumbers()
    >>> numbers.take([7, 8, 7]).tolist(), len(numbers), numbers.of([8, 9]).tolist()
    ([0, 1, 0], 2, [1, -1])
    >>> numbers.take(["x", 7]).tolist(), numbers.ids().tolist()
    ([2, 0], [7, 8, 'x'])
    """

    def __init__(self) -> None:
        self._base: int | None = None
        self._count = 0
        self._number_of: dict[Id, int] | None = None

    def __len__(self) -> int:
        """Ids that have come, each once."""
        return self._count if self._number_of is None else len(self._number_of)

    def take(self, ids: Array | list[Any]) -> Array:
        """The numbers of the ids of some lines, in order; those that are new get the next ones."""
        if self._number_of is None:
            numbers = self._counted_up(ids)
            if numbers is not None:
                return numbers
            base = self._base or 0
            self._number_of = {base + number: number for number in range(self._count)}
        number_of = self._number_of
        listed = ids.tolist() if isinstance(ids, np.ndarray) else ids
        return np.array([number_of.setdefault(name, len(number_of)) for name in listed], dtype=np.int64)

    def _counted_up(self, ids: Array | list[Any]) -> Array | None:
        """The numbers where every new id is the one after the last new one; None where one is not."""
        if not isinstance(ids, np.ndarray):
            if set(map(type, ids)) - {int} or any(abs(name) >= 2**62 for name in ids):
                return None
            ids = np.array(ids, dtype=np.int64)
        if not len(ids):
            return np.zeros(0, dtype=np.int64)
        base = int(ids[0]) if self._base is None else self._base
        numbers = ids - base
        highest = np.maximum.accumulate(np.concatenate([[self._count - 1], numbers]))
        if numbers.min() < 0 or (numbers > highest[:-1] + 1).any():
            return None
        self._base, self._count = base, int(highest[-1]) + 1
        return numbers

    def of(self, ids: Array | list[Any]) -> Array:
        """The numbers of these ids, -1 for those that have not come."""
        if self._number_of is None:
            base = self._base or 0
            if isinstance(ids, np.ndarray):
                numbers = ids - base
                return np.where((numbers >= 0) & (numbers < self._count), numbers, UNKNOWN)
            known = range(base, base + self._count)
            found = [name - base if type(name) is int and name in known else UNKNOWN for name in ids]
        else:
            number_of = self._number_of
            listed = ids.tolist() if isinstance(ids, np.ndarray) else ids
            found = [number_of.get(name, UNKNOWN) for name in listed]
        return np.array(found, dtype=np.int64)

    def are_within(self, largest: int, *, since: int) -> bool:
        """Whether the ids from the number `since` on are whole numbers from 0 to `largest`."""
        if self._number_of is None:
            base = self._base or 0
            return base >= 0 and base + self._count - 1 <= largest
        names = list(islice(self._number_of, since, None))
        return all(type(name) is int and 0 <= name <= largest for name in names)

    def id_of(self, number: int) -> Id:
        """The id of one number."""
        if self._number_of is None:
            return (self._base or 0) + number
        return next(islice(self._number_of, number, None))

    def ids(self, since: int = 0) -> Array:
        """The id of each number from `since` on: whole numbers of 64 bits where all are, else objects."""
        if self._number_of is None:
            base = self._base or 0
            return np.arange(base + since, base + self._count, dtype=np.int64)
        names = list(islice(self._number_of, since, None))
        if set(map(type, names)) <= {int}:
            return np.array(names, dtype=np.int64)
        return np.array(names, dtype=object)
