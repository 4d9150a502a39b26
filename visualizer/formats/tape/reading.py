"""One pass over a document by a form: its batches, the names in it, and the extras of its nodes.

A document is bytes, some of which may still arrive, or values that a library parsed; both give the same
result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.arrival import Arrived, all_there
from plyscope.visualizer.formats.json_text import json_texts, json_value
from plyscope.visualizer.formats.tape.batch import Batch
from plyscope.visualizer.formats.tape.extras import Extras
from plyscope.visualizer.formats.tape.form import TOP, Form
from plyscope.visualizer.formats.tape.placing import Placer
from plyscope.visualizer.formats.tape.tape import ONE, ROWS, Run, Tape
from plyscope.visualizer.formats.tape.texts import Texts, picked
from plyscope.visualizer.formats.tape.walk import Kept, Walk
from plyscope.visualizer.formats.tape.writing import Writer

Array = npt.NDArray[Any]
Named = Callable[[str, str], tuple[str, str]]
"""Maps the outer field and the name of an extra, as the document has them, to those that it gets."""

LEAST_MEMBERS = 64
AT_ONCE = 2**22
"""The bytes of an arriving file that are read at a time."""


def _as_it_is(outer: str, name: str) -> tuple[str, str]:
    return outer, name


class Deep:
    """Values whose texts do not go to the extras: the node, the number of the name, and the text of each."""

    def __init__(self) -> None:
        self.nodes: list[int] = []
        self.keys: list[int] = []
        self.texts: list[bytes] = []

    def take(self, nodes: Array, keys: Array, begins: Array, text: Array) -> None:
        """Add values, whose texts are concatenated."""
        self.nodes += nodes.tolist()
        self.keys += keys.tolist()
        held = text.tobytes()
        self.texts += [held[begin:end] for begin, end in pairwise(begins.tolist())]

    def values(self) -> list[Any]:
        """The values; each distinct text is parsed once."""
        read: dict[bytes, Any] = {}
        for text in self.texts:
            if text not in read:
                read[text] = json_value(text)
        return [read[text] for text in self.texts]


class TapeReading:
    """A pass over bytes: an array or a mapped file; `arrived` returns how much of it is there."""

    def __init__(
        self,
        form: Form,
        data: Any,
        *,
        mode: int = ONE,
        named: Named = _as_it_is,
        run: Run = compiled,
        arrived: Arrived = all_there,
        on_byte: Callable[[int], None] = lambda n_bytes: None,
        rows: int = ROWS,
        folder: Path | None = None,
    ) -> None:
        """Read without machine code where `run` returns the kernel; `on_byte` gets the place reached."""
        self.form = form
        self.array = np.frombuffer(data, np.uint8)
        self.tape = Tape(mode, rows=rows, run=run)
        self.placer = Placer(self.tape, form)
        self.extras = Extras(run, folder, len(self.array))
        self._writer = Writer(self.tape)
        self._named, self._arrived, self._on_byte = named, arrived, on_byte
        self._extra = np.array(form.extra, np.uint8)
        self._outers = list(dict.fromkeys(form.outer))
        self._outer_of = np.array([self._outers.index(outer) for outer in form.outer], np.int64)
        self._members = self._no_members(LEAST_MEMBERS)
        self.divert({})

    def begin_anew(self, data: Any) -> None:
        """Read further documents, after whole ones: nodes and bytes count from 0, extras start empty."""
        self.array = np.frombuffer(data, np.uint8)
        self.tape.begin_anew()
        self.placer.begin_anew()
        self.extras = Extras(self.tape.run, None, len(self.array))
        self._members = self._no_members(LEAST_MEMBERS)

    def divert(self, roles: Mapping[int, Any]) -> None:
        """Have the texts of values of these roles go there, not to the extras."""
        self._diverted = dict(roles)
        self._is_diverted = np.isin(np.arange(len(self.form.labels)), list(roles))

    @property
    def innermost(self) -> int:
        """The role of the innermost container that is open where the last batch ends, -1 for none."""
        depth = self.tape.depth
        return int(self.placer.above_role[depth - 1]) if depth else -1

    def name(self, key: int) -> str:
        """The name that a key numbers."""
        return self.tape.name(key)

    def forget_names(self, but: Iterable[int]) -> None:
        """Free the names, but for some, after the last batch: they may be as many as the nodes."""
        self.tape.forget_names(but)

    def codes_of_names(self, keys: Array, texts: Texts) -> Array:
        """The numbers in `texts` of the names that keys number."""
        pool, name_at = self.tape.name_table
        if texts is self.tape.names_met:
            codes = keys.copy()
        else:
            codes = texts.of_slices(pool, name_at[keys], name_at[keys + 1])
        if self.tape.escaped:
            odd = np.flatnonzero(np.isin(keys, list(self.tape.escaped)))
            codes[odd] = texts.of_values([self.name(key) for key in keys[odd].tolist()])
        return codes

    def texts(self, *, with_names: bool = False) -> Texts:
        """A store for texts of this document; `with_names`: the tape's own, for one that is to hold many."""
        return self.tape.names_met if with_names else Texts(self.tape.run)

    @property
    def open_nodes(self) -> list[int]:
        """The nodes that were open where the document was cut, outermost first; one may come twice."""
        return self.placer.open_nodes if self.tape.is_cut else []

    def batches(self) -> Iterator[Batch]:
        """The batches, each valid until the next one; an extra whose end was cut off is left out.

        Raises TapeError.
        Of several documents, one a line, the caller may skip a line that is no JSON and call this again.
        """
        for batch in self.bare_batches():
            self._keep_extras(batch)
            yield batch

    def bare_batches(self) -> Iterator[Batch]:
        """The batches; no extras are kept."""
        n = len(self.array)
        there = self.tape.place
        while True:
            there = min(n, self._arrived(min(n, there + AT_ONCE)))
            for piece in self.tape.over(self.array[:there], is_last=there == n):
                batch = self.placer.place(piece)
                self._on_byte(self.tape.place)
                yield batch
            if there == n:
                break

    def _keep_extras(self, batch: Batch) -> None:
        assert batch.piece is not None
        self._writer.write(batch.piece, self._extra[batch.role], batch.node, batch.role, batch.piece.key)
        self._put_extras()

    def _put_extras(self) -> None:
        taken = self._writer.taken()
        if taken is None:
            return
        (nodes, roles, keys), begins, text = taken
        if self._diverted and (is_diverted := self._is_diverted[roles]).any():
            sizes = np.diff(begins)
            for role, to in self._diverted.items():
                if len(chosen := np.flatnonzero(roles == role)):
                    to.take(nodes[chosen], keys[chosen], *picked(self.tape.run, text, begins, sizes, chosen))
            kept = np.flatnonzero(~is_diverted)
            begins, text = picked(self.tape.run, text, begins, sizes, kept)
            nodes, roles, keys = nodes[kept], roles[kept], keys[kept]
        self.extras.put(nodes, self._members_of(roles, keys), begins, text, goes_on=True)

    def _no_members(self, n: int) -> Array:
        """By outer field and name the number of the member, -1 as yet: first for no name, then for n - 1."""
        return np.full((len(self._outers), n), -1, np.int32)

    def _members_of(self, roles: Array, keys: Array) -> Array:
        width = self._members.shape[1]
        if (most := int(keys.max(initial=-1)) + 2) > width:
            self._members = np.append(self._members, self._no_members(max(most - width, width // 4)), axis=1)
            width = self._members.shape[1]
        places = (self._outer_of * width + 1)[roles]
        places += keys
        table = self._members.ravel()
        members = table[places]
        if (is_new := members < 0).any():
            for place in np.unique(places[is_new]).tolist():
                outer, key = divmod(place, width)
                name = self.tape.name(key - 1) if key else ""  # an item has no name
                table[place] = self.extras.members.number(*self._named(self._outers[outer], name))
            members = table[places]
        return np.asarray(members)


def _last_values(documents: Sequence[Any], n_levels: int) -> Iterator[Any]:
    """The last document, the last value in it, and so on, as many as there are."""
    value: Any = documents
    for _ in range(n_levels):
        if not isinstance(value, dict | list) or not value:
            return
        value = value[-1] if isinstance(value, list) else next(reversed(value.values()))
        yield value


class WalkReading:
    """A pass over values that a library parsed."""

    def __init__(
        self,
        form: Form,
        documents: Sequence[Any],
        *,
        named: Named = _as_it_is,
        n_open: int = 0,
    ) -> None:
        """`n_open`: the number of containers that a cut left open, each the last value in the one before."""
        self.form = form
        self.walk = Walk(form)
        self.walk.open_ids = frozenset(map(id, _last_values(documents, n_open)))
        self.extras = Extras()
        self.kept: list[Kept] = []
        """The values of which text is kept, of extras and others."""
        self.containers: list[Any] = []
        """By number what each node was read from."""
        self.documents, self._named = documents, named
        self._names: list[str] = []
        self._diverted: dict[int, Any] = {}

    def divert(self, roles: Mapping[int, Any]) -> None:
        """Have the texts of values of these roles go there, not to the extras."""
        self._diverted = dict(roles)

    @property
    def innermost(self) -> int:
        """The role of the innermost container that a cut left open, -1 for none."""
        return self.walk.innermost

    def name(self, key: int) -> str:
        """The name that a key numbers."""
        if key >= len(self._names):
            self._names = list(self.walk.names)
        return self._names[key]

    def forget_names(self, but: Iterable[int]) -> None:
        """Keep all names, which the document holds anyway."""

    @property
    def open_nodes(self) -> list[int]:
        """The nodes that were open where the document was cut, outermost first; one may come twice."""
        return self.walk.open_nodes

    def codes_of_names(self, keys: Array, texts: Texts) -> Array:
        """The numbers in `texts` of the names that keys number."""
        return texts.of_values([self.name(key) for key in keys.tolist()])

    def texts(self, *, with_names: bool = False) -> Texts:
        """A store for texts of this document."""
        return Texts()

    def batches(self) -> Iterator[Batch]:
        """One batch of the whole document."""
        batch = self.walk.batch(self.documents, self.kept, self.containers)
        yield batch
        form, members = self.form, self.extras.members
        diverted: dict[int, list[tuple[int, int, Any]]] = {}
        told: list[tuple[int, int, Any]] = []
        open_ids = self.walk.open_ids
        for node, role, key, value in self.kept:
            if open_ids and id(value) in open_ids:
                continue
            if role in self._diverted:
                diverted.setdefault(role, []).append((node, key, value))
            elif form.extra[role] == TOP:
                outer, name = self._named(form.outer[role], self.name(key) if key >= 0 else "")
                told.append((node, members.number(outer, name), value))
        if told:
            nodes, of_nodes, values = zip(*told, strict=True)
            self.extras.put(np.array(nodes, np.int32), np.array(of_nodes, np.int32), *json_texts(values))
        for role, each in diverted.items():
            nodes, keys, values = zip(*each, strict=True)
            to = self._diverted[role]
            to.take(np.array(nodes, np.int32), np.array(keys, np.int32), *json_texts(values))


Reading = TapeReading | WalkReading
"""One pass over a document."""
