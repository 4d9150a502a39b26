"""A sample of a tree's nodes with all their fields, by which the roles of fields are guessed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.meaning.fields import FIRST_OF_SAMPLE, sampled, stride_of
from plyscope.visualizer.formats.foreign.tree import Tree
from plyscope.visualizer.formats.json_text import json_values
from plyscope.visualizer.formats.tape.batch import Batch
from plyscope.visualizer.formats.tape.form import TOP
from plyscope.visualizer.formats.tape.reading import Reading, TapeReading, WalkReading
from plyscope.visualizer.formats.tape.writing import Writer

Array = npt.NDArray[Any]


class Sampler:
    """Collects the fields of the sampled nodes, and the number of nodes with each field."""

    def __init__(self, reading: Reading, tree: Tree, chosen: Array | None = None) -> None:
        """Sample the nodes `chosen`; by default, some at the beginning and then nodes at equal distances."""
        self._reading, self._tree, self._chosen = reading, tree, chosen
        if chosen is not None:
            self._is_chosen = np.isin(np.arange(int(chosen.max()) + 2), chosen)
        form = tree.form_of.form
        self._member = np.array(form.member, np.uint8)
        self._writer = Writer(reading.tape, to_be_read=True) if isinstance(reading, TapeReading) else None
        self._counts = np.zeros(0, np.int64)
        self._n_nodes = 0

    def take(self, batch: Batch) -> None:
        """Take one batch."""
        self._n_nodes = batch.first + len(batch.parents)
        if self._writer is None or batch.piece is None:
            return
        level = self._member[batch.role]
        is_top = level == TOP
        keys, nodes = batch.piece.key, batch.node
        found = np.bincount(keys[is_top & (keys >= 0)], minlength=len(self._counts))
        found[: len(self._counts)] += self._counts
        self._counts = found
        for key in keys[is_top & (nodes == 0) & (keys >= 0)].tolist():
            self._tree.counts_of_first[self._reading.name(key)] = 1
        stride = stride_of(max(self._n_nodes, 1))
        if self._chosen is None:
            level[~((nodes < FIRST_OF_SAMPLE) | (nodes & (stride - 1) == 0))] = 0
        else:
            level[~self._is_chosen[np.minimum(nodes, len(self._is_chosen) - 1)]] = 0
        self._writer.write(batch.piece, level, nodes, keys)

    def finish(self) -> None:
        """Give the tree its sample and its counts."""
        tree, reading = self._tree, self._reading
        chosen: Iterable[int] = sampled(self._n_nodes) if self._chosen is None else self._chosen.tolist()
        if isinstance(reading, WalkReading):
            chosen = range(self._n_nodes)  # the sample is chosen once the tree has its order
        samples: dict[int, dict[str, Any]] = {node: {} for node in chosen}
        if isinstance(reading, WalkReading):
            member = tree.form_of.form.member
            names: Counter[int] = Counter()
            open_ids = reading.walk.open_ids
            for node, role, key, value in reading.kept:
                if member[role] == TOP:
                    names[key] += 1
                    if node in samples and not (open_ids and id(value) in open_ids):
                        samples[node][reading.name(key)] = value
                    if node == 0:
                        tree.counts_of_first[reading.name(key)] = 1
            tree.counts = Counter({reading.name(key): n for key, n in names.items()})
        else:
            assert self._writer is not None
            if taken := self._writer.taken():
                (nodes, keys), begins, text = taken
                values = json_values(text.tobytes(), begins.tolist())
                for node, key, value in zip(nodes.tolist(), keys.tolist(), values, strict=True):
                    if node in samples:
                        samples[node][reading.name(key)] = value
            used = np.flatnonzero(self._counts).tolist()
            tree.counts = Counter({reading.name(key): int(self._counts[key]) for key in used})
        tree.samples = samples
