"""Lines, columns and paths in a document, found only for an error or a notice."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

AT_ONCE: Final = 2**24
"""The bytes that are looked at together."""
STEPS_SHOWN: Final = 41
NEWLINE, RETURN, SPACE, QUOTE = 10, 13, 32, 34


def native_path(parents: Array, number: int) -> str:
    """The JSON path of a node of a document of ours: siblings are counted by arrival.

    >>> native_path(np.array([-1, 0, 0]), 2)
    '$.root.children[1]'
    """
    path, is_on_path = [number], {number}
    while (above := int(parents[path[-1]])) >= 0 and above not in is_on_path:
        path.append(above)
        is_on_path.add(above)
    place_of_child = np.full(len(parents) + 1, -1, np.int64)  # by parent; the last is for roots
    child = np.array(path)
    place_of_child[parents[child]] = np.arange(len(path))
    places = place_of_child[parents]
    is_before = (places >= 0) & (np.arange(len(parents)) < child[places])
    n_before = np.bincount(places[is_before], minlength=len(path)).tolist()
    steps = [f".children[{n}]" for n in n_before]
    if above < 0:
        steps[-1] = "$.root" if np.count_nonzero(parents < 0) == 1 else f"$.roots[{n_before[-1]}]"
    else:
        steps.append("$.root")
    if len(steps) > STEPS_SHOWN:
        half = STEPS_SHOWN // 2
        steps[half : -half - 1] = [f" … {len(steps) - STEPS_SHOWN} levels … "]
    return "".join(reversed(steps))


def line_and_column(data: Array, place: int) -> tuple[int, int]:
    """The line and the column, from 1, of a byte of a text; a column is a character.

    >>> line_and_column(np.frombuffer(b'{"a":\\n 1}', np.uint8), 7)
    (2, 2)
    """
    n_lines, begin, before = 1, 0, 0
    for first in range(0, place, AT_ONCE):
        part = data[first : min(place, first + AT_ONCE)]
        is_return, is_newline = part == RETURN, part == NEWLINE
        n_both = np.count_nonzero(is_return[:-1] & is_newline[1:]) + (before == RETURN and part[0] == NEWLINE)
        n_lines += int(np.count_nonzero(is_return)) + int(np.count_nonzero(is_newline)) - int(n_both)
        ends = np.flatnonzero(is_return | is_newline)
        if len(ends):
            begin = first + int(ends[-1]) + 1
        before = int(part[-1])
    if before == RETURN and place < len(data) and data[place] == NEWLINE:  # both are one end of a line
        n_lines, begin = n_lines - 1, line_begin(data, place - 1)
    return n_lines, 1 + len(data[begin:place].tobytes().decode(errors="ignore"))


def line_begin(data: Array, place: int) -> int:
    """The begin of the line that holds the byte at `place`; the end of a line belongs to it."""
    ends = np.flatnonzero((data[:place] == NEWLINE) | (data[:place] == RETURN))
    return int(ends[-1]) + 1 if len(ends) else 0


def notice_of_cut(place: str) -> str:
    """The notice of a document that ends at a place before its end."""
    return f"The log is cut short ({place}): what was not whole there is left out."


def place_of_cut(data: Array, read: int) -> str:
    """The place, in words, at which a text was cut; all tokens up to the byte `read` are complete."""
    n = len(data)
    if is_in_character(data[-4:].tobytes()):
        return f"line {1 + int(np.count_nonzero(data == NEWLINE))}"
    is_in_text = read < n and data[read] == QUOTE
    line, column = line_and_column(data, read if is_in_text else n)
    return f"line {line}, column {column}"


def is_in_character(end: bytes) -> bool:
    """Whether these bytes end within a character; they may begin within one.

    >>> is_in_character("aü".encode()), is_in_character("aü".encode()[:-1])
    (False, True)
    """
    for n in range(1, min(len(end), 3) + 1):
        if end[-n] >= 0xC0:
            return n < (2 if end[-n] < 0xE0 else 3 if end[-n] < 0xF0 else 4)
        if end[-n] < 0x80:
            return False
    return False
