"""What-if in the API: the same figures as scripts have, refusals, intervals of the nodes that are shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

import plyscope
from plyscope.visualizer.analysis import warm_up
from plyscope.visualizer.analysis.whatif import answer, reweighing
from plyscope.visualizer.web.api import weights

MIDGAME = Path(__file__).parents[3] / "examples" / "connect-four-deepening.jsonl.gz"


@pytest.fixture
def ask(viewer: Callable[..., FlaskClient], tmp_path: Path) -> Callable[..., Any]:
    """A function that asks the API about the weights of the Connect Four example."""
    client = viewer(MIDGAME)
    log_id = client.get("/api/logs").get_json()["logs"][0]["id"]

    def get(noun: str = "", **query: object) -> Any:
        answered = client.get(f"/api/logs/{log_id}/weights{noun}", query_string={"wait": 10, **query})
        return answered.get_json()

    return get


def test_scripts_command_and_api_give_the_same_figures(
    ask: Callable[..., Any], capsys: pytest.CaptureFixture[str]
) -> None:
    from plyscope.visualizer.cli.main import plyscope as command

    found = plyscope.what_if(MIDGAME, {"twos": 0.5, "lines": 3})
    command(["what-if", str(MIDGAME), "--weights", "twos=0.5,lines=3", "--json"], standalone_mode=False)
    printed = json.loads(capsys.readouterr().out)
    answered = ask(weights="twos:0.5,lines:3")
    assert answered.pop("state") == "done"
    assert answered.pop("intervals") == {}
    assert answered.pop("more_plies") == 0
    assert printed.pop("log") == str(MIDGAME)
    assert answered == printed == {key: value for key, value in found.as_json().items() if key != "log"}

    command(["what-if", str(MIDGAME), "--json"], standalone_mode=False)
    ranged = json.loads(capsys.readouterr().out)
    del ranged["log"]
    answered = ask("/ranges")
    assert answered.pop("state") == "done"
    assert answered == ranged
    assert [each["name"] for each in ranged["ranges"]] == [each.name for each in found.ranges]
    assert [each["flips_at"] for each in ranged["ranges"]] == [
        "inf" if each.flips_at == float("inf") else each.flips_at for each in found.ranges
    ]


def test_the_intervals_of_shown_nodes_are_those_of_scripts(ask: Callable[..., Any]) -> None:
    log = plyscope.open(MIDGAME)
    found = plyscope.what_if(log, {"twos": 0.5})
    nodes = [log.main_root, *log.main_root.children]
    ids = ",".join(str(node.id) for node in nodes)
    intervals = ask(weights="twos:0.5", ids=ids)["intervals"]
    for node in nodes:
        if not node.is_stub:
            low, high = (float(end) for end in intervals[str(node.id)])
            assert (low, high) == found.interval(node)


@pytest.mark.parametrize(
    ("noun", "query", "status", "error"),
    [
        ("", {"weights": "lines"}, 400, "weights must be name:number,…, not 'lines'"),
        ("", {"weights": "lines:inf"}, 400, "weights must be name:number,…, not 'lines:inf'"),
        ("", {"weights": "nothing:3"}, 400, "no factor 'nothing' in this log; its factors are"),
        ("", {"ids": "123456"}, 404, "this log has no node 123456"),
        ("/curve", {"factor": "nothing"}, 404, "no factor 'nothing' whose weight could change"),
        (
            "/curve",
            {"factor": "lines", "from": 3, "to": 1},
            400,
            "`from` must be less than `to`",
        ),
        ("/curve", {"factor": "lines", "from": "x"}, 400, "from must be a number, not 'x'"),
    ],
)
def test_what_makes_no_sense_is_refused_in_words(
    ask: Callable[..., Any], noun: str, query: dict[str, Any], status: int, error: str
) -> None:
    answered = ask(noun, **query)
    assert answered["status"] == status
    assert answered["error"].startswith(error)


def test_a_large_log_is_not_ranged_unasked(ask: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights, "QUICK_ROWS", 10)
    assert ask("/ranges", quick="")["state"] == "none"
    assert ask("/ranges")["state"] == "done"


def test_ranges_that_nobody_asked_for_do_not_wait_for_a_compiler(
    ask: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    monkeypatch.setattr(reweighing, "PLAIN_ROWS", 0)
    monkeypatch.setattr(reweighing, "has_any", lambda name: name != "fold_lines")
    monkeypatch.setattr(warm_up, "compile_beside", begun.append)
    assert ask("/ranges", quick="")["state"] == "none"
    assert begun == ["weights"]
    monkeypatch.setattr(reweighing, "has_any", lambda name: True)
    for name in ("PLAIN_ROWS", "PLAIN_WORK"):
        monkeypatch.setattr(reweighing, name, 10**9)
    assert ask("/ranges", quick="")["state"] == "done"


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
