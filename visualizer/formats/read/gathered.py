"""What the nodes of a log state, gathered by number; numbers may become others before the log is sealed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.seal.field_buffers import Contributions, FieldBuffers, as_slice
from plyscope.visualizer.formats.seal.stated_twice import numbers_of
from plyscope.visualizer.formats.tape.texts import Texts
from plyscope.visualizer.store.columns import COLUMNS

Array = npt.NDArray[Any]
Nodes = Array | slice


class Gathered(FieldBuffers):
    """The fields of nodes by their numbers, with texts that are numbered by the document's own."""

    def __init__(self, texts: Texts) -> None:
        super().__init__()
        self._numbered = texts
        self._renumbered: Callable[[Array], Array] | None = None
        self.n_numbers = 0
        """How many numbers there were before any became others."""

    def intern(self, values: list[str]) -> Array:
        """The index of each text among the log's texts."""
        return self._numbered.of_values(values)

    @property
    def texts(self) -> list[str]:
        """Every distinct text so far."""
        return self._numbered.all()

    def last_of(self, name: str, nodes: list[int]) -> Array:
        """What was put last into a column for each of some nodes, or what stands for nothing."""
        column = COLUMNS[name]
        found = np.full(len(nodes), column.absent, column.dtype)
        for places, values in self._pieces.get(name, ()):
            for at, node in enumerate(nodes):
                where = np.flatnonzero(numbers_of(places) == node)
                if len(where):
                    found[at] = values[where[-1]]
        return found

    def states(self, node: int) -> bool:
        """Whether a field of ours was put for a node."""
        pieces: list[Nodes] = [places for each in self._pieces.values() for places, _ in each]
        pieces += [places for places, _ in (*self.factors, *self.scores, *self.ids, *self.sources)]
        pieces += [places for places, _, _ in self.keys]
        pieces += [piece.nodes for piece in self.contributions]
        pieces += self.plies.targets + self.pre_scores.targets
        return node in self.iterations or any((numbers_of(places) == node).any() for places in pieces)

    def drop_from(self, n_nodes: int) -> None:
        """Forget what nodes of this number and behind it state."""
        self.renumber(lambda nodes: np.where(nodes < n_nodes, nodes, -1))

    def renumber(self, node_of: Callable[[Array], Array]) -> None:
        """Give nodes other numbers, of which several may be the same: what is put last counts. -1 forgets."""

        def mapped(places: Nodes, *columns: Any) -> tuple[Any, ...]:
            nodes = node_of(numbers_of(places))
            kept = nodes >= 0
            if kept.all():
                return (as_slice(nodes), *columns)
            chosen = np.flatnonzero(kept)
            return (
                as_slice(nodes[kept]),
                *(
                    each[chosen] if isinstance(each, np.ndarray) else [each[at] for at in chosen.tolist()]
                    for each in columns
                ),
            )

        for name, pieces in self._pieces.items():
            self._pieces[name] = [mapped(*piece) for piece in pieces]
        self._given = [(mapped(places)[0], bit) for places, bit in self._given]
        for of_lists in (self.factors, self.scores, self.ids, self.sources):
            of_lists[:] = [mapped(*piece) for piece in of_lists]
        self.sources = [(numbers_of(places), said) for places, said in self.sources]
        self.keys = [
            (numbers_of(places), form, values)
            for (nodes, form, values) in self.keys
            for places, values in [mapped(nodes, values)]
        ]
        stated, self.contributions = self.contributions, []
        for piece in stated:
            self._map_contributions(piece, node_of)
        for ragged in (self.plies, self.pre_scores):
            ragged.renumber(node_of)
        numbers = np.fromiter(self.iterations, np.int64, len(self.iterations))
        to = node_of(numbers).tolist()
        values = list(self.iterations.values())
        self.iterations = {node: value for node, value in zip(to, values, strict=True) if node >= 0}
        to = node_of(np.fromiter(self.unnumbered, np.int64, len(self.unnumbered))).tolist()
        self.unnumbered = {node for node in to if node >= 0}
        extras, self.extras = self.extras, {}
        to = node_of(np.fromiter(extras, np.int64, len(extras))).tolist()
        for node, fields in zip(to, extras.values(), strict=True):
            if node >= 0:
                self.extras[node] = {**self.extras.get(node, {}), **fields}
        before = self._renumbered
        self._renumbered = node_of if before is None else lambda nodes: node_of(before(nodes))

    def _map_contributions(self, piece: Contributions, node_of: Callable[[Array], Array]) -> None:
        nodes = node_of(piece.nodes)
        of_floats, codes = piece.stated()
        widths = (
            np.full(len(nodes), len(piece.codes))
            if piece.of_floats is None
            else np.bincount(np.searchsorted(piece.nodes, of_floats), minlength=len(nodes))
        )
        kept = nodes >= 0
        if kept.any():
            of_kept = np.repeat(kept, widths)
            self._add_contributions(nodes[kept], widths[kept], codes[of_kept], piece.floats[of_kept])

    def sealed_extras(self, row_of: Array) -> tuple[Array, Array, bytes | memoryview]:
        """The unknown fields of each row that has some, as JSON objects end to end."""
        if self.unknown is None or self._renumbered is None:
            return super().sealed_extras(row_of)
        nodes = self._renumbered(np.arange(self.n_numbers))
        n_rows = len(row_of)
        rows_of = np.where(nodes >= 0, row_of[nodes], n_rows)
        # What is kept beside them goes by the numbers of nodes, which follow here those that were before.
        self.extras = {self.n_numbers + node: fields for node, fields in self.extras.items()}
        every = np.concatenate([rows_of, row_of, [n_rows]]).astype(np.int32)
        rows, starts, blob = super().sealed_extras(every)
        if len(rows) and rows[-1] == n_rows:
            rows, starts = rows[:-1], starts[:-1]
            blob = blob[: int(starts[-1])]
            if self.unknown.file is not None:
                self.unknown.file.truncate(int(starts[-1]))
        return rows, starts, blob
