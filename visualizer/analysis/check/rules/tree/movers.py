"""Rules `layer`, `layers`, `in-check`: the player to move, and no pass in check."""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import MOST_INVOLVED, children_of
from plyscope.visualizer.analysis.check.facts.judged import (
    Mask,
    Rows,
    coded,
    codes,
    every,
    nodes,
    stated,
    where_choosing,
    where_known,
)
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.row import (
    cut_by_of,
    is_in_check,
    is_stub,
    player_of,
    purpose_of,
    stand_pat_of,
)
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart
from plyscope.visualizer.store import words


@kernel
def root_of(sight: Sight, row: int) -> int:
    """The root of the tree in which `row` stands."""
    low, high = 0, len(sight.roots)
    while high - low > 1:
        middle = (low + high) // 2
        if sight.roots[middle] <= row:
            low = middle
        else:
            high = middle
    return int(sight.roots[low])


@kernel
def expected_layer(sight: Sight, row: int) -> int:
    """The layer by player, else by level where turns alternate; 0 where neither says, or for other layers."""
    layer = sight.layer[row]
    if is_stub(sight, row) or not (layer == words.MAX or layer == words.MIN):
        return 0
    player = player_of(sight, row)
    if player >= 0:
        root_player = sight.maximizer if sight.maximizer >= 0 else player_of(sight, root_of(sight, row))
        if root_player >= 0:
            return words.MAX if player == root_player else words.MIN
        return 0
    if not sight.alternates:
        return 0
    root_layer = sight.layer[root_of(sight, row)]
    if not (root_layer == words.MAX or root_layer == words.MIN):
        return 0
    return int(root_layer if sight.level[row] % 2 == 0 else words.MAX + words.MIN - root_layer)


@kernel
def violates_layer(sight: Sight, row: int) -> bool:
    """Whether the layer is the other one."""
    player, layer = player_of(sight, row), sight.layer[row]
    is_own = (player == sight.maximizer) & (layer == words.MAX)
    is_others = (player != sight.maximizer) & (layer == words.MIN)
    if (sight.maximizer >= 0) & (player >= 0) & (is_own | is_others) | (layer == 0):
        return False  # asked first, as it nearly always ends here
    expected = expected_layer(sight, row)
    return bool(expected > 0 and expected != sight.layer[row])


def _figures_of_layer(sight: Sight, row: int) -> Figures:
    expected, found = words.LAYERS[expected_layer(sight, row)], words.LAYERS[int(sight.layer[row])]
    player = player_of(sight, row)
    mover = f"{sight.log.players[player]} moves here" if player >= 0 else "the players alternate"
    return Figures(expected, found, f"{mover.capitalize()}, so the layer is {expected}, but it says {found}.")


def is_mover_told(sight: Sight, rows: slice) -> Mask:
    """Rows whose mover is stated, or follows from their level."""
    return np.asarray(stated("player")(sight, rows) | sight.alternates)


LAYER_RULE = Rule(
    "layer",
    "wrong",
    ("player|turns", "layer"),
    _figures_of_layer,
    judged=(nodes, coded("layer", words.MAX, words.MIN), is_mover_told),
    of_lines=True,
    violates=violates_layer,
)


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
    is_known = where_choosing(sight.layer[rows]) & where_choosing(sight.layer[above])
    return np.asarray(rows[is_known])


def find_layers(sight: Sight, work: Work) -> Rows:
    """The first root, where it and its plies are of one layer and all below alternate."""
    rows = steps(sight)
    if not len(rows):
        return NONE
    turns = sight.layer[rows] != sight.layer[sight.parent[rows]]
    level = sight.level[rows]
    is_swapped = not turns[level == 1].any() and bool(turns[level > 1].all())
    is_deep = (level == 1).any() and int(level.max()) >= FEWEST_LEVELS
    return np.asarray(sight.roots[:1], np.int64) if is_swapped and is_deep else NONE


def _has_judged_layers(sight: Sight, work: Work) -> bool:
    rows = steps(sight)
    return bool(len(rows)) and int(sight.level[rows].max()) >= FEWEST_LEVELS


def told_by_others(sight: Sight) -> str | None:
    """Return the reason why this rule cannot judge the log, or None."""
    if sight.alternates:
        return "turns are declared to alternate, so `layer` judges them"
    if len(sight.player) and (sight.player[sight.roots] >= 0).any():
        return "players are stated, so `layer` judges them"
    return None


def _figures_of_layers(sight: Sight, row: int) -> Figures:
    layer = words.LAYERS[int(sight.layer[row])]
    other = words.LAYERS[words.MAX + words.MIN - int(sight.layer[row])]
    message = (
        f"The root and all its plies are of layer {layer}, and from there on the layers alternate, as if the "
        "branches of the two layers were swapped at the root."
    )
    return Figures(other, layer, message, tuple(children_of(sight, row))[:MOST_INVOLVED])


LAYERS_RULE = Rule(
    "layers",
    "odd",
    ("layer",),
    _figures_of_layers,
    has_judged=_has_judged_layers,
    of_lines=True,
    find=find_layers,
    why_not=told_by_others,
)


_STAND_PAT: Final = words.CUT_BY.index("stand_pat")

PASSED: Final = 1
PASSED_AGAIN: Final = 2
STOOD_PAT: Final = 3


@kernel
def fault_of(sight: Sight, row: int) -> int:
    """The fault at `row`: PASSED or STOOD_PAT in check, PASSED_AGAIN after a null move; 0 if none."""
    parent = int(sight.parent[row])
    if parent >= 0 and purpose_of(sight, row) == words.NULL:
        if is_in_check(sight, parent):
            return PASSED
        if purpose_of(sight, parent) == words.NULL:
            return PASSED_AGAIN
    if is_in_check(sight, row):
        stand_pat = stand_pat_of(sight, row)
        if stand_pat == stand_pat or cut_by_of(sight, row) == _STAND_PAT:
            return STOOD_PAT
    return 0


@kernel
def violates_in_check(sight: Sight, row: int) -> bool:
    """Whether a null move or a stand pat stands where there should be none."""
    return fault_of(sight, row) > 0


def _figures_of_in_check(sight: Sight, row: int) -> Figures:
    parent = int(sight.parent[row])
    fault = fault_of(sight, row)
    if fault == PASSED:
        message = "A null move was tried in check: passing leaves the king to be taken, so it proves nothing."
        return Figures("no null move in check", "null", message, (parent,))
    if fault == PASSED_AGAIN:
        message = "A null move answers a null move: the same position with the same mover, only shallower."
        return Figures("no null move after another", "null", message, (parent,))
    value = float(stand_pat_of(sight, row))
    stood = "" if value != value else f" on {apart(value)[0]}"
    message = f"The mover stands pat{stood} in check, where it cannot decline to move."
    return Figures("no stand pat in check", "stand_pat", message)


def judged_by_in_check(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_asked = codes(sight.purpose, rows) == words.NULL
    if is_asked.any():
        is_asked &= sight.parent[rows] >= 0
    if len(sight.in_check) and len(sight.stand_pat):
        is_asked |= (sight.in_check[rows] >= 0) & where_known(sight.stand_pat, rows)
    return np.asarray(is_asked)


IN_CHECK_RULE = Rule(
    "in-check",
    "odd",
    ("in_check|purpose",),
    _figures_of_in_check,
    judged=(judged_by_in_check,),
    violates=violates_in_check,
)
