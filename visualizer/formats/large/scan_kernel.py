"""The kernel that finds where each field of each node stands in a native document or in JSON Lines.

It knows the structure only: values are slices of the bytes, which a JSON library reads and judges; names are
told apart as they are spelled. What is not plainly regular (a syntax error, a field twice, too many names) it
does not explain; it says so, and the patient reader is asked instead.

It is longer than 300 lines because an automaton has its states, bytes and steps in one place.
"""

from __future__ import annotations

from typing import Any, Final

import numpy.typing as npt

from plyscope.engine.jit import kernel

Array = npt.NDArray[Any]

MOST_NAMES: Final = 480
"""Distinct names of fields in one file."""
NAME_BITS: Final = 5
"""What a node has stated is a bit a name, in words of two to the power of this."""
LAST_BIT: Final = 2**NAME_BITS - 1
NAME_WORDS: Final = MOST_NAMES >> NAME_BITS
LONGEST_NAME: Final = 200
"""Bytes of a name as it is spelled."""
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
"""Whether lone trees are in a list, which has begun before, or one on each line."""
LIST_OF_TREES: Final = 1
LINES_OF_TREES: Final = 2
LIMIT: Final = 10
"""The place from which on no object and no field of a document begins that is to be read now."""
LABELS: Final = 11
"""The name under which keys of nodes are told, where maps from key to node may hold children; -1 for none."""
STATE_SIZE: Final = 12

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

TAB: Final = 9
NEWLINE: Final = 10
RETURN: Final = 13
SPACE: Final = 32
QUOTE: Final = ord('"')
COMMA: Final = ord(",")
COLON: Final = ord(":")
BACKSLASH: Final = ord("\\")
OPEN_LIST: Final = ord("[")
CLOSE_LIST: Final = ord("]")
OPEN_OBJECT: Final = ord("{")
CLOSE_OBJECT: Final = ord("}")
SMALL_N: Final = ord("n")


@kernel
def after_space(data: Array, pos: int, lines: bool) -> int:
    """The first place from `pos` on that is no space; with `lines` a line's end is none either."""
    while pos < len(data):
        byte = data[pos]
        if not (byte in (SPACE, TAB, RETURN) or (byte == NEWLINE and not lines)):
            break
        pos += 1
    return pos


@kernel
def after_text(data: Array, pos: int) -> int:
    """The place behind the text that begins at `pos`, -1 where it does not end."""
    pos += 1
    while pos < len(data):
        if data[pos] == QUOTE:
            return pos + 1
        pos += 2 if data[pos] == BACKSLASH else 1
    return -1


@kernel
def after_value(data: Array, pos: int, lines: bool) -> int:
    """The place behind the value that begins at `pos`, -1 where there is none or it does not end.

    Of lists and objects only the number of brackets is counted; with `lines` they lie on one line.
    """
    if pos >= len(data):
        return -1
    byte = data[pos]
    if byte == QUOTE:
        return after_text(data, pos)
    if byte in (OPEN_LIST, OPEN_OBJECT):
        n_open = 0
        while pos < len(data):
            byte = data[pos]
            if byte == QUOTE:
                pos = after_text(data, pos)
                if pos < 0:
                    return -1
                continue
            if byte in (OPEN_LIST, OPEN_OBJECT):
                n_open += 1
            elif byte in (CLOSE_LIST, CLOSE_OBJECT):
                n_open -= 1
                if n_open == 0:
                    return pos + 1
            elif byte == NEWLINE and lines:
                return -1
            pos += 1
        return -1
    begin = pos
    while pos < len(data):
        byte = data[pos]
        if byte in (COMMA, CLOSE_OBJECT, CLOSE_LIST) or byte <= SPACE:
            break
        pos += 1
    return pos if pos > begin else -1


