"""The answer of an agent to a position, with the log of its search: in a process of its own, or in this one.

A question has the whole line of plies, so it does not depend on the one before; a player that is asked again
in the same line keeps its state as in a match, such as its table.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

from plyscope.engine.game import GameError, State
from plyscope.engine.games import load_game
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.errors import MatchError, PlayerError
from plyscope.engine.match.players import Player
from plyscope.engine.option import OptionError
from plyscope.engine.quoting import counted
from plyscope.visualizer.analysis.results.match_logs import MatchLogs
from plyscope.visualizer.child_process import Message, Tell, serve_parent, tell_result
from plyscope.visualizer.formats.detect import read_log_file
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.memory_limit import bound_memory
from plyscope.visualizer.shelf.play.agent_lines import OWN, OwnPlayer, stated_agent
from plyscope.visualizer.shelf.play.told import told_of
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree

REFUSALS: Final = (MatchError, PlayerError, GameError, OptionError, LogError, OSError)


def replayed(arbiter: Arbiter, plies: list[str]) -> list[State]:
    """The positions of a game, from its beginning on. Raises GameError for a ply that is not legal."""
    states = [arbiter.start()]
    for text in plies:
        state = states[-1].copy()
        arbiter.play(state, int(arbiter.game.read_ply(state, text)))
        states.append(state)
    return states


class Answerer:
    """One agent in one game."""

    def __init__(self) -> None:
        self._arbiter: Arbiter | None = None
        self._player: Player | None = None
        self._known: list[str] | None = None

    def answer(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """A ply and its seconds; `log` if one was written, and the sentences `told` from it.

        `note` is a sentence for the person about the answer. Raises one of REFUSALS.
        """
        if self._arbiter is None:
            self._arbiter = Arbiter(load_game(asked["game"]), asked["position"])
        arbiter, plies = self._arbiter, asked["plies"]
        state = replayed(arbiter, plies)[-1]
        with tempfile.TemporaryDirectory(prefix="plyscope-") as folder:
            own_log = Path(folder) / "log.jsonl"
            player = self._seated(arbiter, asked, own_log)
            began = time.perf_counter()
            ply = player.choose(state)
            seconds = time.perf_counter() - began
            text = str(arbiter.game.write_ply(state, ply))
            self._known = plies
            log, note = _log_of(player, text, own_log), None
        if player.recording is not None and player.recording.header["result"].get("stopped") == "memory":
            rows = counted(len(log.columns["level"]) if log else 0, "row")
            note = f"Its search ended at {rows}, for which its log has room here; --rows allows more."
        told = None
        if log is not None:
            writer = MatchLogs(Path(asked["folder"]), asked["shown"])
            writer.write_log(log, asked["name"], asked["about"])
            writer.publish([asked["name"]])
            told = told_of(Tree(log))
        return {"ply": text, "seconds": round(seconds, 6), "log": log is not None, "told": told, "note": note}

    def close(self) -> None:
        """End the agent's processes; a thread that waits for its answer gets a PlayerError."""
        if self._player is not None:
            self._player.close()

    def _seated(self, arbiter: Arbiter, asked: Mapping[str, Any], own_log: Path) -> Player:
        """The player of the line so far, or a new one."""
        agent, plies = stated_agent(asked["agent"]), asked["plies"]
        if agent.kind == OWN:  # it has no state that is ours, and a log of its own each time
            self._player = OwnPlayer(arbiter, agent.options[OWN], own_log)
        elif self._player is None or self._known is None or plies[: len(self._known)] != self._known:
            self.close()
            seed = asked["seed"] + len(plies)
            self._player = agent.player(arbiter, seed, records=True, most_rows=asked["rows"])
        assert self._player is not None
        return self._player


def _log_of(player: Player, ply: str, own_log: Path) -> Log | None:
    if player.recording is not None:
        return log_from_recording(player.recording)
    if not isinstance(player, OwnPlayer) or own_log.read_bytes().count(b"\n") < 2:  # no more than a header
        return None
    log = read_log_file(own_log)
    return replace(log, header={"result": {"ply": ply}, **log.header})


def _work(messages: Iterator[Message], tell: Tell) -> None:
    bound_memory()
    answerer = Answerer()
    for asked in messages:
        tell_result(partial(answerer.answer, asked), tell, what="the agent", refusals=REFUSALS)


if __name__ == "__main__":
    serve_parent(_work)
