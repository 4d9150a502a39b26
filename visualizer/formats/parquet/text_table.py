"""Texts by their codes, as references to the texts of a log: none is copied for the rows that have it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

FEW_TEXTS: Final = 65_536
"""Up to so many texts, all are looked up once; of more those that are asked for."""


class TextTable:
    """Texts by their codes, None for a code below 0."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._few = self._table(list(texts)) if len(texts) <= FEW_TEXTS else None

    def of(self, codes: Array) -> Array:
        """The text of each code; each text is one object, however often it stands there."""
        if self._few is not None:
            return self._few[codes]
        used, places = np.unique(codes, return_inverse=True)
        return self._table([self._texts[code] if code >= 0 else None for code in used.tolist()])[places]

    @staticmethod
    def _table(texts: Sequence[str | None]) -> Array:
        table = np.full(len(texts) + 1, None, dtype=object)  # the last is that of code -1
        table[: len(texts)] = texts
        return table
