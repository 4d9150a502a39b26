"""The top of a tree that is being read: its root and its first children, as far as they have come.

These few nodes are read as a document of their own, so that they look as they will in the whole log: turned,
checked, with the same defaults.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.read.forms import Roles
from plyscope.visualizer.formats.read.names import Names
from plyscope.visualizer.formats.read.own import read_own_document
from plyscope.visualizer.formats.tape.batch import Batch
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]

MOST_CHILDREN: Final = 12
SECONDS_BETWEEN: Final = 0.25
FIELDS: Final = frozenset(("ply", "layer", "player", "score", "bound", "outcome", "count", "mean", "visits"))
TURNED: Final = frozenset(("score", "bound", "mean"))
"""Fields that depend on the perspective that the search declares."""


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
    """Follows the batches of a document and reports the top now and then; in a forest, of the last tree."""

    def __init__(self, tell: Callable[[Top], None], roles: Roles) -> None:
        self._tell = tell
        self._roles = {role: name for role, name in roles.of_field.items() if name in FIELDS}
        self._numbers: list[int] = []
        """The root and the first of its children, by their numbers in the document."""
        self._fields: dict[int, dict[str, Any]] = {}
        self._root: int | str | None = None
        """The id of the root, where each line is a node."""
        self._is_hidden = False
        self._n_children = 0
        self._told_at = -math.inf
        self._has_news = False

    def take(self, batch: Batch, header: Mapping[str, Any]) -> None:
        """Look at a batch of a document; `header` is its header so far."""
        first, parents = batch.first, batch.parents
        roots = np.flatnonzero(parents == -1)
        begin = 0
        if len(roots):
            begin = int(roots[-1])
            self._begin(first + begin)
        if self._numbers:
            self._add((first + begin + np.flatnonzero(parents[begin:] == self._numbers[0])).tolist())
        self._look(batch, header, 0)

    def take_records(
        self,
        batch: Batch,
        ids: tuple[Array, Array] | None,
        named: tuple[Array, Array] | None,
        names: Names,
        header: Mapping[str, Any],
        n_before: int,
    ) -> None:
        """Look at a batch of lines behind `n_before` others, with the numbers of ids and parents in `names`.

        Line 1 must be the root.
        """
        if self._is_hidden:
            return
        if n_before + batch.first == 0 and self._root is None and ids is not None and int(ids[0][0]) == 0:
            (self._root,) = names.listed(ids[1][:1])
            self._begin(0)
        if named is not None and len(named[0]):
            if n_before + int(named[0][0]) == 0:  # the root has a parent: no top is shown before the end
                self._is_hidden = True
                return
            if self._root is not None:
                self._add((n_before + named[0][named[1] == names.number_of(self._root)]).tolist())
        if self._numbers:
            self._look(batch, header, n_before)

    def _look(self, batch: Batch, header: Mapping[str, Any], n_before: int) -> None:
        """Take the fields of the top, and report it if it is time; nodes are counted from `n_before` on."""
        for role, name in self._roles.items():
            values = batch.values.get(role)
            if values is None or not self._numbers:
                continue
            nodes = n_before + values.nodes
            if int(nodes.min()) > self._numbers[-1]:
                continue
            for at in np.flatnonzero(np.isin(nodes, self._numbers)).tolist():
                self._fields[int(nodes[at])][name] = values.at(at)
                self._has_news = True
        if self._has_news and time.monotonic() - self._told_at > SECONDS_BETWEEN:
            self._has_news, self._told_at = False, time.monotonic()
            self._tell_now(n_before + batch.first + len(batch.parents), header)

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
        # A `search` that comes later may declare another perspective.
        known = {name: header[name] for name in ("search", "players", "factors") if name in header}
        hidden = frozenset() if "search" in known else TURNED
        shown = [
            {name: value for name, value in self._fields[number].items() if name not in hidden}
            for number in self._numbers
        ]
        try:
            log = read_own_document({"plyscope": 1, **known, "root": {**shown[0], "children": shown[1:]}})
        except LogError:
            return  # the full reading reports the error
        self._tell(Top(log, self._n_children, n_nodes))
