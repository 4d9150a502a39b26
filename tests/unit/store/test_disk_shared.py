"""Converted logs that several processes write, read and delete at once; any log comes back as it was."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store import disk
from plyscope.visualizer.store.log import Log
from tests.patience import PATIENCE
from tests.property.documents import documents
from tests.property.examples import examples
from tests.unit.logs import log_of
from tests.unit.same_logs import assert_same

SMALL = {"score": 1, "mine": 2, "children": [{"ply": "ä", "score": 1}, {"outcome": "pruned", "plies": ["b"]}]}


@given(documents())
@settings(max_examples=examples(40), deadline=None)
def test_any_log_comes_back_from_the_disk_as_it_was(document: dict[str, Any]) -> None:
    log = read_log(orjson.dumps(document))
    with TemporaryDirectory() as folder:
        disk.save(log, Path(folder) / "log")
        back = disk.load(Path(folder) / "log")
        assert back is not None
        assert_same(back, log)
        assert (back.notices, dict(back.mapping), back.shape) == (log.notices, dict(log.mapping), log.shape)
        assert back.fields == log.fields


@given(st.data())
@settings(max_examples=examples(60), deadline=None)
def test_a_log_with_any_of_its_files_cut_anywhere_is_not_loaded(data: st.DataObject) -> None:
    """As a full disk, or a machine that lost power, leaves files."""
    with TemporaryDirectory() as folder:
        disk.save(log_of(SMALL), Path(folder) / "log")
        file = data.draw(st.sampled_from(sorted((Path(folder) / "log").iterdir())))
        content = file.read_bytes()
        if content:
            file.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
            assert disk.load(Path(folder) / "log") is None


def test_viewers_that_write_one_log_at_once_all_succeed_and_readers_see_it_whole(tmp_path: Path) -> None:
    """Two viewers opened the same file: both convert it, into the same place, while others look there."""
    folder, log = tmp_path / "log", log_of(SMALL)
    disk.save(log, folder)
    errors: list[BaseException] = []
    loaded: list[Log] = []
    writing = threading.Barrier(6)
    is_done = threading.Event()

    def write() -> None:
        try:
            writing.wait(PATIENCE)
            for _ in range(40):
                disk.save(log, folder)
        except BaseException as error:
            errors.append(error)

    def read() -> None:
        try:
            writing.wait(PATIENCE)
            while not is_done.is_set():
                found = disk.load(folder)
                if found is not None:
                    loaded.append(found)
        except BaseException as error:
            errors.append(error)

    writers = [threading.Thread(target=write) for _ in range(4)]
    readers = [threading.Thread(target=read) for _ in range(2)]
    for thread in (*writers, *readers):
        thread.start()
    for thread in writers:
        thread.join(PATIENCE)
    is_done.set()
    for thread in readers:
        thread.join(PATIENCE)
    assert errors == []
    for each in loaded[:: max(1, len(loaded) // 20)]:
        assert_same(each, log)
    last = disk.load(folder)
    assert last is not None
    assert_same(last, log)
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


def test_a_log_that_is_open_stays_whole_where_its_folder_is_deleted_or_replaced(tmp_path: Path) -> None:
    folder, log = tmp_path / "log", log_of(SMALL)
    disk.save(log, folder)
    opened = disk.load(folder)
    disk.save(log_of({"score": 9}), folder)
    after = disk.load(folder)
    shutil.rmtree(folder)
    assert opened is not None
    assert_same(opened, log)
    assert after is not None
    assert after.columns["score"].tolist() == [9]


def test_a_disk_that_is_full_leaves_the_log_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, log = tmp_path / "log", log_of(SMALL)
    disk.save(log, folder)
    save = np.save

    def full(path: Path, array: Any) -> None:
        if path.name == "texts.npy":
            raise OSError("no space left on device")
        save(path, array)

    with monkeypatch.context() as patch:
        patch.setattr(np, "save", full)
        with pytest.raises(OSError, match="no space left"):
            disk.save(log_of({"score": 9}), folder)
    found = disk.load(folder)
    assert found is not None
    assert_same(found, log)
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


def test_a_log_that_is_replaced_is_moved_away_whole_and_never_emptied_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a reader could meet a folder with some of its columns."""
    folder = tmp_path / "log"
    disk.save(log_of(SMALL), folder)
    seen: list[bool] = []
    rmtree = shutil.rmtree

    def look(path: Path, **how: Any) -> None:
        seen.append(Path(path) == folder)
        rmtree(path, **how)

    monkeypatch.setattr(shutil, "rmtree", look)
    disk.save(log_of({"score": 9}), folder)
    assert seen
    assert not any(seen)
