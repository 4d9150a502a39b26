"""The second engine finds what plain minimax finds, and writes logs that open."""

from __future__ import annotations

import json
import random

from plyscope.engine.games import connect_four
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store import words
from tests.second_engine.draw import drawn_options
from tests.second_engine.engine import SecondEngine
from tests.second_engine.options import SecondOptions
from tests.second_engine.plain_minimax import minimax_score
from tests.second_engine.worlds import KernelWorld, Maze


def test_every_technique_that_promises_it_gives_plain_minimax_score() -> None:
    for seed in range(200):
        draw = random.Random(seed)
        world = Maze(seed, draw.choice([12, 20, 40]), draw.choice([2, 3, 4]), alternates=draw.random() < 0.3)
        options = drawn_options(draw, world, exact=True)
        assert options.equals_minimax
        result = SecondEngine(world, options).log()["result"]
        assert result["score"] == minimax_score(world, options), (seed, options)


def test_the_second_engine_plays_a_kernel_game() -> None:
    world = KernelWorld(connect_four.GAME)
    options = SecondOptions(depth=3, algorithm="pvs", limit=4, table=True, iterative=True, killers=True)
    document = SecondEngine(world, options).log()
    assert document["result"]["score"] == minimax_score(world, options)


def test_a_log_of_the_second_engine_opens_with_everything_it_says() -> None:
    seen: set[str] = set()
    for seed in range(60):
        world = Maze(seed, 40)
        document = SecondEngine(world, drawn_options(random.Random(seed), world)).log()
        log = read_log(json.dumps(document).encode())
        assert log.notices == ()
        seen |= {*log.columns, *(words.OUTCOMES[code] for code in log.columns["outcome"])}
    expected = "player depth alpha beta cut_by ending moves static pre_score stand_pat key tt_use tt_from "
    expected += "purpose reduction quiescence in_check factors count "
    expected += "searched cutoff leaf terminal tt stopped pruned limited"
    assert set(expected.split()) <= seen
