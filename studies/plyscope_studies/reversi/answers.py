"""The answers of `plyscope study reversi`: solved to the last disc, for who wins, or found ahead."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeVar

import click

from plyscope.status import StatusLine, signed

if TYPE_CHECKING:
    from plyscope.engine.game import State
    from plyscope_studies.reversi.solver import Solved

Line = Literal[0, 1, 2]
Score = TypeVar("Score", int, float)
HIGH: Final = 65
"""Above every score."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request made by flags; `komi` is given with `wld` alone."""

    mid: int = 6
    exact: int = 10
    wld_from: int = 12
    line: Line = 2
    scores: bool = False
    echo: bool = False
    wld: bool = False
    komi: int = 0
    bits: int = 20
    seconds: int = 10
    log: Path | None = None


class StoppedError(Exception):
    """Ctrl+C ended an answer. `ply`: the best so far as it is written, or None; `why`: what it is worth."""

    def __init__(self, ply: str | None, why: str) -> None:
        super().__init__(why)
        self.ply = ply
        self.why = why


def n_empty(state: State) -> int:
    """The empty cells of a position."""
    return 64 - (int(state[0]) | int(state[1])).bit_count()


def board_text(state: State) -> str:
    """A position as eight lines with the names of its columns and rows, and who is to move.

    >>> from plyscope.engine.games.reversi import GAME
    >>> print(board_text(GAME.read_position(GAME.start)).splitlines()[4])
    4 - - - O X - - -
    """
    from plyscope.engine.games.reversi import GAME

    cells, side = GAME.write_position(state).split()
    rows = [f"{row + 1} {' '.join(cells[8 * row : 8 * row + 8])}" for row in range(8)]
    return "\n".join(["  a b c d e f g h", *rows, f"{'Black' if side == 'X' else 'White'} ({side}) to move"])


def answer(state: State, asked: Asked, should_stop: Callable[[], bool]) -> str:
    """The line that answers one position; raises StoppedError, UsageError for what is not to be had."""
    from plyscope.engine.game import ONGOING
    from plyscope.engine.games.reversi import GAME

    empties, over = n_empty(state), GAME.status(state) != ONGOING
    if not asked.wld and (over or empties <= asked.exact):
        return solved(state, asked, should_stop)
    if over or empties <= max(asked.exact, asked.wld_from):
        return solved(state, replace(asked, wld=True), should_stop)
    return ahead(state, asked, should_stop)


def solved(state: State, asked: Asked, should_stop: Callable[[], bool]) -> str:
    """The answer to a position that is solved to the last disc, or with `wld` for win, draw or loss alone.

    A lost position's plies are equal to a solver that asks who wins: one is chosen by looking ahead.
    """
    _refuse_log(state, asked)
    solver = _Solver(asked, should_stop)
    found = solver.solve(state)
    level = solver.level(state) if asked.wld else 0
    lead = _for_black(state, found.score - level)
    told = f"{32 + lead // 2:2} - {32 - lead // 2:2}"
    if asked.wld:
        told = "Black win" if lead > 0 else "White win" if lead < 0 else "Draw"
    if asked.echo:
        click.echo(f"solved: {told}, {found.nodes:,} nodes", err=True)
    if found.ply is None:
        return told
    score = told if asked.scores else ""
    if asked.wld and found.score < level and asked.line != 1 and not (asked.line == 0 and asked.scores):
        return _written(score, [ahead(state, replace(asked, line=2, scores=False), should_stop)], 2)
    return _written(score, solver.plies(state, found), asked.line)


def _refuse_log(state: State, asked: Asked) -> None:
    if asked.log is not None:
        raise click.UsageError(
            f"-log {asked.log}: a log is of a search that looks ahead, and this position is solved, for it "
            f"has {n_empty(state)} empty cells; `-depth {asked.mid} 0 0` looks ahead in it."
        )


def _for_black(state: State, score: Score) -> Score:
    """A score for the side to move, as black's."""
    from plyscope.engine.games.reversi import SIDE

    return -score if state[SIDE] else score


def _written(told: str, plies: list[str], line: Line) -> str:
    """The score, then the line or its first ply; with line 0 the score alone where there is one."""
    if line == 0 and told:
        return told
    if line == 1:
        return f"{told}   " + "".join(f" {each}" for each in plies)
    return f"{told}    {plies[0]}" if told else plies[0]


def as_written(ply: str) -> str:
    """A ply as this family of programs writes it.

    >>> as_written("pass"), as_written("c6")
    ('--', 'c6')
    """
    return "--" if ply == "pass" else ply


def ply_text(state: State, ply: int) -> str:
    """The text of a ply of the solver's."""
    from plyscope.engine.games.reversi import GAME

    return as_written(GAME.write_ply(state, ply))


