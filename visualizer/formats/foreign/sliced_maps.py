"""A large tree in which every object inside a node is a child: maps in maps, or two sides of each node.

What kind it is, the patient reader says of a sketch of the document: its outermost members, each as far as it
goes. A kernel then reads the whole, and what does not fit the sketch raises IrregularError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.foreign.fields import SAMPLE, last_name, plain
from plyscope.visualizer.formats.foreign.linked_rows import PARENTS
from plyscope.visualizer.formats.foreign.names import SCORES
from plyscope.visualizer.formats.foreign.outline import (
    EVERY_OBJECT,
    NAMES,
    NUMBERS_OF_NODES,
    RECORDS,
    Branching,
    Child,
    Outline,
    grow,
)
from plyscope.visualizer.formats.foreign.sliced_outline import SlicedOutline
from plyscope.visualizer.formats.large import json_places, scan_kernel
from plyscope.visualizer.formats.large.scan import NO_CHILDREN, Bytes, IrregularError, Scan

Array = npt.NDArray[Any]
Closed = Callable[[Bytes, bytes], bytes]

MOST_MEMBERS: Final = 300
"""Members of an object that a sketch has, as the patient reader looks at so many."""
SKETCH: Final = 2**18
"""Bytes of a sketch."""
LEAST_OF_MEMBER: Final = 256
DEEPEST: Final = 3
"""How often a member that is most of its object is sketched itself."""
LEVELS_OF_TABLE: Final = 2
"""Maps in maps of so many levels may be tables, or nodes that name one another."""


class SlicedMaps(SlicedOutline):
    """The nodes of a large tree, in pre-order, whose children are the objects in them.

    `found` is the tree in the sketch, `sketch` its root there.
    """

    def __init__(
        self,
        data: Bytes,
        begin: int,
        found: Outline,
        sketch: Mapping[str, Any],
        *,
        is_pure: bool,
        opened: Sequence[str] = (),
    ) -> None:
        self.form, self._is_pure = found.form, is_pure
        self._kept_names, self._further_names = _names_in(sketch, is_pure=is_pure, opened=opened)
        super().__init__(data, begin, EVERY_OBJECT, in_list=0, opened=opened, root_label=found.labels[0])
        self._check(np.concatenate([each.nodes for each in self._bare]))

    def _check(self, bare: Array) -> None:
        """Raise IrregularError where the sketch may not tell what the whole is."""
        labels = set(self.labels)
        late = self.labels_seen[2 + len(self._opened) + len(self._kept_names) + len(self._further_names) :]
        if labels & set(late):
            raise IrregularError  # a name that may be there twice
        if not self._is_pure:
            if any(plain(label) in RECORDS for label in labels):
                raise IrregularError
            return
        of_bare = {self.labels[code] for code in np.unique(self.label_codes[bare]).tolist()}
        at_root = {self.labels[code] for code in np.unique(self.label_codes[bare[self.parents[bare] == 0]])}
        if any(plain(label) in NUMBERS_OF_NODES for label in of_bare):
            raise IrregularError
        if any(last_name(name) in SCORES for name in [*at_root, *self._nodes[0]]):
            raise IrregularError  # it may be a node like those in it
        if any(plain(label) in (*PARENTS, *NAMES) for label in labels):
            raise IrregularError  # it may be a table of rows
        if int(self.ends[1].max()) <= LEVELS_OF_TABLE:
            raise IrregularError

    def check_first(self, closed: Closed, step: str) -> None:
        """Raise IrregularError where the first nodes are not those that the patient reader finds."""
        text = self.data.array[self._begin : self.first_nodes_end].tobytes()
        if self.first_nodes_end < self.end:
            text = closed(self.data, text)
        root = Child(self._root_label, orjson.loads(text), step)
        first = grow(self.form, [root], Branching(EVERY_OBJECT, pure=self._is_pure), limit=SAMPLE)
        codes = self.label_codes[: first.n_nodes].tolist()
        labels = [None if code < 0 else self.labels[code] for code in codes]
        if first.parents != self.parents[: first.n_nodes].tolist() or first.labels != labels:
            raise IrregularError

    def _scan(self) -> Scan:
        return Scan(
            self.data,
            names=(NO_CHILDREN,),
            begin=self._begin,
            where=scan_kernel.NEXT_CHILD,
            tree=scan_kernel.LONE_TREES,
            with_labels=True,
            opened=[self._spelled(name) for name in self._opened],
            kept=[self._spelled(name) for name in self._kept_names],
            further=[self._spelled(name) for name in self._further_names],
            is_pure=self._is_pure,
        )


def _names_in(
    root: Mapping[str, Any], *, is_pure: bool, opened: Sequence[str]
) -> tuple[list[str], list[str]]:
    """The names in a tree of those that are never a child's, and of other fields."""
    kept: dict[str, None] = {}
    further: dict[str, None] = {}
    waiting = [root]
    while waiting:
        node = waiting.pop()
        for name, value in node.items():
            if is_pure:
                is_kept, is_child = plain(name) in NUMBERS_OF_NODES, isinstance(value, dict)
                is_field = value is None
            else:
                is_kept = plain(name) in RECORDS
                is_child = isinstance(value, dict) and not is_kept
                is_field = not is_child
            if is_child:
                waiting.append(value)
            elif is_kept:
                kept[name] = None
            elif is_field:
                further[name] = None
    return [name for name in kept if name not in opened], [name for name in further if name not in opened]


def sketched(slices: Bytes, begin: int, end: int, size: int, closed: Closed, levels: int = DEEPEST) -> bytes:
    """The value in a slice of a document, as a document of about so many bytes.

    Raises IrregularError where it is a long list or text, which does not tell itself by its start.
    """
    if end - begin <= size:
        return slices.array[begin:end].tobytes()
    if slices.array[begin] != json_places.OPEN_OBJECT:
        raise IrregularError
    members = list(_members(slices, begin))
    each = max(size // max(len(members), 1), LEAST_OF_MEMBER)
    texts = []
    for key, at, behind in members:
        if behind - at <= each:
            text = slices.array[at:behind].tobytes()
        elif 2 * (behind - at) > end - begin and levels:
            text = sketched(slices, at, behind, size, closed, levels - 1)
        elif slices.array[at] == json_places.OPEN_OBJECT:
            text = closed(slices, slices.array[at : at + each].tobytes()) or b"{}"
        else:
            raise IrregularError
        texts.append(b"%b:%b" % (key, text))
    return b"{%b}" % b",".join(texts)


def _members(slices: Bytes, begin: int) -> Iterator[tuple[bytes, int, int]]:
    """The first members of an object: key as it is spelled, place of the value and behind it."""
    array, run = slices.array, slices.run
    pos = int(run(json_places.after_space)(array, begin + 1, False))
    for _ in range(MOST_MEMBERS):
        if pos >= len(array) or array[pos] != json_places.QUOTE:
            return
        after = int(run(json_places.after_text)(array, pos))
        colon = int(run(json_places.after_space)(array, after, False)) if after >= 0 else len(array)
        at = int(run(json_places.after_space)(array, colon + 1, False))
        end = int(run(json_places.after_value)(array, at, False)) if at < len(array) else -1
        if end < 0:
            raise IrregularError
        yield array[pos:after].tobytes(), at, end
        pos = int(run(json_places.after_space)(array, end, False))
        if pos >= len(array) or array[pos] != json_places.COMMA:
            return
        pos = int(run(json_places.after_space)(array, pos + 1, False))
