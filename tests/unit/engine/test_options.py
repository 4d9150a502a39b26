"""Options: refused in words where they make no sense, read back from a header, and words on factors."""

from __future__ import annotations

import copy
import json
import re
from types import SimpleNamespace
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from plyscope.engine.game import Game, GameError, meanings_of
from plyscope.engine.games import GAMES, find
from plyscope.engine.games.tictactoe import GAME
from plyscope.engine.option import OptionError
from plyscope.engine.options import SearchOptions, check_game, weights_of
from plyscope.engine.record.recorded_search import AgainError, recorded_search
from plyscope.engine.run import search
from tests.heaps import Heap
from tests.property.examples import examples


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"depth": 0}, "depth: 0, expected a whole number from 1 to 1000"),
        ({"depth": 2.5}, r"depth: 2\.5, expected a whole number"),
        ({"seconds": float("inf")}, "seconds: inf, expected a number above 0"),
        ({"quotient": 1}, "quotient: 1, expected a whole number from 2"),
        ({"seed": -1}, "seed: -1, expected a whole number from 0"),
        ({"algorithm": "mcts"}, "algorithm: 'mcts', expected one of minimax, alphabeta, pvs"),
        ({"aspiration": 5.0}, "aspiration: .* needs iterative=True"),
        ({"aspiration": 1.0, "iterative": True, "algorithm": "minimax"}, "minimax has no windows"),
        ({"table": 1e9}, "table: .*, expected a number above 0 to 1048576"),
        ({"reverse_futility": -1.0}, "reverse_futility: -1.0, expected a number above 0"),
        ({"killers": 1}, "killers: 1, expected True or False"),
        ({"null_move": 101}, "null_move: 101, expected a whole number from 1 to 100"),
        ({"fail": "safe"}, "fail: 'safe', expected one of soft, hard"),
        ({"table": 1, "table_depth": "any"}, "table_depth: 'any', expected one of equal, at_least"),
        ({"table_use": "narrow"}, "table_use: there is no table to use"),
        ({"null_move": 2, "algorithm": "minimax"}, "null_move: minimax has no windows"),
        ({"weights": {"centre": float("nan")}}, "weights: centre: nan, expected a finite number"),
    ],
)
def test_nonsense_is_refused_by_name(said: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        SearchOptions(**said)


def test_weights_replace_the_games_own_by_name_and_one_for_no_factor_is_refused() -> None:
    weights = weights_of(GAME, SearchOptions(weights={"centre": 7}))
    assert weights == dict(GAME.factors) | {"centre": 7.0}
    with pytest.raises(OptionError, match="'mobility' is no factor; expected one of centre, corners"):
        weights_of(GAME, SearchOptions(weights={"mobility": 1.0}))


def test_a_technique_that_the_game_lacks_a_kernel_for_is_refused() -> None:
    for option, kernel in (("quiescence", "noisy"), ("null_move", "pass_turn")):
        asked: dict[str, Any] = {option: 2}
        with pytest.raises(OptionError, match=f"{option}: quiet has no {kernel}"):
            check_game(SimpleNamespace(name="quiet"), SearchOptions(**asked))


POSITION = "XX. OO. ... X"
EVERYTHING: dict[str, Any] = {
    "depth": 3,
    "limit": 5,
    "nodes": 10_000,
    "algorithm": "pvs",
    "iterative": True,
    "aspiration": 4.0,
    "quotient": 7,
    "seed": 3,
    "keep": "last",
    "table": 1,
    "table_depth": "at_least",
    "table_use": "narrow",
    "table_keep": "clear",
    "killers": True,
    "history": True,
    "iid": 1,
    "lmr": 2,
    "reverse_futility": 2.5,
    "fail": "hard",
}


def header_of(**options: Any) -> dict[str, Any]:
    """The header of such a search, as a log that was read again has it."""
    header = search(GAME, POSITION, SearchOptions(**options), compiled=False).header
    read: dict[str, Any] = json.loads(json.dumps(header))
    return read


@given(st.sets(st.sampled_from([name for name in EVERYTHING if name != "depth"])))
@settings(max_examples=examples(30), deadline=None)
def test_every_option_is_read_back(names: set[str]) -> None:
    """An option that the header forgot, or that is read back as another, would differ."""
    names |= {"iterative"} if "aspiration" in names else set()
    names |= {"table"} if names & {"table_depth", "table_use", "table_keep"} else set()
    names |= {"quotient", "seed"} if names & {"quotient", "seed"} else set()
    options = SearchOptions(**{name: EVERYTHING[name] for name in {"depth", *names}})
    header = search(GAME, POSITION, options, compiled=False).header
    asked = recorded_search(json.loads(json.dumps(header)))
    assert asked.game is GAME
    assert asked.position == header["position"]
    assert asked.options == SearchOptions(
        **{name: EVERYTHING[name] for name in {"depth", *names}}, weights=dict(GAME.factors)
    )
    assert asked.notes == ()


def test_other_weights_replace_those_that_they_name() -> None:
    header = header_of(depth=1, weights={"centre": 7.0})
    name = next(name for name in GAME.factors if name != "centre")
    assert recorded_search(header).options.weights["centre"] == 7.0
    weights = recorded_search(header, {name: -2.5}).options.weights
    assert (weights["centre"], weights[name]) == (7.0, -2.5)
    with pytest.raises(OptionError, match="'nothing' is no factor"):
        recorded_search(header, {"nothing": 1.0})
    with pytest.raises(OptionError, match="too large to search with"):
        recorded_search(header, {"centre": 1e305})


def test_what_cannot_be_the_same_is_said() -> None:
    header = header_of(depth=3, iterative=True)
    header["search"]["table_carried"] = True
    header["search"]["options"]["seconds"] = 2.0
    header["result"] |= {"stopped": "request", "nodes": 1234}
    asked = recorded_search(header)
    assert asked.options.nodes == 1234
    assert asked.notes == (
        "The logged search began with the table of an earlier one, this begins with an empty one.",
        "The logged search was stopped by hand; this one ends at as many nodes, 1,234.",
        "It ends after 2 s, as the logged one did; how far it gets depends on the machine.",
    )


NOT_REPEATED: list[tuple[dict[str, Any], str]] = [
    ({"search": {"engine": "<b>other</b>"}}, "the engine of this log is '<b>other</b>'; only Plyscope's own"),
    ({"search": None}, "the engine of this log is one that it does not name"),
    ({"game": "go"}, "the game of this log is 'go', expected one of Plyscope's own"),
    ({"game": None}, "the game of this log is not stated"),
    ({"position": None}, "this log is a part of a search"),
    ({"result": None}, "this log is a part of a search"),
    ({"position": "nonsense"}, "the position of this log cannot be read"),
    ({"factors": [{"name": "centre"}]}, "does not state the weight of every factor"),
    ({"factors": [{"name": "centre", "weight": True}]}, "does not state the weight of every factor"),
    ({"factors": 3}, "this log has other factors than tictactoe has here"),
    ({"factors": [{"name": "other", "weight": 1}]}, "this log has other factors than tictactoe has here"),
    ({"search": {"engine": "plyscope"}}, "does not state the depth and the algorithm"),
    ({"search": {"depth": 2.5}}, "the header does not state a search of ours: depth: 2.5"),
    ({"search": {"algorithm": ["pvs"]}}, "the header does not state a search of ours: algorithm"),
    ({"search": {"options": {"multicut": 3}}}, "searched with 'multicut', an option that is not known here"),
    ({"search": {"algorithm": "minimax", "options": {"null_move": 2}}}, "null_move: minimax has no windows"),
]


@pytest.mark.parametrize(("change", "message"), NOT_REPEATED)
def test_what_cannot_be_repeated_says_why(change: dict[str, Any], message: str) -> None:
    header = header_of(depth=1)
    for name, value in change.items():
        if isinstance(value, dict) and value != {"engine": "plyscope"}:
            header[name] |= value
        else:
            header[name] = value
    before = copy.deepcopy(header)
    with pytest.raises(AgainError) as error:
        recorded_search(header)
    assert message in str(error.value)
    assert header == before


class Sticks(Heap):
    """It explains one of its two factors."""

    factors = {"even": 1.0, "left": 2.0}  # noqa: RUF012 (as people write it)
    meanings: Any = {"left": "Sticks left."}  # noqa: RUF012
    matches, most = 4, 2

    def values(self, position: tuple[int, int]) -> tuple[float, ...]:
        return position[0] % 2, position[0]


@pytest.mark.parametrize("game", [find(name) for name in GAMES], ids=list(GAMES))
def test_every_factor_is_explained_in_one_short_sentence(game: Game) -> None:
    meanings = meanings_of(game)
    assert list(meanings) == list(game.factors)
    assert all(re.fullmatch(r"[A-Z0-9](?!.*\. ).{,118}\.", each) for each in meanings.values())


def test_the_header_carries_the_words_of_those_factors_that_have_some() -> None:
    header = search(Sticks(), options=SearchOptions(depth=2, weights={"left": 3.0})).header
    assert header["factors"] == [
        {"name": "even", "weight": 1.0},
        {"name": "left", "weight": 3.0, "meaning": "Sticks left."},
    ]


@pytest.mark.parametrize(
    ("meanings", "message"),
    [
        ({"odd": "?"}, "Sticks: meanings explains 'odd', which is no factor; expected one of even, left"),
        ({"even": 2}, r"Sticks: meanings\['even'\] = 2, expected a text"),
        (["Sticks left."], r"Sticks: meanings = \['Sticks left.'\], expected texts by the names of factors"),
    ],
)
def test_words_on_no_factor_are_refused_before_the_search(meanings: object, message: str) -> None:
    game = Sticks()
    game.meanings = meanings
    with pytest.raises(GameError, match=message):
        search(game, options=SearchOptions(depth=200))
