"""An exact search in the API: begun, followed, kept as a log; its figures are those of the function."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import plyscope
from tests.unit.web.conftest import Viewer, refusal


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
    client.application.extensions["exact_searches"].close()


def test_a_bound_is_searched_exactly_and_said(client: FlaskClient, log: plyscope.Log) -> None:
    url = f"/api/logs/{client.get('/api/logs').get_json()['logs'][0]['id']}/explain"
    best = log.node([log.header["result"]["ply"]]).id
    assert client.post(f"{url}/exact?versus={best}&which=none").status_code == 400
    status, said = refusal(client.post(f"{url}/exact?node={best}&which=chosen"))
    assert (status, said.startswith("the chosen ply needs no search")) == (409, True)
    pairs = []  # siblings of the best ply, and which of both can be searched
    for child in log.main_root.children:
        answer = client.get(f"{url}?versus={child.id}").get_json()
        pairs += [(f"versus={child.id}", each) for each in answer["exact"] if "reason" not in each]
    (query, asked), *_ = pairs
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
