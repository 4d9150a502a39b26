"""The slow, obvious writer: one dictionary a row, from the row's own values; the oracle of the fast one."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import orjson

from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.seal.values import written_name
from plyscope.visualizer.formats.write.row_text import WRITTEN
from plyscope.visualizer.formats.write.write_json import header_fields
from plyscope.visualizer.store.columns import COLUMNS, GIVEN
from plyscope.visualizer.store.fields import Field, entry_of
from plyscope.visualizer.store.log import Log

TEXTS: Final = ("ply", "why", "position", "left_position", "left_key", "board", "tt_ply")


def document_of(log: Log) -> bytes:
    """The bytes that `write_json` has to write."""
    header = b"".join(b'"%s":%s,\n' % (name.encode(), json_bytes(value)) for name, value in _header(log))
    closings, text = [], b""
    is_numbered = log.columns["id"].tolist() != list(range(log.n_rows))
    for row in range(log.n_rows):
        while closings and closings[-1] <= row:
            closings.pop()
            text += b"]}"
        text += b",\n" if row and text[-1:] != b"\n" else b""
        fields = _iteration(log, row) | ({"id": int(log.columns["id"][row])} if is_numbered else {})
        text += orjson.dumps(fields | fields_of(log, row))
        if log.columns["end"][row] > row + 1:
            text = text[:-1] + (b"" if text.endswith(b"{}") else b",") + b'"children":[\n'
            closings.append(int(log.columns["end"][row]))
    text += b"]}" * len(closings)
    roots = b'"roots":[\n%s\n]}\n' if len(log.roots) > 1 else b'"root":%s\n}\n'
    return b"{" + header + roots % text


def lines_of(log: Log) -> bytes:
    """The bytes that `write_jsonl` has to write."""
    header = dict(_header(log))
    result = header.pop("result", None)
    lines = [json_bytes(header)]
    ids = log.columns["id"].tolist()
    for row, parent in enumerate(log.columns["parent"].tolist()):
        above = {"parent": ids[parent]} if parent >= 0 else _iteration(log, row)
        lines.append(orjson.dumps({"id": ids[row]} | above | fields_of(log, row)))
    lines.append(json_bytes({"result": result}))
    return b"\n".join(lines) + b"\n"


def fields_of(log: Log, row: int) -> dict[str, Any]:
    """The fields that `row` states, in the order in which they are written."""
    fields: dict[str, Any] = {}
    for field in WRITTEN:
        name = field.name
        if field.kind == "entry":
            entry = {each.inner_name: _value(log, row, each) for each in entry_of(name)}
            fields[name] = {each: value for each, value in entry.items() if value is not None} or None
        elif name == "plies" and log.stub_plies is not None:
            fields |= _lists(log, row)
        elif name == "contributions" and name in log.columns:
            numbers = dict(zip(log.contribution_names, log.columns[name][row].tolist(), strict=True))
            known = {each: _number(value) for each, value in numbers.items() if value == value}
            fields[name] = known or None
        else:
            fields[name] = _value(log, row, field)
    if log.extras is not None:
        extras = orjson.loads(log.extras.of(row) or b"{}")
        for each, value in extras.items():
            fields[written_name(each)] = orjson.Fragment(json_bytes(value))
    return {name: value for name, value in fields.items() if value is not None}


def _header(log: Log) -> list[tuple[str, Any]]:
    return list(header_fields(log).items())


def _iteration(log: Log, row: int) -> dict[str, int | None]:
    of_roots = {root.row: root.iteration for root in log.roots}
    is_said = row in of_roots and (len(of_roots) > 1 or of_roots[row] is not None)
    return {"iteration": of_roots[row]} if is_said else {}


def _value(log: Log, row: int, field: Field) -> Any:
    """The value that `row` states for `field`; None where it states none."""
    name = field.column
    column = log.columns.get(name)
    if column is None:
        return None
    value = column[row].tolist()
    if name in ("factors", "scores"):
        return None if np.isnan(value).all() else [_number(each, nan=None) for each in value]
    is_stated = (
        bool(log.columns["given"][row] & GIVEN[name]) if name in GIVEN else value != COLUMNS[name].absent
    )
    if not is_stated or (name not in GIVEN and value != value):
        return None
    if field.vocabulary is not None:
        return field.vocabulary.words[value]
    if name == "key":
        return (
            f"{value:016x}"
            if log.key_form == "hex"
            else log.texts[value]
            if log.key_form == "text"
            else value
        )
    if name == "tt_from":
        return int(log.columns["id"][value]) if value >= 0 else -1
    if name == "player":
        return log.players[value]
    if name in ("in_check", "quiescence"):
        return value > 0
    if name in TEXTS:
        return log.texts[value]
    if (name, value) in (("alpha", -np.inf), ("beta", np.inf)):
        return orjson.Fragment(b"null")
    return _number(value, is_short=field.is_mostly_whole) if isinstance(value, float) else value


def _number(value: float, *, nan: str | None = "nan", is_short: bool = False) -> Any:
    if value != value:
        return nan
    if value in (np.inf, -np.inf):
        return "inf" if value > 0 else "-inf"
    text = orjson.dumps(value)
    return orjson.Fragment(text.removesuffix(b".0") if is_short and text != b"-0.0" else text)


def _lists(log: Log, row: int) -> dict[str, Any]:
    assert log.stub_plies is not None
    if row not in log.stub_plies.rows:
        return {}
    plies, numbers = log.stub_plies.of(row)
    lists: dict[str, Any] = {}
    if not len(plies) or plies[0] >= 0:
        lists["plies"] = [log.texts[ply] for ply in plies.tolist()]
    if "plies" not in lists or not np.isnan(numbers).all():
        lists["pre_scores"] = [_number(number, nan=None) for number in numbers.tolist()]
    return lists
