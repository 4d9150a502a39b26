"""Large documents that end too early, made whole: what is open at the cut is closed, then kernels read them.

A kernel finds what is open at the end. The last few items of the outermost list that is open near the end, or
members of the outermost object where no list is, are read by the patient reader, as the end of a small
document, and written down again as it left them. So what is kept of the unfinished is its decision. Where
that cannot be told from the end alone, it has to read all.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.engine.jit import kernel, loaded
from plyscope.visualizer.formats.cut_document import KEYS_OF_NODES, CutDocument, open_nodes, read_cut_document
from plyscope.visualizer.formats.encoding import decoded
from plyscope.visualizer.formats.errors import CutShort, LogError
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.large.json_places import (
    CLOSE_LIST,
    CLOSE_OBJECT,
    COLON,
    COMMA,
    OPEN_LIST,
    OPEN_OBJECT,
    QUOTE,
    SPACE,
    after_text,
)
from plyscope.visualizer.formats.literal import read_literal

Array = npt.NDArray[Any]

END: Final = 2**16
"""Bytes at the end in which an item of a list begins."""
MOST_OPEN: Final = 2**17
OPEN_NODE: Final = b',"outcome":"open"'
TEXT: Final = re.compile(rb'"(?:[^"\\]|\\.)*"', re.DOTALL)
LINE_END: Final = re.compile("\r\n|\r|\n")


class MadeWhole(NamedTuple):
    """A document that was cut short, whole again; the notice of that, and the cut as the end shows it."""

    text: bytes
    notice: str
    cut: CutDocument

    def n_open_nodes(self, children: str, depth: int) -> int:
        """The number of nodes that were open, where what is under `children` holds nodes.

        `depth` is how many lists and objects the root lies in.
        """
        stack, n_open = self.cut.stack, 0
        while depth < len(stack) and isinstance(stack[depth].container, dict):
            n_open += 1
            if stack[depth].key != children or depth + 1 == len(stack):
                break
            depth += 2  # past what holds the children
        return n_open


@kernel
def find_open(data: Array, end: int, begins: Array, keys: Array, commas: Array) -> int:
    """Return how many lists and objects are open at the end of the data, -1 where none may be told.

    begins    the place of each bracket, outermost first
    keys      the place of the key before it, -1 for none
    commas    the place of the first comma of each from `end` on, -1 for none
    """
    pos, depth, text, before = 0, 0, -1, 0
    while pos < len(data):
        byte = data[pos]
        if byte == QUOTE:
            after = after_text(data, pos)
            if after < 0:
                return depth
            text, before = pos, QUOTE
            pos = after
            continue
        if byte in (OPEN_LIST, OPEN_OBJECT):
            if depth == len(begins):
                return -1
            begins[depth] = pos
            keys[depth] = text if before == COLON else -1
            commas[depth] = -1
            depth += 1
        elif byte in (CLOSE_LIST, CLOSE_OBJECT):
            if depth == 0 or data[begins[depth - 1]] != (OPEN_LIST if byte == CLOSE_LIST else OPEN_OBJECT):
                return -1
            depth -= 1
        elif byte == COMMA and depth > 0 and pos >= end and commas[depth - 1] < 0:
            commas[depth - 1] = pos
        if byte > SPACE:
            before = byte
        pos += 1
    return depth


def made_whole(data: bytes, *, n_looked_at: int = END, compile_it: bool = True) -> MadeWhole | None:
    """The document that `data` is the begin of, ended where it was cut; None where it takes a patient reader.

    `n_looked_at` is how many of the last bytes are. Without `compile_it` the kernel runs as Python.

    >>> made_whole(b'{"a":[{"v":1},{"v":2},{"v":3', compile_it=False).text
    b'{"a":[{"v":1},{"v":2}]}'
    >>> made_whole(b'{"v":1,"children":{"c6":{"v":2},"d6":{"v":3,"chi', compile_it=False).text
    b'{"v":1,"children":{"c6":{"v":2}}}'
    """
    begins, keys, commas = np.empty((3, MOST_OPEN), dtype=np.int64)
    run = loaded(find_open) if compile_it else find_open
    array = np.frombuffer(data, dtype=np.uint8)
    n_open = int(run(array, max(0, len(data) - n_looked_at), begins, keys, commas))
    levels = sorted(
        (level for level in range(n_open) if commas[level] >= 0),
        key=lambda level: (data[begins[level]] != OPEN_LIST, level),
    )
    if not levels or data[: begins[0]].strip():
        return None
    level = levels[0]
    is_object = data[begins[level]] == OPEN_OBJECT
    opened = zip(begins[: level + 1].tolist(), keys[: level + 1].tolist(), strict=True)
    openers = [_opener(data, begin, key) for begin, key in opened]
    is_native = b'"plyscope"' in data[: begins[1] if level > 0 else commas[0]]
    if is_native and (is_object or not _hold_nodes(openers)):
        return None
    start = b"".join(openers)
    if is_native:
        start = start.replace(b"{", b'{"plyscope":1,', 1)
    behind = int(commas[level]) + 1
    try:
        cut = _cut_end(data, behind, start.decode())
    except UnicodeDecodeError:  # in a name
        return None
    if cut is None or len(cut.stack) <= level or cut.literal.twice:
        return None
    if is_native:
        open_nodes(cut)
    items = cut.stack[level].container
    written = json_bytes(items)
    if not items or orjson.loads(written) != items:
        return None  # numbers that JSON has no words for
    ends = [b"]" if each.endswith(b"[") else b"}" for each in openers]
    if is_native:
        ends[1:] = [OPEN_NODE + each if each == b"}" else each for each in ends[1:]]
    text = b"".join((data[:behind], written[1:-1], *reversed(ends)))
    return MadeWhole(text, cut.notice, cut)


def _opener(data: bytes, begin: int, key: int) -> bytes:
    """A bracket, with the key before it."""
    name = TEXT.match(data, key) if key >= 0 else None
    return (b"%b:" % name[0] if name else b"") + data[begin : begin + 1]


def _hold_nodes(openers: Sequence[bytes]) -> bool:
    """Whether all that is open in a document of ours are nodes and lists of them."""
    names = {json_bytes(name) + b":" for name in KEYS_OF_NODES}
    return all(opener[:-1] in names if opener[:-1] else opener == b"{" for opener in openers[1:])


def _cut_end(data: bytes, begin: int, start: str) -> CutDocument | None:
    """What the patient reader makes of the end of the document behind `start`, as if it were all of it."""
    text = start + data[begin:].decode(errors="ignore")
    in_a_letter: CutShort | None = None
    try:
        decoded(data[begin:], first_line=1 + data.count(b"\n", 0, begin))
    except CutShort as error:
        in_a_letter = error
    except LogError:
        return None
    try:
        read_literal(text)
    except CutShort as error:
        lines = [0, *(match.end() for match in LINE_END.finditer(text))]
        place = lines[(error.line or 1) - 1] + (error.column or 1) - 1
        n_bytes = begin + len(text[len(start) : place].encode())
        ends = [data.count(end, 0, n_bytes) for end in (b"\n", b"\r", b"\r\n")]
        error.line = 1 + ends[0] + ends[1] - ends[2]
        line = max(data.rfind(b"\n", 0, n_bytes), data.rfind(b"\r", 0, n_bytes)) + 1
        error.column = 1 + len(data[line:n_bytes].decode(errors="ignore"))
        try:
            return read_cut_document(text, in_a_letter or error)
        except LogError:
            return None
    except LogError:
        return None
    return None
