"""query in the API: pages of tables, marks, fields, files; what is kept between requests."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.analysis.query import sql
from plyscope.visualizer.shelf import queries as kept_queries
from plyscope.visualizer.shelf.queries import Queries
from tests.unit.web.conftest import posted, refusal


def asked(client: FlaskClient, url: str, **question: object) -> Any:
    return client.get(f"{url}/query", query_string=question).get_json()


def ids(answer: dict[str, Any]) -> list[int]:
    return [row["id"] for row in answer["rows"]]


def test_a_page_of_hits_has_total_columns_and_rows(client: FlaskClient, url: str) -> None:
    answer = asked(client, url, q="outcome = 'leaf'", limit=2, offset=1)
    assert answer == {
        "total": 3,
        "offset": 1,
        "columns": ["outcome", "score", "bound"],
        "rows": [
            {"id": 3, "path": "a > d", "outcome": "leaf", "score": 7.0, "bound": None},
            {"id": 5, "path": "b > e", "outcome": "leaf", "score": 2.0, "bound": None},
        ],
    }
    answer = asked(client, url, q="score = 7", nodes=1)
    assert answer["nodes"] == [client.get(f"{url}/nodes/3").get_json()["node"]]
    answer = asked(client, url, q="parent.score = 2", columns="parent.score,outcome", nodes=1)
    assert answer["signs"] == {"parent.score": ["≤ ", "≤ "]}
    # The place of a node is its own, or that of the next hit.
    for row, more, place in (
        *((3, {}, (1, True)), (4, {}, (2, False)), (6, {}, (0, False)), (3, {"sort": "score"}, (2, True))),
        (3, {"q": "score > 99"}, (None, False)),
    ):
        answer = asked(client, url, **{"q": "outcome = 'leaf'", "from": row} | more)
        assert (answer["at"], answer["here"]) == place


def test_children_and_visits_are_tables_as_well(client: FlaskClient, url: str, small: Any) -> None:
    children = asked(client, url, rows="children", node=4, columns="outcome,count")
    assert ids(children) == [5, 6]
    assert children["rows"][1] == {"id": 6, "path": "b > (pruned)", "outcome": "pruned", "count": 3}
    assert ids(asked(client, url, rows="children", node=1, sort="score", desc=1)) == [3, 2]
    assert ids(asked(client, url, rows="search", q="a > c")) == [2]
    for at, leaf in ((0, 0), (1, 0)):  # c and e are one position
        small["root"]["children"][at]["children"][leaf]["key"] = "00000000000000ff"
    keyed = posted(client, small)
    assert [ids(asked(client, keyed, rows="visits", key=key)) for key in (5, 3)] == [[2, 5], [3]]


def test_an_expression_that_is_refused_says_where_and_what_was_meant(client: FlaskClient, url: str) -> None:
    question = {"q": "outcom = 'leaf'", "of": "outcom"}
    for noun in ("query", "query/marks", "query/colour"):  # an answer, where that is asked for
        answer = client.get(f"{url}/{noun}", query_string=question | {"refused": "answer"})
        refused = answer.get_json()["refused"]
        told = [refused[name] for name in ("start", "end", "suggestion")]
        assert (answer.status_code, told) == (200, [0, 6, "outcome"])
    for noun in ("query", "query/marks", "query.csv"):
        answer = client.get(f"{url}/{noun}", query_string=question)
        assert answer.status_code == 400
        assert answer.get_json() == {
            "error": "no field `outcom`; did you mean `outcome`?",
            "status": 400,
            "start": 0,
            "end": 6,
            "suggestion": "outcome",
        }
    assert "is empty" in asked(client, url)["error"]


def test_a_table_that_is_none_is_refused(client: FlaskClient, url: str) -> None:
    for question, status, message in (
        ({"rows": "all"}, 400, "rows is 'all'; a table has hits, search, children, visits or findings"),
        ({"rows": "children"}, 400, "node is missing: the id of the node whose children are asked for"),
        ({"rows": "visits"}, 400, "key is missing: the id of the node whose visits are asked for"),
        ({"rows": "children", "node": 99}, 404, "this log has no node 99"),
        ({"q": "level > 0", "columns": "scor"}, 400, "columns: no field `scor`; did you mean `score`?"),
        ({"q": "level > 0", "sort": "scor"}, 400, "sort: column 1: no field `scor`; did you mean `score`?"),
        ({"q": "level > 0", "limit": "x"}, 400, "limit must be a whole number, not 'x'"),
    ):
        assert refusal(client.get(f"{url}/query", query_string=question)) == (status, message)


def test_a_query_that_runs_too_long_or_waits_for_others_says_so(
    client: FlaskClient, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_queries, "SECONDS_OF_WAITING", 0.01)
    asked(client, url, q="level > 0")
    queries: Queries = client.application.extensions["queries"]
    with queries._searching:
        answer = client.get(f"{url}/query", query_string={"q": "level > 1"})
    assert (answer.status_code, answer.get_json()["error"]) == (503, "other queries take long; ask again")
    monkeypatch.setattr(sql, "SECONDS", -1)
    assert "took too long" in asked(client, url, q="ply = 'a'")["error"]


def test_findings_are_a_table_with_their_rules_and_keep_them_when_sorted(
    client: FlaskClient, small: Any
) -> None:
    small["root"]["score"] = 5
    small["root"]["children"][0]["score"] = 6
    log = posted(client, small)
    status, said = refusal(client.get(f"{log}/query", query_string={"rows": "findings"}))
    assert (status, "not checked" in said) == (409, True)
    client.post(f"{log}/check")
    client.get(f"{log}/check?wait=10")
    items = client.get(f"{log}/check/findings").get_json()["items"]
    assert len(items) > 1
    expected = [(one["node"], one["rule"], one["severity"], one["at"], one["message"]) for one in items]
    for question, order in (
        ({}, expected),
        ({"sort": "id", "desc": 1}, sorted(expected, key=lambda x: -x[0])),
    ):
        answer = asked(client, log, rows="findings", **question)
        found = [
            (row["id"], one["rule"], one["severity"], one["at"], one["message"])
            for row, one in zip(answer["rows"], answer["findings"], strict=True)
        ]
        assert [one[0] for one in found] == [one[0] for one in order]
        assert set(found) == set(expected)
    marks = client.get(f"{log}/query/marks", query_string={"rows": "findings", "ids": "0"}).get_json()
    assert marks["marks"]["0"]["below"] == len({one["node"] for one in items} - {0})
    with client.get(f"{log}/query.csv", query_string={"rows": "findings", "columns": "score"}) as file:
        lines = file.text.splitlines()
    assert (lines[0], len(lines)) == ("id,path,severity,rule,message,score", 1 + len(items))


def test_a_query_without_a_hit_says_where_it_is_unknown_and_what_is_looser(
    client: FlaskClient, url: str
) -> None:
    answer = asked(client, url, q="outcome = 'leaf' and score > 100 and level = 2")
    assert (answer["total"], answer["rows"]) == (0, [])
    looser = {"q": "outcome = 'leaf' and level = 2", "total": 3, "without": ["score > 100"]}
    assert answer["none"] == {"rows": 7, "unknown": 0, "looser": looser}
    assert asked(client, url, q="1/0 > 1")["none"] == {"rows": 7, "unknown": 7}
    assert "none" not in asked(client, url, q="level = 2")
