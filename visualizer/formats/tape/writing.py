"""Chosen values of a tape as JSON text again, without white space.

Fields that no column takes are kept so, and a document is shown so with its tree cut short. The text of one
value may span several pieces.
"""

from __future__ import annotations

import json
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.engine.jit import copy_array, kernel
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.tape.form import TOP
from plyscope.visualizer.formats.tape.kinds import ESCAPED, LIST, NUMBER, OBJECT, TEXT, WHOLE
from plyscope.visualizer.formats.tape.tape import Piece, Tape
from plyscope.visualizer.formats.tape.texts import with_room

Array = npt.NDArray[Any]

OPEN, AT, N_TEXTS = range(3)
"""Places in `state`: open containers, bytes written, texts begun."""
TOPS, DEEP, BYTES, ODD = range(4)
"""Places in `counts`."""
PER_ROW: Final = 8
"""The bytes of a row beside its name and its value: quotes, colon, comma, brackets."""


@kernel
def count_chosen(
    kind: Array,
    key: Array,
    begin: Array,
    end: Array,
    value: Array,
    what: Array,
    name_at: Array,
    counts: Array,
    odd: Array,
) -> int:
    """Count the values that are TOP or WITHIN one; returns how many there are.

    counts  gets how many are TOP, lists or objects, the bytes that all take at most, and how many are odd
    odd     gets the rows of those that are not copied verbatim: texts with escapes, numbers that JSON lacks
    """
    n_chosen, n_tops, n_deep, n_bytes, n_odd = 0, 0, 0, PER_ROW, 0
    for i in range(len(kind)):
        if what[i] == 0:
            continue
        n_chosen += 1
        n_tops += what[i] == TOP
        n_bytes += PER_ROW
        if key[i] >= 0:
            n_bytes += name_at[key[i] + 1] - name_at[key[i]]
        if kind[i] >= LIST:
            n_deep += 1
            continue
        n_bytes += end[i] - begin[i]
        is_number = kind[i] == NUMBER or kind[i] == WHOLE
        if kind[i] == ESCAPED or (is_number and not np.isfinite(value[i])):
            odd[n_odd] = i
            n_odd += 1
    counts[TOPS], counts[DEEP], counts[BYTES], counts[ODD] = n_tops, n_deep, n_bytes, n_odd
    return n_chosen


@kernel
def close_down(up_to: int, stack_row: Array, stack_is_object: Array, state: Array, out: Array) -> int:
    """Close containers until the innermost is that of row `up_to`; returns the number of open ones."""
    n_open = state[OPEN]
    at = state[AT]
    while n_open > 0 and stack_row[n_open - 1] != up_to:
        n_open -= 1
        out[at] = 125 if stack_is_object[n_open] else 93
        at += 1
    state[OPEN] = n_open
    state[AT] = at
    return int(n_open)


@kernel
def write_values(
    kind: Array,
    key: Array,
    up: Array,
    end: Array,
    what: Array,
    begin: Array,
    text: Array,
    odd: Array,
    odd_at: Array,
    beside: Array,
    pool: Array,
    name_at: Array,
    low: int,
    stack_row: Array,
    stack_is_object: Array,
    stack_has_any: Array,
    state: Array,
    out: Array,
    top_row: Array,
    top_at: Array,
) -> int:
    """Write the values that are TOP or WITHIN one; returns the number of texts begun.

    begin             the place of each value in `text`
    odd, odd_at       rows of scalars that are spelled in `beside`, in order, and their offsets (n + 1) there
    top_row, top_at   by text begun, its row and its begin in `out`
    """
    state[N_TEXTS] = 0
    n_odd = 0
    for i in range(len(kind)):
        if what[i] == 0:
            continue
        if what[i] == TOP:
            close_down(-1, stack_row, stack_is_object, state, out)
            top_row[state[N_TEXTS]] = i
            top_at[state[N_TEXTS]] = state[AT]
            state[N_TEXTS] += 1
        else:
            n_open = close_down(up[i], stack_row, stack_is_object, state, out)
            at = state[AT]
            if n_open > 0:
                if stack_has_any[n_open - 1]:
                    out[at] = 44
                    at += 1
                stack_has_any[n_open - 1] = True
            if key[i] >= 0:
                first = name_at[key[i]]
                size = name_at[key[i] + 1] - first
                out[at] = 34
                copy_array(pool[first : first + size], out[at + 1 : at + 1 + size])
                out[at + 1 + size] = 34
                out[at + 2 + size] = 58
                at += size + 3
            state[AT] = at
        at = state[AT]
        if kind[i] >= LIST:
            out[at] = 123 if kind[i] == OBJECT else 91
            stack_row[state[OPEN]] = i
            stack_is_object[state[OPEN]] = kind[i] == OBJECT
            stack_has_any[state[OPEN]] = False
            state[OPEN] += 1
            state[AT] = at + 1
            continue
        first = begin[i]
        size = end[i] - begin[i]
        if n_odd < len(odd) and odd[n_odd] == i:
            size = odd_at[n_odd + 1] - odd_at[n_odd]
            copy_array(beside[odd_at[n_odd] : odd_at[n_odd + 1]], out[at : at + size])
            n_odd += 1
        elif kind[i] == TEXT:
            out[at] = 34
            copy_array(text[first : first + size], out[at + 1 : at + 1 + size])
            out[at + 1 + size] = 34
            at += 2
        else:
            copy_array(text[first : first + size], out[at : at + size])
        state[AT] = at + size
    while state[OPEN] > 0:
        row = stack_row[state[OPEN] - 1]
        if (end[row] == 0) if row >= 0 else (-2 - row < low):
            break
        state[OPEN] -= 1
        out[state[AT]] = 125 if stack_is_object[state[OPEN]] else 93
        state[AT] += 1
    return int(state[N_TEXTS])


