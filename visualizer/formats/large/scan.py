"""One pass of the scanning kernel over a file, some thousand nodes at a time, and values of its slices.

It is longer than 300 lines because all that kernels find is turned into names and values here.
"""

from __future__ import annotations

import mmap
import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.arrival import Arrived, all_there
from plyscope.visualizer.formats.duplicate_keys import may_have_duplicate_keys
from plyscope.visualizer.formats.large import member_names, scan_kernel, slices
from plyscope.visualizer.formats.literal import TOO_LARGE, read_literal
from plyscope.visualizer.formats.literal_scalars import read_number

Array = npt.NDArray[Any]
Kernel = Callable[..., Any]
Result = TypeVar("Result")
Source = bytes | mmap.mmap
"""The bytes of a file, in memory or mapped."""

NODES: Final = 8_192
"""Nodes that are read together."""
RECORDS: Final = 2**19
MOST_AT_ONCE: Final = 2**22
MARGIN: Final = 2**20
"""Bytes of a file on its way that are waited for, and how many of them are left for later: what begins before
those should end within them."""
LEAST_BESIDE: Final = 2**20
"""Bytes for which a thread is worth while."""
NO_NAME: Final = b"\0"
"""No field of a document can have it; the keys that lead to nodes are told as its values."""
NO_CHILDREN: Final = b"\1"
"""Likewise in the place of the children's name, where no field holds them."""
SHORTEST_MEMBER: Final = 5
"""Bytes of a member of an object with the comma before it."""
MOST_DISTINCT: Final = 1024
"""Up to so many distinct values of a field, among `NODES`, each is read once."""


NUMBER: Final = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
"""A number as JSON writes it."""


class IrregularError(Exception):
    """This document is one for the patient readers."""


class Piece(NamedTuple):
    """The values found in some thousand nodes.

    records    rows of node, name, begin and size of each value; the node is -1 for fields of the header
    parents    the parent of each node that is new, in a document
    beside     begin and end of lines that are no node
    """

    records: Array
    parents: Array
    beside: Array


class Bytes:
    """The bytes of a file, and how kernels run over them."""

    def __init__(
        self,
        data: Source | memoryview,
        run: Callable[[Kernel], Kernel],
        arrived: Arrived = all_there,
        scratch: Path | None = None,
    ) -> None:
        """Take bytes; in the folder `scratch`, if there is one, large texts may be written."""
        self.array = np.frombuffer(data, dtype=np.uint8)
        self._run = cache(run)
        self._lock = Lock()
        self.arrived, self.scratch = arrived, scratch
        self._threads: ThreadPoolExecutor | None = None
        self.has_too_large = False
        """Whether a number beyond a double was read as infinite."""

    def run(self, kernel: Kernel) -> Kernel:
        """The form of a kernel that is called."""
        with self._lock:
            return self._run(kernel)

    def beside(self, work: Callable[..., Result], *arguments: Any) -> Future[Result]:
        """Do some work in the one thread beside this one; kernels let both run at once.

        Of few bytes it is done here and now.
        """
        if len(self.array) < LEAST_BESIDE:
            done: Future[Result] = Future()
            try:
                done.set_result(work(*arguments))
            except Exception as error:
                done.set_exception(error)
            return done
        if self._threads is None:
            self._threads = ThreadPoolExecutor(1)
        return self._threads.submit(work, *arguments)

    def notices(self) -> list[str]:
        """The notices about the values read so far."""
        return [TOO_LARGE] if self.has_too_large else []

    def close(self) -> None:
        """End the thread beside, so that nobody reads the bytes any more; what has not begun is given up."""
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
            self._threads = None

    def values(self, begins: Array, sizes: Array) -> list[Any]:
        """The values of these slices. Raises IrregularError, and what the JSON library raises."""
        text = np.empty(int(sizes.sum()) + len(sizes) + 2, dtype=np.uint8)
        n_bytes = self.run(slices.list_slices)(self.array, begins, sizes, text)
        listed = text[:n_bytes].tobytes()
        try:
            values: list[Any] = parsed(listed)
        except orjson.JSONDecodeError:
            values = self._one_by_one(begins, sizes)
        if len(values) != len(begins):
            raise IrregularError
        return values

    def _one_by_one(self, begins: Array, sizes: Array) -> list[Any]:
        """The values of these slices, of which some are numbers beyond a double: infinite, as in literals.

        Raises IrregularError where one is none.
        """
        values = []
        for begin, size in zip(begins.tolist(), sizes.tolist(), strict=True):
            text = self.array[begin : begin + size].tobytes()
            try:
                values.append(parsed(text))
            except orjson.JSONDecodeError:
                if not NUMBER.fullmatch(text):
                    raise IrregularError from None
                values.append(read_number(text.decode()))
                self.has_too_large = True
        return values

    def distinct(self, begins: Array, sizes: Array) -> tuple[list[Any], Array]:
        """The distinct values of these slices, or all where too many differ, and which of them each is."""
        codes, firsts = np.empty(len(begins), dtype=np.int64), np.empty(MOST_DISTINCT, dtype=np.int64)
        table = np.full(4 * MOST_DISTINCT, -1, dtype=np.int64)
        n_distinct = self.run(slices.find_distinct)(self.array, begins, sizes, table, firsts, codes)
        if n_distinct < 0:
            return self.values(begins, sizes), np.arange(len(begins))
        firsts = firsts[:n_distinct]
        return self.values(begins[firsts], sizes[firsts]), codes


