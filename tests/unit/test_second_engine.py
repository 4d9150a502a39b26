"""The second engine finds what plain minimax finds, and writes logs that open."""

from __future__ import annotations

import json
import random

import pytest

from plyscope.engine.games import connect_four, reversi, tictactoe
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store import words
from tests.second_engine.draw import drawn_options
from tests.second_engine.engine import SecondEngine
from tests.second_engine.options import SecondOptions
from tests.second_engine.plain_minimax import minimax_score
from tests.second_engine.worlds import KernelWorld, Maze


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_every_technique_that_promises_it_gives_plain_minimax_score(first: int) -> None:
    for seed in range(first, first + 100):
        draw = random.Random(seed)
        world = Maze(seed, draw.choice([12, 20, 40]), draw.choice([2, 3, 4]), alternates=draw.random() < 0.3)
        options = drawn_options(draw, world, exact=True)
        assert options.equals_minimax
        result = SecondEngine(world, options).log()["result"]
        assert result["score"] == minimax_score(world, options), (seed, options)


@pytest.mark.parametrize(
    "game", [tictactoe.GAME, connect_four.GAME, reversi.GAME], ids=lambda game: game.name
)
def test_the_second_engine_plays_the_kernel_games(game: object) -> None:
    world = KernelWorld(game)
    options = SecondOptions(
        depth=3, algorithm="pvs", limit=4, table=True, iterative=True, aspiration=2.0, killers=True
    )
    document = SecondEngine(world, options).log()
    assert document["result"]["score"] == minimax_score(world, options)
    assert read_log(json.dumps(document).encode()).n_rows >= document["result"]["nodes"]


def test_a_log_of_the_second_engine_opens_with_everything_it_says() -> None:
    seen: set[str] = set()
    for seed in range(60):
        draw = random.Random(seed)
        world = Maze(seed, 40)
        document = SecondEngine(world, drawn_options(draw, world)).log()
        log = read_log(json.dumps(document).encode())
        assert log.notices == ()
        assert log.n_rows == sum(1 for _ in _rows(document))
        seen |= set(log.columns)
        seen |= {words.OUTCOMES[code] for code in log.columns["outcome"]}
    expected = (
        "player depth alpha beta cut_by ending moves static pre_score stand_pat key tt_use tt_from purpose"
    )
    expected += " reduction quiescence in_check factors count"
    assert set(expected.split()) <= seen
    assert {"searched", "cutoff", "leaf", "terminal", "tt", "stopped", "pruned", "limited"} <= seen


def test_history_changes_the_order_of_plies_and_neither_what_is_kept_nor_the_score() -> None:
    n_reordered = 0
    for seed in range(20):
        world = Maze(seed, 40, 5)
        plain, ordered = (
            SecondEngine(world, SecondOptions(depth=5, limit=3, history=history)).log()
            for history in (False, True)
        )
        assert plain["result"]["score"] == ordered["result"]["score"]
        first, second = (
            [node["ply"] for node in document["root"]["children"] if "ply" in node]
            + [ply for node in document["root"]["children"] for ply in node.get("plies", [])]
            for document in (plain, ordered)
        )
        assert sorted(first) == sorted(second)
        n_reordered += plain["root"] != ordered["root"]
    assert n_reordered > 5


def _rows(document: dict) -> list:  # type: ignore[type-arg]
    waiting = list(document.get("roots", [document.get("root")]))
    rows = []
    while waiting:
        rows.append(waiting.pop())
        waiting += rows[-1].get("children", [])
    return rows
