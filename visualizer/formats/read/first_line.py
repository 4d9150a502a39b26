"""The first lines of a text, which show JSON Lines of ours, or a table with field names of its own."""

from __future__ import annotations

from typing import Final

import orjson

LINES_TOLD: Final = 20
"""The lines that are looked at for the field names of a log without a header."""
LONGEST_FIRST_LINE: Final = 2**20
"""A longer first line is taken for a whole document, which is not to be parsed twice."""


def is_json_lines(data: bytes) -> bool:
    """Whether the first line is a header without a tree, or a node with more lines after it.

    >>> is_json_lines(b'{"plyscope": 1}'), is_json_lines(b'{"id": 1, "children": []}')
    (True, False)
    >>> is_json_lines(b'{"id": 1, "parent": null, "moves": [{"moves": [{}]}]}')
    False
    """
    start = len(data) - len(data.lstrip())
    end = data.find(b"\n", start)
    line = (data[start:] if end < 0 else data[start:end]).rstrip()
    if len(line) > LONGEST_FIRST_LINE or not line.startswith(b"{") or not line.endswith(b"}"):
        return False
    try:
        first = orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    if "plyscope" in first:
        return "root" not in first and "roots" not in first
    if "id" not in first or "children" in first:
        return False
    if end >= 0 and data[end : end + 1000].lstrip().startswith(b"{"):
        return True
    if "parent" not in first:
        return False
    from plyscope.visualizer.formats.foreign.find.trees import guess_branching

    return guess_branching([first]) is None


def is_table_of_others(start: bytes) -> bool:
    """Whether the first lines of a log without a header, two at least, have field names that are not ours.

    >>> is_table_of_others(b'{"id": 0, "parent": null, "eval": 3}' + bytes([10]) + b'{"id": 1, "parent": 0}')
    True
    """
    from plyscope.visualizer.formats.foreign.find.rows import is_of_others

    names: dict[str, None] = {}
    n_told = 0
    for line in filter(bytes.strip, start.splitlines()[:LINES_TOLD]):
        try:
            fields = orjson.loads(line)
        except orjson.JSONDecodeError:
            break
        if not isinstance(fields, dict) or "plyscope" in fields:
            return False
        names |= dict.fromkeys(fields)
        n_told += 1
    return n_told > 1 and is_of_others(names)
