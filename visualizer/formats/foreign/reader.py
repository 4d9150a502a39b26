"""Anyone's tree: found in the head, the first part of a document, then read in one pass by its form.

The head of a small document is all of it. A large one is read again if the whole turns out to be another
tree, or to need other fields.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final, NoReturn

import numpy as np
import orjson

from plyscope.engine.quoting import counted
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.collector import Collector, NotPlain
from plyscope.visualizer.formats.foreign.documents import Document, TapeDocument, ValueDocument
from plyscope.visualizer.formats.foreign.find.columns import rows_of_columns
from plyscope.visualizer.formats.foreign.find.found import Found, Probe
from plyscope.visualizer.formats.foreign.find.graphs import NODES, begun_graph
from plyscope.visualizer.formats.foreign.find.places import around_of
from plyscope.visualizer.formats.foreign.find.probe import EVERY_OBJECT, NESTED
from plyscope.visualizer.formats.foreign.find.trees import MAPS_IN_MAPS, find_tree
from plyscope.visualizer.formats.foreign.forms.kinds import KINDS, LINKED
from plyscope.visualizer.formats.foreign.forms.linked_tree import OddEdges
from plyscope.visualizer.formats.foreign.meaning.fields import SAMPLE, Field, collect, sampled
from plyscope.visualizer.formats.foreign.meaning.mapping import checked_mapping
from plyscope.visualizer.formats.foreign.meaning.reading import Reading
from plyscope.visualizer.formats.foreign.meaning.taking import FieldTaker
from plyscope.visualizer.formats.foreign.sentences import refusal
from plyscope.visualizer.formats.foreign.sketch import Sketcher
from plyscope.visualizer.formats.foreign.tree import Tree
from plyscope.visualizer.formats.json_text import strict_value
from plyscope.visualizer.formats.literal.cut_path import with_open
from plyscope.visualizer.formats.literal.duplicate_keys import may_have_duplicate_keys
from plyscope.visualizer.formats.read.places import notice_of_cut, place_of_cut
from plyscope.visualizer.formats.seal.field_buffers import rounded_in_words
from plyscope.visualizer.formats.seal.node_fields import NodeFields
from plyscope.visualizer.formats.seal.sealing import sealed_log
from plyscope.visualizer.formats.tape.form import NOT_KEPT
from plyscope.visualizer.formats.tape.paths import path_of_node
from plyscope.visualizer.formats.tape.reading import TapeReading
from plyscope.visualizer.formats.tape.tape import TapeError
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.seal import Sealed, seal

MOST_PASSES: Final = 4
FEWEST_OUTSIDE: Final = 10
TIMES_OUTSIDE: Final = 2
"""A document is mostly not its tree if the records around it are this many, and this many times its nodes."""
ANOTHER: Final = "`children=` names another field that holds nodes."


class NoTree(LogError):  # noqa: N818
    """A document in which no tree is found."""


class Reader:
    """Reads one document."""

    def __init__(self, document: Document, mapping: Mapping[str, str] | None = None) -> None:
        self.document = document
        self.told = checked_mapping(mapping or {})

    def read(self, notices: Sequence[str] = ()) -> Log:
        """The log of the document. Raises LogError."""
        document, told = self.document, self.told
        try:
            guessed, probe = self._find()
        except NoTree:
            if (rows := rows_of_columns(self._parsed())) is None:
                raise
            said = f"A table by columns: {counted(len(rows), 'row')} of it were read as nodes."
            return Reader(ValueDocument(rows), told).read([*notices, said])
        if self._may_be_a_map(probe.found):
            return Reader(ValueDocument(self._parsed()), told).read(notices)
        for _ in range(MOST_PASSES):
            try:
                tree, reading, sketch = self._pass(probe)
            except OddEdges:
                guessed, probe = self._found_in_skeleton()
                continue
            if sketch is None:
                break
            before = probe.found
            document.head, document.is_cut = sketch, False
            if before.children == EVERY_OBJECT and before.is_named:
                n_roots = int(np.count_nonzero(tree.parents < 0))
                if n_roots == 1 and not (isinstance(sketch, dict) and len(sketch) > 1):
                    break
                # The first of several replies was larger than the head.
                probe.found = replace(before, is_named=False)
                if guessed is not None and guessed.found.is_like(before):
                    guessed.found = probe.found
                tree, reading, _ = self._pass(probe)
                break
            if before.kind != "nested":
                probe.around = around_of(sketch, before)
            else:
                guessed, probe = self._found_in_head()
            if probe.found.is_like(before):
                put_before = tree.around, tree.notices
                _put_around(tree, probe)
                if (tree.around, tree.notices) != put_before:
                    reading.read(tree)
                break

        head = document.head
        if isinstance(document, TapeDocument) and isinstance(head, dict) and "plyscope" in head:
            raise NotPlain

        def fail_at(number: int, message: str, field: str = "") -> NoReturn:
            raise LogError(message, path=f"{self._path_of(tree, number)}.{field}" if field else "$")

        tree.where = lambda node: self._path_of(tree, node)
        tree.give_back_memory()
        buffers = FieldTaker(reading, tree, fail_at).take()
        if guessed is not None and guessed.found.is_like(probe.found):
            shape = shape_of(tree, reading.fields)
        else:
            shape = "" if guessed is None else shape_of(self.first_tree(guessed))
        sentences = dict.fromkeys(
            [
                *small_part(tree),
                *notices,
                *self._of_document(tree),
                *tree.notices,
                *reading.sentences(),
                *rounded_in_words(buffers.rounded),
            ]
        )
        header, foreign = reading.header(), (reading.mapping, shape, field_names(reading))
        del reading
        tree.forget_fields()
        tree.give_back_memory()
        order = np.arange(tree.n_nodes, dtype=np.int32)
        log = sealed_log(
            header,
            NodeFields.of(buffers, tree.n_nodes),
            tree.parents,
            fail_at,
            sentences,
            roots_need_iterations=False,
            sealed=Sealed(order, tree.parents, tree.ends, tree.levels),
            foreign=foreign,
        )
        tree.forget_places()
        return with_open(log, tree.open_rows) if tree.form == NESTED else log

    def _of_document(self, tree: Tree) -> list[str]:
        """The notices about the document as a text. Raises NotPlain where one of its lines is incomplete."""
        reading, document = tree.reading, self.document
        if isinstance(document, ValueDocument) or not isinstance(reading, TapeReading):
            return []
        if document.in_lines and reading.tape.is_cut:
            raise NotPlain
        if not reading.tape.is_cut:
            return document.said
        return [notice_of_cut(place_of_cut(reading.array, reading.tape.place))]

    def _find(self) -> tuple[Probe | None, Probe]:
        """The tree found by guessing, and the tree by the field of children that a person named."""
        document = self.document
        if isinstance(document, TapeDocument):
            document.read_head()
            with suppress(LogError):
                guessed, probe = self._found_in_head()
                # A graph's edges may come after its nodes.
                if document.is_whole or probe.found.children not in NODES or not probe.is_flat:
                    return guessed, probe
            if not (document.is_whole or document.in_lines):
                if not self.told.get("children") and (found := begun_graph(document.head)) is not None:
                    probe = Probe(found)
                    return probe, probe
                return self._found_in_skeleton()
        return self._found_in_head()

    def _found_in_skeleton(self) -> tuple[Probe | None, Probe]:
        """The same two trees in a copy of the document without most items of its lists. Raises NoTree."""
        assert isinstance(self.document, TapeDocument)
        self.document.skeleton()
        return self._found_in_head()

    def _found_in_head(self) -> tuple[Probe | None, Probe]:
        """The same two trees in the head of the document. Raises NoTree."""
        document, children = self.document, self.told.get("children") or None
        guessed = probe = find_tree(document.head, is_cut=document.is_cut)
        if children and (guessed is None or guessed.found.children != children):
            probe = find_tree(document.head, children)
        if probe is None:
            raise NoTree(refusal(document.head, children), path="$")
        return guessed, probe

    def _parsed(self) -> Any:
        """The value of the whole document, parsed at once. Raises NotPlain."""
        if isinstance(self.document, ValueDocument):
            return self.document.values()[0]
        data = self.document.whole()
        try:
            value = strict_value(data)
        except orjson.JSONDecodeError:
            raise NotPlain from None
        if may_have_duplicate_keys(data):
            raise NotPlain
        return value

    def _may_be_a_map(self, found: Found) -> bool:
        """Whether the maps in a map may name one another, which only the whole document shows."""
        head = self.document.head
        if found.form != MAPS_IN_MAPS or self.document.is_whole or not isinstance(head, dict):
            return False
        maps = [inner for inner in head.values() if isinstance(inner, dict)]
        within = [each for inner in maps for each in inner.values() if isinstance(each, dict)]
        if not any(within):
            return True
        is_deeper = any(isinstance(value, dict) for each in within for value in each.values())
        return not is_deeper and any(name in head for inner in maps for name in inner)

    def first_tree(self, probe: Probe) -> Tree:
        """The tree in the head of the document, with samples of its nodes."""
        tree, _ = self._tree(probe.found, {}, is_first=True)
        if _is_misread(tree, probe):
            tree, _ = self._tree(probe.found, {}, is_first=True)
        _put_around(tree, probe)
        return tree

    def _pass(self, probe: Probe) -> tuple[Tree, Reading, Any]:
        """The tree from a pass over the whole document, its reading, and the document as a sketch."""
        document, told = self.document, self.told
        first = self.first_tree(probe)
        reading = Reading(first, told) if first.n_nodes else None
        wanted = reading.wanted() if reading is not None else {}
        flat = True
        for _ in range(MOST_PASSES):
            tree, sketch = self._tree(probe.found, wanted, flat=flat, n_first=first.n_nodes)
            is_table_of_roots = probe.found.kind == "parents" and not tree.is_cut and (tree.parents < 0).all()
            if not tree.n_nodes or is_table_of_roots:
                raise NoTree(refusal(document.head, told.get("children")), path="$")
            if _is_misread(tree, probe):
                return self._pass(probe)
            _put_around(tree, probe)
            if document.is_whole:
                # In a document that is cut, this tree may lack one of the last nodes.
                tree.samples = {node: said for node, said in first.samples.items() if node < tree.n_nodes}
                tree.counts = first.counts
            if reading is None or not document.is_whole:
                reading = Reading(tree, told)
            reading.read(tree)
            kept = {role: path for role, path in wanted.items() if role != "factors"}
            if tree.has_odd_terms and flat:
                flat = False
            elif (further := kept | reading.wanted()) != wanted:
                wanted = further
            else:
                break
        assert reading is not None
        return tree, reading, None if sketch is None else sketch.value(in_lines=document.in_lines)

    def _tree(
        self,
        found: Found,
        taken: Mapping[str, str],
        *,
        is_first: bool = False,
        flat: bool = True,
        n_first: int = 0,
    ) -> tuple[Tree, Sketcher | None]:
        """The tree from one pass over the document, with the fields that are taken."""
        document = self.document
        found = replace(found, in_lines=document.in_lines)
        kind = KINDS.get(found.kind, LINKED)
        form = kind.form(found, taken, flat=flat)
        if is_first and form.is_in_order and not document.is_cut:
            form.form.extra[form.rest] = form.form.extra[form.within] = NOT_KEPT  # only samples are wanted
        reading = document.reading(form.form, is_first=is_first)
        sketcher = None
        if isinstance(reading, TapeReading) and not (is_first or document.is_whole):
            sketcher = Sketcher(reading, (n_first or SAMPLE) * form.is_in_order)
        sample = is_first or not document.is_whole
        collector = Collector(form, reading, sample=sample, sketcher=sketcher)
        tree = kind.tree(form, collector, is_part=is_first and not document.is_whole)
        del collector
        tree.give_back_memory()
        if isinstance(document, ValueDocument) and is_first:
            tree.samples = {row: tree.samples[row] for row in sampled(tree.n_nodes) if row in tree.samples}
        if len(tree.ends) < tree.n_nodes:
            tree.hang(seal(tree.parents, None if isinstance(document, ValueDocument) else tree.run))
        return tree, sketcher

    def _path_of(self, tree: Tree, node: int) -> str:
        return path_of_node(tree.form_of.form, self.document.values(), tree.arrival_of(node))


def small_part(tree: Tree) -> list[str]:
    """Notices that most of a document is not its tree, or that most of its trees are only a root."""
    said = []
    n_outside, n_roots = tree.n_outside, int(np.count_nonzero(tree.parents < 0))
    if n_outside >= max(FEWEST_OUTSIDE, TIMES_OUTSIDE * tree.n_nodes):
        n_all = n_outside + tree.n_nodes
        read = f"{counted(tree.n_nodes, 'node')} of {n_all:,} objects and lists"
        said.append(f"Only a small part of this file was read: {read}. {ANOTHER}")
    if n_roots >= FEWEST_OUTSIDE:
        above = tree.parents[tree.parents >= 0]
        n_holding = int(np.count_nonzero(tree.parents[np.unique(above)] < 0))
        if n_roots >= (1 + TIMES_OUTSIDE) * n_holding:
            said.append(f"Only {n_holding:,} of {n_roots:,} roots hold nodes: this may be a table. {ANOTHER}")
    return said


def _is_misread(tree: Tree, probe: Probe) -> bool:
    """Whether lists or texts turned out to be no nodes, so that they stay fields in the next pass."""
    if not tree.has_odd_pairs and not tree.has_odd_texts:
        return False
    found = probe.found
    probe.found = replace(
        found,
        has_pairs=found.has_pairs and not tree.has_odd_pairs,
        has_texts=found.has_texts and not tree.has_odd_texts,
    )
    return True


def _put_around(tree: Tree, probe: Probe) -> None:
    """Give a tree the fields around it, and the notices about them."""
    tree.around = probe.around
    tree.notices = [*tree.own_notices, *probe.notices]


def read_foreign(
    document: object,
    *,
    mapping: Mapping[str, str] | None = None,
    notices: Sequence[str] = (),
    n_open: int = 0,
) -> Log:
    """The log of a foreign document; earlier `notices` come first in it.

    `n_open`: the number of containers that a cut left open, each the last value in the one before.

    `mapping` is the field by role (`{"children": "nextMove", "score": "value"}`), an empty text for none;
    other roles are guessed. Raises LogError where the document is no tree, or a mapped field is missing.

    >>> log = read_foreign({"name": "root", "kids": [{"name": "c6", "value": 3}, {"name": "d6", "value": 5}]})
    >>> log.columns["parent"].tolist(), log.columns["score"].tolist(), dict(log.mapping)
    ([-1, 0, 0], [nan, 3.0, 5.0], {'children': 'kids', 'ply': 'name', 'score': 'value'})
    >>> read_foreign([3, 5, 9])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    plyscope.visualizer.formats.foreign.reader.NoTree: $: this looks like a list of 3 numbers; expected ...
    """
    return Reader(ValueDocument(document, n_open), mapping).read(notices)


def read_bytes(
    document: TapeDocument, *, mapping: Mapping[str, str] | None = None, notices: Sequence[str] = ()
) -> Log | None:
    """The log of a foreign document in bytes; None where the reader of literals has to parse them first.

    That is so where they are no JSON, where an object has a name twice, and where they are no tree or a wrong
    one, whose error needs its place.

    >>> document = TapeDocument(b'{"kids":[{"v":3,"kids":[{"v":3}]}]}', run=lambda kernel: kernel)
    >>> log = read_bytes(document)
    >>> log.columns["parent"].tolist(), log.columns["score"].tolist()
    ([-1, 0, 1], [nan, 3.0, 3.0])
    """
    try:
        return Reader(document, mapping).read(notices)
    except (TapeError, NotPlain, LogError):
        return None


def field_names(reading: Reading) -> tuple[str, ...]:
    """The names of the fields of nodes, that of the children last."""
    return tuple(dict.fromkeys([*reading.fields, *filter(None, [reading.tree.children])]))


def shape_of(tree: Tree, fields: Mapping[str, Field] | None = None) -> str:
    """A digest of the names on at least half of the nodes below the root; rarer ones vary.

    It does not depend on any mapping, so that a mapping can be remembered under it.
    """
    n_nodes, n_with = max(tree.n_nodes - 1, 1), tree.n_with()
    paths = fields or collect(tree.samples)
    shared = [path for path in paths if 2 * n_with.get(path.partition(".")[0], 0) >= n_nodes]
    text = "\n".join([tree.form, tree.children, *sorted(shared)])
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).hexdigest()
