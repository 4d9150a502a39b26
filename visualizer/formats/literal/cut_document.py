"""A document that was cut short, read up to the cut: the values that its text shows to be whole.

Containers on the way to the cut stay open. What is kept of them follows from the form of the document, as on
the tape: a node is kept with the fields that it has, an unfinished field is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from plyscope.visualizer.formats.errors import CutShort
from plyscope.visualizer.formats.literal.reader import PAREN, Literal, read_to_cut
from plyscope.visualizer.formats.read.places import notice_of_cut


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
    stack, twice, notices = read_to_cut(text)
    stack = [each for each in stack if each.container != PAREN]
    if not stack or not isinstance(stack[0].container, dict | list):
        raise error
    for outer, inner in pairwise(stack):
        if isinstance(outer.container, dict):
            outer.container.pop(outer.key, None)
            outer.container[outer.key] = inner.container
        else:
            outer.container.append(inner.container)
    place = f"line {error.line}, column {error.column}" if error.column else f"line {error.line}"
    literal = Literal(stack[0].container, notices, twice=twice)
    return CutDocument(literal, len(stack), notice_of_cut(place))
