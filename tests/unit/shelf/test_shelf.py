"""The list of logs: what is on it, how large ones are read, what is kept; nobody waits for another's log."""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.formats import zstandard
from plyscope.visualizer.formats.compressed import MANY_PIECES
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.shelf import catalogue, readings
from plyscope.visualizer.shelf.jobs.log_reader import (
    MEDIUM_BYTES,
    SMALL_BYTES,
    ChildReading,
    is_small,
    size_once_read,
)
from plyscope.visualizer.shelf.log_cache import LogCache
from plyscope.visualizer.shelf.pastes import Pastes
from plyscope.visualizer.shelf.shelf import NotReadyError, Shelf
from tests.patience import PATIENCE
from tests.unit.logs import there
from tests.unit.shelf.conftest import FOREIGN, LOG

WITH_A_RARE_FIELD = b"""{"name": "r", "rare": 9, "replies": [{"name": "a", "value": 2, "replies": []},
    {"name": "b", "value": 3, "replies": []}]}"""


def write(path: Path, data: bytes = LOG) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.usefixtures("all_logs_are_large")
def test_a_reading_that_was_stopped_says_so_and_can_begin_again(shelf: Shelf, tmp_path: Path) -> None:
    entry = shelf.add_file(write(tmp_path / "a.json"))
    with pytest.raises(NotReadyError):
        shelf.open(entry.id)
    child = there(entry.child)
    shelf.stop_reading(entry.id)
    assert not child.is_running
    assert entry.state == "failed"
    assert "stopped" in entry.error
    with pytest.raises(NotReadyError):
        shelf.open(entry.id)
    assert entry.settled.wait(PATIENCE)
    assert shelf.open(entry.id).log.n_rows == 2


