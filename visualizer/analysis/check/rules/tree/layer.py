"""Rule `layer`: the layer is `max` exactly where the root player moves."""

from __future__ import annotations

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.masks import Mask, codes, nodes, where_choosing
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.row import is_stub, player_of
from plyscope.visualizer.analysis.columns.sight import Sight
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
def violates(sight: Sight, row: int) -> bool:
    """Whether the layer is the other one."""
    player, layer = player_of(sight, row), sight.layer[row]
    is_own = (player == sight.maximizer) & (layer == words.MAX)
    is_others = (player != sight.maximizer) & (layer == words.MIN)
    if (sight.maximizer >= 0) & (player >= 0) & (is_own | is_others) | (layer == 0):
        return False  # asked first, as it nearly always ends here
    expected = expected_layer(sight, row)
    return bool(expected > 0 and expected != sight.layer[row])


def figures(sight: Sight, row: int) -> Figures:
    """The layer by player or level beside that of the log."""
    expected, found = words.LAYERS[expected_layer(sight, row)], words.LAYERS[int(sight.layer[row])]
    player = player_of(sight, row)
    mover = f"{sight.log.players[player]} moves here" if player >= 0 else "the players alternate"
    return Figures(expected, found, f"{mover.capitalize()}, so the layer is {expected}, but it says {found}.")


def judged(sight: Sight, rows: slice) -> Mask:
    """Rows that the rule has to judge."""
    is_told = (codes(sight.player, rows, -1) >= 0) | sight.alternates
    return nodes(sight, rows) & where_choosing(sight.layer[rows]) & is_told


RULE = Rule(
    "layer", "wrong", ("player|turns", "layer"), figures, judged=judged, of_lines=True, violates=violates
)
