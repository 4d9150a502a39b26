"""Which logs are listed and in what order, and how viewers share the folder of pastes."""

from __future__ import annotations

import errno
import json
import os
import shutil
from pathlib import Path

import pytest

from plyscope.visualizer.formats.marks import MARK
from plyscope.visualizer.shelf.initial_logs import list_examples
from plyscope.visualizer.shelf.pastes import SECONDS_A_PART_MAY_STAY
from plyscope.visualizer.shelf.shelf import NotReadyError, Shelf
from tests.patience import PATIENCE
from tests.unit.logs import there
from tests.unit.shelf.conftest import Here, refuse

SMALL = b'{"plyscope": 1, "root": {"score": 1, "children": [{"ply": "a", "score": 1}]}}'
OF_A_GAME = SMALL.replace(b'"a"', b'"e4"').replace(
    b'"root"', b'"game": "chess", "result": {"ply": "e4"}, "root"'
)


def write(path: Path, time: float, data: bytes = SMALL) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    os.utime(path, (time, time))
    return path


def names(shelf: Shelf) -> list[str]:
    return [entry.name for entry in shelf.entries()]


def test_the_newest_log_stands_first_wherever_it_came_from(shelf: Shelf, tmp_path: Path) -> None:
    shelf.add_file(write(tmp_path / "old.json", 100))
    for name, time in (("b", 300), ("a", 200)):
        write(tmp_path / "runs" / f"{name}.json", time)
    shelf.add_folder(tmp_path / "runs")
    os.utime(shelf.paste(SMALL, "mine").path, (250, 250))
    assert names(shelf) == ["b.json", "mine", "a.json", "old.json"]
    write(tmp_path / "old.json", 400)
    assert names(shelf)[0] == "old.json"
    assert shelf.entries()[0].summary()["added"] == 400
    b, a = (each for each in shelf.entries() if each.name in ("a.json", "b.json"))
    shelf.open(b.id)
    for each in (a, b):  # what left its folder leaves the list, unless it is open
        each.path.unlink()
    assert names(shelf) == ["old.json", "b.json", "mine"]
    assert shelf.open(b.id).log.n_rows == 2


def test_examples_stand_last_in_their_own_order(shelf: Shelf, tmp_path: Path) -> None:
    """Those to begin with, then those with a bug, then all others."""
    folder = tmp_path / "examples"
    (folder / "bugs").mkdir(parents=True)
    for time, name in enumerate(
        ("a.json", "bugs/bug-a.json", "bugs/a.py", "chess-x.json", "hive-x.json", "z.json")
    ):
        write(folder / name, 10**10 + time)
    list_examples(shelf, folder)
    shelf.paste(SMALL, "mine")
    assert names(shelf) == ["mine", "hive-x.json", "chess-x.json", "bug-a.json", "a.json", "z.json"]
    first = there(shelf.first())
    assert first.name == "hive-x.json"
    assert "added" not in first.summary()


def test_logs_of_a_match_stand_together_by_game_and_ply(shelf: Shelf, tmp_path: Path) -> None:
    """Whenever they were written: processes write them side by side."""
    times = {"game0001-ply0007": 400, "game0000-ply0009": 600, "game0000-ply0007": 500}
    for folder in ("logs", "other"):
        for name, time in times.items():
            write(tmp_path / folder / f"{name}.json", time)
        shelf.add_folder(tmp_path / folder)
    (tmp_path / "logs" / MARK).write_text("{}")
    shelf.add_file(write(tmp_path / "newer.json", 700))
    shelf.add_file(write(tmp_path / "older.json", 550))
    listed = [(entry.path.parent.name, entry.path.stem) for entry in shelf.entries()]
    assert [name for folder, name in listed if folder == "other"] == sorted(
        times, key=lambda name: -times[name]
    )
    together = [("logs", name) for name in sorted(times)]
    own = [each for each in listed if each[0] != "other"]
    assert own == [(tmp_path.name, "newer"), *together, (tmp_path.name, "older")]
    at = listed.index(together[0])
    assert listed[at : at + 3] == together


