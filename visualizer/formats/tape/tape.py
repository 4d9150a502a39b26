"""A document as pieces of tape, from bytes as they come.

    tape = Tape()
    for piece in tape.over(array[:n_there], is_last=False): ...   # each time bytes arrive
    for piece in tape.over(array, is_last=True): ...
    tape.is_cut                                                   # it stopped in the middle

Only the state at the end of a piece is kept for the next: a few numbers, a stack, the names. So memory does
not grow with the document, and one loop reads a file, an arriving upload, a socket and a file that was cut
short.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.engine.jit import compiled
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.tape import scan as _scan
from plyscope.visualizer.formats.tape.kinds import LONG, NUMBER, WHOLE
from plyscope.visualizer.formats.tape.scan import LINES, MANY, ONE
from plyscope.visualizer.formats.tape.texts import Run, Texts, only_read, with_room
from plyscope.visualizer.formats.tape.tokens import MORE

__all__ = ["LINES", "MANY", "ONE", "Piece", "Run", "Tape", "TapeError"]

Array = npt.NDArray[Any]

ROWS: Final = 1 << 16
"""The rows of a piece: its arrays, some 2 MB, stay in the processor's cache and are reused."""
COLUMNS: Final = {
    "kind": np.uint8,
    "key": np.int32,
    "begin": np.int64,
    "end": np.int64,
    "up": np.int32,
    "value": np.float64,
}
LEAST_NAMES: Final = 256
LEAST_DEPTH: Final = 64


class TapeError(ValueError):
    """Bytes that are no JSON: `code` is the reason that `scan` returned, `place` the byte."""

    def __init__(self, code: int, place: int) -> None:
        super().__init__(f"no JSON at byte {place} (reason {code})")
        self.code, self.place = code, place


@dataclass
class Piece:
    """Rows of the values that begin in one piece of a document, in pre-order, with the columns of `scan`.

    They are valid until the next piece.
    """

    kind: Array
    key: Array
    begin: Array
    end: Array
    up: Array
    value: Array
    text: Array
    """The bytes of the document, in which begin and end lie."""
    base: int
    """The number of the first row in the document."""
    left_open: dict[int, int]
    """By depth, the rows of containers that begin here and are open at the end."""
    next_kind: int
    next_up: int
    """Kind and container of the first value of the next piece where they are known; else ABSENT."""
    low: int
    """The least depth in this piece: containers of earlier pieces at this depth or deeper have closed."""
    closed_at: Array
    """By depth, the byte behind the container of an earlier piece that has closed."""

    def __len__(self) -> int:
        return len(self.kind)

    def bytes_of(self, row: int) -> bytes:
        """The bytes of a value that ends in this piece, without the quotes of a text."""
        return self.text[self.begin[row] : self.end[row]].tobytes()


