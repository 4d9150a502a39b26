"""Duplicate keys of an object: a second `children` hides a subtree.

JSON libraries silently keep the last one. So the keys of strict JSON are compared by a library that gives all
of them; only where one comes twice is the text read again, by a reader that gives the place.
"""

from __future__ import annotations

import json
from typing import Any, Final

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.literal.reader import Literal, short_name

TREES: Final = ("children", "root", "roots")
"""Keys of our documents that hold nodes."""


class _Twice(Exception):  # noqa: N818
    """An object has a key twice."""


def may_have_duplicate_keys(data: bytes) -> bool:
    """Whether an object in `data`, which is JSON, has a key twice; also true where it is nested too deep.

    >>> may_have_duplicate_keys(b'{"a": 1, "a": 2}'), may_have_duplicate_keys(b'{"a": {"a": 2}}')
    (True, False)
    """
    try:
        json.loads(data, object_pairs_hook=_check_keys)
    except (_Twice, RecursionError, ValueError):  # the library has a limit of depth, and one of digits
        return True
    return False


def _check_keys(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise _Twice


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
