"""The list of logs: what is on it, how large ones are read, what is kept."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from plyscope.visualizer.formats import zstandard
from plyscope.visualizer.formats.compressed import MANY_PIECES
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.shelf import readings
from plyscope.visualizer.shelf.initial_logs import list_examples
from plyscope.visualizer.shelf.jobs.log_reader import MEDIUM_BYTES, SMALL_BYTES, is_small, size_once_read
from plyscope.visualizer.shelf.shelf import NotReadyError, Shelf
from tests.patience import PATIENCE

SMALL = json.dumps({"plyscope": 1, "root": {"score": 1, "children": [{"ply": "a", "score": 1}]}}).encode()
FOREIGN = json.dumps(
    {"name": "r", "good": 1, "bad": 2, "children": [{"name": "x", "good": 1, "bad": 2}]}
).encode()

WITH_A_RARE_FIELD = b"""{"name": "r", "rare": 9, "replies": [{"name": "a", "value": 2, "replies": []},
    {"name": "b", "value": 3, "replies": []}]}"""


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "data", tmp_path / "cache")


@pytest.fixture
def only_children_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if every log were large."""
    monkeypatch.setattr(readings, "SMALL_BYTES", 10)


def write(path: Path, data: bytes = SMALL) -> Path:
    path.write_bytes(data)
    return path


def test_the_list_tells_the_depth_that_a_search_reached(shelf: Shelf, tmp_path: Path) -> None:
    data = (
        b'{"plyscope": 1, "search": {"depth": 30, "limit": 8}, "result": {"depth": 5}, "root": {"score": 1}}'
    )
    entry = shelf.add_file(write(tmp_path / "a.json", data))
    shelf.open(entry.id)
    assert (entry.summary()["depth"], entry.summary()["limit"]) == (5, 8)


def test_one_file_given_twice_is_one_log(shelf: Shelf, tmp_path: Path) -> None:
    path = write(tmp_path / "a.json")
    assert shelf.add_file(path) is shelf.add_file(tmp_path / "." / "a.json")


@pytest.mark.usefixtures("only_children_read")
def test_a_large_log_is_read_by_a_child_and_found_again_without_one(shelf: Shelf, tmp_path: Path) -> None:
    path = write(tmp_path / "a.json")
    entry = shelf.add_file(path)
    with pytest.raises(NotReadyError):
        shelf.open(entry.id)
    assert entry.settled.wait(PATIENCE)
    assert entry.state == "ready", entry.error
    assert shelf.open(entry.id).log.columns["score"].tolist() == [1.0, 1.0]

    moved = write(tmp_path / "copy.json")
    os.utime(moved, ns=(1, 1))
    again = Shelf(tmp_path / "data", tmp_path / "cache")
    assert again.open(again.add_file(moved).id).log.n_rows == 2


@pytest.mark.usefixtures("only_children_read")
def test_deleting_a_paste_ends_its_reading(shelf: Shelf, tmp_path: Path) -> None:
    entry = shelf.paste(SMALL, "mine")
    child = entry.child
    shelf.delete(entry.id)
    assert shelf.entries() == []
    assert list((tmp_path / "data").rglob("*.log")) == []
    assert child is None or not child.is_running


@pytest.mark.usefixtures("only_children_read")
def test_a_reading_that_was_stopped_says_so_and_can_begin_again(shelf: Shelf, tmp_path: Path) -> None:
    entry = shelf.add_file(write(tmp_path / "a.json"))
    with pytest.raises(NotReadyError):
        shelf.open(entry.id)
    child = entry.child
    assert child is not None
    shelf.stop_reading(entry.id)
    assert not child.is_running
    assert entry.state == "failed"
    assert "stopped" in entry.error
    with pytest.raises(NotReadyError):
        shelf.open(entry.id)
    assert entry.settled.wait(PATIENCE)
    assert shelf.open(entry.id).log.n_rows == 2


def test_only_so_many_trees_stay_in_memory(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "MOST_OPEN", 2)
    entries = [shelf.add_file(write(tmp_path / f"{name}.json")) for name in "abc"]
    for entry in entries:
        shelf.open(entry.id)
    assert [entry.tree is not None for entry in entries] == [False, True, True]
    assert shelf.open(entries[0].id).log.n_rows == 2


