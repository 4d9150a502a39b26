"""The trials of a tuning in the API: listed as such, told as written, with the way to their games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.web.app import create_app

GAMES = '{"match": {"game": "reversi", "agents": [{"name": "a"}, {"name": "b"}], "games": 2}}\n'


def trial(number: int, value: float, file: str | None = None) -> dict[str, Any]:
    row = {"trial": number, "params": {"corners": 4.0 * number, "edges": -1.0}, "value": value}
    return {**row, "won": 3, "drawn": 0, "lost": 1} | ({} if file is None else {"games_file": file})


def history(*trials: dict[str, Any], fresh: dict[str, Any] | None = None) -> dict[str, Any]:
    tuning = {"game": "reversi", "search": {"depth": 1}, "against": {"name": "random"}, "games": 4}
    return {"tuning": tuning, "trials": trials, "best": trials[-1], "best_in_fresh_games": fresh}


def opened(tmp_path: Path, document: dict[str, Any]) -> tuple[FlaskClient, str]:
    """A viewer of a folder with a history, and its id."""
    path = tmp_path / "logs" / "first.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(document, indent=2), "utf-8")
    config = {"LOGS": [path], "DATA_FOLDER": tmp_path / "data", "CACHE_FOLDER": tmp_path / "cache"}
    client = create_app(config).test_client()
    listed = client.get("/api/logs").get_json()["logs"]
    assert [(log["name"], log["tuning"]) for log in listed] == [("first.json", True)]
    return client, listed[0]["id"]


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


def test_games_of_a_trial_are_listed_where_they_lie_below_the_history(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere.jsonl"
    elsewhere.write_text(GAMES, "utf-8")
    files = ["kept/0.jsonl", None, "../elsewhere.jsonl", "kept/gone.jsonl", "first.json", str(elsewhere)]
    client, of = opened(tmp_path, history(*(trial(n, n / 9, file) for n, file in enumerate(files))))
    kept = tmp_path / "logs" / "kept" / "0.jsonl"
    kept.parent.mkdir()
    kept.write_text(GAMES, "utf-8")
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
        refused = client.post(f"/api/tunings/{of}/trials/{which}/games")
        assert (refused.status_code, said in refused.get_json()["error"]) == (404, True), which


def test_a_history_that_is_broken_is_said_to_be(tmp_path: Path) -> None:
    client, of = opened(tmp_path, {"tuning": {"game": "reversi"}, "trials": 3})
    refused = client.get(f"/api/tunings/{of}")
    assert refused.status_code == 400
    assert "has no weights that were tuned" in refused.get_json()["error"]


@pytest.mark.parametrize("what", ["/api/tunings/{}", "/api/tunings/{}/trials/0/games"])
def test_a_log_is_no_tuning(tmp_path: Path, what: str) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"plyscope": 1, "root": {"ply": "a", "score": 1}}', "utf-8")
    config = {"LOGS": [path], "DATA_FOLDER": tmp_path / "data", "CACHE_FOLDER": tmp_path / "cache"}
    client = create_app(config).test_client()
    of = client.get("/api/logs").get_json()["logs"][0]["id"]
    answer = client.post(what.format(of)) if what.endswith("games") else client.get(what.format(of))
    assert answer.status_code in (400, 404)
