"""The header of a log, found at its beginning without reading the log, and what it says is searched."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import orjson

from plyscope.visualizer.formats.compressed import unpacked
from plyscope.visualizer.formats.errors import LogError

LOOKED_AT: Final = 2**13
"""The bytes of a file that are looked at first; headers of our searches have two thirds of that at most."""
MOST_UNPACKED: Final = 2**20
"""The most bytes of a longer header, or of what is packed."""
TREE: Final = re.compile(rb'"roots?"\s*:\s*[\[{]')
"""The beginning of the tree in a document, behind its header."""


def header_of(path: Path) -> dict[str, Any]:
    """The header at the beginning of a file, as `header_at_start` finds it. Raises OSError."""
    with path.open("rb") as file:
        start = file.read(LOOKED_AT)
        if b'"plyscope"' in start and not TREE.search(start):
            start += file.read(MOST_UNPACKED)
        return header_at_start(start)


def header_at_start(start: bytes) -> dict[str, Any]:
    """The header of a log by the first `LOOKED_AT` bytes of its file.

    Empty for foreign files, and where the header is not at the beginning.

    >>> header_at_start(b'{"plyscope": 1, "game": "go", "root": {"score"')
    {'plyscope': 1, 'game': 'go'}
    >>> header_at_start(b'{"game": "go"}')
    {}
    """
    with suppress(LogError):
        text = unpacked(start, MOST_UNPACKED).data.lstrip()
        before_tree = TREE.split(text, maxsplit=1)[0].rstrip().removesuffix(b",") + b"}"
        for header in (text.partition(b"\n")[0], before_tree):
            with suppress(orjson.JSONDecodeError):
                document = orjson.loads(header)
                if isinstance(document, dict) and "plyscope" in document:
                    return document
    return {}


def what_is_searched(header: Mapping[str, Any], position: str | None = None) -> dict[str, str]:
    """The `game` that a header states, and as `start` a short digest of `position`, or else of its own.

    >>> what_is_searched({"plyscope": 1, "game": "go", "position": "empty"})
    {'game': 'go', 'start': '2e1cfa82'}
    """
    game, stated = header.get("game"), position or header.get("position")
    found = {"game": game} if isinstance(game, str) and game else {}
    if isinstance(stated, str):
        found["start"] = hashlib.sha256(stated.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return found
