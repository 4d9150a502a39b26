"""The habits of Monte Carlo tree searches: how they select, when they stop, what they write."""

from __future__ import annotations

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class TreeOptions:
    """Options of the tree search: its selection, its end, and its log."""

    playouts: int = 120
    seed: int = 1
    select: str = "ucb1"
    """`ucb1`, or `puct` with priors."""
    c: float = 1.0
    growth: float = 0.0
    """By how much c grows with the logarithm of the parent's visits, as in AlphaZero."""
    urgency: float | None = None
    """First-move urgency: the worth of a child that was not visited; None: it goes first."""
    shares: bool = False
    """Positions met by several paths are one node, written in full where they are met first."""
    stops_early: bool = False
    """As soon as no other ply can have as many visits."""
    evaluates: bool = False
    """An evaluation in place of playouts, so that there are no wins, draws and losses."""
    view: str = "root"
    low: float = 0.0
    high: float = 1.0
    digits: int | None = None
    """Decimals of the numbers written."""
    choose: str = "visits"
    declares: bool = True
    terms: str = "last"
    """Those of the last selection, or of the `final` tree."""
    fewest: int = 0
    """Children with fewer visits stand in a stub."""
    keys: bool = True
    moves: bool = True
    snapshots: bool = False
    """A tree after a tenth of the playouts, too."""


def drawn_tree_options(seed: int) -> TreeOptions:
    draw = random.Random(seed)
    select = draw.choice(["ucb1", "puct"])
    low, high = draw.choice([(0.0, 1.0), (-1.0, 1.0), (0.0, 100.0)])
    return TreeOptions(
        playouts=draw.choice([2, 5, 40, 120, 300]),
        seed=seed,
        select=select,
        c=draw.choice([0.3, 1.0, 1.4]),
        growth=draw.choice([0.0, 0.0, 0.2]),
        urgency=draw.choice([None, 0.3, 1.0]),
        shares=draw.random() < 0.3,
        stops_early=draw.random() < 0.3,
        evaluates=draw.random() < 0.3,
        view=draw.choice(["root", "mover"]),
        low=low,
        high=high,
        digits=draw.choice([None, 2, 3, 4, 6]),
        choose=draw.choice(["visits", "mean"]),
        declares=draw.random() < 0.8,
        terms=draw.choice(["last", "final"]),
        fewest=draw.choice([0, 0, 1, 3]),
        keys=draw.random() < 0.7,
        moves=draw.random() < 0.7,
        snapshots=draw.random() < 0.2,
    )
