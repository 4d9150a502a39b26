"""The worst plies of a game: a loss is what the next search of the same player no longer found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import plyscope as face
from tests.unit.cli.conftest import Command

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """Ann moves first: she loses 7 by `c`, Ben the game by `d`; `f` only ends it sooner."""
    folder = tmp_path / "game"
    folder.mkdir()
    scores = {1: 2.0, 2: 1.0, 3: 2.0, 4: 0.5, 5: -5.0, 6: -998.0, 8: -999.0}
    for turn, ply in zip(scores, "abcdefg", strict=True):
        log = {
            "plyscope": 1,
            "search": {"mate": {"score": 1000, "step": 1, "threshold": 900}},
            "result": {"ply": ply, "score": scores[turn]},
            "match": {"game": 3, "turn": turn, "searched": "Ann" if turn % 2 else "Ben"},
            "root": {"layer": "max", "score": scores[turn]},
        }
        (folder / f"{9 - turn}.json").write_text(json.dumps(log))
    return folder


def test_the_greatest_loss_stands_first_with_the_log_to_open(game: Path, plyscope: Command) -> None:
    found = json.loads(plyscope("worst", game, "--json")[1])
    told = [(each["player"], each["ply"], each["turn"], each["lost"]) for each in found["plies"]]
    assert told == [("Ben", "d", 4, 998.5), ("Ann", "c", 3, 7.0), ("Ben", "b", 2, 0.5)]
    assert Path(found["plies"][1]["log"]) == game / "6.json"
    head, first, second, more = plyscope("worst", game, "--limit", 2)[1].splitlines()
    assert head.split() == ["lost", "game", "ply", "player", "before", "→", "after", "log"]
    assert first.startswith("a game     3    4  d  Ben     +0.5 → lost")
    assert "+2 → −5" in second
    assert more == "and 1 more (--limit 3 shows them)"


def test_scripts_ask_for_a_folder_for_logs_and_for_one_game_of_many(game: Path) -> None:
    logs = sorted(game.iterdir(), reverse=True)
    assert face.worst_plies(logs) == face.worst_plies(game)
    assert face.worst_plies(game, number=4) == ()
    assert [each.ply for each in face.worst_plies(game, number=3)] == ["d", "c", "b"]
    empty = game / "none"
    empty.mkdir()
    with pytest.raises(face.LogError, match="has no logs"):
        face.worst_plies(empty)


def test_a_match_and_its_file_of_games_lead_to_their_logs(tmp_path: Path, plyscope: Command) -> None:
    games = tmp_path / "g.jsonl"
    terms: dict[str, Any] = {"game": f"{EXAMPLES}/nim.py:Nim", "games": 2, "opening": 1, "workers": 1}
    played = face.match("one: depth=2", "two: depth=1", **terms, output=games, log="all")
    by_game = [face.worst_plies(each) for each in played.games if each.logs]
    assert by_game
    listed = face.worst_plies(games)
    assert sorted(each.log for some in by_game for each in some) == sorted(each.log for each in listed)


def test_logs_that_name_no_game_are_one_in_the_order_given(tmp_path: Path) -> None:
    paths = []
    for number, score in enumerate((4, 1, 2)):
        paths.append(tmp_path / f"{number}.json")
        root = {"layer": "max", "score": score, "children": [{"ply": "a", "score": score}]}
        paths[-1].write_text(json.dumps({"plyscope": 1, "root": root}))
    assert [(each.turn, each.lost) for each in face.worst_plies(paths)] == [(1, 3.0)]
