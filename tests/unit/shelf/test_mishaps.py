"""Tests of mishaps to logs that a viewer shows: killed readings, full disks, files that come and go."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import plyscope
from plyscope import files
from plyscope.engine import jit
from plyscope.engine.jit import NotCompiledError
from plyscope.visualizer.analysis.warm_up import read_to_compile
from plyscope.visualizer.formats import detect
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.shelf import readings
from plyscope.visualizer.shelf.jobs import log_converter, log_reader
from plyscope.visualizer.shelf.jobs.log_converter import convert
from plyscope.visualizer.shelf.jobs.log_reader import ChildReading, ReadingFailed, read_with_memory
from plyscope.visualizer.shelf.library import BUDGET
from plyscope.visualizer.shelf.log_cache import LogCache
from plyscope.visualizer.shelf.mappings import RememberedMappings
from plyscope.visualizer.shelf.shelf import NotReadyError
from plyscope.visualizer.store.log import Log
from tests.patience import PATIENCE, wait_for
from tests.unit.logs import there
from tests.unit.shelf.conftest import FOREIGN, LOG, Here, opened, refuse


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "log.json").write_bytes(LOG)
    return tmp_path / "log.json"


@pytest.fixture
def task(path: Path, tmp_path: Path) -> dict[str, Any]:
    """What a child is told to convert."""
    return {"path": path, "mapping": None, "data": tmp_path, "cache": tmp_path, "max_bytes": 1000}


def test_a_file_that_is_gone_is_said_to_be_gone(here: Here, path: Path) -> None:
    logs = here()
    entry = logs.add_file(path)
    path.unlink()
    with pytest.raises(NotReadyError, match="not there any more"):
        logs.open(entry.id)
    assert (entry.state, entry.settled.is_set()) == ("failed", True)
    path.write_bytes(LOG)
    assert logs.open(entry.id).log.n_rows == 2
    nameless = Path(os.fsdecode(os.fsencode(path.parent) + b"/caf\xe9.json"))  # whose name is no text
    nameless.write_bytes(LOG)
    entry = logs.add_file(nameless)
    assert (entry.name, logs.open(entry.id).log.n_rows) == ("caf\N{REPLACEMENT CHARACTER}.json", 2)


@pytest.mark.usefixtures("all_logs_are_large")
def test_a_log_whose_index_was_cut_by_a_full_disk_is_not_taken_for_another(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    first.write_bytes(LOG)
    second.write_bytes(LOG.replace(b"a1", b"h8"))
    logs = here()
    for path in (first, second):
        opened(logs, logs.add_file(path).id)
    unpacked: list[Path] = []  # one that was converted is not unpacked again to learn its size
    with monkeypatch.context() as patch:
        patch.setattr(readings, "size_once_read", lambda path: unpacked.append(path) or 1000)
        again = here()
        assert again.open(again.add_file(first).id).log.n_rows == 2
        assert unpacked == []
        first.write_bytes(LOG + b" ")
        opened(later := here(), later.add_file(first).id)
        assert unpacked == [first]
    for index in (tmp_path / "cache" / "library" / "index").iterdir():
        index.write_bytes(b"")
    again = here()
    found = [opened(again, again.add_file(path).id).find("h8").tolist() for path in (first, second)]
    assert found == [[], [1]]


@pytest.mark.usefixtures("all_logs_are_large")
def test_a_paste_outlives_a_reading_that_failed_for_no_fault_of_its_own(here: Here, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file stands where the cache should be")
    logs = here()
    entry = logs.paste(FOREIGN, "mine")
    entry.settled.wait(PATIENCE)
    assert (entry.state, "PLYSCOPE_CACHE" in entry.error) == ("failed", True)
    (tmp_path / "cache").unlink()
    assert opened(logs, entry.id).log.n_rows == 2
    with pytest.raises(NotReadyError):  # a mapping that it cannot be read with is taken back
        logs.set_mapping(entry.id, {"children": "no such field"})
    entry.settled.wait(PATIENCE)
    assert (entry.state, entry.mapping) == ("failed", None)
    assert opened(logs, entry.id).log.n_rows == opened(here(), entry.id).log.n_rows == 2
    logs.delete(entry.id)
    bad = logs.paste(b'{"plyscope": 1, "root": {"score": "high"}}', "bad")  # and one that is no log does not
    bad.settled.wait(PATIENCE)
    assert bad.state == "failed"
    with pytest.raises(NotReadyError, match="high"):
        logs.open(bad.id)
    assert list((tmp_path / "data" / "pasted").iterdir()) == []


def test_a_child_is_killed_in_the_middle_of_a_word_and_takes_no_file_of_our_folder_for_a_module(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path.with_name("json.py").write_text("raise SystemExit('the wrong json')")
    monkeypatch.chdir(path.parent)
    children = [ChildReading(path, None, path.parent / "data", path.parent / "cache", 1000) for _ in range(2)]
    children[1].kill()
    assert children[0].wait(lambda part: None).n_rows == 2
    with pytest.raises(ReadingFailed, match=r"was not read: its process was killed \(signal 9\)"):
        children[1].wait(lambda part: None)


def test_a_full_disk_and_a_file_that_vanished_are_no_fault_of_a_log(
    task: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Amid a column that is told in numpy's words, without a number of the error."""
    monkeypatch.setattr(LogCache, "save", refuse(OSError("720896 requested and 12288 written")))
    with pytest.raises(ReadingFailed, match="written: 720896 requested and 12288 written; make room there"):
        convert(task, print, iter(()))
    task["path"].unlink()
    with pytest.raises(ReadingFailed, match=r"log\.json cannot be read: No such file or directory"):
        convert(task, print, iter(()))


