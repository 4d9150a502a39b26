"""Lines from a pipe: however they are cut, ended, broken or piled up, each comes out once and in order."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import pytest

from plyscope.visualizer.uhp.inbox import LONGEST_LINE, MOST_WAITING, Inbox


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
