"""The parent of each node of a log that grows, and the nodes whose parent has not come yet."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.following.grown_arrays import GrownArray
from plyscope.visualizer.formats.following.node_batch import Id, NodeBatch
from plyscope.visualizer.formats.following.node_numbers import NodeNumbers

Array = npt.NDArray[Any]

UNSTATED: Final = -1
WAITING: Final = -2
"""Parent of a node whose parent's line has not come."""


class GrownParents:
    """By arrival number. The first line of a node says its parent; later ones may only say the same."""

    def __init__(self, numbers: NodeNumbers, no_parent: tuple[Id, ...]) -> None:
        """`numbers` has the arrival number of each id, those of a batch before it is taken.

        `no_parent` are names that say that there is none; the first node may then name itself, too.
        """
        self.orphans: dict[int, Id] = {}
        """Nodes whose parent has not come, and its id."""
        self.are_stated = False
        """Whether some line named a parent."""
        self.came_late = False
        """Whether some node came before its parent."""
        self._numbers, self._no_parent = numbers, no_parent
        self._parents = GrownArray(UNSTATED, np.int64)
        self._waiting_for: dict[Id, list[int]] = {}

    @property
    def missing(self) -> list[Id]:
        """The ids of parents that have not come."""
        return list(self._waiting_for)

    def first(self, n_nodes: int) -> Array:
        """The parents of the first nodes, to be read at once."""
        return self._parents.first(n_nodes)

    def take(self, batch: NodeBatch, numbers: Array, is_new: Array) -> None:
        """Take the parents of nodes that are new; `numbers` are the nodes of the batch's records."""
        self._parents.make_room(len(self._numbers))
        if len(batch.children):
            self._take_named(batch, numbers, is_new)
        if is_new.any() and self._waiting_for:
            self._settle()

    def _take_named(self, batch: NodeBatch, numbers: Array, is_new: Array) -> None:
        self.are_stated = True
        nodes, above = numbers[batch.children], self._numbers.of(batch.parents)
        first = is_new[batch.children]
        if self._no_parent:
            first &= (nodes > 0) | (above != nodes)
        self.came_late |= bool((above[first] > nodes[first]).any())
        known = first & (above >= 0)
        self._parents.put(nodes[known], above[known])
        for at in np.flatnonzero(first & (above < 0)).tolist():
            wanted = listed(batch.parents, at)
            node = int(nodes[at])
            if wanted in self._no_parent:
                continue
            self.orphans[node] = wanted
            self._waiting_for.setdefault(wanted, []).append(node)
            self._parents.put(np.array([node]), np.array([WAITING]))

    def _settle(self) -> None:
        """Give nodes that waited the parents that have come."""
        names = list(self._waiting_for)
        found = self._numbers.of(names)
        for at in np.flatnonzero(found >= 0).tolist():
            nodes = self._waiting_for.pop(names[at])
            self._parents.put(np.array(nodes), np.full(len(nodes), found[at]))
            self.came_late = True
            for node in nodes:
                del self.orphans[node]

    def check(self, batch: NodeBatch, numbers: Array, is_new: Array) -> None:
        """Raise LogError where a later line of a node names another parent than it has."""
        first = is_new[batch.children]
        if first.all():
            return
        nodes, above = numbers[batch.children], self._numbers.of(batch.parents)
        differs = ~first & ((above < 0) | (self.first(len(self._numbers))[nodes] != above))
        for at in np.flatnonzero(differs).tolist():
            line = int(batch.places[batch.children[at]])
            self._check_one(int(nodes[at]), listed(batch.parents, at), line)

    def _check_one(self, node: int, named: Id, line: int) -> None:
        ids = self._numbers.ids()
        if node in self.orphans:
            known: Id | None = self.orphans[node]
        else:
            above = int(self.first(len(self._numbers))[node])
            known = None if above < 0 else listed(ids, above)
        if known is None and (named in self._no_parent or (node == 0 and named == listed(ids, 0))):
            return
        if known != named:
            was = "a root" if known is None else f"under {shown(known)}"
            name = shown(listed(ids, node))
            message = f"node {name} is under {shown(named)} here, but it was {was} before"
            raise LogError(f"{message}, expected the same parent", line=line, path="$.parent")


def listed(names: Array | list[Id], at: int) -> Id:
    """One of some ids, as Python has it."""
    name: Any = names[at]
    return name.item() if isinstance(name, np.generic) else name  # type: ignore[no-any-return]
