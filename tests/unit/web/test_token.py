"""A viewer that others on the network can reach: what shows the token, and where it is never told."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.web.guard import Token

TOKEN = Token("a-long-secret")


@pytest.fixture
def guarded(viewer: Callable[..., FlaskClient]) -> FlaskClient:
    """A client that was given no token, of a viewer that asks for one."""
    return viewer(TOKEN=TOKEN, HOST="0.0.0.0")


@pytest.mark.parametrize("place", ["/", "/api/logs", "/static/main.js", "/nowhere", "/?token=", "/?token=a"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "POST", "DELETE"])
def test_nothing_is_answered_without_the_token(guarded: FlaskClient, place: str, method: str) -> None:
    answer = guarded.open(place, method=method)
    assert answer.status_code == 401
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")
    if method != "HEAD":
        assert answer.get_json() == {"error": answer.get_json()["error"], "status": 401}
        assert "open the address that plyscope printed" in answer.get_json()["error"]


@pytest.mark.parametrize(
    "shown",
    [
        "Bearer a-long-secre",
        "Bearer a-long-secrett",
        "Basic a-long-secret",
        "a-long-secret",
        "Bearer é\udce9",
    ],
)
def test_a_token_that_is_not_quite_right_opens_nothing(guarded: FlaskClient, shown: str) -> None:
    assert guarded.get("/api/logs", headers={"Authorization": shown}).status_code == 401
    guarded.set_cookie(TOKEN.cookie, "a-long-secre")
    assert guarded.get("/api/logs").status_code == 401


@pytest.mark.parametrize(
    "headers",
    [{"Cookie": "a=\xff\xfe"}, {"Cookie": f"{TOKEN.cookie}=\xff"}, {"Authorization": "Bearer \xff"}],
)
def test_headers_that_are_no_utf_8_are_refused_as_any_other(
    guarded: FlaskClient, headers: dict[str, str]
) -> None:
    environ = {f"HTTP_{name.upper()}": value for name, value in headers.items()}
    assert guarded.get("/api/logs", environ_overrides=environ).status_code == 401


def test_a_script_sends_the_token_as_a_header(guarded: FlaskClient, small: dict[str, Any]) -> None:
    headers = {"Authorization": f"bearer {TOKEN.secret}"}
    assert guarded.post("/api/logs", data=json.dumps(small), headers=headers).status_code == 201
    assert len(guarded.get("/api/logs", headers=headers).get_json()["logs"]) == 1


def test_the_printed_address_moves_the_token_into_a_cookie(guarded: FlaskClient) -> None:
    answer = guarded.get(f"/?token={TOKEN.secret}&testing=1")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/?testing=1")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert answer.headers["Cache-Control"] == "no-store"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert guarded.get("/").status_code == 200
    assert guarded.get("/api/logs").status_code == 200


def test_a_page_of_another_site_changes_nothing_though_the_browser_has_the_cookie(
    guarded: FlaskClient,
) -> None:
    guarded.get(f"/?token={TOKEN.secret}")
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "same-site"}):
        assert guarded.post("/api/logs", data=b"{}", headers=headers).status_code == 403


def test_behind_a_token_the_viewer_answers_by_any_name(guarded: FlaskClient) -> None:
    headers = {"Authorization": f"Bearer {TOKEN.secret}", "Host": "my-box.example:5014"}
    assert guarded.get("/api/logs", headers=headers).status_code == 200


def test_tokens_of_two_viewers_on_one_host_have_cookies_of_two_names() -> None:
    first, second = Token.drawn(), Token.drawn()
    assert first.secret != second.secret
    assert first.cookie != second.cookie
    assert len(first.secret) >= 32


def test_the_token_is_told_in_no_answer_and_no_log_line(
    guarded: FlaskClient, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for place in ("/", "/api/logs", "/nowhere", "/api/logs/x/nodes/1?ids=z"):
        answer = guarded.get(
            f"{place}?token={TOKEN.secret}x", headers={"Authorization": f"Bearer {TOKEN.secret}"}
        )
        assert TOKEN.secret.encode() not in answer.data
        assert TOKEN.secret not in str({name: text for name, text in answer.headers if name != "Set-Cookie"})
    assert TOKEN.secret not in caplog.text
    assert TOKEN.secret not in repr(TOKEN)
