"""`plyscope perft`: count the positions of a game by depth."""

from __future__ import annotations

import time
from typing import Any

import click

from plyscope.engine.quoting import counted
from plyscope.status import StatusLine
from plyscope.visualizer.cli.play.game import (
    blame_game,
    board_option,
    find_game,
    position_option,
    tell_board,
    tell_contradiction,
)
from plyscope.visualizer.cli.terminal import json_option, print_json


@click.command()
@click.argument("game")
@click.argument("depth", type=click.IntRange(0))
@position_option
@click.option("--divide", is_flag=True, help="One count for each ply of the position.")
@board_option
@json_option
def perft(game: str, depth: int, position: str | None, divide: bool, board: bool, as_json: bool) -> None:
    """Count the leaves DEPTH plies below a position of GAME (a name, or file.py:Class).

    The first count of a game compiles its rules, also where a search has done so: counting is other code.
    """
    from plyscope.engine.perft import divide as divided
    from plyscope.engine.perft import needs_compiling
    from plyscope.engine.perft import perft as count_leaves

    with blame_game(game), StatusLine(tells_waits=True) as status:
        found = find_game(game)
        state = start_state(found, position)
        tell_contradiction(found, position)
        if board and not as_json:
            tell_board(found, position)
        if depth > 1 and needs_compiling(found, state):
            status.wait(f"compiling the rules of {game} to count them, once on a machine: up to a minute …")
            count_leaves(found, state, 2)
        begun = time.perf_counter()
        status.show(f"counting {game} to depth {depth} …")

        def progress(so_far: int) -> None:
            rate = so_far / (time.perf_counter() - begun)
            status.show(f"{so_far:,} leaves  {rate / 1e6:.0f} M leaves/s")

        by_ply = divided(found, state, depth, progress=progress) if divide else None
        nodes = (
            count_leaves(found, state, depth, progress=progress) if by_ply is None else sum(by_ply.values())
        )
    seconds = time.perf_counter() - begun
    if as_json:
        print_json({"nodes": nodes} if by_ply is None else {"nodes": nodes, "divide": by_ply})
        return
    for ply, below in (by_ply or {}).items():
        click.echo(f"{ply}: {below:,}")
    click.echo(f"{counted(nodes, 'leaf')} at depth {depth} in {seconds:.2f} s")


def is_plain(game: Any) -> bool:
    """Whether the game is a plain one, which is never compiled."""
    return hasattr(game, "plies")


def start_state(game: Any, position: str | None) -> Any:
    """The position to count from; raises GameError for one that cannot be read."""
    if position is None and is_plain(game):
        return game.start()
    return game.read_position(game.start if position is None else position)
