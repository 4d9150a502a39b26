"""Tests of a session while a search runs, or its machine code is made: reports, stops."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from plyscope.engine.options import SearchOptions
from plyscope.visualizer.uhp import session as session_module
from plyscope.visualizer.uhp.session import Session
from tests.unit.uhp.conftest import ask


def test_every_depth_is_reported_before_the_answer_where_asked(session: Session) -> None:
    for line in ("newgame Base;;;wS1;bG1 -wS1;wQ wS1-;bQ -bG1;wA1 wQ-;bA1 -bQ", "options set Q off"):
        ask(session, line)
    (silent,) = ask(session, "bestmove depth 3")
    ask(session, "options set ReportIntermediateBestMoves True")
    *reports, answer = ask(session, "bestmove depth 3")
    assert answer == silent
    assert [report.split(";")[1] for report in reports] == ["1", "2", "3"]
    for report in reports:
        ply, depth, score, *expected = report.split(";")
        assert expected[0] == ply
        assert 1 <= len(expected) <= int(depth)
        assert re.fullmatch(r"-?\d+\.\d\d", score)
    assert reports[-1].startswith(f"{answer};3;")
    assert len(reports[-1].split(";")) == 3 + 3


def test_a_bestmove_that_is_stopped_answers_the_best_so_far(tmp_path: Path) -> None:
    """The search is let go until it has done two depths; an hour was asked for."""
    said: list[str] = []
    session = Session(tmp_path, compiled=False, report=said.append, should_stop=lambda: len(said) >= 2)
    ask(session, "options set ReportIntermediateBestMoves True")
    ask(session, "newgame Base;;;wS1;bG1 -wS1;wQ wS1-;bQ -bG1;wA1 wQ-;bA1 -bQ")
    (ply,) = ask(session, "bestmove time 01:00:00")
    assert said[-1].startswith(f"{ply};")
    assert not session.is_thinking


def test_a_bestmove_that_is_stopped_at_once_still_answers_and_a_perft_says_so(tmp_path: Path) -> None:
    session = Session(tmp_path, compiled=False, should_stop=lambda: True)
    ask(session, "newgame Base;;;wS1;bG1 -wS1;wQ wS1-;bQ -bG1;wA1 wQ-;bA1 -bQ")
    (ply,) = ask(session, "bestmove time 01:00:00")
    assert ply in ask(session, "validmoves")[0].split(";")
    *counts, last = ask(session, "perft 20")
    assert counts[:2] != []
    assert last.startswith("err perft: stopped after ")


@pytest.mark.parametrize("records", [False, True])
def test_a_session_plays_while_its_machine_code_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, records: bool
) -> None:
    """A search that writes a log has code of its own: it is asked for when logs are."""
    asked: list[bool] = []
    made: set[bool] = set()

    def prepare(game: object, options: SearchOptions, *, compiled: bool | None) -> Callable[[], bool]:
        asked.append(options.record)
        return lambda: options.record in made

    monkeypatch.setattr(session_module, "prepare", prepare)
    session = Session(tmp_path)
    for line in ("info", "help undo", "options get Level"):
        ask(session, line)
    assert asked == []
    ask(session, "newgame")
    if records:
        ask(session, "options set WriteLogs True")
    assert ask(session, "bestmove depth 1")[0] in ask(session, "validmoves")[0].split(";")
    assert asked == [False, True][: 1 + records]
    assert not session.get_ready()
    made.add(records)
    assert session.get_ready()
