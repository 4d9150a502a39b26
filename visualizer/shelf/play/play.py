"""A game that is being played: the person's actions, and the agent, which thinks in a process of its own.

Any fault of the agent becomes a sentence, and the position stays: the person may ask it again, ask another
one, or take plies back. The agent can be stopped at any time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from plyscope.engine.game import CHANCE, meanings_of
from plyscope.engine.games.outside import faults_told
from plyscope.engine.match.agents import Agent
from plyscope.engine.match.errors import MatchError
from plyscope.engine.options import judged
from plyscope.visualizer.boards import drawing_after, drawing_of, steps_of
from plyscope.visualizer.child_process import ChildError, ChildProcess, fault_of_ours
from plyscope.visualizer.formats.detect import read_log_file
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.shelf.play.agent_lines import OWN, as_stated, is_code, read_line, seconds_to_answer
from plyscope.visualizer.shelf.play.answering import REFUSALS, Answerer
from plyscope.visualizer.shelf.play.played_game import HINT, PlayedGame
from plyscope.visualizer.shelf.play.told import Told, placed, told_of
from plyscope.visualizer.store.tree import Tree

MODULE: Final = "plyscope.visualizer.shelf.play.answering"
MOST_ROWS: Final = 500_000
"""Rows of the log of a ply, where nothing else is said."""
NO_LOG: Final = "There is no log of its search, so nothing is known of why."
OFFERS: Final = "The position stays: ask it again (go), take a ply back, choose another agent, or resign."


class _Mind:
    """The process in which an agent answers; an engine is one already, and is asked from here."""

    def __init__(self, agent: Agent) -> None:
        self.agent = as_stated(agent)
        self._seconds = seconds_to_answer(agent)
        self._child: ChildProcess | Answerer = Answerer() if agent.is_program else ChildProcess(MODULE)
        self.has_ended = False

    @property
    def is_compiling(self) -> bool:
        return isinstance(self._child, ChildProcess) and self._child.is_compiling

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Raise ChildError or one of REFUSALS where there is no answer; an agent that takes too long ends."""
        if isinstance(self._child, Answerer):
            return self._child.answer(question)
        late = threading.Event()

        def end_late() -> None:
            late.set()
            self.end()

        clock = threading.Timer(self._seconds or 0, end_late)
        clock.daemon = True
        if self._seconds is not None:
            clock.start()
        try:
            answer: dict[str, Any] = self._child.ask(question)
        except ChildError:
            if late.is_set():
                raise ChildError(f"it did not answer within {self._seconds:g} s, and was ended") from None
            raise
        finally:
            clock.cancel()
        return answer

    def end(self) -> None:
        self.has_ended = True
        if isinstance(self._child, ChildProcess):
            self._child.kill()
        else:
            self._child.close()


