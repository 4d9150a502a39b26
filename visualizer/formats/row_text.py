"""Rows of a log as JSON: the fields that each states, in a fixed order, from whole columns at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from visualizer.formats.fields import NATIVE
from visualizer.formats.json_text import json_bytes
from visualizer.store import words
from visualizer.store.columns import GIVEN
from visualizer.store.log import Log

Array = npt.NDArray[Any]
Texts = list[bytes]

CHUNK: Final = 16_384
"""Rows that are turned into text together."""

VOCABULARIES: Final = {
    "layer": words.LAYERS,
    "bound": words.BOUNDS,
    "outcome": words.OUTCOMES,
    "purpose": words.PURPOSES,
    "cut_by": words.CUT_BY,
    "ending": words.ENDINGS,
    "tt_use": words.TT_USES,
    "tt_bound": words.BOUNDS,
}
PLIES_LEFT: Final = ("depth", "reduction", "extension", "visits", "tt_depth")
"""Floats that are mostly whole and then written so."""
ORDER: Final = (
    "ply",
    "layer",
    "player",
    "score",
    "bound",
    "outcome",
    "purpose",
    "cut_by",
    "ending",
    "why",
    "static",
    "pre_score",
    "stand_pat",
    "factors",
    "contributions",
    "scores",
    "depth",
    "reduction",
    "extension",
    "quiescence",
    "in_check",
    "moves",
    "alpha",
    "beta",
    "count",
    "plies",
    "key",
    "tt",
    "seconds",
    "visits",
    "prior",
    "mean",
    "position",
    "board",
    "extras",
)
OF_ENTRIES: Final = ("tt_use", "tt_depth", "tt_bound", "tt_score", "tt_ply", "tt_from")


def row_texts(log: Log, rows: Array, source_names: Array) -> Iterator[Texts]:
    """The fields of each of `rows` as `,"name":value…`, in chunks; neither ids nor children are among them.

    `source_names[row]` is how `tt.from` calls a row, -2 where it cannot.
    """
    for first in range(0, len(rows), CHUNK):
        piece = rows[first : first + CHUNK]
        fields = [texts for name in ORDER if (texts := _Piece(log, piece, source_names).field(name))]
        yield list(map(b"".join, zip(*fields, strict=True))) if fields else [b""] * len(piece)


class _Piece:
    """Some rows of a log, and each of their fields as text (empty where a row does not state it)."""

    def __init__(self, log: Log, rows: Array, source_names: Array) -> None:
        self.log = log
        self.rows = rows
        self.source_names = source_names

    def field(self, name: str) -> Texts | None:
        """The field `name` of each row, None where none states it."""
        special: dict[str, Callable[[], Texts | None]] = {
            "tt": self.entries,
            "plies": self.stub_plies,
            "extras": self.extras,
            "contributions": self.contributions,
        }
        if name in special:
            return special[name]()
        column = self.log.columns.get(name)
        if column is None:
            return None
        column = column[self.rows]
        label = f',"{name.removeprefix("tt_")}":'.encode()
        if name in VOCABULARIES:
            texts = [b"", *(label + orjson.dumps(word) for word in VOCABULARIES[name][1:])]
            return [texts[code] for code in column.tolist()] if column.any() else None
        if name == "key":
            return self.keys(label, column)
        if name == "tt_from":
            column = np.where(column >= 0, self.source_names[np.maximum(column, 0)], column)
            return _where(column != -1, label, _integers(np.maximum(column, -1)))
        if column.ndim == 2:
            return _where(np.asarray(~np.isnan(column).all(axis=1)), label, _lists(column))
        if name == "player":
            names = [label + json_bytes(player) for player in self.log.players]
            return [names[code] if code >= 0 else b"" for code in column.tolist()]
        if name in ("in_check", "quiescence"):
            return _where(column >= 0, label, [b"true" if flag > 0 else b"false" for flag in column.tolist()])
        if column.dtype == np.float64:
            return self.floats(name, label, column)
        if column.dtype == np.int32 and name != "moves":
            return self.texts(label, column)
        return _where(column >= 0, label, _integers(column))

    def floats(self, name: str, label: bytes, column: Array) -> Texts | None:
        """A column of floats; a NaN counts where the row is known to state it, and an open edge is null."""
        stated = ~np.isnan(column)
        if name in GIVEN:
            stated = (self.log.columns["given"][self.rows] & GIVEN[name]) != 0
        if not stated.any():
            return None
        texts = _floats(column, short=name in PLIES_LEFT)
        if name in ("alpha", "beta"):
            edge = -np.inf if name == "alpha" else np.inf
            for index in np.flatnonzero(column == edge).tolist():
                texts[index] = b"null"
        return _where(stated, label, texts)

    def texts(self, label: bytes, column: Array) -> Texts | None:
        """A column of indices into the log's texts."""
        written = {
            index: label + json_bytes(self.log.texts[index])
            for index in np.unique(column).tolist()
            if index >= 0
        }
        written[-1] = b""
        return [written[index] for index in column.tolist()] if len(written) > 1 else None

    def keys(self, label: bytes, column: Array) -> Texts | None:
        """Position keys, in the form in which the log has them."""
        stated = (self.log.columns["given"][self.rows] & GIVEN["key"]) != 0
        if self.log.key_form == "hex":
            return _where(stated, label, [b'"%016x"' % key for key in column.tolist()])
        if self.log.key_form == "text":
            return self.texts(label, np.where(stated, column.astype(np.int64), -1))
        return _where(stated, label, _integers(column))

    def contributions(self) -> Texts | None:
        """What each factor contributed, by name."""
        matrix = self.log.columns.get("contributions")
        if matrix is None:
            return None
        names = [b"," + json_bytes(name) + b":" for name in self.log.contribution_names]
        columns = matrix[self.rows].T
        parts = [
            _where(~np.isnan(column), name, _floats(column))
            for name, column in zip(names, columns, strict=True)
        ]
        return _object(b',"contributions":', [part for part in parts if part])

    def entries(self) -> Texts | None:
        """What was found in the transposition table."""
        return _object(b',"tt":', [part for name in OF_ENTRIES if (part := self.field(name))])

    def stub_plies(self) -> Texts | None:
        """The plies that stubs stand for, with their pre-scores where known."""
        lists = self.log.stub_plies
        if lists is None:
            return None
        texts = [b""] * len(self.rows)
        for index in np.flatnonzero(np.isin(self.rows, lists.rows)).tolist():
            plies, numbers = lists.of(int(self.rows[index]))
            if not len(plies) or plies[0] >= 0:
                texts[index] += b',"plies":' + json_bytes([self.log.texts[ply] for ply in plies.tolist()])
            if not np.isnan(numbers).all():
                texts[index] += b',"pre_scores":' + _lists(numbers[None, :])[0]
        return texts

    def extras(self) -> Texts | None:
        """Fields that the format does not know; one that has a name of ours is written as `data.NAME`."""
        extras = self.log.extras
        if extras is None:
            return None
        texts = [b""] * len(self.rows)
        for index in np.flatnonzero(np.isin(self.rows, extras.rows)).tolist():
            blob = extras.of(int(self.rows[index]))
            if any(b'"%s":' % name.encode() in blob for name in NATIVE):
                blob = _renamed(blob)
            texts[index] = b"," + blob[1:-1] if len(blob) > 2 else b""
        return texts


