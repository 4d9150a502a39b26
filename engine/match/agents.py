"""Who plays: named by a line of text, which says everything that a game with it depends on."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from difflib import get_close_matches
from typing import Any, Final

from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.players import (
    REUSE,
    FlatPlayer,
    MonteCarloPlayer,
    Player,
    RandomPlayer,
    SearchingPlayer,
    flat_options,
    tree_options,
)
from plyscope.engine.match.uhp_player import UhpPlayer, check_engine, check_options, rounding
from plyscope.engine.montecarlo.flat.options import FlatOptions
from plyscope.engine.montecarlo.options import MonteCarloOptions, check_guide
from plyscope.engine.options import OptionError, SearchOptions, check_game, weights_of

RANDOM: Final = "random"
MCTS: Final = "mcts"
UHP: Final = "uhp"
FLAT: Final = FlatOptions.algorithm
NOT_ASKED: Final = ("record", "keep", "seed", "log_visits")
"""What a match decides itself, or what concerns logs alone."""
OPTIONS: Final = tuple(each.name for each in fields(SearchOptions) if each.name not in NOT_ASKED)
TREE_OPTIONS: Final = (
    "algorithm",
    *(each.name for each in fields(MonteCarloOptions) if each.name not in NOT_ASKED),
    REUSE,
)
FLAT_OPTIONS: Final = (
    "algorithm",
    *(each.name for each in fields(FlatOptions) if each.name not in (*NOT_ASKED, "turn")),
)


@dataclass(frozen=True)
class Agent:
    """A player by name: plies drawn at random, or a search with its options (`kind` says which)."""

    name: str
    kind: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def check(self, game: Any) -> None:
        """Raise MatchError where the game has not what the options ask for."""
        if self.kind == UHP:
            check_engine(self.name, self.options, game)
            return
        try:
            if self.kind == MCTS:
                asked = tree_options(self.options)
                weights_of(game, asked)
                check_guide(game, asked)
                return
            if self.kind == FLAT:
                weights_of(game, flat_options(self.options))
                return
            options = SearchOptions(**self.options)
            weights_of(game, options)
            check_game(game, options)
        except OptionError as error:
            raise MatchError(f"agent: {self.name!r}: {error}") from None

    @property
    def searches(self) -> bool:
        """Whether it is a search of ours, of which there can be logs."""
        return self.kind not in (RANDOM, UHP)

    @property
    def is_timed(self) -> bool:
        """Whether its searches end by the clock, so that none can be made again."""
        return self.options.get("seconds") is not None

    @property
    def rounding(self) -> str | None:
        """A sentence that says how its seconds were rounded; None where they were not."""
        return rounding(self.name, self.options) if self.kind == UHP else None

    def player(self, arbiter: Arbiter, seed: int, *, records: bool = False) -> Player:
        """Take a seat for one game; nothing is carried over from another game, no table either.

        A search that `records` keeps the recording of each choice.
        """
        if self.kind == RANDOM:
            return RandomPlayer(arbiter, seed)
        if self.kind == UHP:
            return UhpPlayer(arbiter, self.options)
        if self.kind == MCTS:
            reuses = bool(self.options.get(REUSE, False))
            options = tree_options(self.options)
            return MonteCarloPlayer(arbiter, options, seed, reuses_tree=reuses, records=records)
        if self.kind == FLAT:
            return FlatPlayer(arbiter, flat_options(self.options), seed, records=records)
        return SearchingPlayer(arbiter, SearchOptions(**self.options), seed, records=records)


def read_agent(text: str) -> Agent:
    """The agent that a line describes: `random`, or options of a search such as `depth=3,limit=10`.

    `NAME: …` before it gives a name; else the line is the name. With `nodes` or `seconds` the search deepens
    until they are used up; `algorithm=mcts,playouts=400` is a Monte Carlo tree search,
    `algorithm=monte_carlo,n=100` flat Monte Carlo;
    `uhp=PROGRAM ARGUMENTS,seconds=1` is an engine that speaks the Universal Hive Protocol. Raises MatchError.

    >>> read_agent("strong: nodes=20000,algorithm=pvs").options
    {'nodes': 20000, 'algorithm': 'pvs'}
    >>> read_agent("other: uhp=engine --threads 1,seconds=0.5").options
    {'uhp': ['engine', '--threads', '1'], 'seconds': 0.5}
    """
    if engine := _ENGINE.fullmatch(text):
        return _engine_of(text, engine)
    name, colon, line = text.partition(":")
    name, line = (name.strip(), line.strip()) if colon else (text.strip(), text.strip())
    if line == RANDOM:
        return Agent(name, RANDOM)
    parts = [part.partition("=") for part in line.split(",") if part.strip()]
    words = {key.strip(): value.strip() if equals else "true" for key, equals, value in parts}
    known = options_of(words)
    options = {_known(key, line, known): _value(key, value, line) for key, value in words.items()}
    if not options:
        raise MatchError(f"agent: {text!r}, expected {RANDOM!r} or options such as 'depth=3,limit=10'")
    return agent_of(name, options)


def agent_of(name: str, options: Mapping[str, Any]) -> Agent:
    """An agent that searches by these options of `SearchOptions`, or those of its Monte Carlo `algorithm`.

    With `uhp`, a program and its arguments, it is an engine of the Universal Hive Protocol. Raises
    MatchError.
    """
    if UHP in options:
        command = options[UHP]
        read = {**options, UHP: _words(name, command) if isinstance(command, str) else command}
        check_options(name, read)
        return Agent(name, UHP, read)
    known = options_of(options)
    for key in options:
        _known(key, name, known)
    kinds = {MCTS: tree_options, FLAT: flat_options}
    kind = str(options.get("algorithm"))
    try:
        if kind in kinds:
            kinds[kind](options)
        else:
            SearchOptions(**options)
    except OptionError as error:
        raise MatchError(f"agent: {name!r}: {error}") from None
    return Agent(name, kind if kind in kinds else "search", dict(options))


_ENGINE: Final = re.compile(
    r"\s*(?:(?P<name>[^:=]*):)?\s*uhp=(?P<command>.*?)(?P<options>(?:,\s*[a-z]+\s*=[^,=]*)*)\s*"
)


def _engine_of(text: str, found: re.Match[str]) -> Agent:
    """An engine: options stand behind its command, which may have commas of its own before."""
    options: dict[str, Any] = {UHP: found["command"]}
    for part in filter(None, found["options"].split(",")):
        key, _, value = part.partition("=")
        options[key.strip()] = _value(key.strip(), value.strip(), text)
    return agent_of((found["name"] or text).strip(), options)


def _words(name: str, command: str) -> list[str]:
    """A program and its arguments, quoted as a shell has them; no shell reads them."""
    try:
        return shlex.split(command)
    except ValueError as error:
        raise MatchError(f"agent: {name!r}: {command!r} is no command: {error}") from None


def options_of(options: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of all options that may stand beside these: those of a Monte Carlo search, or alpha-beta."""
    if options.get("algorithm") == FLAT:
        return FLAT_OPTIONS
    return TREE_OPTIONS if options.get("algorithm") == MCTS else OPTIONS


