"""The kernel that writes rows as text: it concatenates labels and values.

Bytes are copied eight at a time, unaligned: arrays of 64-bit words, one at each byte, view the bytes. Surplus
bytes are overwritten by the next piece, so texts have some room at their end.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel

Array = npt.NDArray[Any]

ROOM: Final = 16
"""The bytes behind the end of texts, since eight bytes are read and written at once."""
COMMA: Final = ord(",")
BRACE: Final = ord("{")


def words_at_bytes(text: Array) -> Array:
    """The 64-bit words at each byte of `text`, which has `ROOM` behind its end.

    >>> [hex(word) for word in words_at_bytes(np.arange(17, dtype=np.uint8))[:2].tolist()]
    ['0x706050403020100', '0x807060504030201']
    """
    return np.ndarray((len(text) - 7,), dtype="<u8", buffer=text.data, strides=(1,))


@kernel
def copy_slice(source: Array, begin: int, size: int, text: Array, at: int) -> int:
    """Copy `size` bytes between arrays of words; returns their end."""
    for i in range(0, size, 8):
        text[at + i] = source[begin + i]
    return at + size


@kernel
def join(
    source: Array, words: Array, labels: Array, begins: Array, sizes: Array, text: Array, row_ends: Array
) -> int:
    """Write the pieces of row after row into `text`, an array of words with room; returns the bytes.

    `labels` has the begin and the size of each piece's label in `source`, of which `words` are the words;
    `begins` and `sizes` have a row a piece and a column a row of the text, with a size below 0 where a row
    lacks the piece. The comma at the begin of a label is left out right after a brace.
    """
    at, is_behind_brace = 0, False
    for row in range(begins.shape[1]):
        for piece in range(begins.shape[0]):
            size = sizes[piece, row]
            if size < 0:
                continue
            begin, label_size = labels[piece, 0], labels[piece, 1]
            if label_size > 0:
                end = begin + label_size
                if is_behind_brace and source[begin] == COMMA:
                    begin += 1
                at = copy_slice(words, begin, end - begin, text, at)
                is_behind_brace = source[end - 1] == BRACE
            if size > 0:
                at = copy_slice(words, begins[piece, row], size, text, at)
                is_behind_brace = False
        row_ends[row] = at
    return at
