"""Writing a log as JSON Lines: the header, a line a node in pre-order, the result."""

from __future__ import annotations

from typing import BinaryIO

import numpy as np

from visualizer.formats.json_text import json_bytes
from visualizer.formats.row_text import row_texts
from visualizer.formats.write_json import header_fields
from visualizer.store.log import Log


def write_jsonl(log: Log, out: BinaryIO) -> None:
    """Write `log` to `out`, a line a node.

    >>> import io
    >>> from visualizer.formats.detect import read_log
    >>> log = read_log(b'{"plyscope":1,"root":{"score":1,"children":[{"ply":"c6","score":1}]}}')
    >>> write_jsonl(log, out := io.BytesIO())
    >>> out.getvalue().splitlines()[1:]
    [b'{"id":0,"score":1.0}', b'{"id":1,"parent":0,"ply":"c6","score":1.0}']
    """
    header = header_fields(log)
    result = header.pop("result", None)
    out.write(json_bytes(header) + b"\n")
    iterations = {
        root.row: b',"iteration":%d' % root.iteration for root in log.roots if root.iteration is not None
    }
    ids, parent = log.columns["id"], log.columns["parent"]
    first = 0
    for texts in row_texts(log, np.arange(log.n_rows), ids):
        piece = slice(first, first + len(texts))
        parents = parent[piece]
        heads = [b'{"id":%d' % number for number in ids[piece].tolist()]
        for index, above in enumerate(np.where(parents < 0, -1, ids[parents]).tolist()):
            heads[index] += (
                b',"parent":%d' % above if parents[index] >= 0 else iterations.get(first + index, b"")
            )
        out.write(b"".join([b"%s%s}\n" % both for both in zip(heads, texts, strict=True)]))
        first += len(texts)
    if result is not None:
        out.write(json_bytes({"result": result}) + b"\n")
