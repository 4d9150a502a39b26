"""The agents that play against a person, by line as in a match, or by a class in a file of your own.

`FILE.py:Class` has a method `choose(game, state, log)` that returns a ply, as the game has it or as text.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from plyscope.engine.algorithms import DEFAULT, find, read_value
from plyscope.engine.game import GameError
from plyscope.engine.games.game_files import enter
from plyscope.engine.games.guard import fault_of
from plyscope.engine.games.outside import folder_of, load
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.match.agents import NOT_ASKED, RANDOM, Agent, agent_of, read_agent
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.engine_process import GRACE, TIMEOUT
from plyscope.engine.match.errors import MatchError, PlayerError
from plyscope.engine.match.players import Seat
from plyscope.engine.option import OptionError
from plyscope.engine.quoting import quoted
from plyscope.engine.record.recorded_search import MONTE_CARLO, recorded_options, recorded_weights
from plyscope.visualizer.store.log import object_in
from plyscope.visualizer.store.tree import Tree

OWN: Final = "class"
"""The kind of agents that are a class of somebody's own, and the option that has its place."""
LOGGER: Final = "plyscope.examples.loggers.search_log"
"""The module of `plyscope.Logger`, which stands above this floor."""
ENDS: Final = ("depth", "nodes", "seconds", "playouts", "quotient")
"""The options that end a search, and that of drawing among its plies."""
USUAL: Final = "nodes=20000"
"""The default agent."""


def read_line(line: str) -> Agent:
    """The agent that a line names. Raises MatchError.

    >>> read_line("mine.py:Mine,seconds=2").options
    {'class': 'mine.py:Mine', 'seconds': 2}
    """
    name, colon, rest = line.partition(": ")
    named, text = (name.strip(), rest) if colon else ("", line)
    place, *parts = text.strip().split(",")
    file, _, of_class = place.rpartition(":")
    if not file.endswith(".py") or not of_class.isidentifier():
        return read_agent(line)
    options: dict[str, Any] = {OWN: place}
    for part in parts:
        key, _, value = part.partition("=")
        seconds: Any = read_value(value.strip())
        is_number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
        if key.strip() != "seconds" or not is_number or not 0 < seconds < 86_400:
            raise MatchError(f"agent: {line!r}: {part!r}, expected seconds of a ply, such as seconds=5")
        options["seconds"] = seconds
    return Agent(named or line.strip(), OWN, options)


def usual_agent(game: Any) -> Agent:
    """The agent that answers where none is named; in games with dice, a search that knows chance."""
    has_chance = hasattr(getattr(game, "game", game), "chances")
    return read_line("algorithm=mcts,playouts=1000" if has_chance else USUAL)


def agent_of_log(header: Mapping[str, Any], game: Any) -> Agent:
    """The agent that searches as a log of ours was searched; the usual one for any other log."""
    search, result = header.get("search"), header.get("result")
    if isinstance(search, dict) and isinstance(result, dict):
        with suppress(OptionError, MatchError):
            if search.get("algorithm") in MONTE_CARLO:
                stated = {"algorithm": search["algorithm"], **object_in(search, "options")}
            else:
                stated = recorded_options(search)
            asked = {*find(stated["algorithm"]).names, "algorithm"} - {*NOT_ASKED}
            options = {name: value for name, value in stated.items() if name in asked}
            if (quotient := result.get("randomness_quotient")) is not None:
                options["quotient"] = quotient
            agent = agent_of("the log's search", {**options, "weights": recorded_weights(header, game)})
            agent.check(game)
            return agent
    return usual_agent(game)


def line_on(tree: Tree, row: int, game: Any) -> str:
    """The line of a search from a node that looks further than the log: as deep as the log did at its root.

    For a tree grown by play-outs, as many play-outs as at its root, at the root itself twice as many. The
    usual line where neither is stated.
    """
    search = tree.log.header.get("search")
    depths = tree.log.column("depth")
    asked = search.get("depth") if isinstance(search, dict) else None
    if isinstance(n_playouts := object_in(tree.log.header, "result").get("playouts"), int):
        return f"algorithm=mcts,playouts={n_playouts * (1 if tree.log.columns['level'][row] else 2)}"
    if not isinstance(asked, int) or depths is None or not depths[row] >= 0:
        return usual_agent(game).name
    return f"depth={max(int(depths[row]) + 1, asked)}"


