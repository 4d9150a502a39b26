"""Who may ask, with and without a token, and what every answer carries."""

from __future__ import annotations

import gzip
import json
import logging
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.formats import zstandard
from plyscope.visualizer.web.guard import Token, is_own_host
from tests.unit.web.conftest import Viewer, refusal


def test_a_foreign_host_header_is_refused_and_the_loopback_answered_by_any_of_its_names(
    client: FlaskClient,
) -> None:
    for host in ("evil.example", "evil.example:5014", "127.0.0.1.evil.example", "", "[fe80::1]"):
        status, said = refusal(client.get("/api/logs", headers={"Host": host}))
        assert (status, "own address" in said) == (403, True), host
    for host in ("127.0.0.1:5014", "localhost", "LOCALHOST:80", "[::1]:5014"):
        assert client.get("/api/logs", headers={"Host": host}).status_code == 200
    # Bound to a network address, any literal address is ours, and no foreign name.
    assert is_own_host("192.168.1.7:5014", "0.0.0.0")
    assert is_own_host("[fe80::1]:5014", "::")
    assert not is_own_host("evil.example", "0.0.0.0")


ELSEWHERE = [
    *({"Origin": origin} for origin in ("http://evil.example", "null", "http://localhost:9999")),
    *({"Sec-Fetch-Site": site} for site in ("cross-site", "same-site")),
]


@pytest.mark.parametrize("headers", ELSEWHERE)
def test_another_sites_page_can_change_nothing_and_our_own_may_post(
    client: FlaskClient, url: str, small: dict[str, Any], headers: dict[str, str]
) -> None:
    for method, place in {"POST": "/api/logs", "PUT": f"{url}/mapping", "DELETE": url}.items():
        status, said = refusal(client.open(place, method=method, data=b"{}", headers=headers))
        assert (status, "another site" in said) == (403, True)
    own = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/logs", data=json.dumps(small), headers=own).status_code == 201


@pytest.mark.parametrize("place", ["/", "/api/logs", "/static/main.js", "/nowhere"])
def test_every_answer_is_hardened(client: FlaskClient, viewer: Viewer, place: str) -> None:
    with client.get(place) as answer:
        headers = answer.headers
    policy = headers["Content-Security-Policy"]
    rules = "default-src 'self'", "script-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for"
    assert [rule for rule in rules if rule not in policy] == []
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    with viewer(FRAMED=True).get(place) as shown:  # in a notebook, by pages of this machine
        (ancestors,) = re.findall("frame-ancestors ([^;]*)", shown.headers["Content-Security-Policy"])
    assert {each.partition("://")[2] for each in ancestors.split()} == {"127.0.0.1:*", "localhost:*"}


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_a_packed_bomb_is_refused_and_nothing_is_kept(
    viewer: Viewer, tmp_path: Path, compress: Callable[[bytes], bytes]
) -> None:
    bomb = compress(b"[" + b" " * 20_000_000 + b"]")
    client = viewer(MAX_CONTENT_LENGTH=100_000)
    assert client.post("/api/logs", data=bomb).status_code == 413
    assert client.get("/api/logs").get_json()["logs"] == []
    assert list((tmp_path / "data").rglob("*.log")) == []


NAMES = [
    *("../pyproject.toml", "%2e%2e/pyproject.toml", "..%2fpyproject.toml", "/etc/passwd"),
    *("data/../../LICENSE", "data/../main.js", "./main.js", "data//state.js", "/main.js", "main.js/"),
    *("main.js%00", "%00", "main.js%20", "data", "data/", "data%5cstate.js", "%c0%ae%c0%ae/LICENSE"),
    *("a" * 300, "a/" * 3000, "", ".", ".."),
]


@pytest.mark.parametrize("name", NAMES)
def test_only_the_files_of_the_page_are_there_each_by_one_name(client: FlaskClient, name: str) -> None:
    answer = client.get(f"/static/{name}")
    assert (answer.status_code, answer.get_json()["status"]) == (404, 404)


def test_a_link_that_leaves_the_folder_of_the_page_or_of_logs_is_not_followed(
    viewer: Viewer, small: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "page"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "inside.txt").write_text("inside")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "link.json").symlink_to(tmp_path / "secret.json")
    for log in (tmp_path / "secret.json", folder / "inside.json"):
        log.write_text(json.dumps(small))
    monkeypatch.setattr("plyscope.visualizer.web.app.shipped_folder", lambda name: folder)
    client = viewer(folder)
    assert [log["name"] for log in client.get("/api/logs").get_json()["logs"]] == ["inside.json"]
    with client.get("/static/inside.txt") as answer:
        assert answer.data == b"inside"
    assert client.get("/static/link.txt").status_code == 404


TOKEN = Token("a-long-secret")


@pytest.fixture
def guarded(viewer: Viewer) -> FlaskClient:
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


def test_a_token_that_is_not_quite_right_opens_nothing(guarded: FlaskClient) -> None:
    near = ("Bearer a-long-secre", "Bearer a-long-secrett", "Basic a-long-secret", "a-long-secret")
    for shown in (*near, "Bearer é\udce9"):
        assert guarded.get("/api/logs", headers={"Authorization": shown}).status_code == 401
    cookies = ("a=\xff\xfe", f"{TOKEN.cookie}=\xff")  # no UTF-8
    for environ in (*({"HTTP_COOKIE": text} for text in cookies), {"HTTP_AUTHORIZATION": "Bearer \xff"}):
        assert guarded.get("/api/logs", environ_overrides=environ).status_code == 401
    guarded.set_cookie(TOKEN.cookie, "a-long-secre")
    assert guarded.get("/api/logs").status_code == 401


def test_a_script_sends_the_token_as_a_header_and_the_printed_address_moves_it_into_a_cookie(
    guarded: FlaskClient, small: dict[str, Any]
) -> None:
    sent = {
        "Authorization": f"bearer {TOKEN.secret}",
        "Host": "my-box.example:5014",
    }  # it answers by any name
    assert guarded.post("/api/logs", data=json.dumps(small), headers=sent).status_code == 201
    assert len(guarded.get("/api/logs", headers=sent).get_json()["logs"]) == 1
    answer = guarded.get(f"/?token={TOKEN.secret}&testing=1")
    headers = answer.headers
    assert (answer.status_code, headers["Location"]) == (303, "/?testing=1")
    assert {"HttpOnly", "SameSite=Lax"} <= {*headers["Set-Cookie"].split("; ")}
    assert (headers["Cache-Control"], headers["Referrer-Policy"]) == ("no-store", "no-referrer")
    assert guarded.get("/").status_code == 200
    assert guarded.get("/api/logs").status_code == 200
    for elsewhere in ELSEWHERE:  # a page of another site changes nothing, though the browser has the cookie
        assert guarded.post("/api/logs", data=b"{}", headers=elsewhere).status_code == 403


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
    first, second = Token.drawn(), Token.drawn()  # those of two viewers on one host have cookies of two names
    assert first.secret != second.secret
    assert first.cookie != second.cookie
    assert len(first.secret) >= 32
