"""Logs in their folder: numbered on, written whole or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.games.hive import GAME
from engine.options import SearchOptions
from engine.recording import Recording
from engine.run import search
from visualizer.formats.detect import read_log_file
from visualizer.uhp.logs import LogWriter, log_name


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