class Play:
    """One game; thread-safe. `begin` lets the agent think if it is to move."""

    def __init__(self, game: PlayedGame, *, rows: int = MOST_ROWS) -> None:
        self.game, self._rows = game, rows
        self._named = as_stated(game.agent)
        """The agent that the command named, and so may start."""
        self._lock = threading.RLock()
        self._changed = threading.Condition(self._lock)
        self._mind: _Mind | None = None
        self._thinking: object | None = None
        """Stands for the answer that is waited for; one that was stopped has another."""
        self._since = 0.0
        self._is_hint = False
        self._said, self._is_wrong = "", False
        self._told: dict[Path, Told] = {}
        self._draw = np.random.default_rng()

    # The person's actions -------------------------------------------------------------------------------

    def begin(self) -> None:
        """Have the agent think where it is to move."""
        with self._lock:
            self._go_on()

    def do(self, what: str, text: str = "") -> None:
        """Do the action `what`. Raises MatchError or GameError, without a change, where it is impossible."""
        if what not in DOES:
            raise MatchError(f"{what[:40]!r} is nothing to do, expected one of {', '.join(DOES)}")
        refused: Exception | None = None
        with self._lock:
            with faults_told(self.game.game_name):
                try:
                    self.game.check_alone()
                    DOES[what](self, text)
                except (MatchError, LogError, OSError) as error:  # which is no fault of the game
                    refused = error
            self._changed.notify_all()
        if refused is not None:
            raise refused

    def _play(self, text: str) -> None:
        if self._thinking is not None and self._is_hint:
            self._stop("")
        if self._thinking is not None:
            raise MatchError(f"{self.game.agent.name} thinks; stop it first")
        if self.game.to_move not in (None, self.game.side):
            raise MatchError(f"{self.game.agent.name} is to move: ask it (go), or change sides (side)")
        seconds = time.monotonic() - self._since if self._since else 0.0
        self.game.play(text, seconds)
        self._say("")
        self._go_on()

    def _back(self, text: str) -> None:
        n_plies = self.game.take_back(self.game.side)
        self._stop(f"{n_plies} {'ply is' if n_plies == 1 else 'plies are'} taken back, with their logs.")
        self._go_on()

    def _side(self, text: str) -> None:
        self.game.change_side()
        self._stop(f"You play {self.game.rules.players[self.game.side]} from now on.")
        self._go_on()

    def _agent(self, text: str) -> None:
        agent = read_line(text)
        if is_code(agent) and as_stated(agent) != self._named:
            raise MatchError(
                f"{agent.name} is a program or a file of code, which only the command line starts: plyscope "
                f"play GAME AGENT -o {self.game.path.parent} goes on with it"
            )
        self._change(agent)

    def _quotient(self, text: str) -> None:
        agent = self.game.agent
        if not text.isdecimal():
            raise MatchError(f"quotient: {text[:40]!r}, expected a whole number from 2 on, or 1 for none")
        options = {name: value for name, value in agent.options.items() if name != "quotient"}
        options |= {"quotient": int(text)} if int(text) > 1 else {}
        base = agent.name.partition(" (quotient ")[0]
        name = f"{base} (quotient {text})" if int(text) > 1 else base
        if not agent.searches or agent.kind == OWN:
            raise MatchError(f"{agent.name} has no randomness quotient: it is no search of ours")
        self._change(replace(agent, name=name, options=options))

    def _change(self, agent: Agent) -> None:
        self.game.change_agent(agent)
        self._stop(f"{agent.name} plays from now on.")
        self._go_on()

    def _hint(self, text: str) -> None:
        if self.game.to_move != self.game.side:
            raise MatchError(self.game.ending() or "a hint is for your own turn")
        if self._thinking is None:
            self._think(is_hint=True)

    def _resign(self, text: str) -> None:
        self.game.resign()
        self._stop("")
        self._go_on()

    def _stopped(self, text: str) -> None:
        if self._thinking is None:
            raise MatchError("nothing is under way")
        self._stop(
            "Stopped. The position stays: ask it again (go), take a ply back, or choose another agent."
        )

    def _go(self, text: str) -> None:
        """Let the agent answer again; if it is not to move, its last ply is taken back first."""
        if self._thinking is not None and not self._is_hint:
            raise MatchError(f"{self.game.agent.name} thinks already")
        if self.game.to_move != 1 - self.game.side:
            self.game.take_back(1 - self.game.side)
        self._stop("")
        self._go_on()

    # The state that is shown ------------------------------------------------------------------------------

    def wait(self, seconds: float) -> bool:
        """Wait until no agent thinks, at most `seconds`; returns whether none does."""
        with self._changed:
            return self._changed.wait_for(lambda: self._thinking is None, seconds)

    @property
    def said(self) -> tuple[str, bool]:
        """The last sentence about an action, and whether it is an error."""
        return self._said, self._is_wrong

    def hear(self) -> None:
        """Say it no more."""
        self._say("")

    def drawing(self) -> dict[str, Any]:
        """The board as it stands, with the last ply. Raises GameError."""
        game: Any = self.game.arbiter.game
        states = self.game.states
        with self._lock, faults_told(self.game.game_name):
            board = game.board(states[-1])
            if not self.game.plies:
                return drawing_of(board)
            return drawing_after(game, states[-2], int(game.read_ply(states[-2], self.game.plies[-1])), board)

    def why(self) -> list[str]:
        """Sentences on why the agent played its last ply, and where the person's own stood before it."""
        with self._lock:
            plies = list(self.game.plies)
            logs = [self.game.log_of(n) for n in range(len(plies))]
        last = next((n for n in reversed(range(len(plies))) if logs[n] is not None), None)
        if last is None:
            return [NO_LOG] if plies else []
        told = self._told_of(logs[last])
        sentences = [" ".join(told["why"]) or NO_LOG]
        before = next((n for n in reversed(range(last)) if logs[n] is not None), None)
        if last < len(plies) - 1:
            sentences.append(placed(told, plies[last + 1]))
        elif before is not None and before + 1 < last:
            sentences.append(placed(self._told_of(logs[before]), plies[before + 1]))
        return sentences

    def meanings(self, said: str) -> dict[str, str]:
        """The meanings of the factors that `said` names, from the evaluation of the agent."""
        game = judged(self.game.rules, self.game.agent.options.get("evaluation"))
        return {name: words for name, words in meanings_of(game).items() if f"{name} (" in said}

    def as_json(self) -> dict[str, Any]:
        """All that the page shows, in plain JSON values. Raises GameError."""
        with self._lock, faults_told(self.game.game_name):
            game = self.game
            kernels: Any = game.arbiter.game
            to_move = game.to_move
            legal = game.legal() if to_move == game.side else {}
            steps = steps_of(kernels, game.state, legal.values()) if legal else []
            return {
                "game": kernels.name,
                "players": list(kernels.players),
                "side": game.side,
                "to_move": to_move,
                "agent": game.agent.name,
                "is_search": game.agent.searches and game.agent.kind != OWN,
                "quotient": game.agent.options.get("quotient", 1),
                "plies": list(game.plies),
                "legal": [
                    {"ply": text} | ({} if step is None else step.as_json())
                    for text, step in zip(legal, steps, strict=True)
                ],
                "drawing": self.drawing(),
                "position": str(kernels.write_position(game.state)),
                "over": game.ending(),
                "thinking": None if self._thinking is None else round(time.monotonic() - self._since, 1),
                "is_hint": self._thinking is not None and self._is_hint,
                "is_compiling": self._mind is not None and self._mind.is_compiling,
                "said": self._said,
                "is_wrong": self._is_wrong,
                "why": (why := self.why() if self._thinking is None or self._is_hint else []),
                "meanings": self.meanings(" ".join([*why, self._said])),
                "folder": str(game.path.parent),
                "command": game.command,
            }

    def last_log(self) -> Path | None:
        """The log of the agent's last ply."""
        found = (self.game.log_of(n) for n in reversed(range(len(self.game.plies))))
        return next((each for each in found if each is not None), None)

    def hint_log(self) -> Path | None:
        """The log of the hint for the position as it stands; None where none was asked, or while one is."""
        return self.game.log_of(len(self.game.plies), HINT) if self._thinking is None else None

    def end(self) -> None:
        """End the agent's work; the game stays, to be continued later."""
        with self._lock:
            self._stop("")
            if self._mind is not None:
                self._mind.end()
            self.game.release()

    # The agent --------------------------------------------------------------------------------------------

    def _say(self, text: str, *, is_wrong: bool = False) -> None:
        self._said, self._is_wrong = text, is_wrong

    def _go_on(self) -> None:
        """Roll chance outcomes, and let the agent think if it is to move."""
        while self.game.to_move == CHANCE:
            ply = self.game.arbiter.drawn(self.game.state, self._draw)
            self.game.play(str(self.game.arbiter.game.write_ply(self.game.state, ply)), 0.0)
        self._since = time.monotonic()
        if self.game.to_move == 1 - self.game.side:
            self._think(is_hint=False)
        elif self.game.to_move is None and self._mind is not None:
            self._mind.end()

    def _think(self, *, is_hint: bool) -> None:
        if self._mind is not None and (
            self._mind.has_ended or self._mind.agent != as_stated(self.game.agent)
        ):
            self._mind.end()
            self._mind = None
        mind = self._mind = self._mind or _Mind(self.game.agent)
        turn = self._thinking = object()
        self._is_hint = is_hint
        self._since = self._since if is_hint else time.monotonic()
        question = self.game.question(is_hint=is_hint, rows=self._rows)
        threading.Thread(target=self._wait_for, args=(turn, mind, question), daemon=True).start()

    def _wait_for(self, turn: object, mind: _Mind, question: dict[str, Any]) -> None:
        try:
            answer = mind.ask(question)
        except Exception as error:
            is_told = isinstance(error, (ChildError, *REFUSALS))
            why = str(error) if is_told else fault_of_ours(error)
            self._take(turn, partial(self._fail, mind, f"{self.game.agent.name} has no answer: {why}."))
        else:
            self._take(turn, partial(self._taken, answer, question))
        finally:
            if mind.has_ended:  # just as it began to think
                mind.end()

    def _take(self, turn: object, take: Callable[[], None]) -> None:
        """Take an answer that is still waited for."""
        with self._lock:
            if self._thinking is turn:
                self._thinking = None
                try:
                    with faults_told(self.game.game_name):
                        take()
                except REFUSALS as error:  # such as a ply that its own game does not take
                    self._say(f"{error}. {OFFERS}", is_wrong=True)
            self._changed.notify_all()

    def _fail(self, mind: _Mind, what: str) -> None:
        mind.end()
        self._say(f"{what.replace('..', '.')} {OFFERS}", is_wrong=True)

    def _taken(self, answer: dict[str, Any], question: dict[str, Any]) -> None:
        note = answer["note"] or ""
        name = question["name"] if answer["log"] else None
        if self._is_hint:
            if name is not None:
                self.game.keep_hint(name)
            why = answer["told"]["why"] if answer["told"] else []
            self._say(" ".join(filter(None, [f"Hint: {answer['ply']}.", *why, note])))
            return
        self.game.play(answer["ply"], answer["seconds"], name)
        self._say(note)
        path = self.game.log_of(len(self.game.plies) - 1)
        if path is not None and answer["told"] is not None:
            self._told[path] = answer["told"]
        self._go_on()

    def _stop(self, said: str) -> None:
        """End the agent's thinking; the next one is in a new process."""
        if self._thinking is not None:
            self._thinking = None
            if self._mind is not None:
                self._mind.end()
                self._mind = None
        self._say(said)

    def _told_of(self, path: Path | None) -> Told:
        assert path is not None
        if path not in self._told:
            self._told[path] = {"why": [], "expected": None, "replies": {}}
            with suppress(*REFUSALS):
                self._told[path] = told_of(Tree(read_log_file(path)))
        return self._told[path]


DOES: Final[dict[str, Callable[[Play, str], None]]] = {
    "ply": Play._play,
    "back": Play._back,
    "side": Play._side,
    "agent": Play._agent,
    "quotient": Play._quotient,
    "hint": Play._hint,
    "resign": Play._resign,
    "stop": Play._stopped,
    "go": Play._go,
}
"""The actions of a person, by their words in the text and on the page."""
