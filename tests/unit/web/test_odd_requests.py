"""Whatever is asked, of whatever log, the answer is bounded and in the one shape: never a fault of ours."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.unit.web.conftest import Viewer, posted, refusal

ODD = [
    *("", "0", "-1", "1e3", "nan", "1_0", "٣", "1.5", "null", "[", "c6 > d6", ">", "#", "#1", "#-1"),
    *("99999999999999999999", "9223372036854775808", "-9223372036854775809", "1,2,3", ",", ",,1", "\u2028"),
    *("9" * 5000, "a" * 70_000, ",".join(["1"] * 201), "%00", "%ed%a0%80", "%ff", "<script>", "../../x"),
]
"""Values that a query may have."""

PARAMETERS = {
    "nodes": ("ids", "limit", "best"),
    "nodes/0": ("offset", "limit", "best"),
    "nodes/0/subtree": ("levels", "max_bytes", "ids"),
    "search": ("q", "offset", "limit", "from"),
    "summary": ("wait",),
    "check": ("wait",),
    "check/findings": ("rule", "severity", "node", "text", "more", "offset", "limit"),
    "check/marks": ("ids",),
}

BODIES = [
    *(b"", b"null", b"[]", b"{}", b"true", b"1", b'"x"', b"nan", b"\x00", b"\xff\xfe", b"\x1f\x8b"),
    *(b'{"name": 3}', b'{"name": "\\ud800"}', b'{"nope": "x"}', b'{"score": 1}', b"\x1f\x8b\x08" + bytes(50)),
    *(b"[" * 100_000, b'{"a":' * 50_000, b'{"plyscope": 2}', b'{"plyscope": 1, "root": 5}'),
]


def refused_or_answered(
    client: FlaskClient, path: str, method: str = "GET", data: bytes | None = None
) -> None:
    with client.open(path, method=method, data=data) as answer:
        assert answer.status_code < 500, (method, path[:100], answer.data[:200])
        if answer.status_code >= 400:
            said = answer.get_json()
            assert said["status"] == answer.status_code, (method, path[:100])
            assert 0 < len(said["error"]) <= 2000


@pytest.fixture
def checked(client: FlaskClient, url: str) -> FlaskClient:
    client.application.config["PROPAGATE_EXCEPTIONS"] = False
    client.post(f"{url}/check")
    return client


@pytest.mark.parametrize("place", PARAMETERS)
def test_odd_values_of_a_query_are_refused_in_words(checked: FlaskClient, url: str, place: str) -> None:
    for name in PARAMETERS[place]:
        for value in ODD:
            refused_or_answered(checked, f"{url}/{place}?{name}={value.replace('#', '%23')}")


def test_odd_ids_and_bodies_are_refused_in_words(checked: FlaskClient, url: str) -> None:
    for odd in ("77", "-1", "x", "9223372036854775808", "9" * 5000, "%00", "a" * 5000, "..", "\u2028"):
        for place in (f"/api/logs/{odd}", f"{url}/nodes/{odd}", f"{url}/nodes/{odd}/details", f"{url}/{odd}"):
            refused_or_answered(checked, place)
    places = {"POST": ["/api/logs"], "PUT": [f"{url}/mapping", f"{url}/name"]}
    for body in BODIES:
        for method, paths in places.items():
            for path in paths:
                refused_or_answered(checked, path, method, body)


def test_every_method_is_answered_everywhere(checked: FlaskClient, url: str) -> None:
    app = checked.application
    assert isinstance(app, Flask)
    log = url.rpartition("/")[2]
    for rule in app.url_map.iter_rules():
        path = (
            rule.rule.replace("<log_id>", log)
            .replace("<int:node_id>", "0")
            .replace("<path:filename>", "main.js")
        )
        for method in ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND"):
            refused_or_answered(checked, path, method, b"")


MOST_BYTES = 2_000_000


def children_with(fields: dict[str, Any], number: int, **header: Any) -> dict[str, Any]:
    """A log of a root and so many children that all have these fields."""
    return {"plyscope": 1, **header, "root": {"score": 1, "children": [{"score": 1, **fields}] * number}}


LONG: dict[str, dict[str, Any]] = {
    "plies": {"outcome": "pruned", "count": 200, "plies": [f"{'é' * 90}{n}" for n in range(200)]},
    "factors": {"factors": list(range(900))},
    "contributions": {"contributions": {f"c{n}": n for n in range(900)}},
    "scores": {"scores": [1.25] * 900},
    "texts": {"ply": "é" * 400, "why": "ü" * 400, "key": "ö" * 400, "player": "ä" * 400},
}


@pytest.mark.slow
@pytest.mark.parametrize("held", LONG)
def test_an_answer_is_bounded_whatever_its_nodes_hold(empty: FlaskClient, held: str) -> None:
    header = {"factors": [{"name": f"f{n}"} for n in range(900)]} if held == "factors" else {}
    url = posted(empty, children_with(LONG[held], 400, **header))
    for place in ("", "/nodes/0?limit=500", "/nodes?limit=500&ids=0,0,0,0,0", "/nodes/1/details"):
        answer = empty.get(url + place)
        assert answer.status_code == 200
        assert len(answer.data) < MOST_BYTES


def test_nodes_beyond_the_room_of_an_answer_keep_their_scores_and_a_long_header_is_cut(
    empty: FlaskClient,
) -> None:
    log = children_with({"outcome": "leaf", "scores": [1.25] * 200, "why": "y" * 900}, 1900)
    url = posted(empty, log)
    items = []
    for page in empty.get(f"{url}/nodes?ids=0,0,0,0&limit=500").get_json()["nodes"]:
        items += page["children"]["items"]
    assert len(items) == 2000
    assert {item["score"] for item in items} == {1.0}
    assert (len(items[0]["scores"]), len(items[-1]["scores"])) == (200, 4)
    assert (len(items[0]["why"]), len(items[-1]["why"])) == (300, 30)
    long = "x" * 3_000_000
    result = {"ply": long, "pv": ["a"] * 300_000, "note": long}
    log = children_with({}, 1, game=long, players=[long], result=result, search={"engine": long})
    url = posted(empty, log)
    for place in (url, f"{url}/nodes/0/details", f"{url}/nodes/1/board", "/api/logs"):
        assert len(empty.get(place).data) < MOST_BYTES
    assert len(empty.get(url).get_json()["result"]["pv"]) == 200


@pytest.mark.parametrize("levels", [99, 300, 5000])
def test_unknown_fields_may_be_nested_as_deep_as_they_like(empty: FlaskClient, levels: int) -> None:
    deep = "[" * levels + "]" * levels
    url = posted(empty, f'{{"plyscope": 1, "root": {{"score": 1, "deep": {deep}, "flat": [7]}}}}')
    extras = empty.get(f"{url}/nodes/0/details").get_json()["extras"]
    assert extras["flat"] == [7]
    assert (json.dumps(extras["deep"]) if levels < 100 else extras["deep"]) == deep


def test_whole_numbers_that_javascript_rounds_are_sent_as_texts(empty: FlaskClient) -> None:
    long, node = 2**127 + 1, f'{{"hash": {2**127 + 1}, "in": [{2**64 - 1}], "n": {2**53 - 1}}}'
    url = posted(empty, f'{{"plyscope": 1, "about": {long}, "root": {node}}}')
    assert empty.get(url).get_json()["header"]["about"] == str(long)
    extras = empty.get(f"{url}/nodes/0/details").get_json()["extras"]
    assert extras == {"hash": str(long), "in": [str(2**64 - 1)], "n": 2**53 - 1}
    (shown,) = empty.get(f"{url}/nodes?ids=0").get_json()["nodes"]
    assert shown["node"]["others"]["hash"] == str(long)


def test_an_error_is_short_and_says_the_limit(viewer: Viewer) -> None:
    client = viewer(MAX_CONTENT_LENGTH=50_000)
    url = posted(client, '{"name": "r", "value": 1, "children": [{"name": "a", "value": 2}]}')
    refused = client.put(f"{url}/mapping", data=json.dumps({"x" * 40_000: "a"}))
    assert (refused.status_code, len(refused.data) < 3000) == (400, True)
    status, said = refusal(client.post("/api/logs", data=b" " * 50_001))
    assert (status, "50,000 bytes" in said) == (413, True)
