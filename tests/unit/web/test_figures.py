"""Statistics and pictures in the API, by the command and in Python: the same, bounded, refused in words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
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


def test_the_api_draws_what_the_function_draws(client: FlaskClient, url: str, small: dict[str, Any]) -> None:
    log = plyscope.open(json.dumps(small))
    log.name = client.get(url).get_json()["log"]["name"]
    assert client.get(f"{url}/picture.svg").text == plyscope.picture(log).svg
    b, e = log.node("b"), log.node("b > e")
    asked = f"node={b.id}&levels=1&children=1&windows=1&factors=1&dark=1&highlight={e.id}"
    how: dict[str, Any] = {"levels": 1, "children": 1, "windows": True, "factors": True, "dark": True}
    answer = client.get(f"{url}/picture.svg?{asked}")
    assert answer.text == plyscope.picture(log, b, highlight=e, **how).svg
    assert answer.mimetype == "image/svg+xml"
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(("form", "begins"), [("png", b"\x89PNG"), ("pdf", b"%PDF-")])
def test_other_forms_by_their_ending(client: FlaskClient, url: str, form: str, begins: bytes) -> None:
    assert client.get(f"{url}/picture.{form}").data.startswith(begins)


@pytest.mark.parametrize(
    ("asked", "status", "words"),
    [
        ("picture.svg?node=99", 404, "99"),
        ("picture.svg?children=0", 400, "children must be at least 1"),
        ("picture.svg?levels=x", 400, "levels must be a whole number"),
        ("picture.svg?highlight=a", 400, "highlight must be ids"),
        (f"picture.svg?highlight={'1,' * 201}", 400, "at most 200 highlighted nodes"),
        ("picture.svg?node=1&highlight=4", 400, "does not lie below"),
        ("picture.svg?board=1", 400, "there is no board: "),
        ("picture.gif", 404, ""),
    ],
)
def test_what_cannot_be_drawn_is_refused(
    client: FlaskClient, url: str, asked: str, status: int, words: str
) -> None:
    answer = client.get(f"{url}/{asked}")
    assert answer.status_code == status
    assert words in answer.get_json()["error"]
