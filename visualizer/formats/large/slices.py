"""Kernels that read many slices of one file: sort them, find the distinct ones, read the plainest values.

Numbers are read here only where that is exact (see `tape.decimals`).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.tape.decimals import (
    MOST_DIGITS,
    MOST_EXACT_POWER,
    MOST_POWER,
    TENS,
    decimal,
)

Array = npt.NDArray[Any]

SPACE: Final = 32
COMMA: Final = ord(",")
OPEN_LIST: Final = ord("[")
CLOSE_LIST: Final = ord("]")
OPEN_OBJECT: Final = ord("{")
QUOTE: Final = ord('"')
MINUS: Final = ord("-")
POINT: Final = ord(".")
ZERO: Final = ord("0")
NINE: Final = ord("9")
SMALL_A: Final = ord("a")
SMALL_F: Final = ord("f")
NULL: Final = (ord("n"), ord("u"), ord("l"), ord("l"))

SMALL_E: Final = ord("e")
LARGE_E: Final = ord("E")

LARGEST_EXACT: Final = 10**15
"""Whole numbers below this are told apart from all others."""
LENGTH_OF_KEY: Final = 16


@kernel
def sort_records(records: Array, starts: Array, by_name: Array) -> int:
    """Sort records by name into the rows node, begin and size of `by_name`, each name from its start on.

    `starts` has two places more than there are names and is zero before. A fourth row of `by_name` gets
    the place of each record.
    """
    for i in range(len(records)):
        starts[records[i, 1] + 2] += 1
    for name in range(2, len(starts)):
        starts[name] += starts[name - 1]
    for i in range(len(records)):
        at = starts[records[i, 1] + 1]
        by_name[0, at] = records[i, 0]
        by_name[1, at] = records[i, 2]
        by_name[2, at] = records[i, 3]
        if len(by_name) > 3:
            by_name[3, at] = i
        starts[records[i, 1] + 1] = at + 1
    return len(records)


@kernel
def split_records(records: Array, is_chosen: Array, chosen: Array, others: Array) -> int:
    """Part records by their names, of which some are chosen; returns how many records have such a name.

    Records of a node below 0 are never chosen. There is room for all of them in both.
    """
    n_chosen, n_others = 0, 0
    for i in range(len(records)):
        if is_chosen[records[i, 1]] and records[i, 0] >= 0:
            for j in range(4):
                chosen[n_chosen, j] = records[i, j]
            n_chosen += 1
        else:
            for j in range(4):
                others[n_others, j] = records[i, j]
            n_others += 1
    return n_chosen


@kernel
def list_slices(data: Array, begins: Array, sizes: Array, text: Array) -> int:
    """Write the slices as one JSON list into `text`, which has room for it; returns the bytes written."""
    text[0] = OPEN_LIST
    at = 1
    for row in range(len(begins)):
        if row > 0:
            text[at] = COMMA
            at += 1
        for i in range(sizes[row]):
            text[at + i] = data[begins[row] + i]
        at += sizes[row]
    text[at] = CLOSE_LIST
    return at + 1


@kernel
def find_distinct(data: Array, begins: Array, sizes: Array, table: Array, firsts: Array, codes: Array) -> int:
    """Give each slice the number of the distinct one it equals; returns how many those are.

    firsts  the first slice of each distinct kind; -1 is returned where there is no room for all
    table   for hashing, all -1 before; its length is a power of 2 and at least twice that of `firsts`
    """
    n_distinct = 0
    for i in range(len(begins)):
        begin, size = begins[i], sizes[i]
        place = size
        for j in range(size):
            place = (place * 31 + data[begin + j]) & 0xFFFFFFFF
        place = (place ^ (place >> 15)) & (len(table) - 1)
        while True:
            code = table[place]
            if code < 0:
                if n_distinct == len(firsts):
                    return -1
                table[place] = n_distinct
                firsts[n_distinct] = i
                codes[i] = n_distinct
                n_distinct += 1
                break
            first = firsts[code]
            if sizes[first] == size:
                j = 0
                while j < size and data[begins[first] + j] == data[begin + j]:
                    j += 1
                if j == size:
                    codes[i] = code
                    break
            place = (place + 1) & (len(table) - 1)
    return n_distinct


@kernel
def read_number(data: Array, pos: int, end: int, values: Array, at: int) -> int:
    """Put the number at `pos` into `values[at]`; the place behind it, -1 where it is not plain.

    Behind so many digits that they are not plain stands another.
    """
    is_negative = data[pos] == MINUS
    if is_negative:
        pos += 1
    begin, n_significant = pos, 0
    digits: Any = 0
    while pos < end and ZERO <= data[pos] <= NINE and n_significant < MOST_DIGITS:
        digits = digits * 10 + (np.int64(data[pos]) - ZERO)
        n_significant += digits > 0
        pos += 1
    n_whole = pos - begin
    if n_whole == 0 or (n_whole > 1 and data[begin] == ZERO):
        return -1
    power: Any = 0
    if pos < end and data[pos] == POINT:
        pos += 1
        begin = pos
        while pos < end and ZERO <= data[pos] <= NINE and n_significant < MOST_DIGITS:
            digits = digits * 10 + (np.int64(data[pos]) - ZERO)
            n_significant += digits > 0
            pos += 1
        power = begin - pos
        if power == 0:
            return -1
    if pos < end and (data[pos] == SMALL_E or data[pos] == LARGE_E):
        pos += 1
        if pos >= end or data[pos] != MINUS:  # what is a whole number written so is judged elsewhere
            return -1
        pos += 1
        begin = pos
        exponent: Any = 0
        while pos < end and ZERO <= data[pos] <= NINE and exponent <= MOST_POWER:
            exponent = exponent * 10 + (np.int64(data[pos]) - ZERO)
            pos += 1
        if pos == begin:
            return -1
        power -= exponent
    if power < -MOST_POWER:
        return -1
    if power == 0:
        if digits >= LARGEST_EXACT or (is_negative and digits == 0):
            return -1
        value = float(digits)
    elif digits < LARGEST_EXACT and power >= -MOST_EXACT_POWER:
        value = float(digits) / TENS[-power]
    else:
        value = decimal(digits, power)
        if np.isnan(value):
            return -1
    values[at] = -value if is_negative else value
    return pos


@kernel
def read_numbers(data: Array, begins: Array, sizes: Array, values: Array, is_read: Array) -> int:
    """Read each slice that is a plain number, and say which are; returns how many."""
    n_read = 0
    for i in range(len(begins)):
        end = begins[i] + sizes[i]
        is_read[i] = read_number(data, begins[i], end, values, i) == end
        n_read += is_read[i]
    return n_read


@kernel
def read_lists(data: Array, begins: Array, sizes: Array, width: int, values: Array) -> bool:
    """Read slices that are lists of `width` plain numbers into `values`, end to end, NaN for null.

    A space may follow a comma, as Python writes it. False where one is not; then `values` means nothing.
    """
    for i in range(len(begins)):
        pos, end = begins[i], begins[i] + sizes[i]
        for column in range(width):
            if data[pos] != (COMMA if column else OPEN_LIST):
                return False
            pos += 1
            if column > 0 and pos < end and data[pos] == SPACE:
                pos += 1
            if pos + 4 < end and data[pos] == NULL[0]:
                for j in range(4):
                    if data[pos + j] != NULL[j]:
                        return False
                values[i * width + column] = np.nan
                pos += 4
            else:
                pos = read_number(data, pos, end, values, i * width + column)
            if pos < 0 or pos >= end:
                return False
        if data[pos] != CLOSE_LIST or pos + 1 != end:
            return False
    return True


@kernel
def read_keys(data: Array, begins: Array, sizes: Array, values: Array) -> bool:
    """Read slices that are texts of 16 hexadecimal digits, 8 bytes each; False where one is not."""
    for i in range(len(begins)):
        if sizes[i] != LENGTH_OF_KEY + 2 or data[begins[i]] != QUOTE:
            return False
        for j in range(LENGTH_OF_KEY):
            byte = data[begins[i] + 1 + j]
            if ZERO <= byte <= NINE:
                digit = byte - ZERO
            elif SMALL_A <= byte <= SMALL_F:
                digit = byte - SMALL_A + 10
            else:
                return False
            values[i, j // 2] = digit if j % 2 == 0 else values[i, j // 2] * 16 + digit
    return True
