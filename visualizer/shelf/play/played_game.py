"""A game of a person against an agent in its folder: the file of a match, and a log a ply.

A line is appended after each ply, so that a killed viewer loses nothing.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from plyscope.engine.game import CHANCE, ONGOING, GameError, State, why_over
from plyscope.engine.games import find_as_written
from plyscope.engine.games.outside import faults_told, places
from plyscope.engine.match.agents import Agent
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.game_logs import about_game, log_name
from plyscope.engine.match.games import DRAW, GOING, Played, Terms, Why
from plyscope.engine.match.games_file import GamesFile, append
from plyscope.engine.match.match import DIGEST, PERSON, version_of
from plyscope.visualizer.analysis.results.match_logs import ENDING, MatchLogs, place_of
from plyscope.visualizer.shelf.play.agent_lines import as_stated, check_agent, is_code, line_of, stated_agent
from plyscope.visualizer.shelf.play.answering import replayed
from plyscope.visualizer.store.folder_lock import FolderLock, hold

FILE: Final = "games.jsonl"
YOU: Final = "you"
HINT: Final = "hint"
"""The player that the searches of hints are listed under."""
TERMS: Final = Terms(n_opening=0, most_plies=2000)


class PlayedGame:
    """A game, its plies and logs; requests that its rules refuse raise MatchError or GameError.

    states  the positions from the first one on
    side    of the person: 0 or 1, as its game numbers the players
    """

    def __init__(
        self,
        folder: Path,
        game: str,
        agent: Agent | None,
        side: int | None = None,
        position: str | None = None,
    ) -> None:
        """Begin a game in a folder, or go on with the one that is there; `game` is known by that name.

        Without `agent` and `side` those of the folder stay. Raises MatchError, GameError, OSError.
        """
        self.path = folder / FILE
        self._held = self._hold()
        self.rules = find_as_written(game)
        self.game_name = game
        self._logs = MatchLogs.beside(self.path, None)
        self._file = GamesFile(self.path)
        is_new = not self.path.exists()
        if is_new and agent is None:
            raise MatchError(f"{self.path} is not there")
        self.agent: Agent
        self.position, self.plies = position, list[str]()
        self.logs: dict[str, list[str]] = {}
        self.seconds = [0.0, 0.0]
        self.why: Why = GOING
        self._size = self.path.stat().st_size if self.path.exists() else 0
        self.points = DRAW
        if not is_new:
            self._take(position)
            if agent is None and is_code(self.agent):
                raise MatchError(
                    f"{self.path} names {self.agent.name}, a program or a file of code, which no file of "
                    f"games starts: name it, {shlex.quote(line_of(self.agent))}, or another agent"
                )
        elif agent is not None:
            self.agent = agent
        check_agent(agent or self.agent, self.rules)
        with faults_told(game):
            self.arbiter = Arbiter(self.rules, self.position)
            self.states: list[State] = replayed(self.arbiter, self.plies)
            self.is_over = self._status() != ONGOING
            if is_new:
                self.side = max(self.arbiter.player(self.state), 0) if side is None else side
        self._logs.prepare({"game": game, "position": self.position})
        self._held = self._held or self._hold()
        if is_new:
            self._state_match()
            self._write()
            return
        if agent is not None and as_stated(agent) != as_stated(self.agent):
            self.change_agent(agent)
        if side is not None and side != self.side:
            self.change_side()

    def _take(self, position: str | None) -> None:
        """Read the game of the file. Raises MatchError, OSError."""
        self._file.read()
        stated = self._file.match
        found = next(iter([*self._file.going.values(), *self._file.games.values()]), None)
        if not stated or found is None or stated["agents"][0].get("kind") != PERSON:
            raise MatchError(f"{self.path} has no game of a person; name another folder")
        other = {"game": self.game_name, "position": position or stated["position"], **version_of(self.rules)}
        for name, asked in other.items():
            if stated.get(name) != asked:
                of = "version of the game" if name == DIGEST else name
                raise MatchError(
                    f"{self.path} has a game of another {of}: {stated.get(name)!r}, not {asked!r}; "
                    "name another folder"
                )
        self.agent, self.side = stated_agent(stated["agents"][1]), int(found.first != 0)
        self.position = stated["position"]
        self.plies, self.seconds = list(found.plies), list(found.seconds)
        self.logs = {name: list(paths) for name, paths in found.logs.items()}
        self.why, self.points = found.why, found.points
        if self._file.end < self.path.stat().st_size:  # a line that a kill cut short
            os.truncate(self.path, self._file.end)
            self._size = self._file.end

    # The state ------------------------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The position now, not to be changed."""
        return self.states[-1]

    @property
    def to_move(self) -> int | None:
        """The player to move: 0, 1 or CHANCE; None where the game is over."""
        return None if self.is_over or self.why != GOING else self.arbiter.player(self.state)

    def legal(self) -> dict[str, int]:
        """The legal plies by their texts."""
        game = self.arbiter.game
        return {str(game.write_ply(self.state, int(ply))): int(ply) for ply in self.arbiter.legal(self.state)}

    def ending(self) -> str | None:
        """The result of the game, in a sentence; None while it goes on."""
        if self.to_move is not None:
            return None
        won = None if self.points == DRAW else int(self.points == 0)
        who = "a draw" if won is None else "you won" if won == self.side else f"{self.agent.name} won"
        ways = {"resigned": " by resignation", "length": f" after {TERMS.most_plies} plies"}
        how = why_over(self.arbiter.game, self.state) if self.why == "over" else ways[self.why]
        return f"The game is over: {who}{how}."

    def log_of(self, n_plies: int, player: str | None = None) -> Path | None:
        """The log of the search that chose the ply after `n_plies` plies; None where there is none."""
        for name, paths in self.logs.items():
            for shown in paths if name == (player or name) and (player or name != HINT) else ():
                path = self.path.parent / shown
                if (place := place_of(path.name)) and place.ply == n_plies + 1 and path.is_file():
                    return path
        return None

    @property
    def command(self) -> str:
        """The command that goes on with the game."""
        words = [places().get(self.game_name, self.game_name)]
        words += [line_of(self.agent)] if is_code(self.agent) else []
        return shlex.join(["plyscope", "play", *words, "-o", str(self.path.parent)])

    def check_alone(self) -> None:
        """Raise MatchError where another process has written to the file, as one can that finds no lock."""
        if self.path.stat().st_size != self._size:
            raise self._played_elsewhere()

    def _hold(self) -> FolderLock | None:
        """Lock the folder where locks exist. Raises MatchError where another process has it."""
        try:
            held = hold(self.path.parent, alone=True)
        except OSError:
            return None
        if held is None:
            raise self._played_elsewhere()
        return held

    def _played_elsewhere(self) -> MatchError:
        return MatchError(f"{self.path} is played elsewhere, too: end one of both, and begin this one again")

    def release(self) -> None:
        """Let others play in the folder."""
        if self._held is not None:
            self._held.release()

    def question(self, *, is_hint: bool, rows: int) -> dict[str, Any]:
        """The question to the agent, as `Answerer` takes it."""
        name = HINT if is_hint else self.agent.name
        about = about_game(
            [Agent(YOU, PERSON), Agent(self.agent.name, "")], self._played(), self.side, len(self.plies)
        )
        return {
            "game": self.game_name,
            "position": self.position,
            "agent": as_stated(self.agent),
            "plies": list(self.plies),
            "name": log_name(0, len(self.plies), name),
            "about": {**about, "searched": name},
            "folder": str(self._logs.folder),
            "shown": self._logs.shown,
            "seed": TERMS.seed,
            "rows": rows,
        }

    # Changes ---------------------------------------------------------------------------------------------

    def play(self, text: str, seconds: float, log: str | None = None) -> None:
        """Play a ply, whose log has a name in the folder. Raises GameError for one that is not legal."""
        if (mover := self.to_move) is None:
            raise MatchError(f"{self.ending()} Take a ply back, or begin another game.")
        self.check_alone()
        legal = self.legal()
        if text not in legal:
            with suppress(GameError):  # such as another notation
                text = str(
                    self.arbiter.game.write_ply(self.state, self.arbiter.game.read_ply(self.state, text))
                )
        if text not in legal:
            few = ", ".join(list(legal)[:40])
            raise GameError(f"{text[:40]!r} is no legal ply here; legal are {few}")
        state = self.state.copy()
        self.arbiter.play(state, legal[text])
        self.states.append(state)
        self.plies.append(text)
        if mover != CHANCE:
            self.seconds[mover] = round(self.seconds[mover] + seconds, 6)
        if log is not None:
            self.logs.setdefault(self.agent.name, []).append(f"{self._logs.shown}/{log}{ENDING}")
        status = self._status()
        self.is_over = status != ONGOING
        if self.is_over:
            self._end("over", self.arbiter.points(state, status))
        elif len(self.plies) >= TERMS.most_plies:
            self._end("length", DRAW)
        else:
            self._write()

    def keep_hint(self, log: str) -> None:
        """Keep the log of a hint."""
        path = f"{self._logs.shown}/{log}{ENDING}"
        if path not in self.logs.setdefault(HINT, []):
            self.logs[HINT].append(path)
            self._write()

    def take_back(self, side: int) -> int:
        """Take back the last ply of a side and those after it; returns their number. Raises MatchError."""
        players = [self.arbiter.player(state) for state in self.states[: len(self.plies)]]
        if side not in players:
            who = "you have" if side == self.side else f"{self.agent.name} has"
            raise MatchError(f"there is no ply to take back: {who} played none")
        n_left = len(players) - 1 - players[::-1].index(side)
        n_taken = len(self.plies) - n_left
        del self.plies[n_left:], self.states[n_left + 1 :]
        dropped = []
        for name, paths in list(self.logs.items()):
            stays = [each for each in paths if (at := place_of(Path(each).name)) and at.ply <= n_left]
            dropped += [each for each in paths if each not in stays]
            self.logs[name] = stays
            if not stays:
                del self.logs[name]
        self.is_over, self.why, self.points = False, GOING, DRAW
        self._write()  # before the logs are deleted, so that the file names no missing log
        for each in dropped:
            with suppress(OSError):
                (self.path.parent / each).unlink(missing_ok=True)
        return n_taken

    def change_side(self) -> None:
        """Have the person play the other side from now on."""
        self.side = 1 - self.side
        self._write()

    def change_agent(self, agent: Agent) -> None:
        """Have another agent play from now on. Raises MatchError where it cannot play the game."""
        check_agent(agent, self.rules)
        if agent.name in (YOU, HINT):
            raise MatchError(f"agent: {agent.name!r} is a name that is taken here; name it otherwise")
        self.agent = agent
        self._state_match()
        self._write()

    def resign(self) -> None:
        """Have the person give the game up."""
        if self.to_move is None:
            raise MatchError(str(self.ending()))
        self._end("resigned", float(self.side))

    def _end(self, why: Why, points: float) -> None:
        self.why, self.points = why, points
        self._write()

    def _status(self) -> int:
        return int(self.arbiter.game.status(self.state))

    def _played(self) -> Played:
        first, second = (0, 1) if self.side == 0 else (1, 0)
        return Played(
            *(0, 0, first, second, self.points, self.why),
            plies=tuple(self.plies),
            seconds=(self.seconds[0], self.seconds[1]),
            logs={name: tuple(paths) for name, paths in self.logs.items()},
        )

    def _write(self) -> None:
        append(self.path, self._played().as_json())
        self._size = self.path.stat().st_size

    def _state_match(self) -> None:
        match: Mapping[str, Any] = {
            "game": self.game_name,
            "position": self.position,
            "agents": [{"name": YOU, "kind": PERSON, "options": {}}, as_stated(self.agent)],
            "games": 1,
            **{name: value for name, value in asdict(TERMS).items() if value is not None},
            **version_of(self.rules),
        }
        append(self.path, {"match": match})


def new_folder(data: Path, game: str) -> Path:
    """A folder of a game among the user's data that is not there yet: the name of the game and a number."""
    plain = "".join(sign if sign.isalnum() else "_" for sign in game)
    number = 1
    while (folder := data / "played" / f"{plain}-{number}").exists():
        number += 1
    return folder
