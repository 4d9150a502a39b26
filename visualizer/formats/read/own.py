"""A document of ours of any size: the header, and its trees as nested objects.

A small one is parsed by a library and walked, a large one is read by the tape. Both give batches of values by
the same form, so all else is the same code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.arrival import Arrived, all_there
from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.header import read_header
from plyscope.visualizer.formats.json_text import json_values
from plyscope.visualizer.formats.literal.reader import TOO_LARGE
from plyscope.visualizer.formats.read.forms import named, own_form
from plyscope.visualizer.formats.read.gather import Gatherer
from plyscope.visualizer.formats.read.places import native_path, notice_of_cut, place_of_cut
from plyscope.visualizer.formats.seal.field_buffers import rounded_in_words
from plyscope.visualizer.formats.seal.node_fields import NodeFields, NodeOf
from plyscope.visualizer.formats.seal.sealing import sealed_log
from plyscope.visualizer.formats.tape.batch import Batch
from plyscope.visualizer.formats.tape.form import TOP
from plyscope.visualizer.formats.tape.kinds import LIST
from plyscope.visualizer.formats.tape.reading import Reading, TapeReading, WalkReading
from plyscope.visualizer.formats.tape.tape import ROWS, Run, TapeError
from plyscope.visualizer.formats.tape.twice import Twice
from plyscope.visualizer.formats.tape.writing import Writer
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]
Progress = Callable[[float], None]
TakeTop = Callable[[Batch, dict[str, Any]], None]

SEALED_PART: Final = 0.15
"""The share of the whole time that sealing takes."""
A_NODE: Final = "expected a node (an object)"
NODES: Final = "expected a list of nodes"


def read_own_document(document: dict[str, Any], *, notices: Sequence[str] = (), n_open: int = 0) -> Log:
    """The log of a document of ours that a library parsed. Raises LogError with a JSON path.

    `n_open`: the number of containers that a cut left open, each the last value in the one before.

    >>> log = read_own_document({"plyscope": 1, "root": {"score": 1, "children": [{"ply": "a1"}]}})
    >>> log.columns["level"].tolist()
    [0, 1]
    """
    trees = {name: value for name, value in document.items() if name in ("root", "roots")}
    header = {name: value for name, value in document.items() if name not in trees}
    if n_open > 1 and (last := next(reversed(document))) in header:
        del header[last]
        n_open = 1
    reading = WalkReading(own_form().form, [trees], named=named, n_open=n_open)
    taking = _Taking(reading, lambda kernel: kernel)
    for batch in reading.batches():
        taking.take(batch)
    taking.finish()
    taking.check(header, is_cut=n_open > 0)
    if n_open:
        taking.open_nodes(reading.open_nodes)
    return taking.log(header, notices)


def read_own(
    data: Any,
    *,
    on_progress: Progress = lambda part: None,
    run: Run = compiled,
    arrived: Arrived = all_there,
    scratch: Path | None = None,
    rows: int = ROWS,
    cut: bool = False,
    on_top: TakeTop | None = None,
) -> Log | None:
    """The log of a document of ours in bytes or a mapped file; `arrived` returns how much of it is there.

    None where a library has to parse it. Raises LogError with a JSON path, or with line and column.
    `on_progress` gets the part that is done, from 0 to 1; large texts may be written into the folder
    `scratch`; `cut`: the packed file was cut short, in the document or behind it; `on_top` gets each batch
    and the header so far.

    >>> read_own(b'{"plyscope":1,"root":{"score":1,"children":[{}]}}').columns["level"].tolist()
    [0, 1]
    """
    n_bytes = max(1, len(data))
    reading = TapeReading(
        own_form().form,
        data,
        named=named,
        run=run,
        arrived=arrived,
        on_byte=lambda place: on_progress(place / n_bytes * (1 - SEALED_PART)),
        rows=rows,
        folder=scratch,
    )
    taking, header, twice = _Taking(reading, run), _Header(reading), Twice(run)
    try:
        for batch in reading.batches():
            assert batch.piece is not None
            if twice.is_in(batch.piece, reading.tape.n_names):
                return None  # the problem may be a value that a later one of the same name hides
            header.take(batch)
            taking.take(batch)
            if on_top is not None:
                on_top(batch, header.fields())
    except TapeError:
        return None
    taking.finish()
    fields = header.fields()
    if "plyscope" not in fields:
        return None
    try:
        said = []
        if reading.tape.is_cut:
            said.append(notice_of_cut(place_of_cut(reading.array, reading.tape.place)))
        if reading.tape.is_beyond:
            said.append(TOO_LARGE)
        if cut and not reading.tape.is_cut:
            said.append(PACKED_CUT)
        taking.check(fields, is_cut=reading.tape.is_cut)
        if reading.tape.is_cut:
            taking.open_nodes(reading.open_nodes)
        return taking.log(fields, said)
    except LogError as error:
        if reading.tape.is_cut and error.path == "$":
            return None
        raise


PACKED_CUT: Final = "The packed file is cut short after the end of the log."


class _Taking:
    """Gathers the nodes of a document of ours, batch by batch."""

    def __init__(self, reading: Reading, run: Run) -> None:
        self._own, self._reading, self._run = own_form(), reading, run
        self.gatherer = Gatherer(self._own.fields, reading, run)
        self._parents: list[Array] = []
        self._has_root = self._has_roots = False
        self._wrong: list[LogError] = []
        """What is wrong about the roots."""
        self._n_roots = 0
        self._node_of: NodeOf = 0
        """The number of each node, -1 for those that a cut leaves out."""

    def take(self, batch: Batch) -> None:
        """Take the nodes of a batch and their fields."""
        own, problems = self._own, self.gatherer.problems
        is_root = batch.parents < 0
        n_roots = int(np.count_nonzero(is_root))
        for role, values in batch.values.items():
            if role == own.roots:
                self._has_roots = True
                if values.kinds[0] != LIST:
                    self._wrong.append(LogError(f"found {shown(values.at(0))}, {NODES}", path="$.roots"))
            elif role == own.no_root:
                self._has_root = True
                self._wrong.append(LogError(f"found {shown(values.at(0))}, {A_NODE}", path="$.root"))
            elif role == own.no_children:
                at = int(np.argmin(values.nodes))
                problems.add(values, at, "children", NODES)
            elif role == own.no_node:
                self._take_no_nodes(batch, values)
        if n_roots:
            self._has_root |= bool((batch.keys[is_root] == self._own.form.names["root"]).any())
            self._n_roots += n_roots
        self._parents.append(batch.parents)
        self.gatherer.take(batch)

    def _take_no_nodes(self, batch: Batch, values: Any) -> None:
        """Report values among roots or children that are no nodes."""
        of_roots = np.flatnonzero(values.nodes < 0)
        if len(of_roots):
            at = int(of_roots[0])
            n_before = self._n_before(batch, values, at, -1)
            found = shown(values.at(at))
            self._wrong.append(LogError(f"found {found}, {A_NODE}", path=f"$.roots[{n_before}]"))
        of_nodes = np.flatnonzero(values.nodes >= 0)
        if len(of_nodes):
            at = int(of_nodes[np.argmin(values.nodes[of_nodes])])
            n_before = self._n_before(batch, values, at, int(values.nodes[at]))
            self.gatherer.problems.add(values, at, "children", A_NODE, f"[{n_before}]")

    def _n_before(self, batch: Batch, values: Any, at: int, parent: int) -> int:
        """The number of nodes with the same parent before a value."""
        if isinstance(self._reading, WalkReading):
            if parent < 0:
                siblings = self._reading.documents[0]["roots"]
            else:
                siblings = self._reading.containers[parent]["children"]
            return next(place for place, each in enumerate(siblings) if type(each) is not dict)
        n_new = int(np.count_nonzero(batch.role[: values.rows[at]] == self._own.node))
        before = [*self._parents, batch.parents[:n_new]]
        return sum(int(np.count_nonzero(parents == parent)) for parents in before)

    def finish(self) -> None:
        """Take what waited for more."""
        self.gatherer.finish()
        if self.gatherer.is_late:
            self.gatherer.buffers.number_by_node()
        self.parents = np.concatenate(self._parents) if self._parents else np.zeros(0, np.int32)
        self._parents.clear()

    def open_nodes(self, path: Iterable[int]) -> None:
        """Mark the nodes within which the document was cut as open; `path` has them from the outermost on.

        The last of them is left out where it has no field yet, or is a stub. Nodes that state `stopped` keep
        it. Raises LogError where no node is left.
        """
        buffers = self.gatherer.buffers
        opened = list(dict.fromkeys(path))
        n_nodes = len(self.parents)
        while opened:
            node = opened[-1]
            outcome = int(buffers.last_of("outcome", [node])[0])
            says_any = buffers.states(node) or self._reading.extras.states(node)
            if node < n_nodes - 1 or (outcome < words.FIRST_STUB and says_any):
                break
            n_nodes -= 1
            opened.pop()
        if not n_nodes:
            raise LogError("found no node that is whole", path="$")
        if n_nodes < len(self.parents):
            self._node_of = np.arange(len(self.parents), dtype=np.int32)
            self._node_of[n_nodes:] = -1
            self.parents = self.parents[:n_nodes]
        if opened:
            outcomes = buffers.last_of("outcome", opened)
            nodes = np.array(opened, np.int32)[outcomes != words.STOPPED]
            buffers.put_numbers("outcome", np.full(len(nodes), words.OPEN, np.uint8), nodes)

    def check(self, header: dict[str, Any], *, is_cut: bool) -> None:
        """Raise LogError for the first fault: in the header, about the roots, in the nodes.

        The path is `$` where a cut left no roots.
        """
        read_header(header)
        if self._has_root == self._has_roots:
            found = "both `root` and `roots`" if self._has_root else "neither `root` nor `roots`"
            raise LogError(f"found {found}, expected exactly one of them", path="$")
        if self._wrong:
            raise self._wrong[0]
        if not self._n_roots:
            raise LogError(f"found an empty list, {NODES}", path="$" if is_cut else "$.roots")
        problems = self.gatherer.problems
        if problems:
            problem = problems.first()
            inside = problem.field + problem.inside
            raise LogError(problem.message, path=f"{native_path(self.parents, problem.node)}.{inside}")

    def log(self, header: dict[str, Any], notices: Sequence[str]) -> Log:
        """The log of all nodes. Raises LogError."""
        parents, buffers = self.parents, self.gatherer.buffers

        def fail_at(number: int, message: str, field: str = "") -> NoReturn:
            path = native_path(parents, number)
            raise LogError(message, path=f"{path}.{field}" if field else path)

        fields = NodeFields.of(buffers, len(parents), self._node_of)
        return sealed_log(
            header,
            fields,
            parents,
            fail_at,
            dict.fromkeys([*notices, *rounded_in_words(fields.rounded)]),
            roots_need_iterations=True,
            run=None if isinstance(self._reading, WalkReading) else self._run,
        )


class _Header:
    """The fields of the header of a document on a tape, before or after its trees."""

    def __init__(self, reading: TapeReading) -> None:
        self._reading, self._what = reading, own_form().header
        self._role = int(np.flatnonzero(self._what == TOP)[0])
        self._writer = Writer(reading.tape, to_be_read=True)
        self._fields: dict[str, Any] = {}

    def take(self, batch: Batch) -> None:
        """Take the header's fields of a batch."""
        assert batch.piece is not None
        if self._role not in batch.values and not self._writer.is_open:
            return
        self._writer.write(batch.piece, self._what[batch.role], batch.piece.key)
        taken = self._writer.taken()
        if taken is None:
            return
        (keys,), begins, text = taken
        for key, value in zip(keys.tolist(), json_values(text.tobytes(), begins.tolist()), strict=True):
            self._fields[self._reading.name(key)] = value

    def fields(self) -> dict[str, Any]:
        """The fields that are complete."""
        return self._fields
