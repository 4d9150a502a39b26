"""A field of one log as expressions know it: its name, its type, and its values for any rows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.store.fields import FIELDS, Kind

Array = npt.NDArray[Any]
At = slice | npt.NDArray[np.integer[Any]]
"""The rows that are asked: `ALL`, or their numbers."""
ALL: Final = slice(None)
Type = Literal["number", "whole number", "flag", "word", "text", "key"]

LISTS: Final = ("plies", "pre_scores")
ENTRIES: Final = tuple(name for name, each in FIELDS.items() if each.kind == "entry")
GROUPS: Final = tuple(name for name, each in FIELDS.items() if each.kind in ("numbers", "named numbers"))
GROUPS_ASKED: Final = tuple(name for name in GROUPS if name not in LISTS)
"""Fields that hold several numbers, each asked for by its name: `factors.mobility`."""
OWN: Final = "extra"
"""The group of the fields that the log format does not know: `extra.q_nodes`."""

TYPES: Final[dict[Kind, Type]] = {
    "score": "number",
    "low edge": "number",
    "high edge": "number",
    "amount": "number",
    "whole": "whole number",
    "flag": "flag",
    "word": "word",
    "text": "text",
    "long text": "text",
    "player": "text",
    "id": "whole number",
}

FROM_THE_TREE: Final[dict[str, tuple[Type, str]]] = {
    "level": ("whole number", "distance from the root, whose level is 0"),
    "index": ("whole number", "place among its siblings as searched, the first is 0"),
    "children": ("whole number", "rows directly below, stubs among them"),
    "nodes_below": ("whole number", "nodes below at any depth, stubs not counted"),
    "is_stub": ("flag", "stands for siblings without rows: pruned, limited, skipped or unlogged"),
}
"""What no log states and every tree has: type and meaning."""

OF_OTHERS: Final = {"parent": "the node above", "root": "the root of its tree"}
"""`parent.score` is the score of the node above, not known of a root; `root.iteration` that of its tree."""


@dataclass(frozen=True)
class Known:
    """A field of one log. `column` gives a value for each of the rows that it is asked for."""

    name: str
    type: Type
    meaning: str
    column: Callable[[At], Array] = field(repr=False)
    absent: float = -1
    """The value of rows that do not state it; NaN for numbers."""
    bit: int = 0
    """Of the column `given`, where that says which rows state it: then a NaN was written as one."""
    words: tuple[str, ...] = ()
    """By code, an empty one for code 0; of a word."""
    texts: Sequence[str] = ()
    """By code; of a text, or of a key that is one."""
    is_stated: bool = True
    """Whether any row may state it."""
    of: str = ""
    """`parent` or `root` where it is a field of that node."""
    key_form: str = ""
    notice: str = ""
    """What whoever asks for it is told: how many rows state something else there."""
