"""The header of a log that we wrote, without its nodes, so that a whole folder of logs is looked at soon."""

from __future__ import annotations

import gzip
import json
import zlib
from pathlib import Path
from typing import Any, Final

from plyscope.visualizer.formats.compressed import GZIP

LONGEST_HEADER: Final = 2**20
TREES: Final = (b'"root":', b'"roots":')
"""How the line behind the header begins, as `write_json` writes it."""


def read_header(path: Path) -> dict[str, Any]:
    """The header of a native log, packed by gzip or not; empty for any other file. Raises OSError.

    What follows the header is neither read nor checked.
    """
    with path.open("rb") as file:
        is_packed = file.read(len(GZIP)) == GZIP
    lines: list[bytes] = []
    n_bytes = 0
    try:
        with gzip.open(path) if is_packed else path.open("rb") as unpacked:
            while n_bytes < LONGEST_HEADER and (line := unpacked.readline(LONGEST_HEADER - n_bytes)):
                if line.startswith(TREES):
                    found = json.loads(b"".join(lines).rstrip().removesuffix(b",") + b"}")
                    return found if isinstance(found, dict) else {}
                lines.append(line)
                n_bytes += len(line)
    except (EOFError, zlib.error, gzip.BadGzipFile, ValueError, RecursionError):
        return {}
    return {}
