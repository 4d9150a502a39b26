"""Kernels that find where values of a JSON text begin and end: they know brackets, quotes and commas only."""

from __future__ import annotations

from typing import Any, Final

import numpy.typing as npt

from plyscope.engine.jit import kernel

Array = npt.NDArray[Any]

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
def after_null(data: Array, pos: int) -> int:
    """The place behind `null`, -1 where it does not stand there."""
    if pos + 4 > len(data) or data[pos + 1] != 0x75 or data[pos + 2] != 0x6C or data[pos + 3] != 0x6C:
        return -1
    return pos + 4


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
