"""A converted log is complete or not there, of this layout, and whole whoever writes, reads or deletes it."""

from __future__ import annotations

import json
import shutil
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.visualizer.analysis.statistics.totals import counted_of, totals
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store import disk
from plyscope.visualizer.store.log import Lines, Log
from plyscope.visualizer.store.mapped import file_of
from plyscope.visualizer.store.tree import Tree
from tests.patience import PATIENCE
from tests.property.documents import documents
from tests.property.examples import examples
from tests.unit.logs import log_of, there
from tests.unit.same_logs import assert_same

LOG = log_of(
    {"score": 1, "mine": 2, "children": [{"ply": "ä", "score": 1}, {"outcome": "pruned", "plies": ["b"]}]},
    game="a game",
    factors=[{"name": "hand", "weight": -8.0, "meaning": "Pieces in hand."}, "plain"],
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    disk.save(LOG, tmp_path / "library" / "log")
    return tmp_path / "library" / "log"


def test_a_saved_log_is_mapped_not_read_and_its_texts_are_a_sequence(folder: Path) -> None:
    log = there(disk.load(folder))
    assert_same(log, LOG)
    assert file_of(log.columns["score"]) == folder / "score.npy"
    assert not log.columns["score"].flags.writeable
    texts = log.texts
    assert (len(texts), list(texts), texts[-1], texts[0:1]) == (2, ["ä", "b"], "b", ["ä"])
    with pytest.raises(IndexError, match="text 2 of 2"):
        texts[2]


def test_a_folder_that_is_not_there_and_a_log_of_another_layout_are_not_loaded(folder: Path) -> None:
    assert disk.load(folder.parent / "nothing") is None
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    (folder / "meta.json").write_text(json.dumps(meta | {"layout": 0}), encoding="utf-8")
    assert disk.load(folder) is None


def test_totals_are_kept_with_a_log_and_counted_anew_for_other_columns(tmp_path: Path) -> None:
    counted = counted_of(Tree(LOG))
    disk.save(replace(LOG, counted=replace(counted, searched=(99, 0))), tmp_path / "log")
    log = there(disk.load(tmp_path / "log"))
    kept, plain = totals(Tree(log)), totals(Tree(LOG))
    assert (kept.searched, plain.searched) == (99, counted.searched[0]), "what was kept is what is told"
    assert replace(kept, searched=plain.searched) == plain
    assert totals(Tree(replace(log, columns=dict(log.columns)))) == plain


def test_lines_are_kept_with_a_log_and_refused_where_they_are_of_other_rows(tmp_path: Path) -> None:
    rows = np.array([0, 1], np.int32)
    lines = Lines(LOG.columns, LOG.header, rows, rows)
    disk.save(replace(LOG, lines=lines), tmp_path / "log")
    log = there(disk.load(tmp_path / "log"))
    assert log.lines is not None
    assert log.lines.columns is log.columns
    assert log.lines.header is log.header
    assert (log.lines.variation.tolist(), log.lines.deciding.tolist()) == ([0, 1], [0, 1])
    for damaged in ([], [0, LOG.n_rows], [-1]):
        np.save(tmp_path / "log" / "lines.deciding.npy", np.array(damaged, np.int32))
        assert disk.load(tmp_path / "log") is None


@pytest.mark.parametrize("name", ["meta.json", "score.npy", "texts.npy", "texts.bin", "extras.bin"])
def test_a_log_that_lacks_a_file_or_has_one_too_long_is_not_loaded(folder: Path, name: str) -> None:
    """Bytes after a column are never looked at."""
    data = (folder / name).read_bytes()
    (folder / name).write_bytes(data + b"}")
    assert (disk.load(folder) is None) is not name.endswith(".npy")
    (folder / name).unlink()
    assert disk.load(folder) is None


@given(documents())
@settings(max_examples=examples(25), deadline=None)
def test_any_log_comes_back_from_the_disk_as_it_was(document: dict[str, Any]) -> None:
    log = read_log(orjson.dumps(document))
    with TemporaryDirectory() as folder:
        disk.save(log, Path(folder) / "log")
        back = there(disk.load(Path(folder) / "log"))
        assert_same(back, log)
        assert (back.notices, dict(back.mapping), back.shape) == (log.notices, dict(log.mapping), log.shape)
        assert back.fields == log.fields


@given(st.data())
@settings(max_examples=examples(40), deadline=None)
def test_a_log_with_any_of_its_files_cut_anywhere_is_not_loaded(data: st.DataObject) -> None:
    """As a full disk, or a machine that lost power, leaves files."""
    with TemporaryDirectory() as folder:
        disk.save(LOG, Path(folder) / "log")
        file = data.draw(st.sampled_from(sorted((Path(folder) / "log").iterdir())))
        content = file.read_bytes()
        if content:
            file.write_bytes(content[: data.draw(st.integers(0, len(content) - 1))])
            assert disk.load(Path(folder) / "log") is None


def test_viewers_that_write_one_log_at_once_all_succeed_and_readers_see_it_whole(tmp_path: Path) -> None:
    """Two viewers opened the same file: both convert it, into the same place, while others look there."""
    folder = tmp_path / "log"
    disk.save(LOG, folder)
    writing, is_done = threading.Barrier(6), threading.Event()

    def write() -> None:
        writing.wait(PATIENCE)
        for _ in range(20):
            disk.save(LOG, folder)

    def read() -> list[Log]:
        writing.wait(PATIENCE)
        loaded = []
        while not is_done.is_set():
            if (found := disk.load(folder)) is not None:
                loaded.append(found)
        return loaded

    with ThreadPoolExecutor(6) as pool:
        readers = [pool.submit(read) for _ in range(2)]
        writers = [pool.submit(write) for _ in range(4)]
        failed = [each.exception(PATIENCE) for each in writers]
        is_done.set()
        loaded = [log for each in readers for log in each.result(PATIENCE)]
    assert failed == [None] * 4
    for each in (*loaded[:: max(1, len(loaded) // 20)], there(disk.load(folder))):
        assert_same(each, LOG)
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


def test_a_log_that_is_open_stays_whole_where_its_folder_is_deleted_or_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "log"
    disk.save(LOG, folder)
    opened = disk.load(folder)
    disk.save(log_of({"score": 9}), folder)
    after = disk.load(folder)
    shutil.rmtree(folder)
    assert_same(there(opened), LOG)
    assert there(after).columns["score"].tolist() == [9]


def test_a_disk_that_is_full_leaves_the_log_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "log"
    disk.save(LOG, folder)
    save = np.save

    def full(path: Path, array: Any) -> None:
        if path.name == "texts.npy":
            raise OSError("no space left on device")
        save(path, array)

    monkeypatch.setattr(np, "save", full)
    with pytest.raises(OSError, match="no space left"):
        disk.save(log_of({"score": 9}), folder)
    monkeypatch.undo()
    assert_same(there(disk.load(folder)), LOG)
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


def test_a_log_that_is_replaced_is_moved_away_whole_and_never_emptied_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a reader could meet a folder with some of its columns."""
    disk.save(LOG, tmp_path / "log")
    emptied: list[Path] = []
    rmtree = shutil.rmtree
    monkeypatch.setattr(
        shutil, "rmtree", lambda path, **how: (emptied.append(Path(path)), rmtree(path, **how))
    )
    disk.save(log_of({"score": 9}), tmp_path / "log")
    assert emptied
    assert tmp_path / "log" not in emptied
