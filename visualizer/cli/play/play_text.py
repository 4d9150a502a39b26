"""A game by lines of text: plies and words come in, positions, replies and sentences go out."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Iterable
from typing import Final

import click

from plyscope.engine.game import GameError, mover_of
from plyscope.engine.match.errors import MatchError
from plyscope.engine.quoting import visible
from plyscope.visualizer.board_text import board_text
from plyscope.visualizer.shelf.play.play import DOES, Play

HELP: Final = (
    "A ply, as the game writes it, or a word: back, hint, why, list, go, stop, side, agent LINE, quotient N, "
    "resign, board, help, quit. `ply back` is a ply that is called so."
)
LOOK: Final = 0.05
"""Seconds between two looks for `stop` while the agent thinks."""


class TextGame:
    """A game that is told in text."""

    def __init__(self, play: Play) -> None:
        self._play = play
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._held: list[str | None] = []
        """A line that came while the agent thought, and waits."""
        self._told: list[str] = []
        self._ending: str | None = None

    def run(self, lines: Iterable[str]) -> None:
        """Play until the lines end, or `quit`; Ctrl+C stops what the agent thinks, else the game."""
        threading.Thread(target=self._listen, args=(lines,), daemon=True).start()
        click.echo(HELP)
        self._told, self._ending = list(self._play.game.plies), self._play.game.ending()
        self._tell_board()
        self._play.begin()
        while True:
            self._wait()
            line = self._held.pop() if self._held else self._lines.get()
            if line is None or line == "quit":
                return
            try:
                self._do(line)
            except (GameError, MatchError) as error:
                click.echo(visible(str(error)))

    def _listen(self, lines: Iterable[str]) -> None:
        for line in lines:
            if line.strip():
                self._lines.put(line.strip())
        self._lines.put(None)

    def _wait(self) -> None:
        """Wait for the agent, and tell what has happened."""
        while not self._play.wait(LOOK):
            try:
                if not self._held and not self._lines.empty():
                    self._held.append(self._lines.get())
                if self._held == ["stop"]:
                    self._held.clear()
                    self._play.do("stop")
            except KeyboardInterrupt:
                self._play.do("stop")
        said, _ = self._play.said
        if said:
            click.echo(visible(said))
            self._play.hear()
        game = self._play.game
        plies, told = game.plies, self._told
        if plies != told or game.ending() != self._ending:
            n_same = next((n for n, (a, b) in enumerate(zip(plies, told, strict=False)) if a != b), None)
            for n in range(min(len(plies), len(told)) if n_same is None else n_same, len(plies)):
                mover = mover_of(game.arbiter.game, game.states[n])
                click.echo(visible(f"{n + 1}. {plies[n]} ({mover})"))
            self._told, self._ending = list(plies), game.ending()
            self._tell_board()

    def _do(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if word == "help":
            click.echo(HELP)
        elif word == "board":
            self._tell_board()
        elif word == "list":
            click.echo(visible(", ".join(self._play.game.legal()) or "There are no legal plies."))
        elif word == "why":
            why = self._play.why()
            meanings = self._play.meanings(" ".join(why)).items()
            told = [*why, *(f"{name}: {meaning}" for name, meaning in meanings)]
            click.echo("\n".join(map(visible, told)) or "No ply was played yet.")
        elif word in DOES:
            self._play.do(word, rest.strip())
        else:
            self._play.do("ply", line)

    def _tell_board(self) -> None:
        game = self._play.game
        click.echo(board_text(self._play.drawing(), game.arbiter.game.players))
        mover = mover_of(game.arbiter.game, game.state)
        whose = "you" if game.to_move == game.side else game.agent.name
        click.echo(visible(game.ending() or f"{mover} is to move: {whose}."))


def play_by_text(play: Play) -> None:
    """Play by the lines of standard input."""
    TextGame(play).run(sys.stdin)
