"""The techniques of a search on the command line: options that switch them on, counters in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import click

from plyscope.engine.alphabeta.counters import COUNTERS
from plyscope.visualizer.cli.terminal import options

technique_options: Final = options(
    click.option(
        "--table",
        type=click.FloatRange(0, min_open=True),
        metavar="MB",
        help="Remember positions in a transposition table of this size.",
    ),
    click.option(
        "--table-depth",
        type=click.Choice(["equal", "at_least"]),
        default="equal",
        show_default=True,
        help="Use entries of equal depth only, or of any that is deep enough.",
    ),
    click.option(
        "--table-use",
        type=click.Choice(["cut", "narrow"]),
        default="cut",
        show_default=True,
        help="narrow: entries that do not cut narrow the window.",
    ),
    click.option(
        "--table-keep",
        type=click.Choice(["iterations", "clear"]),
        default="iterations",
        show_default=True,
        help="clear: forget the entries between iterations.",
    ),
    click.option(
        "--killers", is_flag=True, help="After the best pre-score, try plies that cut at the same level."
    ),
    click.option(
        "--history", is_flag=True, help="Of plies of equal pre-score, first try those that often cut."
    ),
    click.option(
        "--iid",
        type=click.IntRange(1),
        metavar="N",
        help="Internal iterative deepening: find the first ply by a search of N plies less, where the table "
        "knows none.",
    ),
    click.option(
        "--quiescence", type=click.IntRange(1), metavar="N", help="Follow noisy plies N below the horizon."
    ),
    click.option(
        "--null-move", type=click.IntRange(1), metavar="R", help="Try a pass first, searched R plies less."
    ),
    click.option(
        "--lmr",
        type=click.IntRange(1),
        metavar="K",
        help="Late move reductions: search plies from place K on one ply less; verify those that beat the "
        "window.",
    ),
    click.option(
        "--reverse-futility",
        type=click.FloatRange(0, min_open=True),
        metavar="MARGIN",
        help="Reverse futility pruning (static null move): cut where the static beats the window by MARGIN "
        "for each ply of depth.",
    ),
    click.option(
        "--prove-wins",
        is_flag=True,
        help="Search again, all replies kept, where --limit leaves a win or loss unproven.",
    ),
    click.option(
        "--fail",
        type=click.Choice(["soft", "hard"]),
        default="soft",
        show_default=True,
        help="hard: scores never leave the window.",
    ),
    # Under their former names, `RENAMED` in `engine/former.py`: they work, help does not list them.
    click.option("--internal-deepening", type=click.IntRange(1), hidden=True),
    click.option("--reductions", type=click.IntRange(1), hidden=True),
    click.option("--futility", type=click.FloatRange(0, min_open=True), hidden=True),
)


def counter_lines(counters: Mapping[str, Mapping[str, int]]) -> list[str]:
    """The pairs of a result's counters, one line each.

    >>> counter_lines({"table": {"tried": 12345, "succeeded": 4321}})
    ['table               12,345 probed, 4,321 hit (35 %)']
    """
    lines = []
    for name, pair in counters.items():
        tried, succeeded = pair["tried"], pair["succeeded"]
        words = COUNTERS.get(name)
        what, how = (words.tried, words.succeeded) if words else ("tried", "succeeded")
        share = f" ({succeeded / tried:.0%})".replace("%", " %") if tried else ""
        lines.append(f"{name.replace('_', ' '):<20}{tried:,} {what}, {succeeded:,} {how}{share}")
    return lines
