"""Hive, with all expansions: rules, notation, board and factors.

The layout of a position is in `state` on the cells of `cells`; `play` plays and takes back with `pieces`;
`moves` lists the plies with `placements`, `bugs`, `slides`, `throws` and, for the one hive, `connection`;
`factors` evaluates. Text is in `notation`, and `game` puts them together.
"""

from __future__ import annotations

from plyscope.engine.games.hive.game import GAME

__all__ = ["GAME"]
