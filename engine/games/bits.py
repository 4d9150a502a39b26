"""Boards of 64 cells as one unsigned word, in arithmetic that is the same compiled and as plain Python.

Compiled, a word is a uint64, which drops bits shifted out of it; as plain Python it is an unbounded int.
Two rules keep both equal. Mask after a left shift or a product. Never combine a word with a signed number in
`& | ^ + - *`. A number below 2 ** 63 in a kernel is signed, so masks whose top bit is clear are stored as
their complement (`... ^ FULL` in the kernel) and single cells come from `cell`. Shift distances may be
signed.
"""

from __future__ import annotations

from typing import Final

from plyscope.engine.jit import kernel

FULL: Final = 0xFFFF_FFFF_FFFF_FFFF
TOP: Final = 0x8000_0000_0000_0000


@kernel
def cell(index: int) -> int:
    """Return the word with only cell `index`, 0 to 63.

    >>> cell(0), cell(5)
    (1, 32)
    """
    return TOP >> (63 - index)


@kernel
def mixed(word: int) -> int:
    """Return `word` with every bit spread over all 64; a bijection, so different words stay different.

    It makes two rounds of fold and multiply by an odd number, as in well-known hash finishers, with constants
    of our own.

    >>> mixed(0), mixed(1) == mixed(2)
    (0, False)
    """
    word = ((word ^ (word >> 29)) * 0xB1D4_7C0F_39A5_E6CD) & FULL
    word = ((word ^ (word >> 32)) * 0xD96A_21F3_84BE_570B) & FULL
    return word ^ (word >> 31)
