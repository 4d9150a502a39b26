"""Tests of the list where a log's file is no longer what was read: written again, growing, or gone."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.shelf import catalogue, readings
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.jobs import log_reader
from plyscope.visualizer.shelf.shelf import NotReadyError, Shelf
from tests.patience import PATIENCE
from tests.unit.logs import there
from tests.unit.shelf.conftest import Here
from tests.unit.shelf.test_shelf import Halt

ROOT = b'{"id": 0, "score": 1}\n'
LINE = b'{"id": %d, "parent": 0, "ply": "a%d", "score": 1}\n'


@pytest.fixture(params=["file", "folder"])
def path(request: pytest.FixtureRequest, shelf: Shelf, tmp_path: Path) -> Path:
    """The file of a log that was named on the command line, or lies in a folder that was."""
    path = tmp_path / "runs" / "log.jsonl"
    path.parent.mkdir()
    path.write_bytes(ROOT)
    if request.param == "file":
        shelf.add_file(path)
    else:
        shelf.add_folder(path.parent)
    return path


def grow(path: Path, node_id: int = 1) -> None:
    with path.open("ab") as file:
        file.write(LINE % (node_id, node_id))


def listed(shelf: Shelf) -> Entry:
    (entry,) = shelf.entries()
    return entry


def said(shelf: Shelf) -> set[str]:
    """The words of the list on the file of its one log: `changed`, `gone`, or none."""
    return listed(shelf).summary().keys() & {"changed", "gone"}


def test_a_log_whose_file_grows_has_changed_until_it_is_read_again(shelf: Shelf, path: Path) -> None:
    entry = listed(shelf)
    shelf.open(entry.id)
    before = entry.summary()["stamp"]
    assert said(shelf) == set()
    for node_id in (1, 2):
        grow(path, node_id)
        assert said(shelf) == {"changed"}
        assert entry.summary()["stamp"] == before
    shelf.open(entry.id)
    assert said(shelf) == {"changed"}
    assert shelf.open(entry.id, afresh=True).log.n_rows == 3
    assert "changed" not in entry.summary()  # at once, not only after the next look
    assert entry.summary()["stamp"] != before
    assert said(shelf) == set()
    before_it = path.stat()
    path.write_bytes(path.read_bytes().replace(b'"score": 1', b'"score": 2'))  # of the same size
    os.utime(path, (1_000_000_000, 1_000_000_000))
    assert (path.stat().st_size, said(shelf)) == (before_it.st_size, {"changed"})


def test_a_log_whose_file_was_taken_away_is_gone_until_it_is_back(
    shelf: Shelf, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = listed(shelf)
    shelf.open(entry.id)
    before = path.stat()
    path.unlink()
    assert said(shelf) == {"gone"}
    assert shelf.open(entry.id, afresh=True).log.n_rows == 1
    assert said(shelf) == {"gone"}
    path.write_bytes(ROOT)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert said(shelf) == set()
    grow(path)
    assert said(shelf) == {"changed"}
    # One that was let go has still changed.
    monkeypatch.setattr(readings, "MOST_OPEN", 1)
    other = path.parent.with_name("other.jsonl")
    other.write_bytes(ROOT)
    shelf.open(shelf.add_file(other).id)
    shelf.entries()
    assert (entry.tree, entry.summary()["changed"]) == (None, True)
    assert shelf.open(entry.id).log.n_rows == 2
    assert "changed" not in entry.summary()
    # It is gone with its folder.
    shutil.rmtree(path.parent)
    shelf.entries()
    assert entry.summary()["gone"] is True


def test_no_log_is_gone_where_its_folder_cannot_be_listed(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "log.jsonl").write_bytes(ROOT)
    shelf.add_folder(tmp_path / "runs")
    shelf.open(listed(shelf).id)
    monkeypatch.setattr(catalogue, "_logs_in", lambda folder: None)
    assert said(shelf) == set()


def test_a_look_that_was_overtaken_by_a_reading_does_not_say_changed(
    shelf: Shelf, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The look sees the file as it was; before it is written down, the grown file is read."""
    entry = listed(shelf)
    shelf.open(entry.id)
    halt = Halt(monkeypatch, type(shelf._pastes), "found")
    look = threading.Thread(target=shelf.entries, daemon=True)
    look.start()
    assert halt.is_there.wait(PATIENCE)
    grow(path)
    shelf.open(entry.id, afresh=True)
    halt.go_on.set()
    look.join(PATIENCE)
    assert "changed" not in entry.summary()


def test_a_paste_never_changes_since_it_is_named_by_what_it_holds(here: Here) -> None:
    shelf, other = here(), here()
    entry = shelf.paste(ROOT, "mine")
    tree = there(entry.tree)
    assert shelf.open(entry.id, afresh=True) is tree, "it has just come, and is not read a second time"
    other.paste(ROOT, "mine")
    os.utime(entry.path, (1_000_000_000, 1_000_000_000))
    assert said(shelf) == set()
    assert "stamp" not in entry.summary()
    assert shelf.open(entry.id) is tree


def test_a_mapping_that_the_changed_file_refuses_leaves_the_log_changed(shelf: Shelf, tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    path.write_bytes(
        b'{"name": "r", "value": 1, "cost": 7, "replies": [{"name": "a", "value": 5, "cost": 8}]}'
    )
    entry = shelf.add_file(path)
    shelf.open(entry.id)
    path.write_bytes(b"nothing that anybody reads")
    with pytest.raises(LogError):
        shelf.set_mapping(entry.id, {"score": "cost"})
    assert entry.state == "ready"
    assert said(shelf) == {"changed"}


def test_a_large_log_that_grows_while_it_is_read_is_opened_as_it_was_and_read_again_when_asked(
    shelf: Shelf, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "SMALL_BYTES", 1)
    wait = log_reader.ChildReading.wait

    def wait_while_it_grows(child: log_reader.ChildReading, on_progress: Callable[[float], None]) -> Any:
        log = wait(child, on_progress)
        grow(path)
        return log

    entry = listed(shelf)
    for waits, n_rows, words in ((wait_while_it_grows, 1, {"changed"}), (wait, 2, set())):
        monkeypatch.setattr(log_reader.ChildReading, "wait", waits)
        with pytest.raises(NotReadyError):
            shelf.open(entry.id, afresh=True)
        assert entry.settled.wait(PATIENCE)
        assert (shelf.open(entry.id).log.n_rows, said(shelf)) == (n_rows, words)
