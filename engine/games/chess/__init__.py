"""Chess: rules, notation, board and factors.

The layout of a position is in `state`, on the squares of `squares`; `moves` lists the plies, `play` plays and
takes back and says what ends a game, `factors` evaluates. Text is in `fen` (positions) and `notation` (plies,
and positions with plies); `game` puts them together.

To read or write chess, use `read_position` and `write_position` (`FEN`, `FEN moves …`),
`read_fen` and `write_fen` (a FEN alone), `read_san` (any spelling to a ply), `write_san` and `write_uci`.
"""

from __future__ import annotations

from plyscope.engine.games.chess.fen import START, read_fen, write_fen
from plyscope.engine.games.chess.game import GAME
from plyscope.engine.games.chess.notation import read_position, read_san, write_position, write_san, write_uci

__all__ = [
    "GAME",
    "START",
    "read_fen",
    "read_position",
    "read_san",
    "write_fen",
    "write_position",
    "write_san",
    "write_uci",
]
