"""The memory that a search records into: the row of a node, room that grows, pages touched ahead."""

from __future__ import annotations

import mmap
import threading
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import numpy.typing as npt
import pytest

from plyscope.engine.games import find
from plyscope.engine.options import SearchOptions
from plyscope.engine.record import memory, rows, touch_ahead
from plyscope.engine.record.recording import Recording
from plyscope.engine.record.rows import ROWS_A_VISIT
from plyscope.engine.record.touch_ahead import MOST_AHEAD, TouchAhead
from plyscope.engine.run import Progress, search
from plyscope.visualizer.store import words
from tests.patience import wait_for


def test_a_row_is_one_cache_line_and_its_codes_are_those_of_logs() -> None:
    assert rows.ROW.itemsize == 64
    names = "SEARCHED CUTOFF LEAF TERMINAL TT STOPPED OPEN PRUNED LIMITED FIRST_STUB UPPER LOWER EXACT "
    names += "FULL SCOUT RESEARCH NULL PROBE WIN LOSS DRAW"
    for name in names.split():
        assert getattr(rows, name) == getattr(words, name), name
    cuts = (rows.CUT_BY_CHILD, rows.CUT_BY_STAND_PAT, rows.CUT_BY_NULL, rows.CUT_BY_ESTIMATE)
    assert [words.CUT_BY[code] for code in cuts] == ["child", "stand_pat", "null", "estimate"]
    uses = (rows.USED_TO_CUT, rows.USED_TO_NARROW, rows.USED_TO_ORDER)
    assert [words.TT_USES[code] for code in uses] == ["cut", "narrow", "order"]
    assert rows.LOWER | rows.UPPER == rows.EXACT


def test_enlarged_memory_keeps_what_was_written() -> None:
    first = memory.reserve(8, 3, np.int16, 5)
    first.rows["score"] = np.arange(8)
    first.factors["values"] = 7
    first.stub_plies["ply"] = np.arange(len(first.stub_plies))
    larger = memory.enlarged(first, 5, 6, 4, most_rows=100)
    assert larger is not None
    assert len(larger.rows) == 16
    assert larger.rows["score"][:6].tolist() == [0, 1, 2, 3, 4, 5]
    assert (larger.factors["values"][:6] == 7).all()
    assert larger.factors["values"].dtype == np.int16
    assert larger.stub_plies["ply"][:4].tolist() == [0, 1, 2, 3]
    bounded = memory.enlarged(first, 5, 8, 0, most_rows=12)
    assert bounded is not None
    assert len(bounded.rows) == 12
    assert memory.enlarged(bounded, 5, 12, 0, most_rows=12) is None


def test_the_machine_has_room_for_some_rows_and_never_for_more_than_can_be_numbered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert 1_000 <= memory.machine_rows(7, np.float64) < 2**31
    monkeypatch.setattr(memory, "free_bytes", lambda: 1 << 60)
    assert memory.machine_rows(7, np.float64) == 2**31 - 1 - ROWS_A_VISIT
    monkeypatch.setattr(memory, "free_bytes", lambda: 0)
    assert memory.machine_rows(7, np.float64) == 1_000


def test_free_memory_is_known_where_linux_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, encoding: str) -> str:
        raise FileNotFoundError(self)

    assert memory.free_bytes() > 1 << 20
    monkeypatch.setattr(Path, "read_text", refuse)
    assert memory.free_bytes() > 1 << 20

    def no_answer(name: str) -> int:
        raise ValueError(name)

    monkeypatch.setattr("plyscope.engine.record.memory.os.sysconf", no_answer)
    assert memory.free_bytes() == 2 << 30


def test_a_container_is_held_to_its_own_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    files = {
        "memory.max": "1000000\n",
        "memory.current": "400000\n",
        "meminfo": "MemAvailable:   9000000 kB\n",
    }
    monkeypatch.setattr(Path, "exists", lambda self: True)
    monkeypatch.setattr(Path, "read_text", lambda self, encoding: files[self.name])
    assert memory.free_bytes() == 600_000
    files["memory.max"] = "max\n"
    assert memory.free_bytes() == 9_000_000 * 1024


MIB = 1 << 20
LARGE_PAGE = 2 * MIB
POPULATE, GIVE_BACK = 23, 4


class Advised:
    """A system that takes every advice, and remembers it."""

    def __init__(self) -> None:
        self.given: list[tuple[int, int, int]] = []

    def __call__(self, address: int, size: int, what: int) -> int:
        self.given.append((address, size, what))
        return 0

    def pieces(self, array: npt.NDArray[Any], what: int) -> list[tuple[int, int]]:
        """Where in `array` the advised pages begin and end."""
        begin, end = array.ctypes.data, array.ctypes.data + array.nbytes
        inside = [
            (at - begin, at - begin + size)
            for at, size, kind in self.given
            if kind == what and begin <= at < end
        ]
        assert all(0 <= first < last <= array.nbytes for first, last in inside)
        return inside


