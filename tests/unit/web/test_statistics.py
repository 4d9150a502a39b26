"""Statistics in the API, by the command and in Python: the same figures, bounded, refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from flask.testing import FlaskClient

import plyscope
from plyscope.visualizer.cli.look.stats import stats


def test_page_command_and_script_say_the_same(
    client: FlaskClient, url: str, small: dict[str, Any], tmp_path: Path
) -> None:
    path = tmp_path / "again.json"
    path.write_text(json.dumps(small))
    page = client.get(f"{url}/statistics").get_json()
    command = json.loads(CliRunner().invoke(stats, [str(path), "--json"]).output)
    assert page == command == json.loads(json.dumps(plyscope.statistics(path).as_json()))
    assert page["nodes"] == 6
    assert page["order"]["cuts"] == 1


def test_a_node_is_followed_through_the_iterations(client: FlaskClient, url: str) -> None:
    answer = client.get(f"{url}/statistics/iterations?node=1").get_json()
    assert (answer["node"], answer["total"]) == (1, 1)
    assert [(each["id"], each["score"]) for each in answer["items"]] == [(1, 4)]
    assert client.get(f"{url}/statistics/iterations?offset=1").get_json()["items"] == []


def test_what_is_not_there_is_refused_in_words(client: FlaskClient, url: str) -> None:
    for address, status in (
        (f"{url}/statistics/iterations?node=99", 404),
        (f"{url}/statistics/iterations?node=x", 400),
        ("/api/logs/none/statistics", 404),
    ):
        answer = client.get(address)
        assert answer.status_code == status
        assert set(answer.get_json()) == {"error", "status"}


def test_scripts_have_values_and_the_text_of_the_command(small: dict[str, Any]) -> None:
    log = plyscope.open(json.dumps(small))
    found = plyscope.statistics(log)
    assert found.order is not None
    assert found.order.first_share == 1
    assert [each.ply for each in found.where.root_plies] == ["a", "b"]
    assert found.through_iterations(log.node("a"))[0].score == 4
    assert "6 nodes in 1 tree" in repr(found)
    assert "order of plies: 1 cut," in str(found)
