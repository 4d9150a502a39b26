"""Which exact searches run, are kept and are ended, whatever is asked in whatever order; and how one ends."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
import threading
from pathlib import Path

import hypothesis.strategies as st
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from plyscope.engine.options import SearchOptions
from plyscope.visualizer.analysis.explain.exact_question import Question
from plyscope.visualizer.formats.detect import read_log_file
from plyscope.visualizer.shelf.jobs import exact_search
from plyscope.visualizer.shelf.jobs.exact_search import (
    MOST_KEPT,
    MOST_RUNNING,
    ExactSearch,
    ExactSearches,
    TooManyError,
)
from plyscope.visualizer.store.tree import Tree
from tests.patience import PATIENCE
from tests.property.examples import examples
from tests.unit.logs import log_of, there

PLIES = [(row, ply) for row in range(4) for ply in "abcdef"]
TREES = [Tree(log_of({"score": n})) for n in range(2)]
EMPTY = "/".join(6 * ["......."])
QUESTION = Question("connect_four", EMPTY, SearchOptions(depth=2), 1.0, 0)


class Pretended:
    """Stands for a search: the test says when it is done."""

    all: list[Pretended]

    def __init__(self, question: Question) -> None:
        self.state = "running"
        self.n_ended = 0
        self.all.append(self)

    def end(self) -> None:
        self.n_ended += 1


class Model(RuleBasedStateMachine):
    """The kept searches, beside a plain list of those that should be kept: the oldest first."""

    def __init__(self) -> None:
        super().__init__()
        Pretended.all = []
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(exact_search, "ExactSearch", Pretended)
        self.searches = ExactSearches()
        self.wanted: list[tuple[Tree, tuple[int, str], Pretended]] = []

    def teardown(self) -> None:
        self.searches.close()
        self.patch.undo()
        assert all(each.n_ended == 1 for each in Pretended.all), "every search is ended, and once"

    def at(self, tree: Tree, key: tuple[int, str]) -> Pretended | None:
        return next((each for of, ply, each in self.wanted if of is tree and ply == key), None)

    @rule(tree=st.sampled_from(TREES), key=st.sampled_from(PLIES))
    def start(self, tree: Tree, key: tuple[int, str]) -> None:
        there = self.at(tree, key)
        if there is not None and there.state != "failed":
            assert self.searches.start(tree, key, QUESTION) is there
            return
        if sum(each.state == "running" for _, _, each in self.wanted) >= MOST_RUNNING:
            with pytest.raises(TooManyError):
                self.searches.start(tree, key, QUESTION)
            return
        self.searches.start(tree, key, QUESTION)
        self.wanted = [each for each in self.wanted if each[2] is not there]
        if len(self.wanted) == MOST_KEPT:
            self.wanted.remove(next(each for each in self.wanted if each[2].state != "running"))
        self.wanted.append((tree, key, Pretended.all[-1]))

    @rule(tree=st.sampled_from(TREES), key=st.sampled_from(PLIES))
    def stop(self, tree: Tree, key: tuple[int, str]) -> None:
        self.searches.stop(tree, key)
        self.wanted = [each for each in self.wanted if not (each[0] is tree and each[1] == key)]

    @precondition(lambda self: any(each.state == "running" for _, _, each in self.wanted))
    @rule(state=st.sampled_from(["done", "done", "failed"]))
    def finish(self, state: str) -> None:
        next(each for _, _, each in self.wanted if each.state == "running").state = state

    @invariant()
    def what_is_kept_is_what_should_be(self) -> None:
        for tree in TREES:
            for key in PLIES:
                assert self.searches.of(tree, key) is self.at(tree, key)
        kept = [each for _, _, each in self.wanted]
        assert [each.n_ended for each in Pretended.all] == [int(each not in kept) for each in Pretended.all]


TestModel = Model.TestCase
TestModel.settings = settings(max_examples=examples(30), stateful_step_count=60, deadline=None)


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> list[Pretended]:
    Pretended.all = []
    monkeypatch.setattr(exact_search, "ExactSearch", Pretended)
    return Pretended.all


def test_searches_of_a_tree_that_is_gone_make_room_for_others(pretended: list[Pretended]) -> None:
    searches, tree = ExactSearches(), Tree(log_of({"score": 2}))
    for row in range(MOST_RUNNING):
        searches.start(tree, (row, "a"), QUESTION)
    del tree
    gc.collect()
    searches.start(TREES[0], (0, "a"), QUESTION)
    assert [each.n_ended for each in pretended] == [*MOST_RUNNING * [1], 0]


def test_a_search_that_is_stopped_while_it_begins_is_ended(
    pretended: list[Pretended], monkeypatch: pytest.MonkeyPatch
) -> None:
    begins, goes_on = threading.Event(), threading.Event()

    def begin(question: Question) -> Pretended:
        begins.set()
        assert goes_on.wait(PATIENCE)
        return Pretended(question)

    monkeypatch.setattr(exact_search, "ExactSearch", begin)
    searches, asked = ExactSearches(), (TREES[0], (0, "a"))
    starting = threading.Thread(target=searches.start, args=(*asked, QUESTION))
    stopping = threading.Thread(target=searches.stop, args=asked)
    starting.start()
    assert begins.wait(PATIENCE)
    stopping.start()
    goes_on.set()
    for thread in (starting, stopping):
        thread.join(PATIENCE)
    assert [each.n_ended for each in pretended] == [1]


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_search_leaves_its_log_until_it_is_ended_or_says_what_goes_wrong_in_its_words(
    folders: Path,
) -> None:
    search = ExactSearch(QUESTION)
    assert search.settled.wait(PATIENCE)
    worth = there(search.worth)
    assert read_log_file(search.log_path).header["result"]["score"] == worth.score
    state = {"state": "done", "nodes": worth.nodes, "seconds": 0.0, "compiling": False, "writing": False}
    assert (search.as_json(), search.reason) == (state, "")
    search.end()
    assert list(folders.iterdir()) == []
    nonsense = ExactSearch(Question("connect_four", "nonsense", SearchOptions(depth=2), 1.0, 0))
    unwritten = ExactSearch(Question("connect_four", EMPTY, SearchOptions(depth=6), 1.0, 0))
    unwritten._folder.cleanup()  # as whoever tidies the folder of temporary files
    for search, said in ((nonsense, "nonsense"), (unwritten, "exact.json cannot be written")):
        assert search.settled.wait(PATIENCE)
        assert (search.state, said in search.reason) == ("failed", True), search.reason
        search.end()


def test_whoever_waits_for_a_search_that_is_killed_or_ended_goes_on(folders: Path) -> None:
    search = ExactSearch(Question("connect_four", EMPTY, SearchOptions(depth=40), 1.0, 0))
    os.kill(search._child.pid, signal.SIGKILL)
    assert search.settled.wait(PATIENCE)
    assert search.as_json()["state"] == "failed"
    assert search.reason == "its process was killed (signal 9), perhaps for want of memory"
    search.end()
    ended = ExactSearch(search.question)
    waiting = threading.Thread(target=ended.settled.wait)
    waiting.start()
    ended.end()
    waiting.join(PATIENCE)
    assert (waiting.is_alive(), ended._child.is_running) == (False, False)
    assert list(folders.iterdir()) == []
