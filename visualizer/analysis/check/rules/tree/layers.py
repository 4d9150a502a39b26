"""Rule `layers`: the root and its plies are not of one layer where layers alternate below."""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.visualizer.analysis.check.facts.children import MOST_INVOLVED, children_of
from plyscope.visualizer.analysis.check.facts.masks import Mask, Rows, codes, every
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.store import words

FEWEST_LEVELS: Final = 3
"""Layers must alternate twice below the plies of the root: once may be a game of double moves."""
NONE: Final = np.zeros(0, np.int64)


def steps(sight: Sight) -> Rows:
    """Return the visits below others, both of layer max or min; null moves and probes left out."""
    purpose = codes(sight.purpose, every(sight))
    is_visit = (sight.parent >= 0) & (sight.outcome < words.FIRST_STUB)
    is_visit &= (purpose != words.NULL) & (purpose != words.PROBE)
    rows = np.flatnonzero(is_visit)
    above = sight.parent[rows]
    is_known = _is_choosing(sight, rows) & _is_choosing(sight, above)
    return np.asarray(rows[is_known])


def _is_choosing(sight: Sight, rows: Rows) -> Mask:
    layer = sight.layer[rows]
    return np.asarray((layer == words.MAX) | (layer == words.MIN))


def find(sight: Sight, work: Work) -> Rows:
    """The first root, where it and its plies are of one layer and all below alternate."""
    rows = steps(sight)
    if not len(rows):
        return NONE
    turns = sight.layer[rows] != sight.layer[sight.parent[rows]]
    level = sight.level[rows]
    is_swapped = not turns[level == 1].any() and bool(turns[level > 1].all())
    is_deep = (level == 1).any() and int(level.max()) >= FEWEST_LEVELS
    return np.asarray(sight.roots[:1], np.int64) if is_swapped and is_deep else NONE


def has_judged(sight: Sight, work: Work) -> bool:
    """Whether the tree is deep enough to tell."""
    rows = steps(sight)
    return bool(len(rows)) and int(sight.level[rows].max()) >= FEWEST_LEVELS


def told_by_others(sight: Sight) -> str | None:
    """Return the reason why this rule cannot judge the log, or None."""
    if sight.alternates:
        return "turns are declared to alternate, so `layer` judges them"
    if len(sight.player) and (sight.player[sight.roots] >= 0).any():
        return "players are stated, so `layer` judges them"
    return None


def figures(sight: Sight, row: int) -> Figures:
    """The layer of the root, which all its plies have."""
    layer = words.LAYERS[int(sight.layer[row])]
    other = words.LAYERS[words.MAX + words.MIN - int(sight.layer[row])]
    message = (
        f"The root and all its plies are of layer {layer}, and from there on the layers alternate, as if the "
        "branches of the two layers were swapped at the root."
    )
    return Figures(other, layer, message, tuple(children_of(sight, row))[:MOST_INVOLVED])


RULE = Rule(
    "layers",
    "odd",
    ("layer",),
    figures,
    has_judged=has_judged,
    of_lines=True,
    find=find,
    why_not=told_by_others,
)
