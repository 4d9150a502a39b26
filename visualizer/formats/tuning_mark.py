"""By what the history of a tuning is known, which `plyscope tune -o` writes."""

from __future__ import annotations

import re
from typing import Final

_START: Final = re.compile(rb'\s*\{\s*"tuning"\s*:\s*\{\s*"game"')


def is_history(start: bytes) -> bool:
    """Whether a file that begins so has the trials of a tuning.

    >>> is_history(b'{"tuning": {"game": "hive", '), is_history(b'{"plyscope": 1, "tuning": {')
    (True, False)
    """
    return _START.match(start) is not None
