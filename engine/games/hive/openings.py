r"""Openings: each side's first two placements by weighted chance, so that no two games begin alike.

The four pieces make a shape, named as players name it. Both first pieces lie on one line; each side's second
piece stands behind its first, in the line or bent away to one side (cells beside the opponent are barred):

* `I`: both in the line. `L`: one in the line, one bent.
* `C`: both bent to the same side of the line. `Z`: bent to different sides.
* `X`: a side has not placed its queen by its second turn, wherever its pieces lie. Rare: it is late.

From the third turn on the search chooses; that first choice of its own is drawn with `THIRD_QUOTIENT`.

It knows plies only as text, and needs no rules: every chosen ply is legal in every game.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Final

WEIGHTS: Final[Mapping[str, Mapping[str, float]]] = {
    # The first piece: one that is not missed later and does not hurry. Never the queen: that is not allowed.
    "first": {"S": 30, "G": 25, "B": 15, "A": 3, "M": 8, "L": 20, "P": 25},
    # The second piece: the queen, but for the X openings.
    "second": {"Q": 600, "S": 2, "G": 2, "B": 2, "A": 3, "M": 1, "L": 1, "P": 2},
    # Where the second piece stands, seen along the line: each place as often.
    "place": {"straight": 1, "left": 1, "right": 1},
    # The side of White's first piece where Black's goes: all look alike.
    "side": {"{}-": 1, "{}/": 1, "\\{}": 1, "-{}": 1, "/{}": 1, "{}\\": 1},
}
"""The weights of each draw; bugs that the game type lacks are left out."""

THIRD_QUOTIENT: Final = 2
"""The randomness quotient of each side's third turn."""

THIRD_TURN: Final = (4, 5)
"""The numbers of plies played before it, White's and Black's."""

_SIDES: Final = tuple(WEIGHTS["side"])
"""The sides of a piece counter-clockwise from the east, as a MoveString writes them around a name."""

_TURNS: Final = {"straight": 3, "left": 2, "right": 4}
"""Sixths of a circle from the direction of the opponent's first piece to that of one's own second."""

_NUMBERED: Final = "SBGA"


def opening_ply(game_string: str, draw: random.Random) -> str | None:
    r"""A MoveString for a side's first or second turn; None later.

    `game_string` must be in the strict form: its second ply names the first piece.

    >>> opening_ply("Base+LP;InProgress;Black[1];wL", random.Random(1))
    'bS1 wL\\'
    >>> opening_ply("Base+LP;InProgress;White[2];wL;bG1 \\wL", random.Random(1))
    'wQ wL-'
    """
    kind, _, _, *plies = game_string.split(";")
    bugs = "QSBGA" + kind.removeprefix("Base").removeprefix("+")
    n_played = len(plies)
    if n_played >= THIRD_TURN[0]:
        return None
    colour = "wb"[n_played % 2]
    if n_played < 2:
        piece = colour + _numbered(_drawn("first", draw, bugs), 1)
        return piece if n_played == 0 else f"{piece} {_drawn('side', draw).format(plies[0])}"
    first = plies[n_played - 2].split()[0]
    bug = _drawn("second", draw, bugs, without="" if first[1] in _NUMBERED else first[1])
    piece = colour + _numbered(bug, 2 if bug == first[1] else 1)
    towards = _direction(plies[1]) + (0 if colour == "w" else 3)
    side = _SIDES[(towards + _TURNS[_drawn("place", draw)]) % 6]
    return f"{piece} {side.format(first)}"


def _drawn(what: str, draw: random.Random, allowed: str | None = None, without: str = "") -> str:
    """A key of one of the `WEIGHTS`, by their proportions."""
    weights = {
        key: weight
        for key, weight in WEIGHTS[what].items()
        if (allowed is None or key in allowed) and key != without
    }
    return draw.choices(list(weights), list(weights.values()))[0]


def _numbered(bug: str, number: int) -> str:
    """The name of a bug's piece: only bugs that come in several carry a number."""
    return f"{bug}{number}" if bug in _NUMBERED else bug


def _direction(ply: str) -> int:
    """On which side of its target a ply ends, as an index of `_SIDES`.

    >>> _direction("bQ -wS1"), _direction("bQ wS1-")
    (3, 0)
    """
    target = ply.split()[1]
    return next(i for i, side in enumerate(_SIDES) if side.format(target.strip("-/\\")) == target)
