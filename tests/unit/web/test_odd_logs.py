"""Logs that are no honest search, and requests with odd values: answers stay bounded, never a 500."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

MOST_BYTES = 2_000_000


def pasted(client: FlaskClient, document: str | dict[str, Any]) -> str:
    """Paste a log; return its address in the API."""
    text = document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)
    answer = client.post("/api/logs", data=text.encode())
    assert answer.status_code == 201, answer.data
    return f"/api/logs/{answer.get_json()['id']}"


def children_with(fields: dict[str, Any], number: int, **header: Any) -> dict[str, Any]:
    """A log of a root and so many children that all have these fields."""
    return {"plyscope": 1, **header, "root": {"score": 1, "children": [{"score": 1, **fields}] * number}}


@pytest.mark.parametrize(
    "place", ["nodes/0?offset=", "search?q=a&offset=", "search?q=a&limit=", "nodes?ids="]
)
@pytest.mark.parametrize("number", ["9" * 30, "9" * 5000])
def test_a_number_that_no_machine_word_holds_is_no_failure_of_the_server(
    client: FlaskClient, url: str, place: str, number: str
) -> None:
    assert client.get(f"{url}/{place}{number}").status_code < 500


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "header"),
    [
        ({"outcome": "pruned", "count": 200, "plies": [f"{'é' * 90}{n}" for n in range(200)]}, {}),
        ({"factors": list(range(900))}, {"factors": [{"name": f"f{n}"} for n in range(900)]}),
        ({"contributions": {f"c{n}": n for n in range(900)}}, {}),
        ({"scores": [1.25] * 900}, {}),
        ({"ply": "é" * 400, "why": "ü" * 400, "key": "ö" * 400, "player": "ä" * 400}, {}),
    ],
    ids=["plies", "factors", "contributions", "scores", "texts"],
)
def test_an_answer_is_bounded_whatever_its_nodes_hold(
    viewer: Callable[..., FlaskClient], fields: dict[str, Any], header: dict[str, Any]
) -> None:
    client = viewer()
    url = pasted(client, children_with(fields, 400, **header))
    ids = ",".join(["0"] * 5)
    for place in ("", "/nodes/0?limit=500", f"/nodes?limit=500&ids={ids}", "/nodes/1/details"):
        answer = client.get(url + place)
        assert answer.status_code == 200
        assert len(answer.data) < MOST_BYTES


def test_nodes_beyond_the_room_of_an_answer_keep_their_scores(viewer: Callable[..., FlaskClient]) -> None:
    client = viewer()
    log = children_with({"outcome": "leaf", "scores": [1.25] * 200, "why": "y" * 900}, 1900)
    url = pasted(client, log)
    items = []
    for page in client.get(f"{url}/nodes?ids=0,0,0,0&limit=500").get_json()["nodes"]:
        items += page["children"]["items"]
    assert len(items) == 2000
    assert {item["score"] for item in items} == {1.0}
    assert (len(items[0]["scores"]), len(items[-1]["scores"])) == (200, 4)
    assert (len(items[0]["why"]), len(items[-1]["why"])) == (300, 30)


@pytest.mark.parametrize("levels", [99, 300, 5000])
def test_unknown_fields_may_be_nested_as_deep_as_they_like(
    viewer: Callable[..., FlaskClient], levels: int
) -> None:
    client = viewer()
    deep = "[" * levels + "]" * levels
    url = pasted(client, f'{{"plyscope": 1, "root": {{"score": 1, "deep": {deep}, "flat": [7]}}}}')
    extras = client.get(f"{url}/nodes/0/details").get_json()["extras"]
    assert extras["flat"] == [7]
    assert (json.dumps(extras["deep"]) if levels < 100 else extras["deep"]) == deep


def test_a_header_too_long_to_send_is_cut(viewer: Callable[..., FlaskClient]) -> None:
    client = viewer()
    long = "x" * 3_000_000
    result = {"ply": long, "pv": ["a"] * 300_000, "note": long}
    log = children_with({}, 1, game=long, players=[long], result=result, search={"engine": long})
    url = pasted(client, log)
    for place in (url, f"{url}/nodes/0/details", f"{url}/nodes/1/board", "/api/logs"):
        assert len(client.get(place).data) < MOST_BYTES
    assert len(client.get(url).get_json()["result"]["pv"]) == 200


def test_an_error_is_short_and_says_the_limit(viewer: Callable[..., FlaskClient]) -> None:
    client = viewer(MAX_CONTENT_LENGTH=50_000)
    url = pasted(client, '{"name": "r", "value": 1, "children": [{"name": "a", "value": 2}]}')
    refused = client.put(f"{url}/mapping", data=json.dumps({"x" * 40_000: "a"}))
    assert refused.status_code == 400
    assert len(refused.data) < 3000
    too_large = client.post("/api/logs", data=b" " * 50_001)
    assert (too_large.status_code, "50,000 bytes" in too_large.get_json()["error"]) == (413, True)
