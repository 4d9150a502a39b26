"""Keys of positions, which a log has in one form: 16 hexadecimal digits, whole numbers, or any texts."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.seal.field_buffers import FieldBuffers, are_hex_keys
from plyscope.visualizer.formats.seal.stated_twice import put_left, settle
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.log import KeyForm

Array = npt.NDArray[Any]


def put_keys(columns: dict[str, Array], buffers: FieldBuffers) -> KeyForm:
    """Make the column `key` where keys were gathered; says in which form they are.

    What a node states first is its key; another that it states last is noted as the key on leaving it.
    Keys of one form stay what they are. Those of several become texts; where these are hexadecimal digits
    each, as a number of 16 digits is, they are what a reader of these texts would take them for.
    """
    if not buffers.keys:
        return ""
    forms = {form for _, form, _ in buffers.keys}
    form: Any = forms.pop() if len(forms) == 1 else "text"
    pieces = [(nodes, values) for nodes, _, values in buffers.keys]
    if form == "text":
        pieces = [(nodes, _texts(piece_form, values)) for nodes, piece_form, values in buffers.keys]
        if all(are_hex_keys(texts) for _, texts in pieces):
            form = "hex"
            pieces = [
                (nodes, np.array([int(text, 16) for text in texts], np.uint64)) for nodes, texts in pieces
            ]
        else:
            pieces = [(nodes, buffers.intern(texts)) for nodes, texts in pieces]
    column = np.zeros(len(columns["ply"]), dtype=np.uint64)
    for nodes, values in pieces:
        column[nodes] = values
    columns["key"] = column
    if sum(len(nodes) for nodes, _ in pieces) > np.count_nonzero(columns["given"] & GIVEN["key"]):
        nodes, left = settle(pieces, column)
        put_left(columns, "key", nodes, left if form == "text" else buffers.intern(_texts(form, left)))
    return form  # type: ignore[no-any-return]


def _texts(form: str, values: Any) -> list[str]:
    if form == "text":
        return list(values)
    pattern = "{:016x}" if form == "hex" else "{}"
    return [pattern.format(value) for value in values.tolist()]
