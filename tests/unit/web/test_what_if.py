"""Other weights in the API: the figures that scripts have, and searches with them, one at a time."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import plyscope
from plyscope.visualizer.analysis import warm_up
from plyscope.visualizer.analysis.whatif import answer, reweighing
from plyscope.visualizer.shelf.jobs.searches import Searches
from plyscope.visualizer.web.api import weights
from tests.patience import PATIENCE
from tests.unit.logs import there
from tests.unit.web.conftest import Viewer, listed, posted, refusal

FOUR = Path(__file__).parents[3] / "examples" / "connect-four-deepening.jsonl.gz"


@pytest.fixture
def client(viewer: Viewer, tmp_path: Path) -> Iterator[FlaskClient]:
    """A viewer on the Connect Four example and on a search of it without an end."""
    endless = plyscope.open(FOUR).header
    endless["search"]["depth"] = 40
    endless["search"]["options"] = {"iterative": False}
    leaf = {"ply": "4", "layer": "min", "score": 1, "outcome": "leaf", "factors": [1, 1, 1, 1, 1, 1]}
    path = tmp_path / "endless.json"
    path.write_text(json.dumps({**endless, "root": {"layer": "max", "children": [leaf]}}))
    client = viewer(FOUR, path)
    yield client
    if (searches := client.application.extensions.get("searches")) is not None:
        searches.close()


@pytest.fixture
def url(client: FlaskClient) -> str:
    return f"/api/logs/{listed(client, FOUR.name)['id']}"


@pytest.fixture
def ask(client: FlaskClient, url: str) -> Callable[..., Any]:

    def get(noun: str = "", **query: object) -> Any:
        return client.get(f"{url}/weights{noun}", query_string={"wait": 10, **query}).get_json()

    return get


def test_scripts_and_api_give_the_same_figures(ask: Callable[..., Any]) -> None:
    found = plyscope.what_if(FOUR, {"twos": 0.5, "lines": 3})
    answered = ask(weights="twos:0.5,lines:3")
    beside = {"state": "done", "intervals": {}, "more_plies": 0}
    expected = json.loads(json.dumps(found.as_json()))
    del expected["log"]
    assert answered == expected | beside
    ranges = ask("/ranges")
    assert (ranges["state"], [each["name"] for each in ranges["ranges"]]) == (
        "done",
        [r.name for r in found.ranges],
    )
    assert [float(each["flips_at"]) for each in ranges["ranges"]] == [each.flips_at for each in found.ranges]


def test_what_makes_no_sense_is_refused_in_words(ask: Callable[..., Any]) -> None:
    for noun, query, status, error in (
        ("", {"weights": "lines"}, 400, "weights must be name:number,…, not 'lines'"),
        ("", {"weights": "lines:inf"}, 400, "weights must be name:number,…, not 'lines:inf'"),
        ("", {"weights": "nothing:3"}, 400, "no factor 'nothing' in this log; its factors are"),
        ("", {"ids": "123456"}, 404, "this log has no node 123456"),
        ("/curve", {"factor": "nothing"}, 404, "no factor 'nothing' whose weight could change"),
        ("/curve", {"factor": "lines", "from": 3, "to": 1}, 400, "`from` must be less than `to`"),
        ("/curve", {"factor": "lines", "from": "x"}, 400, "from must be a number, not 'x'"),
    ):
        answered = ask(noun, **query)
        assert (answered["status"], answered["error"][: len(error)]) == (status, error)


def test_a_large_log_is_not_ranged_unasked(ask: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    with monkeypatch.context() as patch:  # nor does it wait for a compiler
        patch.setattr(reweighing, "PLAIN_ROWS", 0)
        patch.setattr(reweighing, "has_any", lambda name: name != "fold_lines")
        patch.setattr(warm_up, "compile_beside", begun.append)
        assert ask("/ranges", quick="")["state"] == "none"
        patch.setattr(reweighing, "has_any", lambda name: True)
        patch.setattr(weights, "QUICK_ROWS", 10)
        assert ask("/ranges", quick="")["state"] == "none"
    assert begun == ["weights"]
    for name in ("PLAIN_ROWS", "PLAIN_WORK"):
        monkeypatch.setattr(reweighing, name, 10**9)
    assert ask("/ranges", quick="")["state"] == "done"
    monkeypatch.setattr(weights, "QUICK_ROWS", 10)
    assert ask("/ranges")["state"] == "done"


def test_answers_are_bounded(ask: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "MOST_PLIES", 2)
    monkeypatch.setattr(answer, "MOST_POINTS", 4)
    found = ask(weights="twos:0.5")
    assert len(found["plies"]) == 2
    assert found["more_plies"] == 5
    curve = ask("/curve", factor="lines", **{"from": -100, "to": 100})
    assert len(curve["plies"]) == 2
    assert curve["more_plies"] == 5
    assert all(len(ply["low"]) <= 8 for ply in curve["plies"])


def ended(client: FlaskClient, url: str) -> dict[str, Any]:
    for _ in range(int(PATIENCE)):
        answer: dict[str, Any] = client.get(f"{url}/weights/search?wait=1").get_json()
        if answer["state"] != "running":
            return answer
    raise AssertionError("the search did not end")


def test_the_new_log_is_kept_and_is_that_of_scripts(client: FlaskClient, url: str) -> None:
    begun = client.get(f"{url}/weights/search").get_json()
    assert begun == {"state": "none", "asked": {"depth": 5}, "notes": []}
    begun = client.post(f"{url}/weights/search?weights=twos:0.5,lines:3")
    assert (begun.status_code, begun.get_json()["state"]) == (202, "running")
    assert begun.get_json()["weights"] == {"twos": 0.5, "lines": 3}
    found = ended(client, url)
    assert found["state"] == "done"
    summary = client.get(f"/api/logs/{found['log']}").get_json()["log"]
    assert summary["name"] == "connect-four-deepening with twos=0.5, lines=3"
    assert summary["source"] == "pasted"
    compared = client.get(f"/api/logs/{found['log']}/diff?against={url.split('/')[-1]}&wait=10").get_json()

    old = plyscope.open(FOUR)
    new = plyscope.what_if(old, {"twos": 0.5, "lines": 3}).search()
    difference = plyscope.diff(old, new)
    assert compared["sentences"] == [
        each for each in difference.as_json()["sentences"] if each
    ]  # the same figures, in the same words
    assert {each["name"]: each["weight"] for each in new.header["factors"]} == {
        **{each["name"]: each["weight"] for each in old.header["factors"]},
        "twos": 0.5,
        "lines": 3,
    }

    client.delete(f"/api/logs/{found['log']}")
    assert ended(client, url)["state"] == "none"


def test_one_search_runs_at_a_time_and_is_cancelled_with_nothing_left(
    client: FlaskClient, url: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    other = f"/api/logs/{listed(client, 'endless.json')['id']}"
    client.get(other)
    assert client.post(f"{other}/weights/search?weights=twos:1").status_code == 202
    assert client.post(f"{other}/weights/search?weights=twos:1").status_code == 202
    for taken in (f"{other}/weights/search?weights=twos:7", f"{url}/weights/search?weights=twos:1"):
        refused = client.post(taken)
        assert refused.status_code == 409
        assert refused.get_json()["error"].startswith("endless.json is searched again already")
    running: Searches = client.application.extensions["searches"]
    search = there(running.of(other.split("/")[-1]))
    while search.progress.get("phase") != "searching":
        assert client.get(f"{other}/weights/search?wait=1").get_json()["state"] == "running"
    assert client.get(f"{other}/weights/search").get_json()["nodes"] > 0
    assert client.delete(f"{other}/weights/search").get_json()["state"] == "none"
    assert search.state == "cancelled"
    assert not search._child.is_running
    assert client.post(f"{url}/weights/search?weights=twos:1").status_code == 202
    assert ended(client, url)["state"] == "done"
    assert list(tmp_path.glob("plyscope-search-*")) == []
    assert sum(log["source"] == "pasted" for log in client.get("/api/logs").get_json()["logs"]) == 1


def test_weights_that_make_no_sense_and_another_engine_are_not_searched_with(
    client: FlaskClient, url: str, empty: FlaskClient
) -> None:
    for query, error in (
        ("weights=nothing:3", "weights: 'nothing' is no factor; expected one of centre, lines"),
        ("weights=twos:x", "weights must be name:number,…, not 'twos:x'"),
        ("weights=twos:1e307", "weights: they are too large to search with"),
    ):
        status, said = refusal(client.post(f"{url}/weights/search?{query}"))
        assert (status, said[: len(error)]) == (400, error)
    leaf = {"ply": "a", "layer": "min", "score": 1, "outcome": "leaf", "factors": [1]}
    header = {"factors": [{"name": "f", "weight": 1}], "search": {"engine": "other"}}
    url = posted(empty, {"plyscope": 1, **header, "root": {"layer": "max", "children": [leaf]}})
    answer = empty.get(f"{url}/weights/search").get_json()
    assert answer["state"] == "refused"
    assert answer["reason"].startswith("the engine of this log is 'other'; only Plyscope's own")
    assert refusal(empty.post(f"{url}/weights/search?weights=f:2")) == (400, answer["reason"])
