"""A form followed over values that a library read: the same batch as of a tape, without machine code.

It is how small documents and pasted literals are read. What `placing` does row by row is done here value by
value; a property holds both to the same roles, nodes and values.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.tape.batch import Batch, PythonValues
from plyscope.visualizer.formats.tape.form import DOCUMENT, ITEM, OTHER, SKIPPED, TOP, Form
from plyscope.visualizer.formats.tape.kinds import FALSE, N_KINDS, NULL, OF_TYPE, TRUE

Array = npt.NDArray[Any]
Kept = tuple[int, int, int, Any]
"""Of a value of which text is kept: its node, its role, the number of its name, and itself."""


class Walk:
    """What follows a form over values; further documents may come.

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
        """The names met or named, by number."""
        table = form.table()
        named: dict[Any, int] = {**form.names, ITEM: -1}
        self._steps: list[dict[Any, list[int]]] = [
            {name: table[role, number + 1].tolist() for name, number in named.items()}
            | {OTHER: table[role, -1].tolist()}
            for role in range(len(form.labels))
        ]
        self._nothing = [self._leads_nowhere(role) for role in range(len(form.labels))]
        self._after = form.after
        self._n_nodes = 0

    def _leads_nowhere(self, role: int) -> bool:
        """Whether nothing in containers of a role is of any use."""
        to = {each for steps in self._steps[role].values() for each in steps[NULL:]}
        form = self.form
        return all(not form.makes_node[at] and not form.is_wanted[at] and at in (role, SKIPPED) for at in to)

    def batch(self, documents: Iterable[Any], kept: list[Kept] | None = None) -> Batch:
        """The batch of all documents; each value of which text is kept as an extra goes into `kept`."""
        form, names, steps_of, after = self.form, self.names, self._steps, self._after
        makes_node, is_wanted = form.makes_node, form.is_wanted
        keeps = [extra == TOP for extra in form.extra]
        first = n_nodes = self._n_nodes
        parents: list[int] = []
        keys: list[int] = []
        wanted: dict[int, tuple[list[int], list[Any], list[int]]] = {
            role: ([], [], []) for role, is_one in enumerate(is_wanted) if is_one
        }
        type_of = OF_TYPE.get
        role, node, members = DOCUMENT, -1, iter([(ITEM, document) for document in documents])
        stack: list[tuple[int, int, Iterator[Any]]] = []
        while True:
            steps = steps_of[role]
            others = steps[OTHER]
            for name, value in members:
                kind = type_of(type(value)) or (TRUE if value is True else FALSE)
                to = steps.get(name, others)[kind]
                if after[role] != role:
                    role = after[role]
                    steps, others = steps_of[role], steps_of[role][OTHER]
                if to == SKIPPED:
                    continue
                key = -1 if name is ITEM else names.setdefault(name, len(names))
                owner = node
                if makes_node[to]:
                    parents.append(node)
                    keys.append(key)
                    owner = n_nodes
                    n_nodes += 1
                if is_wanted[to]:
                    of = wanted[to]
                    of[0].append(owner)
                    of[1].append(value)
                    of[2].append(key)
                if keeps[to] and kept is not None:
                    kept.append((owner, to, key, value))
                if kind >= N_KINDS - 2 and value and not self._nothing[to]:
                    stack.append((role, node, members))
                    items = value.items() if isinstance(value, dict) else ((ITEM, item) for item in value)
                    role, node, members = to, owner, iter(items)
                    break
            else:
                if not stack:
                    break
                role, node, members = stack.pop()
        self._n_nodes = n_nodes
        return Batch(
            first,
            np.array(parents, np.int32),
            np.array(keys, np.int32),
            {
                at: PythonValues(np.array(nodes, np.int32), values, np.array(numbers, np.int32))
                for at, (nodes, values, numbers) in wanted.items()
                if nodes
            },
            np.zeros(0, np.int16),
            np.zeros(0, np.int32),
            None,
        )
