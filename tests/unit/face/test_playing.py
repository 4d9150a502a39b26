"""`plyscope.match` and `plyscope.tournament`: the figures of the commands, as values."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

import plyscope as face
from plyscope.engine.match.agents import read_agent
from plyscope.engine.match.match import Match
from plyscope.engine.match.runner import run
from plyscope.engine.match.score import wilson
from tests import heaps
from tests.unit.cli.conftest import Command, plyscope
from tests.unit.cli.test_match import FILE

__all__ = ["plyscope"]


@pytest.fixture
def heap() -> str:
    return f"{heaps.__file__}:NamedHeap"


def test_a_match_gives_what_the_command_prints(plyscope: Command, heap: str) -> None:
    asked = ("match", "deep: depth=8,quotient=6", "random", "--game", heap, "--games", 8, "--opening", 1)
    found = face.match(
        "deep: depth=8,quotient=6", "random", game=heap, games=8, opening=1, workers=1, progress=False
    )
    assert plyscope(*asked, "--workers", 1)[1] == f"{found}\n"
    told = json.loads(plyscope(*asked, "--workers", 1, "--json")[1])
    assert told == found.as_json()
    names = [player.name for player in found.players]
    assert names == told["order"]
    for player, other in zip(found.players, reversed(names), strict=True):
        said = next(each for each in told["agents"] if each["name"] == player.name)
        assert found.against(player.name, other) == (player.won, player.drawn, player.lost)
        assert (player.share, player.elo) == (said["share"], said["elo"])
        won = sum(game.winner == player.name for game in found.games)
        drawn = sum(game.winner is None for game in found.games)
        assert (player.won, player.drawn, player.won + player.drawn + player.lost) == (won, drawn, 8)
        assert player.share == (won + drawn / 2) / 8
        assert player.share_of_95 == wilson(player.share, 8) == tuple(said["share_of_95"])
        takes = [len(game.plies) for game in found.games if game.winner == player.name]
        assert player.plies_of_a_win == (sum(takes) / len(takes) if takes else None)
    assert any(math.isinf(end) for each in found.players for end in each.elo_of_95) == bool(found.warnings)
    assert found.verdict is None
    with pytest.raises(KeyError, match="nobody"):
        found.against("random", "nobody")


def test_a_tournament_of_a_file_and_of_players_by_name_are_one(heap: str, tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(FILE.format(game=heap))
    by_file = face.tournament(path, workers=1, games=2)
    agents = {"deep": {"depth": 8}, "one": "depth=1", "random": "random"}
    by_name = face.tournament(agents, game=heap, games=2, opening=1, seed=3, workers=1)
    assert [game.plies for game in by_file.games] == [game.plies for game in by_name.games]
    assert by_file.as_json() == by_name.as_json()
    assert len(by_file.games) == 6
    assert repr(by_file).endswith(f"{by_file.players[0].name} is ahead>")


def test_logs_are_named_as_they_can_be_opened(heap: str, tmp_path: Path) -> None:
    output = tmp_path / "cup" / "games.jsonl"
    output.parent.mkdir()
    deep = {"depth": 2}
    found = face.match(deep, "random", game=heap, games=2, opening=1, workers=1, output=output, log="all")
    assert {tuple(game.logs) for game in found.games} == {("depth=2",)}
    for game in found.games:
        for path in game.logs["depth=2"]:
            assert face.open(path).header["match"]["game"] == game.number
    n_logs = sum(len(paths) for game in found.games for paths in game.logs.values())
    assert found.notices[0].startswith(f"{n_logs} logs in ")
    assert found.notices[1:] == ("random does not search and has no logs.",)
    again = face.match(deep, "random", game=heap, games=2, opening=1, workers=1, output=output)
    assert [game.logs for game in again.games] == [game.logs for game in found.games]
    assert again.notices == ()


@pytest.mark.parametrize(
    ("agents", "said"),
    [
        ({"a": "random", "b": 3}, "agent 'b' is 3, expected a text or a table"),
        ({"a": "random"}, "two agents or more"),
        ({"a": {"dept": 3}, "b": "random"}, "did you mean 'depth'"),
    ],
)
def test_what_cannot_be_played_is_refused(agents: dict[str, str], said: str) -> None:
    with pytest.raises(face.MatchError, match=said):
        face.tournament(agents, game="tictactoe")
    three = tuple(read_agent(f"{name}: random") for name in "abc")
    with pytest.raises(face.MatchError, match="a test in sequence is of a match of two"):
        run(Match("tictactoe", three, 2), better=3.0)
