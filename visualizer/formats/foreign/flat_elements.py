"""Cytoscape's elements in one list, nodes and edges mixed, are written again as two lists."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.formats.foreign.graphs import ENDS
from plyscope.visualizer.formats.foreign.link_kernels import find_items
from plyscope.visualizer.formats.foreign.sliced_links import AT_ONCE, DATA, HAVE_THEIR_OWN
from plyscope.visualizer.formats.large import json_places, slices
from plyscope.visualizer.formats.large.scan import Bytes, IrregularError, Members

Array = npt.NDArray[Any]

START: Final = 2**17
"""Bytes in which the first element ends."""
ELEMENTS: Final = np.frombuffer(b'"elements"', dtype=np.uint8)


def parted(data: Bytes, n_bytes: int) -> bytes | None:
    """The document with its elements in two lists; None where it has no such list, or no edge in it.

    Raises IrregularError for elements that are left to the patient reader.
    """
    begin = int(data.run(json_places.after_space)(data.array, 0, False))
    if begin >= len(data.array):
        return None
    is_list = data.array[begin] == json_places.OPEN_LIST
    if not is_list:
        start = data.array[:START]
        begin = int(data.run(json_places.member_at)(start, begin, ELEMENTS))
        if not 0 <= begin < len(start) or start[begin] != json_places.OPEN_LIST:
            return None
    first = int(data.run(json_places.after_space)(data.array, begin + 1, False))
    if first >= len(data.array) or data.array[first] != json_places.OPEN_OBJECT:
        return None
    end = int(data.run(json_places.after_value)(data.array[: first + START], first, False))
    if end < 0:
        return None
    names = Members(data)
    try:
        names.of(np.array([first]), np.array([end - first]))
    except IrregularError:
        return None
    if DATA not in names.labels or HAVE_THEIR_OWN & set(names.labels):
        return None
    data.arrived(n_bytes)
    begins, sizes, end = _items(data, begin)
    are_edges = _are_edges(data, begins, sizes)
    if not are_edges.any():
        return None
    nodes, edges = (_listed(data, begins[chosen], sizes[chosen]) for chosen in (~are_edges, are_edges))
    elements = b'{"nodes":%b,"edges":%b}' % (nodes, edges)
    if is_list:
        return b'{"elements":%b}%b' % (elements, data.array[end:].tobytes())
    return data.array[:begin].tobytes() + elements + data.array[end:].tobytes()


def _items(data: Bytes, begin: int) -> tuple[Array, Array, int]:
    """Begins and sizes of the items of a list, and the place behind it. Raises IrregularError."""
    state, parts = np.zeros(2, dtype=np.int64), []
    while state[0] < 1:
        items = np.empty((AT_ONCE, 3), dtype=np.int64)
        n_items = int(data.run(find_items)(data.array, np.array([begin]), state, items))
        if n_items < 0:
            raise IrregularError
        parts.append(items[:n_items, 1:])
    begins, sizes = np.ascontiguousarray(np.concatenate(parts).T)
    return begins, sizes, int(state[1])


def _are_edges(data: Bytes, begins: Array, sizes: Array) -> Array:
    """Which of the elements name two ends, in their `data` or beside it. Raises IrregularError."""
    outer, inner = Members(data), Members(data)
    found = []
    for first in range(0, len(begins), AT_ONCE):
        part = slice(first, first + AT_ONCE)
        if (data.array[begins[part]] != json_places.OPEN_OBJECT).any():
            raise IrregularError
        beside = outer.of(begins[part], sizes[part])
        if DATA not in outer.labels or HAVE_THEIR_OWN & set(outer.labels):
            raise IrregularError
        held = beside[beside[:, 1] == outer.labels.index(DATA)]
        of_items, _, at, n_bytes = np.ascontiguousarray(held.T)
        if len(of_items) != len(begins[part]) or (data.array[at] != json_places.OPEN_OBJECT).any():
            raise IrregularError
        within = inner.of(at, n_bytes)
        within[:, 0] = of_items[within[:, 0]]
        are_edges = np.zeros(len(of_items), dtype=np.bool_)
        for pair in ENDS:
            has = [_having(name, len(of_items), (outer, beside), (inner, within)) for name in pair]
            are_edges |= has[0] & has[1]
        found.append(are_edges)
    return np.concatenate(found)


def _having(name: str, n_items: int, *told: tuple[Members, Array]) -> Array:
    """Which of the items have a member of that name."""
    have = np.zeros(n_items, dtype=np.bool_)
    for members, records in told:
        if name in members.labels:
            have[records[records[:, 1] == members.labels.index(name), 0]] = True
    return have


def _listed(data: Bytes, begins: Array, sizes: Array) -> bytes:
    """These slices as a list."""
    text = np.empty(int(sizes.sum()) + len(sizes) + 2, dtype=np.uint8)
    n_bytes = int(data.run(slices.list_slices)(data.array, begins, sizes, text))
    return text[:n_bytes].tobytes()
