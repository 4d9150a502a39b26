"""Correct searches of both engines, all options mixed: in none of their logs may anything be wrong."""

from __future__ import annotations

import io
import json
import random
from typing import Any, NamedTuple

from plyscope.engine.games import connect_four, explicit_tree, reversi, tictactoe
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.formats.write.write_json import write_json
from plyscope.visualizer.store.log import Log
from tests.second_engine.engine import SecondEngine
from tests.second_engine.options import SecondOptions, drawn_options
from tests.second_engine.worlds import KernelWorld, Maze, TooLarge, unfolded

BOARDS = (tictactoe.GAME, connect_four.GAME, reversi.GAME)


class Search(NamedTuple):
    """A log, and in words what was searched and how."""

    log: Log
    what: str


def sound_search(seed: int) -> Search:
    """The search of a seed: two in five are our own engine's, the others the second one's."""
    return own_search(seed) if seed % 5 < 2 else second_search(seed)


def second_search(seed: int) -> Search:
    """A search of the second engine: mostly of a maze, sometimes of a board game or of a tree."""
    draw = random.Random(seed)
    world: Any
    if draw.random() < 0.8:
        world = Maze(
            seed, draw.choice([10, 20, 40]), draw.choice([2, 3, 4, 5]), alternates=draw.random() < 0.3
        )
    elif draw.random() < 0.5:
        world = KernelWorld(explicit_tree.GAME, drawn_tree(draw))
    else:
        game = draw.choice(BOARDS)
        world = KernelWorld(game, alternates=game is not reversi.GAME)
    options = drawn_options(draw, world)
    if isinstance(world, KernelWorld) and world.game in BOARDS:
        options = SecondOptions(**(vars(options) | {"depth": min(options.depth, 2), "quiescence": None}))
    carried = None
    if options.table and draw.random() < 0.2:
        before = SecondEngine(world, options)
        before.log()
        carried = before.entries
    document = SecondEngine(world, options, carried).log()
    return Search(read_log(json.dumps(document).encode()), f"second engine, {world.name}, {options}")


def own_search(seed: int) -> Search:
    """A search of our own engine as plain Python, its log written and read; mostly of a tree."""
    draw = random.Random(seed)
    is_tree = draw.random() < 0.8
    game: Any = explicit_tree.GAME if is_tree else draw.choice(BOARDS)
    position = drawn_tree(draw) if is_tree else game.start
    options = drawn_search_options(draw, game, 6 if is_tree else 2)
    recording = search(game, position, options, compiled=False)
    written = io.BytesIO()
    write_json(log_from_recording(recording), written)
    return Search(read_log(written.getvalue()), f"own engine, {game.name}, {position}, {options}")


def drawn_tree(draw: random.Random) -> str:
    """A random tree with true transpositions, passes and double moves."""
    while True:
        try:
            return unfolded(Maze(draw.getrandbits(32), draw.choice([8, 10, 12, 14]), draw.choice([2, 3, 4])))
        except TooLarge:
            continue


def drawn_search_options(draw: random.Random, game: Any, most_depth: int) -> SearchOptions:
    """Every technique of our own engine mixed with every other that the game allows."""
    said: dict[str, Any] = {
        "depth": draw.randint(1, most_depth),
        "algorithm": draw.choice(["minimax", "alphabeta", "alphabeta", "pvs", "pvs"]),
        "fail": draw.choice(["soft", "hard"]),
    }
    has_windows = said["algorithm"] != "minimax"

    def maybe(name: str, values: list[Any], chance: float = 0.4) -> None:
        if draw.random() < chance:
            said[name] = draw.choice(values)

    maybe("limit", [1, 2, 3])
    maybe("iterative", [True], 0.5)
    if said.get("iterative") and has_windows:
        maybe("aspiration", [0.5, 2.0, 20.0], 0.6)
    maybe("table", [0.01, 1.0], 0.6)
    if "table" in said:
        maybe("table_use", ["narrow"])
        maybe("table_depth", ["at_least"])
        maybe("table_keep", ["clear"])
    for name in ("killers", "history"):
        maybe(name, [True])
    maybe("iid", [1, 2], 0.3)
    if hasattr(game, "noisy"):
        maybe("quiescence", [1, 2, 6])
    if has_windows:
        if hasattr(game, "pass_turn"):
            maybe("null_move", [1, 2])
        maybe("lmr", [1, 2, 3])
        maybe("reverse_futility", [0.5, 1.5, 3.0], 0.3)
    maybe("nodes", [7, 40, 150], 0.2)
    maybe("quotient", [2, 3], 0.2)
    said["seed"] = draw.getrandbits(16)
    maybe("prove_wins", [True])
    return SearchOptions(**said)
