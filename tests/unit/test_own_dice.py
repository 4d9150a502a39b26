"""A game with dice that a process was given: boards and replay go through rolls, searches begin there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import plyscope
from plyscope.engine.games import find_as_written, game_files, outside
from plyscope.engine.run import search
from plyscope.log import Log, tree_of
from plyscope.visualizer.analysis.explain.exact_question import question_of, worth_of
from plyscope.visualizer.boards import Boards
from plyscope.visualizer.formats.seal.recording import log_from_recording

EINSTEIN = f"{Path(__file__).parents[2]}/examples/games/einstein.py:EinStein"
ROLLED = "ABD../CE.../F...f/...ec/..dba {} 3"


@pytest.fixture(autouse=True)
def _brought(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(outside, "_brought", {})
    outside.bring(EINSTEIN)
    yield
    game_files.leave()


def searched(mover: str, **options: Any) -> Log:
    asked = {"depth": 2, "algorithm": "expectimax", **options}
    return plyscope.search(EINSTEIN, ROLLED.format(mover), progress=False, **asked)


@pytest.mark.parametrize("mover", ["red", "blue"])
def test_a_ply_that_leads_to_a_roll_is_searched_exactly_for_who_made_it(mover: str) -> None:
    """The search begins at a roll, so its scores are red's, whoever moved."""
    log = searched(mover)
    children = log.node(0).children
    assert len(children) == 3
    for child in children:
        question = question_of(tree_of(log), 0, child.ply)
        exact = log_from_recording(search(find_as_written("einstein"), question.position, question.options))
        assert worth_of(question, exact).score == pytest.approx(child.score)


def test_boards_and_replay_go_through_rolls_and_one_that_no_die_has_is_found(tmp_path: Path) -> None:
    log, path = searched("red"), tmp_path / "a.json"
    boards = Boards(tree_of(log).log)
    row = log.node("3-b3 > roll 6 > 6-d3").row
    assert boards.position(row) == "ABD../.E.../FC.f./...ec/..dba red ?"
    assert boards.drawing(row)["step"] == {"to": [3, 2], "from": [4, 2]}
    assert boards.drawing(log.node("3-b3 > roll 6").row)["hands"] == [[], ["6"]]
    log.write(path, progress=False)
    report = plyscope.check(path)
    assert ("replay" in report.checked, report.everything()) == (True, [])
    path.write_text(path.read_text("utf-8").replace('"roll 2"', '"roll 9"', 1), "utf-8")
    (finding,) = plyscope.check(path).everything()
    assert finding.rule == "replay"
    assert "'roll 9' is no legal ply for chance: expected one of roll 1, roll 2" in finding.message
