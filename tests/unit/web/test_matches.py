"""The results of matches in the API: the figures of the command, pages of games, logs, what is none."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import plyscope
from plyscope.engine.match.games import Played
from plyscope.engine.match.games_file import GamesFile
from plyscope.visualizer.shelf.matches import GameResults
from plyscope.visualizer.web.app import create_app

NIM = Path(__file__).parents[3] / "examples" / "nim.py"


def viewer(tmp_path: Path, *logs: Path) -> FlaskClient:
    config = {"LOGS": logs, "DATA_FOLDER": tmp_path / "data", "CACHE_FOLDER": tmp_path / "cache"}
    return create_app(config).test_client()


def listed(client: FlaskClient, name: str) -> dict[str, Any]:
    found: list[dict[str, Any]] = client.get("/api/logs").get_json()["logs"]
    return next(each for each in found if each["name"] == name)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, plyscope.MatchResults]:
    """A tournament of three, with the logs of its losers, and what the command says of it."""
    output = tmp_path_factory.mktemp("cup") / "games.jsonl"
    players = {"deep": "depth=4", "flat": "depth=1", "random": "random"}
    terms: dict[str, Any] = {"game": f"{NIM}:Nim", "games": 4, "opening": 2, "workers": 1, "log": "losses"}
    return output, plyscope.tournament(players, output=output, **terms)


@pytest.fixture
def client(tmp_path: Path, played: tuple[Path, plyscope.MatchResults]) -> FlaskClient:
    return viewer(tmp_path, played[0])


@pytest.fixture
def url(client: FlaskClient) -> str:
    return f"/api/matches/{listed(client, 'games.jsonl')['id']}"


def test_the_page_has_the_figures_of_the_command(
    client: FlaskClient, url: str, played: tuple[Path, plyscope.MatchResults]
) -> None:
    answer = client.get(url).get_json()
    expected = json.loads(json.dumps(played[1].as_json()))
    assert {name: answer[name] for name in expected} == expected
    assert (answer["games"], answer["total"], answer["is_cut"]) == (12, 12, False)
    again = client.get(url, headers={"If-None-Match": client.get(url).headers["ETag"]})
    assert again.status_code == 304


def test_a_file_of_games_is_listed_as_such_and_has_no_tree(client: FlaskClient, url: str) -> None:
    entry = listed(client, "games.jsonl")
    assert entry["games"] is True
    for answer in (client.get(f"/api/logs/{entry['id']}"), client.post(f"/api/logs/{entry['id']}/reading")):
        assert answer.status_code == 400
        assert f"its results are at /match/{entry['id']}" in answer.get_json()["error"]
    assert listed(client, "games.jsonl")["state"] == "waiting"
    page = client.get(f"/match/{entry['id']}")
    assert page.status_code == 200
    assert f'data-results="{entry["id"]}"' in page.get_data(as_text=True)


def test_games_are_told_by_player_and_outcome(
    client: FlaskClient, url: str, played: tuple[Path, plyscope.MatchResults]
) -> None:
    def belongs(game: plyscope.MatchGame, player: str | None, outcome: str | None) -> bool:
        if player is not None and player not in game.players:
            return False
        loser = None if game.winner is None else next(each for each in game.players if each != game.winner)
        return {
            None: True,
            "won": game.winner is not None and player in (None, game.winner),
            "drawn": game.winner is None,
            "lost": loser is not None and player in (None, loser),
            "logged": player in game.logs if player else bool(game.logs),
        }[outcome]

    for player, outcome in product(
        (None, "deep", "flat", "random"), (None, "won", "drawn", "lost", "logged")
    ):
        asked = {name: value for name, value in (("player", player), ("outcome", outcome)) if value}
        found = client.get(f"{url}/games", query_string=asked).get_json()
        expected = [game for game in played[1].games if belongs(game, player, outcome)]
        assert found["total"] == len(expected)
        assert [(each["number"], each["winner"], each["logs"]) for each in found["items"]] == [
            (game.number, game.winner, {name: len(paths) for name, paths in game.logs.items()})
            for game in expected
        ], asked


def test_games_are_paged_and_one_has_its_plies(
    client: FlaskClient, url: str, played: tuple[Path, plyscope.MatchResults]
) -> None:
    page = client.get(f"{url}/games?offset=10&limit=5").get_json()
    assert (page["total"], page["offset"], [each["number"] for each in page["items"]]) == (12, 10, [10, 11])
    game = client.get(f"{url}/games/3").get_json()
    assert (tuple(game["plies"]), game["n_opening"]) == (played[1].games[3].plies, 2)


def test_the_logs_of_a_game_are_listed_in_the_order_of_its_plies(
    client: FlaskClient, url: str, played: tuple[Path, plyscope.MatchResults]
) -> None:
    game = next(game for game in played[1].games if game.logs)
    [(player, paths)] = game.logs.items()
    answer = client.post(f"{url}/games/{game.number}/logs", query_string={"player": player})
    assert [each["name"] for each in answer.get_json()["logs"]] == [path.name for path in paths]
    opened = client.get(f"/api/logs/{answer.get_json()['logs'][0]['id']}").get_json()
    assert opened["header"]["match"]["searched"] == player
    names = [each["name"] for each in client.get("/api/logs").get_json()["logs"]]
    assert [name for name in names if name != "games.jsonl"] == [path.name for path in paths]


def test_what_is_not_there_is_refused_in_words(client: FlaskClient, url: str, tmp_path: Path) -> None:
    for address, status, said in (
        (f"{url}/games?player=nobody", 400, "'nobody' takes no part, expected one of deep, flat, random"),
        (f"{url}/games?outcome=tied", 400, "'tied', expected won, drawn, lost, logged"),
        (f"{url}/games/99", 404, "no game 99 yet"),
        ("/api/matches/none", 404, "there is no log 'none'"),
    ):
        answer = client.get(address)
        assert answer.status_code == status
        assert said in answer.get_json()["error"]
    answer = client.post(f"{url}/games/0/logs?player=nobody")
    assert answer.status_code == 404
    assert "game 0 has no logs of nobody: play it again with --log" in answer.get_json()["error"]
    log = tmp_path / "log.json"
    log.write_text('{"plyscope": 1, "root": {"score": 1}}')
    other = viewer(tmp_path, log)
    answer = other.get(f"/api/matches/{listed(other, 'log.json')['id']}")
    assert answer.status_code == 400
    assert "has no games of a match" in answer.get_json()["error"]


def test_logs_that_are_gone_are_said_to_be(
    tmp_path: Path, played: tuple[Path, plyscope.MatchResults]
) -> None:
    alone = tmp_path / "alone.jsonl"
    alone.write_bytes(played[0].read_bytes())
    client = viewer(tmp_path, alone)
    game = next(game for game in played[1].games if game.logs)
    url = f"/api/matches/{listed(client, 'alone.jsonl')['id']}/games/{game.number}/logs"
    answer = client.post(url, query_string={"player": next(iter(game.logs))})
    assert answer.status_code == 404
    assert f"the logs of game {game.number} are not there any more" in answer.get_json()["error"]


def test_only_logs_of_the_match_are_listed_by_its_games(
    tmp_path: Path, played: tuple[Path, plyscope.MatchResults]
) -> None:
    """A file of games from elsewhere may name any file; folders of logs may lie anywhere too."""
    game = next(game for game in played[1].games if game.logs)
    [(player, paths)] = game.logs.items()
    foreign = tmp_path / "elsewhere" / "log.json"
    foreign.parent.mkdir()
    foreign.write_text('{"plyscope": 1, "root": {"score": 1}}')
    (tmp_path / "cup").mkdir()
    sent = tmp_path / "cup" / "sent.jsonl"
    first_line, *_ = played[0].read_bytes().splitlines(keepends=True)

    def answer_for(log: str) -> tuple[int, str]:
        line = next(json.loads(each) for each in played[0].read_bytes().splitlines()[1:] if b'"logs"' in each)
        line |= {"number": game.number, "logs": {player: [log]}}
        sent.write_bytes(first_line + json.dumps(line).encode() + b"\n")
        client = viewer(tmp_path, sent)
        url = f"/api/matches/{listed(client, 'sent.jsonl')['id']}/games/{game.number}/logs"
        answer = client.post(url, query_string={"player": player})
        return answer.status_code, str(answer.get_json().get("error", ""))

    for log in (str(foreign), "../elsewhere/log.json"):
        status, error = answer_for(log)
        assert status == 404
        assert f"{foreign} lies in no folder of a match's logs" in error
    assert answer_for(str(paths[0].resolve())) == (200, "")


def test_a_match_is_shown_from_its_first_line_on(
    tmp_path: Path, played: tuple[Path, plyscope.MatchResults]
) -> None:
    lines = played[0].read_bytes().splitlines(keepends=True)
    path = tmp_path / "growing.jsonl"
    path.write_bytes(b"")
    client = viewer(tmp_path, path)
    url = f"/api/matches/{listed(client, 'growing.jsonl')['id']}"
    assert client.get(url).get_json() == {"name": "growing.jsonl", "awaited": True}
    path.write_bytes(lines[0])
    assert (client.get(url).get_json()["games"], client.get(url).get_json()["total"]) == (0, 12)
    assert listed(client, "growing.jsonl")["games"] is True
    path.write_bytes(b"".join(lines[:3]) + lines[3][:20])
    answer = client.get(url).get_json()
    assert (answer["games"], answer["is_cut"]) == (2, True)
    path.write_bytes(b"".join(lines))
    answer = client.get(url).get_json()
    assert (answer["games"], answer["is_cut"]) == (12, False)


@pytest.mark.parametrize(
    "text",
    [
        '{"match": {"game": "hive"}, "nodes": []}',
        '{"match": {"game": "x", "agents": [], "games": 2}, "children": []}',
        '{"match": {"id": 1, "parent": null}}\n{"id": 2, "parent": 1}\n',
        '{"match": 3, "children": [{"match": 4}]}',
        '{"match": {}, "match": 3}\n',
        '{"match": {"game": ' + "[" * 100_000 + "\n",
    ],
)
def test_a_log_that_begins_alike_is_no_file_of_games(tmp_path: Path, text: str) -> None:
    path = tmp_path / "log.json"
    path.write_text(text)
    client = viewer(tmp_path, path)
    assert "games" not in listed(client, "log.json")


def test_pasted_games_are_refused_by_what_they_are(
    tmp_path: Path, played: tuple[Path, plyscope.MatchResults]
) -> None:
    answer = viewer(tmp_path).post("/api/logs?name=games", data=played[0].read_bytes())
    assert answer.status_code == 400
    assert "these are the games of a match, not a tree" in answer.get_json()["error"]


def test_results_are_kept_of_the_last_few_files(
    tmp_path: Path, played: tuple[Path, plyscope.MatchResults], monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[Path] = []
    read = GamesFile.read

    def noted(file: GamesFile) -> bool:
        has_come = read(file)
        if has_come:
            counted.append(file.path)
        return has_come

    monkeypatch.setattr(GamesFile, "read", noted)
    paths = [tmp_path / f"{number}.jsonl" for number in range(5)]
    for path in paths:
        path.write_bytes(played[0].read_bytes())
    results = GameResults()
    for path in (*paths, paths[4], paths[0]):
        found = results.of(path)
        assert found is not None
        assert all(isinstance(game, Played) for game in found.games.values())
    assert counted == [*paths, paths[0]]
