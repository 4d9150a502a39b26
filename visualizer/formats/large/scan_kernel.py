"""The kernel that finds where each field of each node stands in a native document or in JSON Lines.

It knows the structure only: values are slices of the bytes, which a JSON library reads and judges; names are
told apart as they are spelled. What is not plainly regular (a syntax error, a field twice, too many names) it
does not explain; it says so, and the patient reader is asked instead.

It is longer than 300 lines because the scan is one function, with the words for its state before it.
"""

from __future__ import annotations

from typing import Any, Final

import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.large.json_places import (
    CLOSE_LIST,
    CLOSE_OBJECT,
    COLON,
    COMMA,
    NEWLINE,
    OPEN_LIST,
    OPEN_OBJECT,
    QUOTE,
    SMALL_N,
    after_null,
    after_space,
    after_text,
    after_value,
)
from plyscope.visualizer.formats.large.member_names import (
    MOST_INNER,
    MOST_NAMES,
    MOST_OPENED,
    is_named,
    name_at,
    scan_object,
)
from plyscope.visualizer.formats.large.slices import MINUS, NINE, ZERO

Array = npt.NDArray[Any]

NAME_BITS: Final = 5
"""What a node has stated is a bit a name, in words of two to the power of this."""
LAST_BIT: Final = 2**NAME_BITS - 1
NAME_WORDS: Final = MOST_NAMES >> NAME_BITS
KNOWN_NAMES: Final = (b"children", b"root", b"roots", b"id")
CHILDREN: Final = 0
ROOT: Final = 1
ROOTS: Final = 2
ID: Final = 3

# What `scan` comes back with.
DONE: Final = 0
MORE: Final = 1
DEEPER: Final = 2
IRREGULAR: Final = 3

# The places of the state that is kept between calls.
POS: Final = 0
WHERE: Final = 1
DEPTH: Final = 2
N_NODES: Final = 3
N_NAMES: Final = 4
LAST_NAME: Final = 5
TREE: Final = 6
N_RECORDS: Final = 7
N_BESIDE: Final = 8
IN_LIST: Final = 9
"""Whether lone trees are in a list or map, which has begun before, or one on each line."""
LIST_OF_TREES: Final = 1
LINES_OF_TREES: Final = 2
MAP_OF_TREES: Final = 3
"""A map from key to tree, which has begun before; the keys are told as those of maps of children are."""
LIMIT: Final = 10
"""The place from which on no object and no field of a document begins that is to be read now."""
LABELS: Final = 11
"""The name under which keys of nodes are told, where maps from key to node may hold children; -1 for none."""
KEPT: Final = 12
"""Where every object in a node is a child: the number of the first name under which one is; else -1."""
PURE: Final = 13
"""Whether a number under such a name is a child too, and no node has anything but objects and numbers."""
LABELLED: Final = 14
"""Whether each object in a list of children is `{"its name": {the node}}`."""
N_PLAIN: Final = 15
"""Children in lists that are a text, which leads to them, or a number."""
STATE_SIZE: Final = 16
MOST_OF_NODE: Final = MOST_NAMES + MOST_OPENED * MOST_INNER
"""Records that one node may have."""

# The places of a row of the stack: an open object.
OF_NODE: Final = 0
HOLDS: Final = 1
STATED: Final = 2
STACK_SIZE: Final = STATED + NAME_WORDS

# What holds the children of an open node.
A_LIST: Final = 0
A_MAP: Final = 1

# What may come next.
LINE: Final = 0
DOCUMENT: Final = 1
FIRST_MEMBER: Final = 2
NEXT_MEMBER: Final = 3
AFTER_VALUE: Final = 4
FIRST_CHILD: Final = 5
NEXT_CHILD: Final = 6
AFTER_CHILD: Final = 7
LINE_END: Final = 8
END: Final = 9
FIRST_KEY: Final = 10
NEXT_KEY: Final = 11

