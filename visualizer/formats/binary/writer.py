"""Writing a sealed log as a compact log: one layout, each field in the smallest exact type."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import pairwise
from typing import Any, BinaryIO, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.binary.chunks import HAS_UPDATES, ORDER, SIGNATURE, VERSION
from plyscope.visualizer.formats.binary.layout import CONTRIBUTIONS, TYPES
from plyscope.visualizer.formats.json_text import LONE_SURROGATES, json_bytes
from plyscope.visualizer.formats.write.row_text import span
from plyscope.visualizer.formats.write.unknown_names import with_written_names
from plyscope.visualizer.formats.write.write_json import CHUNK, Progress, header_fields
from plyscope.visualizer.store.columns import GIVEN, MATRICES
from plyscope.visualizer.store.fields import FIELDS, Field
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]

TEXT_BYTES_A_CHUNK: Final = 2**20
MOST_IN_RECORD: Final = 1_000
"""The most bytes of a table of numbers in a record; wider ones are written as JSON."""
UNSIGNED: Final = ("u8", "u16", "u32", "u64")
SIGNED: Final = ("i8", "i16", "i32", "i64")


class _Column(NamedTuple):
    """A field of the layout: its type, and the function that makes its values for some rows."""

    name: str
    kind: str
    values: Callable[[Array], Array]
    """Values of rows as the file has them, not stated ones included."""
    n_items: int = 0

    @property
    def declared(self) -> list[Any]:
        """The column as a layout declares it."""
        return [self.name, self.kind, self.n_items] if self.n_items else [self.name, self.kind]


def write_binary(log: Log, out: BinaryIO, on_progress: Progress | None = None) -> None:
    """Write `log` to `out` as a compact log; `on_progress` gets the part that is written, from 0 to 1.

    >>> import io
    >>> from plyscope.visualizer.formats.detect import read_log
    >>> log = read_log(b'{"plyscope":1,"root":{"score":1,"children":[{"ply":"c6","score":-0.5}]}}')
    >>> write_binary(log, out := io.BytesIO())
    >>> read_log(out.getvalue()).columns["score"].tolist()
    [1.0, -0.5]
    """
    header = header_fields(log)
    result = header.get("result")
    if result is not None:
        del header["result"]
    writing = _Writing(log)
    flags = HAS_UPDATES if writing.has_json else 0
    out.write(SIGNATURE + struct.pack("<IHH", ORDER, VERSION, flags))
    out.write(chunk(b"HEAD", json_bytes(header)))
    out.write(chunk(b"LAYO", json_bytes([column.declared for column in writing.columns])))
    for piece in writing.texts():
        out.write(chunk(b"TEXT", piece))
    for first in range(0, log.n_rows, CHUNK):
        rows = np.arange(first, min(first + CHUNK, log.n_rows))
        for kind, piece in writing.pieces(rows):
            out.write(chunk(kind, piece))
        if on_progress is not None:
            on_progress(float(rows[-1] + 1) / log.n_rows)
    out.write(chunk(b"DONE", json_bytes(result)))


def chunk(kind: bytes, data: bytes) -> bytes:
    """A chunk: its kind, its length, its bytes.

    >>> chunk(b"DONE", b"null")
    b'DONE\\x04\\x00\\x00\\x00null'
    """
    return kind + struct.pack("<I", len(data)) + data


class _Writing:
    """The layout of a log, and its rows as chunks."""

    def __init__(self, log: Log) -> None:
        self._log = log
        self._ids = log.columns["id"]
        self._numbered = np.array_equal(self._ids, np.arange(log.n_rows))
        self._wide = [name for name in MATRICES if name in log.columns and self._is_wide(name)]
        self._names_plies = log.stub_plies is not None and bool((log.stub_plies.texts >= 0).any())
        self.columns = list(self._columns())

    @property
    def has_json(self) -> bool:
        """Whether some nodes have fields that must be written as JSON."""
        return self._log.extras is not None or bool(self._wide) or len(self._all_bits_key) > 0

    def texts(self) -> Iterator[bytes]:
        """The texts of the log and the names of the players, in chunks of TEXT."""
        waiting, size = [], 0
        for text in (*self._log.texts, *self._log.players):
            try:
                encoded = text.encode()
            except UnicodeEncodeError:
                encoded = LONE_SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text).encode()
            waiting.append(struct.pack("<I", len(encoded)) + encoded)
            size += len(waiting[-1])
            if size >= TEXT_BYTES_A_CHUNK:
                yield b"".join(waiting)
                waiting, size = [], 0
        if waiting:
            yield b"".join(waiting)

    def pieces(self, rows: Array) -> Iterator[tuple[bytes, bytes]]:
        """The chunks of `rows`: the lists that they refer to, their records, their JSON."""
        yield from self._lists(rows)
        dtype = np.dtype(
            [
                (str(at), "<" + TYPES[each.kind], _shape(each.kind, each.n_items))
                for at, each in enumerate(self.columns)
            ]
        )
        records = np.empty(len(rows), dtype)
        for at, column in enumerate(self.columns):
            records[str(at)] = column.values(rows)
        yield b"NODE", struct.pack("<I", 0) + records.tobytes()
        if lines := self._json_lines(rows):
            yield b"JSON", lines

    def _columns(self) -> Iterator[_Column]:
        log, columns = self._log, self._log.columns
        if not self._numbered:
            kind = _smallest(self._ids, UNSIGNED)
            yield _Column("id", kind, lambda rows: self._ids[rows])
        largest = int(self._ids.max())
        yield _Column("parent", "u32" if largest < 2**32 - 1 else "u64", self._parents)
        if len(log.roots) > 1 or log.has_iterations:
            yield _Column("iteration", "u32", lambda rows: log.iterations_of(rows).astype(np.uint32))
        for field in FIELDS.values():
            if field.name in columns and field.name in MATRICES:
                if field.name not in self._wide:
                    yield from self._matrix(field.name)
            elif field.column in columns and field.kind != "entry" and field.name != "id":
                yield self._plain(field, columns[field.column])
        if (lists := log.stub_plies) is not None:
            yield _Column("plies", "texts", lambda rows: self._slices(rows, lists.has_texts))
            yield _Column("pre_scores", "numbers", lambda rows: self._slices(rows, lists.has_numbers))

    def _parents(self, rows: Array) -> Array:
        parent = self._log.columns["parent"][rows]
        return np.where(parent >= 0, self._ids[np.maximum(parent, 0)], -1).astype(np.uint64)

    def _plain(self, field: Field, column: Array) -> _Column:
        """The column of a field with a single value."""
        name = field.name
        match field.kind:
            case "word":
                return _Column(name, "word", lambda rows: column[rows])
            case "flag":
                return _Column(name, "flag", lambda rows: column[rows].astype(np.uint8))
            case "text" | "long text":
                return _Column(name, "text", lambda rows: column[rows].astype(np.uint32))
            case "player":
                n_texts = len(self._log.texts)
                return _Column(
                    name,
                    "text",
                    lambda rows: np.where(column[rows] >= 0, column[rows] + n_texts, -1).astype(np.uint32),
                )
            case "key":
                return self._keys(column)
            case "whole":
                return self._whole(name, column, column >= 0, UNSIGNED)
            case "id":
                ids = np.where(column >= 0, self._ids[np.maximum(column, 0)], -1)
                return self._whole(name, ids, column != -1, SIGNED)
        is_stated = ~np.isnan(column)
        if field.bit:
            is_stated = (self._log.columns["given"] & field.bit) != 0
        return self._floats(name, column, is_stated)

    def _keys(self, column: Array) -> _Column:
        form = self._log.key_form
        absent = (self._log.columns["given"] & GIVEN["key"]) == 0
        kind = {"hex": "key", "text": "text"}.get(form, "u64")
        everywhere = np.uint64(2**32 - 1 if form == "text" else 2**64 - 1)
        return _Column("key", kind, lambda rows: np.where(absent[rows], everywhere, column[rows]))

    @cached_property
    def _all_bits_key(self) -> Array:
        """The rows whose key has all bits set, which in a record means unstated."""
        key, given = self._log.columns.get("key"), self._log.columns["given"]
        if key is None or self._log.key_form == "text":
            return np.empty(0, dtype=np.int64)
        return np.flatnonzero((key == np.uint64(2**64 - 1)) & ((given & GIVEN["key"]) != 0))

    def _whole(self, name: str, column: Array, is_stated: Array, kinds: tuple[str, ...]) -> _Column:
        kind = _smallest(column[is_stated], kinds)
        dtype = np.dtype(TYPES[kind])
        absent = _not_stated(dtype)
        return _Column(name, kind, lambda rows: _filled(column[rows].astype(dtype), ~is_stated[rows], absent))

    def _floats(self, name: str, column: Array, is_stated: Array, count: int = 0) -> _Column:
        kind = _smallest(column[is_stated], SIGNED[:3])
        dtype = np.dtype(TYPES[kind])

        def values(rows: Array) -> Array:
            known, stated = column[rows], is_stated[rows]
            if dtype.kind == "f":
                numbers = known.astype(dtype)
                numbers[np.isnan(numbers)] = np.nan  # not the NaN that means unstated
            else:
                numbers = np.where(stated, known, 0).astype(dtype)
            return _filled(numbers, ~stated, _not_stated(dtype))

        return _Column(name, kind, values, count)

    def _is_wide(self, name: str) -> bool:
        width = self._log.columns[name].shape[1]
        return width * 8 > MOST_IN_RECORD or not width

    def _matrix(self, name: str) -> Iterator[_Column]:
        """The columns of a table of numbers: one field, or one a name."""
        matrix = self._log.columns[name]
        if name != "contributions":
            yield self._floats(name, matrix, ~np.isnan(matrix), matrix.shape[1])
            return
        for at, each in enumerate(self._log.contribution_names):
            column = matrix[:, at]
            yield self._floats(CONTRIBUTIONS + each, column, ~np.isnan(column))

    def _listed(self, rows: Array) -> tuple[slice, Array, Array, Array]:
        """The lists of `rows`: which of all they are, the index of the row, begin and length of each."""
        lists = self._log.stub_plies
        assert lists is not None
        first, last = span(lists.rows, int(rows[0]), int(rows[-1]) + 1)
        begins, lengths = lists.starts[first:last], np.diff(lists.starts[first : last + 1])
        return slice(first, last), lists.rows[first:last] - rows[0], begins, lengths

    def _lists(self, rows: Array) -> Iterator[tuple[bytes, bytes]]:
        lists = self._log.stub_plies
        if lists is None:
            return
        _, _, begins, lengths = self._listed(rows)
        if lengths.sum():
            piece = slice(int(begins[0]), int(begins[-1] + lengths[-1]))
            if self._names_plies:
                yield b"REFS", np.maximum(lists.texts[piece], 0).astype("<u4").tobytes()
            yield b"NUMS", lists.numbers[piece].astype("<f8").tobytes()

    def _slices(self, rows: Array, has_one: Array) -> Array:
        """The begin and the length of each row's list, with all bits set where it has none."""
        which, places, begins, lengths = self._listed(rows)
        stated = has_one[which]
        pairs = np.full((len(rows), 2), 2**32 - 1, dtype=np.uint32)
        pairs[places[stated], 0], pairs[places[stated], 1] = begins[stated], lengths[stated]
        return pairs

    def _json_lines(self, rows: Array) -> bytes:
        """The JSON lines for values that no record holds: unknown fields, wide tables, a key of all bits."""
        lines: dict[int, list[bytes]] = {}
        log, first, last = self._log, int(rows[0]), int(rows[-1]) + 1
        if log.extras is not None:
            begin, end = span(log.extras.rows, first, last)
            starts = log.extras.starts[begin : end + 1]
            blob = bytes(log.extras.blob[int(starts[0]) : int(starts[-1])])
            blob, starts = with_written_names(blob, starts - starts[0])
            for row, (at, stop) in zip(
                log.extras.rows[begin:end].tolist(), pairwise(starts.tolist()), strict=True
            ):
                lines.setdefault(row, []).append(blob[at + 1 : stop - 1])
        for name in self._wide:
            matrix = log.columns[name][first:last]
            for row in np.flatnonzero(~np.isnan(matrix).all(axis=1)).tolist():
                numbers: Any = [None if value != value else value for value in matrix[row].tolist()]
                if name == "contributions":
                    named = zip(log.contribution_names, numbers, strict=True)
                    numbers = {each: number for each, number in named if number is not None}
                lines.setdefault(first + row, []).append(json_bytes({name: numbers})[1:-1])
        keys = self._all_bits_key
        for row in keys[(keys >= first) & (keys < last)].tolist():
            key: Any = "f" * 16 if log.key_form == "hex" else 2**64 - 1
            lines.setdefault(row, []).append(json_bytes({"key": key})[1:-1])
        parts = [
            b'{"id":%d,%s}\n' % (self._ids[row], b",".join(part for part in parts if part))
            for row, parts in sorted(lines.items())
            if any(parts)
        ]
        return b"".join(parts)


