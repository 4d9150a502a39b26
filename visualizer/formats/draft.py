"""A log while it is being read: nodes in the order they arrive, by the field names of the native form.

Every reader ends here, so checking, naming and turning happen once. Fields are gathered and checked column by
column, some thousand nodes at a time; only when something is wrong are they looked at one by one, to name
the first place. Errors therefore may come a little after the node that caused them, at the latest in `seal`.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.field_buffers import FieldBuffers, in_order_of_arrival, values_by_field
from plyscope.visualizer.formats.sealing import sealed_log
from plyscope.visualizer.formats.values import Bad, read_name
from plyscope.visualizer.store.fields import OF_NODES
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]
Where = str | int | Callable[[], str] | None
"""Where a node stands in its file: a JSON path, the number of a line, or what tells the path when asked; None
is the place in a native document, which the draft knows itself."""

CHUNK: Final = 32_768
"""Nodes that wait, as the reader gave them, to be taken into columns together."""


class Draft:
    """The nodes of a log as they arrive.

    >>> draft = Draft()
    >>> root = draft.add({"layer": "max", "score": 3}, parent=None)
    >>> draft.add({"ply": "c6", "score": 3}, parent=root)
    1
    >>> log = draft.seal({})
    >>> log.columns["score"].tolist(), log.columns["level"].tolist()
    ([3.0, 3.0], [0, 1])
    """

    def __init__(self) -> None:
        self._waiting: list[Mapping[str, Any]] = []
        self._beside: dict[int, Mapping[str, Any]] = {}
        self._taken = 0
        self._n_records = 0
        self._parents = array("q")
        self._targets = array("q")
        self._lines = array("q")
        self._places: dict[int, str | Callable[[], str]] = {}
        self._notices: dict[str, None] = {}
        self._buffers = FieldBuffers()

    def __len__(self) -> int:
        """Nodes that have arrived."""
        return len(self._parents)

    def add(
        self,
        fields: Mapping[str, Any],
        parent: int | None,
        where: Where = None,
        extras: Mapping[str, Any] | None = None,
    ) -> int:
        """Take a node and return its arrival number; `parent` is the arrival number of its parent.

        `fields` has the names and values of the native form, without `children`; the draft keeps it, so the
        caller must not change it. Names that the format does not know are kept as extras; those in
        `extras` are, whatever their names.
        """
        number = len(self._parents)
        self._parents.append(-1 if parent is None else parent)
        self.update(number, fields, where, extras)
        return number

    def update(
        self,
        number: int,
        fields: Mapping[str, Any],
        where: Where = None,
        extras: Mapping[str, Any] | None = None,
    ) -> None:
        """Take further fields of a node that has arrived; what is stated again replaces what was."""
        self._waiting.append(fields)
        self._targets.append(number)
        if type(where) is int:
            self._lines.append(where)
        else:
            self._lines.append(0)
            if where is not None:
                self._places[self._n_records] = where  # type: ignore[assignment]
        if extras:
            self._beside[self._n_records] = extras
        self._n_records += 1
        if len(self._waiting) == CHUNK:
            self._take()

    def set_parent(self, number: int, parent: int | None) -> None:
        """Say who the parent of a node is, where that was not known when it arrived."""
        self._parents[number] = -1 if parent is None else parent

    def parent(self, number: int) -> int | None:
        """The parent of a node as it is known now, None for a root."""
        parent = self._parents[number]
        return None if parent < 0 else parent

    def notice(self, text: str) -> None:
        """Tell the user a sentence: what was guessed, left out or mended. Said twice, it is shown once."""
        self._notices[text] = None

    def seal(
        self,
        header: Mapping[str, Any],
        *,
        roots_need_iterations: bool = True,
        mapping: Mapping[str, str] | None = None,
        shape: str = "",
        fields: tuple[str, ...] = (),
    ) -> Log:
        """Check what is left to check, turn perspectives, sort into pre-order; the draft is spent.

        `header` is the native header, without the tree; `mapping`, `shape` and `fields` go to the log as they
        are. Raises LogError.
        """
        self._take()
        return sealed_log(
            header,
            self._buffers,
            np.frombuffer(self._parents, dtype=np.int64),
            self.fail_at,
            self._notices,
            roots_need_iterations=roots_need_iterations,
            foreign=(dict(mapping or {}), shape, fields),
        )

    def fail_at(self, number: int, message: str, field: str = "") -> NoReturn:
        """Raise LogError about a node that has arrived, or about one of its fields."""
        self._fail(self._targets.index(number), message, field)

    def _take(self) -> None:
        """Take the waiting records into columns."""
        waiting, first = self._waiting, self._taken
        if not waiting:
            return
        targets = np.frombuffer(self._targets, dtype=np.int64)[first:].copy()
        values, records = values_by_field(waiting, repeated=len(self._targets) != len(self._parents))
        self._take_unknown({name: read_name(name) for name in values if name not in OF_NODES}, first)
        try:
            for name in values:
                if name in OF_NODES:
                    self._buffers.put(name, values[name], records[name], targets)
        except Bad:
            self._find(values, records, targets)
        for record, extras in self._beside.items():
            for name, value in extras.items():
                self._buffers.put_extra(name, value, self._targets[record])
        self._beside.clear()
        self._taken += len(waiting)
        self._waiting = []

    def _take_unknown(self, names: Mapping[str, str], first: int) -> None:
        """Take the fields that the format does not know, in the order in which each record states them.

        `names` says what they are called here.
        """
        if not names:
            return
        for record, fields in enumerate(self._waiting, first):
            for name, value in fields.items():
                if name in names:
                    self._buffers.put_extra(names[name], value, self._targets[record])

    def _find(self, values: dict[str, list[Any]], records: dict[str, Array], targets: Array) -> NoReturn:
        """Raise LogError for the first bad value of those that wait, by field and record."""
        first: tuple[tuple[int, int], str, list[Any]] | None = None
        for name in values:
            in_order, places = in_order_of_arrival(values[name], records[name])
            at = self._first_bad(name, in_order, places, targets)
            if at is None:
                continue
            record = int(places[at])
            place = record, list(self._waiting[record]).index(name)
            if first is None or place < first[0]:
                first = place, name, in_order[: at + 1]
        assert first is not None, "a column was refused, but none of its values"
        (record, _), name, up_to_it = first
        value = up_to_it[-1]
        try:
            self._buffers.probe().put(name, [value], np.array([record]), targets)
        except Bad as bad:
            found, expected, inside = value if bad.value is ... else bad.value, bad.expected, bad.inside
        else:  # it is one too many
            found, expected, inside = value, self._refusal(name, up_to_it, targets), ""
        self._fail(self._taken + record, f"found {shown(found)}, {expected}", name + inside)

    def _first_bad(self, name: str, values: list[Any], records: Array, targets: Array) -> int | None:
        """The index of the value that is refused together with those before it, found by halving."""

        def are_refused(n_values: int) -> bool:
            try:
                self._buffers.probe().put(name, values[:n_values], records[:n_values], targets)
            except Bad:
                return True
            return False

        if not are_refused(len(values)):
            return None
        return bisect_left(range(1, len(values)), True, key=are_refused)

    def _refusal(self, name: str, values: list[Any], targets: Array) -> str:
        try:
            self._buffers.probe().put(name, values, np.arange(len(values)), targets)
        except Bad as bad:
            return bad.expected
        raise AssertionError("values were refused, but are not any more")

    def _fail(self, record: int, message: str, field: str = "") -> NoReturn:
        suffix = f".{field}" if field else ""
        if line := self._lines[record]:
            raise LogError(message, line=line, path=f"${suffix}" if field else None)
        place = self._places.get(record)
        if place is None:
            place = self._native_path(self._targets[record])
        raise LogError(message, path=(place if isinstance(place, str) else place()) + suffix)

    def _native_path(self, number: int) -> str:
        """The JSON path of a node in the native form: siblings are counted by arrival."""
        parents = np.frombuffer(self._parents, dtype=np.int64)
        path, is_on_path = [number], {number}
        while (above := int(parents[path[-1]])) >= 0 and above not in is_on_path:
            path.append(above)
            is_on_path.add(above)
        place_of_child = np.full(
            len(parents) + 1, -1, dtype=np.int64
        )  # of a parent's own; the last is roots'
        child = np.array(path)
        place_of_child[parents[child]] = np.arange(len(path))
        places = place_of_child[parents]
        is_before = (places >= 0) & (np.arange(len(parents)) < child[places])
        n_before = np.bincount(places[is_before], minlength=len(path)).tolist()
        steps = [f".children[{n}]" for n in n_before]
        if above < 0:
            steps[-1] = "$.root" if np.count_nonzero(parents < 0) == 1 else f"$.roots[{n_before[-1]}]"
        else:
            steps.append("$.root")
        if len(steps) > 41:
            steps[20:-21] = [f" … {len(steps) - 41} levels … "]
        return "".join(reversed(steps))
