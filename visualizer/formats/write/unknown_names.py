"""Unknown fields under their names in a file of ours."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.json_text import json_bytes, json_value
from plyscope.visualizer.formats.seal.values import OURS, written_name
from plyscope.visualizer.formats.tape.extras import joined
from plyscope.visualizer.formats.tape.form import DOCUMENT, ITEM, OTHER, TOP, WITHIN, Form
from plyscope.visualizer.formats.tape.kinds import OBJECT
from plyscope.visualizer.formats.tape.reading import TapeReading
from plyscope.visualizer.formats.tape.tape import MANY

Array = npt.NDArray[Any]

SCAN: Final = json.JSONDecoder().raw_decode
"""Reads the value at a place of a text; returns it and its end."""
NAMES_OF_OURS: Final = re.compile(b'"%s":' % OURS.pattern.encode())


def with_written_names(blob: bytes, starts: Array, *, compile_it: bool) -> tuple[bytes, Array]:
    """The objects with the names that fields have in a file, and their offsets (n + 1).

    A field with a name of ours is called `data.NAME` there.

    >>> objects, _ = with_written_names(b'{"cost":1}{"score":1}', np.array([0, 10, 21]), compile_it=False)
    >>> objects
    b'{"cost":1}{"data.score":1}'
    """
    if not NAMES_OF_OURS.search(blob):
        return blob, starts
    if compile_it:
        return _by_the_tape(blob)
    objects = [blob[begin:end] for begin, end in pairwise(starts.tolist())]
    written = [_renamed(text) if NAMES_OF_OURS.search(text) else text for text in objects]
    starts, text = joined(written)
    return text.tobytes(), starts


def _renamed(text: bytes) -> bytes:
    """An object with its fields renamed; the texts of values stay, unless nested too deep."""
    said, at, parts = text.decode(), 1, []
    try:
        while at < len(said) - 1:
            name, colon = SCAN(said, at)
            _, end = SCAN(said, colon + 1)
            parts.append(json_bytes(written_name(name)) + said[colon:end].encode())
            at = end + 1
    except RecursionError:
        return json_bytes({written_name(name): value for name, value in json_value(text).items()})
    return b"{" + b",".join(parts) + b"}"


def _by_the_tape(blob: bytes) -> tuple[bytes, Array]:
    form = Form()
    row = form.role("object", makes_node=True)
    field, within = form.role("field", extra=TOP), form.role("in a field", extra=WITHIN)
    form.step(DOCUMENT, ITEM, row, [OBJECT])
    form.step(row, OTHER, field)
    for holder in (field, within):
        form.step(holder, OTHER, within)
    reading = TapeReading(form, blob, mode=MANY, named=lambda outer, name: (outer, written_name(name)))
    n_objects = sum(len(batch.parents) for batch in reading.batches())
    rows, starts, objects = reading.extras.sealed(np.arange(n_objects))
    lengths = np.zeros(n_objects, np.int64)  # an object without fields has none
    lengths[rows] = np.diff(starts)
    return objects.tobytes(), np.append(0, np.cumsum(lengths))
