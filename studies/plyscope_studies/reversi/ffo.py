"""Positions 40 to 50 of the FFO end-game test, with their published scores and best plies.

The test is what solvers of Reversi's end are compared by; 40 has 20 empty cells, 49 has 26.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Final

from plyscope.engine.games.reversi import GAME, SIDE, cell_name
from plyscope_studies.reversi.solver import Solved, solve


@dataclass(frozen=True, slots=True)
class Published:
    """A position as text, black's and white's discs at the end, and the best ply."""

    position: str
    discs: tuple[int, int]
    ply: str

    def score(self) -> int:
        """The worth of the position to the side to move, in discs."""
        lead = self.discs[0] - self.discs[1]
        return lead if self.position.endswith("X") else -lead

    def n_empty(self) -> int:
        """Its empty cells."""
        return self.position.count("-")


FFO: Final = {
    40: Published("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", (51, 13), "a2"),
    41: Published("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", (32, 32), "h4"),
    42: Published("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", (35, 29), "g2"),
    43: Published("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", (38, 26), "c7"),
    44: Published("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", (39, 25), "d2"),
    45: Published("---XXXX-X-XXXO--XXOXOO--XXXOXO--XXOXXO---OXXXOO-O-OOOO------OO-- X", (35, 29), "b2"),
    46: Published("---XXX----OOOX----OOOXX--OOOOXXX--OOOOXX--OXOXXX--XXOO---XXXX-O- X", (28, 36), "b3"),
    47: Published("-OOOOO----OOOO---OOOOX--XXXXXX---OXOOX--OOOXOX----OOXX----XXXX-- O", (30, 34), "g2"),
    48: Published("-----X--X-XXX---XXXXOO--XOXOOXX-XOOXXX--XOOXX-----OOOX---XXXXXX- O", (18, 46), "f6"),
    49: Published("--OX-O----XXOO--OOOOOXX-OOOOOX--OOOXOXX-OOOOXX-----OOX----X-O--- X", (40, 24), "e1"),
    50: Published("----X-----XXX----OOXOOO-OOOXOOO-OXOXOXO-OOXXOOO--OOXO----O--O-- X", (37, 27), "d8"),
}


@dataclass(frozen=True, slots=True)
class Solution:
    """Our answer to a position of the test, and the seconds of the processor that it took."""

    number: int
    solved: Solved
    seconds: float

    @property
    def published(self) -> Published:
        """The score and the plies that the test publishes."""
        return FFO[self.number]

    @property
    def is_right(self) -> bool:
        """Whether it has the published score."""
        return self.solved.score == self.published.score()

    @property
    def discs(self) -> str:
        """Black's and white's discs at the end."""
        side = GAME.read_position(self.published.position)[SIDE]
        lead = -self.solved.score if side else self.solved.score
        return f"{32 + lead // 2}-{32 - lead // 2}"

    @property
    def ply(self) -> str:
        """The best ply as text, `--` for none."""
        return "--" if self.solved.ply is None else cell_name(self.solved.ply)


def solution(number: int, *, table_bits: int = 22) -> Solution:
    """Solve a position of the test."""
    state = GAME.read_position(FFO[number].position)
    begun = time.process_time()
    found = solve(state, table_bits=table_bits)
    return Solution(number, found, time.process_time() - begun)


def compile_solver() -> None:
    """Solve a position with one empty cell, so that the next one's time is that of solving."""
    solve(GAME.read_position("-OX" + "X" * 61 + " X"))