def test_a_folder_shows_logs_that_come_later(shelf: Shelf, tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    write(folder / "readme.txt")
    shelf.add_folder(folder)
    assert shelf.entries() == []
    write(folder / "new.jsonl")
    assert [entry.name for entry in shelf.entries()] == ["new.jsonl"]


def test_pastes_are_there_again_with_their_names(shelf: Shelf, tmp_path: Path) -> None:
    shelf.paste(SMALL, "")
    shelf.paste(FOREIGN, "theirs", {"score": "bad"})
    again = Shelf(tmp_path / "data", tmp_path / "cache")
    assert sorted(entry.name for entry in again.entries()) == ["pasted 1", "theirs"]
    theirs = next(entry for entry in again.entries() if entry.name == "theirs")
    assert again.open(theirs.id).log.columns["score"].tolist() == [2.0, 2.0]


def test_a_mapping_is_remembered_for_the_shape_and_can_be_forgotten(shelf: Shelf, tmp_path: Path) -> None:
    entry = shelf.paste(FOREIGN, "one")
    guessed = shelf.open(entry.id).log.columns["score"].tolist()
    assert shelf.set_mapping(entry.id, {"score": "bad"}).log.columns["score"].tolist() == [2.0, 2.0]
    other = shelf.paste(FOREIGN.replace(b'"r"', b'"other"'), "two")
    assert shelf.open(other.id).log.columns["score"].tolist() == [2.0, 2.0]
    assert repr(shelf.set_mapping(entry.id, {}).log.columns["score"].tolist()) == repr(guessed)


def test_a_remembered_mapping_that_does_not_fit_is_left_out_with_a_notice(shelf: Shelf) -> None:
    shelf.set_mapping(shelf.paste(WITH_A_RARE_FIELD, "one").id, {"score": "rare"})
    other = shelf.open(shelf.paste(WITH_A_RARE_FIELD.replace(b'"rare": 9, ', b""), "two").id).log
    assert other.columns["score"].tolist()[1:] == [2.0, 3.0]
    assert 'does not fit and was left out: mapping: no node has a field "rare"' in other.notices[-1]
    again = shelf.open(shelf.paste(WITH_A_RARE_FIELD.replace(b'"r"', b'"R"'), "three").id).log
    assert again.columns["score"][0] == 9


def test_a_native_log_takes_no_mapping(shelf: Shelf) -> None:
    with pytest.raises(LogError, match="no foreign tree"):
        shelf.set_mapping(shelf.paste(SMALL, "").id, {"score": "x"})


def test_the_size_of_a_compressed_log_is_what_it_unpacks_to(tmp_path: Path) -> None:
    data = b" " * 100_000
    assert size_once_read(write(tmp_path / "a.json.gz", gzip.compress(data))) == 100_000
    assert size_once_read(write(tmp_path / "a.json.zst", zstandard.compress(data))) == 100_000
    assert size_once_read(write(tmp_path / "a.json", data)) == 100_000
    assert size_once_read(write(tmp_path / "b.json", b"")) == 0
    members = gzip.compress(b" " * 2 * SMALL_BYTES) + gzip.compress(b"{}")
    assert size_once_read(write(tmp_path / "b.json.gz", members)) > SMALL_BYTES
    empty = gzip.compress(b"") * (MANY_PIECES + 2)  # little is in them, and much time goes into them
    assert size_once_read(write(tmp_path / "c.json.gz", empty)) > SMALL_BYTES


@pytest.mark.parametrize(
    ("data", "is_at_once"),
    [
        (b" " * 1000, True),
        (b'{"a": "' + b"x" * MEDIUM_BYTES, True),
        (b" " * (MEDIUM_BYTES + 1), False),  # in what is no JSON much is sought
        (b"PAR1", False),  # 600 bytes are a hundred million rows
    ],
)
def test_what_may_take_much_of_little_is_not_read_within_its_request(
    tmp_path: Path, data: bytes, is_at_once: bool
) -> None:
    assert is_small(data) is is_at_once
    assert (size_once_read(write(tmp_path / "a", data)) <= SMALL_BYTES) is is_at_once


def test_a_child_that_takes_more_memory_than_it_may_says_how_much_that_is(tmp_path: Path) -> None:
    """In a process of its own, whose limit is a hundredth of the machine's memory."""
    program = (
        "from plyscope.visualizer import child_process, memory_limit\n"
        "memory_limit.MEMORY_PART = 0.01\n"
        "memory_limit.bound_memory()\n"
        "work = lambda: len(bytearray(10 * 2**30))\n"
        "child_process.tell_result(work, print, what='a.json', refusals=())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert re.search(r"a\.json needs more memory than the [\d.]+ GB that reading may take", done.stdout)


def test_the_examples_with_a_bug_stand_after_those_to_begin_with(shelf: Shelf, tmp_path: Path) -> None:
    (tmp_path / "bugs").mkdir()
    for name in ("bugs/bug-a.json", "bugs/a.py", "a.json", "chess-x.json", "hive-x.json", "z.json"):
        write(tmp_path / name)
    list_examples(shelf, tmp_path)
    listed = [entry.name for entry in shelf.entries()]
    assert listed == ["hive-x.json", "chess-x.json", "bug-a.json", "a.json", "z.json"]
