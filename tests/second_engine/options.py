"""Options of the second engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class SecondOptions:
    """Options of a search, named as in the search log; all techniques are off by default."""

    depth: int = 3
    algorithm: Literal["minimax", "alphabeta", "pvs"] = "alphabeta"
    fail: Literal["soft", "hard"] = "soft"
    limit: int | None = None
    iterative: bool = False
    aspiration: float | None = None
    table: bool = False
    table_depth: Literal["equal", "at_least"] = "equal"
    table_use: Literal["cut", "narrow"] = "cut"
    table_keep: Literal["iterations", "clear"] = "iterations"
    killers: bool = False
    history: bool = False
    internal_deepening: int | None = None
    quiescence: int | None = None
    null_move: int | None = None
    reductions: int | None = None
    futility: float | None = None
    lift: float | None = None
    """The evaluation less this margin a ply counts as a ply of the mover, where it lies inside the window."""
    frontier: float | None = None
    """At the last ply and in quiescence plies are skipped where the evaluation and this margin fail low."""
    toll: float = 0.0
    """What a ply costs its mover: a child counts so much less than its score."""
    nodes: int | None = None
    """Stop after so many nodes."""
    draw: float = 0.0
    """What a draw is worth to the root player (contempt)."""
    repetition: bool = False
    """Whether a position met again on the path is a draw."""
    null_width: float = 1.0
    research: Literal["low", "short"] = "low"
    """Where a re-search starts: at the scout's edge, or one null width short of the scout's score."""
    statics: bool = True
    """Whether nodes state their evaluation, or only the factors that it is made of."""
    mate_score: float = 10_000.0
    mate_step: float = 1.0
    mate_threshold: float = 9_000.0

    @property
    def equals_minimax(self) -> bool:
        """Whether the root's score must be that of plain minimax of the same horizon and kept sets."""
        approximate = (
            self.null_move,
            self.reductions,
            self.futility,
            self.lift,
            self.frontier,
            self.toll or None,
        )
        deeper = self.table and self.table_depth == "at_least"
        return all(each is None for each in approximate) and not deeper and self.nodes is None