def agent_on(line: str, header: Mapping[str, Any], game: Any) -> Agent:
    """The search of a line, with the weights and options of the log's search where the line has no others.

    The log's limits (depth, nodes, seconds …) are not taken over. Raises MatchError.
    """
    asked = read_line(line)
    if is_code(asked) or not asked.searches:
        raise MatchError(f"agent: {line!r}: only a search of ours can go on from here")
    options = dict(asked.options)
    logged = {name: value for name, value in agent_of_log(header, game).options.items() if name not in ENDS}
    known = find(options.get("algorithm", logged.get("algorithm", DEFAULT))).names
    agent = agent_of(line, {name: value for name, value in logged.items() if name in known} | options)
    agent.check(game)
    return agent


def stated_agent(stated: Mapping[str, Any]) -> Agent:
    """The agent that a file of games states, or a question. Raises MatchError."""
    name, kind, options = stated["name"], stated["kind"], stated["options"]
    return Agent(name, kind, options) if kind in (RANDOM, OWN) else agent_of(name, options)


def as_stated(agent: Agent) -> dict[str, Any]:
    """An agent as a file of games states it."""
    return {"name": agent.name, "kind": agent.kind, "options": dict(agent.options)}


def is_code(agent: Agent) -> bool:
    """Return whether an agent is a program, or a file with code: only a person's own command starts one."""
    return agent.is_program or agent.kind == OWN


def line_of(agent: Agent) -> str:
    """The line that names an agent which `is_code`, as a command takes it."""
    options = dict(agent.options)
    code = options.pop(agent.kind)
    first = code if agent.kind == OWN else f"{agent.kind}={shlex.join(code)}"
    if "options" in options:
        options["options"] = ";".join(f"{name}:{value}" for name, value in options["options"].items())
    line = ",".join([first, *(f"{name}={value}" for name, value in options.items())])
    return line if agent.name == line else f"{agent.name}: {line}"


def check_agent(agent: Agent, game: Any) -> None:
    """Raise MatchError where an agent cannot play a game."""
    if agent.kind != OWN:
        agent.check(game)
    elif not Path(file := str(agent.options[OWN]).rpartition(":")[0]).is_file():
        raise MatchError(f"agent: there is no file {file}")


def seconds_to_answer(agent: Agent) -> float | None:
    """The seconds for an agent that may not end by itself; None for one that does."""
    if agent.kind != OWN:
        return None
    return agent.options["seconds"] + GRACE if "seconds" in agent.options else TIMEOUT


class OwnPlayer(Seat):
    """A player of a class in a user's file, whose every fault becomes a PlayerError."""

    def __init__(self, arbiter: Arbiter, place: str, log: Path) -> None:
        self._arbiter, self._place, self.log = arbiter, place, log
        try:
            self._agent = load(place)
        except (GameError, MemoryError):
            raise
        except (Exception, SystemExit) as error:
            raise PlayerError(fault_of(place, folder_of(place), error)) from error
        if not hasattr(self._agent, "choose"):
            raise PlayerError(f"{place} has no method choose(game, state, log)")

    def choose(self, state: Any) -> int:
        """Let it choose in a copy of `state`, and read its ply; `log` gets its log."""
        game, rules = self._arbiter.game, self._arbiter.rules
        search_log: Any = import_module(LOGGER).SearchLog
        log = search_log(self.log, buffer=2**16, game=game.name, position=self._arbiter.write(state))
        is_plain = isinstance(game, PlainKernels)
        try:
            enter(self._agent)
            chosen = self._agent.choose(rules, state[0] if is_plain else state.copy(), log)
        except (Exception, SystemExit) as error:
            raise PlayerError(fault_of(self._place, folder_of(self._place), error)) from error
        finally:
            log.close()
            enter(rules)
        legal = {str(game.write_ply(state, int(ply))): int(ply) for ply in self._arbiter.legal(state)}
        if isinstance(chosen, str) and chosen in legal:
            return legal[chosen]
        if not is_plain and isinstance(chosen, int) and chosen in legal.values():
            return chosen
        if is_plain:
            for ply in legal.values():
                if game.ply_of(ply) == chosen:
                    return ply
        raise PlayerError(f"answered {quoted(repr(chosen))}, which is no legal ply: {', '.join(legal)[:200]}")
