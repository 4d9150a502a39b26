"""The randomness quotient: how often each rank is drawn, and that the ply of a rank is the right one."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from plyscope.engine.games.explicit_tree import GAME
from plyscope.engine.options import SearchOptions
from plyscope.engine.quotient import draw_rank
from plyscope.engine.run import search
from plyscope.visualizer.formats.seal.recording import log_from_recording
from tests.oracle import broken_rules, minimax
from tests.property.examples import examples

TREE = "[[[7, 2], [5, 9]], [[1, 4], [8, 6]], [[3, 3], [2, 8]], [[6, 1], [7, 7]], [[5, 5], [4, 9]]]"


@pytest.mark.parametrize(("quotient", "n_plies"), [(2, 4), (8, 5), (2, 1)])
def test_ranks_are_drawn_as_often_as_promised(quotient: int, n_plies: int) -> None:
    """Rank r has (Q - 1) / Q^(r + 1), the last the whole tail; within 5 standard errors."""
    n_draws = examples(100_000)
    counts = Counter(draw_rank(quotient, seed, n_plies) for seed in range(n_draws))
    assert set(counts) <= set(range(n_plies))
    for rank in range(n_plies):
        chance = (quotient - 1) / quotient ** (rank + 1) if rank < n_plies - 1 else quotient**-rank
        error = math.sqrt(chance * (1 - chance) / n_draws)
        assert abs(counts[rank] / n_draws - chance) <= 5 * error, (rank, counts)


PLIES = ("[[9, 1], [8, 2]]", "[[7, 5], [6, 4]]", "[[3, 2], [4, 3]]", "[[1, 0], [5, 5]]")
"""Worth 8, 6, 3 and 1 to the root."""


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "pvs"])
@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (2, 0, 3, 1)])
def test_the_ply_of_rank_r_is_the_r_th_best_of_plain_minimax(algorithm: str, order: tuple[int, ...]) -> None:
    """Distinct scores, so every rank has one right ply; a seed of each rank from 0 to the last."""
    tree = "[" + ", ".join(PLIES[i] for i in order) + "]"
    scores = minimax(GAME, GAME.read_position(tree), 3)
    best_first = sorted(scores, key=lambda ply: -scores[ply])
    assert len(set(scores.values())) == 4
    seeds = {draw_rank(2, seed, len(PLIES)): seed for seed in range(40)}
    seen = set()
    for seed in seeds.values():
        options = SearchOptions(depth=3, algorithm=algorithm, quotient=2, seed=seed)  # type: ignore[arg-type]
        recording = search(GAME, tree, options, compiled=False)
        rank = recording.header["result"]["rank"]
        assert recording.ply == GAME.write_ply(recording.state, best_first[rank])
        assert recording.score == scores[best_first[rank]]
        assert broken_rules(log_from_recording(recording)) == []
        seen.add(rank)
    assert seen == {0, 1, 2, 3}


def test_a_seed_is_drawn_and_logged_where_none_is_given() -> None:
    first = search(GAME, TREE, SearchOptions(quotient=2), compiled=False).header["result"]
    again = SearchOptions(quotient=2, seed=first["seed"])
    assert search(GAME, TREE, again, compiled=False).header["result"]["rank"] == first["rank"]
    assert first["randomness_quotient"] == 2
