"""JSON Lines of ours: a node a line, in any order of arrival and any number.

A line with an id that was seen updates its node; a parent may come later in the file; a file that was cut
loads up to the cut. It is read as a log that is being written, whose last line has come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
import orjson

from plyscope.visualizer.formats.arrival import Arrived, all_there
from plyscope.visualizer.formats.encoding import decoded
from plyscope.visualizer.formats.errors import CutShort, LogError
from plyscope.visualizer.formats.following.growing_log import GrowingLog, OnTop
from plyscope.visualizer.formats.literal.reader import read_literal
from plyscope.visualizer.formats.read.line_records import incomplete
from plyscope.visualizer.formats.read.own import SEALED_PART
from plyscope.visualizer.formats.read.places import NEWLINE
from plyscope.visualizer.formats.seal.node_fields import NodeFields
from plyscope.visualizer.formats.tape.extras import Extras
from plyscope.visualizer.formats.tape.tape import ROWS, Run
from plyscope.visualizer.store.log import Log

Progress = Callable[[float], None]

AT_ONCE: Final = 2**22
"""The bytes that are waited for, and read, at a time."""


def read_lines(
    data: Any,
    *,
    cut: bool = False,
    on_progress: Progress = lambda part: None,
    run: Run | None = None,
    arrived: Arrived = all_there,
    scratch: Path | None = None,
    rows: int = ROWS,
    on_top: OnTop | None = None,
) -> Log:
    """The log of lines in bytes or a mapped file; `arrived` returns how much of it is there.

    Raises LogError with the line. Without `run`, which calls kernels, a library parses each line. `cut`: the
    packed file is known to be cut short. `on_progress` gets the part that is done, from 0 to 1; large texts
    may be written into the folder `scratch`. `on_top` gets what `TopOfTree.take_records` takes.

    >>> log = read_lines(b'{"id": 7}' + bytes([10]) + b'{"id": 9, "parent": 7, "score": 2}')
    >>> log.columns["id"].tolist(), log.columns["parent"].tolist()
    ([7, 9], [-1, 0])
    """
    fields = NodeFields(run)
    fields.extras = Extras(run, scratch, len(data))
    log = GrowingLog(fields, rows=rows, on_top=on_top)
    log.run = run
    end, said = 0, list[str]()
    for begin, stop in _pieces(data, arrived):
        if stop == len(data):
            end, said = whole_lines(data)
            stop = max(begin, end)
        piece = bytes(data[begin:stop])
        log.take(piece if piece.endswith(b"\n") else piece + b"\n", AT_ONCE)
        on_progress(stop / len(data) * (1 - SEALED_PART))
    lacks_a_line = end < len(data)
    return log.whole(said, cut=cut or lacks_a_line, lacks_a_line=lacks_a_line)


def _pieces(data: Any, arrived: Arrived) -> Iterator[tuple[int, int]]:
    """The begin and the end of pieces of whole lines, as they arrive; the last line may lack its end."""
    n_bytes, begin, wanted = len(data), 0, AT_ONCE
    while begin < n_bytes:
        arrived(min(n_bytes, wanted))
        stop = n_bytes if wanted >= n_bytes else data.rfind(b"\n", begin, wanted) + 1
        if stop:
            yield begin, stop
            begin = wanted = stop
        wanted += AT_ONCE


def whole_lines(data: Any) -> tuple[int, list[str]]:
    """The number of bytes in whole lines, and a notice where the last line is cut short."""
    end = len(data)
    while end and data[end - 1] in b" \t\r":
        end -= 1
    if not end or data[end - 1] == NEWLINE:
        return len(data), []
    begin = int(data.rfind(b"\n", 0, end)) + 1
    line = bytes(data[begin:])
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        try:
            read_literal(decoded(line))
        except CutShort:
            n_before = int(np.count_nonzero(np.frombuffer(data, np.uint8)[:begin] == NEWLINE))
            return begin, [incomplete(1 + n_before)]
        except LogError:
            pass
    return len(data), []
