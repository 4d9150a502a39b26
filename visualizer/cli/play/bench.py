"""`plyscope bench`: fixed searches; their nodes are the signature of the engine, their time its speed.

A change that means to alter nothing that is searched keeps every number of nodes; one that means to alter the
search shows where. The positions, depths and options here are never changed for any other reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import click

from plyscope.engine.quoting import counted
from plyscope.searching import tell
from plyscope.status import StatusLine, speed
from plyscope.visualizer.cli.terminal import json_option, print_json

if TYPE_CHECKING:
    from plyscope.engine.run import Progress

TECHNIQUES: Final[dict[str, dict[str, Any]]] = {
    "alphabeta": {},
    "hard": {"fail": "hard", "limit": 5},
    "pvs": {"algorithm": "pvs", "iterative": True, "aspiration": 8.0},
    "table": {"table": 16, "iterative": True},
    "narrow": {"table": 16, "table_depth": "at_least", "table_use": "narrow", "algorithm": "pvs"},
    "ordering": {"table": 16, "killers": True, "history": True, "iid": 2},
    "quiescence": {"quiescence": 4},
    "null_move": {"null_move": 2},
    "lmr": {"algorithm": "pvs", "lmr": 3},
    "reverse_futility": {"reverse_futility": 8.0},
    "everything": {
        "algorithm": "pvs",
        "iterative": True,
        "table": 16,
        "killers": True,
        "history": True,
        "iid": 2,
        "quiescence": 4,
        "null_move": 2,
        "lmr": 3,
        "reverse_futility": 20.0,
    },
}
"""Options by the name of what they try, alone or with others."""

_MIDDLE_OF_REVERSI: Final = "-------------O----XXOOO---OOOOO---XOOXOO-X--XOX----XOO-X--XXX--- X"

_MIDDLE_OF_CHESS: Final = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

POSITIONS: Final = (
    ("chess", None, 5),
    ("chess", _MIDDLE_OF_CHESS, 4),
    ("connect_four", None, 12),
    ("connect_four", "44455222", 12),
    ("explicit_tree", None, 2),
    ("hive", "Base+MLP", 4),
    ("reversi", None, 10),
    ("reversi", _MIDDLE_OF_REVERSI, 8),
    ("tictactoe", None, 9),
)
"""Game, position (None: its start) and depth."""


@dataclass(frozen=True)
class Searched:
    """One search of the bench, and what it took."""

    game: str
    position: str
    depth: int
    techniques: str
    nodes: int
    seconds: float


def searches(
    *, compiled: bool = True, most_depth: int = 99, on_progress: Callable[[Progress], None] | None = None
) -> Iterator[Searched]:
    """Run every search that the games allow, no deeper than `most_depth`, and tell of each."""
    from plyscope.engine.games import find
    from plyscope.engine.options import SearchOptions
    from plyscope.engine.run import search

    for name, position, depth in POSITIONS:
        game: Any = find(name)
        for techniques, said in TECHNIQUES.items():
            lacks_noisy = "quiescence" in said and not hasattr(game, "noisy")
            lacks_pass = "null_move" in said and not hasattr(game, "pass_turn")
            if lacks_noisy or lacks_pass:
                continue
            options = SearchOptions(depth=min(depth, most_depth), record=False, **said)
            result = search(game, position, options, on_progress, compiled=compiled).header["result"]
            place = game.start if position is None else position
            yield Searched(name, place, options.depth, techniques, result["nodes"], result["seconds"])


@click.command()
@json_option
def bench(as_json: bool) -> None:
    """Search fixed positions with every technique: the total of nodes is the engine's signature.

    \b
    A row is one search of one position; its name says what is tried:
      alphabeta   plain alpha-beta, against which the others are read
      hard        fail-hard, and only five plies a node, so far fewer nodes
      pvs         scouts, deepening, a window of 8 around the last score
      table       deepening with a transposition table
      narrow      pvs; entries of any greater depth narrow the window
      ordering    table, killers, history, IID
      quiescence, null_move, lmr, reverse_futility   that one technique
      everything  all of them together

    Speeds of rows below 100,000 nodes are those of milliseconds and vary. Hive
    is searched from its start, four plies deep: nodes to compare, not a speed;
    `python -m tests.benchmarks.hive` measures that.
    The first bench on a machine compiles the search of every game, also of one
    that was searched with a log: a search that records is other machine code.
    """
    done: list[Searched] = []
    with StatusLine(tells_waits=True) as status:

        def tell_compiling(at: Progress) -> None:
            if at.phase == "compiling":
                tell(status, at)

        for each in searches(on_progress=tell_compiling):
            done.append(each)
            status.show(f"{each.game}, {each.techniques}: {each.nodes:,} nodes")
    nodes, seconds = sum(each.nodes for each in done), sum(each.seconds for each in done)
    if as_json:
        figures = {"signature": nodes, "seconds": seconds, "nodes_per_second": nodes / seconds}
        print_json({**figures, "searches": done})
        return
    for each in done:
        rate = each.nodes / max(each.seconds, 1e-9) / 1e6
        click.echo(
            f"{each.game:<14}{each.position[:22]:<24}depth {each.depth}  {each.techniques:<12}"
            f"{each.nodes:>12,} nodes {rate:8.2f} M nodes/s"
        )
    click.echo(f"signature {nodes}: {counted(nodes, 'node')} in {seconds:.2f} s")
    click.echo(speed(nodes / seconds))
