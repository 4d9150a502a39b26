"""The kernel that writes rows as text: it concatenates pieces.

Bytes are copied eight at a time, unaligned: arrays of 64-bit words, one at each byte, view the bytes. Surplus
bytes are overwritten by the next piece, so texts have some room at their end.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import first_bit, kernel

Array = npt.NDArray[Any]

SLICE: Final = 0
"""A label, and the slice of the source with the row's value as begin and the row's size."""
WORD: Final = 1
"""The text of the table whose number is the row's value; it includes its label."""
ITEM: Final = 2
"""A label, and the next item of a list of numbers, or the text of the table with the row's size as number."""
SHORT_ITEM: Final = 3
"""An item without `.0` at its end; a zero keeps its sign."""
LIST: Final = 4
"""A label, and the next list of a list of lists of numbers."""
OPEN: Final = 5
"""A label that ends in a brace."""
CLOSE: Final = 6
"""The closing brace. If nothing follows the opening one, neither is written."""

UNSTATED: Final = -1
"""The size that means unstated."""
ROOM: Final = 16
"""The bytes behind the end of texts, since eight bytes are read and written at once."""

COMMA: Final = ord(",")
BRACE: Final = ord("{")
END_BRACE: Final = np.uint64(ord("}"))
MINUS: Final = ord("-")
POINT: Final = ord(".")
ZERO: Final = ord("0")
LIST_END: Final = ord("]")
COMMAS: Final = np.uint64(0x2C2C2C2C2C2C2C2C)
LIST_ENDS: Final = np.uint64(0x5D5D5D5D5D5D5D5D)
ONES: Final = np.uint64(0x0101010101010101)
TOPS: Final = np.uint64(0x8080808080808080)


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
def copy_until(source: Array, begin: int, stop: np.uint64, text: Array, at: int) -> int:
    """Copy the bytes before the next stop byte, of which the word `stop` consists; returns their number.

    A byte is 0 in `other` where it is the stop byte. The lowest zero byte is the lowest with its top bit in
    `found` (Mycroft, 1987).
    """
    size = 0
    while True:
        word = source[begin + size]
        text[at + size] = word
        other = word ^ stop
        found = (other | TOPS) - ONES
        found = ~(found | other) & TOPS
        if found != 0:
            return size + (first_bit(found) >> 3)
        size += 8


@kernel
def join(
    source: Array,
    source_words: Array,
    table: Array,
    table_words: Array,
    begins: Array,
    ends: Array,
    pieces: Array,
    values: Array,
    sizes: Array,
    text: Array,
    row_ends: Array,
) -> int:
    """Write the pieces of row after row into `text`, an array of words with room for them; returns the bytes.

    `pieces` has a row a piece: its kind, begin and size of its label in the source, and the begin of its next
    item, which moves on. `values` and `sizes` have a row a piece and a column a row. Text `n` of the table is
    from `begins[n]` to `ends[n]`, none where the end is below 0. The comma at the begin of a label is left
    out right after a brace.
    """
    at, is_behind_brace = 0, False
    opened, was_behind_brace = 0, False
    for row in range(values.shape[1]):
        for piece in range(values.shape[0]):
            kind = pieces[piece, 0]
            if kind == CLOSE:
                if is_behind_brace:
                    at, is_behind_brace = opened, was_behind_brace
                else:
                    text[at] = END_BRACE
                    at += 1
                continue
            if kind == WORD:
                word = values[piece, row]
                begin, end = begins[word], ends[word]
                if end >= 0:
                    if is_behind_brace and table[begin] == COMMA:
                        begin += 1
                    at = copy_slice(table_words, begin, end - begin, text, at)
                    is_behind_brace = False
                continue
            size = sizes[piece, row]
            if size < 0:
                continue
            if kind == OPEN:
                opened, was_behind_brace = at, is_behind_brace
            begin, label_end = pieces[piece, 1], pieces[piece, 1] + pieces[piece, 2]
            if label_end > begin:
                if is_behind_brace and source[begin] == COMMA:
                    begin += 1
                at = copy_slice(source_words, begin, label_end - begin, text, at)
                is_behind_brace = source[label_end - 1] == BRACE
            if kind == SLICE:
                at = copy_slice(source_words, values[piece, row], size, text, at)
                is_behind_brace = is_behind_brace and size == 0
            elif kind in (ITEM, SHORT_ITEM):
                begin = pieces[piece, 3]
                n_bytes = copy_until(source_words, begin, COMMAS, text, at)
                end = begin + n_bytes
                pieces[piece, 3] = end + 1
                if size > 0:
                    at = copy_slice(table_words, begins[size], ends[size] - begins[size], text, at)
                elif (
                    kind == SHORT_ITEM
                    and n_bytes > 2
                    and source[end - 1] == ZERO
                    and source[end - 2] == POINT
                    and not (n_bytes == 4 and source[begin] == MINUS and source[begin + 1] == ZERO)
                ):
                    at += n_bytes - 2
                else:
                    at += n_bytes
            elif kind == LIST:
                begin = pieces[piece, 3]
                n_bytes = copy_until(source_words, begin, LIST_ENDS, text, at) + 1
                pieces[piece, 3] = begin + n_bytes + 1
                at += n_bytes
        row_ends[row] = at
    return at
