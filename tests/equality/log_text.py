"""A log as text: all that it says, a line a row, whatever the types of its columns, the order of its texts.

Of a large log each column is a digest, and only the first and last rows are shown.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from plyscope.visualizer.store.columns import COLUMNS, GIVEN, MATRICES
from plyscope.visualizer.store.fields import FIELDS, Field
from plyscope.visualizer.store.log import Log

MOST_ROWS: Final = 400
"""A log of more rows is digested column by column."""
SHOWN_ROWS: Final = 12
"""Of a digested log, from each end."""
LONGEST: Final = 1_000
"""Characters of a text; of a longer one the start, the length and a digest are shown."""
BY_COLUMN: Final = {field.column: field for field in FIELDS.values()}
TEXTS: Final = ("text", "long text")


def text_of(log: Log, *, by_value: bool = False) -> str:
    """Write everything that `log` says; `by_value`: numbers of unknown fields in one spelling."""
    return "\n".join(line for line in _lines(log, by_value)) + "\n"


def shortened(text: str) -> str:
    """The text; of a long one its start, length and digest.

    >>> shortened("abc")
    'abc'
    """
    if len(text) <= LONGEST:
        return text
    return f"{text[:200]}… ({len(text):,} characters, {digest(text.encode('utf-8', 'surrogatepass'))})"


def digest(data: bytes) -> str:
    """Sixteen letters that stand for `data`."""
    return hashlib.blake2b(data, digest_size=8).hexdigest()


def as_json(value: Any) -> str:
    """The value as JSON, whatever it is; numbers in full, keys in the order in which they stand."""
    try:
        return shortened(json.dumps(value, ensure_ascii=False, default=repr))
    except RecursionError:
        return "nested too deeply to be shown"


def _lines(log: Log, by_value: bool) -> Iterator[str]:
    yield f"rows: {log.n_rows:,}"
    yield f"columns: {' '.join(sorted(log.columns))}"
    for notice in log.notices:
        yield f"notice: {shortened(notice)}"
    for name, value in log.header.items():
        yield f"header {name}: {as_json(value)}"
    yield f"players: {as_json(log.players)}"
    for factor in log.factors:
        yield f"factor {factor.name}: {as_json([factor.weight, factor.meaning])}"
    yield f"contributions: {as_json(log.contribution_names)}"
    yield f"keys: {log.key_form or '-'}"
    yield f"mapping: {as_json(dict(log.mapping))}"
    yield f"shape: {log.shape}"
    yield f"fields: {as_json(log.fields)}"
    for root in log.roots[:SHOWN_ROWS]:
        yield f"root: row {root.row}, iteration {root.iteration}"
    if len(log.roots) > SHOWN_ROWS:
        yield f"roots: {len(log.roots):,}, {digest(repr([(r.row, r.iteration) for r in log.roots]).encode())}"
    extras = extras_of(log)
    if by_value:
        extras = {row: _respelled(text) for row, text in extras.items()}
    if log.n_rows <= MOST_ROWS:
        rows: list[int] = [*range(log.n_rows)]
    else:
        rows = [*range(SHOWN_ROWS), *range(log.n_rows - SHOWN_ROWS, log.n_rows)]
        yield from _digests(log, extras)
    for row in rows:
        yield _row(log, row, extras.get(row))


def _row(log: Log, row: int, extras: str | None) -> str:
    """One row: where it stands, then what it states."""
    columns = log.columns
    said = [f"row {row}:"]
    said += [f"{name} {int(columns[name][row])}" for name in ("id", "parent", "end", "level")]
    given = int(columns["given"][row])
    said.append(f"given {','.join(name for name, bit in GIVEN.items() if given & bit) or '-'}")
    for name in sorted(columns):
        if name in BY_COLUMN and name not in ("id", "iteration"):
            value = _value(log, name, row, given)
            if value is not None:
                said.append(f"{name} {shortened(value)}")
    if log.stub_plies is not None:
        texts, numbers = log.stub_plies.of(row)
        if len(texts) or row in log.stub_plies.rows:
            plies = [log.text(int(text)) for text in texts]
            said.append(f"plies {as_json([plies, [repr(number) for number in numbers.tolist()]])}")
    if extras is not None:
        said.append(f"unknown {shortened(extras)}")
    return "  ".join(said)


def _value(log: Log, name: str, row: int, given: int) -> str | None:
    """The value of a row in words; None where it states none."""
    field, cell = BY_COLUMN[name], log.columns[name][row]
    if name in MATRICES:
        return None if np.isnan(cell).all() else "[" + " ".join(map(repr, cell.tolist())) + "]"
    value = cell.tolist()
    if field.name in GIVEN:
        if not given & GIVEN[field.name]:
            return None
    elif value == COLUMNS[name].absent or (isinstance(value, float) and math.isnan(value)):
        return None
    return _word(log, field, value)


def _word(log: Log, field: Field, value: Any) -> str:
    if field.vocabulary is not None:
        return field.vocabulary.words[value]
    if field.kind in TEXTS or (field.kind == "key" and log.key_form == "text"):
        return as_json(log.texts[value])
    if field.kind == "key":
        return f"{value:016x}" if log.key_form == "hex" else str(value)
    if field.kind == "player":
        return as_json(log.players[value])
    return repr(value)


def extras_of(log: Log) -> dict[int, str]:
    """The unknown fields of each row that has some, as the JSON that is kept."""
    if log.extras is None:
        return {}
    blob, starts = bytes(log.extras.blob), log.extras.starts.tolist()
    return {
        row: blob[starts[at] : starts[at + 1]].decode("utf-8", "backslashreplace")
        for at, row in enumerate(log.extras.rows.tolist())
    }


def _respelled(text: str) -> str:
    """JSON with each number as Python writes its value; text that is nested too deeply as it is."""
    try:
        return json.dumps(json.loads(text), ensure_ascii=False)
    except RecursionError:
        return text


def _digests(log: Log, extras: dict[int, str]) -> Iterator[str]:
    """A digest a column: of its numbers, or of its texts in their order."""
    for name in sorted(log.columns):
        column = np.asarray(log.columns[name])
        field = BY_COLUMN.get(name)
        is_text = field is not None and (
            field.kind in (*TEXTS, "player") or (field.kind == "key" and log.key_form == "text")
        )
        if is_text:
            names = log.players if field is not None and field.kind == "player" else log.texts
            stated = _is_stated(log, name, column)
            yield f"digest of {name}: {_digest_of_texts(column, stated, names)}"
        else:
            yield f"digest of {name}: {digest(_plain(column))}"
    if log.stub_plies is not None:
        lists = log.stub_plies
        yield (
            f"digest of plies: {digest(_plain(lists.rows) + _plain(lists.starts) + _plain(lists.numbers))} "
            f"{_digest_of_texts(lists.texts, lists.texts >= 0, log.texts)}"
        )
    if extras:
        hashed = hashlib.blake2b(digest_size=8)
        for row, text in extras.items():
            hashed.update(f"{row} {text}\n".encode())
        yield f"digest of unknown fields: {hashed.hexdigest()}, on {len(extras):,} rows"


def _is_stated(log: Log, name: str, column: Any) -> Any:
    if name in GIVEN:
        return (log.columns["given"] & GIVEN[name]) != 0
    return column != COLUMNS[name].absent


def _plain(column: Any) -> bytes:
    """The numbers as bytes, whatever their size; every NaN alike."""
    if column.dtype.kind == "f":
        wide = column.astype(np.float64)
        wide[np.isnan(wide)] = np.nan
        return bytes(wide.tobytes())
    return bytes(column.astype(np.uint64 if column.dtype.kind == "u" else np.int64).tobytes())


def _digest_of_texts(column: Any, stated: Any, texts: Any) -> str:
    """A digest of the texts that the numbers of a column stand for, in whichever order these are kept."""
    codes, first, inverse = np.unique(column[stated], return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    hashed = hashlib.blake2b(_plain(stated), digest_size=8)
    hashed.update(_plain(rank[inverse]))
    for code in codes[order].tolist():
        hashed.update(texts[code].encode("utf-8", "surrogatepass") + b"\0")
    return hashed.hexdigest()
