"""`plyscope.match` and `plyscope.tournament`: the figures of the commands, as values."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from pathlib import Path

import pytest

import plyscope
from plyscope.engine.match.agents import read_agent
from plyscope.engine.match.match import Match
from plyscope.engine.match.runner import run
from plyscope.engine.match.score import wilson
from plyscope.visualizer.cli.main import run as run_command
from tests import heaps
from tests.unit.cli.test_match import FILE


@pytest.fixture
def heap() -> str:
    return f"{heaps.__file__}:NamedHeap"


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """A function that runs a command and returns what it prints."""

    def call(*arguments: object) -> str:
        run_command([str(argument) for argument in arguments])
        return capsys.readouterr().out

    return call


def test_a_match_gives_what_the_command_prints(command: Callable[..., str], heap: str) -> None:
    asked = ("match", "deep: depth=8,quotient=6", "random", "--game", heap, "--games", 8, "--opening", 1)
    found = plyscope.match(
        "deep: depth=8,quotient=6", "random", game=heap, games=8, opening=1, workers=1, progress=False
    )
    assert command(*asked, "--workers", 1) == f"{found}\n"
    assert json.loads(command(*asked, "--workers", 1, "--json")) == found.as_json()
    assert [player.name for player in found.players] == found.as_json()["order"]
    for player in found.players:
        said = next(each for each in found.as_json()["agents"] if each["name"] == player.name)
        other = next(each.name for each in found.players if each.name != player.name)
        assert found.against(player.name, other) == (player.won, player.drawn, player.lost)
        assert (player.share, player.elo, list(player.share_of_95)) == (
            *(said["share"], said["elo"]),
            said["share_of_95"],
        )
        won = sum(game.winner == player.name for game in found.games)
        drawn = sum(game.winner is None for game in found.games)
        assert (player.won, player.drawn, player.won + player.drawn + player.lost) == (won, drawn, 8)
        assert player.share == (won + drawn / 2) / 8
        assert player.share_of_95 == wilson(player.share, 8)
        takes = [len(game.plies) for game in found.games if game.winner == player.name]
        assert player.plies_of_a_win == (sum(takes) / len(takes) if takes else None)


def test_a_tournament_of_a_file_and_of_players_by_name_are_one(heap: str, tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(FILE.format(game=heap))
    by_file = plyscope.tournament(path, workers=1, games=2)
    agents = {"deep": {"depth": 8}, "one": "depth=1", "random": "random"}
    by_name = plyscope.tournament(agents, game=heap, games=2, opening=1, seed=3, workers=1)
    assert [game.plies for game in by_file.games] == [game.plies for game in by_name.games]
    assert by_file.as_json() == by_name.as_json()
    assert len(by_file.games) == 6
    assert repr(by_file).endswith(f"{by_file.players[0].name} is ahead>")


def test_logs_are_named_as_they_can_be_opened(heap: str, tmp_path: Path) -> None:
    output = tmp_path / "cup" / "games.jsonl"
    output.parent.mkdir()
    deep = {"depth": 2}
    found = plyscope.match(deep, "random", game=heap, games=2, opening=1, workers=1, output=output, log="all")
    assert {tuple(game.logs) for game in found.games} == {("depth=2",)}
    for game in found.games:
        for path in game.logs["depth=2"]:
            assert plyscope.open(path).header["match"]["game"] == game.number
    n_logs = sum(len(paths) for game in found.games for paths in game.logs.values())
    assert found.notices[0].startswith(f"{n_logs} logs in ")
    assert found.notices[1:] == ("random does not search and has no logs.",)
    again = plyscope.match(deep, "random", game=heap, games=2, opening=1, workers=1, output=output)
    assert [game.logs for game in again.games] == [game.logs for game in found.games]
    assert again.notices == ()


def test_a_test_in_sequence_says_its_verdict(heap: str) -> None:
    found = plyscope.match("depth=8", "random", game=heap, games=400, opening=1, better=80, workers=1)
    assert (found.verdict, len(found.games) < 400) == ("better", True)
    assert "80 points of Elo are likelier than none" in str(found).splitlines()[-1]
    assert plyscope.match("depth=1", "random", game=heap, games=2, opening=1, workers=1).verdict is None


def test_ends_that_the_games_do_not_set_are_infinite(heap: str) -> None:
    found = plyscope.match("depth=8", "depth=1", game=heap, games=2, opening=0, workers=1)
    ends = [end for player in found.players for end in player.elo_of_95]
    assert any(map(math.isinf, ends)) == bool(found.warnings)


@pytest.mark.parametrize(
    ("agents", "said"),
    [
        ({"a": "random", "b": 3}, "agent 'b' is 3, expected a text or a table"),
        ({"a": "random"}, "two agents or more"),
        ({"a": {"dept": 3}, "b": "random"}, "did you mean 'depth'"),
    ],
)
def test_what_cannot_be_played_is_refused(agents: dict[str, str], said: str) -> None:
    with pytest.raises(plyscope.MatchError, match=said):
        plyscope.tournament(agents, game="tictactoe")


def test_a_name_that_nobody_has_is_refused(heap: str) -> None:
    found = plyscope.match("depth=1", "random", game=heap, games=2, opening=1, workers=1)
    with pytest.raises(KeyError, match="nobody"):
        found.against("random", "nobody")


def test_a_test_in_sequence_is_of_two() -> None:
    agents = (read_agent("random"), read_agent("b: random"), read_agent("c: random"))
    with pytest.raises(plyscope.MatchError, match="a test in sequence is of a match of two"):
        run(Match("tictactoe", agents, 2), better=3.0)
