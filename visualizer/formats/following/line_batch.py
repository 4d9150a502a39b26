"""Some thousand lines of JSON Lines at once: what each says of its node, by field, and which node it names.

Regular lines are read by the kernels of large logs; odd or wrong ones are read one by one, as the ordinary
reader does, with the same words for what is wrong. A line is one record here, whatever node it is about.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.draft import Draft
from plyscope.visualizer.formats.duplicate_keys import may_have_duplicate_keys, notices_of_duplicates
from plyscope.visualizer.formats.encoding import decoded
from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.field_buffers import FieldBuffers, values_by_field
from plyscope.visualizer.formats.following.node_batch import Id, NodeBatch
from plyscope.visualizer.formats.following.plain_lines import PlainLines
from plyscope.visualizer.formats.literal import read_literal
from plyscope.visualizer.formats.values import Bad

Array = npt.NDArray[Any]
LARGEST: Final = 2**62
NEWLINE: Final = ord("\n")


@dataclass
class LineBatch(NodeBatch):
    """The content of some lines; records are the lines with an `id`."""

    beside: list[tuple[dict[str, Any], int, int]] = field(default_factory=list)
    """Lines without `id`: their fields, their number in the file, and the records before them."""
    n_lines: int = 0
    notices: list[str] = field(default_factory=list)


def read_batch(
    data: bytes,
    first_line: int,
    *,
    run: Callable[[Any], Any] | None,
    plain: PlainLines,
    twice: set[str],
    is_first: bool = False,
) -> LineBatch:
    """Read complete lines; raises LogError with the line, as the ordinary reader does.

    `run` compiles kernels; None reads every line by itself. `twice` are the keys that lines write twice, as
    was told before. `is_first` says that nothing came before: the header may. The batch holds until lines are
    read by the same `plain` again.
    """
    if run is not None and not is_first:
        batch = _read_plain(data, first_line, run, plain) or _read_by_kernels(data, first_line, run)
        if batch is not None:
            return batch
    return _read_patiently(data, first_line, twice, is_first=is_first)


def _read_plain(
    data: bytes, first_line: int, run: Callable[[Any], Any], plain: PlainLines
) -> LineBatch | None:
    """The batch of lines of plain fields; None where one is not plain."""
    n_lines = _n_lines(data)
    try:
        read = plain.read(data, n_lines, run)
    except (LogError, Bad, ValueError):
        return None
    if read is None:
        return None
    buffers, ids, children, parents = read
    lines = np.arange(first_line, first_line + n_lines)
    return LineBatch(buffers, ids, lines, children, parents, n_lines=n_lines)


def _n_lines(data: bytes) -> int:
    """The number of lines that end, in a tenth of the time that `bytes.count` takes for short lines."""
    return int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == NEWLINE))


def _read_by_kernels(data: bytes, first_line: int, run: Callable[[Any], Any]) -> LineBatch | None:
    """The batch of plainly regular lines, a node each; None where one is not."""
    from plyscope.visualizer.formats.large.large_logs import ScannedLog
    from plyscope.visualizer.formats.large.scan import IrregularError

    n_lines = _n_lines(data)
    try:
        scanned = ScannedLog(data, run)
    except (IrregularError, LogError, Bad, ValueError):
        return None
    if scanned.n_nodes != n_lines or scanned.header is not None or scanned.results.has_ended:
        return None
    ids = np.concatenate(scanned.ids)
    if int(ids.min()) <= -LARGEST or int(ids.max()) >= LARGEST:
        return None
    children, parents = np.zeros(0, np.int64), np.zeros(0, np.int64)
    if scanned.parent_ids:
        children = np.concatenate([nodes for nodes, _ in scanned.parent_ids])
        parents = np.concatenate([wanted for _, wanted in scanned.parent_ids])
        order = np.argsort(children, kind="stable")
        children, parents = children[order], parents[order]
    lines = np.arange(first_line, first_line + n_lines)
    return LineBatch(
        scanned.buffers, ids, lines, children, parents, n_lines=n_lines, notices=scanned.notices()
    )


def _read_patiently(data: bytes, first_line: int, twice: set[str], *, is_first: bool) -> LineBatch:
    """The batch of any lines, read one by one."""
    records: list[dict[str, Any]] = []
    lines: list[int] = []
    ids: list[Id] = []
    children: list[int] = []
    parents: list[Id] = []
    beside: list[tuple[dict[str, Any], int, int]] = []
    notices: list[str] = []
    texts = data.split(b"\n")
    if not texts[-1]:
        texts.pop()
    for number, text in enumerate(texts, start=first_line):
        if not text.strip():
            continue
        fields = _fields(text, number, twice, notices)
        if type(fields) is not dict:
            raise LogError(f"found {shown(fields)}, expected an object", line=number)
        opens = is_first and not records and not beside
        if "id" not in fields or (opens and "plyscope" in fields):
            beside.append((fields, number, len(records)))
            continue
        ids.append(_id(fields, number))
        if "children" in fields:
            message = "found `children`, expected each child on a line of its own that names its `parent`"
            raise LogError(message, line=number, path="$.children")
        parent = _parent(fields, number)
        if parent is not None:
            children.append(len(records))
            parents.append(parent)
        records.append(fields)
        lines.append(number)
    return LineBatch(
        _buffered(records, lines),
        ids,
        np.array(lines, dtype=np.int64),
        np.array(children, dtype=np.int64),
        parents,
        beside,
        len(texts),
        notices,
    )


def _fields(text: bytes, number: int, twice: set[str], notices: list[str]) -> Any:
    """The value of one line: strict JSON, or a literal as people write it."""
    try:
        fields = orjson.loads(text)
    except orjson.JSONDecodeError:
        pass
    else:
        is_plain = type(fields) is dict and text.count(b":") == len(fields)
        if is_plain or not may_have_duplicate_keys(text, fields):
            return fields
    literal = read_literal(decoded(text, first_line=number), first_line=number)
    notices += literal.notices
    for key, notice in notices_of_duplicates(literal, ("id", "parent")).items():
        if key not in twice:
            twice.add(key)
            notices.append(notice)
    return literal.value


def _id(fields: dict[str, Any], line: int) -> Id:
    name = fields["id"]
    if type(name) is float and name.is_integer():
        name = int(name)
    if type(name) is not int and type(name) is not str:
        raise LogError(f"found {shown(name)}, expected a whole number or a text", line=line, path="$.id")
    fields["id"] = name
    return name


def _parent(fields: dict[str, Any], line: int) -> Id | None:
    parent = fields.pop("parent", None)
    if type(parent) is float and parent.is_integer():
        parent = int(parent)
    if parent is None or type(parent) is int or type(parent) is str:
        return parent
    raise LogError(f"found {shown(parent)}, expected the id of a node or null", line=line, path="$.parent")


def _buffered(records: list[dict[str, Any]], lines: list[int]) -> FieldBuffers:
    """The fields of all records; LogError names the first that is not what its field takes."""
    buffers = FieldBuffers()
    values, places = values_by_field(records, repeated=True)
    targets = np.arange(len(records), dtype=np.int64)
    try:
        for name in values:
            buffers.put(name, values[name], places[name], targets)
    except Bad:
        draft = Draft()
        for fields, line in zip(records, lines, strict=True):
            draft.add(fields, None, line)
        draft.seal({}, roots_need_iterations=False)
        raise
    return buffers
