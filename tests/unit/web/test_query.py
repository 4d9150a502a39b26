"""query in the API: pages of tables, marks, fields, files; what is kept between requests."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from plyscope.visualizer.analysis.query import run
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.shelf import queries as kept_queries
from plyscope.visualizer.shelf.queries import Queries
from plyscope.visualizer.store.tree import Tree


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


def test_nodes_come_with_the_rows_where_they_are_asked_for(client: FlaskClient, url: str) -> None:
    answer = asked(client, url, q="score = 7", nodes=1)
    assert answer["nodes"] == [client.get(f"{url}/nodes/3").get_json()["node"]]
    answer = asked(client, url, q="parent.score = 2", columns="parent.score,outcome", nodes=1)
    assert answer["signs"] == {"parent.score": ["≤ ", "≤ "]}


def test_the_place_of_a_node_is_its_own_or_that_of_the_next_hit(client: FlaskClient, url: str) -> None:
    question = {"q": "outcome = 'leaf'"}
    assert asked(client, url, **question, **{"from": 3})["at"] == 1
    assert asked(client, url, **question, **{"from": 4})["at"] == 2
    assert asked(client, url, **question, **{"from": 6})["at"] == 0
    assert [asked(client, url, **question, **{"from": row})["here"] for row in (3, 4)] == [True, False]
    assert asked(client, url, **question, sort="score", **{"from": 3})["at"] == 2
    assert asked(client, url, q="score > 99", **{"from": 3})["at"] is None


def test_children_and_visits_are_tables_as_well(client: FlaskClient, url: str, small: Any) -> None:
    children = asked(client, url, rows="children", node=4, columns="outcome,count")
    assert ids(children) == [5, 6]
    assert children["rows"][1] == {"id": 6, "path": "b > (pruned)", "outcome": "pruned", "count": 3}
    assert ids(asked(client, url, rows="children", node=1, sort="score", desc=1)) == [3, 2]
    assert ids(asked(client, url, rows="search", q="a > c")) == [2]
    assert ids(asked(client, url, rows="visits", key=3)) == [3], "a node without a key was visited once"
    for name, key in (("c", "00000000000000ff"), ("e", "00000000000000ff"), ("d", "00000000000000fe")):
        for below in small["root"]["children"]:
            for child in below["children"]:
                if child.get("ply") == name:
                    child["key"] = key
    pasted = client.post("/api/logs", json=small).get_json()["id"]
    assert ids(asked(client, f"/api/logs/{pasted}", rows="visits", key=5)) == [2, 5]
    assert ids(asked(client, f"/api/logs/{pasted}", rows="visits", key=3)) == [3]


def test_visits_of_a_key_that_is_a_text_are_found(client: FlaskClient, small: Any) -> None:
    for below in small["root"]["children"]:
        below["key"] = "some position"
    pasted = client.post("/api/logs", json=small).get_json()["id"]
    assert ids(asked(client, f"/api/logs/{pasted}", rows="visits", key=1)) == [1, 4]
    assert ids(asked(client, f"/api/logs/{pasted}", rows="visits", key=2)) == [2]


def test_marks_are_the_hits_at_and_below_nodes(client: FlaskClient, url: str) -> None:
    answer = client.get(f"{url}/query/marks", query_string={"q": "outcome = 'leaf'", "ids": "0,1,2,4,6"})
    assert answer.get_json() == {
        "total": 3,
        "marks": {
            "0": {"hit": False, "below": 3},
            "1": {"hit": False, "below": 2},
            "2": {"hit": True, "below": 0},
            "4": {"hit": False, "below": 1},
        },
    }


def test_fields_that_nodes_state_are_listed_with_words(client: FlaskClient, url: str) -> None:
    answer = client.get(f"{url}/query/fields").get_json()
    named = {field["name"]: field for field in answer["fields"]}
    assert {"score", "level", "nodes_below", "factors.mobility", "contributions.material"} <= named.keys()
    assert "tt.depth" not in named
    assert named["bound"]["words"] == ["upper", "lower", "exact"]
    assert answer["functions"] == ["abs", "floor", "ceil", "round", "isnan"]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_all_rows_of_a_table_come_as_a_file(form: str, client: FlaskClient, url: str) -> None:
    answer = client.get(f"{url}/query.{form}", query_string={"q": "outcome = 'leaf'", "columns": "score"})
    assert f"rows.{form}" in answer.headers["Content-Disposition"]
    if form == "csv":
        assert answer.text.splitlines() == ["id,path,score", "2,a > c,4.0", "3,a > d,7.0", "5,b > e,2.0"]
    else:
        assert answer.data.startswith(b"PAR1")
    answer.close()


def test_an_expression_that_is_refused_says_where_and_what_was_meant(client: FlaskClient, url: str) -> None:
    for noun in ("query", "query/marks", "query.csv"):
        answer = client.get(f"{url}/{noun}", query_string={"q": "outcom = 'leaf'"})
        assert answer.status_code == 400
        assert answer.get_json() == {
            "error": "no field `outcom`; did you mean `outcome`?",
            "status": 400,
            "start": 0,
            "end": 6,
            "suggestion": "outcome",
        }
    assert "is empty" in asked(client, url)["error"]


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"rows": "all"}, "rows is 'all'; a table has hits, search, children, visits or findings"),
        ({"rows": "children"}, "node is missing: the id of the node whose children are asked for"),
        ({"rows": "visits"}, "key is missing: the id of the node whose visits are asked for"),
        ({"rows": "children", "node": 99}, "this log has no node 99"),
        ({"q": "level > 0", "columns": "scor"}, "columns: no field `scor`; did you mean `score`?"),
        ({"q": "level > 0", "sort": "scor"}, "sort: column 1: no field `scor`; did you mean `score`?"),
        ({"q": "level > 0", "limit": "x"}, "limit must be a whole number, not 'x'"),
    ],
)
def test_a_table_that_is_none_is_refused(
    question: dict[str, str], message: str, client: FlaskClient, url: str
) -> None:
    answer = client.get(f"{url}/query", query_string=question)
    assert answer.status_code in (400, 404)
    assert answer.get_json()["error"] == message


def test_a_query_that_runs_too_long_or_waits_for_others_says_so(
    client: FlaskClient, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_queries, "SECONDS_OF_WAITING", 0.01)
    asked(client, url, q="level > 0")
    queries: Queries = client.application.extensions["queries"]
    with queries._searching:
        answer = client.get(f"{url}/query", query_string={"q": "level > 1"})
    assert (answer.status_code, answer.get_json()["error"]) == (503, "other queries take long; ask again")
    monkeypatch.setattr(kept_queries, "hits_of", lambda fields, q: run.hits_of(fields, q, seconds=-1))
    assert "took too long" in asked(client, url, q="ply = 'a'")["error"]


def test_pages_and_marks_of_the_last_query_search_no_more(client: FlaskClient, url: str) -> None:
    asked(client, url, q="level > 0", sort="score")
    queries: Queries = client.application.extensions["queries"]
    searched = queries.n_searches
    asked(client, url, q="level > 0", sort="score", offset=2)
    client.get(f"{url}/query/marks", query_string={"q": "level > 0", "ids": "0"})
    client.get(f"{url}/query.csv", query_string={"q": "level > 0", "sort": "score"}).close()
    assert queries.n_searches == searched
    asked(client, url, q="level > 0", sort="score", desc=1)
    assert queries.n_searches == searched + 1


def test_rows_of_logs_not_asked_for_longest_are_let_go_beyond_a_limit() -> None:
    text = b'{"plyscope": 1, "root": {"children": [{"ply": "a"}, {"ply": "b"}]}}'
    trees = [Tree(read_log(text)) for _ in range(3)]
    queries = Queries(most_kept=30)  # two times three rows of four bytes
    for tree in (trees[0], trees[1], trees[0], trees[2]):
        assert queries.hits(tree, "level >= 0")[0].tolist() == [0, 1, 2]
    assert queries.n_searches == 3
    queries.hits(trees[0], "level >= 0")
    assert queries.n_searches == 3
    queries.hits(trees[1], "level >= 0")
    assert queries.n_searches == 4


def test_findings_are_a_table_with_their_rules_and_keep_them_when_sorted(
    client: FlaskClient, small: Any
) -> None:
    small["root"]["score"] = 5
    small["root"]["children"][0]["score"] = 6
    log = f"/api/logs/{client.post('/api/logs', json=small).get_json()['id']}"
    refused = client.get(f"{log}/query", query_string={"rows": "findings"})
    assert refused.status_code == 409
    assert "not checked" in refused.get_json()["error"]
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
    marks = client.get(f"{log}/query/marks", query_string={"rows": "findings", "ids": "0"}).get_json()[
        "marks"
    ]
    assert marks["0"]["below"] == len({one["node"] for one in items} - {0})
    with client.get(f"{log}/query.csv", query_string={"rows": "findings", "columns": "score"}) as file:
        lines = file.text.splitlines()
    assert lines[0] == "id,path,severity,rule,message,score"
    assert len(lines) == 1 + len(items)


def test_a_refusal_is_an_answer_where_that_is_asked_for(client: FlaskClient, url: str) -> None:
    for noun in ("query", "query/marks", "query/colour"):
        asks = {"q": "outcom = 'leaf'", "of": "outcom", "refused": "answer"}
        answer = client.get(f"{url}/{noun}", query_string=asks)
        assert answer.status_code == 200
        refused = answer.get_json()["refused"]
        assert (refused["start"], refused["end"], refused["suggestion"]) == (0, 6, "outcome")


def test_a_query_without_a_hit_says_where_it_is_unknown_and_what_is_looser(
    client: FlaskClient, url: str
) -> None:
    answer = asked(client, url, q="outcome = 'leaf' and score > 100 and level = 2")
    assert (answer["total"], answer["rows"]) == (0, [])
    looser = {"q": "outcome = 'leaf' and level = 2", "total": 3, "without": ["score > 100"]}
    assert answer["none"] == {"rows": 7, "unknown": 0, "looser": looser}
    assert asked(client, url, q="1/0 > 1")["none"] == {"rows": 7, "unknown": 7}
    assert "none" not in asked(client, url, q="level = 2")


def test_colours_are_values_and_the_scale_of_all_of_them(client: FlaskClient, url: str) -> None:
    def colour(of: str) -> Any:
        return client.get(f"{url}/query/colour", query_string={"of": of, "ids": "0,2,6"}).get_json()

    assert colour("score - level") == {
        "scale": {"kind": "number", "stated": 6, "absent": 0, "low": 0, "high": 5, "least": 0, "greatest": 5},
        "values": {"0": 4, "2": 2, "6": None},
    }
    by_word = colour("outcome")
    leaf, searched = by_word["scale"]["categories"][:2]
    assert (leaf, searched) == ({"value": "leaf", "rows": 3}, {"value": "searched", "rows": 2})
    assert (by_word["values"], by_word["places"]["2"]) == ({"0": "searched", "2": "leaf", "6": "pruned"}, 0)
    assert colour("level > 1")["scale"]["categories"] == [
        {"value": True, "rows": 4},
        {"value": False, "rows": 3},
    ]
    own = colour("note")
    assert (own["values"], own["scale"]["absent"]) == ({"0": None, "2": "<b>x</b>", "6": None}, 5)


def test_only_the_children_that_lead_to_hits_are_given(client: FlaskClient, url: str) -> None:
    def led(**question: object) -> Any:
        answer = client.get(f"{url}/query/leading", query_string={"q": "score = 7 or is_stub", **question})
        return [(one["id"], one["total"], one["others"], [node["id"] for node in one["items"]])
                for one in answer.get_json()["nodes"]]  # fmt: skip

    assert led(ids="0,1,4,2") == [(0, 2, 0, [1, 4]), (1, 1, 1, [3]), (4, 1, 1, [6]), (2, 0, 0, [])]
    assert led(ids="0", limit=1) == [(0, 2, 0, [1])]
    assert led(top=0, room=10) == [(0, 2, 0, [1, 4]), (1, 1, 1, [3]), (4, 1, 1, [6])]
    assert led(top=0, room=3) == [(0, 2, 0, [1, 4]), (1, 1, 1, [3])]


def test_fields_of_the_log_itself_are_listed_shown_and_sorted(client: FlaskClient, small: Any) -> None:
    for at, child in enumerate(small["root"]["children"]):
        child |= {"q_nodes": 20 - at, "my field": f"x{at}", "best": "b"}
    log = f"/api/logs/{client.post('/api/logs', json=small).get_json()['id']}"
    named = {one["name"]: one for one in client.get(f"{log}/query/fields").get_json()["fields"]}
    assert named["extra.q_nodes"]["type"] == "number"
    assert named["extra.my field"]["written"] == 'extra."my field"'
    answer = asked(
        client, log, q="q_nodes > 1 and extra.\"my field\" like 'x%'", sort="extra.my field", desc=1
    )
    assert answer["columns"][:2] == ["extra.q_nodes", "extra.my field"]
    assert [(row["extra.q_nodes"], row["extra.my field"]) for row in answer["rows"]] == [
        (19, "x1"),
        (20, "x0"),
    ]
    assert ids(asked(client, log, q="ply = best")) == [4]
    assert asked(client, log, q="q_node > 1")["suggestion"] == "extra.q_nodes"
    several = asked(client, log, q="extra = 1")["error"]
    assert "`extra` is several fields: `extra.best`, `extra.my field`" in several
