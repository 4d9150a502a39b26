"""The meanings of Hive's factors, a sentence each for one side; a value is white's count minus black's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

_LATE: Final = "times 0 to 4 as pieces come into play: counts more late."
_EARLY: Final = "times 4 to 0 as pieces come into play: counts more early."

MEANINGS: Final[Mapping[str, str]] = {
    "queen_ring": "Pieces of either colour around the other queen; six surround it.",
    "queen_escapes": f"Cells to which the own queen may step, {_LATE}",
    "hand": "Pieces still in hand.",
    "pinned": f"Pieces that cannot leave without splitting the hive, {_LATE}",
    "covered": "Pieces under others.",
    "mobility_quiet": "First steps that end away from the other queen, by pieces free to move.",
    "mobility_noisy": "First steps that end beside the other queen or on it, by pieces free to move.",
    "placement_cells": f"Cells beside own pieces alone while a piece is in hand, {_EARLY}",
    "stacked_on_queen": "1 where an own piece is on top of the other queen.",
    "pillbug_guard": f"1 where the own pillbug stands uncovered beside the own queen, {_EARLY}",
    "ant_freedom": "Open cells beside the other queen, once for each ant free to move.",
    "queen_distance": "Steps from all own pieces in play to the other queen, added up.",
}