# Whether the document's tree has been met, and how.
NO_TREE: Final = 0
ONE_ROOT: Final = 1
LIST_OF_ROOTS: Final = 2
LONE_TREES: Final = 3
"""One root or a list of them and no document around: the end of it is the end."""


@kernel
def scan(
    data: Array,
    lines: bool,
    state: Array,
    stack: Array,
    names: Array,
    sizes: Array,
    following: Array,
    records: Array,
    parents: Array,
    beside: Array,
    opened: Array,
    inner_names: Array,
    inner_sizes: Array,
    inner_following: Array,
    inner_counts: Array,
) -> int:
    """Go on from `state` until the file ends or the room for what is found does; returns how it came back.

    records    rows of node, name, begin and size of each value; the node is -1 for fields of the header
    parents    the parent of each node that is new, in a document
    beside     begin and end of the lines without `id`, whose records are left out
    stack      of each open object, the document's own first: node, what holds its children, names it stated
    names, sizes, following    the names met, and which came last after each
    opened     of each name one more than the number under which its objects are opened, 0 for most names
    inner_names, inner_sizes, inner_following, inner_counts    as `scan_object` takes them
    """
    pos, where, depth = state[POS], state[WHERE], state[DEPTH]
    n_nodes, n_names, last, tree = state[N_NODES], state[N_NAMES], state[LAST_NAME], state[TREE]
    first_node, n_records, n_beside, line_begin, line_record = n_nodes, 0, 0, pos, 0
    came_back, limit = IRREGULAR, state[LIMIT]
    in_list, in_lines = state[IN_LIST] != 0, state[IN_LIST] == LINES_OF_TREES
    labels, kept, is_pure = state[LABELS], state[KEPT], state[PURE] != 0
    is_labelled, n_plain = state[LABELLED] != 0, state[N_PLAIN]
    while True:
        # Room is asked for before an object begins, as much as the most names need. Of lines only between
        # two: one without `id` takes back what it has written, which must not have been handed over.
        is_between = not lines or where == LINE
        if is_between and (
            n_records + MOST_OF_NODE > len(records)
            or n_nodes - first_node == len(parents)
            or n_beside == len(beside)
            or pos >= limit
        ):
            came_back = MORE
            break
        if depth + 1 == len(stack):
            came_back = DEEPER
            break
        pos = after_space(data, pos, lines and where != LINE)
        if pos >= len(data):
            if where in (END, LINE, LINE_END) or (in_lines and where == AFTER_CHILD and depth == 0):
                came_back = DONE
            break
        byte = data[pos]
        if where in (FIRST_MEMBER, NEXT_MEMBER):
            if byte == QUOTE:
                name = name_at(data, pos + 1, following[last], n_names, names, sizes)
                if name < 0:
                    break
                if kept >= 0:
                    place = after_space(data, pos + sizes[name] + 2, lines)
                    place = after_space(data, place + 1, lines)
                    if place >= len(data):
                        break
                    byte = data[place]
                    is_number = is_pure and (byte == MINUS or ZERO <= byte <= NINE)
                    if (byte == OPEN_OBJECT and (is_pure or name >= kept)) or (is_number and name >= kept):
                        word, bit = STATED + (name >> NAME_BITS), 1 << (name & LAST_BIT)
                        colon = after_space(data, pos + sizes[name] + 2, lines)
                        if data[colon] != COLON or (name < n_names and stack[depth, word] & bit):
                            break
                        if name < n_names:
                            stack[depth, word] |= bit
                        records[n_records, 0] = n_nodes
                        records[n_records, 1] = labels
                        records[n_records, 2] = pos
                        records[n_records, 3] = sizes[name] + 2
                        n_records += 1
                        pos = place
                        where = NEXT_CHILD
                        if is_number:
                            pos = after_value(data, place, lines)
                            if pos < 0:
                                break
                            records[n_records, 0] = n_nodes
                            records[n_records, 1] = CHILDREN
                            records[n_records, 2] = place
                            records[n_records, 3] = pos - place
                            n_records += 1
                            parents[n_nodes - first_node] = stack[depth, OF_NODE]
                            n_nodes += 1
                            where = AFTER_VALUE
                        continue
                    if is_pure and byte != SMALL_N and not is_number:
                        break
                if name == n_names:
                    n_names += 1
                following[last] = name
                last = name
                pos = after_space(data, pos + sizes[name] + 2, lines)
                word, bit = STATED + (name >> NAME_BITS), 1 << (name & LAST_BIT)
                if pos >= len(data) or data[pos] != COLON or stack[depth, word] & bit:
                    break  # a name twice too: the patient reader knows which of them counts
                stack[depth, word] |= bit
                pos = after_space(data, pos + 1, lines)
                if pos >= len(data):
                    break
                byte = data[pos]
                if name == CHILDREN and depth > 0:
                    if byte == OPEN_LIST and not lines:
                        stack[depth, HOLDS] = A_LIST
                        where = FIRST_CHILD
                        pos += 1
                        continue
                    if byte == OPEN_OBJECT and labels >= 0:
                        stack[depth, HOLDS] = A_MAP
                        where = FIRST_KEY
                        pos += 1
                        continue
                    if byte != SMALL_N or lines:
                        break
                elif (name in (ROOT, ROOTS)) and depth == 0:
                    if tree != NO_TREE:
                        break
                    if name == ROOTS and byte == OPEN_LIST:
                        tree = LIST_OF_ROOTS
                        where = FIRST_CHILD
                        pos += 1
                        continue
                    if name == ROOTS or byte != OPEN_OBJECT:
                        break
                    tree = ONE_ROOT
                    where = NEXT_CHILD
                    continue
                if kept >= 0 and byte == SMALL_N:  # which says nothing of a node
                    pos = after_null(data, pos)
                    if pos < 0:
                        break
                    where = AFTER_VALUE
                    continue
                record = n_records
                n_records += 1
                end = -1
                if opened[name] > 0 and byte == OPEN_OBJECT and depth > 0:
                    end = scan_object(
                        data,
                        pos,
                        stack[depth, OF_NODE],
                        n_records,
                        opened[name] - 1,
                        inner_names,
                        inner_sizes,
                        inner_following,
                        inner_counts,
                        records,
                    )
                    if end < 0:
                        opened[name] = 0  # from here on as a whole, which is then looked into again
                    else:
                        n_records = inner_counts[MOST_OPENED]
                if end < 0:
                    end = after_value(data, pos, lines)
                if end < 0:
                    break
                records[record, 0] = stack[depth, OF_NODE]
                records[record, 1] = name
                records[record, 2] = pos
                records[record, 3] = end - pos
                pos = end
                where = AFTER_VALUE
                continue
            if byte != CLOSE_OBJECT or where == NEXT_MEMBER:
                break
        if where in (FIRST_KEY, NEXT_KEY) and byte == QUOTE:
            after = after_text(data, pos)
            if after < 0 or is_named(data, pos + 1, after - 1, names, sizes, CHILDREN):
                break  # the children's own name in it: one node, and no map of nodes
            key, size = pos, after - pos
            pos = after_space(data, after, lines)
            if pos >= len(data) or data[pos] != COLON:
                break
            pos = after_space(data, pos + 1, lines)
            if pos >= len(data) or data[pos] != OPEN_OBJECT:
                break
            records[n_records, 0] = n_nodes
            records[n_records, 1] = labels
            records[n_records, 2] = key
            records[n_records, 3] = size
            n_records += 1
            where = NEXT_CHILD
            continue
        if where == AFTER_VALUE and byte == COMMA:
            where = NEXT_MEMBER
        elif where in (AFTER_VALUE, FIRST_MEMBER):
            if byte != CLOSE_OBJECT:
                break
            if lines:
                if not stack[depth, STATED] >> ID & 1:
                    beside[n_beside, 0] = line_begin
                    beside[n_beside, 1] = pos + 1
                    n_beside += 1
                    n_records = line_record
                    n_nodes -= 1
                where = LINE_END
            elif depth == 0:
                where = END
            else:
                where = AFTER_VALUE if depth == 1 and tree == ONE_ROOT else AFTER_CHILD
            if depth > 0:
                depth -= 1
            if where == AFTER_CHILD and depth == 0 and tree == LONE_TREES and not in_list:
                pos += 1
                came_back = DONE
                break
            if where == AFTER_CHILD and kept >= 0:
                where = AFTER_VALUE
            if where == AFTER_CHILD and is_labelled:
                pos = after_space(data, pos + 1, False)
                if pos >= len(data) or data[pos] != CLOSE_OBJECT:
                    break
        elif where == AFTER_CHILD and byte == COMMA and not (in_lines and depth == 0):
            where = NEXT_KEY if stack[depth, HOLDS] == A_MAP else NEXT_CHILD
        elif where == AFTER_CHILD and in_lines and depth == 0:
            where = NEXT_CHILD
            continue
        elif (where in (AFTER_CHILD, FIRST_KEY) or (where == FIRST_CHILD and depth > 0)) and byte == (
            CLOSE_LIST if stack[depth, HOLDS] == A_LIST else CLOSE_OBJECT
        ):
            where = AFTER_VALUE
            if depth == 0 and tree == LONE_TREES:
                pos += 1
                came_back = DONE
                break
        elif where == LINE_END and byte == NEWLINE:
            where = LINE
        elif where == DOCUMENT and byte == OPEN_OBJECT:
            where = FIRST_MEMBER
        elif (where in (FIRST_CHILD, NEXT_CHILD, LINE)) and byte == OPEN_OBJECT:
            if lines:
                line_begin, line_record = pos, n_records
            if is_labelled and depth > 0:
                pos = after_space(data, pos + 1, False)
                after = after_text(data, pos) if pos < len(data) and data[pos] == QUOTE else -1
                if after < 0 or is_named(data, pos + 1, after - 1, names, sizes, CHILDREN):
                    break
                records[n_records, 0] = n_nodes
                records[n_records, 1] = labels
                records[n_records, 2] = pos
                records[n_records, 3] = after - pos
                n_records += 1
                pos = after_space(data, after, False)
                if pos >= len(data) or data[pos] != COLON:
                    break
                pos = after_space(data, pos + 1, False)
                if pos >= len(data) or data[pos] != OPEN_OBJECT:
                    break
            parents[n_nodes - first_node] = stack[depth, OF_NODE]
            depth += 1
            stack[depth, OF_NODE] = n_nodes
            stack[depth, HOLDS] = A_LIST
            for word in range(STATED, STATED + (n_names >> NAME_BITS) + 1):
                stack[depth, word] = 0
            n_nodes += 1
            where = FIRST_MEMBER
        elif where in (FIRST_CHILD, NEXT_CHILD) and labels >= 0 and depth > 0:
            if byte != QUOTE and byte != MINUS and not ZERO <= byte <= NINE:
                break
            end = after_value(data, pos, False)
            if end < 0:
                break
            records[n_records, 0] = n_nodes
            records[n_records, 1] = labels if byte == QUOTE else CHILDREN
            records[n_records, 2] = pos
            records[n_records, 3] = end - pos
            n_records += 1
            parents[n_nodes - first_node] = stack[depth, OF_NODE]
            n_nodes += 1
            n_plain += 1
            pos = end
            where = AFTER_CHILD
            continue
        else:
            break
        pos += 1
    state[POS], state[WHERE], state[DEPTH] = pos, where, depth
    state[N_NODES], state[N_NAMES], state[LAST_NAME], state[TREE] = n_nodes, n_names, last, tree
    state[N_RECORDS], state[N_BESIDE], state[N_PLAIN] = n_records, n_beside, n_plain
    return came_back
