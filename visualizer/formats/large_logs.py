"""Large logs of the format: a kernel finds where each value stands, and columns are read from slices.

No dictionary is made of a node. What is irregular, or wrong, is left to the patient readers, which say what
and where: here it is only noticed, so a log that is read here is the log that they read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats import scan_kernel, slices
from plyscope.visualizer.formats.cut_path import with_open_path
from plyscope.visualizer.formats.duplicate_keys import may_have_duplicate_keys
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.field_buffers import FieldBuffers
from plyscope.visualizer.formats.header import read_header
from plyscope.visualizer.formats.jsonlines import NO_RESULT, lacks_our_end
from plyscope.visualizer.formats.literal import read_literal
from plyscope.visualizer.formats.sealing import sealed_log
from plyscope.visualizer.formats.unknown_fields import UnknownFields
from plyscope.visualizer.formats.values import CONVERTERS, Bad, numbers, read_name
from plyscope.visualizer.store.fields import OF_NODES
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.seal import Sealed

Array = npt.NDArray[Any]
Progress = Callable[[float], None]
Kernel = Callable[..., Any]

NODES: Final = 8_192
"""Nodes that are read together."""
RECORDS: Final = 2**19
MOST_DISTINCT: Final = 1024
"""Up to so many distinct values of a field, among `NODES`, each is read once."""
NUMBER_FIELDS: Final = frozenset(name for name in OF_NODES if CONVERTERS.get(name) is numbers)
OF_LINES: Final = ("parent", "plyscope")
"""What a line may say beside the fields of a node."""
SEALED_PART: Final = 0.15
"""What sealing takes of the whole time."""


class IrregularError(Exception):
    """This log is one for the patient readers."""


def read_large(
    data: bytes,
    *,
    lines: bool,
    notices: Sequence[str] = (),
    on_progress: Progress = lambda part: None,
    compile_it: bool = True,
) -> Log | None:
    """The log in `data`, a native document or JSON Lines; None where the patient readers have to read it.

    `on_progress` is told the part that is done, from 0 to 1. Without `compile_it` kernels run as Python.

    >>> log = read_large(b'{"plyscope":1,"root":{"score":1,"children":[{"ply":"a1"}]}}', lines=False)
    >>> log.columns["level"].tolist()
    [0, 1]
    >>> read_large(b'{"plyscope":1,"root":{"score":true}}', lines=False)
    """
    try:
        scanned = _Scanned(data, lines, on_progress, compiled if compile_it else lambda kernel: kernel)
        return scanned.lines_log(notices) if lines else scanned.document_log(notices)
    except (IrregularError, LogError, Bad, orjson.JSONDecodeError, UnicodeDecodeError):
        return None


class _Scanned:
    """Everything that stands in a file: the gathered fields, the parents and the header."""

    def __init__(
        self, data: bytes, lines: bool, on_progress: Progress, run: Callable[[Kernel], Kernel]
    ) -> None:
        self.buffers = FieldBuffers()
        self.header: dict[str, Any] | None = None if lines else {}
        self.result: dict[str, Any] | None = None
        self.has_ended = False
        self.ids: list[Array] = []
        self.parent_ids: list[tuple[Array, Array]] = []
        self._data = np.frombuffer(data, dtype=np.uint8)
        self._lines = lines
        self._last_node: dict[str, int] = {}
        self._late: set[str] = set()
        """Fields that some node states later, by some thousand nodes, than a node behind it does."""
        self._labels: list[str] = []
        self._is_unknown = np.zeros(scan_kernel.MOST_NAMES, dtype=np.bool_)
        self._run = cache(run)
        self.buffers.unknown = UnknownFields(self._run)
        parents = []
        for state, records, new, beside in self._pieces():
            parents.append(new)
            for begin, end in beside.tolist():
                is_first = len(parents) == 1 and (not len(records) or begin < records[0, 2])
                self._beside(_parsed(bytes(data[begin:end])), is_first=is_first)
            self._take(records)
            on_progress(float(state[scan_kernel.POS]) / max(1, len(data)) * (1 - SEALED_PART))
        self.parents = np.concatenate(parents)

    def _pieces(self) -> Iterator[tuple[Array, Array, Array, Array]]:
        """State, records, parents and lines beside the nodes, some thousand nodes at a time."""
        run = self._run(scan_kernel.scan)
        names = np.zeros((scan_kernel.MOST_NAMES, scan_kernel.LONGEST_NAME), dtype=np.uint8)
        sizes, following = np.zeros((2, scan_kernel.MOST_NAMES), dtype=np.int64)
        for number, name in enumerate(scan_kernel.KNOWN_NAMES):
            names[number, : len(name)] = np.frombuffer(name, dtype=np.uint8)
            sizes[number] = len(name)
        self._state = state = np.zeros(scan_kernel.STATE_SIZE, dtype=np.int64)
        state[scan_kernel.WHERE] = scan_kernel.LINE if self._lines else scan_kernel.DOCUMENT
        state[scan_kernel.N_NAMES] = len(scan_kernel.KNOWN_NAMES)
        stack = np.full((1024, 2), -1, dtype=np.int64)
        stack[0, 1] = 0
        records = np.empty((RECORDS, 4), dtype=np.int64)
        parents, beside = np.empty(NODES, dtype=np.int64), np.empty((16, 2), dtype=np.int64)
        self._names, self._sizes = names, sizes
        came_back = scan_kernel.MORE
        while came_back != scan_kernel.DONE:
            n_before = int(state[scan_kernel.N_NODES])
            came_back = run(
                self._data, self._lines, state, stack, names, sizes, following, records, parents, beside
            )
            if came_back == scan_kernel.IRREGULAR:
                raise IrregularError
            if came_back == scan_kernel.DEEPER:
                stack = np.concatenate([stack, np.full_like(stack, -1)])
            yield (
                state,
                records[: state[scan_kernel.N_RECORDS]],
                parents[: state[scan_kernel.N_NODES] - n_before].copy(),
                beside[: state[scan_kernel.N_BESIDE]],
            )

    def _take(self, records: Array) -> None:
        """Gather what `records` tell, field by field in the order in which they are first met."""
        records = self._take_unknown(records)
        starts = np.zeros(scan_kernel.MOST_NAMES + 2, dtype=np.int64)
        by_name = np.empty((3, len(records)), dtype=np.int64)
        self._run(slices.sort_records)(records, starts, by_name)
        edges = starts.tolist()
        names = [name for name in range(scan_kernel.MOST_NAMES) if edges[name] < edges[name + 1]]
        for name in sorted(names, key=lambda name: int(by_name[1, edges[name]])):
            nodes, begins, sizes = by_name[:, edges[name] : edges[name + 1]]
            label = self._labels[name]
            of_header = nodes < 0
            if of_header.any():
                assert self.header is not None
                self.header[label] = self._values(begins[of_header], sizes[of_header])[0]
                nodes, begins, sizes = by_name[:, edges[name] : edges[name + 1]][:, ~of_header]
            nodes = nodes.astype(np.int32)
            if name == scan_kernel.CHILDREN:
                if any(value is not None for value in self._values(begins, sizes)):
                    raise IrregularError
            elif self._lines and label == "plyscope":
                raise IrregularError  # a header with an `id`
            elif self._lines and label in ("id", "parent"):
                self._take_ids(label, nodes, self._values(begins, sizes))
            elif len(nodes):
                self._take_field(label, nodes, begins, sizes)

    def _take_unknown(self, records: Array) -> Array:
        """Take the fields of nodes that the format does not know; returns the records of the others."""
        for number in range(len(self._labels), int(self._state[scan_kernel.N_NAMES])):
            label = self._names[number, : self._sizes[number]].tobytes().decode()
            self._labels.append(label)
            is_known = label in OF_NODES or (self._lines and label in OF_LINES)
            self._is_unknown[number] = number != scan_kernel.CHILDREN and not is_known
        is_unknown = self._is_unknown[records[:, 1]] & (records[:, 0] >= 0)
        if not is_unknown.any():
            return records
        unknown = records[is_unknown]
        names = {number: read_name(self._labels[number]) for number in np.unique(unknown[:, 1]).tolist()}
        if any(name in ("id", "iteration") or name.startswith(("tt.", "ucb.")) for name in names.values()):
            raise IrregularError  # the readers of those fields may keep something under such a name
        assert self.buffers.unknown is not None
        self.buffers.unknown.put(self._data, unknown, names, self._values)
        return records[~is_unknown]

    def _take_field(self, label: str, nodes: Array, begins: Array, sizes: Array) -> None:
        """Take the values of a field, in the cheapest way that reads them all."""
        if (nodes[1:] < nodes[:-1]).any():
            order = np.argsort(nodes, kind="stable")
            nodes, begins, sizes = nodes[order], begins[order], sizes[order]
        if nodes[0] < self._last_node.get(label, 0):
            self._late.add(label)
        self._last_node[label] = max(int(nodes[-1]), self._last_node.get(label, 0))
        data, n_values = self._data, len(nodes)
        if label in NUMBER_FIELDS:
            read, is_read = np.empty(n_values), np.zeros(n_values, dtype=np.bool_)
            if self._run(slices.read_numbers)(data, begins, sizes, read, is_read):
                self.buffers.put_numbers(label, read[is_read], nodes[is_read])
                nodes, begins, sizes = nodes[~is_read], begins[~is_read], sizes[~is_read]
                if not len(nodes):
                    return
        elif label == "factors":
            n_columns = 1 + int(np.count_nonzero(data[begins[0] : begins[0] + sizes[0]] == slices.COMMA))
            # A number takes two bytes: shorter lists must not ask for as much memory as the first.
            if (sizes > 2 * n_columns).all():
                matrix = np.empty((n_values, n_columns))
                if self._run(slices.read_lists)(data, begins, sizes, matrix):
                    self.buffers.put_factors(matrix, nodes)
                    return
        elif label == "key":
            keys = np.empty((n_values, 8), dtype=np.uint8)
            if self._run(slices.read_keys)(data, begins, sizes, keys):
                self.buffers.put_hex_keys(keys.view(">u8")[:, 0], nodes)
                return
        codes, firsts = np.empty(len(nodes), dtype=np.int64), np.empty(MOST_DISTINCT, dtype=np.int64)
        table = np.full(4 * MOST_DISTINCT, -1, dtype=np.int64)
        n_distinct = self._run(slices.find_distinct)(self._data, begins, sizes, table, firsts, codes)
        if n_distinct < 0:
            self.buffers.put(label, self._values(begins, sizes), np.arange(len(nodes)), nodes)
        else:
            firsts = firsts[:n_distinct]
            values = self._values(begins[firsts], sizes[firsts])
            self.buffers.put_repeated(label, values, codes, nodes)

    def _take_ids(self, label: str, nodes: Array, values: list[Any]) -> None:
        if label == "id":
            self.ids.append(_whole(values))
            self.buffers.put(label, values, np.arange(len(nodes)), nodes)
        else:
            stated = np.array([value is not None for value in values])
            wanted = _whole([value for value in values if value is not None])
            self.parent_ids.append((nodes[stated], wanted))

    def _values(self, begins: Array, sizes: Array) -> list[Any]:
        """The values of these slices."""
        text = np.empty(int(sizes.sum()) + len(sizes) + 2, dtype=np.uint8)
        n_bytes = self._run(slices.list_slices)(self._data, begins, sizes, text)
        values: list[Any] = _parsed(text[:n_bytes].tobytes())
        if len(values) != len(begins):
            raise IrregularError
        return values

    def _beside(self, fields: dict[str, Any], *, is_first: bool) -> None:
        """A line without `id`: the header, before all nodes, or the result."""
        if "plyscope" in fields:
            if self.header is not None or not is_first or "root" in fields or "roots" in fields:
                raise IrregularError
            read_header(fields)
            self.header = fields
        elif "result" in fields and isinstance(fields["result"], dict | None):
            self.result, self.has_ended = fields["result"], True
        else:
            raise IrregularError

    def document_log(self, notices: Sequence[str]) -> Log:
        """The log of a native document."""
        header = self.header or {}
        if "plyscope" not in header:
            raise IrregularError
        has_players = bool(read_header(header).players)
        if "contributions" in self._late or ("player" in self._late and not has_players):
            # They are numbered in the order of the nodes that first name them.
            raise IrregularError
        return self._sealed(header, self.parents, notices)

    def lines_log(self, notices: Sequence[str]) -> Log:
        """The log of JSON Lines in which each node came once, and its parent somewhere."""
        said = list(notices)
        header = dict(self.header or {})
        if self.result is not None:
            header["result"] = self.result
        if self.header is not None and header.get("result") is None and not self.has_ended:
            said.append(NO_RESULT)
        parents = self._parents_by_id()
        log = self._sealed(header, parents, said)
        late_parents = bool((parents > np.arange(len(parents))).any())
        is_cut = lacks_our_end(self.header, has_ended=self.has_ended)
        return with_open_path(log) if is_cut and not late_parents else log

    def _parents_by_id(self) -> Array:
        """The parent of each node by number; -1 for roots."""
        parents = np.full(len(self.parents), -1, dtype=np.int64)
        if not len(parents):
            raise IrregularError
        ids = np.concatenate(self.ids)
        order = np.argsort(ids, kind="stable")
        in_order = ids[order]
        if (in_order[1:] == in_order[:-1]).any():
            raise IrregularError
        for nodes, wanted in self.parent_ids:
            places = np.minimum(np.searchsorted(in_order, wanted), len(ids) - 1)
            if (in_order[places] != wanted).any():
                raise IrregularError
            parents[nodes] = order[places]
        return parents

    def _sealed(self, header: dict[str, Any], parents: Array, notices: Sequence[str]) -> Log:
        end, level = np.empty((2, len(parents)), dtype=np.int32)
        sealed = None
        if self._run(scan_kernel.shape_of)(parents, end, level):
            order = np.arange(len(parents), dtype=np.int64)
            sealed = Sealed(order, parents.astype(np.int32), end, level)
        return sealed_log(
            header,
            self.buffers,
            parents,
            _fail_at,
            dict.fromkeys(notices),
            roots_need_iterations=True,
            sealed=sealed,
            foreign=({}, "", ()),
        )


def _whole(values: list[Any]) -> Array:
    if set(map(type, values)) - {int}:
        raise IrregularError
    try:
        return np.array(values, dtype=np.int64)
    except OverflowError:
        raise IrregularError from None


def _fail_at(number: int, message: str, field: str = "") -> NoReturn:
    raise IrregularError


def _parsed(text: bytes) -> Any:
    """The value of `text`; raises IrregularError where an object in it has a key twice."""
    value = orjson.loads(text)
    if b"{" in text and may_have_duplicate_keys(text, value) and read_literal(text.decode()).twice:
        raise IrregularError
    return value
