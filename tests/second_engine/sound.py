"""Correct searches of both engines, in whose logs nothing may be wrong, and plain minimax beside them."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable
from typing import Any, NamedTuple

from plyscope.engine.former import RENAMED
from plyscope.engine.games import connect_four, explicit_tree, reversi, tictactoe
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.formats.write.write_json import write_json
from plyscope.visualizer.store.log import Log
from tests.second_engine.engine import SecondEngine
from tests.second_engine.options import SecondOptions, drawn_options, drawn_techniques
from tests.second_engine.worlds import DRAW, FIRST, KernelWorld, Maze, TooLarge, unfolded

NOT_OURS = ("null_width", "research", "draw")
OF_WINDOWS = ("aspiration", "null_move", "lmr", "reverse_futility")
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
    kernels = {name for name in ("noisy", "pass_turn") if hasattr(game, name)}
    drawn = drawn_techniques(draw, kernels, most_depth)
    said = {RENAMED.get(name, name): value for name, value in drawn.items() if name not in NOT_OURS}
    if said["algorithm"] == "minimax":
        said = {name: value for name, value in said.items() if name not in OF_WINDOWS}
    if said.pop("table", False):
        said["table"] = draw.choice([0.01, 1.0])
    else:
        said = {name: value for name, value in said.items() if not name.startswith("table")}
    said["quotient"] = draw.choice([2, 3, *[None] * 8])
    return SearchOptions(**said, seed=draw.getrandbits(16), prove_wins=draw.random() < 0.4)


def minimax_score(world: Any, options: SecondOptions) -> float:
    """The root's score with the horizon and the kept sets of `options`."""
    return _scorer(world, options)(world.start(), options.depth, 0)


def ply_scores(world: Any, options: SecondOptions) -> dict[str, float]:
    """The score of each ply of the root, whether `options` keep it or not."""
    score, start = _scorer(world, options), world.start()
    return {
        world.ply_text(start, ply): score(world.after(start, ply), options.depth - 1, 1)
        for ply in world.plies(start)
    }


def _scorer(world: Any, options: SecondOptions) -> Callable[[Any, int, int], float]:
    """A function that scores a position at a depth and a level."""
    root_player = world.mover(world.start())

    def static(position: Any) -> float:
        pairs = zip(world.factors.values(), world.values(position), strict=True)
        total = sum(weight * value for weight, value in pairs)
        return total if root_player == 0 else 0.0 - total

    def score(position: Any, depth: int, level: int) -> float:
        ending = world.ending(position)
        if ending == DRAW:
            return options.draw
        if ending:
            mate = options.mate_score - options.mate_step * level
            return mate if (ending == FIRST) == (root_player == 0) else -mate
        maximizes = world.mover(position) == root_player
        below = list(world.plies(position))
        scores: list[float] = []
        if depth <= 0:
            if options.quiescence is None or depth <= -options.quiescence:
                return static(position)
            if not world.in_check(position):
                below, scores = list(world.noisy(position)), [static(position)]
        elif options.limit is not None:
            sign = -1 if maximizes else 1
            below = sorted(below, key=lambda ply: sign * static(world.after(position, ply)))[: options.limit]
        scores += [score(world.after(position, ply), depth - 1, level + 1) for ply in below]
        if not scores:
            return static(position)
        return max(scores) if maximizes else min(scores)

    return score