def test_what_else_lies_in_a_folder_of_logs_is_not_listed(shelf: Shelf, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    write(runs / "a.json", 100)
    os.mkfifo(runs / "pipe.json")
    (runs / "gone.json").symlink_to(runs / "nowhere")
    (runs / "inner.json").symlink_to(runs / "a.json")
    (runs / "loop.json").symlink_to(runs / "loop.json")
    (runs / "folder.json").mkdir()
    shelf.add_folder(runs)
    assert names(shelf) == ["a.json"]
    with pytest.raises(NotReadyError, match="no file"):  # and nobody waits for it
        shelf.open(shelf.add_file(runs / "pipe.json").id)


# Pastes ----------------------------------------------------------------------------------------------


def test_a_nameless_paste_is_named_by_its_game_and_the_ply_that_came_out(shelf: Shelf) -> None:
    assert shelf.paste(OF_A_GAME, "").name == "chess e4"
    assert shelf.paste(OF_A_GAME + b" ", "").name == "chess e4 2"
    assert shelf.paste(OF_A_GAME.replace(b'"result"', b'"outcome"'), "").name == "chess e4 3"
    assert shelf.paste(OF_A_GAME + b"\n", "mine").name == "mine"
    assert [shelf.paste(SMALL + b" " * n, "").name for n in (0, 1, 0)] == ["pasted 1", "pasted 2", "pasted 1"]
    assert "chess e4" in names(shelf)


def test_a_name_that_comes_with_a_text_takes_the_place_of_any_but_a_given_one(
    here: Here, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf, other = here(), here()
    with monkeypatch.context() as patch:
        patch.setattr("plyscope.visualizer.shelf.shelf.SMALL_BYTES", 10)
        large = shelf.paste(OF_A_GAME, "")  # a large one is named once it is read
        assert large.settled.wait(PATIENCE)
        shelf.open(large.id)
    assert names(shelf) == names(other) == ["chess e4"]
    for name in ("", "first.json", "second.json"):
        assert shelf.paste(OF_A_GAME, name).name == (name or "chess e4")
    shelf.rename(shelf.entries()[0].id, "My loss")
    for again in (shelf, here(), here()):
        for name in ("third.json", ""):
            assert again.paste(OF_A_GAME, name).name == "My loss"
            assert names(again) == ["My loss"]
    assert names(other) == ["My loss"]  # in a viewer that was there before as well
    other.rename(large.id, "ours")
    assert names(shelf) == ["ours"]
    shelf.delete(large.id)
    assert names(other) == []
    with pytest.raises(KeyError):
        other.open(large.id)


@pytest.mark.parametrize("odd", ["a pipe", "a link to nothing", "a folder"])
@pytest.mark.parametrize("name", ["aaaaaaaaaaaa.log", "bbbbbbbbbbbb.about.json", "../mappings.json"])
def test_odd_files_in_the_data_folder_are_skipped_with_a_notice(
    here: Here, pasted: Path, name: str, odd: str
) -> None:
    if odd == "a link to nothing":
        (pasted / name).symlink_to(pasted / "nowhere")
    else:
        (Path.mkdir if odd == "a folder" else os.mkfifo)(pasted / name)
    shelf = here()
    assert names(shelf) == ["bbbbbbbbbbbb"]
    (notice,) = shelf.notices
    assert name.rpartition("/")[2] in notice
    assert shelf.open("bbbbbbbbbbbb").log.n_rows == 2


def test_what_a_crash_left_of_pastes_is_mended_or_deleted_after_a_day(here: Here) -> None:
    path = here().paste(SMALL, "mine").path
    path.write_bytes(SMALL[:20])
    assert here().paste(SMALL, "mine").path.read_bytes() == SMALL
    (path.parent / f"{path.stem}.about.json").unlink()
    assert here().paste(SMALL, "").name == "pasted 1"
    old, new = path.with_name(".old.part"), path.with_name(".new.part")
    for part in (old, new):
        part.write_bytes(b"[")
    long_ago = new.stat().st_mtime - SECONDS_A_PART_MAY_STAY - 60
    os.utime(old, (long_ago, long_ago))
    here().entries()
    assert (old.exists(), new.exists()) == (False, True)


@pytest.fixture
def pasted(tmp_path: Path) -> Path:
    """The folder of pastes, with one that nothing describes."""
    folder = tmp_path / "data" / "pasted"
    folder.mkdir(parents=True)
    (folder / "bbbbbbbbbbbb.log").write_bytes(SMALL)
    return folder


@pytest.mark.parametrize(
    "text",
    [
        *(b"null", b"[]", b"{}", b'{"name": 3}', b'{"name": "\\ud800"}'),
        *(b"{", b"\xff", b'{"name": "a", "mapping": 1}'),
    ],
)
def test_a_description_that_is_none_leaves_the_paste_its_id(here: Here, pasted: Path, text: bytes) -> None:
    (pasted / "bbbbbbbbbbbb.about.json").write_bytes(text)
    shelf = here()
    assert names(shelf) == ["bbbbbbbbbbbb"]
    assert "does not describe a paste" in shelf.notices[0]
    assert json.dumps(shelf.entries()[0].summary()).isascii()


def test_pastes_stay_on_the_list_while_their_folder_cannot_be_listed(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf = here()
    paste = shelf.paste(SMALL, "mine")
    Path(os.fsdecode(os.fsencode(paste.path.parent) + b"/caf\xe9.log")).write_bytes(SMALL)
    assert names(shelf) == ["mine"]
    assert "not named as pastes are" in shelf.notices[0]
    assert shelf.notices[0].encode()
    monkeypatch.setattr(os, "scandir", refuse(PermissionError(errno.EACCES, os.strerror(errno.EACCES))))
    assert names(shelf) == ["mine"]
    assert "Permission denied" in shelf.notices[-1]
    monkeypatch.undo()
    shutil.rmtree(paste.path.parent)
    paste.path.parent.write_text("")
    assert "cannot be listed" in here().notices[0]