@pytest.fixture
def advised(monkeypatch: pytest.MonkeyPatch) -> Advised:
    system = Advised()
    monkeypatch.setattr(touch_ahead, "advice", lambda: system)
    return system


def touchers() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "touch-ahead"]


def connect_four(depth: int = 9, **how: Any) -> Recording:
    options = {name: how.pop(name) for name in ("nodes", "table") if name in how}
    return search(find("connect_four"), None, SearchOptions(depth=depth, **options), **how)


def record(recording: Recording) -> list[bytes]:
    return [
        array.tobytes() for array in (recording.rows, recording.factors, recording.stub_plies, recording.hits)
    ]


def test_half_of_what_is_written_is_touched_ahead_in_each_array_and_given_back(advised: Advised) -> None:
    rows, plies = np.empty(3 * MIB, np.int64), np.empty(8 * MIB, np.int32)
    with TouchAhead() as ahead:
        ahead.follow([(rows, 2 * MIB), (plies, 4 * MIB)])  # 16 MiB of 24, 16 MiB of 32
        wait_for(lambda: len(advised.given) == 4)
        assert len(touchers()) == 1
    for array in (rows, plies):
        touched = advised.pieces(array, POPULATE)
        assert touched[0][1] == touched[1][0]
        assert 16 * MIB <= touched[0][0] < 16 * MIB + mmap.PAGESIZE
        assert 24 * MIB - mmap.PAGESIZE <= touched[1][1] < 24 * MIB + mmap.PAGESIZE
        ((first, last),) = advised.pieces(array, GIVE_BACK)
        assert 16 * MIB <= first < 16 * MIB + LARGE_PAGE
        assert (array.ctypes.data + first) % LARGE_PAGE == 0
        assert last >= touched[1][1] - mmap.PAGESIZE


def test_no_more_than_a_bound_is_touched_ahead_of_a_long_search(advised: Advised) -> None:
    rows = np.empty(1 << 30, np.uint8)
    with TouchAhead() as ahead:
        ahead.follow([(rows, 700 * MIB)])
        wait_for(lambda: len(advised.given) == MOST_AHEAD // (4 * MIB))
    touched = advised.pieces(rows, POPULATE)
    assert touched[-1][1] - 700 * MIB <= MOST_AHEAD + mmap.PAGESIZE


def test_memory_that_grew_is_touched_in_its_place(advised: Advised) -> None:
    small, large = np.empty(20 * MIB, np.uint8), np.empty(80 * MIB, np.uint8)
    with TouchAhead() as ahead:
        ahead.follow([(small, 20 * MIB)])
        ahead.follow([(large, 20 * MIB)])
        wait_for(lambda: len(advised.given) == 3)
        ahead.follow([(large, 80 * MIB)])
    assert not advised.pieces(small, POPULATE)
    assert not advised.pieces(large, GIVE_BACK)


def _none_is_touching() -> None:
    assert not touchers()


def test_the_record_is_the_same_whoever_touches_its_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    connect_four(nodes=1_000, on_progress=lambda _: _none_is_touching())  # a short search gets no thread
    monkeypatch.setattr(touch_ahead, "FIRST_BYTES", 1)
    threads: set[int] = set()
    for table in (None, 4):
        told = record(connect_four(table=table, on_progress=lambda _: threads.add(len(touchers()))))
        with monkeypatch.context() as without:
            without.setattr(touch_ahead, "advice", lambda: None)
            assert record(connect_four(table=table, on_progress=lambda _: _none_is_touching())) == told
        with monkeypatch.context() as refused:
            refused.setattr(touch_ahead, "advice", lambda: lambda *_: -1)
            assert record(connect_four(table=table)) == told
    assert threads >= {1}
    assert not touchers()


def test_no_thread_outlives_a_search_that_is_interrupted(
    monkeypatch: pytest.MonkeyPatch, advised: Advised
) -> None:
    monkeypatch.setattr(touch_ahead, "FIRST_BYTES", 1)
    seen = []

    def interrupt(progress: Progress) -> None:
        if progress.phase == "searching":
            seen.append(len(touchers()))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        connect_four(on_progress=interrupt)
    assert seen == [1]
    assert not touchers()
    assert all(what == POPULATE for _, _, what in advised.given)


def test_systems_without_the_call_are_asked_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for lacking in (OSError, AttributeError):
        monkeypatch.setattr(touch_ahead.ctypes, "CDLL", Mock(side_effect=lacking))
        assert touch_ahead.advice.__wrapped__() is None
    monkeypatch.setattr(touch_ahead.sys, "platform", "win32")
    assert touch_ahead.advice.__wrapped__() is None
