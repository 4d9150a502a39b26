"""Odd: pieces of either colour on hexagons; the parity of the groups decides."""

from __future__ import annotations

from typing import Final

from plyscope_studies.odd.game import Odd

GAME: Final = Odd()
