"""Agents, the players of a match: a line of text names each and states all that its games depend on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Final, cast

import numpy as np

from plyscope.engine.algorithms import DEFAULT, OURS, Algorithm, find, read_value
from plyscope.engine.match import uci_player, uhp_player
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.engine_process import check_options, words_of
from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.players import Player, RandomPlayer, SearchingPlayer
from plyscope.engine.option import OptionError, Options

RANDOM: Final = "random"
PROTOCOLS: Final = {"uhp": uhp_player, "uci": uci_player}
"""The kinds of agents that are programs of their own, by the option that names the program."""
SEARCH: Final = "search"
"""The kind of agents that search by alpha-beta; the kind of others is their algorithm."""
NOT_ASKED: Final = ("seed", "log_visits")
"""Options that a match sets itself, or that concern only logs."""


@dataclass(frozen=True)
class Agent:
    """A player by name: plies drawn at random, or a search with its options (`kind` says which)."""

    name: str
    kind: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def check(self, game: Any) -> None:
        """Raise MatchError where the game lacks a kernel that the options need."""
        if self.is_program:
            PROTOCOLS[self.kind].check_engine(self.name, self.options, game)
            return
        if self.kind == RANDOM:
            return
        try:
            algorithm, options = _asked(self.options)
            algorithm.check_options(game, options)
        except OptionError as error:
            raise MatchError(f"agent: {self.name!r}: {error}") from None

    @property
    def searches(self) -> bool:
        """Whether it is a search of ours, which can be logged."""
        return self.kind != RANDOM and not self.is_program

    @property
    def is_program(self) -> bool:
        """Whether it is a program of its own, which speaks a protocol."""
        return self.kind in PROTOCOLS

    @property
    def is_timed(self) -> bool:
        """Whether its searches end by the clock, so that none can be made again."""
        return self.options.get("seconds") is not None

    @property
    def rounding(self) -> str | None:
        """A sentence that says how its seconds were rounded; None where they were not."""
        return uhp_player.rounding(self.name, self.options) if self.kind == "uhp" else None

    def options_of_turn(self, seed: int | None = None) -> Any:
        """The options of a search that records, as a player of a match searches a turn with them."""
        algorithm, options = _asked(self.options)
        return algorithm.of_turn(replace(cast(Any, options), record=True), np.random.default_rng(seed))

    def player(
        self, arbiter: Arbiter, seed: int, *, records: bool = False, most_rows: int | None = None
    ) -> Player:
        """Take a seat for one game; nothing is carried over from another game, no table either.

        A search that `records` keeps the recording of each choice.
        """
        if self.kind == RANDOM:
            return RandomPlayer(arbiter, seed)
        if self.is_program:
            player: Player = PROTOCOLS[self.kind].player_of(arbiter, self.options)
            return player
        algorithm, options = _asked(self.options)
        carries = algorithm.reuse is None or bool(self.options.get(algorithm.reuse, False))
        return SearchingPlayer(
            arbiter, algorithm, options, seed, carries=carries, records=records, most_rows=most_rows
        )


def _asked(options: Mapping[str, Any]) -> tuple[Algorithm, Options]:
    """The algorithm of an agent, and its options as that takes them. Raises OptionError."""
    algorithm = find(options.get("algorithm", DEFAULT))
    beside = {algorithm.reuse} | ({"algorithm"} - {*algorithm.names})
    options = {name: value for name, value in options.items() if name not in beside}
    made: Options = algorithm.options(**options, record=False)
    return algorithm, made


def read_agent(text: str) -> Agent:
    """The agent that a line describes: `random`, or options of a search such as `depth=3,limit=10`.

    `NAME: …` before it gives a name, which has no `=`; else the line is the name. With `nodes` or `seconds`
    the search deepens until they are used up; `algorithm=mcts,playouts=400` is a Monte Carlo tree search;
    `uhp=PROGRAM ARGUMENTS,seconds=1` is an engine that speaks the Universal Hive Protocol, `uci=…` one that
    speaks the Universal Chess Interface. Raises MatchError.

    >>> read_agent("strong: nodes=20000,algorithm=pvs").options
    {'nodes': 20000, 'algorithm': 'pvs'}
    >>> read_agent("other: uhp=engine --threads 1,seconds=0.5").options
    {'uhp': ['engine', '--threads', '1'], 'seconds': 0.5}
    >>> read_agent("depth=2,weights=mobility:2;corners:8").options["weights"]
    {'mobility': 2.0, 'corners': 8.0}
    """
    if engine := _ENGINE.fullmatch(text):
        return _engine_of(text, engine)
    name, colon, line = text.partition(":")
    is_name = colon and _IN_WEIGHTS.search(name) is None
    name, line = (name.strip(), line.strip()) if is_name else (text.strip(), text.strip())
    if line == RANDOM:
        return Agent(name, RANDOM)
    parts = [part.partition("=") for part in line.split(",") if part.strip()]
    words = {key.strip(): value.strip() if equals else "true" for key, equals, value in parts}
    options = {key: _value(key, value, line) for key, value in words.items()}
    _check_names(line, options)
    if not options:
        raise MatchError(f"agent: {text!r}, expected {RANDOM!r} or options such as 'depth=3,limit=10'")
    return agent_of(name, options)


def agent_of(name: str, options: Mapping[str, Any]) -> Agent:
    """An agent that searches by these options, which are those of its `algorithm`.

    With `uhp` or `uci`, a program and its arguments, it is an engine of the Universal Hive Protocol, or of
    the Universal Chess Interface. Raises MatchError.
    """
    for kind, protocol in PROTOCOLS.items():
        if kind in options:
            command = options[kind]
            is_text = isinstance(command, str)
            read = {**options, kind: words_of(command, f"agent: {name!r}: ") if is_text else command}
            check_options(name, read, kind, protocol.BOUNDS)
            return Agent(name, kind, read)
    _check_names(name, options)
    try:
        algorithm, _ = _asked(options)
    except OptionError as error:
        raise MatchError(f"agent: {name!r}: {error}") from None
    kind = SEARCH if algorithm is OURS[DEFAULT] else str(options["algorithm"])
    return Agent(name, kind, dict(options))


_IN_WEIGHTS: Final = re.compile(r"(^|,)\s*weights\s*=[^,]*$")
"""The text before a colon that is one of the option `weights`, and ends no name."""
_ENGINE: Final = re.compile(
    r"\s*(?:(?P<name>[^:=]*):)?\s*(?P<kind>uhp|uci)=(?P<command>.*?)(?P<options>(?:,\s*[a-z]+\s*=[^,=]*)*)\s*"
)


def _engine_of(text: str, found: re.Match[str]) -> Agent:
    """An engine: options come after its command, which may contain commas itself."""
    options: dict[str, Any] = {found["kind"]: found["command"]}
    for part in filter(None, found["options"].split(",")):
        key, _, value = part.partition("=")
        options[key.strip()] = _value(key.strip(), value.strip(), text)
    return agent_of((found["name"] or text).strip(), options)


def _names_of(algorithm: Algorithm) -> tuple[str, ...]:
    """The names of the options that an agent of this algorithm may have."""
    names = (name for name in algorithm.names if name not in NOT_ASKED)
    return (*dict.fromkeys(("algorithm", *names)), *((algorithm.reuse,) if algorithm.reuse else ()))


def _check_names(line: str, options: Mapping[str, Any]) -> None:
    """Raise MatchError for an option that the algorithm of these options has not."""
    try:
        algorithm = find(options.get("algorithm", DEFAULT))
    except OptionError as error:
        raise MatchError(f"agent: {line!r}: {error}") from None
    known = _names_of(algorithm)
    for key in options:
        if key in known:
            continue
        others = [(name, other) for name, other in OURS.items() if key in _names_of(other)]
        if others and algorithm is OURS[DEFAULT]:
            name, other = others[0]
            raise MatchError(
                f"agent: {line!r}: {key!r} is an option of {other.title} alone: add algorithm={name}"
            )
        if others:
            raise MatchError(f"agent: {line!r}: {algorithm.title} has no option {key!r}")
        close = get_close_matches(key, [*known, RANDOM], 1)
        expected = f"expected {RANDOM!r} or one of {', '.join(known)}"
        hint = f"; did you mean {close[0]!r}?" if close else f", {expected}"
        raise MatchError(f"agent: {line!r} has an unknown option {key!r}{hint}")


def _value(key: str, text: str, line: str) -> Any:
    """A whole number, a number, a flag or a word; weights are `weights=mobility:2;corners:8`.

    Options of a program are written as weights are, with any values: `options=Hash:64;Ponder:false`.
    """
    if key == "options":
        return {
            name.strip(): value.strip()
            for name, _, value in (each.partition(":") for each in text.split(";"))
        }
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
    return read_value(text)
