"""The ply that a search chose at a root, where its log says or its scores prove it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Self

import numpy as np

from plyscope.visualizer.analysis.diff.claims import Claim, claim_at
from plyscope.visualizer.analysis.diff.compared_trees import Side
from plyscope.visualizer.analysis.json_answer import SPREAD, called
from plyscope.visualizer.analysis.nodes.deciding_line import principal_variation
from plyscope.visualizer.analysis.nodes.node import Node
from plyscope.visualizer.analysis.nodes.score_source import Deciding
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import main_root
from plyscope.visualizer.store.positions import respelled


@dataclass(frozen=True)
class Choice:
    """A chosen ply, with its node and its claim if it has a row in the log."""

    ply: str
    node: Node | None = field(default=None, metadata=called("id"))
    claim: Claim | None = field(default=None, metadata=SPREAD)

    @classmethod
    def at(cls, side: Side, ply: str, row: int | None) -> Self:
        """A ply that may have a row."""
        return cls(ply) if row is None else cls(ply, side.node(row), claim_at(side.log, row))


def choice_of(side: Side) -> Choice | None:
    """The ply that the result states for its root, else the one whose score is the root's; None for neither.

    A root that failed low chose none: every ply is only a bound there. Nor did one that was not finished.
    """
    tree = side.tree
    stated = side.log.chosen_ply
    if stated is not None and side.root == main_root(side.log):
        line = principal_variation(tree)
        row = line[1] if len(line) > 1 and tree.is_ply(line[1], stated) else None
        return Choice.at(side, respelled(side.log, side.root, stated), row)
    columns = side.log.columns
    if columns["outcome"][side.root] in (words.OPEN, words.STOPPED):
        return None
    minimizes = columns["layer"][side.root] == words.MIN
    if columns["bound"][side.root] == (words.LOWER if minimizes else words.UPPER):
        return None
    row = Deciding(tree).decide(side.root).row
    if row is None or columns["parent"][row] != side.root or (ply := tree.ply(row)) is None:
        return None
    scores = columns["score"][[row, side.root]]
    return Choice.at(side, ply, row) if scores[0] == scores[1] and not np.isnan(scores[0]) else None
