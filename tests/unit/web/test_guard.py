"""Who may ask, and what every answer carries."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.formats import zstandard
from plyscope.visualizer.web.guard import is_own_host


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:5014", "127.0.0.1.evil.example", "", "[fe80::1]"]
)
def test_a_foreign_host_header_is_refused(client: FlaskClient, host: str) -> None:
    answer = client.get("/api/logs", headers={"Host": host})
    assert answer.status_code == 403
    assert "own address" in answer.get_json()["error"]


@pytest.mark.parametrize("host", ["127.0.0.1:5014", "localhost", "LOCALHOST:80", "[::1]:5014"])
def test_the_loopback_by_any_of_its_names_is_answered(client: FlaskClient, host: str) -> None:
    assert client.get("/api/logs", headers={"Host": host}).status_code == 200


def test_bound_to_a_network_address_any_literal_address_is_ours_and_no_foreign_name() -> None:
    assert is_own_host("192.168.1.7:5014", "0.0.0.0")
    assert is_own_host("[fe80::1]:5014", "::")
    assert not is_own_host("evil.example", "0.0.0.0")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://localhost:9999"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_another_sites_page_can_change_nothing(
    client: FlaskClient, url: str, method: str, headers: dict[str, str]
) -> None:
    place = {"POST": "/api/logs", "PUT": f"{url}/mapping", "DELETE": url}[method]
    answer = client.open(place, method=method, data=b"{}", headers=headers)
    assert answer.status_code == 403
    assert "another site" in answer.get_json()["error"]


def test_our_own_page_may_post(client: FlaskClient, small: dict[str, Any]) -> None:
    own = {"Origin": "http://localhost", "Sec-Fetch-Site": "same-origin"}
    assert client.post("/api/logs", data=json.dumps(small), headers=own).status_code == 201


@pytest.mark.parametrize("place", ["/", "/api/logs", "/static/main.js", "/nowhere"])
def test_every_answer_is_hardened(client: FlaskClient, place: str) -> None:
    with client.get(place) as answer:
        headers = answer.headers
    policy = headers["Content-Security-Policy"]
    for rule in (
        "default-src 'self'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for",
    ):
        assert rule in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_a_body_over_the_limit_is_refused_before_it_is_read(
    viewer: Callable[..., FlaskClient],
) -> None:
    answer = viewer(MAX_CONTENT_LENGTH=1000).post("/api/logs", data=b"x" * 1001)
    assert answer.status_code == 413
    assert answer.get_json()["status"] == 413


@pytest.mark.parametrize("compress", [gzip.compress, zstandard.compress])
def test_a_packed_bomb_is_refused_and_nothing_is_kept(
    viewer: Callable[..., FlaskClient], tmp_path: Path, compress: Callable[[bytes], bytes]
) -> None:
    bomb = compress(b"[" + b" " * 20_000_000 + b"]")
    client = viewer(MAX_CONTENT_LENGTH=100_000)
    assert client.post("/api/logs", data=bomb).status_code == 413
    assert client.get("/api/logs").get_json()["logs"] == []
    assert list((tmp_path / "data").rglob("*.log")) == []


@pytest.mark.parametrize(
    "path",
    [
        "../pyproject.toml",
        "%2e%2e/pyproject.toml",
        "..%2fpyproject.toml",
        "/etc/passwd",
        "data/../../LICENSE",
        "data/../main.js",
        "./main.js",
        "data//state.js",
        "/main.js",
        "main.js/",
        "main.js%00",
        "%00",
        "main.js%20",
        "data",
        "data/",
        "data%5cstate.js",
        "%c0%ae%c0%ae/LICENSE",
        "a" * 300,
        "a/" * 3000,
        "",
        ".",
        "..",
    ],
)
def test_only_the_files_of_the_page_are_there_each_by_one_name(client: FlaskClient, path: str) -> None:
    answer = client.get(f"/static/{path}")
    assert answer.status_code == 404
    assert answer.get_json()["status"] == 404


def test_a_link_that_leaves_the_folder_of_the_page_is_not_followed(
    viewer: Callable[..., FlaskClient], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "page"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (folder / "inside.txt").write_text("inside")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    monkeypatch.setattr("plyscope.visualizer.web.app.shipped_folder", lambda name: folder)
    client = viewer()
    with client.get("/static/inside.txt") as answer:
        assert answer.data == b"inside"
    assert client.get("/static/link.txt").status_code == 404


def test_a_link_that_leaves_a_folder_of_logs_is_not_listed(
    viewer: Callable[..., FlaskClient], small: dict[str, Any], tmp_path: Path
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "inside.json").write_text(json.dumps(small))
    (tmp_path / "secret.json").write_text(json.dumps(small))
    (folder / "link.json").symlink_to(tmp_path / "secret.json")
    names = [log["name"] for log in viewer(folder).get("/api/logs").get_json()["logs"]]
    assert names == ["inside.json"]


def test_a_viewer_that_a_notebook_shows_may_be_framed_by_pages_of_this_machine(
    viewer: Callable[..., FlaskClient],
) -> None:
    policy = viewer(FRAMED=True).get("/").headers["Content-Security-Policy"]
    ancestors = re.search("frame-ancestors ([^;]*)", policy)
    assert ancestors is not None
    hosts = {each.partition("://")[2] for each in ancestors[1].split()}
    assert hosts == {"127.0.0.1:*", "localhost:*"}
