"""The columns of a sealed log: name, type, what an absent value looks like. The list that all rooms share.

A column that no row of a log has is not stored at all. Floats are absent where they are NaN, integers where
they are -1, codes (see `words`) where they are 0. The seven fields in which absence cannot be told from a
value that way (a written NaN is a finding, 0 is a key) have a bit in the column `given`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

LAYOUT: Final = 3
"""Number of this layout; converted logs carry it and are converted again when it differs."""


@dataclass(frozen=True)
class Column:
    """One column of the table: `name`, numpy `dtype`, the value that means absent, and its meaning."""

    name: str
    dtype: type[np.generic]
    absent: float
    meaning: str


# Every log has these.
CORE: Final = (
    Column("id", np.int64, -1, "order of arrival; what links and the API use"),
    Column("parent", np.int32, -1, "row of the parent, -1 at a root"),
    Column("end", np.int32, -1, "the subtree of row i is rows [i, end[i])"),
    Column("level", np.int32, -1, "distance from the root"),
    Column("ply", np.int32, -1, "the ply that led here, an index into the log's texts"),
    Column("layer", np.uint8, 0, "code of words.LAYERS"),
    Column("outcome", np.uint8, 0, "code of words.OUTCOMES"),
    Column("bound", np.uint8, 0, "code of words.BOUNDS"),
    Column("given", np.uint16, 0, "bits of GIVEN: fields this row states"),
    Column("score", np.float64, np.nan, "what the search returned, seen from the root player"),
)

# A log has those of these that at least one row states.
OPTIONAL: Final = (
    Column("player", np.int16, -1, "who is to move, an index into the log's players"),
    Column("purpose", np.uint8, 0, "code of words.PURPOSES"),
    Column("cut_by", np.uint8, 0, "code of words.CUT_BY"),
    Column("ending", np.uint8, 0, "code of words.ENDINGS, seen from the root player"),
    Column("in_check", np.int8, -1, "1 where the mover is in check"),
    Column("quiescence", np.int8, -1, "1 inside the quiescence search"),
    Column("depth", np.float64, np.nan, "plies left to search, may be fractional or negative"),
    Column("reduction", np.float64, np.nan, "plies by which the visit was reduced"),
    Column("extension", np.float64, np.nan, "plies by which the visit was extended"),
    Column("alpha", np.float64, np.nan, "lower edge of the window on entry, -inf where open"),
    Column("beta", np.float64, np.nan, "upper edge of the window on entry, inf where open"),
    Column("static", np.float64, np.nan, "the evaluation of this very position"),
    Column("pre_score", np.float64, np.nan, "the quick score by which siblings are sorted"),
    Column("stand_pat", np.float64, np.nan, "the value of not moving, in quiescence"),
    Column("moves", np.int32, -1, "legal plies generated"),
    Column("count", np.int64, -1, "siblings that a stub stands for"),
    Column("key", np.uint64, 0, "position key, in the form of Log.key_form"),
    Column("seconds", np.float64, np.nan, "time spent below this node"),
    Column("visits", np.float64, np.nan, "visits, in a Monte Carlo tree"),
    Column("prior", np.float64, np.nan, "prior probability, in a Monte Carlo tree"),
    Column("mean", np.float64, np.nan, "mean result, in a Monte Carlo tree"),
    Column("position", np.int32, -1, "position as text, an index into the log's texts"),
    Column("board", np.int32, -1, "board as free text, an index into the log's texts"),
    Column("why", np.int32, -1, "why the game ended, an index into the log's texts"),
    Column("tt_use", np.uint8, 0, "code of words.TT_USES"),
    Column("tt_depth", np.float64, np.nan, "depth stored in the table entry"),
    Column("tt_bound", np.uint8, 0, "bound stored in the table entry, code of words.BOUNDS"),
    Column("tt_score", np.float64, np.nan, "score stored in the table entry, seen from the root player"),
    Column("tt_ply", np.int32, -1, "ply stored in the table entry, an index into the log's texts"),
    Column("tt_from", np.int32, -1, "row that stored the entry; -1 not stated, -2 not in this log"),
)

COLUMNS: Final = {column.name: column for column in (*CORE, *OPTIONAL)}

GIVEN: Final = {
    "score": 1,
    "alpha": 2,
    "beta": 4,
    "static": 8,
    "pre_score": 16,
    "stand_pat": 32,
    "key": 64,
}

# Two-dimensional, beside the above: one row a node, one column a header entry.
MATRICES: Final = {
    "factors": "raw factor values in the order of Log.factors, NaN where unknown, seen from the root player",
    "contributions": "contributions in the order of Log.contribution_names, NaN where unknown",
    "scores": "games of more than two: one number a player",
}


def absent_column(name: str, n_rows: int) -> npt.NDArray[np.generic]:
    """A column of `n_rows` absent values.

    >>> absent_column("moves", 2)
    array([-1, -1], dtype=int32)
    """
    column = COLUMNS[name]
    return np.full(n_rows, column.absent, dtype=column.dtype)
