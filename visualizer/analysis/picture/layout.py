"""The layout of a picture, in pixels: boxes by level from top to bottom, and their texts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from plyscope.visualizer.analysis.picture.labels import Face
from plyscope.visualizer.analysis.picture.selection import Chosen
from plyscope.visualizer.analysis.picture.style import cut, width

VALUE: Final = 13.0
SMALL: Final = 10.5
PLY: Final = 11.5
"""Sizes of letters."""
VALUE_LINE: Final = 17.0
SMALL_LINE: Final = 13.0
PLY_BAND: Final = 17.0
"""Heights of lines."""
PADDING: Final = 6.0
GABLE: Final = 7.0
"""How far the point of a max or min node stands out."""
LEAST_WIDTH: Final = 30.0
WIDEST_TEXT: Final = 120.0
"""Longer texts are cut."""
SIBLINGS: Final = 10.0
COUSINS: Final = 20.0
FOLD: Final = 11.0
"""Height, and half the width, of the triangle of a folded subtree."""
LEAST_GAP: Final = 26.0
MOST_GAP: Final = 84.0
STEEP: Final = 0.16
"""Height between two levels for each pixel that the widest edge goes aside."""


@dataclass(frozen=True)
class Box:
    """One drawn thing. `x` is the middle; `top` and `bottom` those of the box, `foot` of all below it too."""

    x: float
    top: float
    bottom: float
    foot: float
    width: float
    value: str
    ply: str
    lines: tuple[str, ...]
    factors: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Laid:
    """All boxes, and for each level where it begins and ends; `band` is the room of plies above a level."""

    boxes: tuple[Box, ...]
    tops: tuple[float, ...]
    ends: tuple[float, ...]
    bands: tuple[float, ...]
    width: float
    height: float


def lay(items: Sequence[Chosen], faces: Sequence[Face]) -> Laid:
    """Lay out the chosen items, with the top left corner at (0, 0)."""
    texts = [_cut(face) for face in faces]
    widths = [_box_width(face) for face in texts]
    columns = [_column(face, wide) for face, wide in zip(texts, widths, strict=True)]
    heights = [_height(face) for face in texts]
    middles = tidy([each.parent for each in items], columns, siblings=SIBLINGS, cousins=COUSINS)
    n_levels = max(each.level for each in items) + 1
    tallest = [0.0] * n_levels
    bands = [0.0] * n_levels
    aside = [0.0] * n_levels
    for at, item in enumerate(items):
        level = item.level
        foot = heights[at] + (FOLD + SMALL_LINE if texts[at].below else 0.0)
        tallest[level] = max(tallest[level], foot)
        if texts[at].ply and level:
            bands[level] = PLY_BAND
        if item.parent >= 0:
            aside[level] = max(aside[level], abs(middles[at] - middles[item.parent]))
    tops, ends = [0.0], [tallest[0]]
    for level in range(1, n_levels):
        gap = min(MOST_GAP, max(LEAST_GAP, STEEP * aside[level]))
        tops.append(ends[-1] + gap + bands[level])
        ends.append(tops[-1] + tallest[level])
    boxes = []
    for at, item in enumerate(items):
        top = tops[item.level]
        bottom = top + heights[at]
        foot = bottom + (FOLD + SMALL_LINE if texts[at].below else 0.0)
        face = texts[at]
        boxes.append(
            Box(middles[at], top, bottom, foot, widths[at], face.value, face.ply, face.lines, face.factors)
        )
    wide = max(x + column / 2 for x, column in zip(middles, columns, strict=True))
    return Laid(tuple(boxes), tuple(tops), tuple(ends), tuple(bands), wide, ends[-1])


def _cut(face: Face) -> Face:
    return replace(
        face,
        value=cut(face.value, VALUE, WIDEST_TEXT),
        ply=cut(face.ply, PLY, WIDEST_TEXT),
        lines=tuple(cut(line, SMALL, WIDEST_TEXT) for line in face.lines),
        factors=tuple((cut(name, SMALL, WIDEST_TEXT), amount) for name, amount in face.factors),
    )


def _box_width(face: Face) -> float:
    wide = width(face.value, VALUE, bold=True)
    for line in face.lines:
        wide = max(wide, width(line, SMALL))
    for name, amount in face.factors:
        wide = max(wide, width(name, SMALL) + 10 + width(amount, SMALL))
    return max(LEAST_WIDTH, wide + 2 * PADDING + (8 if face.shape in ("chance", "other") else 0))


def _column(face: Face, box: float) -> float:
    """The width that a box needs: its own, that of its ply, or that of its subtree's summary."""
    return max(box, width(face.ply, PLY) + 4, width(face.below, SMALL) + 4, 2 * FOLD if face.below else 0)


