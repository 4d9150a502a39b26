"""`plyscope perft`: the positions of a game by depth; `plyscope quotient`: how often ranks are played."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from plyscope.visualizer.cli.terminal import ANY_FILE, json_option, print_json

if TYPE_CHECKING:
    from plyscope.engine.perft_walk import Comparison


@click.command()
@click.argument("game")
@click.argument("depth", type=click.IntRange(0))
@position_option
@click.option("--divide", is_flag=True, help="One count for each ply of the position.")
@click.option(
    "--against",
    metavar="ENGINE|FILE",
    help="Compare with `go perft` of a UCI engine, ply by ply down to the first difference; or with a file "
    "of such counts.",
)
@board_option
@json_option
def perft(
    game: str,
    depth: int,
    position: str | None,
    divide: bool,
    against: str | None,
    board: bool,
    as_json: bool,
) -> None:
    """Count the leaves DEPTH plies below a position of GAME (a name, or file.py:Class).

    The first count of a game compiles its rules, also where a search has done so: counting is other code.
    """
    from plyscope.engine.perft import divide as divided
    from plyscope.engine.perft import needs_compiling
    from plyscope.engine.perft import perft as count_leaves

    if against is not None:
        tell_comparison(compared(game, position, depth, against), as_json=as_json)
        return
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


def compared(name: str, position: str | None, depth: int, against: str) -> Comparison:
    """Return where the counts of an engine or a file part from ours; raises ClickException, GameError."""
    from plyscope.engine.match.engine_process import words_of
    from plyscope.engine.match.errors import PlayerError
    from plyscope.engine.match.uci_player import UciEngine
    from plyscope.engine.perft_walk import compare

    with blame_game(name), StatusLine(tells_waits=True) as status:
        game = find_game(name)
        state = start_state(game, position)
        if (lines := lines_in(Path(against))) is not None:
            return compare(game, state, depth, lambda state, depth: lines, deeper=False)
        try:
            with UciEngine(words_of(against), {}) as engine:

                def ask(state: Any, depth: int) -> list[str]:
                    status.show(f"comparing with {engine.name} at depth {depth} …")
                    return engine.perft(game.write_position(state), depth)

                return compare(game, state, depth, ask)
        except PlayerError as error:
            raise click.ClickException(f"{against} {error}") from None


def lines_in(path: Path) -> list[str] | None:
    """The lines of a text file; None where it is none, such as a program."""
    if not path.is_file():
        return None
    data = path.read_bytes()
    if data.startswith(b"#!") or b"\0" in data[:4096]:
        return None
    return data.decode("utf-8", "replace").splitlines()


def tell_comparison(found: Comparison, *, as_json: bool) -> None:
    """Print what two counts came to, and leave with 1 where they differ."""
    if as_json:
        print_json({**asdict(found), "equal": found.is_equal})
    else:
        click.echo(str(found))
        if not found.is_equal and found.position is not None:
            click.echo(f"position {found.position}")
    if not found.is_equal:
        sys.exit(1)


def is_plain(game: Any) -> bool:
    """Whether the game is a plain one, which is never compiled."""
    return hasattr(game, "plies")


def start_state(game: Any, position: str | None) -> Any:
    """The position to count from; raises GameError for one that cannot be read."""
    if position is None and is_plain(game):
        return game.start()
    return game.read_position(game.start if position is None else position)


@click.command()
@click.argument("q", type=click.IntRange(2), metavar="Q")
@click.option(
    "--plies", type=int, default=10, show_default=True, metavar="N", help="Plies to choose from, 1 to 1,000."
)
@click.option("--draws", type=int, metavar="N", help="Draw N ranks and hold them against the formula.")
@click.option("--seed", type=int, metavar="S", help="Seed of the draws. Default: one is chosen and told.")
@click.option("--svg", type=ANY_FILE, metavar="FILE", help="Write the chart to FILE as SVG too.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON instead of the table.")
def quotient(
    q: int, plies: int, draws: int | None, seed: int | None, svg: Path | None, as_json: bool
) -> None:
    """Tell how often each rank is played with the randomness quotient Q.

    Plies are ranked best first. While a draw of 1 in Q comes up, the next ply is taken, never past the last.
    """
    from plyscope.counting import quotient as chances

    found = chances(q, plies=plies, draws=draws, seed=seed)
    if svg is not None:
        svg.write_text(found.svg, encoding="utf-8")
    click.echo(json.dumps(found.as_json(), indent=1) if as_json else str(found))
