"""Whatever is asked, the answer is an answer or an error in the one shape: never a fault of ours."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

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

METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND")

IDS = ("77", "-1", "x", "9223372036854775808", "9" * 5000, "%00", "a" * 5000, "..", "\u2028")


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


def test_odd_ids_are_not_found(checked: FlaskClient, url: str) -> None:
    for odd in IDS:
        for place in (f"/api/logs/{odd}", f"{url}/nodes/{odd}", f"{url}/nodes/{odd}/details", f"{url}/{odd}"):
            refused_or_answered(checked, place)


def test_odd_bodies_are_refused_in_words(checked: FlaskClient, url: str) -> None:
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
        for method in METHODS:
            refused_or_answered(checked, path, method, b"")
