"""A game as the chain of its logs: the API's turns against the file of games, headers against whole logs."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

import plyscope
from plyscope.engine.match.games_file import GamesFile
from plyscope.visualizer.formats.beginning import LOOKED_AT, header_at_start, header_of
from plyscope.visualizer.formats.detect import read_log_file
from tests.outside_algorithm import installed
from tests.unit.web.conftest import listed, refusal
from tests.unit.web.test_matches import NIM, viewer


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of alpha-beta and a player whose play-outs grow, every search logged."""
    output = tmp_path_factory.mktemp("chain") / "games.jsonl"
    players = {"deep": "depth=3", "flat": "algorithm=growing,n=3"}
    with installed():
        plyscope.tournament(
            players, game=f"{NIM}:Nim", games=2, opening=1, workers=1, output=output, log="all"
        )
    return output


def test_the_turns_of_a_game_are_the_searches_of_both_players(tmp_path: Path, games: Path) -> None:
    client = viewer(tmp_path, games.with_name("games-logs"))
    file = GamesFile(games)
    file.read()
    for number, played in file.games.items():
        names = sorted(Path(path).name for paths in played.logs.values() for path in paths)
        answer = client.get(f"/api/logs/{listed(client, names[0])['id']}/game").get_json()
        assert (answer["game"], answer["left_out"], {*answer["players"]}) == (number, 0, {"deep", "flat"})
        turns = answer["turns"]
        assert [turn["id"] for turn in turns] == [listed(client, name)["id"] for name in names]
        assert [turn["turn"] for turn in turns] == list(range(2, len(played.plies) + 1))
        assert [turn["ply"] for turn in turns] == list(played.plies[1:])
        for turn in turns:
            is_flat = turn["player"] == "flat"
            counted = turn["each"] is not None, turn["nodes"] is None, turn["is_mean"]
            assert counted == (is_flat, is_flat, is_flat)
            assert turn["seconds"] > 0
            is_mate = not is_flat and abs(turn["score"]) > 1e5
            assert turn["wins"] == (0 if not is_mate else 1 if turn["score"] > 0 else -1)
        assert any(turn["wins"] for turn in turns), "the end of Nim is seen"
        each = [turn["each"] for turn in turns if turn["player"] == "flat"]
        assert each == sorted(set(each)), "it grows"


def test_the_plies_that_lost_the_most_are_those_of_the_command(tmp_path: Path, games: Path) -> None:
    client = viewer(tmp_path, games)
    match = listed(client, games.name)["id"]
    logs = client.post(f"/api/matches/{match}/games/0/logs?player=flat").get_json()["logs"]
    found = [each for each in plyscope.worst_plies(games) if each.game == 0]
    told = client.get(f"/api/matches/{match}/games/0").get_json()["worst"]
    assert [(each["turn"], each["player"], each["ply"], each["in_words"], each["log"]) for each in told] == [
        (each.turn, each.player, each.ply, each.in_words, Path(each.log).name) for each in found
    ]
    of_turns = client.get(f"/api/logs/{logs[0]['id']}/game").get_json()["worst"]
    named = [{**each, "log": listed(client, each["log"])["id"]} for each in told]
    assert of_turns == named


def test_only_listed_logs_are_part_of_a_game_and_a_broken_one_has_no_figures(
    tmp_path: Path, games: Path
) -> None:
    paths = sorted(games.with_name("games-logs").glob("game0001-*"))
    client = viewer(tmp_path, paths[2], paths[0])
    answer = client.get(f"/api/logs/{listed(client, paths[0].name)['id']}/game").get_json()
    assert [turn["id"] for turn in answer["turns"]] == [listed(client, paths[at].name)["id"] for at in (0, 2)]
    root = b'{"plyscope":1,"root":{"score":1}}'
    (tmp_path / "alone.json").write_bytes(root)
    (tmp_path / "game0001-ply0002-x.json").write_bytes(root)
    (tmp_path / "game0001-ply0001-x.json.gz").write_bytes(gzip.compress(root)[:-12])
    client = viewer(tmp_path, *tmp_path.glob("*.json*"))
    status, said = refusal(client.get(f"/api/logs/{listed(client, 'alone.json')['id']}/game"))
    assert (status, "the log is of no game" in said) == (404, True)
    named = listed(client, "game0001-ply0002-x.json")["id"]
    turns = client.get(f"/api/logs/{named}/game").get_json()["turns"]
    assert [(turn["turn"], turn["ply"] or turn["seconds"]) for turn in turns] == [(1, None), (2, None)]


def test_a_header_is_read_without_the_nodes_as_it_is_with_them(games: Path) -> None:
    path = min(games.with_name("games-logs").glob("*.json.gz"))
    whole: dict[str, Any] = dict(read_log_file(path).header)
    assert header_of(path) == whole
    text = gzip.decompress(path.read_bytes())
    assert header_at_start(text[: text.index(b'\n"roots":') + 10]) == whole, "what follows is not read"
    long_position = {"plyscope": 1, "position": "x" * 20_000, "root": {"score": 1}}
    path.with_name("long.json").write_text(json.dumps(long_position))
    assert len(header_of(path.with_name("long.json"))["position"]) == 20_000
    # What has no header of ours gives an empty one.
    long, deep = b'{"plyscope": "' + b"x" * LOOKED_AT + b'",\n"root":{}}', b"[" * 3000 + b'\n"root":'
    for data in (b"", b"\x1f\x8b", b'[1,\n"root":', b'{"a":\n"root":{}}', deep, long[:LOOKED_AT]):
        assert header_at_start(data) == {}
    assert header_at_start(gzip.compress(b'{"a": 1,\n"root":{}}')[:-10]) == {}
