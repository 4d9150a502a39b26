"""`plyscope study reversi`: answers positions of Reversi, by flags of the Zebra family of programs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from difflib import get_close_matches
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn, cast

import click

from plyscope.status import StatusLine
from plyscope.visualizer.cli.terminal import remark
from plyscope_studies.reversi.answers import Asked, Line, StoppedError, answer, board_text, first_ply, solved

if TYPE_CHECKING:
    from plyscope.engine.game import State

Flags = dict[str, tuple[str, ...]]

_VALUES: Final = {
    "-cli": 0,
    "-b": 1,
    "-e": 1,
    "-line": 1,
    "-scores": 1,
    "-depth": 3,
    "-wld": 1,
    "-komi": 1,
    "-seconds": 1,
    "-h": 1,
    "-log": 1,
    "-board": 1,
    "-turn": 1,
    "-script": 2,
}
_HELP: Final = """plyscope study reversi -board S -turn X|O [flags]   answers one position, and leaves
plyscope study reversi -script IN OUT [flags]       solves every position of a file
  -cli                  accepted: there is no other way to ask
  -b 0|1                opening book: there is none, 1 only says so on the error stream
  -e 0|1                1 shows the board, the iterations and what ended them on the error stream (default 0)
  -line 0|1|2           1: the best line; 2: its ply alone; 0: as 2, but only the score where -scores 1 asks
                        for it (default 2, in a script 0)
  -scores 0|1           1: the score before the line: of a solved position black - white, of any other an
                        estimate, ~ and the sum of the factors for black (default 0, in a script 1)
  -depth MID EXACT WLD  look ahead MID plies; from EXACT empty cells on solve the score exactly, from
                        WLD on who wins (default 6 10 12)
  -wld 0|1              1: solve for Black win, Draw or White win alone, from WLD empty cells on (default 0)
  -komi K               with -wld 1: White has to win by K discs, -64 to 64; K exactly is a draw (default 0)
  -seconds S            look ahead for at most S seconds; a solved position takes what it takes (default 10)
  -h BITS               2 ** BITS entries in the solver's table, 1 to 28 (default 20)
  -log FILE             keep the search that looks ahead as a log: .json, .jsonl, their .gz or .zst, .parquet
  -board S              64 signs row by row from a1: X black, O white, - empty
  -turn X|O             the side to move
  -script IN OUT        IN has lines of 64 signs and a side to move; OUT gets a score for each, and with
                        -line 1 or 2 the line or the ply. Lines that begin with % are copied, and a comment
                        behind a position goes behind its answer. All are solved, whatever -depth says
