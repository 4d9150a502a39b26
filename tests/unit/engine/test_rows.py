"""The memory a search writes to: one cache line a row, room that grows, room that ends."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from engine import rows
from visualizer.store import words


def test_a_row_is_one_cache_line() -> None:
    assert rows.ROW.itemsize == 64


@pytest.mark.parametrize(
    "name",
    [
        "SEARCHED",
        "CUTOFF",
        "LEAF",
        "TERMINAL",
        "TT",
        "STOPPED",
        "OPEN",
        "PRUNED",
        "LIMITED",
        "FIRST_STUB",
        "UPPER",
        "LOWER",
        "EXACT",
        "FULL",
        "SCOUT",
        "RESEARCH",
        "NULL",
        "PROBE",
        "WIN",
        "LOSS",
        "DRAW",
    ],
)
def test_codes_are_those_of_logs(name: str) -> None:
    assert getattr(rows, name) == getattr(words, name)


def test_codes_without_a_name_of_their_own_stand_where_the_words_of_logs_do() -> None:
    cuts = (rows.CUT_BY_CHILD, rows.CUT_BY_STAND_PAT, rows.CUT_BY_NULL, rows.CUT_BY_ESTIMATE)
    assert [words.CUT_BY[code] for code in cuts] == ["child", "stand_pat", "null", "estimate"]
    uses = (rows.USED_TO_CUT, rows.USED_TO_NARROW, rows.USED_TO_ORDER)
    assert [words.TT_USES[code] for code in uses] == ["cut", "narrow", "order"]
    assert rows.LOWER | rows.UPPER == rows.EXACT


def test_enlarged_memory_keeps_what_was_written() -> None:
    memory = rows.reserve(8, 3, np.int16, 2, 5)
    memory.rows["score"] = np.arange(8)
    memory.factors[:] = 7
    memory.stub_plies["ply"] = np.arange(len(memory.stub_plies))
    larger = rows.enlarged(memory, 6, 4, most_rows=100)
    assert larger is not None
    assert len(larger.rows) == 16
    assert larger.rows["score"][:6].tolist() == [0, 1, 2, 3, 4, 5]
    assert (larger.factors[:6] == 7).all()
    assert larger.factors.dtype == np.int16
    assert larger.stub_plies["ply"][:4].tolist() == [0, 1, 2, 3]
    assert larger.values is memory.values


def test_memory_grows_up_to_its_bound_and_not_past_it() -> None:
    memory = rows.reserve(8, 1, np.float64, 1, 1)
    larger = rows.enlarged(memory, 8, 0, most_rows=12)
    assert larger is not None
    assert len(larger.rows) == 12
    assert rows.enlarged(larger, 12, 0, most_rows=12) is None


def test_the_machine_has_room_for_some_rows_and_never_for_more_than_can_be_numbered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert 1_000 <= rows.machine_rows(7, np.float64) < 2**31
    monkeypatch.setattr(rows, "free_bytes", lambda: 1 << 60)
    assert rows.machine_rows(7, np.float64) == 2**31 - 1 - rows.ROWS_A_VISIT
    monkeypatch.setattr(rows, "free_bytes", lambda: 0)
    assert rows.machine_rows(7, np.float64) == 1_000


def test_free_memory_is_known_where_linux_does_not_tell(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, encoding: str) -> str:
        raise FileNotFoundError(self)

    assert rows.free_bytes() > 1 << 20
    monkeypatch.setattr(Path, "read_text", refuse)
    assert rows.free_bytes() > 1 << 20

    def no_answer(name: str) -> int:
        raise ValueError(name)

    monkeypatch.setattr("engine.rows.os.sysconf", no_answer)
    assert rows.free_bytes() == 2 << 30


def test_a_container_is_held_to_its_own_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    files = {
        "memory.max": "1000000\n",
        "memory.current": "400000\n",
        "meminfo": "MemAvailable:   9000000 kB\n",
    }
    monkeypatch.setattr(Path, "exists", lambda self: True)
    monkeypatch.setattr(Path, "read_text", lambda self, encoding: files[self.name])
    assert rows.free_bytes() == 600_000
    files["memory.max"] = "max\n"
    assert rows.free_bytes() == 9_000_000 * 1024
