"""The parents of nodes that are named by ids: those that never came, or that a later line changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.former import ENGINE
from plyscope.visualizer.formats.errors import LogError, shown
from plyscope.visualizer.formats.read.names import NOTHING, Names
from plyscope.visualizer.formats.seal.field_buffers import in_order_met

Array = npt.NDArray[Any]

NO_PARENT: Final = (-1, "")
"""Parents of roots as written by writers without a null, unless a node has that id."""
PACKED_CUT: Final = "The packed file is cut short: what followed its last whole line is missing."
NO_NODE: Final = "the log has no node, expected a `root` in it or " + 'lines such as {"id": 0, "score": 1.5}'


def lacks_our_end(header: Mapping[str, Any] | None, *, has_ended: bool) -> bool:
    """Whether our own writer, whose last line is the result, did not finish."""
    search = (header or {}).get("search")
    return isinstance(search, dict) and search.get("engine") == ENGINE and not has_ended


def are_lost(parents: Array, names: Array, no_parent: Array) -> Array:
    """True for nodes that name a parent which is not there; `no_parent` are names that mark a root."""
    lost: Array = (parents < 0) & (names != NOTHING)
    return lost & ~np.isin(names, no_parent) if lost.any() else lost


def other_parent(names: Names, numbers: Array, line: int) -> LogError:
    """The error of a line by which a node has another parent, by the numbers of the node and of both.

    The last is that of the parent before, NOTHING at a root.
    """
    name, here, before = names.listed(numbers)
    was = "a root" if numbers[2] == NOTHING else f"under {shown(before)}"
    message = f"node {shown(name)} is under {shown(here)} here, but it was {was} before"
    return LogError(f"{message}, expected the same parent", line=line, path="$.parent")


def mended(
    parents: Array, orphans: Array, parent_names: Array, ids: Array, names: Names
) -> tuple[Array, Array, Array]:
    """The parents with open nodes for those beyond the cut, under an open root if they are several.

    `parent_names` are those that the orphans name. Also the names of the missing parents, and the ids of all
    nodes. `parents` is changed.
    """
    parents, missing = with_open_nodes(parents, orphans, parent_names)
    added = missing
    if len(missing) > 1:
        largest = max(
            (name for name in names.listed(np.append(ids, missing)) if type(name) is int), default=0
        )
        added = np.append(names.number_of_whole(largest + 1), missing)
    return parents, missing, np.append(ids, added)


def with_open_nodes(parents: Array, orphans: Array, parent_names: Array) -> tuple[Array, Array]:
    """The parents, and at their end those of an open node for each missing one; also the missing names.

    Several open nodes are under an open root, which comes before them. `parents` is changed.
    """
    missing, of_missing = in_order_met(parent_names)
    root = [-1] if len(missing) > 1 else []
    parents[orphans] = len(parents) + len(root) + of_missing
    more = np.full(len(missing), len(parents) if root else -1)
    return np.concatenate([parents, root, more]).astype(parents.dtype), missing
