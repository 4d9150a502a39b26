"""explain in the API: the answer of the function, for nodes by their ids."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

import plyscope


@pytest.fixture
def log(small: dict[str, Any]) -> plyscope.Log:
    return plyscope.open(json.dumps(small))


def test_the_api_gives_the_answer_of_the_function(client: FlaskClient, url: str, log: plyscope.Log) -> None:
    a, b, e = (log.node(path).id for path in ("a", "b", "b > e"))
    assert client.get(f"{url}/explain").get_json() == plyscope.explain(log).as_json()
    for node, versus in ((a, b), (b, a), (e, a), (a, e)):
        answer = client.get(f"{url}/explain?node={node}&versus={versus}").get_json()
        assert answer == plyscope.explain(log, node, versus).as_json()
    for only in (a, b, e):
        assert (
            client.get(f"{url}/explain?versus={only}").get_json()
            == plyscope.explain(log, None, only).as_json()
        )
        assert client.get(f"{url}/explain?node={only}").get_json() == plyscope.explain(log, only).as_json()


def test_one_ply_of_a_stub_can_be_the_rival(client: FlaskClient, url: str, log: plyscope.Log) -> None:
    stub = log.node("b > (pruned)").id
    answer = client.get(f"{url}/explain?versus={stub}&ply=g").get_json()
    assert answer == plyscope.explain(log, None, "b > g").as_json()
    assert answer["rival"] == {"id": stub, "ply": "g", "path": "b > (pruned)"}
    assert answer["sentences"][1].startswith("g was never searched here: alpha-beta cut it off")


def test_segments_join_to_the_sentences_and_link_nodes(
    client: FlaskClient, url: str, log: plyscope.Log
) -> None:
    answer = client.get(f"{url}/explain").get_json()
    joined = ["".join(each["text"] for each in part["segments"]) for part in answer["parts"]]
    assert joined == answer["sentences"]
    linked = {
        each["text"]: each["node"] for part in answer["parts"] for each in part["segments"] if "node" in each
    }
    assert (linked["a"], linked["b"]) == (log.node("a").id, log.node("b").id)


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("node=99", 404, "this log has no node 99"),
        ("node=x", 400, "node must be a whole number, not 'x'"),
        ("versus=4&ply=f", 404, "versus names no stub that stands for the ply 'f'"),
        ("versus=6&ply=zz", 404, "versus names no stub that stands for the ply 'zz'"),
        ("ply=f", 404, "versus names no stub"),
    ],
)
def test_what_is_not_there_is_refused(
    client: FlaskClient, url: str, query: str, status: int, said: str
) -> None:
    answer = client.get(f"{url}/explain?{query}")
    assert answer.status_code == status
    assert answer.get_json()["error"].startswith(said)
