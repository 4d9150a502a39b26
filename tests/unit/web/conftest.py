"""A viewer without a socket: requests go straight to the application."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.web.app import create_app

SMALL = {
    "plyscope": 1,
    "players": ["white", "black"],
    "factors": [{"name": "material", "weight": 2.0}, {"name": "mobility", "weight": 0.5}],
    "result": {"ply": "a", "score": 4},
    "root": {
        "layer": "max",
        "score": 4,
        "outcome": "searched",
        "children": [
            {
                "ply": "a",
                "layer": "min",
                "score": 4,
                "outcome": "searched",
                "children": [
                    {
                        "ply": "c",
                        "layer": "max",
                        "score": 4,
                        "outcome": "leaf",
                        "factors": [1, 4],
                        "note": "<b>x</b>",
                    },
                    {"ply": "d", "layer": "max", "score": 7, "outcome": "leaf"},
                ],
            },
            {
                "ply": "b",
                "layer": "min",
                "score": 2,
                "bound": "upper",
                "outcome": "cutoff",
                "children": [
                    {"ply": "e", "layer": "max", "score": 2, "outcome": "leaf"},
                    {"outcome": "pruned", "count": 3, "plies": ["f", "g", "h"]},
                ],
            },
        ],
    },
}


@pytest.fixture
def small() -> dict[str, Any]:
    """A log of seven rows: a is best, b is refuted by e and leaves a stub."""
    copy = json.loads(json.dumps(SMALL))
    assert isinstance(copy, dict)
    return copy


@pytest.fixture
def viewer(tmp_path: Path) -> Callable[..., FlaskClient]:
    """`viewer(*logs, **config)`: a client of a viewer on these logs."""

    def make(*logs: Path, **config: Any) -> FlaskClient:
        empty = tmp_path / "no-examples"
        empty.mkdir(exist_ok=True)
        folders = {"DATA_FOLDER": tmp_path / "data", "CACHE_FOLDER": tmp_path / "cache", "EXAMPLES": empty}
        return create_app({"TESTING": True, "LOGS": logs, **folders, **config}).test_client()

    return make


@pytest.fixture
def client(viewer: Callable[..., FlaskClient], tmp_path: Path) -> FlaskClient:
    """A client of a viewer on the small log, whose id is `client.log`."""
    path = tmp_path / "small.json"
    path.write_text(json.dumps(SMALL))
    return viewer(path)


@pytest.fixture
def url(client: FlaskClient) -> str:
    """The address of the small log in the API."""
    return f"/api/logs/{client.get('/api/logs').get_json()['logs'][0]['id']}"
