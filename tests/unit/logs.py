"""Small logs for the tests of what is computed from logs: written as a node's fields, read as any log is."""

from __future__ import annotations

import json
from typing import Any

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.log import Log


def log_of(root: dict[str, Any] | None = None, **header: Any) -> Log:
    """The log whose tree is `root`, or whose forest is `roots=[…]`, with these header fields."""
    document = {"plyscope": 1, **header, **({} if root is None else {"root": root})}
    return read_log(json.dumps(document).encode())