def test_a_folder_shows_logs_that_come_later_and_the_first_that_was_given_opens_by_itself(
    shelf: Shelf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    write(folder / "readme.txt")
    shelf.add_folder(folder)
    assert shelf.entries() == []
    mine = shelf.paste(LOG, "mine")
    assert shelf.first() is mine
    searched = LOG.replace(b'"root"', b'"search": {"depth": 30, "limit": 8}, "result": {"depth": 5}, "root"')
    file = shelf.add_file(write(tmp_path / "a.json", searched))
    assert shelf.add_file(tmp_path / "." / "a.json") is shelf.first() is file  # given twice it is one log
    shelf.open(file.id)
    assert (file.summary()["depth"], file.summary()["limit"]) == (5, 8)  # the depth that was reached
    write(folder / "new.jsonl")
    assert {entry.name for entry in shelf.entries()} == {"mine", "a.json", "new.jsonl"}
    assert there(shelf.first()).name == "new.jsonl"
    monkeypatch.setattr(readings, "MOST_OPEN", 2)  # so many trees stay in memory
    entries = [file, mine, there(shelf.first())]
    for entry in entries:
        shelf.open(entry.id)
    assert [entry.tree is not None for entry in entries] == [False, True, True]
    assert shelf.open(file.id).log.n_rows == 2


def test_a_mapping_is_remembered_for_the_shape_and_can_be_forgotten(shelf: Shelf, tmp_path: Path) -> None:
    entry = shelf.paste(FOREIGN, "one")
    guessed = shelf.open(entry.id).log.columns["score"].tolist()
    assert shelf.set_mapping(entry.id, {"score": "cost"}).log.columns["score"].tolist() == [7.0, 8.0]
    other = shelf.paste(FOREIGN.replace(b'"r"', b'"other"'), "two")
    assert shelf.open(other.id).log.columns["score"].tolist() == [7.0, 8.0]
    # Pastes are there again with their names and mappings.
    shelf.paste(FOREIGN.replace(b'"r"', b'"s"'), "", {"score": "cost"})
    again = Shelf(tmp_path / "data", tmp_path / "cache")
    mapped = {each.name: again.open(each.id).log.columns["score"].tolist() for each in again.entries()}
    assert mapped == {name: [7.0, 8.0] for name in ("one", "two", "pasted 1")}
    assert repr(shelf.set_mapping(entry.id, {}).log.columns["score"].tolist()) == repr(guessed)
    # One that does not fit a later log is left out, with a notice.
    shelf.set_mapping(shelf.paste(WITH_A_RARE_FIELD, "one").id, {"score": "rare"})
    other = shelf.paste(WITH_A_RARE_FIELD.replace(b'"rare": 9, ', b""), "two")
    log = shelf.open(other.id).log
    assert log.columns["score"].tolist()[1:] == [2.0, 3.0]
    assert 'does not fit and was left out: mapping: no node has a field "rare"' in log.notices[-1]
    again = shelf.open(shelf.paste(WITH_A_RARE_FIELD.replace(b'"r"', b'"R"'), "three").id).log
    assert again.columns["score"][0] == 9
    with pytest.raises(LogError, match="no foreign tree"):
        shelf.set_mapping(shelf.paste(LOG, "").id, {"score": "x"})


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
    for data, is_at_once in (
        (b" " * 1000, True),
        (b'{"a": "' + b"x" * MEDIUM_BYTES, True),
        (b" " * (MEDIUM_BYTES + 1), False),  # in what is no JSON much is sought
        (b"PAR1", False),  # 600 bytes are a hundred million rows
    ):
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


class Halt:
    """Stops the first thread that calls a function, until it is let go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> None:
        self.is_there, self.go_on, self.n_calls = threading.Event(), threading.Event(), 0
        self._function: Callable[..., Any] = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *given, **named: self._call(*given, **named))

    def _call(self, *given: Any, **named: Any) -> Any:
        self.n_calls += 1
        if not self.is_there.is_set():
            self.is_there.set()
            assert self.go_on.wait(PATIENCE)
        return self._function(*given, **named)


@pytest.fixture
def logs(shelf: Shelf, tmp_path: Path) -> Shelf:
    """A shelf of a log that is open, one that is not, and a folder."""
    (tmp_path / "runs").mkdir()
    shelf.add_folder(tmp_path / "runs")
    for name in ("open", "shut"):
        (tmp_path / f"{name}.json").write_bytes(LOG)
        shelf.add_file(tmp_path / f"{name}.json")
    shelf.open(by_name(shelf, "open.json"))
    return shelf


def by_name(logs: Shelf, name: str) -> str:
    return next(entry.id for entry in logs.listed() if entry.name == name)


READS = [(readings, name) for name in ("read_with_memory", "known_of", "size_once_read", "Tree")]
READS_LARGE = [(LogCache, "find"), (readings, "ChildReading"), (ChildReading, "wait")]
LISTS = [(catalogue, "_logs_in"), (catalogue, "stamp_of"), (Pastes, "found")]


def others_are_answered(logs: Shelf) -> None:
    """Everything that does not need the log which is being read."""
    assert logs.open(by_name(logs, "open.json"), afresh=True).log.n_rows == 2
    assert len(logs.entries()) >= 2
    entry = logs.paste(LOG + b" ", "mine")
    logs.rename(entry.id, "yours")
    logs.delete(entry.id)
    assert logs.first() is not None
    assert logs.entry(by_name(logs, "shut.json")).summary()["state"] in ("waiting", "reading")


@pytest.mark.parametrize(("owner", "name"), [*READS, *READS_LARGE, *LISTS], ids=lambda one: str(one))
def test_nobody_waits_for_the_log_of_another(
    logs: Shelf, monkeypatch: pytest.MonkeyPatch, owner: object, name: str
) -> None:
    halt = Halt(monkeypatch, owner, name)
    is_large = (owner, name) in READS_LARGE
    if is_large:
        size = readings.SMALL_BYTES
        monkeypatch.setattr(readings, "size_once_read", lambda path: size + path.name.count("shut"))
    shut = by_name(logs, "shut.json")

    def work() -> None:
        with suppress(NotReadyError):
            logs.entries() if (owner, name) in LISTS else logs.open(shut)

    first = threading.Thread(target=work, daemon=True)
    first.start()
    assert halt.is_there.wait(PATIENCE)
    second = threading.Thread(target=others_are_answered, args=(logs,), daemon=True)
    second.start()
    second.join(PATIENCE)
    was_answered = not second.is_alive()
    halt.go_on.set()
    first.join(PATIENCE)
    assert was_answered
    if is_large:
        logs.entry(shut).settled.wait(PATIENCE)
    assert logs.open(shut).log.n_rows == 2


def test_a_small_log_that_many_ask_for_at_once_is_read_once_and_all_get_it(
    logs: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    halt = Halt(monkeypatch, readings, "read_with_memory")
    with ThreadPoolExecutor(5) as pool:
        asked = [pool.submit(logs.open, by_name(logs, "shut.json")) for _ in range(5)]
        assert halt.is_there.wait(PATIENCE)
        halt.go_on.set()
        assert len({id(each.result(PATIENCE)) for each in asked}) == halt.n_calls == 1


def test_a_reading_that_was_stopped_while_its_child_began_does_not_come_back(
    logs: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "SMALL_BYTES", 1)
    halt = Halt(monkeypatch, ChildReading, "wait")
    shut = by_name(logs, "shut.json")
    with pytest.raises(NotReadyError):
        logs.open(shut)
    assert halt.is_there.wait(PATIENCE)
    logs.stop_reading(shut)
    halt.go_on.set()
    entry = logs.entry(shut)
    assert (entry.state, entry.tree) == ("failed", None)
    assert "stopped" in entry.error
