"""Leaves whose score comes from a tablebase: proven as stated, and not an evaluation."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log

TABLEBASE: Final = "tablebase"


def tablebase_leaves(log: Log) -> npt.NDArray[np.bool_]:
    """One entry a row: whether it is a leaf whose `why` is `tablebase`; empty where the log has none."""
    why = log.columns.get("why")
    if why is None:
        return np.zeros(0, np.bool_)
    texts = np.unique(why[why >= 0])
    named = [int(at) for at in texts if _is_tablebase(log.texts[int(at)])]
    if not named:
        return np.zeros(0, np.bool_)
    return np.asarray((log.columns["outcome"] == words.LEAF) & np.isin(why, named))


def is_tablebase_leaf(log: Log, row: int) -> bool:
    """Whether one row is such a leaf, without reading the others."""
    why = log.columns.get("why")
    if why is None or why[row] < 0 or log.columns["outcome"][row] != words.LEAF:
        return False
    return _is_tablebase(log.texts[int(why[row])])


def _is_tablebase(why: str) -> bool:
    return why.strip().casefold() == TABLEBASE
