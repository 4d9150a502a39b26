"""By what the files of matches and tunings are known: the folder of a match's logs, its games, the trials."""

from __future__ import annotations

import json
import re
from typing import Final

MARK: Final = ".logs-of-match"
"""It says of which match; a viewer lists such a folder by the names of its logs."""

START: Final = b'{"match": {'
LONGEST_START: Final = 2**20
"""Bytes that are looked at: a first line that is longer is of no match."""


def is_games_file(start: bytes) -> bool:
    """Whether a file that begins so has the games of a match: its first line states one, and nothing else.

    >>> is_games_file(b'{"match": {"game": "hive", "agents": [], "games": 2}}\\n')
    True
    >>> is_games_file(b'{"match": {"game": "hive"}, "nodes": []}\\n'), is_games_file(b'{"plyscope": 1}')
    (False, False)
    """
    if not start.startswith(START):
        return False
    line, newline, _ = start.partition(b"\n")
    try:
        stated = json.loads(line) if newline else {}
    except (ValueError, RecursionError):  # nested too deep
        return False
    if set(stated) != {"match"} or not isinstance(stated["match"], dict):  # a key may stand there twice
        return False
    return {"game", "agents", "games"} <= set(stated["match"])


_START: Final = re.compile(rb'\s*\{\s*"tuning"\s*:\s*\{\s*"game"')


def is_history(start: bytes) -> bool:
    """Whether a file that begins so has the trials of a tuning.

    >>> is_history(b'{"tuning": {"game": "hive", '), is_history(b'{"plyscope": 1, "tuning": {')
    (True, False)
    """
    return _START.match(start) is not None