@kernel
def name_at(data: Array, begin: int, guess: int, n_names: int, names: Array, sizes: Array) -> int:
    """The number of the name that begins at `begin`; `n_names` for a new one, which is added; -1 for none.

    `guess` is the name that followed the last one before. Escapes are part of a name.
    """
    size = sizes[guess]
    if guess < n_names and begin + size < len(data) and data[begin + size] == QUOTE:
        i = 0
        while i < size and data[begin + i] == names[guess, i]:
            i += 1
        if i == size:
            return guess
    size = 0
    while begin + size < len(data) and data[begin + size] != QUOTE:
        byte = data[begin + size]
        size += 2 if byte == BACKSLASH else 1
        if byte < SPACE or size > LONGEST_NAME:
            return -1
    if begin + size >= len(data):
        return -1
    for name in range(n_names):
        if sizes[name] == size and (size == 0 or names[name, 0] == data[begin]):
            i = 0
            while i < size and data[begin + i] == names[name, i]:
                i += 1
            if i == size:
                return name
    if n_names == MOST_NAMES:
        return -1
    for i in range(size):
        names[n_names, i] = data[begin + i]
    sizes[n_names] = size
    return n_names


@kernel
def is_named(data: Array, begin: int, end: int, names: Array, sizes: Array, name: int) -> bool:
    """Return whether the name of that number is spelled from `begin` to `end`."""
    i = 0
    while i < sizes[name] and begin + i < end and data[begin + i] == names[name, i]:
        i += 1
    return bool(i == sizes[name] and i == end - begin)


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
) -> int:
    """Go on from `state` until the file ends or the room for what is found does; returns how it came back.

    records    rows of node, name, begin and size of each value; the node is -1 for fields of the header
    parents    the parent of each node that is new, in a document
    beside     begin and end of the lines without `id`, whose records are left out
    stack      of each open object, the document's own first: node, what holds its children, names it stated
    names, sizes, following    the names met, and which came last after each
    """
    pos, where, depth = state[POS], state[WHERE], state[DEPTH]
    n_nodes, n_names, last, tree = state[N_NODES], state[N_NAMES], state[LAST_NAME], state[TREE]
    first_node, n_records, n_beside, line_begin, line_record = n_nodes, 0, 0, pos, 0
    came_back, limit = IRREGULAR, state[LIMIT]
    in_list, in_lines = state[IN_LIST] != 0, state[IN_LIST] == LINES_OF_TREES
    labels = state[LABELS]
    while True:
        # Room is asked for before an object begins, as much as the most names need. Of lines only between
        # two: one without `id` takes back what it has written, which must not have been handed over.
        is_between = not lines or where == LINE
        if is_between and (
            n_records + MOST_NAMES > len(records)
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
                end = after_value(data, pos, lines)
                if end < 0:
                    break
                records[n_records, 0] = stack[depth, OF_NODE]
                records[n_records, 1] = name
                records[n_records, 2] = pos
                records[n_records, 3] = end - pos
                n_records += 1
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
        elif where == AFTER_CHILD and byte == COMMA and not (in_lines and depth == 0):
            where = NEXT_KEY if stack[depth, HOLDS] == A_MAP else NEXT_CHILD
        elif where == AFTER_CHILD and in_lines and depth == 0:
            where = NEXT_CHILD
            continue
        elif stack[depth, HOLDS] == A_MAP and (where in (AFTER_CHILD, FIRST_KEY)) and byte == CLOSE_OBJECT:
            where = AFTER_VALUE
        elif (
            (where == AFTER_CHILD or (where == FIRST_CHILD and depth > 0))
            and byte == CLOSE_LIST
            and stack[depth, HOLDS] == A_LIST
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
            parents[n_nodes - first_node] = stack[depth, OF_NODE]
            depth += 1
            stack[depth, OF_NODE] = n_nodes
            stack[depth, HOLDS] = A_LIST
            for word in range(STATED, STATED + (n_names >> NAME_BITS) + 1):
                stack[depth, word] = 0
            n_nodes += 1
            where = FIRST_MEMBER
        else:
            break
        pos += 1
    state[POS], state[WHERE], state[DEPTH] = pos, where, depth
    state[N_NODES], state[N_NAMES], state[LAST_NAME], state[TREE] = n_nodes, n_names, last, tree
    state[N_RECORDS], state[N_BESIDE] = n_records, n_beside
    return came_back


@kernel
def scan_members(
    data: Array,
    begins: Array,
    sizes: Array,
    n_names: int,
    names: Array,
    name_sizes: Array,
    following: Array,
    seen: Array,
    records: Array,
) -> int:
    """Find the members of objects, whose slices are given; other slices have none.

    records    room for all: rows of slice, name, begin and size of each value
    following  the names that came last after each; its last place is for how many names there are now
    seen       room for a number a name

    Returns how many records there are, -1 where an object is not plainly regular.
    """
    n_records, last = 0, 0
    seen[:] = -1
    for i in range(len(begins)):
        pos, end = begins[i], begins[i] + sizes[i]
        if data[pos] != OPEN_OBJECT:
            continue
        pos = after_space(data, pos + 1, False)
        if pos < end and data[pos] == CLOSE_OBJECT:
            continue
        first = n_records
        while pos < end and data[pos] == QUOTE:
            name = name_at(data, pos + 1, following[last], n_names, names, name_sizes)
            if name < 0:
                return -1
            n_names = max(n_names, name + 1)
            if seen[name] == i:
                return -1
            seen[name] = i
            following[last] = name
            last = name
            pos = after_space(data, pos + name_sizes[name] + 2, False)
            if pos >= end or data[pos] != COLON:
                return -1
            pos = after_space(data, pos + 1, False)
            after = after_value(data, pos, False)
            if after < 0 or after > end:
                return -1
            records[n_records, 0] = i
            records[n_records, 1] = name
            records[n_records, 2] = pos
            records[n_records, 3] = after - pos
            n_records += 1
            pos = after_space(data, after, False)
            if pos >= end or data[pos] != COMMA:
                break
            pos = after_space(data, pos + 1, False)
        if pos + 1 != end or data[pos] != CLOSE_OBJECT or n_records == first:
            return -1
    following[len(following) - 1] = n_names
    return n_records


@kernel
def last_comma(data: Array, limit: int, opened: Array, found: Array) -> int:
    """The place of the last comma before `limit` that parts two values, 0 where there is none.

    opened    the brackets that are open at `limit`
    found     how many those are

    Returns -1 where more are open than there is room for.
    """
    pos, depth, comma = 0, 0, 0
    while pos < limit:
        byte = data[pos]
        if byte == QUOTE:
            pos = after_text(data, pos)
            if pos < 0:
                break
            continue
        if byte == COMMA:
            comma = pos
        elif byte in (OPEN_LIST, OPEN_OBJECT):
            if depth == len(opened):
                return -1
            opened[depth] = byte
            depth += 1
        elif byte in (CLOSE_LIST, CLOSE_OBJECT) and depth > 0:
            depth -= 1
        pos += 1
    found[0] = depth
    return comma


@kernel
def member_at(data: Array, pos: int, name: Array) -> int:
    """The place of the value that the object from `pos` on has under `name`, in its quotes; -1 for none."""
    if pos >= len(data) or data[pos] != OPEN_OBJECT:
        return -1
    return member_from(data, pos + 1, name)


@kernel
def member_from(data: Array, pos: int, name: Array) -> int:
    """The place of the value under `name` among the members of an object from `pos` on; -1 for none."""
    pos = after_space(data, pos, False)
    while pos < len(data) and data[pos] == QUOTE:
        after = after_text(data, pos)
        if after < 0:
            return -1
        is_it = after - pos == len(name)
        i = 0
        while is_it and i < len(name):
            is_it = data[pos + i] == name[i]
            i += 1
        pos = after_space(data, after, False)
        if pos >= len(data) or data[pos] != COLON:
            return -1
        pos = after_space(data, pos + 1, False)
        if is_it:
            return pos
        pos = after_value(data, pos, False)
        if pos < 0:
            return -1
        pos = after_space(data, pos, False)
        if pos >= len(data) or data[pos] != COMMA:
            return -1
        pos = after_space(data, pos + 1, False)
    return -1