class _Room:
    """Memory for one piece."""

    def __init__(self) -> None:
        self.records = np.empty((RECORDS, 4), dtype=np.int64)
        self.parents, self.beside = np.empty(NODES, dtype=np.int64), np.empty((16, 2), dtype=np.int64)


class Scan:
    """One pass over a file. `labels` are the names met so far, by the numbers that records have.

    `with_labels` children may lie in maps from key to node; keys are told as values of `NO_NAME`. Objects
    under the names `opened`, as they are spelled, are looked into: records of their members follow theirs.
    With `kept` every object in a node is a child, but those under names `opened` or `kept`; if `is_pure` all
    numbers are too, but those, and objects are whatever their name. `further` names are met later.
    If `is_labelled`, an object in a list of children is `{"its name": {the node}}`.
    """

    def __init__(
        self,
        data: Bytes,
        *,
        lines: bool = False,
        names: Sequence[bytes] = scan_kernel.KNOWN_NAMES,
        begin: int = 0,
        where: int | None = None,
        tree: int = scan_kernel.NO_TREE,
        in_list: int = 0,
        with_labels: bool = False,
        opened: Sequence[bytes] = (),
        kept: Sequence[bytes] | None = None,
        further: Sequence[bytes] = (),
        is_pure: bool = False,
        is_labelled: bool = False,
    ) -> None:
        self._data = data
        self._lines = lines
        self._is_map = in_list == scan_kernel.MAP_OF_TREES
        names = (*names, NO_NAME) if with_labels else names
        n_known = len(names)
        names = (*names, *opened, *(kept or ()))
        n_kept = len(names) if kept is not None else -1
        names = (*names, *further)
        size = (member_names.MOST_NAMES, member_names.LONGEST_NAME)
        self._names = np.zeros(size, dtype=np.uint8)
        self._sizes, self._following = np.zeros((2, member_names.MOST_NAMES), dtype=np.int64)
        for number, name in enumerate(names):
            self._names[number, : len(name)] = np.frombuffer(name, dtype=np.uint8)
            self._sizes[number] = len(name)
        self._state = np.zeros(scan_kernel.STATE_SIZE, dtype=np.int64)
        self._state[scan_kernel.WHERE] = where if where is not None else scan_kernel.DOCUMENT
        self._state[scan_kernel.POS] = begin
        self._state[scan_kernel.TREE] = tree
        self._state[scan_kernel.IN_LIST] = in_list
        self._state[scan_kernel.N_NAMES] = len(names)
        self._state[scan_kernel.LABELS] = n_known - 1 if with_labels else -1
        self.labels: list[str] = []
        self._state[scan_kernel.LABELLED] = is_labelled
        self._state[scan_kernel.KEPT], self._state[scan_kernel.PURE] = n_kept, is_pure
        self.opened = Opened(range(n_known, n_known + len(opened)))

    @property
    def pos(self) -> int:
        """The number of bytes scanned so far."""
        return int(self._state[scan_kernel.POS])

    @property
    def n_nodes(self) -> int:
        """Nodes met so far."""
        return int(self._state[scan_kernel.N_NODES])

    @property
    def n_plain(self) -> int:
        """Children in lists met so far that are a text or a number."""
        return int(self._state[scan_kernel.N_PLAIN])

    def pieces(self) -> Iterator[Piece]:
        """All that is found, in memory that the next piece but one takes again. Raises IrregularError.

        The next piece is looked for, and waited for, while this one is read.
        """
        stack = np.zeros((1024, scan_kernel.STACK_SIZE), dtype=np.int64)
        stack[:, scan_kernel.OF_NODE] = -1
        stack[0, scan_kernel.HOLDS] = scan_kernel.A_MAP if self._is_map else scan_kernel.A_LIST
        here, other = _Room(), _Room()
        waiting: list[Future[tuple[int, Array]]] = []
        came_back, state = self._next(stack, self._state, here)
        while True:
            n_before = self.n_nodes
            self._state = state
            _add_labels(self.labels, self._names, self._sizes, int(state[scan_kernel.N_NAMES]))
            is_done = came_back == scan_kernel.DONE
            if came_back == scan_kernel.DEEPER:
                stack = np.concatenate([stack, np.zeros_like(stack)])
            if not is_done:
                waiting.append(self._data.beside(self._next, stack, state, other))
            yield Piece(
                here.records[: state[scan_kernel.N_RECORDS]],
                here.parents[: self.n_nodes - n_before],
                here.beside[: state[scan_kernel.N_BESIDE]],
            )
            if is_done:
                return
            # Popped, lest its exception and this frame hold each other, and the bytes of the file.
            came_back, state = waiting.pop().result()
            here, other = other, here

    def _next(self, stack: Array, state: Array, room: _Room) -> tuple[int, Array]:
        """Look for the next piece from a state on: how the kernel came back, and the state then."""
        size = len(self._data.array)
        state = state.copy()
        n_arrived = self._data.arrived(min(size, int(state[scan_kernel.POS]) + MOST_AT_ONCE))
        is_whole = n_arrived >= size
        state[scan_kernel.LIMIT] = size + 1 if is_whole else n_arrived - MARGIN
        came_back = self._data.run(scan_kernel.scan)(
            self._data.array,
            self._lines,
            state,
            stack,
            self._names,
            self._sizes,
            self._following,
            room.records,
            room.parents,
            room.beside,
            *self.opened.tables,
        )
        if came_back == scan_kernel.IRREGULAR or (state[scan_kernel.POS] >= n_arrived and not is_whole):
            raise IrregularError  # or a value that is larger than the margin, and not there yet
        return came_back, state


