"""Tests of a session while a search runs or is compiled: reports, stops, commands that need neither."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.uhp import session as session_module
from plyscope.visualizer.uhp.session import Session
from tests.patience import PATIENCE
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


def test_reports_go_out_while_the_search_runs(tmp_path: Path) -> None:
    said: list[str] = []
    session = Session(tmp_path, compiled=False, report=said.append)
    ask(session, "options set ReportIntermediateBestMoves True")
    ask(session, "newgame Base;;;wS1;bG1 -wS1;wQ wS1-;bQ -bG1;wA1 wQ-;bA1 -bQ")
    assert len(ask(session, "bestmove depth 2")) == 1
    assert [report.split(";")[1] for report in said] == ["1", "2"]


def test_a_bestmove_that_is_stopped_answers_the_best_so_far(tmp_path: Path) -> None:
    """The search is let go until it has done two depths; an hour was asked for."""
    said: list[str] = []
    session = Session(tmp_path, compiled=False, report=said.append, should_stop=lambda: len(said) >= 2)
    ask(session, "options set ReportIntermediateBestMoves True")
    ask(session, "newgame Base;;;wS1;bG1 -wS1;wQ wS1-;bQ -bG1;wA1 wQ-;bA1 -bQ")
    (ply,) = ask(session, "bestmove time 01:00:00")
    assert said[-1].startswith(f"{ply};")
    assert not session.is_thinking


def test_a_bestmove_that_is_stopped_at_once_still_answers(tmp_path: Path) -> None:
    session = Session(tmp_path, compiled=False, should_stop=lambda: True)
    ask(session, "newgame Base;;;wS1;bG1 -wS1;wQ wS1-;bQ -bG1;wA1 wQ-;bA1 -bQ")
    (ply,) = ask(session, "bestmove time 01:00:00")
    assert ply in ask(session, "validmoves")[0].split(";")


def test_a_perft_that_is_stopped_says_so(tmp_path: Path) -> None:
    session = Session(tmp_path, compiled=False, should_stop=lambda: True)
    ask(session, "newgame Base+MLP")
    *counts, last = ask(session, "perft 20")
    assert counts[:2] != []
    assert last.startswith("err perft: stopped after ")


@pytest.fixture
def compiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Session, threading.Event]]:
    """A session whose search is compiled until the event is set, and only then to be asked for anything."""
    is_compiled = threading.Event()

    def compile_slowly(*arguments: Any) -> None:
        assert is_compiled.wait(PATIENCE)

    monkeypatch.setattr(session_module, "search", compile_slowly)
    looks = iter([False])
    session = Session(tmp_path, should_stop=lambda: next(looks, True))
    session.get_ready()
    yield session, is_compiled
    is_compiled.set()


def test_commands_that_need_no_search_are_answered_while_it_is_compiled(
    compiling: tuple[Session, threading.Event],
) -> None:
    session, _ = compiling
    assert ask(session, "info")[0].startswith("id ")
    assert ask(session, "OPTIONS set Level 3") == ["Level;int;3;9;1;9"]
    assert ask(session, "help undo") != []
    assert ask(session, "dance")[0].startswith("err unknown command")
    assert [*session.answer("exit")] == []
    assert (session.is_over, session.compiler.is_busy) == (True, True)


def test_a_command_that_needs_the_search_waits_for_it_and_can_be_given_up(
    compiling: tuple[Session, threading.Event],
) -> None:
    """The session is told to stop the second time that it asks."""
    session, is_compiled = compiling
    assert ask(session, "newgame") == ["err newgame: stopped while the search was compiled"]
    assert not session.is_thinking
    is_compiled.set()
    session.get_ready().result(60)
    assert ask(session, "newgame") == ["Base;NotStarted;White[1]"]
    assert not session.compiler.is_busy


def test_a_second_compile_is_told_and_holds_up_nothing_but_the_search_that_needs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The search that records is compiled when logs are asked for, not when the first one is due."""
    is_compiled, told = threading.Event(), threading.Event()

    def compile_slowly(game: Any, position: Any, asked: Any, on_progress: Any) -> None:
        if asked.record:
            on_progress(None)
            assert is_compiled.wait(PATIENCE)

    monkeypatch.setattr(session_module, "search", compile_slowly)
    session = Session(tmp_path, should_stop=lambda: session.compiler.is_busy)
    session.on_compiling = lambda at: told.set()
    session.get_ready()
    ask(session, "newgame")
    assert ask(session, "options set WriteLogs True") == ["WriteLogs;bool;True;False"]
    assert told.wait(PATIENCE)
    assert ask(session, "play wS1") == ["Base;InProgress;Black[1];wS1"]
    assert ask(session, "bestmove depth 1") == ["err bestmove: stopped while the search was compiled"]
    is_compiled.set()
    assert session.compiler.begin("recorded search", lambda: None).result(60) is None
    assert not session.compiler.is_busy
