"""The part of a tree that a picture draws, limited by levels and by children a node."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from plyscope.visualizer.analysis.nodes.best_children import ranked_children
from plyscope.visualizer.store.tree import Rows, Tree

USUAL_CHILDREN: Final = 4
USUAL_NODES: Final = 40
"""Without a number of levels, as many as keep the picture within this many nodes …"""
USUAL_LEVELS: Final = 8
"""… and not more than these."""
MOST_NODES: Final = 5_000
STUBS: Final = 4
"""Stubs that are drawn beside the children of a node: one of each kind."""


class PictureError(ValueError):
    """A picture that cannot be drawn or written; the message advises what to ask for instead."""


@dataclass(frozen=True)
class Chosen:
    """One item to draw: a row of the log, or a mark for children that are not drawn."""

    row: int
    """The row; that of the parent where `hidden` is not 0."""
    parent: int
    """The place of the parent among the chosen, -1 for the topmost."""
    level: int
    """Levels below the topmost."""
    hidden: int = 0
    """The number of the parent's children that are not drawn, for which this is the mark."""
    folded: bool = False
    """Whether it has children, and none is drawn."""


@dataclass(frozen=True)
class Choice:
    """The things to draw, parents before their children, siblings as searched; and the limits asked for."""

    items: tuple[Chosen, ...]
    levels: int
    """Levels below the topmost that were asked for, or found to fit."""
    children: int
    """Children of a node that were asked for."""


def choose(
    tree: Tree,
    top: int,
    *,
    levels: int | None,
    children: int,
    line: Collection[int] = (),
    highlighted: Collection[int] = (),
) -> Choice:
    """Choose the items to draw of the subtree of `top`.

    A node with more than `children` children shows the best of them, those in `line` and `highlighted`
    whatever their rank, and its first stubs. Below the last level only nodes in `highlighted` are drawn. Only
    children of drawn nodes are read. Raises PictureError where there would be more than MOST_NODES.
    """
    musts = _by_parent(tree, {*line, *highlighted})
    beyond = _by_parent(tree, set(highlighted))
    items = [Chosen(top, -1, 0)]
    wanted = USUAL_LEVELS if levels is None else levels
    level = 0
    begin = 0
    while begin < len(items):
        level += 1
        below: list[Chosen] = []
        for at in range(begin, len(items)):
            row = items[at].row
            if items[at].hidden or tree.n_children(row) == 0:
                continue
            if level <= wanted:
                rows = _drawn_children(tree, row, children, musts.get(row, []))
            elif row in beyond:
                rows = np.array(beyond[row], np.int64)
            else:
                continue
            below += [Chosen(each, at, level) for each in rows.tolist()]
            if hidden := tree.n_children(row) - len(rows):
                below.append(Chosen(row, at, level, hidden))
            if len(items) + len(below) > MOST_NODES:
                raise PictureError(
                    f"the picture would have more than {MOST_NODES:,} nodes; ask for fewer levels or children"
                )
        if levels is None and 1 < level <= wanted and len(items) + len(below) > USUAL_NODES:
            wanted, level = level - 1, level - 1
            continue
        begin = len(items)
        items += below
    return Choice(_with_folds(tree, items), wanted, children)


def _by_parent(tree: Tree, rows: Collection[int]) -> dict[int, list[int]]:
    parent = tree.log.columns["parent"]
    found: dict[int, list[int]] = {}
    for row in sorted(rows):
        found.setdefault(int(parent[row]), []).append(row)
    return found


def _with_folds(tree: Tree, items: list[Chosen]) -> tuple[Chosen, ...]:
    is_parent = {each.parent for each in items}
    return tuple(
        replace(each, folded=not each.hidden and at not in is_parent and tree.n_children(each.row) > 0)
        for at, each in enumerate(items)
    )


def _drawn_children(tree: Tree, row: int, most: int, must: list[int]) -> Rows:
    """The children of `row` that are drawn, in the order searched."""
    rows = tree.children(row)
    is_stub = tree.is_stub[rows]
    stubs, nodes = rows[is_stub], rows[~is_stub]
    if len(nodes) > most + 1:  # "1 more" would take the room of the one
        best = ranked_children(tree, row)[0]
        best = best[~tree.is_stub[best] & ~np.isin(best, must)]
        nodes = np.concatenate([np.array(must, np.int64), best[: max(0, most - len(must))]])
    if len(stubs) > STUBS + 1:
        stubs = np.concatenate([stubs[np.isin(stubs, must)], stubs[:STUBS]])
    return np.unique(np.concatenate([nodes, stubs]))
