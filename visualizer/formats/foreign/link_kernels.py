"""Kernels that make a tree of links between numbered nodes, and find where lists of links hold them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.large.json_places import (
    CLOSE_LIST,
    CLOSE_OBJECT,
    COMMA,
    OPEN_LIST,
    OPEN_OBJECT,
    QUOTE,
    SMALL_N,
    after_space,
    after_value,
)

Array = npt.NDArray[Any]

NOT_REACHED: Final = -2
NULL: Final = np.frombuffer(b"null", dtype=np.uint8)
TO: Final = np.frombuffer(b'{"to":"', dtype=np.uint8)


@kernel
def find_items(data: Array, begins: Array, state: Array, items: Array) -> int:
    """Find the items of lists, as many as there is room for; returns how many, -1 where a list is irregular.

    begins    the place of each list
    state     the list that is next, and the place in it, 0 for its begin; behind the last of all lists
    items     rows of list, begin and size
    """
    n_items = 0
    at, pos = state[0], state[1]
    while at < len(begins):
        if pos == 0:
            if data[begins[at]] != OPEN_LIST:
                return -1
            pos = after_space(data, begins[at] + 1, False)
            if pos < len(data) and data[pos] == CLOSE_LIST:
                state[1] = pos + 1
                pos = 0
                at += 1
                continue
        if n_items == len(items):
            break
        end = after_value(data, pos, False)
        if end < 0:
            return -1
        items[n_items, 0] = at
        items[n_items, 1] = pos
        items[n_items, 2] = end - pos
        n_items += 1
        pos = after_space(data, end, False)
        if pos >= len(data):
            return -1
        if data[pos] == COMMA:
            pos = after_space(data, pos + 1, False)
        elif data[pos] == CLOSE_LIST:
            state[1] = pos + 1
            pos = 0
            at += 1
        else:
            return -1
    state[0] = at
    if at < len(begins):
        state[1] = pos
    return n_items


@kernel
def find_said(data: Array, begins: Array, sizes: Array, said: Array) -> bool:
    """Find the values that say something: not null, nor an empty text, list or object.

    False where one begins as null does and is not.
    """
    for i in range(len(begins)):
        begin, end = begins[i], begins[i] + sizes[i]
        byte = data[begin]
        said[i] = True
        if byte == QUOTE:
            said[i] = sizes[i] > 2
        elif byte == SMALL_N:
            if sizes[i] != len(NULL):
                return False
            for j in range(len(NULL)):
                if data[begin + j] != NULL[j]:
                    return False
            said[i] = False
        elif byte in (OPEN_LIST, OPEN_OBJECT):
            inner = after_space(data, begin + 1, False)
            said[i] = inner + 1 < end or data[inner] not in (CLOSE_LIST, CLOSE_OBJECT)
    return True


@kernel
def find_repeated(sources: Array, targets: Array, is_directed: bool, table: Array, repeated: Array) -> int:
    """Say which links were there before; undirected ones may be named from either end. Returns how many.

    `table` is for hashing, all -1 before, larger than there are links.
    """
    n_repeated = 0
    for link in range(len(sources)):
        source, target = sources[link], targets[link]
        place = (source * 0x9E3779B1 + target * 0x85EBCA77) % len(table)
        if not is_directed and target < source:
            place = (target * 0x9E3779B1 + source * 0x85EBCA77) % len(table)
        repeated[link] = False
        while table[place] >= 0:
            other = table[place]
            if (sources[other] == source and targets[other] == target) or (
                not is_directed and sources[other] == target and targets[other] == source
            ):
                repeated[link] = True
                n_repeated += 1
                break
            place = (place + 1) % len(table)
        if not repeated[link]:
            table[place] = link
    return n_repeated


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
    from the first node.

    starts      zeros, two places more than there are nodes;  incident  room for two numbers a link
    parents, came_by    of each node the parent, NOT_REACHED where it is not, and the link that led there
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
        parents[node] = NOT_REACHED
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
            if parents[other] == NOT_REACHED:
                parents[other] = node
                came_by[other] = link
                order[n_reached] = other
                n_reached += 1
        at += 1
    return n_reached


@kernel
def write_lists(
    data: Array,
    nodes: Array,
    begins: Array,
    sizes: Array,
    fields: Array,
    field_begins: Array,
    field_sizes: Array,
    text: Array,
    lists: Array,
) -> int:
    """Write the edges that stay listed on nodes, sorted by node, as lists of JSON; returns how many lists.

    begins, sizes    the id at the other end of each, without quotes
    fields, field_begins, field_sizes    what else each says: objects in `fields`, of size 0 for nothing
    text, lists      room for all; rows of node, begin and size of each list
    """
    n_lists, end = 0, 0
    for i in range(len(nodes)):
        if n_lists > 0 and lists[n_lists - 1, 0] == nodes[i]:
            text[end - 1] = COMMA
        else:
            lists[n_lists, 0] = nodes[i]
            lists[n_lists, 1] = end
            n_lists += 1
            text[end] = OPEN_LIST
            end += 1
        if field_sizes[i] > 0:
            for j in range(len(TO)):
                text[end + j] = TO[j]
            end += len(TO)
        else:
            text[end] = QUOTE
            end += 1
        for j in range(sizes[i]):
            text[end + j] = data[begins[i] + j]
        end += sizes[i]
        text[end] = QUOTE
        end += 1
        if field_sizes[i] > 0:
            text[end] = COMMA
            end += 1
            for j in range(1, field_sizes[i]):
                text[end + j - 1] = fields[field_begins[i] + j]
            end += field_sizes[i] - 1
        text[end] = CLOSE_LIST
        end += 1
        lists[n_lists - 1, 2] = end - lists[n_lists - 1, 1]
    return n_lists
