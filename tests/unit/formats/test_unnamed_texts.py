"""Unknown fields of large logs that are written into a file without a name, which gets one with the log."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.formats import detect
from plyscope.visualizer.formats.detect import read_log, read_mapped
from plyscope.visualizer.shelf.jobs.log_converter import mapped_file
from plyscope.visualizer.store import disk
from plyscope.visualizer.store.log import Log
from tests.unit.same_logs import assert_same

CHILDREN = [{"ply": f"m{n % 7}", "score": n % 5, "mine": {"at": n, "why": 0.1 + 0.2}} for n in range(1_000)]
OURS: dict[str, Any] = {"plyscope": 1, "root": {"score": 4, "children": CHILDREN}}
THEIRS: dict[str, Any] = {
    "name": "start",
    "data": {"value": 4, "why": 1e-7},
    "kids": [
        {"name": f"m{n % 7}", "data": {"value": n % 5, "why": 1.5 + n}, "kids": []} for n in range(1_000)
    ],
}
SPLIT: dict[str, Any] = {
    "name": "start",
    "kids": [{"x": n, "kids": [{"x": -n, "name": "a"}], "y": n, "name": f"m{n}"} for n in range(1_000)],
}
"""A node's fields before its children and behind them."""


def read(document: dict[str, Any], folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Log, Log]:
    """The log that is read with a folder for large texts, and the one that is read as values."""
    monkeypatch.setattr(detect, "LARGE_BYTES", 10)
    path = folder / "log.json"
    path.write_text(json.dumps(document))
    data = mapped_file(path, least=10)
    assert not isinstance(data, bytes)
    log = read_mapped(data, least=10, scratch=folder / "library")
    monkeypatch.setattr(detect, "LARGE_BYTES", 10**9)
    assert log is not None
    return log, read_log(path.read_bytes())


@pytest.mark.parametrize("document", [OURS, THEIRS, SPLIT])
def test_unknown_fields_in_a_file_are_those_in_memory(
    document: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, walked = read(document, tmp_path, monkeypatch)
    assert_same(log, walked)
    assert log.extras is not None
    assert log.extras.file is not None
    assert list((tmp_path / "library").iterdir()) == []
    disk.save(log, tmp_path / "library" / "kept")
    loaded = disk.load(tmp_path / "library" / "kept")
    assert loaded is not None
    assert_same(loaded, walked)


def test_on_another_disk_they_are_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, walked = read(OURS, tmp_path, monkeypatch)

    def refuse(*given: object, **how: object) -> None:
        raise OSError("another disk")

    monkeypatch.setattr(os, "link", refuse)
    disk.save(log, tmp_path / "kept")
    loaded = disk.load(tmp_path / "kept")
    assert loaded is not None
    assert_same(loaded, walked)


def test_where_no_file_can_be_made_they_stay_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "library").write_text("no folder")
    log, walked = read(OURS, tmp_path, monkeypatch)
    assert log.extras is not None
    assert log.extras.file is None
    assert_same(log, walked)


def test_a_full_disk_is_told_to_the_caller(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*given: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "pwrite", refuse)
    with pytest.raises(OSError, match="No space left"):
        read(OURS, tmp_path, monkeypatch)
