"""The place at which a large document has a graph: the document itself, or a value under some of its keys."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import orjson

from plyscope.visualizer.formats.foreign.graphs import EDGES, NODES, is_edge
from plyscope.visualizer.formats.foreign.sliced_graph import SlicedGraph
from plyscope.visualizer.formats.foreign.sliced_links import DATA
from plyscope.visualizer.formats.foreign.sliced_outline import spellings
from plyscope.visualizer.formats.large import json_places
from plyscope.visualizer.formats.large.scan import Bytes, IrregularError, Source

Array = npt.NDArray[Any]

START: Final = 2**17
"""Bytes in which a graph says that it is one."""
MOST_KEYS: Final = 3
"""Keys, one in the other, under which a graph is looked for."""
MOST_MEMBERS: Final = 300
JIT_LINKS: Final = "adjacencies"
ADJACENCY: Final = "adjacency"
"""Where a document lists what each node leads to."""


def find_graph(slices: Bytes, data: Source) -> SlicedGraph | None:
    """The graph that a document is, or has under some keys; None where it may be another form.

    Raises IrregularError for a graph that is left to the patient reader.
    """
    start = data[:START]
    names = (*NODES, *EDGES, ADJACENCY)
    if not any(b'"%b"' % name.encode() in start for name in (*names, JIT_LINKS)):
        return None
    waiting: deque[tuple[int, tuple[str, ...]]] = deque(
        [(int(slices.run(json_places.after_space)(slices.array, 0, False)), ())]
    )
    while waiting:
        pos, keys = waiting.popleft()
        if slices.array[pos] == json_places.OPEN_LIST:
            if b'"adjacencies"' in start[pos:]:
                slices.arrived(len(data))
                return _regular(slices, pos + 1, JIT_LINKS, keys=keys, opened=[DATA])
            continue
        members = _members_at(slices, start, pos)
        if set(members) & set(names):
            return _graph_in(slices, len(data), pos + 1, keys)
        if len(keys) < MOST_KEYS:
            waiting += [(place, (*keys, key)) for key, place in members.items()]
    return None


def _members_at(slices: Bytes, start: bytes, pos: int) -> dict[str, int]:
    """The lists and objects that the object at a place has, by name, as far as the document's start goes."""
    array, run = np.frombuffer(start, dtype=np.uint8), slices.run
    members: dict[str, int] = {}
    for _ in range(MOST_MEMBERS):
        pos = int(run(json_places.after_space)(array, pos + 1, False))
        after = int(run(json_places.after_text)(array, pos)) if start[pos : pos + 1] == b'"' else -1
        colon = int(run(json_places.after_space)(array, after, False)) if after >= 0 else -1
        if colon < 0 or start[colon : colon + 1] != b":":
            break
        place = int(run(json_places.after_space)(array, colon + 1, False))
        if start[place : place + 1] in (b"[", b"{"):
            members[orjson.loads(start[pos:after])] = place
        end = int(run(json_places.after_value)(array, place, False))
        pos = int(run(json_places.after_space)(array, end, False)) if end >= 0 else -1
        if pos < 0 or start[pos : pos + 1] != b",":
            break
    return members


def _graph_in(slices: Bytes, n_bytes: int, begin: int, keys: Sequence[str]) -> SlicedGraph | None:
    """The graph whose lists of nodes and edges are members of the object from `begin` on."""
    others = (*EDGES, ADJACENCY)
    first, name = _first_list(slices, slices.array[:START], begin, NODES + others)
    if first < 0:
        return None
    slices.arrived(n_bytes)
    end = slices.run(json_places.after_value)(slices.array, first, False)
    if end < 0:
        return None
    comma = slices.run(json_places.after_space)(slices.array, end, False)
    second, other = _first_list(slices, slices.array, comma + 1, others if name in NODES else NODES)
    if second < 0:
        return None
    nodes, links = (first, second) if name in NODES else (second, first)
    of_lists = ADJACENCY in (name, other)
    graph = _regular(slices, nodes + 1, "edges", keys=keys, links=links, of_lists=of_lists, opened=[DATA])
    if graph is None and _begins_with_an_edge(slices, links):
        raise IrregularError  # which no other form of large trees is
    return graph


def _begins_with_an_edge(slices: Bytes, links: int) -> bool:
    """Whether the first item of a list is an edge."""
    begin = int(slices.run(json_places.after_space)(slices.array, links + 1, False))
    end = int(slices.run(json_places.after_value)(slices.array, begin, False))
    if not begin < end < begin + START:
        return False
    item = slices.array[begin:end].tobytes()
    return item[:1] in (b"[", b"{") and is_edge(orjson.loads(item))


def _regular(slices: Bytes, begin: int, key: str, **said: Any) -> SlicedGraph | None:
    try:
        return SlicedGraph(slices, begin, key, **said)
    except IrregularError:
        return None


def _first_list(slices: Bytes, data: Array, begin: int, names: Sequence[str]) -> tuple[int, str]:
    """The place of the first list that members from `begin` on have under one of these names, and which."""
    found = (-1, "")
    for name in names:
        quoted = np.frombuffer(spellings(name)[0], dtype=np.uint8)
        place = int(slices.run(json_places.member_from)(data, begin, quoted))
        if 0 <= place < len(data) and data[place] == json_places.OPEN_LIST:
            found = (place, name)
            data = data[:place]  # what stands behind it is not the first
    return found
