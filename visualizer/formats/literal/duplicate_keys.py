"""Duplicate keys of an object: a second `children` hides a subtree.

JSON libraries silently keep the last one. So the pairs in the result and the colons after keys in the text
are counted; only where the numbers differ is the text read again, by a reader that gives the place.
"""

from __future__ import annotations

import re
from typing import Any, Final

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.literal.reader import Literal, short_name

TREES: Final = ("children", "root", "roots")
"""Keys of our documents that hold nodes."""
COLON: Final = re.compile(rb'(?<!\\)"[ \t\r\n]*+:')
BACKSLASHES: Final = re.compile(rb'\\\\"[ \t\r\n]*+:')
"""A key that ends in a backslash, or a text with a quote and a colon: this pattern cannot tell which."""
SPACED: Final = (b" :", b"\t:", b"\n:", b"\r:")
CONTAINERS: Final = frozenset((dict, list))


def may_have_duplicate_keys(data: bytes, value: Any) -> bool:
    """Whether `data`, the JSON of `value`, may have more pairs than `value`.

    >>> may_have_duplicate_keys(b'{"a": 1, "a": 2}', {"a": 2})
    True
    >>> may_have_duplicate_keys(b'{"a" : ["b"]}', {"a": ["b"]})
    False
    """
    n_kept = _n_pairs(value)
    if not any(spaced in data for spaced in SPACED):
        return b'\\\\":' in data or data.count(b'":') - data.count(b'\\":') != n_kept
    return BACKSLASHES.search(data) is not None or sum(1 for _ in COLON.finditer(data)) != n_kept


def _n_pairs(value: Any) -> int:
    n_pairs = 0
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if type(item) is dict:
            n_pairs += len(item)
            waiting += [inner for inner in item.values() if inner.__class__ in CONTAINERS]
        elif type(item) is list:
            waiting += [inner for inner in item if inner.__class__ in CONTAINERS]
    return n_pairs


def notices_of_duplicates(literal: Literal, structural: tuple[str, ...]) -> dict[str, str]:
    """A notice by each duplicate key in `literal`; raises LogError for keys in `structural`."""
    notices = {}
    for key, line, column in literal.twice:
        named = short_name(key)
        if key in structural:
            message = f"found `{key}` twice in the object that begins here, expected it once"
            raise LogError(message, line=line, column=column)
        place = f"line {line}, column {column}"
        notices[key] = f"`{named}` is written twice in one object ({place}): the last one counts."
    return notices
