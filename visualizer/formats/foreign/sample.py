"""A sample of a tree's nodes with all their fields, by which the roles of fields are guessed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.meaning.fields import are_sampled, sampled
from plyscope.visualizer.formats.foreign.tree import Tree
from plyscope.visualizer.formats.json_text import json_values
from plyscope.visualizer.formats.tape.batch import Batch
from plyscope.visualizer.formats.tape.form import TOP
from plyscope.visualizer.formats.tape.kinds import LIST
from plyscope.visualizer.formats.tape.reading import Reading, TapeReading, WalkReading
from plyscope.visualizer.formats.tape.tape import MANY
from plyscope.visualizer.formats.tape.texts import picked
from plyscope.visualizer.formats.tape.writing import Writer

Array = npt.NDArray[Any]


class Sampler:
    """Collects the fields of the sampled nodes, and the number of nodes with each field.

    Nodes that come in the order of the tree are sampled at once; others later, by where they stand.
    """

    def __init__(self, reading: Reading, tree: Tree) -> None:
        self._reading, self._tree = reading, tree
        form = tree.form_of
        self._member = np.array(form.form.member, np.uint8)
        self._counts = np.zeros(0, np.int64)
        self._n_nodes = 0
        is_tape = isinstance(reading, TapeReading)
        self._fields = _Fields(reading) if isinstance(reading, TapeReading) and form.is_in_order else None
        self._places = _Places() if is_tape and not form.is_in_order else None

    def take(self, batch: Batch) -> None:
        """Take one batch."""
        self._n_nodes = batch.first + len(batch.parents)
        if batch.piece is None:
            return
        level = self._member.take(batch.role)
        keys, nodes = batch.piece.key, batch.node
        is_field = (level == TOP) & (keys >= 0)
        found = np.bincount(keys[is_field], minlength=len(self._counts))
        found[: len(self._counts)] += self._counts
        self._counts = found
        if self._fields is not None:
            self._fields.take(batch, level * are_sampled(nodes, self._n_nodes))
        elif self._places is not None:
            self._places.take(batch)

    def finish(self) -> None:
        """Give the tree its counts, and its sample where nodes come in the order of the tree."""
        tree, reading = self._tree, self._reading
        if isinstance(reading, WalkReading):
            # All nodes: the sample is chosen once the tree has its order.
            tree.samples = {node: {} for node in range(self._n_nodes)}
            member = tree.form_of.form.member
            names: Counter[int] = Counter()
            open_ids = reading.walk.open_ids
            for node, role, key, value in reading.kept:
                if member[role] == TOP:
                    names[key] += 1
                    if node in tree.samples and not (open_ids and id(value) in open_ids):
                        tree.samples[node][reading.name(key)] = value
            tree.counts = Counter({reading.name(key): n for key, n in names.items()})
            return
        used = np.flatnonzero(self._counts).tolist()
        tree.counts = Counter({reading.name(key): int(self._counts[key]) for key in used})
        if self._fields is not None:
            tree.samples = {node: {} for node in sampled(self._n_nodes)}
            self._fields.put(tree.samples, self._n_nodes)

    def sample(self, order: Array) -> None:
        """Give the tree its sample where nodes come in another order; `order` has them as the tree does."""
        tree, reading = self._tree, self._reading
        if self._places is None or not isinstance(reading, TapeReading):
            return
        nodes = [node for node in order[sampled(len(order))].tolist() if node < tree.n_nodes]
        if not nodes:  # edges alone are there, whose ends are nodes
            return
        tree.samples = {node: {} for node in nodes}
        node_at = {tree.arrival_of(node): node for node in nodes}
        arrivals, text = self._places.text(reading, sorted(node_at))
        self._places = None  # as large as two columns
        again = TapeReading(tree.form_of.of_nodes(), text, mode=MANY, run=reading.tape.run)
        fields = _Fields(again)
        for batch in again.bare_batches():
            fields.take(batch, self._member[batch.role])
        fields.put([tree.samples[node_at[at]] for at in arrivals])


class _Fields:
    """The fields of some nodes, gathered as JSON."""

    def __init__(self, reading: TapeReading) -> None:
        self._reading, self._writer = reading, Writer(reading.tape, to_be_read=True)

    def take(self, batch: Batch, level: Array) -> None:
        """Take the values of a batch that are TOP in `level`, with what is WITHIN them."""
        assert batch.piece is not None
        self._writer.write(batch.piece, level, batch.node, batch.piece.key)

    def put(self, samples: Sequence[dict[str, Any]] | Mapping[int, dict[str, Any]], n_nodes: int = 0) -> None:
        """Put the fields into the samples of their nodes; of `n_nodes`, only those that are sampled."""
        if (taken := self._writer.taken()) is None:
            return
        (nodes, keys), begins, text = taken
        is_kept = nodes >= 0
        if n_nodes:
            is_kept &= are_sampled(nodes, n_nodes)
        kept = np.flatnonzero(is_kept)
        offsets, some = picked(self._reading.tape.run, text, begins[:-1], np.diff(begins), kept)
        nodes, keys = nodes[kept], keys[kept]
        names = {key: self._reading.name(key) for key in np.unique(keys).tolist()}
        values = json_values(some.tobytes(), offsets.tolist())
        for node, key, value in zip(nodes.tolist(), keys.tolist(), values, strict=True):
            samples[node][names[key]] = value


class _Places:
    """Where each node of a document begins and ends."""

    def __init__(self) -> None:
        self._begins: list[Array] = []
        self._ends: list[Array] = []
        """By piece; the begin of a node that is no list nor object."""
        self._open: dict[int, int] = {}
        """By depth, the nodes that are open at the end of the last piece."""
        self._later: dict[int, int] = {}
        """By node, the end of those that end in another piece than they begin in."""

    def take(self, batch: Batch) -> None:
        """Take the nodes of a batch."""
        piece, rows = batch.piece, batch.rows
        assert piece is not None
        for depth in [depth for depth in self._open if depth >= piece.low]:
            self._later[self._open.pop(depth)] = int(piece.closed_at[depth])
        begins = piece.begin[rows]
        self._begins.append(begins)
        self._ends.append(np.where(piece.kind[rows] >= LIST, piece.end[rows], begins))
        for depth, row in piece.left_open.items():
            place = int(np.searchsorted(rows, row))
            if place < len(rows) and rows[place] == row:
                self._open[depth] = batch.first + place

    def text(self, reading: TapeReading, nodes: list[int]) -> tuple[list[int], Array]:
        """Those of the nodes that are lists or objects, and their bytes; the last may be cut."""
        chosen = np.array(nodes, np.int64)
        begins, ends = self._of(self._begins, chosen), self._of(self._ends, chosen)
        later = self._later | dict.fromkeys(self._open.values(), len(reading.array))
        for at, node in enumerate(nodes):
            ends[at] = later.get(node, ends[at])
        containers = np.flatnonzero(ends > begins)
        _, text = picked(reading.tape.run, reading.array, begins, ends - begins, containers)
        return chosen[containers].tolist(), text

    def _of(self, pieces: list[Array], nodes: Array) -> Array:
        """The values of some nodes, in ascending order; those of all are not concatenated for them."""
        edges = np.cumsum([0, *map(len, pieces)])
        places = np.searchsorted(nodes, edges).tolist()
        parts = zip(pieces, edges.tolist(), pairwise(places), strict=False)
        return np.concatenate([piece[nodes[begin:end] - first] for piece, first, (begin, end) in parts])