def _known(key: str, line: str, known: tuple[str, ...]) -> str:
    if key in known:
        return key
    if key in TREE_OPTIONS and known is OPTIONS:
        raise MatchError(f"agent: {line!r}: {key!r} is an option of Monte Carlo alone: add algorithm={MCTS}")
    if key in FLAT_OPTIONS and known is OPTIONS:
        raise MatchError(f"agent: {line!r}: {key!r} is an option of flat Monte Carlo: add algorithm={FLAT}")
    if key in OPTIONS:
        raise MatchError(f"agent: {line!r}: Monte Carlo has no option {key!r}")
    close = get_close_matches(key, [*known, RANDOM], 1)
    hint = f"; did you mean {close[0]!r}?" if close else f", expected {RANDOM!r} or one of {', '.join(known)}"
    raise MatchError(f"agent: {line!r} has an unknown option {key!r}{hint}")


_READERS: Final[tuple[Callable[[str], Any], ...]] = (int, float)


def _value(key: str, text: str, line: str) -> Any:
    """A whole number, a number, a flag or a word; weights are `weights=mobility:2;corners:8`."""
    if key == "weights":
        weights = {}
        for part in text.split(";"):
            name, colon, weight = part.partition(":")
            try:
                weights[name.strip()] = float(weight)
            except ValueError:
                raise MatchError(
                    f"agent: {line!r}: weights {text!r}, expected such as 'mobility:2;corners:8'"
                ) from None
            if not colon:
                raise MatchError(f"agent: {line!r}: weights {text!r}, expected such as 'mobility:2'")
        return weights
    if text in ("true", "false"):
        return text == "true"
    for read in _READERS:
        try:
            return read(text)
        except ValueError:
            continue
    return text
