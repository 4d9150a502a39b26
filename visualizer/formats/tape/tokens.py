"""The tokens of JSON: the ends of texts, words and numbers in bytes, and the values of numbers.

A token may lie in two pieces of the document: then MORE is returned, and it is read again with the next
piece.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.jit import kernel
from plyscope.visualizer.formats.tape.kinds import LONG, NUMBER, WHOLE

Array = npt.NDArray[Any]

MORE, SYNTAX, BAD_TEXT, BAD_ESCAPE, BAD_UTF8 = 0, 5, 7, 8, 9
"""Reasons not to read a token: the bytes end within it, or an error. Functions return -1 - MORE and so on."""
SEEN, ESCAPES = 7, 8
"""Places in the state of a scan: bytes of a text that earlier calls have seen, and whether it has escapes."""

EXACT: Final = 2**53
LARGEST_EXPONENT: Final = 100_000
LOW_SURROGATE: Final = 0xDC00
HIGH_SURROGATE: Final = 0xD800
AFTER_SURROGATES: Final = 0xE000
INFINITY: Final = np.frombuffer(b"Infinity", np.uint8)
MOST_DIGITS: Final = 18
MOST_EXACT_POWER: Final = 22
MOST_POWER: Final = 60
TENS: Final = np.array([10.0**power for power in range(MOST_EXACT_POWER + 1)])
POWERS: Final = np.array(
    [
        (1 / 10**power, float(Fraction(1, 10**power) - Fraction(1 / 10**power)))
        for power in range(MOST_POWER + 1)
    ]
)
"""The powers of ten from 0 down, each as the nearest float and the float nearest to the rest."""
SPLITTER: Final = 2.0**27 + 1
"""Veltkamp's constant: it splits a float into an upper and a lower half of its digits."""
DOUBT: Final = 2.0**-98
"""A product's relative error beyond its upper and its lower float is below this."""


@kernel
def rounded_off(digits: int, power: int, nearby: float) -> float:
    """`digits` times ten to the `power`, minus a float near it.

    `digits` are below 10**18, and the power is not below -`MOST_POWER` nor above 0.
    """
    high = float(digits)
    low = float(digits - int(high))
    tens, rest = POWERS[-power, 0], POWERS[-power, 1]
    split = SPLITTER * high
    high_1 = split - (split - high)
    high_2 = high - high_1
    split = SPLITTER * tens
    tens_1 = split - (split - tens)
    tens_2 = tens - tens_1
    product = high * tens
    error = ((high_1 * tens_1 - product) + high_1 * tens_2 + high_2 * tens_1) + high_2 * tens_2
    return float((product - nearby) + (error + (high * rest + low * tens)))


@kernel
def decimal(digits: int, power: int) -> float:
    """The float nearest to `digits` times ten to the `power`, NaN where that is not certain.

    The power of ten is a sum of two floats, and the product has twice the bits of a float
    (Dekker, A floating-point technique for extending the available precision, 1971).
    `digits` are below 10**18, and the power is not below -`MOST_POWER` nor above 0.
    """
    product = float(digits) * POWERS[-power, 0]
    error = rounded_off(digits, power, product)
    nearest = product + error
    beyond = error - (nearest - product)
    doubt = nearest * DOUBT
    if nearest + (beyond + doubt) != nearest or nearest + (beyond - doubt) != nearest:
        return np.nan
    return float(nearest)


@kernel
def hex_digits(data: Array, at: int) -> int:
    """The value of four hexadecimal digits, -1 where one is no such digit."""
    value: Any = 0
    for i in range(at, at + 4):
        byte = np.int64(data[i])
        if 48 <= byte <= 57:
            value = value * 16 + byte - 48
        elif 65 <= (byte & 223) <= 70:
            value = value * 16 + (byte & 223) - 55
        else:
            return -1
    return int(value)


@kernel
def after_escape(data: Array, at: int, state: Array) -> int:
    """The place behind the escape at a backslash; -1 - MORE where it is incomplete, -1 - BAD_ESCAPE."""
    n = len(data)
    if at + 1 >= n:
        return -1 - MORE
    byte = data[at + 1]
    if byte != 117:
        if byte == 34 or byte == 92 or byte == 47 or byte == 98 or byte == 102:
            return at + 2
        return at + 2 if byte == 110 or byte == 114 or byte == 116 else -1 - BAD_ESCAPE
    if at + 6 > n:
        return -1 - MORE
    value = hex_digits(data, at + 2)
    if value < 0:
        return -1 - BAD_ESCAPE
    if not HIGH_SURROGATE <= value < AFTER_SURROGATES:
        return at + 6
    if value >= LOW_SURROGATE:
        return -1 - BAD_ESCAPE
    if (at + 6 < n and data[at + 6] != 92) or (at + 7 < n and data[at + 7] != 117):
        return -1 - BAD_ESCAPE
    if at + 12 > n:
        return -1 - MORE
    return at + 12 if LOW_SURROGATE <= hex_digits(data, at + 8) < AFTER_SURROGATES else -1 - BAD_ESCAPE


