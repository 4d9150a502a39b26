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
    return _next_rank(random.Random(seed), quotient, n_plies)


def draw_ranks(quotient: int, seed: int, n_plies: int, n_draws: int) -> list[int]:
    """Return the frequency of each rank in `n_draws` draws of one generator, started by `seed`.

    >>> draw_ranks(2, seed=1, n_plies=3, n_draws=8)
    [5, 1, 2]
    """
    generator = random.Random(seed)
    counts = [0] * n_plies
    for _ in range(n_draws):
        counts[_next_rank(generator, quotient, n_plies)] += 1
    return counts


def rank_probability(rank: int, quotient: int, n_plies: int) -> float:
    """Return how likely this rank of `n_plies` plies is drawn: (Q - 1) / Q^(r + 1), the last rank 1 / Q^r.

    >>> [rank_probability(rank, 2, n_plies=3) for rank in range(3)]
    [0.5, 0.25, 0.25]
    """
    if rank == n_plies - 1:
        return tail_probability(rank, quotient)
    return (quotient - 1) / int(quotient ** (rank + 1))


def tail_probability(rank: int, quotient: int) -> float:
    """Return how likely this rank or a worse one is drawn: 1 / Q^r."""
    return 1 / int(quotient**rank)


def _next_rank(generator: random.Random, quotient: int, n_plies: int) -> int:
    rank = 0
    while rank < n_plies - 1 and generator.randrange(quotient) == 0:
        rank += 1
    return rank
