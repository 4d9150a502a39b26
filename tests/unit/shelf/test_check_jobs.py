"""Work in child processes: how many checks run, where their columns lie, games of somebody's own."""

from __future__ import annotations

import errno
import tempfile
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import plyscope
from plyscope.engine.games import outside
from plyscope.engine.options import SearchOptions
from plyscope.log import tree_of
from plyscope.visualizer.analysis.explain.exact_question import Question
from plyscope.visualizer.child_process import ChildError
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.jobs import check_job
from plyscope.visualizer.shelf.jobs.check_job import MOST_CHILDREN, Check, Checks, mapped_folder, serve
from plyscope.visualizer.shelf.jobs.exact_search import ExactSearch
from plyscope.visualizer.shelf.jobs.job import Job
from plyscope.visualizer.store import disk
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from tests.own_game import write_strip
from tests.patience import PATIENCE
from tests.unit.logs import there

LOG = b'{"plyscope": 1, "root": {"score": 2, "children": [{"ply": "a1", "score": "nan"}]}}'


def opened(name: str) -> tuple[Entry, Tree]:
    entry = Entry(name, name, "file", Path(name), len(LOG))
    tree = Tree(read_log(LOG))
    entry.has_read(tree)
    return entry, tree


def test_only_a_few_children_live_and_the_oldest_goes_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_job, "SMALL_ROWS", 0)
    checks = Checks()
    logs = [opened(str(n)) for n in range(MOST_CHILDREN + 1)]
    for entry, tree in logs:
        checks.start(entry, tree)
    assert [checks.of(entry, tree) is not None for entry, tree in logs] == [False, True, True]
    last = there(checks.of(*logs[-1]))
    for entry, _ in logs:
        entry.forget_check()
    with pytest.raises(ChildError):
        last.ask({"ask": "marks", "rows": [0]})


def test_a_check_whose_columns_cannot_be_written_has_failed_and_may_begin_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(log: Log, folder: Path) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(check_job, "SMALL_ROWS", 0)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    checks, (entry, tree) = Checks(), opened("a")
    with monkeypatch.context() as full:
        full.setattr(check_job.disk, "save", refuse)
        check = checks.start(entry, tree)
    assert (check.state, check.reason) == ("failed", "the check could not begin: No space left on device")
    assert check.settled.is_set()
    assert list(tmp_path.iterdir()) == []
    again = checks.start(entry, tree)
    assert again.settled.wait(PATIENCE)
    assert again.state == "done"
    entry.forget_check()


def test_a_child_tells_how_far_it_is_then_the_report_then_answers(tmp_path: Path) -> None:
    log = read_log(LOG)
    assert mapped_folder(log) is None
    disk.save(log, tmp_path / "log")
    assert (
        mapped_folder(there(disk.load(tmp_path / "log"))) == tmp_path / "log"
    )  # it is checked where it lies
    told: list[Mapping[str, Any]] = []
    asked = [{"folder": str(tmp_path / "log")}, {"ask": "marks", "rows": [1]}]
    serve(iter(asked), told.append)
    *progress, report, marks = told
    assert all(set(message) == {"progress"} for message in progress)
    assert report["result"]["counts"] is not None
    assert marks["result"] == {"marks": {"1": {"count": 1, "below": 0, "severity": "wrong"}}}
    with pytest.raises(FileNotFoundError, match="no log in"):
        serve(iter([{"folder": str(tmp_path / "nowhere")}]), lambda message: None)


def test_many_who_begin_a_check_at_once_have_one(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[Check] = []
    begin = Check.start
    monkeypatch.setattr(Check, "start", lambda check: (begun.append(check), begin(check)))
    checks, together = Checks(), threading.Barrier(8)
    entry, tree = opened("a")

    def ask(_: int) -> Check:
        together.wait(PATIENCE)
        return checks.start(entry, tree)

    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(ask, range(8)))
    assert {id(check) for check in found} == {id(entry.check)}
    assert begun == [entry.check]


def test_a_check_of_the_next_tree_ends_the_one_before_and_a_stopped_one_is_forgotten() -> None:
    checks = Checks()
    entry, tree = opened("a")
    before = checks.start(entry, tree)
    later = Tree(tree.log)
    entry.has_read(later)
    after = checks.start(entry, later)
    assert before.is_ended
    assert checks.of(entry, later) is after
    assert checks.of(entry, tree) is None
    entry.forget_check()
    assert checks.of(entry, later) is None
    assert after.settled.is_set(), "whoever waits goes on"
    assert checks.start(entry, later) is not after


QUESTION = Question("strip", "1 6 1", SearchOptions(depth=3, weights={"gap": 1.0, "steps": 2.0}), -1.0, 1)
FIRST = "def plies(self, position):\n"


def settled(job: Job) -> Job:
    assert job.settled.wait(PATIENCE)
    job.end()
    return job


@pytest.mark.parametrize(
    ("does", "state", "said"),
    [
        ("pass", "done", ""),
        ("1 / 0", "failed", "strip.py:Strip: ZeroDivisionError: division by zero (line "),
        ("raise SystemExit(7)", "failed", "strip.py:Strip: SystemExit: 7 (line "),
        ("import os; os._exit(7)", "failed", "its process broke off (exit code 7)"),
    ],
)
def test_a_process_that_searches_is_given_the_game_and_says_where_that_breaks_off(
    tmp_path: Path, does: str, state: str, said: str
) -> None:
    outside.bring(write_strip(tmp_path))
    write_strip(tmp_path, (FIRST, f"{FIRST}        {does}\n"))
    found = settled(ExactSearch(QUESTION))
    assert (found.state, said in found.reason) == (state, True), found.reason


def test_a_game_that_hangs_in_a_process_is_cancelled(tmp_path: Path) -> None:
    outside.bring(write_strip(tmp_path))
    mark = tmp_path / "hangs"
    hang = f"        open({str(mark)!r}, 'w').close()\n        while True: pass\n"
    write_strip(tmp_path, (FIRST, FIRST + hang))
    search = ExactSearch(QUESTION)
    looks = threading.Event()
    while not mark.exists():
        assert search.state == "running"
        looks.wait(0.01)
    search.end()
    assert search.state == "cancelled"
    assert not search._child.is_running


def test_a_process_that_checks_is_given_the_game_unless_that_is_an_object(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_job, "SMALL_ROWS", 0)
    path = write_strip(tmp_path)
    for game, of_replay in ((outside.load(path), "not_checked"), (path, "checked")):
        check = Check(tree_of(plyscope.search(game, depth=4, progress=False)))
        check.start()
        assert check.settled.wait(PATIENCE)
        (told,) = [each for each in check.report[of_replay] if each["rule"] == "replay"]
        assert of_replay == "checked" or told["why"].startswith("no game 'strip'")
        check.end()
