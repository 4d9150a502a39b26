"""Unknown fields under their names in a file of ours."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.json_text import without_escapes
from plyscope.visualizer.formats.seal.values import OURS

Array = npt.NDArray[Any]

PREFIX: Final = b"data."


def with_written_names(blob: bytes, starts: Array) -> tuple[bytes, Array]:
    """The objects with the names that fields have in a file, and their offsets (n + 1).

    A field with a name of ours is called `data.NAME` there; fields within a field keep their names.

    >>> objects, _ = with_written_names(b'{"cost":{"n":1}}{"score":{"n":1}}', np.array([0, 16, 33]))
    >>> objects
    b'{"cost":{"n":1}}{"data.score":{"n":1}}'
    """
    text = np.frombuffer(without_escapes(blob), dtype=np.uint8)
    quotes = np.flatnonzero(text == ord('"'))
    begins, ends = quotes[::2] + 1, quotes[1::2]
    braces = text | (ord("{") - ord("["))  # and brackets, which have this bit not set
    edges = np.flatnonzero((braces == ord("{")) | (braces == ord("}")))
    edges = edges[np.searchsorted(quotes, edges) % 2 == 0]
    levels = np.append(0, np.cumsum(np.where(braces[edges] == ord("{"), 1, -1)))
    is_name = (text[ends + 1] == ord(":")) & (levels[np.searchsorted(edges, begins)] == 1)
    begins = begins[is_name]
    names = [blob[begin:end] for begin, end in zip(begins.tolist(), ends[is_name].tolist(), strict=True)]
    is_ours = {name: OURS.fullmatch(name.decode()) is not None for name in set(names)}
    found = begins[np.array([is_ours[name] for name in names], dtype=np.bool_)]
    parts = [blob[begin:end] for begin, end in pairwise([0, *found.tolist(), len(blob)])]
    return PREFIX.join(parts), starts + len(PREFIX) * np.searchsorted(found, starts)