class Tape:
    """The state of a pass over the bytes of a document, kept from piece to piece."""

    def __init__(self, mode: int = ONE, *, rows: int = ROWS, run: Run = compiled) -> None:
        """Read one document, MANY, or LINES of one each, in pieces of at most so many rows, 2 at least."""
        assert rows > 1, "a piece holds a container with its first value"
        self.run = run
        self._mode, self._n_rows = mode, rows
        self._state = np.zeros(_scan.N_STATE, np.int64)
        self._state[_scan.NAME] = -1
        self._state[_scan.LINE_ENDED] = 1
        self._holder = np.zeros(LEAST_DEPTH, np.int64)
        self._is_object = np.zeros(LEAST_DEPTH, np.bool_)
        self._closed_at = np.zeros(LEAST_DEPTH, np.int64)
        self.names_met = Texts(run)
        """The names by number, as they are spelled between quotes; a reader may enter further texts."""
        self._alias, self._next_name = np.zeros(0, np.int32), np.zeros(0, np.int32)
        self._make_room(LEAST_NAMES, 16 * LEAST_NAMES)
        self.escaped: set[int] = set()
        """The numbers of names that cannot be spelled without a backslash."""
        self._arrays = [np.empty(rows, dtype) for dtype in COLUMNS.values()]
        self._has_rest = False
        """Whether the bytes ended within a token."""
        self._names: dict[int, str] = {}
        self.is_beyond = False
        """Whether a number was beyond the largest float."""

    @property
    def depth(self) -> int:
        """The number of open containers."""
        return int(self._state[_scan.DEPTH])

    @property
    def place(self) -> int:
        """The byte of the document that is read next."""
        return int(self._state[_scan.POS])

    @property
    def n_names(self) -> int:
        """The number of names met or entered."""
        return self.names_met.n_texts

    @property
    def is_cut(self) -> bool:
        """Whether the document is incomplete so far."""
        is_amid = self._state[_scan.EXPECTS] not in (_scan.VALUE, _scan.AFTER)
        return self.depth > 0 or self._has_rest or is_amid

    def key(self, name: str) -> int:
        """The number of a name, entered if it is new."""
        spelled = np.frombuffer(json_bytes(name)[1:-1], np.uint8)
        found = int(self.names_met.of_slices(spelled, np.zeros(1, np.int64), np.array([len(spelled)]))[0])
        self._make_room(0, 0)
        if self._alias[found] < 0:
            self._alias[found] = found
        if b"\\" in spelled.tobytes():
            self.escaped.add(found)
        return found

    def name(self, key: int) -> str:
        """The name of that number."""
        name = self._names.get(key)
        if name is None:
            name = self._names[key] = str(orjson.loads(b'"' + self.name_bytes(key) + b'"'))
        return name

    def forget_names(self, but: Iterable[int]) -> None:
        """Free the names, but for some, after the end."""
        for key in but:
            self.name(key)
        self.names_met = Texts(self.run)

    def name_bytes(self, key: int) -> bytes:
        """The name of that number as it was written, between its quotes."""
        names = self.names_met
        return names.pool[names.text_at[key] : names.text_at[key + 1]].tobytes()

    @property
    def name_table(self) -> tuple[Array, Array]:
        """The bytes of all names, concatenated, and their offsets (n + 1)."""
        return self.names_met.pool, self.names_met.text_at[: self.n_names + 1]

    def over(self, array: Array, *, is_last: bool) -> Iterator[Piece]:
        """The next pieces of a document, of which `array` holds all that has arrived. Raises TapeError."""
        state, array = self._state, only_read(array)
        while True:
            above = self.depth
            state[_scan.LOW] = above
            state[_scan.ROWS] = 0
            code = self._scan(array, is_last)
            n_rows = int(state[_scan.ROWS])
            if n_rows or state[_scan.LOW] < above:
                yield self._piece(array, n_rows)
            state[_scan.BASE] += n_rows
            if code == MORE:
                self._has_rest = self.place < len(array)
                return

    def begin_anew(self) -> None:
        """Number the next bytes from 0, after complete documents; the names stay."""
        assert not self.is_cut
        self._state[_scan.POS] = 0
        self._state[_scan.LINE_ENDED] = 1
        self.is_beyond = False

    def end(self) -> None:
        """Free what only bytes that follow need; names are known on."""
        self._alias, self._next_name = self._alias[:0].copy(), self._next_name[:0].copy()
        self._arrays.clear()

    def _scan(self, array: Array, is_last: bool) -> int:
        """Fill the rows; returns MORE or FULL, and raises TapeError."""
        names, state = self.names_met, self._state
        while True:
            self._make_room(0, 0)
            state[_scan.N_NAMES] = names.n_texts
            code = int(
                self.run(_scan.scan)(
                    array,
                    is_last,
                    self._mode,
                    names.seed,
                    state,
                    *self._arrays,
                    self._holder,
                    self._is_object,
                    self._closed_at,
                    names.pool,
                    names.text_at,
                    names.hashes,
                    names.slots,
                    self._alias,
                    self._next_name,
                )
            )
            names.n_texts = int(state[_scan.N_NAMES])
            if code == _scan.DEEP:
                self._holder, self._is_object, self._closed_at = (
                    np.concatenate([each, each]) for each in (self._holder, self._is_object, self._closed_at)
                )
            elif code == _scan.NAMES:
                most = min(len(names.hashes), len(names.text_at) - 1, len(names.slots) // 2)
                self._make_room(*((0, len(names.pool)) if names.n_texts < most else (LEAST_NAMES, 0)))
            elif code == _scan.SPELLED:
                number = int(state[_scan.NAME])
                self._alias[number] = self.key(self.name(number))
            elif code in (MORE, _scan.FULL):
                return code
            else:
                raise TapeError(code, self.place)

    def _piece(self, array: Array, n_rows: int) -> Piece:
        state = self._state
        base, low, depth = int(state[_scan.BASE]), int(state[_scan.LOW]), self.depth
        left_open = {at: int(self._holder[at]) - base for at in range(low, depth)}
        kind, key, begin, end, up, value = (each[:n_rows] for each in self._arrays)
        next_kind, next_up = int(state[_scan.NEXT_KIND]), int(state[_scan.NEXT_UP])
        piece = Piece(
            *(kind, key, begin, end, up, value, array, base, left_open, next_kind, next_up, low),
            self._closed_at,
        )
        for row in np.flatnonzero(kind == LONG).tolist():
            self._settle(piece, row)
        return piece

    def _settle(self, piece: Piece, row: int) -> None:
        """Read a number of the kind LONG."""
        written = piece.bytes_of(row)
        piece.value[row] = float(written)
        is_beyond = bool(np.isinf(piece.value[row]))
        piece.kind[row] = WHOLE if written.lstrip(b"-").isdigit() and not is_beyond else NUMBER
        self.is_beyond |= is_beyond

    def _make_room(self, n: int, n_bytes: int) -> None:
        """Make room for so many further names of so many bytes, after those that a reader entered."""
        self.names_met.make_room(n, n_bytes)
        n_known, n_most = len(self._alias), len(self.names_met.text_at)
        if n_most > n_known:
            self._alias, self._next_name = with_room(self._alias, n_most), with_room(self._next_name, n_most)
            self._alias[n_known:] = self._next_name[n_known:] = -1
