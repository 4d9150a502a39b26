"""Logs in their folder: numbered on, written whole or not at all."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pytest

from plyscope.engine.games.hive import GAME
from plyscope.engine.options import SearchOptions
from plyscope.engine.record.recording import Recording
from plyscope.engine.run import search
from plyscope.visualizer.formats.detect import read_log_file
from plyscope.visualizer.uhp import log_process
from plyscope.visualizer.uhp.log_process import spool, unspool
from plyscope.visualizer.uhp.log_writer import LogWriter, log_name


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


def test_what_was_spooled_comes_back_as_it_was(tmp_path: Path, recording: Recording) -> None:
    with (tmp_path / "spooled").open("wb") as file:
        spool(recording, file)
    back = unspool(tmp_path / "spooled")
    for name in ("rows", "factors", "stub_plies", "hits", "state"):
        assert np.array_equal(getattr(back, name), getattr(recording, name))
    assert (back.header, back.trees) == (recording.header, recording.trees)


def test_a_session_that_is_killed_loses_no_log(tmp_path: Path) -> None:
    """It kills itself the moment that its last search is answered, as a viewer may."""
    program = (
        "import os, signal, sys; from pathlib import Path; "
        "from plyscope.visualizer.uhp.session import Session; "
        "session = Session(Path(sys.argv[1]), writes_logs=True, compiled=False); "
        "lines = ['newgame Base;;;wS1;bG1 -wS1;wQ wS1-;bQ -bG1', *3 * ['bestmove depth 1']]; "
        "[[*session.answer(line)] for line in lines]; os.kill(os.getpid(), signal.SIGKILL)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path)], check=False)
    assert done.returncode == -signal.SIGKILL
    while any(name.endswith(".spooled") for name in names_in(tmp_path)):
        os.sched_yield()
    names = names_in(tmp_path)
    assert [name[:16] + name[-13:] for name in names] == [
        f"game0001-ply0005-000{number}.json.gz" for number in (1, 2, 3)
    ]
    for name in names:
        assert read_log_file(tmp_path / name).header["result"]["depth"] == 1


def test_a_writing_process_that_is_killed_is_told_and_replaced(
    tmp_path: Path, recording: Recording, caplog: pytest.LogCaptureFixture
) -> None:
    writer = LogWriter(tmp_path)
    writer.write(recording, 1, 0, "a")
    child = writer._child
    assert child is not None
    os.kill(child.pid, signal.SIGSTOP)
    writer.write(recording, 1, 1, "b")
    os.kill(child.pid, signal.SIGKILL)
    writer.finish()
    assert "game0001-ply0002-b.json.gz was not written: its process was killed (signal 9)" in caplog.text
    writer.write(recording, 1, 2, "c")
    writer.finish()
    assert "game0001-ply0003-c.json.gz" in names_in(tmp_path)


def test_a_disk_that_is_full_costs_the_log_and_not_the_session(
    tmp_path: Path, recording: Recording, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    monkeypatch.setattr(log_process, "spool", Mock(side_effect=full))
    writer = LogWriter(tmp_path)
    writer.write(recording, 1, 0, "a")
    writer.finish()
    assert names_in(tmp_path) == []
    assert "game0001-ply0001-a.json.gz cannot be written: No space left on device" in caplog.text


def test_a_log_without_room_to_wait_has_those_before_it_written(tmp_path: Path, recording: Recording) -> None:
    writer = LogWriter(tmp_path, room=1)
    for number in range(3):
        writer.write(recording, 1, number, "a")
        assert writer.n_waiting <= 1
        written = [name for name in names_in(tmp_path) if name.endswith(".json.gz")]
        assert len(written) >= number
    writer.finish()
    assert writer.n_waiting == 0
    assert names_in(tmp_path) == [f"game0001-ply000{ply}-a.json.gz" for ply in (1, 2, 3)]
