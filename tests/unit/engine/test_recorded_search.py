"""A recorded search read back from its header: its options, other weights; why one cannot be repeated."""

from __future__ import annotations

import copy
import json
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from plyscope.engine.games.tictactoe import GAME
from plyscope.engine.option import OptionError
from plyscope.engine.options import SearchOptions
from plyscope.engine.record.recorded_search import AgainError, recorded_search
from plyscope.engine.run import search
from tests.property.examples import examples

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
DEEPENED = ("iterative", "aspiration")


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


def test_the_same_weights_search_the_same_tree() -> None:
    first = search(GAME, POSITION, SearchOptions(depth=3, algorithm="pvs", table=1), compiled=False)
    asked = recorded_search(first.header)
    again = search(asked.game, asked.position, asked.options, compiled=False)
    assert np.array_equal(first.rows, again.rows)


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
    ({"position": "nonsense"}, "the position of this log cannot be read"),
    ({"factors": [{"name": "centre"}]}, "does not state the weight of every factor"),
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
