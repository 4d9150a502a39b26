"""A session while a search runs or its machine code is made, and the lines that pile up meanwhile."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plyscope.engine.options import SearchOptions
from plyscope.visualizer.uhp import session as session_module
from plyscope.visualizer.uhp.inbox import LONGEST_LINE, MOST_WAITING, Inbox
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


class Pipe:
    """A pipe and the inbox at its end; `send` returns once all is taken over by the system."""

    def __init__(self) -> None:
        reading, self._writing = os.pipe()
        self.inbox = Inbox(reading)

    def send(self, data: bytes) -> None:
        while data:
            data = data[os.write(self._writing, data) :]

    def close(self) -> None:
        if self._writing >= 0:
            os.close(self._writing)
        self._writing = -1

    def rest(self) -> list[str]:
        self.close()
        return [*iter(self.inbox.next, None)]


@pytest.fixture
def pipe() -> Iterator[Pipe]:
    pipe = Pipe()
    yield pipe
    pipe.rest()


def test_lines_end_with_or_without_a_carriage_return_and_the_last_with_nothing(pipe: Pipe) -> None:
    pipe.inbox.start()
    pipe.send(b"info\r\n\nplay wS1\t\nplay \xff\xfe\nne\xc3\xa9\x00\nvalid")
    lines = [pipe.inbox.next() for _ in range(5)]
    assert lines == ["info", "", "play wS1\t", "play \ufffd\ufffd", "ne\u00e9\x00"]
    pipe.send(b"moves\n" + b"x" * (40 * LONGEST_LINE))
    moves, cut = pipe.rest()
    assert (moves, len(cut)) == ("validmoves", LONGEST_LINE + 1)


def test_more_lines_than_wait_at_a_time_all_come_out_in_order(pipe: Pipe) -> None:
    n_lines = 6 * MOST_WAITING
    sent = b"".join(b"%d\n" % number for number in range(n_lines))
    sender = threading.Thread(target=pipe.send, args=(sent,))
    pipe.inbox.start()
    sender.start()
    assert [pipe.inbox.next() for _ in range(n_lines)] == [str(number) for number in range(n_lines)]
    sender.join()


def test_only_a_line_that_comes_in_later_came_in_after(pipe: Pipe) -> None:
    pipe.send(b"bestmove depth 4\ninfo\n")
    pipe.inbox.start()
    assert pipe.inbox.next() == "bestmove depth 4"
    assert pipe.inbox.came_after() is None  # `info` stood in line
    assert pipe.inbox.next() == "info"
    pipe.send(b"exit\n")
    while (behind := pipe.inbox.came_after()) is None:
        assert not pipe.inbox.is_at_end
    assert behind == "exit"
    assert pipe.rest() == ["exit"]


def test_the_end_is_known_before_the_last_line_is_taken(pipe: Pipe) -> None:
    pipe.send(b"info\n")
    pipe.close()
    pipe.inbox.start()
    while not pipe.inbox.is_at_end:
        pass
    assert pipe.inbox.next() == "info"
    assert pipe.inbox.next() is None


def test_a_descriptor_that_cannot_be_read_is_at_its_end() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    os.close(writing)
    inbox = Inbox(reading)
    inbox.start()
    assert inbox.next() is None
