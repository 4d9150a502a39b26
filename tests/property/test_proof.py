"""A win or loss that is called proven is true at full width; a search that leaves nothing out proves all."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from plyscope.visualizer.analysis.columns.sight import plies_made
from plyscope.visualizer.analysis.nodes.mate import mate_of
from plyscope.visualizer.analysis.nodes.proof import _proved, proof_of, proofs_of
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from tests.property.examples import examples
from tests.second_engine.engine import SecondEngine
from tests.second_engine.options import drawn_options
from tests.second_engine.worlds import DRAW, FIRST, Maze, Spot
from tests.unit.logs import there

N_SEARCHES = examples(250, least=50)


def drawn(seed: int, **fixed: Any) -> tuple[Maze, Log]:
    """A maze whose games end often, and a search of it by the second engine."""
    draw = random.Random(seed)
    world = Maze(seed, draw.choice([10, 16, 24]), draw.choice([2, 3]), alternates=draw.random() < 0.3)
    options = replace(drawn_options(draw, world), **({"depth": draw.randint(2, 7)} | fixed))
    return world, read_log(json.dumps(SecondEngine(world, options).log()).encode())


def solved(world: Maze) -> Any:
    """Who wins at a spot and in how many plies, every game played to its end; None where it is drawn."""

    @cache
    def outcome(spot: Spot) -> tuple[int, int] | None:
        ending = world.ending(spot)
        if ending:
            return None if ending == DRAW else (0 if ending == FIRST else 1, 0)
        mover = world.mover(spot)
        below = [outcome(world.after(spot, ply)) for ply in world.plies(spot)]
        wins = [each[1] for each in below if each is not None and each[0] == mover]
        if wins:
            return mover, min(wins) + 1
        losses = [each[1] for each in below if each is not None]
        return (1 - mover, max(losses) + 1) if len(losses) == len(below) else None

    return outcome


def n_checked_against_the_truth(world: Maze, log: Log) -> int:
    """Hold every proof of the log against the solved game; how many there were above finished games."""
    outcome, mate = solved(world), mate_of(log)
    assert mate is not None
    root_player = world.mover(world.start())
    n_nodes = len(world._edges)
    spots = {world.key(spot): spot for i in range(n_nodes) for spot in (Spot(i), Spot(i, True))}
    made, found = plies_made(log), proofs_of(log)
    for row, score in zip(found.rows.tolist(), found.scores.tolist(), strict=True):
        spot = spots[int(log.columns["key"][row])]
        truth = outcome(spot)
        assert truth is not None, (row, score)
        winner, plies = truth
        side = 1 if winner == root_player else -1
        best = mate.score - mate.step * (int(made[row]) + plies)
        assert 0 < side * score <= best, (row, score, truth)
    return int((log.columns["outcome"][found.rows] != words.TERMINAL).sum())


def test_a_proven_win_or_loss_is_true_at_full_width() -> None:
    counts = [n_checked_against_the_truth(*drawn(seed, toll=0.0)) for seed in range(N_SEARCHES)]
    assert sum(counts) > N_SEARCHES


PRUNING = ("limit", "quiescence", "null_move", "reductions", "futility", "lift", "frontier", "nodes")
FULL_WIDTH = dict.fromkeys(PRUNING) | {"toll": 0.0}


def test_a_search_that_leaves_nothing_out_proves_what_it_claims() -> None:
    n_claims = 0
    for seed in range(N_SEARCHES):
        _, log = drawn(seed, **FULL_WIDTH)
        proofs = [proof_of(log, row) for row in range(log.n_rows)]
        claims = [proof for proof in proofs if proof is not None]
        assert {proof.verdict for proof in claims} <= {"proven"}, seed
        n_claims += len(claims)
    assert n_claims > 10 * N_SEARCHES


def test_the_pass_proves_the_same_compiled() -> None:
    for seed in range(0, N_SEARCHES, 12):
        _, log = drawn(seed)
        mate = there(mate_of(log))
        plain, compiled = (_proved(log, mate, compiled=each) for each in (False, True))
        for one, other in zip(vars(plain).values(), vars(compiled).values(), strict=True):
            assert np.array_equal(one, other)