def test_what_an_engine_appends_while_its_log_is_read_is_not_lost(
    task: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = task["path"]
    path.write_bytes(b'{"id": 0}\n{"id": 1, "parent": 0}\n')
    library = LogCache(tmp_path, RememberedMappings(tmp_path))

    def read_while_it_grows(data: bytes, **how: Any) -> Log:
        with path.open("ab") as file:
            file.write(b'{"id": 2, "parent": 0}\n')
        return read_with_memory(data, **how)

    monkeypatch.setattr(log_converter, "read_with_memory", read_while_it_grows)
    assert there(library.load(convert(task, print, iter(()))["kept"])).n_rows == 2
    assert library.find(path, None) is None
    monkeypatch.undo()
    convert(task, print, iter(()))
    assert there(library.find(path, None)).n_rows == 3


def test_a_fault_of_ours_ends_as_a_failed_log(
    here: Here, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    logs, wait, broken = here(), ChildReading.wait, refuse(ZeroDivisionError("a fault of ours"))
    entry = logs.add_file(path)
    with monkeypatch.context() as patch:
        patch.setattr(readings, "read_with_memory", broken)
        with pytest.raises(NotReadyError, match="please report it"):
            logs.open(entry.id)
    assert (entry.state, entry.settled.is_set()) == ("failed", True)
    # The same once a child has read it.
    monkeypatch.setattr(readings, "SMALL_BYTES", 10)
    monkeypatch.setattr(ChildReading, "wait", lambda *child: wait(*child) and broken())
    with pytest.raises(NotReadyError):
        logs.open(entry.id)
    assert entry.settled.wait(PATIENCE)
    assert (entry.state, entry.child, "please report it" in entry.error) == ("failed", None, True)


@pytest.mark.parametrize(
    ("error", "sentence"), [(KeyError("x"), "please report it"), (MemoryError(), "needs more memory")]
)
def test_a_fault_in_the_child_is_told_in_words(
    error: Exception, sentence: str, task: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[Mapping[str, Any]] = []
    monkeypatch.setattr(log_converter, "read_with_memory", refuse(error))
    log_converter.serve(iter([task]), told.append)
    assert sentence in told[-1]["error"]


class Converter:
    """A child process that converts in this one."""

    def kill(self) -> None: ...

    def send(self, task: dict[str, Any]) -> None:
        self.result = lambda *told: convert(task | {"least": 10}, print, iter(()))


def test_a_log_is_there_before_its_process_has_ended_and_the_library_was_tidied(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = threading.Event()
    monkeypatch.setattr(Converter, "kill", lambda self: may_end.wait(PATIENCE))
    log_cache = LogCache(tmp_path, RememberedMappings(tmp_path))
    other = log_cache.save(read_log(LOG), "another", None)
    monkeypatch.setenv(BUDGET, "1")
    child = ChildReading(path, None, tmp_path, tmp_path, 1000, process=Converter())  # type: ignore[arg-type]
    log = child.wait(lambda part: None)
    assert log.n_rows == 2
    assert other in [each.id for each in log_cache.library.logs()]
    may_end.set()
    wait_for(lambda: other not in [each.id for each in log_cache.library.logs()])
    assert len(log_cache.library.logs()) == 1


def test_what_a_library_read_is_read_again_beside_by_machine_code(
    here: Here, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is there for the next log, whoever read this one; a small log asks for none."""

    def not_at_hand(function: Any) -> Any:
        raise NotCompiledError(function.__name__)

    begun: list[tuple[Any, ...]] = []
    for module in (files, readings, log_reader):
        monkeypatch.setattr(module, "compile_beside", lambda *asked, **how: begun.append(asked))
    monkeypatch.setattr(detect, "at_hand", not_at_hand)
    for some in (10_000, 10):
        logs = here()
        monkeypatch.setattr(detect, "SOME_BYTES", some)
        plyscope.open(path)
        opened(logs, logs.add_file(path).id)
        pasted = logs.paste(LOG + b" " * (some % 7), "mine")
        child = ChildReading(path, None, tmp_path, tmp_path, 1000, process=Converter())  # type: ignore[arg-type]
        assert child.wait(lambda part: None).n_rows == 2
    assert begun == [("read", each) for each in (path, path, pasted.path, path)]
    compiled = jit.compiled
    monkeypatch.setattr(detect, "compiled", lambda function: begun.append(function) or compiled(function))
    begun.clear()
    read_to_compile(path)
    assert begun