class Writer:
    """Writes chosen values of a tape; keeps open containers from piece to piece."""

    def __init__(self, tape: Tape, *, to_be_read: bool = False) -> None:
        """Write numbers that JSON lacks as texts ("inf"), or as bare words where a tape reads the result."""
        self._tape, self._to_be_read = tape, to_be_read
        self._stack_row = np.zeros(64, np.int64)
        self._stack_is_object, self._stack_has_any = np.zeros(64, np.bool_), np.zeros(64, np.bool_)
        self._state, self._counts = np.zeros(3, np.int64), np.zeros(4, np.int64)
        self._odd = np.empty(0, np.int64)
        self._tops: list[tuple[Array, ...]] = []
        """By piece, the columns of the texts begun in it, as `write` got them."""
        self._begins: list[Array] = []
        """The begins of these texts in all that was written."""
        self._texts: list[Array] = []
        self.n_bytes = 0

    @property
    def is_open(self) -> bool:
        """Whether the last text is incomplete."""
        return bool(self._state[OPEN] > 0)

    def write(self, piece: Piece, what: Array, *columns: Array) -> None:
        """Write the chosen values of a piece; the columns of those that are TOP are kept."""
        pool, name_at = self._tape.name_table
        self._odd = with_room(self._odd, len(piece))
        of_rows = piece.kind, piece.key, piece.begin, piece.end, piece.value
        n_chosen = self._tape.run(count_chosen)(*of_rows, what, name_at, self._counts, self._odd)
        if not n_chosen and not self.is_open:
            return
        n_tops, n_deep, n_bytes, n_odd = self._counts.tolist()
        odd = self._odd[:n_odd]
        odd_at, beside = self._spelled(piece, odd)
        n_bytes += len(beside) + int(self._state[OPEN])
        n_deep += int(self._state[OPEN])
        while n_deep > len(self._stack_row):
            self._stack_row, self._stack_is_object, self._stack_has_any = (
                np.concatenate([each, each])
                for each in (self._stack_row, self._stack_is_object, self._stack_has_any)
            )
        out = np.empty(n_bytes, np.uint8)
        top_row, top_at = np.empty(n_tops, np.int32), np.empty(n_tops, np.int64)
        self._state[AT] = 0
        self._tape.run(write_values)(
            piece.kind,
            piece.key,
            piece.up,
            piece.end,
            what,
            piece.begin,
            piece.text,
            odd,
            odd_at,
            beside,
            pool,
            name_at,
            piece.low,
            self._stack_row,
            self._stack_is_object,
            self._stack_has_any,
            self._state,
            out,
            top_row,
            top_at,
        )
        n_open, at = int(self._state[OPEN]), int(self._state[AT])
        depth_of = {row: depth for depth, row in piece.left_open.items()}
        for place in range(n_open):
            row = int(self._stack_row[place])
            self._stack_row[place] = row if row < 0 else -2 - depth_of[row]
        if n_tops:
            self._tops.append(tuple(column[top_row] for column in columns))
            self._begins.append(top_at + self.n_bytes)
        if at:
            self._texts.append(out[:at].copy() if 2 * at < n_bytes else out[:at])
            self.n_bytes += at

    def finish(self) -> None:
        """Close the open containers, where the document was cut."""
        n_open = int(self._state[OPEN])
        closing = bytes(125 if self._stack_is_object[at] else 93 for at in range(n_open - 1, -1, -1))
        self._state[OPEN] = 0
        if closing:
            self._texts.append(np.frombuffer(closing, np.uint8))
            self.n_bytes += len(closing)

    def text(self) -> Array:
        """All that was written."""
        return np.concatenate(self._texts) if self._texts else np.zeros(0, np.uint8)

    def taken(self) -> tuple[tuple[Array, ...], Array, Array] | None:
        """Take the complete texts: their columns, offsets (n + 1) and concatenation; else None."""
        if sum(map(len, self._begins)) <= self.is_open:
            return None
        columns = [np.concatenate([each[at] for each in self._tops]) for at in range(len(self._tops[0]))]
        begins, text = np.concatenate([*self._begins, [self.n_bytes]]), self.text()
        n_whole = len(begins) - 1 - self.is_open
        end = int(begins[n_whole])
        self._tops, self._begins, self._texts = [], [], []
        if self.is_open:
            self._tops.append(tuple(column[n_whole:] for column in columns))
            self._begins.append(begins[n_whole:-1] - end)
            self._texts.append(text[end:])
        self.n_bytes = len(text) - end
        whole = tuple(column[:n_whole] for column in columns)
        return (whole, begins[: n_whole + 1], text[:end]) if n_whole else None

    def _spelled(self, piece: Piece, odd: Array) -> tuple[Array, Array]:
        """Spell the values of these rows; returns their offsets (n + 1) and bytes."""
        written = []
        for row in odd.tolist():
            if piece.kind[row] == ESCAPED:
                written.append(json_bytes(orjson.loads(b'"' + piece.bytes_of(row) + b'"')))
            elif self._to_be_read:
                written.append(json.dumps(float(piece.value[row])).encode())
            else:
                written.append(json_bytes(float(piece.value[row])))
        places = np.zeros(len(odd) + 1, np.int64)
        np.cumsum([len(each) for each in written], out=places[1:])
        return places, np.frombuffer(b"".join(written) or b"\0", np.uint8)
