"""The one pass over the bytes of a document: JSON text → a row for each value, in pre-order.

`scan` is a loop over tokens that may stop before any token, where the bytes end or the rows are full. It
resumes from the numbers in `state`, the stack of open containers and the names met so far. It allocates
nothing: where an array is too small it returns the reason and is called again. It accepts JSON by RFC 8259,
as orjson does, and the words `NaN`, `Infinity` and `-Infinity`, which many programs write.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.tape.kinds import ESCAPED, FALSE, LIST, NULL, NUMBER, OBJECT, TEXT, TRUE
from plyscope.visualizer.formats.tape.tokens import (
    ESCAPES,
    INFINITY,
    MORE,
    SEEN,
    SYNTAX,
    read_number,
    text_end,
    word_at,
)

Array = npt.NDArray[Any]

VALUE, KEY, COLON, KEY_OR_END, ITEM_OR_END, AFTER = range(6)
"""The tokens that may come next; from the fourth on, a container may close."""

FULL, DEEP, NAMES, SPELLED, TRAILING, SPLIT_LINE = 1, 2, 3, 4, 6, 10
"""Reasons of `scan` to stop, beside those of `tokens`: the rows are full, the stack or the names need room, a
new name has escapes; and two errors: data follows the document, or its line ends within it."""

POS, ROWS, DEPTH, N_NAMES, EXPECTS, NAME, BEFORE = range(7)
LOW, BASE, LINE_ENDED, NEXT_KIND, NEXT_UP = range(9, 14)
"""Places in `state`. POS: the byte to go on from; ROWS: rows written in this piece; NAME: the name of the
next value; BEFORE: the name met last; LOW: the least depth in this piece; BASE: the number of the first row
in the document; LINE_ENDED: whether a line ended since the last document; NEXT_KIND, NEXT_UP: kind and
container of a value that is left to the next piece, if any."""
N_STATE: Final = 14

ONE, MANY, LINES = range(3)
"""One document; any number of them; any number, one a line."""

NAN: Final = np.frombuffer(b"NaN", np.uint8)
WORD_TRUE: Final = np.frombuffer(b"true", np.uint8)
WORD_FALSE: Final = np.frombuffer(b"false", np.uint8)
WORD_NULL: Final = np.frombuffer(b"null", np.uint8)


@kernel
def find_name(
    data: Array,
    begin: int,
    end: int,
    n_names: int,
    seed: int,
    pool: Array,
    name_at: Array,
    hashes: Array,
    slots: Array,
) -> int:
    """The number of the name in these bytes; `n_names` if it is new and now entered, -1 without room."""
    h: Any = seed
    for i in range(begin, end):
        h = (h * 31 + np.int64(data[i])) & 0xFFFFFFFF
    h = ((h ^ (h >> 15)) * seed) & 0x7FFFFFFF
    mask = len(slots) - 1
    place = (h ^ (h >> 13)) & mask
    while slots[place] >= 0:
        name = slots[place]
        at = name_at[name]
        if hashes[name] == h and name_at[name + 1] - at == end - begin:
            i = 0
            while i < end - begin and pool[at + i] == data[begin + i]:
                i += 1
            if i == end - begin:
                return int(name)
        place = (place + 1) & mask
    at = name_at[n_names]
    if n_names >= min(len(hashes), len(name_at) - 1) or 2 * n_names >= len(slots):
        return -1
    if at + end - begin > len(pool):
        return -1
    for i in range(end - begin):
        pool[at + i] = data[begin + i]
    slots[place] = n_names
    hashes[n_names] = h
    name_at[n_names + 1] = at + end - begin
    return n_names


@kernel
def is_name_at(data: Array, at: int, begin: int, size: int, pool: Array) -> bool:
    """Whether this name of the pool stands at `at`, followed by a quote."""
    if at + size >= len(data) or data[at + size] != 34:
        return False
    i = 0
    while i < size and pool[begin + i] == data[at + i]:
        i += 1
    return i == size


@kernel
def scan(
    data: Array,
    is_last: bool,
    mode: int,
    seed: int,
    state: Array,
    kind: Array,
    key: Array,
    begin: Array,
    end: Array,
    up: Array,
    value: Array,
    holder: Array,
    is_object: Array,
    closed_at: Array,
    pool: Array,
    name_at: Array,
    hashes: Array,
    slots: Array,
    alias: Array,
    next_name: Array,
) -> int:
    """Write a row for each value that begins in `data`, until the rows are full; returns why it stopped.

    kind, key, value  of the value; the key is the number of its name, -1 for an item of a list
    begin, end        its first byte in the document and the one behind it, without the quotes of a text; the
                      end of a container is 0 while it is open
    up                the row of its container in this piece, -1 where it has none, -2 - depth for a container
                      that began in an earlier piece
    alias             by name, the first one that is spelled otherwise, -1 before it is met as a name
    next_name         by name, the one that followed it last
    holder, is_object, closed_at   by depth: the row in the document of the open container, and its end if it
                      began in an earlier piece and closed in this one
    """
    n = len(data)
    at, row, depth = state[POS], state[ROWS], state[DEPTH]
    expects, name = state[EXPECTS], state[NAME]
    base = state[BASE]
    code = MORE
    while True:
        while at < n and data[at] <= 32:
            byte = data[at]
            if byte == 10:
                if mode == LINES and depth > 0:
                    code = SPLIT_LINE
                    break
                state[LINE_ENDED] = 1
            elif byte != 32 and byte != 13 and byte != 9:
                break
            at += 1
        if at >= n or code != MORE:
            break
        byte = data[at]
        if expects >= KEY_OR_END:
            if depth > 0 and byte == (125 if is_object[depth - 1] else 93):
                at += 1
                depth -= 1
                closes = holder[depth] - base
                if closes >= 0:
                    end[closes] = at
                else:
                    closed_at[depth] = at
                if depth < state[LOW]:
                    state[LOW] = depth
                expects = AFTER
                if depth == 0:
                    state[LINE_ENDED] = 0
                continue
            if expects == AFTER:
                if depth > 0:
                    if byte != 44:
                        code = SYNTAX
                        break
                    at += 1
                    expects = KEY if is_object[depth - 1] else VALUE
                    continue
                if mode == ONE or (mode == LINES and state[LINE_ENDED] == 0):
                    code = TRAILING
                    break
                expects = VALUE
        if expects == COLON:
            if byte != 58:
                code = SYNTAX
                break
            at += 1
            expects = VALUE
            continue
        if expects in (KEY, KEY_OR_END):
            if byte != 34:
                code = SYNTAX
                break
            before = state[BEFORE]
            found = next_name[before]  # a guess: the name that followed the last one before
            if found >= 0 and is_name_at(
                data, at + 1, name_at[found], name_at[found + 1] - name_at[found], pool
            ):
                at += 2 + name_at[found + 1] - name_at[found]
            else:
                stop = text_end(data, at + 1 + state[SEEN], state)
                if stop < 0:
                    code = -1 - stop
                    if code > MORE:
                        at += 1 + state[SEEN]
                    break
                found = find_name(data, at + 1, stop, state[N_NAMES], seed, pool, name_at, hashes, slots)
                has_escapes = state[ESCAPES] != 0
                state[SEEN] = 0
                state[ESCAPES] = 0
                if found < 0:
                    code = NAMES
                    break
                if found == state[N_NAMES]:
                    state[N_NAMES] += 1
                if alias[found] < 0:
                    alias[found] = found
                    if has_escapes:  # the caller decodes the name
                        name = found
                        code = SPELLED
                        break
                next_name[before] = found
                at = stop + 1
            state[SEEN] = 0
            state[ESCAPES] = 0
            state[BEFORE] = found
            name = alias[found]
            expects = COLON
            continue
        if row >= len(kind):
            code = FULL
            break
        value[row] = 0.0
        if byte == 34:
            stop = text_end(data, at + 1 + state[SEEN], state)
            if stop < 0:
                code = -1 - stop
                if code > MORE:
                    at += 1 + state[SEEN]
                break
            kind[row] = ESCAPED if state[ESCAPES] != 0 else TEXT
            state[SEEN] = 0
            state[ESCAPES] = 0
            begin[row] = at + 1
            end[row] = stop
            at = stop + 1
        elif byte == 123 or byte == 91:
            if depth >= len(holder):
                code = DEEP
                break
            kind[row] = OBJECT if byte == 123 else LIST
            begin[row] = at
            end[row] = 0
            at += 1
        else:
            begin[row] = at
            if byte == 45 or 48 <= byte <= 57:
                stop = read_number(data, at, is_last and depth == 0, row, kind, value)
            else:
                found = 0
                size = 4
                if byte == 116:
                    found = word_at(data, at, WORD_TRUE)
                    kind[row] = TRUE
                elif byte == 102:
                    found = word_at(data, at, WORD_FALSE)
                    kind[row] = FALSE
                    size = 5
                elif byte == 110:
                    found = word_at(data, at, WORD_NULL)
                    kind[row] = NULL
                elif byte == 78:
                    found = word_at(data, at, NAN)
                    kind[row] = NUMBER
                    value[row] = np.nan
                    size = 3
                elif byte == 73:
                    found = word_at(data, at, INFINITY)
                    kind[row] = NUMBER
                    value[row] = np.inf
                    size = 8
                stop = at + size if found == 1 else -1 - (MORE if found < 0 else SYNTAX)
            if stop < 0:
                code = -1 - stop
                break
            end[row] = stop
            at = stop
        key[row] = name
        up[row] = -1
        if depth > 0:
            above = holder[depth - 1] - base
            up[row] = above if above >= 0 else -1 - depth
        name = -1
        expects = AFTER
        if kind[row] >= LIST:
            holder[depth] = base + row
            is_object[depth] = kind[row] == OBJECT
            depth += 1
            expects = KEY_OR_END if kind[row] == OBJECT else ITEM_OR_END
        elif depth == 0:
            state[LINE_ENDED] = 0
        row += 1
    has_just_opened = row > 0 and (expects in (KEY_OR_END, ITEM_OR_END))
    state[NEXT_KIND] = 0
    if has_just_opened and code <= FULL and not (is_last and code == MORE):
        # A container of which nothing is seen yet is left to the next piece, which sees its first value too.
        row -= 1
        depth -= 1
        at = begin[row]
        name = key[row]
        expects = VALUE
        state[NEXT_KIND] = kind[row]
        state[NEXT_UP] = up[row]
    state[POS] = at
    state[ROWS] = row
    state[DEPTH] = depth
    state[EXPECTS] = expects
    state[NAME] = name
    return code
