"""Kernels that make a tree of links between numbered nodes, and find the links that nodes list."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.large.json_places import (
    BACKSLASH,
    CLOSE_LIST,
    CLOSE_OBJECT,
    COLON,
    COMMA,
    OPEN_LIST,
    OPEN_OBJECT,
    QUOTE,
    after_space,
    after_text,
    after_value,
)
from plyscope.visualizer.formats.large.slices import MINUS, NINE, ZERO

Array = npt.NDArray[Any]

TO: Final = np.frombuffer(b'"nodeTo"', dtype=np.uint8)
FROM: Final = np.frombuffer(b'"nodeFrom"', dtype=np.uint8)
NOTHING: Final = np.frombuffer(b'{} [] "" 0 null false ', dtype=np.uint8)
"""Values that an edge need not keep, each with a space behind it."""
SPACE: Final = 32
NO_TREE: Final = -1
MOST_MEMBERS: Final = 3
"""Members of an edge: its two ends, and one beside them."""


@kernel
def is_spelled(data: Array, begin: int, end: int, text: Array) -> bool:
    """Return whether the bytes from `begin` to `end` are `text`."""
    if end - begin != len(text):
        return False
    i = 0
    while i < len(text) and data[begin + i] == text[i]:
        i += 1
    return bool(i == len(text))


@kernel
def is_nothing(data: Array, begin: int, end: int) -> bool:
    """Return whether a value is one of `NOTHING`."""
    at = 0
    while at < len(NOTHING):
        i = 0
        while begin + i < end and NOTHING[at + i] == data[begin + i] and NOTHING[at + i] != SPACE:
            i += 1
        if begin + i == end and NOTHING[at + i] == SPACE:
            return True
        while NOTHING[at] != SPACE:
            at += 1
        at += 1
    return False


@kernel
def find_adjacencies(data: Array, nodes: Array, begins: Array, sizes: Array, links: Array) -> int:
    """Find the links that nodes list: plain ids, or objects with `nodeTo` and perhaps `nodeFrom`.

    links    rows of node, begin and size of the source's id (size 0 for the node itself) and of the target's

    Returns how many, -1 where one says anything more, or is not plainly regular.
    """
    n_links = 0
    for row in range(len(nodes)):
        pos, end = begins[row], begins[row] + sizes[row]
        if data[pos] != OPEN_LIST:
            return -1
        pos = after_space(data, pos + 1, False)
        if data[pos] == CLOSE_LIST:
            continue
        while True:
            if n_links == len(links):
                return -1
            links[n_links, 0] = nodes[row]
            links[n_links, 1:] = 0
            byte = data[pos]
            if byte == OPEN_OBJECT:
                pos += 1
                for _ in range(MOST_MEMBERS + 1):
                    pos = after_space(data, pos, False)
                    name, after = pos, after_text(data, pos) if data[pos] == QUOTE else -1
                    if after < 0:
                        return -1
                    pos = after_space(data, after, False)
                    if data[pos] != COLON:
                        return -1
                    begin = after_space(data, pos + 1, False)
                    pos = after_value(data, begin, False)
                    if pos < 0 or pos >= end:
                        return -1
                    place = 3 if is_spelled(data, name, after, TO) else 0
                    place = 1 if is_spelled(data, name, after, FROM) else place
                    if place > 0:
                        if links[n_links, place + 1] > 0:
                            return -1
                        links[n_links, place] = begin
                        links[n_links, place + 1] = pos - begin
                    elif not is_nothing(data, begin, pos):
                        return -1
                    else:
                        for i in range(name, after):
                            if data[i] == BACKSLASH:
                                return -1
                    pos = after_space(data, pos, False)
                    if data[pos] != COMMA:
                        break
                    pos += 1
                if data[pos] != CLOSE_OBJECT:
                    return -1
                pos += 1
            elif byte in (QUOTE, MINUS) or ZERO <= byte <= NINE:
                links[n_links, 3] = pos
                pos = after_value(data, pos, False)
                if pos < 0 or pos >= end:
                    return -1
                links[n_links, 4] = pos - links[n_links, 3]
            if links[n_links, 4] == 0:
                return -1
            n_links += 1
            pos = after_space(data, pos, False)
            if data[pos] != COMMA:
                break
            pos = after_space(data, pos + 1, False)
        if data[pos] != CLOSE_LIST or pos + 1 != end:
            return -1
    return n_links


@kernel
def walk_links(
    sources: Array,
    targets: Array,
    is_directed: bool,
    starts: Array,
    incident: Array,
    parents: Array,
    came_by: Array,
    order: Array,
    places: Array,
) -> int:
    """Walk a graph breadth first from its roots; returns how many nodes were reached.

    Directed links lead from parent to child and roots are those that none leads to; undirected ones start
    from the first node. `NO_TREE` where a link is not one between a node and its parent.

    starts      zeros, two places more than there are nodes;  incident  room for two numbers a link
    parents, came_by    of each node the parent, -2 where it is not reached, and the link that led there
    order       the nodes as they are reached, siblings in the order of their links;  places  of each in it
    """
    n_nodes = len(parents)
    for link in range(len(sources)):
        starts[sources[link] + 2] += 1
        if not is_directed:
            starts[targets[link] + 2] += 1
    for node in range(2, n_nodes + 2):
        starts[node] += starts[node - 1]
    for node in range(n_nodes):
        parents[node] = -2
        came_by[node] = -1
    for link in range(len(sources)):
        incident[starts[sources[link] + 1]] = link
        starts[sources[link] + 1] += 1
        if is_directed:
            came_by[targets[link]] = 0
        else:
            incident[starts[targets[link] + 1]] = link
            starts[targets[link] + 1] += 1
    n_reached = 0
    for node in range(n_nodes if is_directed else 1):
        if came_by[node] < 0:
            parents[node] = -1
            order[n_reached] = node
            n_reached += 1
    at = 0
    while at < n_reached:
        node = order[at]
        places[node] = at
        for i in range(starts[node], starts[node + 1]):
            link = incident[i]
            other = targets[link] if sources[link] == node else sources[link]
            if parents[other] == -2:
                parents[other] = node
                came_by[other] = link
                order[n_reached] = other
                n_reached += 1
        at += 1
    for link in range(len(sources)):
        source, target = sources[link], targets[link]
        if parents[target] != source and (is_directed or parents[source] != target):
            return NO_TREE
    return n_reached
