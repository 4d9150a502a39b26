"""A converted log is complete or not there, and of this layout or converted again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from plyscope.visualizer.analysis.statistics.totals import counted_of, totals
from plyscope.visualizer.store import disk
from plyscope.visualizer.store.log import Lines
from plyscope.visualizer.store.mapped import file_of
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import log_of
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


def test_a_saved_log_is_mapped_not_read(folder: Path) -> None:
    log = disk.load(folder)
    assert log is not None
    assert_same(log, LOG)
    assert file_of(log.columns["score"]) == folder / "score.npy"
    assert not log.columns["score"].flags.writeable


def test_saving_again_replaces_and_leaves_nothing_beside(folder: Path) -> None:
    disk.save(log_of({"score": 5}), folder)
    log = disk.load(folder)
    assert log is not None
    assert log.columns["score"].tolist() == [5]
    assert [path.name for path in folder.parent.iterdir()] == ["log"]


def test_a_log_of_another_layout_is_not_loaded(folder: Path) -> None:
    meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
    (folder / "meta.json").write_text(json.dumps(meta | {"layout": 0}), encoding="utf-8")
    assert disk.load(folder) is None


def test_totals_are_kept_with_a_log_and_counted_anew_for_other_columns(tmp_path: Path) -> None:
    counted = counted_of(Tree(LOG))
    disk.save(replace(LOG, counted=replace(counted, searched=(99, 0))), tmp_path / "log")
    log = disk.load(tmp_path / "log")
    assert log is not None
    kept, plain = totals(Tree(log)), totals(Tree(LOG))
    assert (kept.searched, plain.searched) == (99, counted.searched[0]), "what was kept is what is told"
    assert replace(kept, searched=plain.searched) == plain
    assert totals(Tree(replace(log, columns=dict(log.columns)))) == plain


def test_lines_are_kept_with_a_log_and_refused_where_they_are_of_other_rows(tmp_path: Path) -> None:
    rows = np.array([0, 1], np.int32)
    lines = Lines(LOG.columns, LOG.header, rows, rows)
    disk.save(replace(LOG, lines=lines), tmp_path / "log")
    log = disk.load(tmp_path / "log")
    assert log is not None
    assert log.lines is not None
    assert log.lines.columns is log.columns
    assert log.lines.header is log.header
    assert (log.lines.variation.tolist(), log.lines.deciding.tolist()) == ([0, 1], [0, 1])
    for damaged in ([], [0, LOG.n_rows], [-1]):
        np.save(tmp_path / "log" / "lines.deciding.npy", np.array(damaged, np.int32))
        assert disk.load(tmp_path / "log") is None


@pytest.mark.parametrize("name", sorted({"meta.json", "score.npy", "texts.npy", "texts.bin", "extras.bin"}))
@pytest.mark.parametrize("damage", ["gone", "empty", "short", "long"])
def test_a_damaged_log_is_not_loaded(folder: Path, name: str, damage: str) -> None:
    file = folder / name
    data = file.read_bytes()
    if damage == "gone":
        file.unlink()
    else:
        file.write_bytes({"empty": b"", "short": data[:-1], "long": data + b"}"}[damage])
    if damage == "long" and name.endswith(".npy"):
        # Bytes after a column are never looked at.
        assert disk.load(folder) is not None
    else:
        assert disk.load(folder) is None


def test_a_folder_that_is_not_there_is_no_log(tmp_path: Path) -> None:
    assert disk.load(tmp_path / "nothing") is None


def test_a_failed_save_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(np, "save", full)
    with pytest.raises(OSError, match="no space left"):
        disk.save(LOG, tmp_path / "log")
    assert list(tmp_path.iterdir()) == []


def test_texts_are_a_sequence(folder: Path) -> None:
    log = disk.load(folder)
    assert log is not None
    texts = log.texts
    assert (len(texts), list(texts), texts[-1], texts[0:1]) == (2, ["ä", "b"], "b", ["ä"])
    with pytest.raises(IndexError, match="text 2 of 2"):
        texts[2]
