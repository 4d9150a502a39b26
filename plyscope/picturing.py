"""`plyscope.picture`: the tree as textbooks draw it, without a browser, as `plyscope picture` writes it."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import SupportsIndex

import numpy as np

from plyscope.files import Source
from plyscope.log import Log, tree_of
from plyscope.opening import opened
from plyscope.visualizer.analysis.nodes.node import Node, Nodes
from plyscope.visualizer.analysis.picture.selection import USUAL_CHILDREN, PictureError
from plyscope.visualizer.analysis.picture.tree_picture import draw, write_picture
from plyscope.visualizer.boards import Boards

Which = Node | SupportsIndex | str | Sequence[str]


@dataclass(frozen=True)
class Picture:
    """A drawn tree. `str` of it is the SVG, which notebooks show."""

    svg: str = field(repr=False)
    caption: str
    """What stands under the tree: the log, the node, what is left out, what the signs mean."""
    nodes: Nodes = field(repr=False, compare=False)
    """The nodes that are drawn, stubs among them, parents before their children."""

    def write(self, target: str | os.PathLike[str], *, scale: float = 2.0) -> None:
        """Write it to a file: `.svg`, `.png` or `.pdf`. A PNG has `scale` pixels for each of the SVG's.

        Raises PictureError for another ending, and for a PNG that would be too large.
        """
        write_picture(self.svg, Path(target), scale)

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        return self.svg


def picture(
    log: Log | Source,
    node: Which | None = None,
    *,
    levels: int | None = None,
    children: int = USUAL_CHILDREN,
    windows: bool = False,
    factors: bool = False,
    highlight: Which | Sequence[Node | SupportsIndex | str] | None = None,
    dark: bool = False,
    board: bool = False,
    map: Mapping[str, str] | str | None = None,
    progress: bool | None = None,
) -> Picture:
    """Draw the tree below a node, by default below the root that the result names, as SVG.

    A max node points up and a min node down, each with its score; plies stand on the edges, cuts are crossed,
    the principal variation is heavy. A node shows at most `children` of its children, the best of them and
    those of the principal variation, and says how many more there are. `levels` below the node are drawn; by
    default as many as keep the picture within 40 nodes. `windows` adds alpha and beta, `factors` the largest
    contributions of leaves. `node` and `highlight` are nodes, ids or paths, as for `Log.node`; of a list of
    nodes and ids each is highlighted, a list of texts is one path. `board` puts the position at the node
    above the tree.

    Raises LogError; LookupError where there is no such node; PictureError, a ValueError, where there would be
    more than 5,000 nodes, or where the position cannot be drawn.

    >>> drawn = picture('''{"plyscope": 1, "root": {"layer": "max", "score": 3, "children": [
    ...     {"ply": "a", "score": 1, "bound": "upper"}, {"ply": "b", "score": 3}]}}''')
    >>> len(drawn.nodes), drawn.svg.count("≤ 1")
    (3, 2)
    >>> drawn.caption
    'log. All 3 nodes. Pointing up: max. Heavy: the principal variation.'
    """
    if levels is not None and levels < 0:
        raise PictureError(f"levels: found {levels}, expected 0 or more")
    if children < 1:
        raise PictureError(f"children: found {children}, expected 1 or more")
    read = opened(log, map, progress)
    tree = tree_of(read)
    top = tree.main_root if node is None else row_of(read, node)
    drawn = draw(
        tree,
        read.name,
        top,
        levels=levels,
        children=children,
        windows=windows,
        factors=factors,
        highlight=_rows(read, highlight),
        dark=dark,
        board=Boards(tree.log).drawing(top) if board else None,
    )
    rows = np.array([item.row for item in drawn.choice.items if not item.hidden], np.int64)
    says = (f"{drawn.caption.head}.", *drawn.caption.lines, drawn.caption.signs)
    return Picture(drawn.svg, " ".join(each for each in says if each), Nodes(tree, rows))


def row_of(log: Log, which: Which) -> int:
    """The row that a node, an id or a path names; raises LookupError, ValueError for another log's node."""
    if isinstance(which, Node):
        if which._tree is not tree_of(log):
            raise ValueError("the node is one of another log")
        return which.row
    return log.node(which).row


def _rows(log: Log, which: Which | Sequence[Node | SupportsIndex | str] | None) -> list[int]:
    if which is None:
        return []
    if isinstance(which, str) or not isinstance(which, Sequence):
        return [row_of(log, which)]
    if all(isinstance(each, str) for each in which) and which:
        return [log.node([str(each) for each in which]).row]
    return [row_of(log, each) for each in which]