class Opened:
    """The names met inside fields whose objects are looked into, `numbers` the fields' own."""

    def __init__(self, numbers: Sequence[int]) -> None:
        n_fields, n_names = member_names.MOST_OPENED, member_names.MOST_INNER + 1
        self._numbers = numbers
        self._of_name = np.zeros(member_names.MOST_NAMES, dtype=np.int64)
        self._of_name[numbers] = 1 + np.arange(len(numbers))
        self._names = np.zeros((n_fields, n_names, member_names.LONGEST_NAME), dtype=np.uint8)
        self._sizes, self._following = np.zeros((2, n_fields, n_names), dtype=np.int64)
        self._counts = np.zeros(n_fields + 1, dtype=np.int64)

    @property
    def tables(self) -> tuple[Array, ...]:
        """What the kernel is called with."""
        return self._of_name, self._names, self._sizes, self._following, self._counts

    def labels(self) -> dict[int, dict[str, int]]:
        """By the number of an opened field, the names met in it by the numbers that records have.

        Without those of which an object was not plainly regular. Raises IrregularError.
        """
        found = {}
        for place, number in enumerate(self._numbers):
            if self._of_name[number]:
                labels: list[str] = []
                _add_labels(labels, self._names[place], self._sizes[place], int(self._counts[place]))
                first = member_names.MOST_NAMES + place * member_names.MOST_INNER
                found[number] = {label: first + at for at, label in enumerate(labels)}
        return found


