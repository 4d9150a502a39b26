"""The header of a log, everything but the tree: checked, with perspective, players and factors read out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from plyscope.engine.former import header_by_present_names
from plyscope.visualizer.formats.errors import LogError, listed, shown
from plyscope.visualizer.formats.seal.values import A_NUMBER, MOST_PLAYERS, number
from plyscope.visualizer.store.header_fields import SEARCH, Declared
from plyscope.visualizer.store.log import Factor
from plyscope.visualizer.store.words import BOUND_WORDS

VERSION: Final = 1
MOST_LEVELS: Final = 100
BOUNDS: Final = tuple(BOUND_WORDS.said)


@dataclass(frozen=True)
class Header:
    """The parts of the header that reading a tree needs; `fields` is the whole header, without the tree.

    Options and counters of our older logs have their present names there.
    """

    fields: Mapping[str, Any]
    players: tuple[str, ...]
    factors: tuple[Factor, ...]
    view: str
    """The perspective of scores and windows."""
    static_view: str
    """The perspective of static, pre_score, stand_pat and factors."""
    root_player: int | None
    """The index of the root player, if the header states it."""


def read_header(fields: Mapping[str, Any]) -> Header:
    """Check a native header; raises LogError with the JSON path of what is wrong.

    >>> read_header({"plyscope": 1, "search": {"perspective": "mover"}}).static_view
    'mover'
    """
    version = fields.get("plyscope", VERSION)
    if version != VERSION or type(version) not in (int, float):
        raise LogError(
            f"this is a log of version {shown(version)}, expected version {VERSION}", path="$.plyscope"
        )
    _check_levels(fields)
    players = _players(fields)
    search = _object(fields, "search")
    check_result(_object(fields, "result"))
    for declared in SEARCH:
        if search.get(declared.name) is not None:
            _check_declared(search[declared.name], declared)
    view = search.get("perspective") or "root"
    return Header(
        header_by_present_names(fields),
        players,
        _factors(fields),
        view,
        search.get("static_perspective") or view,
        declared_root_player(search, players),
    )


def with_result(header: Mapping[str, Any] | None, result: Mapping[str, Any] | None) -> dict[str, Any]:
    """A header with the result that came apart from it, if there is one."""
    return {**(header or {}), **({} if result is None else {"result": result})}


def check_result(result: Mapping[str, Any]) -> None:
    """Raise LogError where the bound of a result is no known word."""
    bound = result.get("bound")
    if bound is not None and (type(bound) is not str or bound not in BOUNDS):
        expected = "expected one of " + ", ".join(f'"{word}"' for word in BOUNDS)
        raise LogError(f"found {shown(bound)}, {expected}", path="$.result.bound")


def _check_declared(value: Any, declared: Declared) -> None:
    """Raise LogError where a declaration of `search` is not of its kind; the player is looked up later."""
    match declared.kind:
        case "word":
            fits = type(value) is str and value in declared.words
            expected = "expected " + " or ".join(f'"{word}"' for word in declared.words)
        case "number":
            fits, expected = number(value) is not None, A_NUMBER
        case "count":
            fits = type(value) is int and value >= 1
            expected = "expected a whole number from 1"
        case "flag":
            fits, expected = type(value) is bool, "expected true or false"
        case "text":
            fits, expected = type(value) is str, "expected a text"
        case "range":
            fits = isinstance(value, list | tuple) and len(value) == 2 and None not in map(number, value)
            expected = "expected a list of two numbers"
        case _:
            return
    if not fits:
        raise LogError(f"found {shown(value)}, {expected}", path=f"$.search.{declared.name}")


def _check_levels(fields: Mapping[str, Any]) -> None:
    """Refuse a header, without its tree, that is nested too deep for other programs."""
    innermost = [value for name, value in fields.items() if name not in ("root", "roots")]
    for _ in range(MOST_LEVELS):
        containers = [value for value in innermost if isinstance(value, dict | list)]
        if not containers:
            return
        innermost = []
        for value in containers:
            innermost += value.values() if isinstance(value, dict) else value
    raise LogError(f"the header is nested deeper than {MOST_LEVELS} levels, expected fewer", path="$")


def _object(fields: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = fields.get(name)
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise LogError(f"found {shown(value)}, expected an object", path=f"$.{name}")
    return value


def _players(fields: Mapping[str, Any]) -> tuple[str, ...]:
    players = fields.get("players")
    if players is None:
        return ()
    if not isinstance(players, list | tuple):
        raise LogError(f"found {shown(players)}, expected a list of the players' names", path="$.players")
    if len(players) > MOST_PLAYERS:
        raise LogError(f"found {len(players):,} players, expected at most {MOST_PLAYERS:,}", path="$.players")
    seen = set()
    for index, player in enumerate(players):
        if type(player) is not str:
            raise LogError(f"found {shown(player)}, expected a text", path=f"$.players[{index}]")
        if player in seen:
            raise LogError(f"found {shown(player)} twice, expected each once", path=f"$.players[{index}]")
        seen.add(player)
    return tuple(players)


def _factors(fields: Mapping[str, Any]) -> tuple[Factor, ...]:
    factors = fields.get("factors")
    if factors is None:
        return ()
    if not isinstance(factors, list | tuple):
        raise LogError(f"found {shown(factors)}, expected a list of factors", path="$.factors")
    named = []
    for index, factor in enumerate(factors):
        path = f"$.factors[{index}]"
        if type(factor) is str:
            named.append(Factor(factor))
            continue
        if not isinstance(factor, Mapping) or type(factor.get("name")) is not str:
            expected = 'expected an object such as {"name": "mobility", "weight": 5}'
            raise LogError(f"found {shown(factor)}, {expected}", path=path)
        weight = factor.get("weight")
        if weight is not None and number(weight) is None:
            raise LogError(f"found {shown(weight)}, {A_NUMBER}", path=f"{path}.weight")
        meaning = factor.get("meaning")
        if meaning is not None and type(meaning) is not str:
            raise LogError(f"found {shown(meaning)}, expected a text", path=f"{path}.meaning")
        named.append(Factor(factor["name"], None if weight is None else number(weight), meaning))
    return tuple(named)


def declared_root_player(search: Mapping[str, Any], players: Sequence[str]) -> int | None:
    """The index of the root player, if `search` declares one; raises LogError for an unknown name."""
    name = search.get("root_player")
    if name is None:
        return None
    if type(name) is str and name in players:
        return players.index(name)
    if type(name) is int and 0 <= name < len(players):
        return name
    expected = f"expected one of the players: {listed(players)}" if players else "but `players` names none"
    raise LogError(f"found {shown(name)}, {expected}", path="$.search.root_player")
