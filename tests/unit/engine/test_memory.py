"""The memory a search writes to: room that grows, room that ends, room that the machine has."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from plyscope.engine.record import memory
from plyscope.engine.record.rows import ROWS_A_VISIT


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
