"""Algorithms of installed packages: found by commands, agents and scripts as ours are."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

import plyscope as face
from plyscope.engine import algorithms
from plyscope.engine.match.agents import read_agent
from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.games import Terms
from plyscope.engine.match.match import Match
from plyscope.engine.match.runner import run
from plyscope.engine.option import OptionError
from tests import heaps
from tests.outside_algorithm import installed
from tests.unit.cli.conftest import Command, plyscope
from tests.unit.match.test_game_logs import wanted

HEAP = f"{heaps.__file__}:Heap"

__all__ = ["plyscope"]


@pytest.fixture(autouse=True)
def a_package() -> Iterator[None]:
    with installed():
        yield


def test_a_command_a_script_and_an_agent_search_by_it(plyscope: Command, tmp_path: Path) -> None:
    out = tmp_path / "a.json"
    asked = ("--algorithm", "growing", "--option", "n=2", "--seed", 4)
    code, text, err = plyscope("search", HEAP, *asked, "-o", out)
    assert (code, err) == (0, f"plyscope: wrote {err.partition('wrote ')[2]}")
    assert "200 play-outs in " in text
    log = json.loads(out.read_bytes())
    options: Any = {"algorithm": "growing", "n": 2}
    assert face.search(HEAP, **options, seed=4).header["result"]["ply"] == log["result"]["ply"]
    agent = read_agent("it: algorithm=growing,n=3")
    assert (agent.kind, agent.searches, agent.options) == ("growing", True, {"algorithm": "growing", "n": 3})
    with pytest.raises(MatchError, match="unknown option 'm', expected 'random' or one of algorithm, n"):
        read_agent("algorithm=growing,m=3")


def test_a_player_of_a_match_carries_on_what_it_left(tmp_path: Path) -> None:
    agents = (read_agent("it: algorithm=growing,n=2"), read_agent("random"))
    match = Match("tictactoe", agents, 2, Terms(n_opening=0, seed=1))
    path = tmp_path / "games.jsonl"
    for game in run(match, path, logs=wanted(match, path, "it")):
        logs = [face.open(tmp_path / log) for log in game.logs["it"]]
        each = [log.header["result"]["playouts_each"] for log in logs]
        assert each == list(range(2, 2 + len(each)))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (("growing", "--option", "n=0"), "--n: 0, expected a whole number from 1 to 100"),
        (("growing", "--option", "m=1"), "--m: growing play-outs has no such option; expected one of n"),
        (("growing", "--option", "seed=1"), "--option seed: expected --seed."),
        (("growing", "--depth", 3), "--depth is no option of growing; its own are --option name=value."),
        (("pvs", "--option", "n=1"), "--option: pvs has options of its own"),
    ],
)
def test_options_that_it_has_not_are_refused(plyscope: Command, options: tuple[Any, ...], says: str) -> None:
    code, _, err = plyscope("search", HEAP, "--algorithm", *options)
    assert (code, says in err) == (2, True), err


@pytest.mark.parametrize(
    ("name", "place", "says"),
    [
        ("uct", "tests.outside_algorithm:GROWING", "expected one of .*, expectimax, mcts, growing$"),
        ("monte_carlo", "json:dumps", "'monte_carlo' is part of the package plyscope-studies: pip"),
        ("growing", "nowhere:SEARCH", "algorithm growing: nowhere:SEARCH gives ModuleNotFoundError"),
        ("growing", "json:dumps", "algorithm growing: json:dumps is no Algorithm"),
    ],
)
def test_one_that_is_not_there_or_is_none_is_said(
    name: str, place: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    point = EntryPoint("growing", place, algorithms.GROUP)
    monkeypatch.setattr(algorithms, "entry_points", lambda group: [point])
    with pytest.raises(OptionError, match=says):
        algorithms.find(name)
