"""The tidy drawing of a tree from top to bottom: the middle of every box, whatever their widths.

Siblings stand beside one another in order, as close as their subtrees allow on every level, and a parent
stands over the middle of its first and last child. Reingold and Tilford's contours (Tidier Drawings of Trees,
1981) with threads kept apart for the left and the right contour, without recursion: linear in the number of
boxes, whatever the depth. The page has the same in `static/layout/tidy.js`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def tidy(parents: Sequence[int], widths: Sequence[float], *, siblings: float, cousins: float) -> list[float]:
    """The x of the middle of every box, the leftmost edge at 0.

    `parents`: the place of each box's parent, -1 at a root; a parent stands before its children. `siblings`
    and `cousins` are the least distances between boxes of one parent, and of two.

    >>> tidy([-1, 0, 0], [10, 10, 20], siblings=5, cousins=8)
    [15.0, 5.0, 25.0]
    """
    n = len(parents)
    # One box more than there are: the forest's own, above the roots.
    first, last, following = [-1] * (n + 1), [-1] * (n + 1), [-1] * n
    offset = [0.0] * (n + 1)  # of a middle from its parent's
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
            # Down both contours: the right one of what stands already, the left one of the child.
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
                # The child is the shallower: its right contour goes on with that of what stood before.
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
