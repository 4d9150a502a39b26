"""Logs in their folder: numbered on, written whole or not at all."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.games.hive import GAME
from engine.options import SearchOptions
from engine.recording import Recording
from engine.run import search
from visualizer.formats import write
from visualizer.formats.detect import read_log_file
from visualizer.formats.write import write_log_file
from visualizer.store.log import Log
from visualizer.uhp import logs
from visualizer.uhp.logs import LogWriter, log_name, size_of


@pytest.fixture
def recording() -> Recording:
    return search(GAME, "Base", SearchOptions(depth=1), compiled=False)


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_names_sort_by_game_and_ply_whatever_the_search_is_called() -> None:
    turns = [(game, ply) for game in (1, 2, 10, 999) for ply in (0, 8, 9, 99, 1023)]
    names = [log_name(game, ply, f"{(7 * ply) % 5}") for game, ply in turns]
    assert sorted(names) == names


def test_games_are_numbered_on_from_those_in_the_folder(tmp_path: Path, recording: Recording) -> None:
    for _ in range(2):
        writer = LogWriter(tmp_path)
        writer.check_folder()
        writer.write(recording, 1, 4, "a")
        writer.write(recording, 3, 4, "b")
        writer.finish()
    (tmp_path / "game77.txt").write_text("")
    assert [name[:16] for name in names_in(tmp_path)] == [
        "game0001-ply0005",
        "game0003-ply0005",
        "game0004-ply0005",
        "game0006-ply0005",
        "game77.txt",
    ]
    assert read_log_file(tmp_path / "game0006-ply0005-b.json.gz").header["game"] == "hive"


def test_an_abandoned_log_leaves_nothing_but_a_warning(
    tmp_path: Path, recording: Recording, caplog: pytest.LogCaptureFixture
) -> None:
    writer = LogWriter(tmp_path)
    writer.abandon()
    writer.write(recording, 1, 0, "a")
    writer.finish()
    assert names_in(tmp_path) == []
    assert "game0001-ply0001-a.json.gz was not written: the session ended" in caplog.text


def test_a_finished_log_is_not_abandoned(
    tmp_path: Path, recording: Recording, caplog: pytest.LogCaptureFixture
) -> None:
    writer = LogWriter(tmp_path)
    writer.write(recording, 1, 0, "a")
    writer.finish()
    writer.abandon()
    assert names_in(tmp_path) == ["game0001-ply0001-a.json.gz"]
    assert caplog.text == ""


@pytest.fixture
def wrote(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Logs are begun at once; the event is set when one has got beyond its first part."""
    went_on = threading.Event()

    def write_telling(made: Log, path: Path, on_progress: Callable[[float], None]) -> None:
        on_progress(0.5)
        went_on.set()
        write_log_file(made, path)

    monkeypatch.setattr(write, "write_log_file", write_telling)
    monkeypatch.setattr(logs, "_CALM", 0)
    return went_on


def test_a_log_gives_way_to_a_search_and_is_written_after_it(
    tmp_path: Path, recording: Recording, wrote: threading.Event
) -> None:
    writer = LogWriter(tmp_path)
    with writer.giving_way():
        writer.write(recording, 1, 0, "a")
        writer.write(recording, 1, 1, "b")
        assert writer.n_waiting == 2
        assert not wrote.wait(0.1)
    assert wrote.wait(60)
    writer.finish()
    assert writer.n_waiting == 0
    assert names_in(tmp_path) == ["game0001-ply0001-a.json.gz", "game0001-ply0002-b.json.gz"]


def test_a_log_that_is_begun_rests_while_a_search_lasts(
    tmp_path: Path, recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search begins in the middle of a log; that goes on only when the search is over."""
    begun, is_searching, went_on = threading.Event(), threading.Event(), threading.Event()

    def write_in_parts(made: Log, path: Path, on_progress: Callable[[float], None]) -> None:
        begun.set()
        assert is_searching.wait(60)
        on_progress(0.5)
        went_on.set()

    monkeypatch.setattr(write, "write_log_file", write_in_parts)
    writer = LogWriter(tmp_path)
    writer.write(recording, 1, 0, "a")
    assert begun.wait(60)
    with writer.giving_way():
        is_searching.set()
        assert not went_on.wait(0.1)
    assert went_on.wait(60)
    writer.finish()


def test_a_log_without_room_to_wait_has_those_before_it_written(tmp_path: Path, recording: Recording) -> None:
    writer = LogWriter(tmp_path, room=2 * size_of(recording))
    counts = []
    for number in range(4):
        writer.write(recording, 1, number, "a")
        counts.append((writer.n_waiting, len(names_in(tmp_path))))
    assert all(n_waiting <= 2 for n_waiting, _ in counts)
    assert all(n_waiting + n_written >= number for number, (n_waiting, n_written) in enumerate(counts, 1))
    writer.finish()
    assert len(names_in(tmp_path)) == 4


def test_a_log_larger_than_the_room_waits_alone(tmp_path: Path, recording: Recording) -> None:
    writer = LogWriter(tmp_path, room=1)
    for number in range(3):
        writer.write(recording, 1, number, "a")
        assert writer.n_waiting == 1
    writer.finish()
    assert len(names_in(tmp_path)) == 3


def test_abandoned_logs_that_waited_for_a_search_are_left_out(
    tmp_path: Path, recording: Recording, caplog: pytest.LogCaptureFixture
) -> None:
    writer = LogWriter(tmp_path)
    with writer.giving_way():
        writer.write(recording, 1, 0, "a")
        writer.write(recording, 1, 1, "b")
        writer.abandon()
        assert names_in(tmp_path) == []
        assert caplog.text.count("was not written: the session ended") == 2


def test_a_log_that_was_waited_for_does_not_begin_the_one_behind_it(
    tmp_path: Path, recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Room is made by the oldest log alone; the second rests on, since a search may begin at once."""
    monkeypatch.setattr(logs, "_CALM", 60)
    writer = LogWriter(tmp_path, room=2 * size_of(recording))
    with writer.giving_way():
        writer.write(recording, 1, 0, "a")
        writer.write(recording, 1, 1, "b")
    writer.write(recording, 1, 2, "c")
    with writer.giving_way():
        assert writer.n_waiting == 2
        assert names_in(tmp_path) == ["game0001-ply0001-a.json.gz"]
    writer.finish()
    assert len(names_in(tmp_path)) == 3
