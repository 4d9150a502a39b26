"""Memory that passes over the rows use one after another.

The system clears a page when a process touches it for the first time, and in a virtual machine the host may
have to find it first: that takes longer than many a pass takes to write there. So passes share one block.
"""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np
import numpy.typing as npt

_ALIGNED: Final = 64


class Scratch:
    """A block of memory, as large as the largest request so far."""

    def __init__(self) -> None:
        self._block = np.empty(0, np.uint8)

    def take(self, *wanted: tuple[int, npt.DTypeLike]) -> list[npt.NDArray[Any]]:
        """Return an array for each length and type. Their entries are arbitrary, the next call reuses them.

        >>> numbers, flags = Scratch().take((3, np.float64), (5, np.uint8))
        >>> len(numbers), numbers.dtype.name, len(flags)
        (3, 'float64', 5)
        """
        starts = [0]
        for length, dtype in wanted:
            n_bytes = length * np.dtype(dtype).itemsize
            starts.append(starts[-1] + math.ceil(n_bytes / _ALIGNED) * _ALIGNED)
        if starts[-1] > len(self._block):
            self._block = np.empty(0, np.uint8)  # frees the smaller block first
            self._block = np.empty(starts[-1], np.uint8)
        return [
            self._block[start : start + length * np.dtype(dtype).itemsize].view(dtype)
            for start, (length, dtype) in zip(starts, wanted, strict=False)
        ]
