"""An exact search in the API: begun, followed, kept as a log; its figures are those of the function."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import plyscope
from tests.unit.web.conftest import Viewer


@pytest.fixture
def log() -> plyscope.Log:
    """Reversi's start, four plies deep, three plies kept a node: some have a bound, some no row."""
    return plyscope.search("reversi", depth=4, limit=3, progress=False)


@pytest.fixture
def client(log: plyscope.Log, viewer: Viewer, tmp_path: Path) -> Iterator[FlaskClient]:
    path = tmp_path / "reversi.json"
    log.write(path, progress=False)
    client = viewer(path)
    yield client
    searches = client.application.extensions.get("exact_searches")
    if searches is not None:
        searches.close()


@pytest.fixture
def url(client: FlaskClient) -> str:
    return f"/api/logs/{client.get('/api/logs').get_json()['logs'][0]['id']}/explain"


def pairs(client: FlaskClient, url: str, log: plyscope.Log) -> list[tuple[str, dict[str, Any]]]:
    """The queries of siblings of the root's best ply that can be searched, and what can."""
    found = []
    for child in log.main_root.children:
        query = f"versus={child.id}"
        answer = client.get(f"{url}?{query}").get_json()
        found += [(query, each) for each in answer["exact"] if "reason" not in each]
    return found


def test_a_bound_is_searched_exactly_and_said(client: FlaskClient, url: str, log: plyscope.Log) -> None:
    (query, asked), *_ = pairs(client, url, log)
    query += f"&which={asked['which']}"
    assert client.get(f"{url}/exact?{query}").get_json() == {"state": "none"}
    assert client.post(f"{url}/exact?{query}").status_code == 202
    state = client.get(f"{url}/exact?{query}&wait=10").get_json()
    while state["state"] == "running":
        state = client.get(f"{url}/exact?{query}&wait=10").get_json()
    found = plyscope.explain(log, None, asked["id"], exact=True)
    searched = found.searched[0]
    assert (state["state"], state["score"], state["depth"]) == ("done", searched.score, searched.depth)
    assert state["nodes"] == searched.nodes == searched.log.stats.nodes
    assert found.sentences[-len(state["sentences"]) :] == tuple(state["sentences"])
    kept = client.post(f"{url}/exact/log?{query}")
    assert kept.status_code == 201
    assert kept.get_json()["name"] == f"reversi after {asked['ply']}"
    opened = client.get(f"/api/logs/{kept.get_json()['id']}").get_json()
    assert opened["totals"]["nodes"] == searched.nodes
    assert client.delete(f"{url}/exact?{query}").get_json() == {"state": "none"}
    assert client.post(f"{url}/exact/log?{query}").status_code == 409


def test_what_cannot_be_searched_is_refused(client: FlaskClient, url: str, log: plyscope.Log) -> None:
    best = log.node([log.header["result"]["ply"]]).id
    assert client.post(f"{url}/exact?versus={best}&which=none").status_code == 400
    answer = client.post(f"{url}/exact?node={best}&which=chosen")
    assert answer.status_code == 409
    assert answer.get_json()["error"].startswith("the chosen ply needs no search")
