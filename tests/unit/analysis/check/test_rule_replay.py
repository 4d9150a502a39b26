"""replay: a log is played again in its game, position by position."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from engine.games import GAMES, find
from engine.options import SearchOptions
from engine.run import search
from tests.unit.analysis.check.checked import child, example, found
from visualizer.analysis.check import replaying
from visualizer.analysis.check.run import check
from visualizer.formats.recording import log_from_recording
from visualizer.store.log import Log


def recorded(name: str, depth: int = 2) -> Log:
    return log_from_recording(search(find(name), options=SearchOptions(depth=depth), compiled=False))


def test_a_missed_end_of_the_game_is_found() -> None:
    assert found(example("replay")) == [("replay", "c3")]


def test_a_log_that_the_game_confirms_is_clean() -> None:
    document = example("replay")
    child(document, 1).update(outcome="terminal", ending="win")
    assert found(document) == []


@pytest.mark.parametrize(
    ("place", "fields", "path"),
    [
        (0, {"ply": "a3"}, "a3"),
        (0, {"player": "X"}, "b1"),
        (0, {"outcome": "terminal", "ending": "draw"}, "b1"),
        (1, {"outcome": "terminal", "ending": "loss"}, "c3"),
    ],
)
def test_what_the_game_says_otherwise_is_found(place: int, fields: dict[str, Any], path: str) -> None:
    document = example("replay")
    document["players"] = ["X", "O"]
    child(document, 1).update(outcome="terminal", ending="win")
    assert found(document, "replay") == []
    child(document, place).update(fields)
    assert found(document, "replay") == [("replay", path)]


def test_a_wrong_number_of_plies_is_found() -> None:
    document = example("replay")
    child(document, 1).update(outcome="terminal", ending="win")
    document["root"]["moves"] = 4
    document["root"]["children"][2] = {"outcome": "limited", "count": 2}
    assert found(document) == [("replay", "root")]


@pytest.mark.parametrize("name", GAMES)
def test_a_recorded_search_of_each_game_is_what_the_game_says(name: str) -> None:
    report = check(recorded(name), compiled=False)
    assert "replay" in report.checked
    assert report.counts["wrong"] == 0


@pytest.mark.parametrize("column", ["key", "static"])
def test_a_key_or_evaluation_of_our_engine_that_is_not_the_games_is_found(column: str) -> None:
    log = recorded("tictactoe")
    changed = np.array(log.columns[column])
    changed[1] = 77
    log = Log(**{**vars(log), "columns": {**log.columns, column: changed}})
    assert 1 in [finding.row for finding in check(log, compiled=False).findings("replay")]


def test_a_game_that_is_not_known_is_said_not_to_be_checked() -> None:
    document = example("replay")
    document["game"] = "nim"
    assert found(document, "replay") == []


def test_what_is_not_played_of_a_long_log_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replaying, "MOST_ROWS", 20)
    log = recorded("tictactoe")
    report = check(log, compiled=False)
    (left_out,) = [each for each in report.not_checked if each.rule == "replay"]
    assert left_out.n_nodes == log.n_rows - 20 > 0
    assert "first 20 rows" in left_out.why
