"""Anyone's tree, read by the tape: found in the first part of a document, then gone over once by its form.

A small document is its own first part. Of a large one it is read again with what was found there, where the
whole turns out to be another tree, or takes other fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import loaded
from plyscope.visualizer.formats.arrival import Arrived, all_there
from plyscope.visualizer.formats.cut_path import with_open
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.fields import SAMPLE, sampled
from plyscope.visualizer.formats.foreign.found import Found
from plyscope.visualizer.formats.foreign.graphs import HOW_WRITTEN, NODES
from plyscope.visualizer.formats.foreign.linked import LinkedForm, LinkedTree
from plyscope.visualizer.formats.foreign.mapping import checked_mapping
from plyscope.visualizer.formats.foreign.nested import NestedForm
from plyscope.visualizer.formats.foreign.outline import EVERY_OBJECT, NESTED, Outline
from plyscope.visualizer.formats.foreign.reader import _refusal as refusal
from plyscope.visualizer.formats.foreign.reader import field_names, shape_of_tree
from plyscope.visualizer.formats.foreign.reading import Reading
from plyscope.visualizer.formats.foreign.telling import Teller
from plyscope.visualizer.formats.foreign.tree import Collector, Sketcher, Tree
from plyscope.visualizer.formats.foreign.trunk import MAPS_IN_MAPS, find_tree
from plyscope.visualizer.formats.json_text import json_value
from plyscope.visualizer.formats.large.tree_order import sealed_order
from plyscope.visualizer.formats.literal import TOO_LARGE
from plyscope.visualizer.formats.sealing import sealed_log
from plyscope.visualizer.formats.tape.form import (
    DOCUMENT,
    ITEM,
    NOT_KEPT,
    OTHER,
    SKIPPED,
    TOP,
    WITHIN,
    Form,
)
from plyscope.visualizer.formats.tape.kinds import LIST
from plyscope.visualizer.formats.tape.paths import path_of_node
from plyscope.visualizer.formats.tape.reading import TapeReading, WalkReading
from plyscope.visualizer.formats.tape.tape import MANY, ONE, Run, TapeError
from plyscope.visualizer.formats.tape.writing import Writer
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.seal import Sealed

Array = npt.NDArray[Any]
MOST_PASSES: Final = 4
STEPS: Final = re.compile(r"\.|\[")
"""What begins each step of a JSON path."""
ITEMS_OF_SKELETON: Final = 8
HEADS: Final = (2**17, 2**21, 2**24)
"""Bytes in which a tree is searched first."""


class ValueDocument:
    """A document that a library read."""

    is_whole = True
    """Whether its head is all of it."""
    in_lines = False
    """Whether each line is a document."""

    def __init__(self, document: Any, open_at: str = "") -> None:
        """`open_at` is the JSON path at which the document was cut, empty where it is whole."""
        self.head, self.open_at = document, open_at

    def reading(self, form: Form, *, is_first: bool = False) -> WalkReading:
        """A pass over all of it."""
        n_open = 0 if is_first or not self.open_at else len(STEPS.findall(self.open_at)) + 1
        return WalkReading(form, [self.head], n_open=n_open)

    def further_head(self) -> bool:
        """Have a larger part of the document as its head; False where there is none."""
        return False

    def sketcher(self, reading: Any, n_nodes: int) -> Sketcher | None:
        """There is nothing around the tree that the head lacks."""
        return None


class TapeDocument:
    """A document as bytes, or as a mapped file that may be on its way."""

    def __init__(
        self,
        data: Any,
        *,
        arrived: Arrived = all_there,
        on_progress: Callable[[float], None] = lambda part: None,
        run: Run = loaded,
        heads: Sequence[int] = HEADS,
        in_lines: bool = False,
        n_open: Callable[[str, int], int] | None = None,
        folder: Path | None = None,
    ) -> None:
        self._data, self._arrived, self._run, self._folder = data, arrived, run, folder
        self._on_progress = on_progress
        self._heads = [*heads]
        self.n_open = n_open
        """Of a document that was cut and made whole, how many nodes were open at its end, by what holds the
        children and how deep the roots lie."""
        self.in_lines = in_lines
        """Whether each line is a document."""
        self._mode = MANY if in_lines else ONE
        self.n_bytes_of_head = 0
        self.head: Any = None

    @property
    def is_whole(self) -> bool:
        """Whether its head is all of it."""
        return self.n_bytes_of_head >= len(self._data)

    def further_head(self) -> bool:
        """Have a larger part of the document as its head; False where there is none. Raises TapeError."""
        n_bytes = len(self._data)
        if not self._heads or self.is_whole:
            return False
        self.n_bytes_of_head = min(n_bytes, self._heads.pop(0))
        self._arrived(self.n_bytes_of_head)
        reading = TapeReading(Form(), self._data[: self.n_bytes_of_head], run=self._run, mode=self._mode)
        sketcher = Sketcher(reading, 1)
        for batch in reading.batches():
            sketcher.take(batch)
        self.head = sketcher.value(in_lines=self.in_lines)
        return True

    def skeleton(self) -> None:
        """Have as the head all of the document, but of each list only the first few items."""
        form = Form()
        kept = form.role("value")
        lists = [form.role("list") for _ in range(ITEMS_OF_SKELETON + 1)]
        form.step(DOCUMENT, ITEM, kept)
        form.step(DOCUMENT, ITEM, lists[0], [LIST])
        form.step(kept, OTHER, kept)
        form.step(kept, OTHER, lists[0], [LIST])
        for at, after in pairwise(lists):
            form.then(at, after)
            form.step(at, ITEM, kept)
            form.step(at, ITEM, lists[0], [LIST])
        reading = self.reading(form)
        writer = Writer(reading.tape)
        for batch in reading.batches():
            assert batch.piece is not None
            what = np.where(batch.role == SKIPPED, NOT_KEPT, WITHIN).astype(np.uint8)
            what[batch.piece.up == -1] = TOP
            writer.write(batch.piece, what)
        writer.finish()
        self.head = json_value(writer.text().tobytes())

    def reading(self, form: Form, *, is_first: bool = False) -> TapeReading:
        """A pass over all of it, or over its head."""
        if is_first:
            return TapeReading(form, self._data[: self.n_bytes_of_head], run=self._run, mode=self._mode)
        n_bytes = max(len(self._data), 1)
        return TapeReading(
            form,
            self._data,
            run=self._run,
            mode=self._mode,
            arrived=self._arrived,
            on_byte=lambda n_read: self._on_progress(n_read / n_bytes),
            folder=self._folder,
        )

    def values(self) -> list[Any]:
        """The values of the document, all read at once: for errors only."""
        data = bytes(self._data)
        return (
            [json_value(line) for line in data.splitlines() if line.strip()]
            if self.in_lines
            else [json_value(data)]
        )

    def sketcher(self, reading: Any, n_nodes: int) -> Sketcher:
        """What cuts the tree of this document short."""
        return Sketcher(reading, n_nodes)


Document = ValueDocument | TapeDocument


class NoTree(LogError):  # noqa: N818
    """A document in which no tree is found."""


class DoubleNames(Exception):  # noqa: N818
    """An object of a document may have a name twice, of which a patient reader has to tell the place."""


class Reader:
    """What reads one document."""

    def __init__(self, document: Document, mapping: Mapping[str, str] | None = None) -> None:
        self.document = document
        self.told = checked_mapping(mapping or {})
        self._has_sketch = False
        """Whether the head is all of the document but for most of the tree."""

    def read(self, notices: Sequence[str] = ()) -> Log:
        """The log that the document makes. Raises LogError."""
        document, told = self.document, self.told
        guessed, outline = self._find()
        if self._may_be_a_map(outline.found):
            assert isinstance(document, TapeDocument)
            return Reader(ValueDocument(document.values()[0]), told).read(notices)
        for _ in range(MOST_PASSES):
            first = self.first_tree(outline)
            wanted = Reading(first, told, is_first=True).wanted()
            tree, reading, sketch = self._pass(outline, first, wanted)
            if sketch is None:
                break
            before = outline.found
            document.head = sketch
            if before.children == EVERY_OBJECT and before.is_named:
                n_roots = int(np.count_nonzero(tree.parents < 0))
                if n_roots > 1 or (isinstance(sketch, dict) and len(sketch) > 1):
                    # The first of several replies is larger than the head was.
                    outline.found = replace(before, is_named=False)
                    if guessed is not None and guessed.found.is_like(before):
                        guessed.found = outline.found
                    continue
                break
            if before.kind != "nested":
                outline.around = around_of(sketch, before)
                _put_around(tree, outline)
                reading = Reading(tree, told)
                break
            self._has_sketch = True
            guessed, outline = self._found_in_head(guessed)
            if outline.found.is_like(before):
                _put_around(tree, outline)
                reading = Reading(tree, told)
                break
        self._check_doubles(tree)

        def fail_at(number: int, message: str, field: str = "") -> NoReturn:
            raise LogError(message, path=f"{self._path_of(tree, number)}.{field}" if field else "$")

        tree.where = lambda node: self._path_of(tree, node)
        buffers = Teller(reading, tree, fail_at).tell()
        if guessed is not None and guessed.found.is_like(outline.found):
            shape = shape_of_tree(tree, reading.fields)
        else:
            shape = "" if guessed is None else shape_of_tree(self.first_tree(guessed))
        order = np.arange(tree.n_nodes, dtype=np.int64)
        log = sealed_log(
            reading.header(),
            buffers,
            tree.parents,
            fail_at,
            dict.fromkeys([*notices, *self._of_document(tree), *tree.notices, *reading.sentences()]),
            roots_need_iterations=False,
            sealed=Sealed(order, tree.parents.astype(np.int32), tree.ends, tree.levels.astype(np.int32)),
            foreign=(reading.mapping, shape, field_names(reading)),
        )
        return with_open(log, self._open_rows(tree)) if tree.form == NESTED else log

    def _open_rows(self, tree: Tree) -> list[int]:
        """The nodes that a cut left open, outermost first."""
        document = self.document
        if isinstance(document, ValueDocument) or document.n_open is None:
            return tree.open_rows
        found, rows, row = tree.found, [], tree.n_nodes - 1
        while row >= 0:
            rows.append(row)
            row = int(tree.parents[row])
        depth = len(found.way) + found.is_list + len(found.wrapped)
        return rows[::-1][: max(0, document.n_open(found.children, depth))]

    def _of_document(self, tree: Tree) -> list[str]:
        """The sentences about the document as a text."""
        reading = tree.reading
        if not isinstance(reading, TapeReading):
            return []
        return [TOO_LARGE] if reading.tape.is_beyond else []

    def _check_doubles(self, tree: Tree) -> None:
        """Raise DoubleNames where names may come twice in one object of a large document."""
        if isinstance(self.document, TapeDocument) and tree.may_have_doubles():
            raise DoubleNames

    def _find(self) -> tuple[Outline | None, Outline]:
        """The tree that is found, and the one that a person's word for the children leads to."""
        document = self.document
        while isinstance(document, TapeDocument) and document.further_head():
            try:
                return self._found_in_head(None)
            except LogError:  # a larger part may tell more
                continue
        if isinstance(document, TapeDocument) and not (document.is_whole or document.in_lines):
            document.skeleton()
        return self._found_in_head(None)

    def _found_in_head(self, guessed: Outline | None) -> tuple[Outline | None, Outline]:
        """The same in the head of the document. Raises NoTree."""
        document, children = self.document, self.told.get("children") or None
        is_whole = document.is_whole or self._has_sketch
        guessed = outline = find_tree(document.head, is_whole=is_whole)
        if children and (guessed is None or guessed.children != children):
            outline = find_tree(document.head, children, is_whole=is_whole)
        if outline is None:
            raise NoTree(refusal(document.head, children), path="$")
        return guessed, outline

    def _may_be_a_map(self, found: Found) -> bool:
        """Whether maps in a map, and none in these, may name one another, which only all of them tell."""
        head = self.document.head
        if found.form != MAPS_IN_MAPS or self.document.is_whole or not isinstance(head, dict):
            return False
        return not any(
            isinstance(each, dict)
            for inner in head.values()
            if isinstance(inner, dict)
            for each in inner.values()
            if each
        )

    def first_tree(self, outline: Outline) -> Tree:
        """The tree as far as the head of the document goes, with samples of its nodes."""
        tree, _ = self._tree(outline.found, {}, is_first=True)
        _put_around(tree, outline)
        return tree

    def _pass(self, outline: Outline, first: Tree, wanted: dict[str, str]) -> tuple[Tree, Reading, Any]:
        """The tree that a pass over all of the document gives, its reading, and the document cut short."""
        document, told = self.document, self.told
        flat = True
        for _ in range(MOST_PASSES):
            tree, sketch = self._tree(outline.found, wanted, flat=flat, n_first=first.n_nodes)
            if not tree.n_nodes:
                raise NoTree(refusal(document.head, told.get("children")), path="$")
            _put_around(tree, outline)
            if document.is_whole:
                tree.samples, tree.counts = first.samples, first.counts
                tree.counts_of_first = first.counts_of_first
            reading = Reading(tree, told)
            further = reading.wanted()
            if tree.has_odd_terms and flat:
                flat = False
            elif wanted.get("factors") != further.get("factors"):
                wanted = {**{role: wanted[role] for role in wanted if role != "factors"}, **further}
            elif set(further.items()) <= set(wanted.items()):
                break
            else:
                wanted = {**wanted, **further}
        return tree, reading, None if sketch is None else _in_step(sketch.value(in_lines=document.in_lines))

    def _tree(
        self,
        found: Found,
        taken: Mapping[str, str],
        *,
        is_first: bool = False,
        flat: bool = True,
        n_first: int = 0,
        chosen: Array | None = None,
    ) -> tuple[Tree, Sketcher | None]:
        """The tree that one pass over a document gives, of which some fields are taken."""
        document = self.document
        found = replace(found, in_lines=document.in_lines)
        is_nested = found.kind == "nested"
        form = (NestedForm if is_nested else LinkedForm)(found, taken, flat=flat).build()
        reading = document.reading(form.form, is_first=is_first)
        sketcher = (
            None if is_first or document.is_whole else document.sketcher(reading, n_first if is_nested else 0)
        )
        collector = Collector(
            form, reading, sample=is_first or not document.is_whole, sketcher=sketcher, chosen=chosen
        )
        if isinstance(form, NestedForm):
            collector.add(form.bare, collector.put_bare)
            collector.add(form.bare_by_key, collector.put_bare_by_key)
            collector.add(form.number_of_pair, collector.put_bare)
            collector.add(
                form.named, lambda values: collector.put_labels_of_keys(values.nodes, values.keys())
            )
            for role in form.holders:
                collector.add(role, collector.note_holder)
            collector.add(form.held, lambda values: collector.tree.held.append(values.nodes))
            for role in form.wrapped_roots if found.wrapped else ():
                collector.add(role, collector.note_root)
            tree = collector.take()
        else:
            tree = LinkedTree(form, collector, reading, is_part=is_first and not document.is_whole).take()
        if (is_first and document.is_whole) or tree.n_nodes > SAMPLE:
            wanted = sampled(tree.n_nodes)
            if isinstance(document, ValueDocument):
                tree.samples = {row: tree.samples[row] for row in wanted if row in tree.samples}
            elif 0 not in tree.samples and chosen is None and not is_nested:
                # The root came late: another pass takes the nodes that are wanted.
                arrivals = np.array([tree.arrival_of(row) for row in wanted])
                return self._tree(
                    found, taken, is_first=is_first, flat=flat, n_first=n_first, chosen=arrivals
                )
        sealed = sealed_order(tree.parents)
        tree.levels, tree.ends = sealed.level.astype(np.int64), sealed.end
        return tree, sketcher

    def _path_of(self, tree: Tree, node: int) -> str:
        """The JSON path of a node."""
        document = self.document
        if isinstance(document, ValueDocument):
            return path_of_node(tree.form_of.form, [document.head], tree.arrival_of(node))
        return path_of_node(tree.form_of.form, document.values(), tree.arrival_of(node))


