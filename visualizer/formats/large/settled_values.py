"""The kernel that judges JSON values: those that a library, having read them, writes with the same bytes.

Such a value is *settled*: its numbers are in their shortest form, its texts have no escapes, nothing stands
between its parts, and no object has a name twice.
"""

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
    SMALL_N,
    SPACE,
    after_text,
    after_value,
)
from plyscope.visualizer.formats.large.slices import MINUS, NINE, POINT, ZERO
from plyscope.visualizer.formats.tape.decimals import POWERS, decimal, rounded_off

Array = npt.NDArray[Any]

MOST_DIGITS_OF_WHOLE: Final = 18
"""A whole number of so many digits fits 64 bits."""
MOST_DIGITS: Final = 15
"""Decimals of so many digits are floats of their own: none is written shorter, none as another."""
MOST_DIGITS_WRITTEN: Final = 17
"""No float is written with more."""
HALF: Final = 0.5 - 1e-9
"""Of the last digit: a decimal that is so near to its float is the nearest of its length."""
MOST_ZEROS: Final = 3
"""Zeros behind the point of a number below 1, with which it is written without an exponent."""
LAST_ASCII: Final = 126
MOST_LEVELS: Final = 16
MOST_MEMBERS: Final = 16
"""Names of one object, which are compared with one another; larger ones are left to the library."""
WORDS: Final = np.frombuffer(b"truefalsenull", dtype=np.uint8)
SMALL_T: Final = ord("t")
SMALL_F: Final = ord("f")


@kernel
def after_settled_text(data: Array, pos: int, end: int) -> int:
    """The place behind a text without an escape, -1 where it has one or does not end.

    Beyond ASCII the library judges whether the bytes are UTF-8.
    """
    pos += 1
    while pos < end:
        byte = data[pos]
        if byte == QUOTE:
            return pos + 1
        if byte == BACKSLASH or byte < SPACE or byte > LAST_ASCII:
            return -1
        pos += 1
    return -1


@kernel
def after_digits(data: Array, pos: int, end: int) -> int:
    """The first place from `pos` on that is no digit."""
    while pos < end and ZERO <= data[pos] <= NINE:
        pos += 1
    return pos


@kernel
def is_shortest(data: Array, pos: int, end: int) -> bool:
    """Return whether a decimal of more than `MOST_DIGITS` digits is how its float is written.

    It is where no decimal that has a digit less is the same float, and of those that have as many none is
    nearer to it.
    """
    digits: Any = 0
    n_digits, power = 0, 0
    is_behind = False
    for i in range(pos, end):
        if data[i] == POINT:
            is_behind = True
            continue
        digits = digits * 10 + (np.int64(data[i]) - ZERO)
        n_digits += digits > 0
        power -= is_behind
        if n_digits > MOST_DIGITS_WRITTEN:
            return False
    if n_digits <= MOST_DIGITS:
        return True
    value = decimal(digits, power)
    fewer = digits // 10
    return bool(
        value != decimal(fewer, power + 1)
        and value != decimal(fewer + 1, power + 1)
        and abs(rounded_off(digits, power, value)) < HALF * POWERS[-power, 0]
    )


@kernel
def after_settled_number(data: Array, pos: int, end: int) -> int:
    """The place behind a number in its shortest form and without an exponent, -1 where it is none."""
    is_negative = data[pos] == MINUS
    if is_negative:
        pos += 1
    first = pos
    pos = after_digits(data, pos, end)
    n_whole = pos - first
    if n_whole == 0 or (n_whole > 1 and data[first] == ZERO):
        return -1
    is_zero = n_whole == 1 and data[first] == ZERO
    if pos == end or data[pos] != POINT:
        return -1 if n_whole > MOST_DIGITS_OF_WHOLE or (is_negative and is_zero) else pos
    first_after = pos + 1
    pos = after_digits(data, first_after, end)
    n_after = pos - first_after
    is_long = n_whole + n_after > MOST_DIGITS
    if n_after == 0 or n_whole > MOST_DIGITS or n_after > MOST_ZEROS + MOST_DIGITS_WRITTEN:
        return -1
    if n_after > 1 or is_long:
        if data[pos - 1] == ZERO:
            return -1
        # Small numbers are written with an exponent, in one library or another.
        if is_zero and n_after > MOST_ZEROS:
            for i in range(MOST_ZEROS + 1):
                if data[first_after + i] != ZERO:
                    break
            else:
                return -1
    if is_long and not is_shortest(data, first, pos):
        return -1
    return pos


@kernel
def has_name_before(data: Array, begin: int, name: int, end: int) -> bool:
    """Return whether the object from `begin` on has the name that stands from `name` to `end` before.

    True too where it has too many names to tell.
    """
    pos = begin + 1
    for _ in range(MOST_MEMBERS):
        if pos == name:
            return False
        after = after_text(data, pos)
        if after - pos == end - name:
            i = 0
            while i < end - name and data[pos + i] == data[name + i]:
                i += 1
            if i == end - name:
                return True
        pos = after_value(data, after + 1, False) + 1
    return True


@kernel
def is_settled(data: Array, pos: int, end: int, objects: Array) -> bool:
    """Return whether the value from `pos` to `end` is JSON as the library writes it, no name twice.

    `objects` has room for the begin of each open object, -1 for a list.
    """
    depth = 0
    wants_name = False
    while pos < end:
        byte = data[pos]
        if wants_name:
            if byte != QUOTE:
                return False
            after = after_settled_text(data, pos, end)
            if after < 0 or after + 1 >= end or data[after] != COLON:
                return False
            if has_name_before(data, objects[depth - 1], pos, after):
                return False
            pos = after + 1
            byte = data[pos]
            wants_name = False
        if byte == QUOTE:
            pos = after_settled_text(data, pos, end)
        elif byte == MINUS or ZERO <= byte <= NINE:
            pos = after_settled_number(data, pos, end)
        elif byte in (OPEN_LIST, OPEN_OBJECT):
            is_object = byte == OPEN_OBJECT
            if depth == MOST_LEVELS or pos + 1 >= end:
                return False
            if data[pos + 1] != (CLOSE_OBJECT if is_object else CLOSE_LIST):
                objects[depth] = pos if is_object else -1
                depth += 1
                wants_name = is_object
                pos += 1
                continue
            pos += 2
        elif byte in (SMALL_T, SMALL_F, SMALL_N):
            word = 0 if byte == SMALL_T else 4 if byte == SMALL_F else 9
            size = 5 if byte == SMALL_F else 4
            if pos + size > end:
                return False
            for i in range(size):
                if data[pos + i] != WORDS[word + i]:
                    return False
            pos += size
        else:
            return False
        if pos < 0:
            return False
        while (
            depth > 0 and pos < end and data[pos] == (CLOSE_LIST if objects[depth - 1] < 0 else CLOSE_OBJECT)
        ):
            depth -= 1
            pos += 1
        if depth == 0:
            return pos == end
        if pos >= end or data[pos] != COMMA:
            return False
        wants_name = objects[depth - 1] >= 0
        pos += 1
    return False


@kernel
def find_settled(data: Array, begins: Array, sizes: Array, objects: Array, settled: Array) -> int:
    """Say which slices are settled; returns how many."""
    n_settled = 0
    for i in range(len(begins)):
        settled[i] = is_settled(data, begins[i], begins[i] + sizes[i], objects)
        n_settled += settled[i]
    return n_settled
