"""Parents by which a writer says that there is none: those that JSON Lines knows, over many lines at once."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from plyscope.visualizer.formats.jsonlines import NO_PARENT

Array = npt.NDArray[Any]


def without_roots(named: list[tuple[Array, Array]], ids: Array) -> list[tuple[Array, Array]]:
    """Leave out what `jsonlines` takes for no parent.

    named   nodes by number, in order, and the ids of their parents, in pieces
    ids     of all nodes

    >>> import numpy as np
    >>> [(nodes, above)] = without_roots([(np.array([0, 1]), np.array([-1, 4]))], np.array([4, 5]))
    >>> nodes.tolist(), above.tolist()
    ([1], [4])
    """
    none = NO_PARENT[0]
    if any((above == none).any() for _, above in named) and not (ids == none).any():
        named = [(nodes[above != none], above[above != none]) for nodes, above in named]
    if not named or not len(named[0][0]) or named[0][0][0] != 0:
        return named
    (nodes, above), *others = named
    if above[0] == ids[0] or (above[0] == 0 and _counts_from_one(named, ids)):
        return [(nodes[1:], above[1:]), *others]
    return named


def _counts_from_one(named: list[tuple[Array, Array]], ids: Array) -> bool:
    """Whether the first node alone names node 0, which is not there, and has children itself."""
    if (ids == 0).any() or sum(int((above == 0).sum()) for _, above in named) != 1:
        return False
    return any(bool((above == ids[0]).any()) for _, above in named)