@kernel
def after_character(data: Array, at: int) -> int:
    """The place behind a character of several bytes of UTF-8; -1 - MORE, -1 - BAD_UTF8."""
    first = data[at]
    if 0xC2 <= first < 0xE0:
        size = 2
    elif 0xE0 <= first < 0xF0:
        size = 3
    elif 0xF0 <= first < 0xF5:
        size = 4
    else:
        return -1 - BAD_UTF8
    if at + size > len(data):
        return -1 - MORE
    second = data[at + 1]
    if (first == 0xE0 and second < 0xA0) or (first == 0xED and second > 0x9F):
        return -1 - BAD_UTF8
    if (first == 0xF0 and second < 0x90) or (first == 0xF4 and second > 0x8F):
        return -1 - BAD_UTF8
    for i in range(at + 1, at + size):
        if data[i] & 0xC0 != 0x80:
            return -1 - BAD_UTF8
    return at + size


@kernel
def text_end(data: Array, at: int, state: Array) -> int:
    """The place of the quote that closes the text at `at`; -1 - the reason where there is none.

    `state` gets whether the text has escapes, and the bytes seen, from which a later call goes on.
    """
    n = len(data)
    begin = at - state[SEEN]
    while at < n:
        byte = data[at]
        if byte == 34:
            return at
        if byte < 32:
            state[SEEN] = at - begin
            return -1 - BAD_TEXT
        if byte == 92:
            state[ESCAPES] = 1
            after = after_escape(data, at, state)
        elif byte < 128:
            at += 1
            continue
        else:
            after = after_character(data, at)
        if after < 0:
            state[SEEN] = at - begin
            return after
        at = after
    state[SEEN] = at - begin
    return -1 - MORE


@kernel
def word_at(data: Array, at: int, word: Array) -> int:
    """1 if the word stands at `at`, 0 if not, -1 if the bytes end within it."""
    for i in range(len(word)):
        if at + i >= len(data):
            return -1
        if data[at + i] != word[i]:
            return 0
    return 1


@kernel
def read_number(data: Array, at: int, may_end: bool, row: int, kind: Array, value: Array) -> int:
    """Store the number at `at`, its kind and value; returns the place behind it, -1 - MORE or -1 - SYNTAX.

    A number at the end of the bytes may go on in the next piece: it counts only if it `may_end` there.
    """
    n = len(data)
    is_negative = data[at] == 45
    if is_negative:
        at += 1
    first = at
    digits: Any = np.int64(0)
    n_digits = 0
    while at < n and 48 <= data[at] <= 57:
        if n_digits < MOST_DIGITS:
            digits = digits * 10 + (np.int64(data[at]) - 48)
        if digits > 0:
            n_digits += 1
        at += 1
    if at == first:
        if at >= n:
            return -1 - MORE
        found = word_at(data, at, INFINITY)
        if found <= 0:
            return -1 - (MORE if found < 0 else SYNTAX)
        kind[row] = NUMBER
        value[row] = -np.inf if is_negative else np.inf
        return at + 8
    if at - first > 1 and data[first] == 48:
        return -1 - SYNTAX
    is_whole = True
    power = 0
    if at < n and data[at] == 46:
        is_whole = False
        at += 1
        first = at
        while at < n and 48 <= data[at] <= 57:
            if n_digits < MOST_DIGITS:
                digits = digits * 10 + (np.int64(data[at]) - 48)
            if digits > 0:
                n_digits += 1
            at += 1
        power = first - at
        if at == first:
            return -1 - (MORE if at >= n else SYNTAX)
    if at < n and (data[at] == 101 or data[at] == 69):
        is_whole = False
        at += 1
        sign = 1
        exponent: Any = 0
        if at < n and (data[at] == 45 or data[at] == 43):
            if data[at] == 45:
                sign = -1
            at += 1
        first = at
        while at < n and 48 <= data[at] <= 57:
            if exponent < LARGEST_EXPONENT:
                exponent = exponent * 10 + (np.int64(data[at]) - 48)
            at += 1
        if at == first:
            return -1 - (MORE if at >= n else SYNTAX)
        power += sign * exponent
    if at >= n and not may_end:
        return -1 - MORE
    kind[row] = WHOLE if is_whole else NUMBER
    read = 0.0
    if n_digits > MOST_DIGITS:
        kind[row] = LONG
    elif digits == 0 or (power == 0 and digits <= EXACT):
        read = float(digits)
    elif 0 <= power <= MOST_EXACT_POWER and digits <= EXACT:  # rounded once (Clinger, 1990)
        read = float(digits) * TENS[power]
    elif -MOST_EXACT_POWER <= power < 0 and digits <= EXACT:
        read = float(digits) / TENS[-power]
    elif -MOST_POWER <= power <= 0:
        read = decimal(digits, power)
        if np.isnan(read):
            kind[row] = LONG
    else:
        kind[row] = LONG
    value[row] = -read if is_negative and (digits > 0 or not is_whole) else read
    return at