def _in_step(document: Any) -> Any:
    """A document that was cut short, with no more lists of neighbours than nodes."""
    if isinstance(document, dict) and isinstance(document.get("adjacency"), list):
        nodes: list[Any] = next(
            (document[name] for name in NODES if isinstance(document.get(name), list)), []
        )
        return {**document, "adjacency": document["adjacency"][: len(nodes)]}
    return document


def _put_around(tree: Tree, outline: Outline) -> None:
    """Give a tree what lies around it, and what is to be said of that."""
    tree.around = outline.around
    tree.notices = [*tree.of_links, *outline.notices[outline.n_of_links :]]


def around_of(document: Any, found: Found) -> dict[str, Any]:
    """The fields of the objects around a tree in a document, the innermost first."""
    around: dict[str, Any] = {}
    way: tuple[str | int, ...] = (*found.way, *found.inside)
    for step in (*way, None):
        if isinstance(document, dict):
            left = {step} if step is not None else {found.nodes, found.edges} if found.nodes else {*document}
            around = {**{key: value for key, value in document.items() if key not in left}, **around}
        if step is None or not isinstance(document, dict | list):
            break
        document = document[step]  # type: ignore[index]
    if found.nodes:
        around = {
            key: value
            for key, value in around.items()
            if key not in HOW_WRITTEN and value not in ([], {}, None)
        }
    return around


