"""Writing a log as JSON Lines: the header, a line a node in pre-order, the result."""

from __future__ import annotations

from typing import BinaryIO

import numpy as np

from plyscope.visualizer.formats.json_text import json_bytes
from plyscope.visualizer.formats.write.row_text import RowText
from plyscope.visualizer.formats.write.write_json import CHUNK, Progress, header_fields, put_iterations
from plyscope.visualizer.store.log import Log


def write_jsonl(log: Log, out: BinaryIO, on_progress: Progress | None = None) -> None:
    """Write `log` to `out`, a line a node; `on_progress` gets the part that is written, from 0 to 1.

    >>> import io
    >>> from plyscope.visualizer.formats.detect import read_log
    >>> log = read_log(b'{"plyscope":1,"root":{"score":1,"children":[{"ply":"c6","score":1}]}}')
    >>> write_jsonl(log, out := io.BytesIO())
    >>> out.getvalue().splitlines()[1:]
    [b'{"id":0,"score":1.0}', b'{"id":1,"parent":0,"ply":"c6","score":1.0}', b'{"result":null}']
    """
    header = header_fields(log)
    result = header.get("result")
    if result is not None:
        del header["result"]
    out.write(json_bytes(header) + b"\n")
    ids, parent = log.columns["id"], log.columns["parent"]
    text = RowText(log, ids, log.n_rows)
    for first in range(0, log.n_rows, CHUNK):
        rows = np.arange(first, min(first + CHUNK, log.n_rows))
        above = parent[rows]
        pieces = text.pieces(len(rows))
        pieces.put(b"{")
        pieces.put_numbers(b',"id":', ids[rows])
        pieces.put_numbers(b',"parent":', ids[np.maximum(above, 0)], above >= 0)
        put_iterations(pieces, log, rows)
        text.put(pieces, rows)
        pieces.put(b"}\n")
        out.write(pieces.joined()[0].data)
        if on_progress is not None:
            on_progress(float(rows[-1] + 1) / log.n_rows)
    out.write(json_bytes({"result": result}) + b"\n")  # even null shows that the file was not cut
