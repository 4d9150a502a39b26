"""Replay in the API, for scripts and on the command line: one set of figures."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import plyscope
from plyscope.visualizer.cli.main import plyscope as command

TEXTBOOK = Path(__file__).parents[3] / "examples" / "textbook-alpha-beta.json"


@pytest.fixture
def ask(viewer: Callable[..., FlaskClient]) -> Callable[..., Any]:
    """A function that asks the API for the replay of the textbook's tree."""
    client = viewer(TEXTBOOK)
    log_id = client.get("/api/logs").get_json()["logs"][0]["id"]

    def get(noun: str = "", **query: object) -> Any:
        return client.get(f"/api/logs/{log_id}/replay{noun}", query_string=query)

    return get


def test_scripts_command_and_api_give_the_same_figures(
    ask: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    replay = plyscope.replay(TEXTBOOK)
    command(["replay", str(TEXTBOOK), "--count", "1000", "--json"], standalone_mode=False)
    printed = json.loads(capsys.readouterr().out)
    assert printed["events"] == len(replay)
    assert printed["next"] is None
    assert printed["moments"] == [moment.as_json() for moment in replay]
    for event, moment in enumerate(printed["moments"]):
        answered = ask(event=event).get_json()
        assert (answered["event"], answered["node"], answered["enters"]) == (
            event,
            moment["id"],
            moment["enters"],
        )
        for told, frame in zip(answered["stack"], moment["stack"], strict=True):
            assert {name: told.get(name) for name in ("id", "best", "best_id", "alpha", "beta")} == frame


def test_steps_go_in_over_out_and_back(ask: Callable[..., Any]) -> None:
    replay = plyscope.replay(TEXTBOOK)
    log = plyscope.open(TEXTBOOK)
    first = log.main_root.children[0]
    at = replay.entering(first)
    assert ask(node=first.id).get_json()["event"] == at
    assert ask("/next", event=at).get_json()["event"] == at + 1
    assert ask("/next", event=at, to="over").get_json()["event"] == replay.leaving(first)
    assert ask("/next", event=at, to="out").get_json()["event"] == replay.leaving(log.main_root)
    assert ask("/next", event=at, to="back").get_json()["event"] == at - 1
    assert ask("/next", event=0, to="back").get_json() == {"event": None, "events": len(replay)}
    cut = ask("/next", event=0, to="cut").get_json()
    assert cut["event"] == replay.next_stop(0, "cut")
    assert log.node(cut["node"]).outcome == "cutoff"
    least = ask("/next", event=0, to="where", q="score < 3").get_json()
    assert least["event"] == min(
        replay.entering(node) for node in log if node.score is not None and node.score < 3
    )
    assert least["event"] == replay.next_stop(0, "score < 3")
    wrong = ask("/next", event=0, to="where", q="scor < 3")
    assert (wrong.status_code, "did you mean `score`" in wrong.get_json()["error"]) == (400, True)
    again = ask("/next", event=cut["event"] + 1, to="cut", backwards=1).get_json()
    assert again["event"] == cut["event"]


def test_nodes_that_are_entered_later_are_told(ask: Callable[..., Any]) -> None:
    log = plyscope.open(TEXTBOOK)
    ids = [node.id for node in log]
    told = ask(event=3, ids=",".join(map(str, ids))).get_json()["unvisited"]
    replay = plyscope.replay(log)
    assert told == [node.id for node in log if replay.entering(node) > 3]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"event": 10**6}, "none of the"),
        ({"to": "sideways"}, "`to` must be in, over, out, back, cut, best or where"),
    ],
)
def test_what_is_no_place_in_time_is_refused(
    ask: Callable[..., Any], query: dict[str, Any], words: str
) -> None:
    answered = ask("/next", **query)
    assert answered.status_code == 400
    assert words in answered.get_json()["error"]


def test_the_rail_has_hits_stops_and_findings_by_pixel(ask: Callable[..., Any]) -> None:
    replay = plyscope.replay(TEXTBOOK)
    log = plyscope.open(TEXTBOOK)
    leaves = [replay.entering(node) for node in log if node.outcome == "leaf"]
    answered = ask("/rail", of="hits", q="outcome = 'leaf'", width=len(replay)).get_json()
    assert answered["total"] == len(leaves)
    assert [mark[0] for mark in answered["lanes"]["hits"]] == leaves
    assert [mark[2] for mark in answered["lanes"]["hits"]] == leaves
    assert [mark[3] for mark in answered["lanes"]["hits"]] == [n.id for n in log if n.outcome == "leaf"]
    cuts = ask("/rail", of="stops", q="cut", width=len(replay)).get_json()
    first = replay.next_stop(-1, "cut")
    assert cuts["lanes"]["stops"][0][2] == first
    assert sum(mark[1] for mark in ask("/rail", q="level >= 0", width=2).get_json()["lanes"]["hits"]) == 11


def test_a_rail_that_cannot_be_is_refused(ask: Callable[..., Any]) -> None:
    assert ask("/rail", of="findings").status_code == 409
    assert ask("/rail", of="hits", q="scor > 1").status_code == 400
    assert ask("/rail", of="stops", q="scor > 1").status_code == 400
    assert ask("/rail", of="nothing").get_json()["error"].startswith("`of` must be hits")
    assert ask("/rail", width=0).status_code == 400