def _shape(kind: str, count: int) -> tuple[int, ...]:
    return (2,) if kind in ("texts", "numbers") else (count,) if count else ()


def _not_stated(dtype: np.dtype[Any]) -> Any:
    """The value that means unstated.

    >>> int(_not_stated(np.dtype("i2"))), int(_not_stated(np.dtype("u1")))
    (-32768, 255)
    """
    if dtype.kind == "i":
        return np.iinfo(dtype).min
    bits = np.array(2 ** (8 * dtype.itemsize) - 1, dtype=f"u{dtype.itemsize}")
    return bits.view(dtype)[()]


def _filled(values: Array, where: Array, absent: Any) -> Array:
    values[where] = absent
    return values


def _smallest(values: Array, kinds: tuple[str, ...]) -> str:
    """The smallest of the types `kinds` that holds all values; for floats that none holds, f32 or f64."""
    is_float = values.dtype.kind == "f"
    numbers = values[~np.isnan(values)] if is_float else values
    if not is_float or (len(numbers) == len(values) and _are_whole(numbers)):
        low, high = (numbers.min(), numbers.max()) if len(numbers) else (0, 0)
        for kind in kinds:
            info = np.iinfo(TYPES[kind])
            if info.min < low + (info.min == 0) and high < info.max:
                return kind
        if not is_float:
            return kinds[-1]
    return "f32" if (numbers.astype(np.float32).astype(np.float64) == numbers).all() else "f64"


def _are_whole(numbers: Array) -> bool:
    """Whether all are whole numbers of at most 31 bits, and none is minus zero."""
    if not np.isfinite(numbers).all() or (np.signbit(numbers) & (numbers == 0)).any():
        return False
    return bool((numbers == np.floor(numbers)).all() and (np.abs(numbers) < 2**31).all())
