"""A viewer without a socket: requests go straight to the application."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.web.app import create_app

Viewer = Callable[..., FlaskClient]
"""Makes a client of a viewer on these logs, with this configuration."""
LEAF = {"layer": "max", "outcome": "leaf"}
C = {"ply": "c", "score": 4, **LEAF, "factors": [1, 4], "note": "<b>x</b>"}
A = {"layer": "min", "score": 4, "outcome": "searched", "children": [C, {"ply": "d", "score": 7, **LEAF}]}
STUB = {"outcome": "pruned", "count": 3, "plies": ["f", "g", "h"]}
B = {"layer": "min", "score": 2, "outcome": "cutoff", "children": [{"ply": "e", "score": 2, **LEAF}, STUB]}
PLIES = [{"ply": "a", **A}, {"ply": "b", "bound": "upper", **B}]
SMALL = {
    "plyscope": 1,
    "players": ["white", "black"],
    "factors": [{"name": "material", "weight": 2.0}, {"name": "mobility", "weight": 0.5}],
    "result": {"ply": "a", "score": 4},
    "root": {"layer": "max", "score": 4, "outcome": "searched", "children": PLIES},
}


def posted(client: FlaskClient, document: str | dict[str, Any]) -> str:
    """Paste a log; return its address in the API."""
    text = document if isinstance(document, str) else json.dumps(document, ensure_ascii=False)
    answer = client.post("/api/logs", data=text.encode())
    assert answer.status_code == 201, answer.data
    return f"/api/logs/{answer.get_json()['id']}"


def listed(client: FlaskClient, name: str) -> dict[str, Any]:
    """What the list says of the log of this name."""
    found: list[dict[str, Any]] = client.get("/api/logs").get_json()["logs"]
    return next(each for each in found if each["name"] == name)


def refusal(answer: Any) -> tuple[int, str]:
    """The status of an answer, and the sentence that it says."""
    return answer.status_code, answer.get_json()["error"]


@pytest.fixture
def small() -> dict[str, Any]:
    """A log of seven rows: a is best, b is refuted by e and leaves a stub."""
    copy = json.loads(json.dumps(SMALL))
    assert isinstance(copy, dict)
    return copy


@pytest.fixture
def viewer(tmp_path: Path) -> Viewer:
    """`viewer(*logs, **config)`: a client of a viewer on these logs."""

    def make(*logs: Path, **config: Any) -> FlaskClient:
        empty = tmp_path / "no-examples"
        empty.mkdir(exist_ok=True)
        folders = {"DATA_FOLDER": tmp_path / "data", "CACHE_FOLDER": tmp_path / "cache", "EXAMPLES": empty}
        return create_app({"TESTING": True, "LOGS": logs, **folders, **config}).test_client()

    return make


@pytest.fixture
def empty(viewer: Viewer) -> FlaskClient:
    return viewer()


@pytest.fixture
def client(viewer: Viewer, tmp_path: Path) -> FlaskClient:
    path = tmp_path / "small.json"
    path.write_text(json.dumps(SMALL))
    return viewer(path)


@pytest.fixture
def url(client: FlaskClient) -> str:
    return f"/api/logs/{client.get('/api/logs').get_json()['logs'][0]['id']}"
