"""A form applied to values that a library parsed: the same batch as from a tape, without machine code.

Small documents and pasted literals are read so. A property test holds this and `placing` to the same roles,
nodes and values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.tape.batch import Batch, PythonValues
from plyscope.visualizer.formats.tape.form import DOCUMENT, ITEM, LINK, NODE, OTHER, SKIPPED, TOP, Form
from plyscope.visualizer.formats.tape.kinds import ABSENT, FALSE, LIST, OF_TYPE, TRUE, kind_of

Array = npt.NDArray[Any]
Kept = tuple[int, int, int, Any]
"""A value whose text is kept: its node, its role, the number of its name, and the value."""


def _first_kind(container: Any) -> int:
    for value in container.values() if isinstance(container, dict) else container:
        return kind_of(value)
    return ABSENT


class Walk:
    """Applies a form to values; `batch` may be called again with further documents.

    >>> form = Form()
    >>> node, score = form.role("node", makes_node=True), form.role("score", is_wanted=True)
    >>> form.step(DOCUMENT, ITEM, node)
    >>> form.step(node, "score", score)
    >>> batch = Walk(form).batch([{"score": 3}, {"score": 5}])
    >>> batch.parents.tolist(), batch.values[score].numbers.tolist()
    ([-1, -1], [3.0, 5.0])
    """

    def __init__(self, form: Form) -> None:
        self.form = form
        self.names = dict(form.names)
        """The names of the form and those met, with their numbers."""
        self._steps = form.steps()
        self._after, self._by_first = form.after, form.by_first.tolist()
        self._peeks = [set(others) != {role} for role, others in enumerate(self._by_first)]
        kept = zip(form.extra, form.member, strict=True)
        self._keeps = [TOP in (extra, member) for extra, member in kept]
        self._n_nodes = self._n_links = 0
        self.skipped: list[tuple[bool, Any]] = []
        """Lists and objects around all nodes that no step leads to; whether each is an item of a list."""
        self.open_ids: frozenset[int] = frozenset()
        """The identities of lists and objects that a cut left open."""
        self._open: list[tuple[int, int]] = []
        """The role of each of these, and the node or link that it belongs to, outermost first."""
        self.innermost = -1
        """The role of the innermost of these."""

    @property
    def open_nodes(self) -> list[int]:
        """The nodes with an open container, outermost first; one may come twice."""
        in_links = self.form.in_links() if self._open else ()
        return [node for role, node in self._open if role not in in_links]

    def n_records_outside(self) -> int:
        """The number of objects, and of lists within lists, in skipped values outside all nodes."""
        waiting, n_records = [*self.skipped], 0
        while waiting:
            is_item, value = waiting.pop()
            is_object = isinstance(value, dict)
            n_records += is_object or is_item
            held = value.values() if is_object else value
            waiting += [(not is_object, inner) for inner in held if isinstance(inner, dict | list | tuple)]
        return n_records

    def batch(
        self,
        documents: Iterable[Any],
        kept: list[Kept] | None = None,
        containers: list[Any] | None = None,
    ) -> Batch:
        """The batch of all documents.

        Values whose text is kept as an extra go into `kept`, the value of each node into `containers`.
        """
        form, names, steps_of, after = self.form, self.names, self._steps, self._after
        makes, is_wanted, keeps = form.makes, form.is_wanted, self._keeps
        first, first_link = n_nodes, n_links = self._n_nodes, self._n_links
        owners: list[int] = []
        parents: list[int] = []
        keys: list[int] = []
        roles: list[int] = []
        wanted: dict[int, tuple[list[int], list[Any], list[int]]] = {
            role: ([], [], []) for role, is_one in enumerate(is_wanted) if is_one
        }
        open_ids = self.open_ids
        type_of, by_first, peeks = OF_TYPE.get, self._by_first, self._peeks
        is_plain = [is_one and not (makes[role] or keeps[role]) for role, is_one in enumerate(is_wanted)]
        role, node, members = DOCUMENT, -1, iter([(ITEM, document) for document in documents])
        stack: list[tuple[int, int, Iterator[Any]]] = []
        while True:
            steps = steps_of[role]
            stays = after[role] == role
            for name, value in members:
                kind = type_of(value.__class__) or (TRUE if value is True else FALSE)
                try:
                    to = steps[name][kind]
                except KeyError:
                    to = self._kinds_of(role, name)[kind]
                if kind >= LIST:
                    if peeks[to]:
                        to = by_first[to][_first_kind(value)]
                elif stays and is_plain[to]:
                    nodes, values, numbers = wanted[to]
                    nodes.append(node)
                    values.append(value)
                    numbers.append(-1 if name is ITEM else names.setdefault(name, len(names)))
                    continue
                if after[role] != role:
                    role = after[role]
                    steps = steps_of[role]
                is_open = kind >= LIST and id(value) in open_ids
                if is_open:
                    self.innermost = to
                if to == SKIPPED:
                    if kind >= LIST and node < 0:
                        self.skipped.append((name is ITEM and bool(stack), value))
                    continue
                key = -1 if name is ITEM else names.setdefault(name, len(names))
                owner = node
                if makes[to] == NODE:
                    parents.append(node)
                    keys.append(key)
                    roles.append(to)
                    owner = n_nodes
                    n_nodes += 1
                    if containers is not None:
                        containers.append(value)
                elif makes[to] == LINK:
                    owners.append(node)
                    owner = n_links
                    n_links += 1
                if is_wanted[to]:
                    of = wanted[to]
                    of[0].append(owner)
                    of[1].append(value)
                    of[2].append(key)
                if keeps[to] and kept is not None:
                    kept.append((owner, to, key, value))
                if is_open and owner >= 0:
                    self._open.append((to, owner))
                if kind >= LIST and value:
                    stack.append((role, node, members))
                    items = value.items() if isinstance(value, dict) else ((ITEM, item) for item in value)
                    role, node, members = to, owner, iter(items)
                    break
            else:
                if not stack:
                    break
                role, node, members = stack.pop()
        self._n_nodes, self._n_links = n_nodes, n_links
        return Batch(
            first,
            np.array(parents, np.int32),
            np.array(keys, np.int32),
            np.array(roles, np.int16),
            np.zeros(0, np.int32),
            {
                at: PythonValues(np.array(nodes, np.int32), values, np.array(numbers, np.int32), open_ids)
                for at, (nodes, values, numbers) in wanted.items()
                if nodes
            },
            np.zeros(0, np.int16),
            np.zeros(0, np.int32),
            None,
            first_link,
            np.array(owners, np.int32),
        )

    def _kinds_of(self, role: int, name: Any) -> list[int]:
        """The roles by kind of values with a name that is new in containers of this role."""
        steps = self._steps[role]
        like = name if name is ITEM else self.form.known(name)
        kinds = steps[name] = steps.get(like) or steps[OTHER]
        return kinds
