"""Replay, overview, statistics, pictures and explain in the API: figures of scripts, refusals in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import plyscope
from plyscope.visualizer.analysis.overview import measure, picture
from plyscope.visualizer.shelf.jobs.exact_search import ExactSearches
from tests.unit.web.conftest import Viewer, refusal

TEXTBOOK = Path(__file__).parents[3] / "examples" / "textbook-alpha-beta.json"


@pytest.fixture
def ask(viewer: Viewer) -> Callable[..., Any]:
    client = viewer(TEXTBOOK)
    log_id = client.get("/api/logs").get_json()["logs"][0]["id"]

    def get(noun: str = "", **query: object) -> Any:
        return client.get(f"/api/logs/{log_id}/replay{noun}", query_string=query)

    return get


def test_scripts_and_api_give_the_same_figures(ask: Callable[..., Any]) -> None:
    for event, moment in enumerate(plyscope.replay(TEXTBOOK)):
        expected, answered = moment.as_json(), ask(event=event).get_json()
        about = {"event": event, "node": expected["id"], "enters": expected["enters"]}
        assert {name: answered[name] for name in about} == about
        for told, frame in zip(answered["stack"], expected["stack"], strict=True):
            assert {name: told.get(name) for name in ("id", "best", "best_id", "alpha", "beta")} == frame


def test_steps_go_in_over_out_and_back(ask: Callable[..., Any]) -> None:
    replay = plyscope.replay(TEXTBOOK)
    log = plyscope.open(TEXTBOOK)
    first = log.main_root.children[0]
    at = replay.entering(first)
    assert ask(node=first.id).get_json()["event"] == at
    low = [replay.entering(node) for node in log if node.score is not None and node.score < 3]
    assert min(low) == replay.next_stop(0, "score < 3")
    for query, event in (
        ({"event": at}, at + 1),
        ({"event": at, "to": "over"}, replay.leaving(first)),
        ({"event": at, "to": "out"}, replay.leaving(log.main_root)),
        ({"event": at, "to": "back"}, at - 1),
        ({"event": 0, "to": "cut"}, replay.next_stop(0, "cut")),
        ({"event": 0, "to": "where", "q": "score < 3"}, min(low)),
    ):
        assert ask("/next", **query).get_json()["event"] == event
    assert ask("/next", event=0, to="back").get_json() == {"event": None, "events": len(replay)}
    cut = ask("/next", event=0, to="cut").get_json()
    assert log.node(cut["node"]).outcome == "cutoff"
    assert ask("/next", event=cut["event"] + 1, to="cut", backwards=1).get_json()["event"] == cut["event"]


def test_what_is_no_place_in_time_is_refused(ask: Callable[..., Any]) -> None:
    for noun, query, status, said in (
        ("/next", {"event": 0, "to": "where", "q": "scor < 3"}, 400, "did you mean `score`"),
        ("/next", {"event": 10**6}, 400, "none of the"),
        ("/next", {"to": "sideways"}, 400, "`to` must be in, over, out, back, cut, best or where"),
        ("/rail", {"of": "findings"}, 409, ""),
        ("/rail", {"of": "hits", "q": "scor > 1"}, 400, "score"),
        ("/rail", {"of": "stops", "q": "scor > 1"}, 400, "score"),
        ("/rail", {"of": "nothing"}, 400, "`of` must be hits"),
        ("/rail", {"width": 0}, 400, "width"),
    ):
        answer = refusal(ask(noun, **query))
        assert (answer[0], said in answer[1]) == (status, True), answer


def test_a_large_log_that_is_opened_gets_its_overview_ready(
    client: FlaskClient, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(picture, "SECONDS_BEFORE", 0)
    before = set(picture.threads)
    client.get(url)
    assert set(picture.threads) == before
    monkeypatch.setattr(picture, "LARGE_ROWS", 6)
    client.get(url)
    (tree,) = set(picture.threads) - before
    picture.threads[tree].join()
    assert tree in measure._kept
    client.get(url)
    assert set(picture.threads) == before | {tree}


def test_page_and_script_say_the_same(client: FlaskClient, url: str, small: dict[str, Any]) -> None:
    page = client.get(f"{url}/statistics").get_json()
    assert page == json.loads(json.dumps(plyscope.statistics(json.dumps(small)).as_json()))
    assert (page["nodes"], page["order"]["cuts"]) == (6, 1)
    followed = client.get(f"{url}/statistics/iterations?node=1").get_json()  # through the iterations
    assert (followed["node"], followed["total"]) == (1, 1)
    assert [(each["id"], each["score"]) for each in followed["items"]] == [(1, 4)]
    assert client.get(f"{url}/statistics/iterations?offset=1").get_json()["items"] == []


def test_the_api_draws_what_the_function_draws(client: FlaskClient, url: str, small: dict[str, Any]) -> None:
    log = plyscope.open(json.dumps(small))
    log.name = client.get(url).get_json()["log"]["name"]
    assert client.get(f"{url}/picture.svg").text == plyscope.picture(log).svg
    b, e = log.node("b"), log.node("b > e")
    asked = f"node={b.id}&levels=1&children=1&windows=1&factors=1&dark=1&highlight={e.id}"
    how: dict[str, Any] = {"levels": 1, "children": 1, "windows": True, "factors": True, "dark": True}
    answer = client.get(f"{url}/picture.svg?{asked}")
    assert answer.text == plyscope.picture(log, b, highlight=e, **how).svg
    assert answer.mimetype == "image/svg+xml"
    for form, begins in (("png", b"\x89PNG"), ("pdf", b"%PDF-")):
        assert client.get(f"{url}/picture.{form}").data.startswith(begins)
    assert "default-src 'self'" in answer.headers["Content-Security-Policy"]


def test_what_is_not_there_or_cannot_be_drawn_or_searched_is_refused_in_words(
    client: FlaskClient, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for address, status, said in (
        (f"{url}/statistics/iterations?node=99", 404, "99"),
        (f"{url}/statistics/iterations?node=x", 400, "whole number"),
        ("/api/logs/none/statistics", 404, "none"),
        (f"{url}/picture.svg?node=99", 404, "99"),
        (f"{url}/picture.svg?children=0", 400, "children must be at least 1"),
        (f"{url}/picture.svg?levels=x", 400, "levels must be a whole number"),
        (f"{url}/picture.svg?highlight=a", 400, "highlight must be ids"),
        (f"{url}/picture.svg?highlight={'1,' * 201}", 400, "at most 200 highlighted nodes"),
        (f"{url}/picture.svg?node=1&highlight=4", 400, "does not lie below"),
        (f"{url}/picture.svg?board=1", 400, "there is no board: "),
        (f"{url}/picture.gif", 404, ""),
        (f"{url}/overview?first=6", 400, "there are 6 nodes, and none from 6 to 6"),
        (f"{url}/overview?first=3&last=3", 400, "none from 3 to 3"),
        (f"{url}/overview?form=tree", 400, "`form` must be icicle or levels, not 'tree'"),
        (f"{url}/overview?width=0", 400, "width must be at least 1, not 0"),
        (f"{url}/overview?colour=weihgt", 400, "weihgt"),
        (f"{url}/overview/marks?of=stops", 400, "`of` must be hits or findings, not 'stops'"),
        (f"{url}/overview/marks?q=score+%3C", 400, "found the end"),
        (f"{url}/overview/marks?of=findings", 409, "check"),
        (f"{url}/overview/places?ids=77", 404, "77"),
        (f"{url}/explain?node=99", 404, "this log has no node 99"),
        (f"{url}/explain?node=x", 400, "node must be a whole number, not 'x'"),
        (f"{url}/explain?versus=4&ply=f", 404, "versus names no stub that stands for the ply 'f'"),
        (f"{url}/explain?versus=6&ply=zz", 404, "versus names no stub that stands for the ply 'zz'"),
        (f"{url}/explain?ply=f", 404, "versus names no stub"),
        (f"{url}/explain/exact?which=none", 400, "which must be chosen or rival, not 'none'"),
        (f"{url}/explain/exact?which=chosen", 409, "the chosen ply needs no search"),
    ):
        refused = refusal(client.get(address))
        assert (refused[0], said in refused[1]) == (status, True), address
    stopped: list[str] = []
    monkeypatch.setattr(ExactSearches, "stop", lambda searches, tree, key: stopped.append(key[1]))
    answer = client.delete(f"{url}/explain/exact?versus=4").get_json()
    assert (answer, stopped) == ({"state": "none"}, ["b"])
    for noun, said in (
        ("exact", "b cannot be searched exactly: "),
        ("exact/log", "this ply was not"),
    ):
        status, words = refusal(client.post(f"{url}/explain/{noun}?versus=4"))
        assert (status, said in words) == (409, True), words


def test_the_api_gives_the_answer_of_the_function(
    client: FlaskClient, url: str, small: dict[str, Any]
) -> None:
    log = plyscope.open(json.dumps(small))
    a, b, e = (log.node(path).id for path in ("a", "b", "b > e"))
    alone = [pair for each in (a, b, e) for pair in ((None, each), (each, None))]
    for node, versus in [(None, None), (a, b), (b, a), (e, a), (a, e), *alone]:
        named = {name: at for name, at in (("node", node), ("versus", versus)) if at is not None}
        answer = client.get(f"{url}/explain", query_string=named).get_json()
        assert answer == plyscope.explain(log, node, versus).as_json()
    stub = log.node("b > (pruned)").id  # of which one ply can be the rival
    answer = client.get(f"{url}/explain?versus={stub}&ply=g").get_json()
    assert answer == plyscope.explain(log, None, "b > g").as_json()
    assert answer["rival"] == {"id": stub, "ply": "g", "path": "b > (pruned)"}
    assert answer["sentences"][1].startswith("g was never searched here: alpha-beta cut it off")