def _height(face: Face) -> float:
    gable = GABLE if face.shape in ("max", "min") else 0.0
    if face.shape == "none":
        return VALUE_LINE + SMALL_LINE * len(face.lines)
    return 2 * PADDING - 4 + VALUE_LINE + SMALL_LINE * (len(face.lines) + len(face.factors)) + gable


def tidy(parents: Sequence[int], widths: Sequence[float], *, siblings: float, cousins: float) -> list[float]:
    """The x of the middle of every box of a tidy tree, with boxes of any width; the leftmost edge is at 0.

    Siblings are side by side in order, as close as their subtrees allow on every level, and a parent is above
    the middle of its first and last child. Reingold and Tilford's contours (Tidier Drawings of Trees, 1981)
    with threads kept apart for the left and the right contour, without recursion: linear in the number of
    boxes, whatever the depth. The page has the same in `static/layout/tidy.js`.

    `parents`: the index of each box's parent, -1 at a root; a parent comes before its children. `siblings`
    and `cousins` are the least distances between boxes of one parent, and of two.

    >>> tidy([-1, 0, 0], [10, 10, 20], siblings=5, cousins=8)
    [15.0, 5.0, 25.0]
    """
    n = len(parents)
    # One more box: the forest's own, above the roots.
    first, last, following = [-1] * (n + 1), [-1] * (n + 1), [-1] * n
    offset = [0.0] * (n + 1)  # the distance of a middle from its parent's
    # Threads: the next box of a contour below a box without children, and its place from that box.
    left_thread, right_thread = [-1] * (n + 1), [-1] * (n + 1)
    left_step, right_step = [0.0] * (n + 1), [0.0] * (n + 1)
    # The deepest box of each contour of a subtree, and its place from the subtree's own box.
    left_end, right_end = list(range(n + 1)), list(range(n + 1))
    left_end_at, right_end_at = [0.0] * (n + 1), [0.0] * (n + 1)

    for box, parent in enumerate(parents):
        above = n if parent < 0 else parent
        if first[above] < 0:
            first[above] = box
        else:
            following[last[above]] = box
        last[above] = box

    for box in range(n, -1, -1):  # backwards, so that every child is settled before its parent
        head = first[box]
        if head < 0:
            continue
        offset[head] = 0.0
        l_end, l_at = left_end[head], left_end_at[head]
        r_end, r_at = right_end[head], right_end_at[head]
        tail = head
        child = following[head]
        while child >= 0:
            # Down both contours: the right one of the boxes placed already, the left one of the child.
            a, a_at, b, b_at = tail, offset[tail], child, 0.0
            shift = -math.inf
            space = siblings
            while True:
                shift = max(shift, a_at + widths[a] / 2 + space - (b_at - widths[b] / 2))
                space = cousins
                a_next = last[a] if last[a] >= 0 else right_thread[a]
                a_step = offset[a_next] if last[a] >= 0 else right_step[a]
                b_next = first[b] if first[b] >= 0 else left_thread[b]
                b_step = offset[b_next] if first[b] >= 0 else left_step[b]
                if a_next < 0 or b_next < 0:
                    break
                a, a_at, b, b_at = a_next, a_at + a_step, b_next, b_at + b_step
            offset[child] = shift
            end, end_at = right_end[child], shift + right_end_at[child]
            if a_next >= 0:
                # The child is the shallower: its right contour goes on with that of the boxes before.
                right_thread[end], right_step[end] = a_next, a_at + a_step - end_at
            else:
                if b_next >= 0:
                    left_thread[l_end], left_step[l_end] = b_next, shift + b_at + b_step - l_at
                    l_end, l_at = left_end[child], shift + left_end_at[child]
                r_end, r_at = end, end_at
            tail = child
            child = following[child]
        middle = offset[tail] / 2
        child = head
        while child >= 0:
            offset[child] -= middle
            child = following[child]
        left_end[box], left_end_at[box] = l_end, l_at - middle
        right_end[box], right_end_at[box] = r_end, r_at - middle

    middles = [0.0] * n
    for box, parent in enumerate(parents):
        middles[box] = (0.0 if parent < 0 else middles[parent]) + offset[box]
    leftmost = min((middle - width / 2 for middle, width in zip(middles, widths, strict=True)), default=0.0)
    return [middle - leftmost for middle in middles]
