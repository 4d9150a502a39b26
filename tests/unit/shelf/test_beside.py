"""While one log is read, digested or sealed, or a folder listed, every other request is answered."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.shelf import catalogue, readings, shelf
from plyscope.visualizer.shelf.jobs.log_reader import ChildReading
from plyscope.visualizer.shelf.log_cache import LogCache
from plyscope.visualizer.shelf.pastes import Pastes
from plyscope.visualizer.shelf.shelf import NotReadyError, Shelf
from tests.patience import PATIENCE

LOG = b'{"plyscope": 1, "root": {"score": 2, "children": [{"ply": "a1", "score": 2}]}}'


class Halt:
    """Stops the first thread that calls a function, until it is let go on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, owner: object, name: str) -> None:
        self.is_there, self.go_on = threading.Event(), threading.Event()
        self._function: Callable[..., Any] = getattr(owner, name)
        monkeypatch.setattr(owner, name, lambda *given, **named: self._call(*given, **named))

    def _call(self, *given: Any, **named: Any) -> Any:
        if not self.is_there.is_set():
            self.is_there.set()
            assert self.go_on.wait(PATIENCE)
        return self._function(*given, **named)


@pytest.fixture
def logs(tmp_path: Path) -> Iterator[Shelf]:
    """A shelf of a log that is open, one that is not, and a folder."""
    logs = Shelf(tmp_path / "data", tmp_path / "cache")
    (tmp_path / "runs").mkdir()
    logs.add_folder(tmp_path / "runs")
    for name in ("open", "shut"):
        (tmp_path / f"{name}.json").write_bytes(LOG)
        logs.add_file(tmp_path / f"{name}.json")
    logs.open(by_name(logs, "open.json"))
    yield logs
    logs.close()


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
    if (owner, name) in READS_LARGE:
        monkeypatch.setattr(
            readings, "size_once_read", lambda path: readings.SMALL_BYTES + path.name.count("shut")
        )
    shut = by_name(logs, "shut.json")

    def work() -> None:
        if (owner, name) in LISTS:
            logs.entries()
        else:
            logs.open(shut)

    first = threading.Thread(target=lambda: _quietly(work), daemon=True)
    first.start()
    assert halt.is_there.wait(PATIENCE)
    second = threading.Thread(target=lambda: others_are_answered(logs), daemon=True)
    second.start()
    second.join(PATIENCE)
    was_answered = not second.is_alive()
    halt.go_on.set()
    first.join(PATIENCE)
    assert was_answered
    if (owner, name) in READS_LARGE:
        logs.entry(shut).settled.wait(PATIENCE)
    assert logs.open(shut).log.n_rows == 2


def _quietly(work: Callable[[], object]) -> None:
    try:
        work()
    except NotReadyError:
        return


def test_a_small_log_that_many_ask_for_at_once_is_read_once_and_all_get_it(
    logs: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    halt = Halt(monkeypatch, shelf, "read_with_memory")
    n_reads = 0
    reading = shelf.read_with_memory

    def count(*given: Any, **named: Any) -> Any:
        nonlocal n_reads
        n_reads += 1
        return reading(*given, **named)

    monkeypatch.setattr(readings, "read_with_memory", count)
    shut = by_name(logs, "shut.json")
    got: list[int] = []
    threads = [threading.Thread(target=lambda: got.append(logs.open(shut).log.n_rows)) for _ in range(5)]
    for thread in threads:
        thread.start()
    assert halt.is_there.wait(PATIENCE)
    halt.go_on.set()
    for thread in threads:
        thread.join(PATIENCE)
    assert (got, n_reads) == ([2] * 5, 1)


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
