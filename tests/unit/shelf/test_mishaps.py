"""Tests of mishaps to logs that a viewer shows: killed readings, full disks, files that come and go."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.meaning.mapping import RememberedMappings
from plyscope.visualizer.shelf import readings
from plyscope.visualizer.shelf.jobs import log_converter, log_reader
from plyscope.visualizer.shelf.jobs.log_converter import convert
from plyscope.visualizer.shelf.jobs.log_reader import ChildReading, ReadingFailed, read_with_memory
from plyscope.visualizer.shelf.log_cache import LogCache
from plyscope.visualizer.shelf.shelf import NotReadyError, Shelf
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from tests.patience import PATIENCE

LOG = b'{"plyscope": 1, "root": {"score": 2, "children": [{"ply": "a1", "score": 2}]}}'
FOREIGN = b'{"name": "r", "value": 1, "cost": 7, "replies": [{"name": "a", "value": 5, "cost": 8}]}'


@pytest.fixture
def here(tmp_path: Path) -> Callable[[], Shelf]:
    """Makes shelves whose folders lie below the test's own."""
    return lambda: Shelf(tmp_path / "data", tmp_path / "cache")


@pytest.fixture
def all_logs_are_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Logs of every size are read in a child process."""
    monkeypatch.setattr(readings, "SMALL_BYTES", 10)


def read(logs: Shelf, log_id: str) -> Tree:
    """The tree of a log, once its reading has ended."""
    try:
        return logs.open(log_id)
    except NotReadyError:
        logs.entry(log_id).settled.wait(PATIENCE)
        return logs.open(log_id)


def test_a_file_that_is_gone_is_said_to_be_gone(here: Callable[[], Shelf], tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_bytes(LOG)
    logs = here()
    entry = logs.add_file(path)
    path.unlink()
    with pytest.raises(NotReadyError, match="not there any more"):
        logs.open(entry.id)
    assert (entry.state, entry.settled.is_set()) == ("failed", True)
    path.write_bytes(LOG)
    assert logs.open(entry.id).log.n_rows == 2


def test_a_folder_that_is_gone_lists_no_logs(here: Callable[[], Shelf], tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    logs = here()
    logs.add_folder(folder)
    folder.rmdir()
    assert logs.entries() == []


def test_a_file_name_that_is_no_text_is_listed(here: Callable[[], Shelf], tmp_path: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.json"))
    path.write_bytes(LOG)
    logs = here()
    entry = logs.add_file(path)
    assert entry.name == "caf\N{REPLACEMENT CHARACTER}.json"
    assert logs.open(entry.id).log.n_rows == 2


@pytest.mark.usefixtures("all_logs_are_large")
def test_a_log_that_was_converted_is_not_unpacked_again_to_learn_its_size(
    here: Callable[[], Shelf], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.json"
    path.write_bytes(LOG)
    logs = here()
    read(logs, logs.add_file(path).id)
    unpacked: list[Path] = []
    monkeypatch.setattr(readings, "size_once_read", lambda path: unpacked.append(path) or 1000)
    again = here()
    assert again.open(again.add_file(path).id).log.n_rows == 2
    assert unpacked == []
    path.write_bytes(LOG + b" ")
    later = here()
    read(later, later.add_file(path).id)
    assert unpacked == [path]


@pytest.mark.usefixtures("all_logs_are_large")
def test_a_log_whose_index_was_cut_by_a_full_disk_is_not_taken_for_another(
    here: Callable[[], Shelf], tmp_path: Path
) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    first.write_bytes(LOG)
    second.write_bytes(LOG.replace(b"a1", b"h8"))
    logs = here()
    for path in (first, second):
        read(logs, logs.add_file(path).id)
    for index in (tmp_path / "cache" / "library" / "index").iterdir():
        index.write_bytes(b"")
    again = here()
    found = [read(again, again.add_file(path).id).find("h8").tolist() for path in (first, second)]
    assert found == [[], [1]]


@pytest.mark.usefixtures("all_logs_are_large")
def test_a_paste_outlives_a_reading_that_failed_for_no_fault_of_its_own(
    here: Callable[[], Shelf], tmp_path: Path
) -> None:
    (tmp_path / "cache").write_text("a file stands where the cache should be")
    logs = here()
    entry = logs.paste(LOG, "mine")
    entry.settled.wait(PATIENCE)
    assert (entry.state, "PLYSCOPE_CACHE" in entry.error) == ("failed", True)
    (tmp_path / "cache").unlink()
    assert read(logs, entry.id).log.n_rows == 2


@pytest.mark.usefixtures("all_logs_are_large")
def test_a_mapping_that_a_large_log_cannot_be_read_with_is_taken_back(here: Callable[[], Shelf]) -> None:
    logs = here()
    entry = logs.paste(FOREIGN, "theirs")
    read(logs, entry.id)
    with pytest.raises(NotReadyError):
        logs.set_mapping(entry.id, {"children": "no such field"})
    entry.settled.wait(PATIENCE)
    assert (entry.state, entry.mapping) == ("failed", None)
    assert read(logs, entry.id).log.n_rows == 2
    again = here()
    assert read(again, entry.id).log.n_rows == 2


def test_a_child_killed_in_the_middle_of_a_word_says_so(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_bytes(LOG)
    child = log_reader.ChildReading(path, None, tmp_path / "data", tmp_path / "cache", 1000)
    child.kill()
    with pytest.raises(ReadingFailed, match=r"was not read: its process was killed \(signal 9\)"):
        child.wait(lambda part: None)


def test_a_file_that_vanishes_before_its_child_reads_it_is_no_fault_of_the_log(tmp_path: Path) -> None:
    task = {"path": tmp_path / "gone.json", "mapping": None, "data": tmp_path, "cache": tmp_path}
    with pytest.raises(ReadingFailed, match=r"gone\.json cannot be read: No such file or directory"):
        convert({**task, "max_bytes": 1000}, print, iter(()))


def test_a_disk_that_is_full_in_the_middle_of_a_column_says_what_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def save(*_: object) -> Path:
        raise OSError("720896 requested and 12288 written")  # numpy's, without a number of the error

    monkeypatch.setattr(LogCache, "save", save)
    path = tmp_path / "log.json"
    path.write_bytes(LOG)
    task = {"path": path, "mapping": None, "data": tmp_path, "cache": tmp_path, "max_bytes": 1000}
    with pytest.raises(ReadingFailed, match="written: 720896 requested and 12288 written; make room there"):
        convert(task, print, iter(()))


def test_a_file_of_the_folder_we_run_in_passes_for_no_module(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "json.py").write_text("raise SystemExit('the wrong json')")
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "log.json"
    path.write_bytes(LOG)
    child = log_reader.ChildReading(path, None, tmp_path / "data", tmp_path / "cache", 1000)
    assert child.wait(lambda part: None).n_rows == 2


@pytest.mark.usefixtures("all_logs_are_large")
def test_the_same_paste_given_twice_is_read_once_more(here: Callable[[], Shelf], tmp_path: Path) -> None:
    logs = here()
    first, second = logs.paste(LOG, "one"), logs.paste(LOG, "two")
    assert read(logs, second.id).log.n_rows == 2
    assert [entry.name for entry in logs.entries()] == ["two"]
    assert first.child is None
    assert json.loads((tmp_path / "data" / "pasted" / f"{second.id}.about.json").read_text())["name"] == "two"


@pytest.mark.usefixtures("all_logs_are_large")
def test_a_large_paste_that_is_no_log_leaves_nothing_behind(
    here: Callable[[], Shelf], tmp_path: Path
) -> None:
    logs = here()
    entry = logs.paste(b'{"plyscope": 1, "root": {"score": "high"}}', "bad")
    entry.settled.wait(PATIENCE)
    assert entry.state == "failed"
    with pytest.raises(NotReadyError, match="high"):
        logs.open(entry.id)
    assert list((tmp_path / "data" / "pasted").iterdir()) == []


def test_words_of_a_child_are_the_logs_fault(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_bytes(b'{"plyscope": 1, "root": 5}')
    child = log_reader.ChildReading(path, None, tmp_path / "data", tmp_path / "cache", 1000)
    with pytest.raises(LogError, match="expected a node") as caught:
        child.wait(lambda part: None)
    assert not isinstance(caught.value, ReadingFailed)


def test_what_an_engine_appends_while_its_log_is_read_is_not_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b'{"id": 0}\n{"id": 1, "parent": 0}\n')
    task = {"path": path, "mapping": None, "data": tmp_path, "cache": tmp_path, "max_bytes": 1000}
    library = LogCache(tmp_path, RememberedMappings(tmp_path))

    def read_while_it_grows(data: bytes, **how: Any) -> Log:
        with path.open("ab") as file:
            file.write(b'{"id": 2, "parent": 0}\n')
        return read_with_memory(data, **how)

    monkeypatch.setattr(log_converter, "read_with_memory", read_while_it_grows)
    shown = library.load(convert(task, print, iter(()))["kept"])
    assert shown is not None
    assert shown.n_rows == 2
    assert library.find(path, None) is None
    monkeypatch.undo()
    convert(task, print, iter(()))
    found = library.find(path, None)
    assert found is not None
    assert found.n_rows == 3


def broken(*args: object, **how: object) -> Log:
    """Stands for a reader with a fault."""
    raise ZeroDivisionError("a fault of ours")


def test_a_fault_while_reading_ends_as_a_failed_log(
    here: Callable[[], Shelf], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "log.json").write_bytes(LOG)
    logs = here()
    entry = logs.add_file(tmp_path / "log.json")
    monkeypatch.setattr(readings, "read_with_memory", broken)
    with pytest.raises(NotReadyError, match="please report it"):
        logs.open(entry.id)
    assert (entry.state, entry.settled.is_set()) == ("failed", True)


@pytest.mark.usefixtures("all_logs_are_large")
def test_a_fault_after_a_child_has_read_ends_as_a_failed_log(
    here: Callable[[], Shelf], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "log.json").write_bytes(LOG)
    logs = here()
    entry = logs.add_file(tmp_path / "log.json")
    wait = ChildReading.wait
    monkeypatch.setattr(ChildReading, "wait", lambda *child: wait(*child) and broken())
    with pytest.raises(NotReadyError):
        logs.open(entry.id)
    assert entry.settled.wait(PATIENCE)
    assert (entry.state, entry.child, "please report it" in entry.error) == ("failed", None, True)


@pytest.mark.parametrize(
    ("error", "sentence"), [(KeyError("x"), "please report it"), (MemoryError(), "needs more memory")]
)
def test_a_fault_in_the_child_is_told_in_words(
    error: Exception, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "log.json").write_bytes(LOG)

    def fail(*args: object, **how: object) -> Log:
        raise error

    told: list[Mapping[str, Any]] = []
    monkeypatch.setattr(log_converter, "read_with_memory", fail)
    task = {"path": tmp_path / "log.json", "mapping": None, "data": tmp_path, "cache": tmp_path}
    log_converter.serve(iter([{**task, "max_bytes": 1000}]), told.append)
    assert sentence in told[-1]["error"]
