"""Converted logs in a cache that viewers share: found by content, by mapping, and made again where lost."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.shelf import readings
from plyscope.visualizer.shelf.jobs import check_job
from plyscope.visualizer.shelf.jobs.log_reader import ChildReading, read_with_memory
from plyscope.visualizer.shelf.log_cache import LogCache, digest_of
from plyscope.visualizer.shelf.shelf import NotReadyError
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from tests.patience import PATIENCE
from tests.unit.logs import there
from tests.unit.shelf.conftest import FOREIGN, LOG, Here, opened
from tests.unit.shelf.test_shelf import Halt


def saved(cache: LogCache, path: Path, mapping: dict[str, str] | None = None) -> Log:
    """Read the log at `path` and save it, as a child process does."""
    data, remembered = path.read_bytes(), cache._remembered
    log = read_with_memory(data, name=path.name, mapping=mapping, remembered=remembered, max_bytes=10**6)
    cache.save(log, digest_of(data), mapping)
    return log


def file(folder: Path, name: str, data: bytes) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_a_log_is_found_under_every_path_that_has_its_content_and_no_other(
    tmp_path: Path, cache: LogCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file(tmp_path, "log.json", LOG)
    assert cache.find(path, None) is None
    saved(cache, path)
    copy = file(tmp_path, "copy.json", LOG)
    other = file(tmp_path, "other.json", LOG.replace(b"a1", b"h8"))
    assert cache.find(copy, None, only_known=True) is None
    assert [cache.find(each, None) is not None for each in (path, copy, other)] == [True, True, False]
    # What was looked at before is found without reading a file, unless that is of another time.
    with monkeypatch.context() as patch:
        patch.setattr("hashlib.file_digest", lambda *_: pytest.fail("the file was read"))
        assert cache.find(path, None, only_known=True) is not None
    os.utime(path, ns=(1, 1))
    assert cache.find(path, None, only_known=True) is None
    # Where no digest can be noted, the log is found all the same.
    shutil.rmtree(cache.folder / "index")
    (cache.folder / "index").write_text("a file stands where the folder should be")
    assert cache.find(path, None) is not None
    assert cache.find(path, None, only_known=True) is None


def test_a_foreign_log_is_found_with_the_mapping_that_it_was_read_with_alone(
    tmp_path: Path, cache: LogCache
) -> None:
    path = file(tmp_path, "theirs.json", FOREIGN)
    guessed = saved(cache, path)
    chosen = {"score": "cost"}
    assert cache.find(path, chosen) is None
    saved(cache, path, chosen)
    found = cache.find(path, None), cache.find(path, chosen)
    assert [None if each is None else each.columns["score"].tolist() for each in found] == [[1, 5], [7, 8]]
    cache._remembered.set(guessed.shape, chosen)
    assert cache.find(path, None) is None, "what was guessed is not what would be read now"
    saved(cache, path)
    again = there(cache.find(path, None))
    assert again.columns["score"].tolist() == [7, 8]
    for damage in (b"", b"\xff"):  # where the mapping was lost it is converted again
        for mapping in cache.folder.glob("*.mapping"):
            mapping.write_bytes(damage)
        assert cache.find(path, None) is None


def test_a_file_that_is_written_while_its_digest_is_made_has_none_noted(
    tmp_path: Path, cache: LogCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file(tmp_path, "log.json", LOG)
    saved(cache, path)
    digest = hashlib.file_digest

    def grow(*given: object) -> object:
        found = digest(*given)
        with path.open("ab") as end:
            end.write(b" ")
        return found

    with monkeypatch.context() as patch:
        patch.setattr("hashlib.file_digest", grow)
        assert cache.find(path, None) is not None  # what it held when it was read
    assert not list(cache.folder.glob("index/*"))
    assert cache.find(path, None) is None


@pytest.mark.usefixtures("all_logs_are_large")
def test_two_viewers_that_open_one_log_at_once_both_read_it_unless_its_conversion_is_deleted(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = file(tmp_path, "log.json", LOG)
    viewers = [here() for _ in range(3)]
    entries = [(viewer, viewer.add_file(path)) for viewer in viewers]
    for viewer, entry in entries:
        with pytest.raises(NotReadyError):
            viewer.open(entry.id)
    for viewer, entry in entries:
        assert entry.settled.wait(PATIENCE)
        assert (entry.state, viewer.open(entry.id).log.columns["score"].tolist()) == ("ready", [2, 2])
    assert len([each for each in (tmp_path / "cache" / "library").iterdir() if each.name != "index"]) == 1
    load, viewer = LogCache.load, here()
    entry = viewer.add_file(file(tmp_path, "other.json", LOG + b" "))

    def clear_first(cache: LogCache, place: str) -> Log | None:
        shutil.rmtree(tmp_path / "cache")
        return load(cache, place)

    with monkeypatch.context() as patch:
        patch.setattr(LogCache, "load", clear_first)
        with pytest.raises(NotReadyError):
            viewer.open(entry.id)
        assert entry.settled.wait(PATIENCE)
    assert entry.error == "what was converted of other.json is not in the cache any more; open it again"
    assert opened(viewer, entry.id).ply(1) == "a1"


@pytest.mark.usefixtures("all_logs_are_large")
def test_a_paste_that_is_removed_while_a_child_reads_it_ends_without_an_entry(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    viewer = here()
    halt = Halt(monkeypatch, ChildReading, "wait")
    entry = viewer.paste(LOG, "mine")
    assert halt.is_there.wait(PATIENCE)
    child = there(entry.child)
    viewer.delete(entry.id)
    halt.go_on.set()
    assert entry.settled.wait(PATIENCE)
    assert (child.is_running, viewer.entries(), entry.tree) == (False, [], None)
    assert list((tmp_path / "data" / "pasted").iterdir()) == []


def test_a_log_whose_conversion_was_deleted_is_still_checked_by_a_child(
    cache: LogCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_job, "SMALL_ROWS", 0)
    tree = Tree(there(cache.load(cache.save(read_log(LOG), "content", None))))
    check, again = check_job.Check(tree), check_job.Check(tree)
    check.start()
    assert check.settled.wait(PATIENCE)
    shutil.rmtree(cache.folder)
    assert check.state == "done"
    assert check.ask({"ask": "marks", "rows": [0, 1]}) == {"marks": {}}
    check.end()
    again.start()
    assert again.settled.wait(PATIENCE)
    assert (again.state, again.report) == ("done", check.report)
    again.end()


def test_a_small_log_of_many_rows_is_kept_converted_and_not_read_again(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "MANY_ROWS", 3)
    few, many = file(tmp_path, "few.json", LOG), file(tmp_path, "many.json", FOREIGN.replace(b"]", b", {}]"))
    viewers = [here() for _ in range(3)]
    ids = [viewers[0].add_file(path).id for path in (few, many)]
    first = [viewers[0].open(each) for each in ids]
    for viewer in viewers[1:]:
        assert [viewer.add_file(path).id for path in (few, many)] == ids
    read: list[str] = []
    monkeypatch.setattr(
        readings,
        "read_with_memory",
        lambda data, **how: (read.append(how["name"]), read_with_memory(data, **how))[1],
    )
    again = [viewers[1].open(each) for each in ids]
    assert read == ["few.json"]
    assert [each.log.n_rows for each in again] == [each.log.n_rows for each in first] == [2, 3]
    assert again[1].log.lines is not None
    many.write_bytes(FOREIGN.replace(b"]", b", {}, {}]"))
    assert viewers[2].open(ids[1]).log.n_rows == 4
    shutil.rmtree(tmp_path / "cache")
    (tmp_path / "cache").write_text("a file where the folder should be")  # a cache that takes nothing
    many.write_bytes(FOREIGN.replace(b"]", b", {}, {}, {}]"))
    assert viewers[2].open(ids[1], afresh=True).log.n_rows == 5
