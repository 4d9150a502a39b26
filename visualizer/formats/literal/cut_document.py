"""A document that was cut short, read up to the cut: the values that its text shows to be whole.

Containers on the way to the cut stay open. What is kept of them follows from the form of the document, as on
the tape: a node is kept with the fields that it has, an unfinished field is left out.
"""

from __future__ import annotations

import string
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from plyscope.visualizer.formats.errors import CutShort, LogError
from plyscope.visualizer.formats.literal.reader import PAREN, Literal, Reader
from plyscope.visualizer.formats.read.places import notice_of_cut

IN_NUMBERS: Final = f"{string.ascii_letters}{string.digits}_.+-"
BEFORE_NUMBERS: Final = "+- \t\r\n"


@dataclass(frozen=True)
class CutDocument:
    """The content of a text up to the cut, the number of open containers, and a sentence for the user."""

    literal: Literal
    n_open: int
    """Each open container is the last value in the one before."""
    notice: str


def read_cut_document(text: str, error: CutShort) -> CutDocument:
    """The value of a text that was cut short, as `error` reports. Raises `error` where nothing is left.

    >>> cut = read_cut_document('{"root": {"ply": "c6", "children": [{"ply": "d6", "score": 1', CutShort(""))
    >>> cut.literal.value, cut.n_open  # the score may have had more digits
    ({'root': {'ply': 'c6', 'children': [{'ply': 'd6'}]}}, 4)
    """
    reader = Reader(_without_last_number(text), 1)
    try:
        reader.read()
    except CutShort:
        pass
    except LogError:
        raise error from None
    stack = [(container, key) for container, key, _ in reader.stack if container != PAREN]
    if not stack:
        raise error
    for (outer, key), (inner, _) in pairwise(stack):
        if isinstance(outer, dict):
            outer.pop(key, None)
            outer[key] = inner
        else:
            outer.append(inner)
    place = f"line {error.line}, column {error.column}" if error.column else f"line {error.line}"
    literal = Literal(stack[0][0], tuple(reader.notices), twice=reader.places_of_twice())
    return CutDocument(literal, len(stack), notice_of_cut(place))


def _without_last_number(text: str) -> str:
    """The text before a number at its end, be it also the end of an unfinished quoted text or a comment."""
    before = text.rstrip(IN_NUMBERS)
    return before.rstrip(BEFORE_NUMBERS) if text[len(before) :].lstrip("+-.")[:1].isdigit() else text
