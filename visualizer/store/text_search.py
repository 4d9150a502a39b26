"""Which of many texts are, or hold, a text: over their bytes where they lie on the disk end to end.

A node may have a million children with a ply each. Texts that are few, not on the disk, or not ASCII are
read one by one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.store.mapped import Texts

Codes = npt.NDArray[np.integer[Any]]

FEW: Final = 64
"""So many texts are sooner read than compared byte by byte."""
MANY: Final = 10_000
PIECE: Final = 200_000
PIECE_BYTES: Final = 64 * 2**20


def used_codes(column: Codes, n_texts: int) -> npt.NDArray[np.int64]:
    """The indices of texts that a column states, ascending, each once."""
    is_used = np.zeros(n_texts + 1, dtype=np.bool_)  # the last entry serves index -1
    is_used[column] = True
    return np.flatnonzero(is_used[:-1])


def codes_of(texts: Sequence[str], codes: Codes, wanted: str) -> list[int]:
    """Those of `codes`, indices into `texts`, whose text is `wanted`."""
    if isinstance(texts, Texts) and len(codes) > FEW:
        codes = _same_bytes(texts, codes, wanted.encode())
    return [code for code in codes.tolist() if texts[code] == wanted]


def _same_bytes(texts: Texts, codes: Codes, wanted: bytes) -> Codes:
    """The codes whose texts have these bytes; some others where few are left to be read."""
    starts, blob = texts.starts, np.frombuffer(texts.blob, np.uint8)
    codes = codes[starts[codes + 1] - starts[codes] == len(wanted)]
    for at in reversed(range(len(wanted))):  # texts that are numbered differ at their ends
        if len(codes) <= FEW:
            break
        codes = codes[blob[starts[codes] + at] == wanted[at]]
    return codes


def codes_holding(texts: Sequence[str], codes: Codes, wanted: str) -> list[int]:
    """Those of `codes`, which ascend, whose text holds `wanted`, case apart; `wanted` is case-folded."""
    if not isinstance(texts, Texts) or len(codes) < MANY:
        return [code for code in codes.tolist() if wanted in texts[code].casefold()]
    found: list[int] = []
    for first in range(0, len(codes), PIECE):
        found += _holding(texts, codes[first : first + PIECE], wanted)
    return found


def _holding(texts: Texts, codes: Codes, wanted: str) -> list[int]:
    starts = texts.starts
    first, last = int(codes[0]), int(codes[-1]) + 1
    low, high = int(starts[first]), int(starts[last])
    piece = texts.blob[low:high] if high - low <= PIECE_BYTES else None
    if piece is None or not piece.isascii():
        return [code for code in codes.tolist() if wanted in texts[code].casefold()]
    if not wanted.isascii() or len(wanted) > len(piece):
        return []  # ASCII stays ASCII when its case is folded
    letters, sought = np.frombuffer(piece.lower(), np.uint8), wanted.encode()
    at = np.flatnonzero(letters[: len(letters) - len(sought) + 1] == sought[0])
    for place in range(1, len(sought)):
        at = at[letters[at + place] == sought[place]]
    ends = starts[first : last + 1] - low
    text = np.searchsorted(ends, at, side="right") - 1
    text = np.unique(text[at + len(sought) <= ends[text + 1]]) + first
    held: list[int] = text[np.isin(text, codes)].tolist()
    return held
