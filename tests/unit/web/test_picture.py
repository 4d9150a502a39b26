"""Pictures in the API: those of the function, and their refusals."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

import plyscope


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
