"""tt-ply: the ply that an entry brings is one that can be played here."""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import MOST_NAMED, some
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.row import (
    is_aside,
    is_quiescence,
    is_stub,
    moves_of,
    source_of,
    stub_slice,
)
from plyscope.visualizer.analysis.columns.sight import REVISITED, Sight
from plyscope.visualizer.store.positions import respelled


@kernel
def violates(sight: Sight, row: int) -> bool:
    """Whether all plies of the node are known, and the entry's is none of them.

    All are known where the different plies below, those of stubs included, are as many as `moves`. Not asked
    in quiescence, where only some plies are generated.
    """
    if len(sight.tt_ply) == 0 or sight.tt_ply[row] < 0 or moves_of(sight, row) <= 0:
        return False
    if is_quiescence(sight, row):
        return False
    wanted = sight.tt_ply[row]
    n_known = 0
    child = row + 1
    while child < sight.end[row]:
        if is_stub(sight, child):
            begin, end = stub_slice(sight, child)
            for i in range(begin, end):
                if sight.stub_plies[i] == wanted:
                    return False
                n_known += sight.stub_plies[i] >= 0
        elif not is_aside(sight, child):
            if sight.ply[child] == wanted:
                return False
            n_known += sight.ply[child] >= 0 and not sight.marks[child] & REVISITED
        child = sight.end[child]
    return n_known >= moves_of(sight, row)


def figures(sight: Sight, row: int) -> Figures:
    """The plies of the node beside the entry's."""
    plies: dict[int, None] = {}
    child = row + 1
    while child < sight.end[row]:
        if is_stub(sight, child):
            plies |= dict.fromkeys(sight.stub_plies[slice(*stub_slice(sight, child))].tolist())
        elif not is_aside(sight, child):
            plies[int(sight.ply[child])] = None
        child = int(sight.end[child])
    names = [respelled(sight.log, row, sight.log.text(ply) or "") for ply in plies]
    found = respelled(sight.log, row, sight.log.text(int(sight.tt_ply[row])) or "")
    source = source_of(sight, row)
    return Figures(
        expected=names[:MOST_NAMED],
        found=found,
        message=f"The table entry brings the ply {found}, but the plies here are {some(names)}.",
        involved=(source,) if source >= 0 else (),
    )


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    has_plies = (codes(sight.moves, rows, -1) > 0) & (codes(sight.quiescence, rows) != 1)
    return np.asarray((codes(sight.tt_ply, rows, -1) >= 0) & has_plies)


RULE = Rule("tt-ply", "wrong", ("tt.ply", "moves"), figures, judged=judged, violates=violates)
