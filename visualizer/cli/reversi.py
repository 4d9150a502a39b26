"""`plyscope reversi`: answers one position of Reversi, by flags of the Zebra family of programs."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from plyscope.engine.game import State

_VALUES: Final = {
    "-cli": 0,
    "-b": 1,
    "-e": 1,
    "-line": 1,
    "-scores": 1,
    "-depth": 3,
    "-board": 1,
    "-turn": 1,
    "-h": 1,
    "-seconds": 1,
}
_HELP: Final = """plyscope reversi -board S -turn X|O [flags]   answers one position, and leaves
  -cli                  accepted: there is no other way to ask
  -b 0|1                opening book: there is none, 1 only says so on the error stream
  -e 0|1                1 tells on the error stream how the answer was found (default 0)
  -line 0|1|2           1: the best line of a solved position; 0, 2: the ply alone (default 2)
  -scores 0|1           1: the score of a solved position, black - white, before the line (default 0)
  -depth MID EXACT      look ahead MID plies; from EXACT empty cells on solve the score exactly;
         WLD            EXACT up to WLD is not solved for win, draw or loss yet (default 6 10 12)
  -seconds S            look ahead for at most S seconds; a solved position takes what it takes (default 10)
  -h BITS               2 ** BITS entries in the solver's table, 1 to 28 (default 20)
  -board S              64 signs row by row from a1: X black, O white, - empty
  -turn X|O             the side to move"""


@click.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)
@click.argument("flags", nargs=-1, type=click.UNPROCESSED)
def reversi(flags: tuple[str, ...]) -> None:
    """Answer one position of Reversi; `plyscope reversi ?` lists the flags."""
    if not flags or "?" in flags or "--help" in flags:
        click.echo(_HELP)
        sys.exit(0 if flags else 2)
    asked = _read(flags)
    click.echo(_answer(asked))


def _read(flags: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """The values of each flag; a usage error says which flag is unknown or lacks values."""
    asked: dict[str, tuple[str, ...]] = {}
    i = 0
    while i < len(flags):
        flag = flags[i].lower()
        if flag not in _VALUES:
            raise click.UsageError(f"{flags[i]!r} is no flag; `plyscope reversi ?` lists them.")
        n = _VALUES[flag]
        asked[flag] = flags[i + 1 : i + 1 + n]
        if len(asked[flag]) < n:
            raise click.UsageError(f"{flag}: expected {n} value{'s' * (n > 1)}, found {len(asked[flag])}.")
        i += 1 + n
    for flag in ("-board", "-turn"):
        if flag not in asked:
            raise click.UsageError(f"{flag} is missing: give the position by -board S -turn X|O.")
    return asked


def _whole(asked: dict[str, tuple[str, ...]], flag: str, least: int, most: int, default: int) -> int:
    """The flag's number."""
    return _number(flag, asked[flag][0], least, most) if flag in asked else default


def _number(flag: str, text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and least <= int(text) <= most):
        raise click.UsageError(f"{flag} {text}: expected a whole number from {least} to {most}.")
    return int(text)


def _answer(asked: dict[str, tuple[str, ...]]) -> str:
    """The line to print."""
    from plyscope.engine.game import ONGOING, GameError
    from plyscope.engine.games.reversi import GAME

    mid, exact, _ = (_number("-depth", text, 1, 60) for text in asked.get("-depth", ("6", "10", "12")))
    line = _whole(asked, "-line", 0, 2, 2) == 1
    scores = _whole(asked, "-scores", 0, 1, 0) == 1
    echo = _whole(asked, "-e", 0, 1, 0) == 1
    bits = _whole(asked, "-h", 1, 28, 20)
    seconds = _whole(asked, "-seconds", 1, 1_000_000, 10)
    if _whole(asked, "-b", 0, 1, 0) == 1 and echo:
        click.echo("there is no opening book", err=True)
    try:
        state = GAME.read_position(f"{asked['-board'][0]} {asked['-turn'][0]}")
    except GameError as error:
        raise click.UsageError(f"-board, -turn: {error}.") from error
    if 64 - (int(state[0]) | int(state[1])).bit_count() <= exact or GAME.status(state) != ONGOING:
        return _solved(state, bits, line=line, scores=scores, echo=echo)
    if line or scores:
        raise click.UsageError(
            f"-line 1 and -scores 1 tell of solved positions: this one has more than {exact} empty cells."
        )
    return _ahead(state, mid, seconds, echo=echo)


def _written(ply: str) -> str:
    return "--" if ply == "pass" else ply


def _solved(state: State, bits: int, *, line: bool, scores: bool, echo: bool) -> str:
    """The answer to a position that is solved to the last disc."""
    from plyscope.engine.endgame.solver import solve
    from plyscope.engine.games.reversi import GAME, SIDE

    found = solve(state, table_bits=bits)
    black = 32 + (-found.score if state[SIDE] else found.score) // 2
    told = f"{black:2} - {64 - black:2}"
    if echo:
        click.echo(f"solved: {told}, {found.nodes:,} nodes", err=True)
    if found.ply is None:
        return told
    plies = [_written(GAME.write_ply(state, found.ply))]
    at = state
    ply: int | None = found.ply
    while line and ply is not None:
        at = at.copy()
        GAME.apply(at, ply)
        ply = solve(at, table_bits=bits).ply
        if ply is not None:
            plies.append(_written(GAME.write_ply(at, ply)))
    if line:
        return f"{told if scores else ''}   " + "".join(f" {each}" for each in plies)
    return f"{told}    {plies[0]}" if scores else plies[0]


def _ahead(state: State, mid: int, seconds: int, *, echo: bool) -> str:
    """The answer to a position that is searched by alpha-beta and judged by the game's factors."""
    from plyscope.engine.games.reversi import GAME
    from plyscope.engine.options import SearchOptions
    from plyscope.engine.run import Iteration, search

    done: list[Iteration] = []
    options = SearchOptions(
        depth=mid, iterative=True, algorithm="pvs", seconds=seconds, record=False, table=64, killers=True
    )
    search(GAME, GAME.write_position(state), options, on_iteration=done.append)
    if not done:
        raise click.UsageError(f"-seconds {seconds}: no iteration was finished; allow more.")
    if echo:
        click.echo(f"searched {done[-1].depth} of {mid} plies within {seconds} s", err=True)
    return _written(done[-1].ply)