Ctrl+C gives up: the best ply so far is printed, or else a legal one; the exit status is 130."""


@click.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)
@click.argument("flags", nargs=-1, type=click.UNPROCESSED)
def reversi(flags: tuple[str, ...]) -> None:
    """Answer a position of Reversi, or a file of them; `plyscope study reversi ?` lists the flags."""
    from plyscope.searching import interrupts

    if not flags or "?" in flags or "--help" in flags:
        click.echo(_HELP)
        sys.exit(0 if flags else 2)
    given = _read(flags)
    asked = _asked(given)
    if _whole(given, "-b", 0, 1, 0) == 1 and asked.echo:
        click.echo("there is no opening book", err=True)
    with interrupts() as should_stop:
        try:
            if "-script" in given:
                _solve_script(given, asked, should_stop)
            else:
                state = _position(given)
                if asked.echo:
                    click.echo(board_text(state), err=True)
                try:
                    click.echo(answer(state, asked, should_stop))
                except KeyboardInterrupt:
                    why = "it was stopped at once: nothing is known of this ply but that it is legal"
                    raise StoppedError(first_ply(state), why) from None
        except StoppedError as stopped:
            _give_up(stopped)


def _give_up(stopped: StoppedError) -> NoReturn:
    if stopped.ply is not None:
        click.echo(stopped.ply)
    remark(stopped.why)
    sys.exit(130)


# The flags ------------------------------------------------------------------------------------------------


def _read(flags: tuple[str, ...]) -> Flags:
    """The values of each flag; a usage error says which flag is unknown, lacks values or does not fit."""
    given: Flags = {}
    i = 0
    while i < len(flags):
        flag = flags[i].lower()
        if flag not in _VALUES:
            nearest = get_close_matches(flag, _VALUES, n=1)
            meant = f" did you mean {nearest[0]}?" if nearest else ""
            raise click.UsageError(f"{flags[i]!r} is no flag;{meant} `plyscope study reversi ?` lists them.")
        n = _VALUES[flag]
        values = tuple(takewhile(lambda each: each.lower() not in _VALUES, flags[i + 1 : i + 1 + n]))
        if len(values) < n:
            raise click.UsageError(f"{flag}: expected {n} value{'s' * (n > 1)}, found {len(values)}.")
        given[flag] = values
        i += 1 + n
    for flag in ("-board", "-turn"):
        if "-script" in given and flag in given:
            raise click.UsageError(f"{flag}: with -script the positions are those of {given['-script'][0]}.")
        if "-script" not in given and flag not in given:
            raise click.UsageError(f"{flag} is missing: give the position by -board S -turn X|O.")
    return given


def _asked(given: Flags) -> Asked:
    """The request that the flags make."""
    mid, exact, wld_from = (
        _number("-depth", text, least, 60)
        for text, least in zip(given.get("-depth", ("6", "10", "12")), (1, 0, 0), strict=True)
    )
    wld = _whole(given, "-wld", 0, 1, 0) == 1
    komi = _whole(given, "-komi", -64, 64, 0)
    if komi and not wld:
        raise click.UsageError(f"-komi {komi}: it moves the line between win and loss, so it needs -wld 1.")
    log = Path(given["-log"][0]) if "-log" in given else None
    if log is not None:
        from plyscope.visualizer.formats.write.files import check_target

        if "-script" in given:
            raise click.UsageError(
                f"-log {log}: a script solves its positions, and a log is of looking ahead."
            )
        check_target(log)
    in_script = "-script" in given
    return Asked(
        mid=mid,
        exact=exact,
        wld_from=wld_from,
        line=cast(Line, _whole(given, "-line", 0, 2, 0 if in_script else 2)),
        scores=_whole(given, "-scores", 0, 1, int(in_script)) == 1,
        echo=_whole(given, "-e", 0, 1, 0) == 1,
        wld=wld,
        komi=komi,
        bits=_whole(given, "-h", 1, 28, 20),
        seconds=_whole(given, "-seconds", 1, 1_000_000, 10),
        log=log,
    )


def _whole(given: Flags, flag: str, least: int, most: int, default: int) -> int:
    """The flag's number."""
    return _number(flag, given[flag][0], least, most) if flag in given else default


def _number(flag: str, text: str, least: int, most: int) -> int:
    digits = text.removeprefix("-")
    if not (text.isascii() and digits.isdigit() and least <= int(text) <= most):
        raise click.UsageError(f"{flag} {text}: expected a whole number from {least} to {most}.")
    return int(text)


def _position(given: Flags) -> State:
    from plyscope.engine.game import GameError
    from plyscope.engine.games.reversi import GAME

    try:
        return GAME.read_position(f"{given['-board'][0]} {given['-turn'][0]}")
    except GameError as error:
        raise click.UsageError(f"-board, -turn: {error}.") from error


# A file of positions --------------------------------------------------------------------------------------


def _solve_script(given: Flags, asked: Asked, should_stop: Callable[[], bool]) -> None:
    """Solve every position of a file; the answers before Ctrl+C are kept."""
    path, target = map(Path, given["-script"])
    lines = _script_lines(path)
    if target.exists() and os.path.samefile(path, target):
        raise click.UsageError(f"-script {path} {target}: the answers would overwrite the positions.")
    n_positions = sum(state is not None for state, _ in lines)
    n_done = 0
    with target.open("w", encoding="utf-8") as out:
        for state, text in lines:
            if state is not None:
                n_done += 1
                with StatusLine() as status:
                    status.show(f"position {n_done} of {n_positions}")
                try:
                    text = solved(state, asked, should_stop) + (f"      {text}" if text else "")
                except StoppedError as stopped:
                    before = f"{target} has the answers to the {n_done - 1} positions before"
                    raise StoppedError(
                        None, f"position {n_done} of {n_positions}: {stopped.why}; {before}"
                    ) from stopped
            out.write(f"{text}\n")
            out.flush()
    if asked.echo:
        click.echo(f"solved {n_positions} positions into {target}", err=True)


def _script_lines(path: Path) -> list[tuple[State | None, str]]:
    """Each line as a position and its comment, or None and the line itself."""
    from plyscope.engine.game import GameError
    from plyscope.engine.games.reversi import GAME

    lines: list[tuple[State | None, str]] = []
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise click.UsageError(f"-script {path}: no text, byte {error.start} is not UTF-8.") from error
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("%"):
            lines.append((None, line))
            continue
        position, mark, comment = line.partition("%")
        try:
            lines.append((GAME.read_position(position), (mark + comment).rstrip()))
        except GameError as error:
            raise click.UsageError(f"-script {path}, line {number}: {error}.") from error
    return lines
