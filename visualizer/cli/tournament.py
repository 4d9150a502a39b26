"""`plyscope tournament`: several players against each other, as a file names them."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from plyscope.visualizer.cli.options import existing_file, json_option
from plyscope.visualizer.cli.standings import as_json as standing_json
from plyscope.visualizer.cli.standings import lines, match_options, play_shown, terms_of

if TYPE_CHECKING:
    from plyscope.engine.match.agents import Agent
    from plyscope.engine.match.runner import Match

GAMES: Final = 10
TEXTS: Final = ("game", "position", "adjudicate", "log", "logs")
KEYS: Final = (
    *("game", "position", "games", "opening", "plies", "seed", "adjudicate", "log", "logs"),
    "agents",
)


@click.command()
@click.argument("file", type=existing_file())
@match_options
@json_option
def tournament(file: Path, output: Path | None, as_json: bool, **asked: Any) -> None:
    """Play all pairs of the agents in FILE, a TOML file; options go before what it states.

    \b
    game = "reversi"
    games = 10
    [agents]
    deep = {depth = 4, limit = 10}
    fast = "nodes=2000,algorithm=pvs"
    random = "random"
    """
    from plyscope.engine.match.standing import standing_of

    asked_match, terms = read_tournament(file, asked)
    played = play_shown(asked_match, output, terms)
    standing = standing_of([agent.name for agent in asked_match.agents], played)
    if as_json:
        import orjson

        click.echo(orjson.dumps(standing_json(asked_match, standing, played)).decode())
        return
    for line in lines(asked_match, standing, played):
        click.echo(line)


def read_tournament(file: Path, asked: dict[str, Any]) -> tuple[Match, dict[str, Any]]:
    """The match that a file states, and its terms with what was asked; raises MatchError, OSError."""
    from plyscope.engine.match.errors import MatchError
    from plyscope.engine.match.runner import Match

    try:
        stated = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise MatchError(f"{file} is no TOML: {error}") from None
    for key in stated:
        if key not in KEYS:
            raise MatchError(f"{file}: unknown {key!r}, expected {', '.join(KEYS)}")
    for key in KEYS[:-1]:
        kind = str if key in TEXTS else int
        if key in stated and type(stated[key]) is not kind:
            expected = "a text" if kind is str else "a whole number"
            raise MatchError(f"{file}: {key} is {stated[key]!r}, expected {expected}")
    agents = stated.get("agents")
    if not isinstance(agents, dict):
        raise MatchError(f"{file} names no agents: expected a table [agents], a line for each")
    terms = {**stated, **{name: value for name, value in asked.items() if value is not None}}
    players = tuple(_agent(file, name, options) for name, options in agents.items())
    game, n_games = stated.get("game", "hive"), terms.get("games", GAMES)
    return Match(game, players, n_games, terms_of(terms), stated.get("position")), terms


def _agent(file: Path, name: str, options: Any) -> Agent:
    from plyscope.engine.match.agents import Agent, agent_of, read_agent
    from plyscope.engine.match.errors import MatchError

    if isinstance(options, str):
        found = read_agent(options)
        return Agent(name, found.kind, found.options)
    if isinstance(options, dict):
        return agent_of(name, options)
    raise MatchError(f"{file}: agent {name!r} is {options!r}, expected a text or a table of options")
