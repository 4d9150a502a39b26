"""Writing a log, or a part of one, as the native document: a line a node, straight from columns."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.header import VERSION
from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.seal.perspective import find_root_player
from plyscope.visualizer.formats.write.row_text import RowText
from plyscope.visualizer.formats.write.text_pieces import Pieces, Slices
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log

Array = npt.NDArray[Any]

FIRST: Final = ("plyscope", "game", "position", "players", "search", "factors", "result")
SMALLEST_NODE: Final = len('{"ply":"a"},\n')
UNLOGGED: Final = b'{"outcome":"unlogged","count":%d}'
UNCOUNTED: Final = b'{"outcome":"unlogged"}'
INDENT: Final = 2
MOST_INDENTED: Final = 40
"""The level from which on nodes are indented no further."""
CHUNK: Final = 8_192
"""The rows that are written together."""
Progress = Callable[[float], None]


def write_json(log: Log, out: BinaryIO, on_progress: Progress | None = None) -> None:
    """Write `log` as one document; `on_progress` gets the part that is written, from 0 to 1.

    >>> import io
    >>> from plyscope.visualizer.formats.detect import read_log
    >>> log = read_log(b'{"plyscope":1,"root":{"score":1,"children":[{"ply":"c6","score":1}]}}')
    >>> write_json(log, out := io.BytesIO())
    >>> out.getvalue().splitlines()[-2:]
    [b'{"ply":"c6","score":1.0}]}', b'}']
    """
    rows = np.arange(log.n_rows, dtype=np.int64)
    _write(log, out, header_fields(log), rows, on_progress=on_progress)


def subtree_json(
    log: Log,
    row: int,
    open_rows: set[int] | None,
    max_levels: int | None,
    max_bytes: int,
    *,
    position: str | None = None,
) -> tuple[str, bool, int]:
    """The subtree of `row` as a document that loads again: its text, whether it fitted, its number of nodes.

    It has the children of rows in `open_rows` (None: of all) down to `max_levels` below `row`. Where it would
    exceed `max_bytes`, whole nodes are left out, those farthest from `row` first. An `unlogged` stub stands
    for children left out; stubs of the log stay. Written for people: nodes are indented, numbers as short as
    possible. `position` is that of `row`, if the caller knows it.
    """
    header = subtree_header(log, row)
    if position is not None:
        header["position"] = position
    prefix = _header_bytes(header)
    picked, whole = _nearest(log, row, open_rows, max_levels, max(1, max_bytes // SMALLEST_NODE))
    order = np.argsort(picked, kind="stable")
    in_order = picked[order]
    sizes = _body_sizes(log, in_order) + 2 * _indents(log, in_order)
    by_nearness = np.empty_like(sizes)
    by_nearness[order] = sizes
    parents = log.columns["parent"][picked]
    opens_list = np.append(False, parents[1:] != parents[:-1])
    may_lack = (_n_children(log)[picked] > 0) * len(b',"children":[]' + UNLOGGED % log.n_rows)
    total = np.cumsum(by_nearness + len("{},\n") + opens_list * len(',"children":[\n]') + may_lack)
    total += len(prefix) + len('"root":\n}\n')
    n_fitting = max(1, int(np.searchsorted(total, max_bytes, side="right")))
    if n_fitting < len(picked):
        whole = False
        in_order = np.sort(picked[:n_fitting])
    _write(log, out := io.BytesIO(), header, in_order, for_people=True)
    return out.getvalue().decode(), whole, len(in_order)


def header_fields(log: Log) -> dict[str, Any]:
    """The native header of `log`, in the order in which people read it."""
    known: dict[str, Any] = {**log.header, "plyscope": VERSION}
    names = [*FIRST, *(name for name in known if name not in FIRST)]
    return {name: known[name] for name in names if name in known and name not in ("root", "roots")}


def subtree_header(log: Log, row: int) -> dict[str, Any]:
    """The header for a log of the subtree of `row`, without facts about the whole run."""
    fields = header_fields(log)
    if log.columns["parent"][row] < 0 and len(log.roots) == 1:
        return fields
    fields.pop("result", None)
    if log.columns["parent"][row] < 0:
        return fields
    fields.pop("position", None)
    position = log.columns.get("position")
    if position is not None and (text := log.text(int(position[row]))) is not None:
        fields["position"] = text
    search = fields.get("search") or {}
    if (player := find_root_player(dict(log.columns))) is not None and "root_player" not in search:
        fields["search"] = {**search, "root_player": log.players[player]}
    return fields


def _nearest(
    log: Log, row: int, open_rows: set[int] | None, max_levels: int | None, n_most: int
) -> tuple[Array, bool]:
    """The rows to show, nearest to `row` first, and whether these are all."""
    # Items of mapped columns are slow to read one by one, those of plain arrays are not.
    end, outcome = (np.asarray(log.columns[name]) for name in ("end", "outcome"))
    stubs = np.flatnonzero(outcome >= words.FIRST_STUB)
    stubs = stubs[np.argsort(log.columns["parent"][stubs], kind="stable")]
    parents = log.columns["parent"][stubs]
    rows: list[int] = []
    waiting = deque([(row, 0)])
    whole = True
    while waiting and len(rows) < n_most:
        parent, level = waiting.popleft()
        first, last = np.searchsorted(parents, [parent, parent + 1]).tolist()
        rows += [parent, *stubs[first:last].tolist()]
        if level == max_levels or (open_rows is not None and parent not in open_rows):
            continue
        child, last = parent + 1, int(end[parent])
        while child < last:
            if len(rows) + len(waiting) >= n_most:
                whole = False
                break
            if outcome[child] < words.FIRST_STUB:
                waiting.append((child, level + 1))
            child = int(end[child])
    whole = whole and not waiting and len(rows) <= n_most
    return np.array(rows[:n_most], dtype=np.int64), whole


def _indents(log: Log, rows: Array) -> Array:
    level = log.columns["level"][rows].astype(np.int64)
    indents: Array = INDENT * np.minimum(level - level[0], MOST_INDENTED)
    return indents


def _write(
    log: Log,
    out: BinaryIO,
    header: Mapping[str, Any],
    rows: Array,
    *,
    on_progress: Progress | None = None,
    for_people: bool = False,
) -> None:
    """Write ascending `rows`, which contain the parents of all but the first level. By default they are all.

    `for_people`: nodes are indented, and numbers as short as possible; rows may be left out.
    """
    level = log.columns["level"]
    base = int(level[rows[0]])
    n_roots = int(np.count_nonzero(level[rows] == base))
    out.write(_header_bytes(header))
    out.write(b'"roots":[\n' if n_roots > 1 else b'"root":')
    lacking = _lacking(log, rows) if for_people else None
    source_names = log.columns["id"] if lacking is None else _numbered(log, rows, lacking)
    text = RowText(log, source_names, len(rows), short=for_people)
    indents = _indents(log, rows) if for_people else np.zeros(len(rows), dtype=np.int64)
    has_ids = not for_people and not _numbered_in_order(log)
    for first in range(0, len(rows), CHUNK):
        piece = rows[first : first + CHUNK]
        last = first + len(piece)
        levels = level[rows[first : last + 1]]
        steps = levels - np.append(levels[1:], base)[: len(levels)]
        pieces = text.pieces(len(piece))
        indent = indents[first:last]
        if for_people:
            pieces.put(b"", _spaces(pieces, indent))
        pieces.put(b"{")
        put_iterations(pieces, log, piece)
        if has_ids:
            pieces.put_numbers(b',"id":', log.columns["id"][piece])
        text.put(pieces, piece)
        _put_nesting(
            pieces,
            steps[: len(piece)],
            None if lacking is None else lacking[first:last],
            indent + INDENT if for_people else indent,
            is_end=last == len(rows),
        )
        out.write(pieces.joined()[0].data)
        if on_progress is not None:
            on_progress(last / len(rows))
    out.write(b"\n]}\n" if n_roots > 1 else b"\n}\n")


def _spaces(pieces: Pieces, numbers: Array) -> Slices:
    return pieces.keep(b" " * int(numbers.max(initial=0))), numbers


def _put_nesting(pieces: Pieces, steps: Array, lacking: Array | None, indent: Array, *, is_end: bool) -> None:
    """Write the brackets, stubs and commas after rows that are `steps` levels below the next one.

    `lacking` is the number of unwritten children (see `_lacking`), `indent` the spaces before a stub for them
    on a line of its own; the last row has no comma if `is_end`.
    """
    opens = steps < 0
    if lacking is not None and lacking.any():
        has_stub = lacking != 0
        pieces.put(b',"children":[', stated=opens | has_stub)
        pieces.put(b"\n", stated=opens)
        pieces.put(b"", _spaces(pieces, indent), has_stub & opens)
        stubs = [
            UNLOGGED % number if number > 0 else UNCOUNTED if number else b"" for number in lacking.tolist()
        ]
        pieces.put(b"", pieces.table(stubs), has_stub)
        pieces.put(b",\n", stated=has_stub & opens)
        pieces.put(b"]", stated=has_stub & ~opens)
    else:
        pieces.put(b',"children":[\n', stated=opens)
    closing = pieces.keep(b"]}" * max(0, int(steps.max())))
    pieces.put(b"}", (closing, 2 * np.maximum(steps, 0)), ~opens)
    has_comma = ~opens
    has_comma[-1] &= not is_end
    pieces.put(b",\n", stated=has_comma)


def put_iterations(pieces: Pieces, log: Log, rows: Array) -> None:
    """Put the iterations of the roots among `rows`, null where one of several has none."""
    if len(log.roots) == 1 and not log.has_iterations:
        return
    said = log.iterations_of(rows)
    is_root = log.columns["parent"][rows] < 0
    numbers = np.where(said < 0, np.nan, said)
    pieces.put_numbers(b',"iteration":', numbers, is_root, short=True, words=(b"null", b"null", b"null"))


def _n_children(log: Log) -> Array:
    """The number of children of each row, without stubs."""
    parent = log.columns["parent"]
    is_child = (parent >= 0) & (log.columns["outcome"] < words.FIRST_STUB)
    return np.bincount(parent[is_child], minlength=log.n_rows)


def _lacking(log: Log, rows: Array) -> Array:
    """By row, the number of plies without a visit in `rows`; -1 where only visits of no ply are left out.

    A ply with two visits counts once; null moves and probes are visits of no ply.
    """
    picked = np.zeros(log.n_rows, dtype=np.bool_)
    picked[rows] = True
    parent, ply, purpose = log.columns["parent"], log.columns["ply"], log.columns.get("purpose")
    is_child = (parent >= 0) & (log.columns["outcome"] < words.FIRST_STUB)
    is_child &= picked[np.maximum(parent, 0)]
    children = np.flatnonzero(is_child)
    named = np.where(ply[children] >= 0, ply[children], -1 - children)  # without a text, a ply of its own
    _, pairs = np.unique(parent[children].astype(np.int64) * 2**32 + named, return_inverse=True)
    is_written = np.zeros(int(pairs.max(initial=-1)) + 1, dtype=np.bool_)
    is_written[pairs[picked[children]]] = True
    is_left_out = ~picked[children]
    is_ply = is_left_out & ~is_written[pairs]
    if purpose is not None:
        is_ply &= ~np.isin(purpose[children], (words.NULL, words.PROBE))
    firsts = np.unique(pairs[is_ply], return_index=True)[1]
    n_plies = np.bincount(parent[children[is_ply][firsts]], minlength=log.n_rows)[rows]
    lacks = np.bincount(parent[children[is_left_out]], minlength=log.n_rows)[rows] > 0
    lacking: Array = np.where(lacks & (n_plies == 0), -1, n_plies)
    return lacking


def _body_sizes(log: Log, rows: Array) -> Array:
    """The bytes of the fields of each of `rows`, without braces, ids and children."""
    text = RowText(log, _numbered(log, rows, np.ones(len(rows))), len(rows), short=True)
    sizes = []
    for first in range(0, len(rows), CHUNK):
        piece = rows[first : first + CHUNK]
        pieces = text.pieces(len(piece))
        put_iterations(pieces, log, piece)
        text.put(pieces, piece)
        sizes.append(np.diff(pieces.joined()[1], prepend=0))
    return np.concatenate(sizes)


def _header_bytes(header: Mapping[str, Any]) -> bytes:
    return b"{" + b"".join(
        json_bytes(name) + b":" + json_bytes(value) + b",\n" for name, value in header.items()
    )


def _numbered_in_order(log: Log) -> bool:
    return np.array_equal(log.columns["id"], np.arange(log.n_rows))


def _numbered(log: Log, rows: Array, lacking: Array) -> Array:
    """The name in `tt.from` of each row of a part of a log: its number in the text, -2 beyond the part.

    A stub for the children that a node is `lacking` follows right after it.
    """
    has_stub = lacking != 0
    names = np.full(log.n_rows, -2, dtype=np.int64)
    names[rows] = np.arange(len(rows)) + np.cumsum(has_stub) - has_stub
    return names
