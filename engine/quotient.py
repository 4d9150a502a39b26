"""The randomness quotient: draws the rank of the ply to play, before the search.

While a draw of 1 in Q comes up, the next ranked ply is taken, never past the last. So rank r (from 0) has
probability (Q - 1) / Q^(r + 1), and the last rank takes the tail 1 / Q^r. The draw comes before the search
because the search must know how many of the root's plies need exact scores.
"""

from __future__ import annotations

import random


def draw_rank(quotient: int, seed: int, n_plies: int) -> int:
    """Return the rank to play among `n_plies` plies, 0 for the best; the same for the same seed.

    >>> [draw_rank(2, seed, n_plies=3) for seed in range(8)]
    [0, 2, 2, 2, 1, 0, 1, 0]
    """
    draw = random.Random(seed).randrange
    rank = 0
    while rank < n_plies - 1 and draw(quotient) == 0:
        rank += 1
    return rank
