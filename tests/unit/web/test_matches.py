"""Results of matches and trials of tunings in the API: figures, games, logs, what is none."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import plyscope
from plyscope.engine.match.games_file import GamesFile
from plyscope.visualizer.shelf.matches import GameResults
from plyscope.visualizer.web.app import create_app
from tests.unit.logs import there
from tests.unit.web.conftest import listed, refusal

NIM = Path(__file__).parents[3] / "examples" / "nim.py"


def viewer(tmp_path: Path, *logs: Path) -> FlaskClient:
    config = {"LOGS": logs, "DATA_FOLDER": tmp_path / "data", "CACHE_FOLDER": tmp_path / "cache"}
    return create_app(config).test_client()


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
        losers = [each for each in game.players if game.winner not in (None, each)]
        found: dict[str | None, Any] = {
            None: True,
            "won": game.winner is not None and player in (None, game.winner),
            "drawn": game.winner is None,
            "lost": losers and player in (None, *losers),
            "logged": player in game.logs if player else game.logs,
        }
        return player in (None, *game.players) and bool(found[outcome])

    players, outcomes = (None, "deep", "flat", "random"), (None, "won", "drawn", "lost", "logged")
    for player, outcome in product(players, outcomes):
        asked = {name: value for name, value in (("player", player), ("outcome", outcome)) if value}
        found = client.get(f"{url}/games", query_string=asked).get_json()
        expected = [game for game in played[1].games if belongs(game, player, outcome)]
        assert found["total"] == len(expected)
        told = [(each["number"], each["winner"], each["logs"]) for each in found["items"]]
        logged = [{name: len(paths) for name, paths in game.logs.items()} for game in expected]
        wanted = [(game.number, game.winner, n) for game, n in zip(expected, logged, strict=True)]
        assert told == wanted, asked
    page = client.get(f"{url}/games?offset=10&limit=5").get_json()
    assert (page["total"], page["offset"], [each["number"] for each in page["items"]]) == (12, 10, [10, 11])
    game = client.get(f"{url}/games/3").get_json()
    assert (tuple(game["plies"]), game["n_opening"]) == (played[1].games[3].plies, 2)


def test_what_is_not_there_is_refused_in_words(
    client: FlaskClient, url: str, tmp_path: Path, played: tuple[Path, plyscope.MatchResults]
) -> None:
    for address, status, said in (
        (f"{url}/games?player=nobody", 400, "'nobody' takes no part, expected one of deep, flat, random"),
        (f"{url}/games?outcome=tied", 400, "'tied', expected won, drawn, lost, logged"),
        (f"{url}/games/99", 404, "no game 99 yet"),
        ("/api/matches/none", 404, "there is no log 'none'"),
    ):
        answer = refusal(client.get(address))
        assert (answer[0], said in answer[1]) == (status, True), answer
    status, said = refusal(client.post(f"{url}/games/0/logs?player=nobody"))
    assert (status, "game 0 has no logs of nobody: play it again with --log" in said) == (404, True)
    pasted = client.post("/api/logs?name=games", data=played[0].read_bytes())
    assert "these are the games of a match, not a tree" in refusal(pasted)[1]
    (tmp_path / "log.json").write_text('{"plyscope": 1, "root": {"score": 1}}')
    (tmp_path / "alone.jsonl").write_bytes(played[0].read_bytes())
    other = viewer(tmp_path, tmp_path / "log.json", tmp_path / "alone.jsonl")
    log, alone = (listed(other, name)["id"] for name in ("log.json", "alone.jsonl"))
    game = next(game for game in played[1].games if game.logs)
    gone = f"/api/matches/{alone}/games/{game.number}/logs?player={next(iter(game.logs))}"
    for method, address, code, words in (
        ("GET", f"/api/matches/{log}", 400, "has no games of a match"),
        ("POST", gone, 404, f"the logs of game {game.number} are not there any more"),
        ("GET", f"/api/tunings/{alone}", 400, "has no trials of a tuning"),
        ("POST", f"/api/tunings/{alone}/trials/0/games", 404, ""),
    ):
        status, said = refusal(other.open(address, method=method))
        assert (status, words in said) == (code, True), said


def test_only_logs_of_the_match_are_listed_by_its_games(
    tmp_path: Path, played: tuple[Path, plyscope.MatchResults]
) -> None:
    """A file of games from elsewhere may name any file; folders of logs may lie anywhere too."""
    game = next(game for game in played[1].games if game.logs)
    [(player, paths)] = game.logs.items()
    foreign, sent = tmp_path / "elsewhere" / "log.json", tmp_path / "cup" / "sent.jsonl"
    for path in (foreign, sent):
        path.parent.mkdir()
        path.write_text('{"plyscope": 1, "root": {"score": 1}}')
    header, *lines = played[0].read_bytes().splitlines()
    line = next(json.loads(each) for each in lines if b'"logs"' in each)
    for log, refused in ((foreign, True), ("../elsewhere/log.json", True), (paths[0].resolve(), False)):
        changed = line | {"number": game.number, "logs": {player: [str(log)]}}
        sent.write_bytes(header + b"\n" + json.dumps(changed).encode() + b"\n")
        client = viewer(tmp_path, sent)
        place = f"/api/matches/{listed(client, 'sent.jsonl')['id']}/games/{game.number}/logs"
        answer = client.post(f"{place}?player={player}")
        assert answer.status_code == (404 if refused else 200)
        said = f"{foreign} lies in no folder of a match's logs"
        assert (said in answer.get_json().get("error", "")) is refused


def test_a_log_that_begins_alike_is_no_file_of_games(tmp_path: Path) -> None:
    texts = [
        '{"match": {"game": "hive"}, "nodes": []}',
        '{"match": {"game": "x", "agents": [], "games": 2}, "children": []}',
        '{"match": {"id": 1, "parent": null}}\n{"id": 2, "parent": 1}\n',
        '{"match": 3, "children": [{"match": 4}]}',
        '{"match": {}, "match": 3}\n',
        '{"match": {"game": ' + "[" * 100_000 + "\n",
    ]
    for at, text in enumerate(texts):
        (tmp_path / f"{at}.json").write_text(text)
    client = viewer(tmp_path, *tmp_path.glob("*.json"))
    logs = client.get("/api/logs").get_json()["logs"]
    assert [log["name"] for log in logs if "games" in log] == []
    assert len(logs) == len(texts)


def test_results_are_kept_of_the_last_few_files(
    tmp_path: Path, played: tuple[Path, plyscope.MatchResults], monkeypatch: pytest.MonkeyPatch
) -> None:
    counted: list[Path] = []
    read = GamesFile.read
    monkeypatch.setattr(GamesFile, "read", lambda file: read(file) and not counted.append(file.path))
    paths = [tmp_path / f"{number}.jsonl" for number in range(5)]
    for path in paths:
        path.write_bytes(played[0].read_bytes())
    results = GameResults()
    for path in (*paths, paths[4], paths[0]):
        assert len(there(results.of(path)).games) == 12
    assert counted == [*paths, paths[0]]


GAMES = '{"match": {"game": "reversi", "agents": [{"name": "a"}, {"name": "b"}], "games": 2}}\n'


def trial(number: int, value: float, file: str | None = None) -> dict[str, Any]:
    row = {"trial": number, "params": {"corners": 4.0 * number, "edges": -1.0}, "value": value}
    return {**row, "won": 3, "drawn": 0, "lost": 1} | ({} if file is None else {"games_file": file})


def history(*trials: dict[str, Any], fresh: dict[str, Any] | None = None) -> dict[str, Any]:
    tuning = {"game": "reversi", "search": {"depth": 1}, "against": {"name": "random"}, "games": 4}
    return {"tuning": tuning, "trials": trials, "best": trials[-1], "best_in_fresh_games": fresh}


def opened(tmp_path: Path, document: dict[str, Any]) -> tuple[FlaskClient, str]:
    """A viewer of a history, and its id."""
    path = tmp_path / "logs" / "first.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(document, indent=2), "utf-8")
    client = viewer(tmp_path, path)
    return client, listed(client, "first.json")["id"]


def test_trials_are_told_as_they_were_written_with_their_weights_smoothed(tmp_path: Path) -> None:
    fresh = {"games": 8, "won": 4, "drawn": 0, "lost": 4, "value": 0.5, "games_file": "again.jsonl"}
    client, of = opened(tmp_path, history(*(trial(n, n / 4) for n in range(4)), fresh=fresh))
    answer = client.get(f"/api/tunings/{of}").get_json()
    assert (answer["game"], answer["against"], answer["games"], answer["best"]) == ("reversi", "random", 4, 3)
    assert answer["names"] == ["corners", "edges"]
    assert [each["weights"] for each in answer["trials"]] == [[4.0 * n, -1.0] for n in range(4)]
    assert [each["smoothed"] for each in answer["trials"]][1] == [4.0, 1.0]
    assert (answer["fresh"]["value"], answer["fresh"]["has_games"]) == (0.5, True)
    assert answer["fresh"]["of_95"][0] < 0.5 < answer["fresh"]["of_95"][1]
    assert not any(each["has_games"] for each in answer["trials"])


def test_a_history_has_no_tree_and_is_shown_by_its_own_page(tmp_path: Path) -> None:
    client, of = opened(tmp_path, history(trial(0, 1)))
    refused = client.get(f"/api/logs/{of}")
    assert (refused.status_code, refused.get_json()["tuning"]) == (400, True)
    assert f"they are at /tuning/{of}" in refused.get_json()["error"]
    page = client.get(f"/tuning/{of}").get_data(as_text=True)
    assert f'data-results="{of}"' in page
    assert "/tuning/main.js" in page
    client, of = opened(tmp_path, {"tuning": {"game": "reversi"}, "trials": 3})  # a broken one
    status, said = refusal(client.get(f"/api/tunings/{of}"))
    assert (status, "has no weights that were tuned" in said) == (400, True)


def test_games_of_a_trial_are_listed_where_they_lie_below_the_history(tmp_path: Path) -> None:
    elsewhere, kept = tmp_path / "elsewhere.jsonl", tmp_path / "logs" / "kept" / "0.jsonl"
    files = ["kept/0.jsonl", None, "../elsewhere.jsonl", "kept/gone.jsonl", "first.json", str(elsewhere)]
    client, of = opened(tmp_path, history(*(trial(n, n / 9, file) for n, file in enumerate(files))))
    kept.parent.mkdir()
    for path in (elsewhere, kept):
        path.write_text(GAMES, "utf-8")
    answer = client.post(f"/api/tunings/{of}/trials/0/games").get_json()
    assert (answer["match"]["name"], answer["match"]["games"]) == ("0.jsonl", True)
    for which, said in (
        ("1", "were not kept; tune with --keep-games FOLDER"),
        ("2", "lies elsewhere than the history"),
        ("3", "are not there any more"),
        ("4", "has no games of a match"),
        ("5", "lies elsewhere than the history"),
        ("17", "the tuning has no trial '17'"),
        ("fresh", "the best played no fresh games"),
    ):
        answer = refusal(client.post(f"/api/tunings/{of}/trials/{which}/games"))
        assert (answer[0], said in answer[1]) == (404, True), which
