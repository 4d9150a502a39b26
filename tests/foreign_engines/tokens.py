"""A game for foreign engines: tokens walk on a small torus, so that paths meet again and games end.

A position is a plain tuple; which plies are legal, who moves next and what a position is worth come from a
hash of it. Variants move twice in a row, or pass where no ply is legal.
"""

from __future__ import annotations

import zlib
from typing import NamedTuple

MATE = 32000


class Position(NamedTuple):
    """After `n` plies two tokens stand at `x` and `y`; player 0 or 1 is to move."""

    n: int = 0
    x: int = 0
    y: int = 0
    player: int = 0


class Tokens:
    """The rules, drawn by `seed`; `doubles`: some plies leave the same player to move."""

    def __init__(self, seed: int = 1, *, doubles: bool = False) -> None:
        self.seed = seed
        self.doubles = doubles

    def drawn(self, what: str, position: Position, below: int) -> int:
        """A number below `below` that a name and a position always give."""
        text = f"{self.seed} {what} {position.n} {position.x} {position.y} {position.player}"
        return zlib.crc32(text.encode()) % below

    def is_lost(self, position: Position) -> bool:
        """Whether the player to move has lost."""
        return position.n > 1 and self.drawn("end", position, 17) == 0

    def plies(self, position: Position) -> list[str]:
        """The legal plies, a pass where there is no other."""
        drawn = self.drawn("ply", position, 256)
        plies = [ply for i, ply in enumerate("abcd") if drawn >> 2 * i & 3]
        return plies or ["pass"]

    def after(self, position: Position, ply: str) -> Position:
        n, x, y, player = position
        step = "abcd".find(ply)
        if step >= 0:
            x, y = ((x + 1) % 5, y) if step < 2 else (x, (y + 1) % 5)
            x = (x + step % 2) % 5
        stays = self.doubles and (x + 2 * y + n) % 3 == 0
        return Position(n + 1, x, y, player if stays else 1 - player)

    def worth(self, position: Position) -> int:
        """The evaluation in hundredths, as the player to move sees it."""
        value = self.drawn("worth", position._replace(player=0), 401) - 200
        return value if position.player == 0 else -value

    def key(self, position: Position) -> int:
        text = f"{self.seed} {position}".encode()
        return zlib.crc32(text) << 32 | zlib.crc32(text[::-1])