def read_values(
    document: object,
    *,
    mapping: Mapping[str, str] | None = None,
    notices: Sequence[str] = (),
    open_at: str = "",
) -> Log:
    """The log that a foreign document makes; `notices` of what went before stand first in it.

    `mapping` says which field is taken for what (`{"children": "nextMove", "score": "value"}`), an empty text
    for none; the rest is guessed. `open_at` is the JSON path at which the document was cut, empty where it is
    whole. Raises LogError where the document is no tree, or a mapped field is not there.

    >>> log = read_values({"name": "root", "kids": [{"name": "c6", "value": 3}, {"name": "d6", "value": 5}]})
    >>> log.columns["parent"].tolist(), log.columns["score"].tolist(), dict(log.mapping)
    ([-1, 0, 0], [nan, 3.0, 5.0], {'children': 'kids', 'ply': 'name', 'score': 'value'})
    >>> read_values([3, 5, 9])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    plyscope.visualizer.formats.foreign.tape_reader.NoTree: $: this looks like a list of 3 numbers; ...
    """
    return Reader(ValueDocument(document, open_at), mapping).read(notices)


def read_bytes(
    document: TapeDocument, *, mapping: Mapping[str, str] | None = None, notices: Sequence[str] = ()
) -> Log | None:
    """The same for a document as bytes; None where a reader of literals has to read these first.

    That is where they are no JSON, where an object has a name twice, and where they are no tree or a wrong
    one: of these the place is to be told.

    >>> document = TapeDocument(b'{"kids":[{"v":3,"kids":[{"v":3}]}]}', run=lambda kernel: kernel)
    >>> log = read_bytes(document)
    >>> log.columns["parent"].tolist(), log.columns["score"].tolist()
    ([-1, 0, 1], [nan, 3.0, 3.0])
    """
    try:
        return Reader(document, mapping).read(notices)
    except (TapeError, DoubleNames, LogError):
        return None
