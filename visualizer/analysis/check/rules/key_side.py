"""key-side: one key has one player to move."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.facts.digits import shortened
from plyscope.visualizer.analysis.check.facts.sight import Sight
from plyscope.visualizer.analysis.check.finding import Figures, Severity
from plyscope.visualizer.analysis.check.passes.kernel_call import Work
from plyscope.visualizer.analysis.check.passes.key_pass import (
    first_of_key,
    key_flags,
    side_to_move,
    text_of_key,
)
from plyscope.visualizer.analysis.check.passes.same_key_kernels import MET_PLAYER, OTHER_PLAYER
from plyscope.visualizer.analysis.check.rule import Rule

MOVERS: Final = ("", "the root player", "the opponent")
"""Who moves, by the code of the layer."""


def find(sight: Sight, work: Work) -> npt.NDArray[np.int64]:
    """The rows whose player is another than at the first row of their key."""
    return np.flatnonzero(key_flags(sight, work) & OTHER_PLAYER)


def has_judged(sight: Sight, work: Work) -> bool:
    """Whether a key was met twice."""
    return bool((key_flags(sight, work) & MET_PLAYER).any())


def severity(sight: Sight) -> Severity:
    """Odd where only layers say who moves: they may be turned where nobody has moved."""
    return "wrong" if len(sight.player) else "odd"


def figures(sight: Sight, row: int) -> Figures:
    """Who moves at the first row of the key, and who here."""
    sides = side_to_move(sight)
    first = first_of_key(sight, row, lambda rows: sides[rows] >= 0)
    names = sight.log.players if len(sight.player) else MOVERS
    expected, found = (names[int(sides[each])] for each in (first, row))
    number = int(sight.log.columns["id"][first])
    return Figures(
        expected=expected,
        found=found,
        message=(
            f"{found[0].upper()}{found[1:]} is to move here, but at node {number}, which has the same key "
            f"{shortened(text_of_key(sight, row))}, it is {expected}."
        ),
        involved=(first,),
    )


_EXAMPLE: Final = """
{"plyscope": 1,
 "players": ["black", "white"],
 "root": {"layer": "max", "player": "black", "score": 4, "key": "start", "children": [
   {"ply": "c6", "layer": "min", "player": "white", "score": 4, "key": "A"},
   {"ply": "d3", "layer": "min", "player": "white", "score": 2, "key": "B"},
   {"ply": "pass", "layer": "min", "player": "white", "score": 1, "key": "start"}]}}
"""

RULE = Rule(
    name="key-side",
    severity="wrong",
    reason="one key has one player to move",
    has_judged=has_judged,
    unjudged="no key is met twice with a player",
    meaning=(
        "Two positions with different sides to move have the same key, so the table answers for the one "
        "with the other's score. Usually the side to move was left out of the key, or it is not turned by a "
        "pass or a null move. Look at the lines that update the key when a ply is played. A short key, too, "
        "meets itself: among a million positions about 116 pairs share a key of 32 bits. If your table "
        "compares more than that, log all that it compares. Where no `player` is stated the layer says who "
        "moves, and a finding is odd."
    ),
    needs=("key", "player|layer"),
    example=_EXAMPLE,
    find=find,
    figures=figures,
    severity_in=severity,
)
