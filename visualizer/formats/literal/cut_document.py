"""A document that was cut short, read up to the cut: complete values are kept, the path to the cut is open.

A value is complete where the text shows its end. So a number at the cut is left out, as is an unfinished
object or list that holds no nodes, and an edge of a graph without its second end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from plyscope.visualizer.formats.errors import CutShort
from plyscope.visualizer.formats.foreign.find.graphs import EDGES, is_edge
from plyscope.visualizer.formats.foreign.find.probe import NAMES
from plyscope.visualizer.formats.foreign.meaning.fields import plain
from plyscope.visualizer.formats.literal.reader import PAREN, Literal, Open, read_to_cut
from plyscope.visualizer.formats.read.places import notice_of_cut
from plyscope.visualizer.formats.tape.paths import step_to
from plyscope.visualizer.store import words

HOLDERS: Final = frozenset((*NAMES, "root", "roots", "tree", "trees", "edges", "links", "elements"))
"""Plain names of fields whose unfinished values are kept: nodes, or containers of nodes."""
STUBS: Final = frozenset(words.OUTCOMES[words.FIRST_STUB :])


@dataclass(frozen=True)
class CutDocument:
    """The content of a text up to the cut, the JSON path to the cut, and a sentence for the user."""

    literal: Literal
    path: str
    notice: str
    stack: tuple[Open, ...]
    """The open containers, outermost first."""


def read_cut_document(text: str, error: CutShort) -> CutDocument:
    """The value of a text that was cut short, as `error` reports. Raises `error` where nothing is left.

    >>> cut = read_cut_document('{"root": {"ply": "c6", "children": [{"ply": "d6", "score": 1', CutShort(""))
    >>> cut.literal.value, cut.path  # the score may have had more digits
    ({'root': {'ply': 'c6', 'children': [{'ply': 'd6'}]}}, '$.root.children[0]')
    """
    stack, twice, notices = read_to_cut(text)
    stack = [each for each in stack if each.container != PAREN]
    is_native = bool(stack) and isinstance(stack[0].container, dict) and "plyscope" in stack[0].container
    if not stack or not isinstance(stack[0].container, dict | list):
        raise error
    if is_native:
        if stack[0].key not in ("root", "roots"):
            del stack[1:]
    else:
        while len(stack) > 1 and (not _is_kept(stack[-1], stack[-2]) or _is_half_an_edge(stack)):
            stack.pop()
    path = ["$"]
    for outer, inner in pairwise(stack):
        if isinstance(outer.container, dict):
            path.append(step_to(outer.key))
            outer.container[outer.key] = inner.container
        else:
            path.append(f"[{len(outer.container)}]")
            outer.container.append(inner.container)
    place = f"line {error.line}, column {error.column}" if error.column else f"line {error.line}"
    return CutDocument(
        Literal(stack[0].container, notices, twice=twice), "".join(path), notice_of_cut(place), tuple(stack)
    )


def _is_kept(inner: Open, outer: Open) -> bool:
    """Whether an unfinished object or list is not empty and may be a node, or hold nodes."""
    value = inner.container
    if not value or (isinstance(value, dict) and str(value.get("outcome")) in STUBS):
        return False
    if isinstance(outer.container, list):
        return isinstance(value, dict) or _holds_objects(value)
    return plain(outer.key) in HOLDERS or _holds_objects(value)


def _is_half_an_edge(stack: Sequence[Open]) -> bool:
    """Whether the innermost object is in a list of edges and lacks an end."""
    if len(stack) < 3 or stack[-3].key not in EDGES or not isinstance(stack[-2].container, list):
        return False
    return any(map(is_edge, stack[-2].container[:1])) and not is_edge(stack[-1].container)


def _holds_objects(value: Any) -> bool:
    inside = value.values() if isinstance(value, dict) else value
    return any(isinstance(each, dict | list) for each in inside)