class Members:
    """The members of one field's objects, whose names are numbered as they are met."""

    def __init__(self, data: Bytes) -> None:
        self._data = data
        self._names = np.zeros((member_names.MOST_NAMES, member_names.LONGEST_NAME), dtype=np.uint8)
        self._sizes = np.zeros(member_names.MOST_NAMES, dtype=np.int64)
        self._following = np.zeros(member_names.MOST_NAMES + 1, dtype=np.int64)
        self._seen = np.empty(member_names.MOST_NAMES, dtype=np.int64)
        self.labels: list[str] = []

    def of(self, begins: Array, sizes: Array) -> Array:
        """The members of the objects in these slices: rows of number of the slice, name, begin and size.

        Raises IrregularError.
        """
        room = np.empty((int(((sizes + 3) // SHORTEST_MEMBER).sum()), 4), dtype=np.int64)
        n_records = self._data.run(member_names.scan_members)(
            self._data.array,
            np.ascontiguousarray(begins),
            np.ascontiguousarray(sizes),
            len(self.labels),
            self._names,
            self._sizes,
            self._following,
            self._seen,
            room,
        )
        if n_records < 0:
            raise IrregularError
        _add_labels(self.labels, self._names, self._sizes, int(self._following[-1]))
        return room[:n_records].copy()


def _add_labels(labels: list[str], names: Array, sizes: Array, n_names: int) -> None:
    """Add the names from there on, each as it is read. Raises IrregularError where one is spelled twice."""
    for at in range(len(labels), n_names):
        spelled = names[at, : sizes[at]].tobytes()
        is_ours = spelled in (NO_NAME, NO_CHILDREN)
        label = spelled.decode() if is_ours else orjson.loads(b'"%b"' % spelled)
        if label in labels:
            raise IrregularError
        labels.append(label)


def sorted_by_name(data: Bytes, records: Array, dtype: Any = np.int64) -> tuple[Array, list[int]]:
    """Rows of nodes, begins, sizes and places of records, sorted by name, and where each name begins."""
    starts = np.zeros(scan_kernel.MOST_OF_NODE + 2, dtype=np.int64)
    by_name = np.empty((4, len(records)), dtype=dtype)
    data.run(slices.sort_records)(records, starts, by_name)
    return by_name, starts.tolist()


def by_label(data: Bytes, records: Array, labels: Sequence[str]) -> Iterator[tuple[int, Array, Array, Array]]:
    """Number of a name, and nodes, begins and sizes of its values, for each name in the order of the file."""
    by_name, edges = sorted_by_name(data, records)
    names = [name for name in range(len(labels)) if edges[name] < edges[name + 1]]
    for name in sorted(names, key=lambda name: int(by_name[1, edges[name]])):
        nodes, begins, sizes = by_name[:3, edges[name] : edges[name + 1]]
        yield name, nodes, begins, sizes


def parsed(text: bytes) -> Any:
    """The value of `text`; raises IrregularError where an object in it has a key twice."""
    value = orjson.loads(text)
    if b"{" in text and may_have_duplicate_keys(text, value) and read_literal(text.decode()).twice:
        raise IrregularError
    return value