def first_ply(state: State) -> str | None:
    """A legal ply, of which nothing else is known; None if the game is over."""
    from plyscope_studies.reversi.random_ends import plies_of

    return next((ply_text(state, ply) for ply in plies_of(state)), None)


class _Solver:
    """The end-game solver as the flags ask for it, telling how far it is."""

    def __init__(self, asked: Asked, should_stop: Callable[[], bool]) -> None:
        self._asked, self._should_stop = asked, should_stop

    def level(self, state: State) -> int:
        """The score at which the game is a draw, for the side to move: White has to win by `komi` discs."""
        return _for_black(state, -self._asked.komi)

    def solve(self, state: State) -> Solved:
        """Its score within what is asked; raises StoppedError."""
        from plyscope_studies.reversi.solver import UnfinishedError, solve

        level = self.level(state)
        window = (level - 1, level + 1) if self._asked.wld else (-HIGH, HIGH)
        begun = time.perf_counter()
        with StatusLine() as status:
            cells = f"{n_empty(state)} empty cells"
            status.wait(f"solving {cells} …")

            def on_nodes(nodes: int) -> bool:
                rate = nodes / (time.perf_counter() - begun) / 1e6
                status.show(f"solving {cells}: {nodes:,} nodes  {rate:.0f} M nodes/s")
                return self._should_stop()

            try:
                return solve(state, table_bits=self._asked.bits, window=window, on_nodes=on_nodes)
            except UnfinishedError as stopped:
                if stopped.ply is None:
                    why = f"{stopped}: nothing is known of this ply but that it is legal"
                    raise StoppedError(first_ply(state), why) from stopped
                raise StoppedError(
                    ply_text(state, stopped.ply), f"{stopped}: this ply is not proven"
                ) from stopped

    def plies(self, state: State, found: Solved) -> list[str]:
        """The ply that was found and, where the line is asked for, those after it to the end of the game."""
        from plyscope.engine.games.reversi import GAME

        plies = []
        ply = found.ply
        while ply is not None:
            plies.append(ply_text(state, ply))
            if self._asked.line != 1:
                break
            state = state.copy()
            GAME.apply(state, ply)
            try:
                ply = self.solve(state).ply
            except StoppedError as stopped:
                raise StoppedError(
                    plies[0], "this ply is proven, the line behind it is not known"
                ) from stopped
        return plies


def ahead(state: State, asked: Asked, should_stop: Callable[[], bool]) -> str:
    """The answer to a position that is searched by alpha-beta and judged by the game's factors."""
    from plyscope.engine.games.reversi import GAME
    from plyscope.engine.options import SearchOptions
    from plyscope.engine.run import Iteration, search
    from plyscope.searching import log_of, mate_of_search, tell
    from plyscope.visualizer.cli.terminal import write_shown

    done: list[Iteration] = []

    def told(iteration: Iteration) -> None:
        done.append(iteration)
        if asked.echo:
            line = " ".join(map(as_written, iteration.line))
            click.echo(f"depth {iteration.depth:2}  {signed(iteration.score):>9}  {line}", err=True)

    options = SearchOptions(
        depth=asked.mid,
        iterative=True,
        algorithm="pvs",
        seconds=asked.seconds,
        record=asked.log is not None,
        table=64,
        killers=True,
    )
    with StatusLine() as status:
        recording = search(GAME, state, options, lambda at: tell(status, at), should_stop, on_iteration=told)
        log = None if asked.log is None else log_of(recording, status)
    if log is not None and asked.log is not None:
        write_shown(log, asked.log, says=asked.echo)
    if should_stop():
        reached = (
            f"{done[-1].depth} of {asked.mid} plies were finished" if done else "no iteration was finished"
        )
        ply = as_written(done[-1].ply) if done else first_ply(state)
        raise StoppedError(ply, f"the search was stopped: {reached}")
    if not done:
        raise click.UsageError(f"-seconds {asked.seconds}: no iteration was finished; allow more.")
    if asked.echo:
        limit = f"-depth {asked.mid}" if done[-1].depth == asked.mid else f"-seconds {asked.seconds}"
        nodes = sum(tree.totals.nodes for tree in recording.trees)
        click.echo(
            f"searched {done[-1].depth} of {asked.mid} plies, ended by {limit}: {nodes:,} nodes in "
            f"{recording.header['result']['seconds']:.1f} s",
            err=True,
        )
    lead = _for_black(state, done[-1].score)
    win = mate_of_search(GAME, options).side(lead)
    estimate = f"~ {lead:+g}" if win == 0 else "~ Black win" if win > 0 else "~ White win"
    return _written(estimate if asked.scores else "", [*map(as_written, done[-1].line)], asked.line)