def _renamed(blob: bytes) -> bytes:
    from visualizer.formats.literal import read_literal

    fields = read_literal(blob.decode()).value
    return json_bytes({f"data.{name}" if name in NATIVE else name: value for name, value in fields.items()})


def _where(stated: Array, label: bytes, texts: Texts) -> Texts | None:
    if stated.all():
        return [label + text for text in texts]
    if not stated.any():
        return None
    return [label + text if states else b"" for states, text in zip(stated.tolist(), texts, strict=True)]


def _object(label: bytes, parts: list[Texts]) -> Texts | None:
    if not parts:
        return None
    inner = map(b"".join, zip(*parts, strict=True))
    return [b"%s{%s}" % (label, text[1:]) if text else b"" for text in inner]


def _integers(column: Array) -> Texts:
    return _split(orjson.dumps(np.ascontiguousarray(column), option=orjson.OPT_SERIALIZE_NUMPY))


def _floats(column: Array, *, short: bool = False) -> Texts:
    """Each float as JSON that reads back as the same float; `short` leaves out `.0`."""
    blob = orjson.dumps(np.ascontiguousarray(column), option=orjson.OPT_SERIALIZE_NUMPY)
    if short and not (np.signbit(column) & (column == 0)).any():
        blob = blob.replace(b".0,", b",").replace(b".0]", b"]")
    texts = _split(blob)
    for index in np.flatnonzero(~np.isfinite(column)).tolist():
        value = column[index]
        texts[index] = b'"nan"' if np.isnan(value) else b'"inf"' if value > 0 else b'"-inf"'
    return texts


def _lists(matrix: Array) -> Texts:
    """Each row as a list, null where it is NaN."""
    if np.isinf(matrix).any():
        return [json_bytes([None if value != value else value for value in row]) for row in matrix.tolist()]
    blob = orjson.dumps(np.ascontiguousarray(matrix), option=orjson.OPT_SERIALIZE_NUMPY)
    return [b"[" + row + b"]" for row in blob[2:-2].split(b"],[")]


def _split(blob: bytes) -> Texts:
    return blob[1:-1].split(b",")
