"""Work in child processes on a game of somebody's own: each is given its place, and its mistakes are told."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

import plyscope
from plyscope.engine.games import outside
from plyscope.engine.options import SearchOptions
from plyscope.log import tree_of
from plyscope.visualizer.analysis.explain.exact_question import Question
from plyscope.visualizer.shelf.jobs import check_job
from plyscope.visualizer.shelf.jobs.check_job import Check
from plyscope.visualizer.shelf.jobs.exact_search import ExactSearch
from plyscope.visualizer.shelf.jobs.job import Job
from tests.own_game import write_strip
from tests.patience import PATIENCE

QUESTION = Question("strip", "1 6 1", SearchOptions(depth=3, weights={"gap": 1.0, "steps": 2.0}), -1.0, 1)
FIRST = "def plies(self, position):\n"


def settled(job: Job) -> Job:
    assert job.settled.wait(PATIENCE)
    job.end()
    return job


def test_a_process_that_searches_is_given_the_game(tmp_path: Path) -> None:
    outside.bring(write_strip(tmp_path))
    found = settled(ExactSearch(QUESTION))
    assert (found.state, found.reason) == ("done", "")


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("1 / 0", "strip.py:Strip: ZeroDivisionError: division by zero (line "),
        ("raise SystemExit(7)", "strip.py:Strip: SystemExit: 7 (line "),
        ("import os; os._exit(7)", "its process broke off (exit code 7)"),
    ],
)
def test_a_game_that_breaks_off_in_a_process_is_said(tmp_path: Path, does: str, said: str) -> None:
    outside.bring(write_strip(tmp_path))
    write_strip(tmp_path, (FIRST, f"{FIRST}        {does}\n"))
    found = settled(ExactSearch(QUESTION))
    assert found.state == "failed"
    assert said in found.reason


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


def test_a_process_that_checks_is_given_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = plyscope.search(write_strip(tmp_path), depth=4, progress=False)
    monkeypatch.setattr(check_job, "SMALL_ROWS", 0)
    check = Check(tree_of(log))
    check.start()
    assert check.settled.wait(PATIENCE)
    assert "replay" in [each["rule"] for each in check.report["checked"]]
    check.end()


def test_a_game_that_is_an_object_is_not_known_to_a_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = outside.load(write_strip(tmp_path))
    log = plyscope.search(game, depth=4, progress=False)
    monkeypatch.setattr(check_job, "SMALL_ROWS", 0)
    check = Check(tree_of(log))
    check.start()
    assert check.settled.wait(PATIENCE)
    (why,) = [each["why"] for each in check.report["not_checked"] if each["rule"] == "replay"]
    assert why.startswith("no game 'strip'")
    check.end()
