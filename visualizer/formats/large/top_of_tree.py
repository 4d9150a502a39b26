"""The top of a tree that is being read: its root and the first of its children, as far as they have come.

The few nodes are read as a document of their own by the patient reader, so that what is told of them is what
will be told of them in the whole log: turned, checked, with the same defaults.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.large import slices
from plyscope.visualizer.formats.large.scan import Bytes, parsed
from plyscope.visualizer.formats.native import read_native
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]

MOST_CHILDREN: Final = 12
SECONDS_BETWEEN: Final = 0.25
FIELDS: Final = frozenset(("ply", "layer", "player", "score", "bound", "outcome", "count", "mean", "visits"))
TURNED: Final = frozenset(("score", "bound", "mean"))
"""What depends on whose view the search declares."""


class Top(NamedTuple):
    """The top of a tree, as far as it has come.

    log         the root and the first of its children, in the order of the file
    n_children  the children of the root so far
    n_nodes     all nodes so far
    """

    log: Log
    n_children: int
    n_nodes: int


class TopOfTree:
    """Told of each piece of a file, it tells of the top now and then; of a forest that of the last tree."""

    def __init__(self, data: Bytes, tell: Callable[[Top], None], *, lines: bool) -> None:
        self._data, self._tell, self._lines = data, tell, lines
        self._numbers: list[int] = []
        """The root and the first of its children, by their numbers in the file."""
        self._fields: dict[int, dict[str, Any]] = {}
        self._root_id: float | None = None
        self._n_children = 0
        self._told_at = -math.inf
        self._has_news = False

    def take(
        self, records: Array, parents: Array, n_nodes: int, labels: Sequence[str], header: Mapping[str, Any]
    ) -> None:
        """Look at a piece of which `n_nodes` is the number of nodes with it; `parents` of its new ones."""
        if self._lines:
            self._find_lines(records, labels)
        else:
            self._find(parents, n_nodes - len(parents))
        wanted = records[np.isin(records[:, 0], self._numbers)] if self._numbers else records[:0]
        for number, name, begin, size in wanted.tolist():
            if labels[name] in FIELDS:
                value = parsed(self._data.array[begin : begin + size].tobytes())
                self._fields[number][labels[name]] = value
                self._has_news = True
        if self._has_news and time.monotonic() - self._told_at > SECONDS_BETWEEN:
            self._has_news, self._told_at = False, time.monotonic()
            self._tell_now(n_nodes, header)

    def _find(self, parents: Array, first: int) -> None:
        """Find the roots, and the children of the last, among the new nodes of a document."""
        roots = np.flatnonzero(parents == -1)
        begin = 0
        if len(roots):
            begin = int(roots[-1])
            self._begin(first + begin)
        if self._numbers:
            self._add((first + begin + np.flatnonzero(parents[begin:] == self._numbers[0])).tolist())

    def _find_lines(self, records: Array, labels: Sequence[str]) -> None:
        """Find the first root, which has to be the first line, and its children by the id that they name."""
        if self._root_id is None:
            for number, name, begin, size in records[:64].tolist():
                if number == 0 and labels[name] == "id":
                    self._root_id = parsed(self._data.array[begin : begin + size].tobytes())
                    self._begin(0)
        if "parent" not in labels or self._root_id is None:
            return
        named = records[records[:, 1] == labels.index("parent")]
        read, is_read = np.zeros(len(named)), np.zeros(len(named), dtype=np.bool_)
        begins, sizes = np.ascontiguousarray(named[:, 2]), np.ascontiguousarray(named[:, 3])
        self._data.run(slices.read_numbers)(self._data.array, begins, sizes, read, is_read)
        if named[is_read & (named[:, 0] == 0)].size:
            # A child came first: there is no top before the end.
            self._root_id, self._numbers, self._has_news = math.nan, [], False
            return
        self._add(named[is_read & (read == self._root_id), 0].tolist())

    def _begin(self, root: int) -> None:
        self._numbers, self._fields, self._n_children = [root], {root: {}}, 0
        self._has_news = True

    def _add(self, children: list[int]) -> None:
        self._n_children += len(children)
        for number in children[: MOST_CHILDREN + 1 - len(self._numbers)]:
            self._numbers.append(number)
            self._fields[number] = {}
        self._has_news |= bool(children)

    def _tell_now(self, n_nodes: int, header: Mapping[str, Any]) -> None:
        # A search that has not been stated may still say that scores are seen otherwise.
        known = {name: header[name] for name in ("search", "players", "factors") if name in header}
        hidden = frozenset() if "search" in known else TURNED
        shown = [
            {name: value for name, value in self._fields[number].items() if name not in hidden}
            for number in self._numbers
        ]
        try:
            log = read_native({"plyscope": 1, **known, "root": {**shown[0], "children": shown[1:]}})
        except LogError:
            return  # the reading itself will say what is wrong
        self._tell(Top(log, self._n_children, n_nodes))
