"""Recognition of the files of matches and tunings: the folder of a match's logs, its games, the trials."""

from __future__ import annotations

import json
import re
from typing import Final

MARK: Final = ".logs-of-match"
"""The file that names the match of a folder; a viewer lists such a folder by the names of its logs."""

START: Final = b'{"match": {'
LONGEST_START: Final = 2**20
"""The bytes that are looked at; a longer first line is not that of a match."""


def is_games_file(start: bytes) -> bool:
    """Whether a file that begins with `start` has the games of a match, which its first line states alone.

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
    if set(stated) != {"match"} or not isinstance(stated["match"], dict):  # the key may come twice
        return False
    return {"game", "agents", "games"} <= set(stated["match"])


_START: Final = re.compile(rb'\s*\{\s*"tuning"\s*:\s*\{\s*"game"')


def is_history(start: bytes) -> bool:
    """Whether a file that begins with `start` has the trials of a tuning.

    >>> is_history(b'{"tuning": {"game": "hive", '), is_history(b'{"plyscope": 1, "tuning": {')
    (True, False)
    """
    return _START.match(start) is not None
