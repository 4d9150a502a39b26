"""What is kept of the last answers: one a question, none of a tree that is gone, none that broke off."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from weakref import ref

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.shelf import prepared as answers
from plyscope.visualizer.shelf.kept import Kept
from plyscope.visualizer.shelf.prepared import Comparisons, KeptComparison, KeptReweighing, Reweighings
from plyscope.visualizer.store.tree import Tree
from tests.patience import PATIENCE
from tests.unit.logs import log_of


def test_an_answer_goes_with_its_tree_and_holds_none() -> None:
    gone: list[str] = []
    kept: Kept[str] = Kept(let_go=gone.append)
    tree, other = Tree(log_of({"score": 1})), Tree(log_of({"score": 1}))
    assert (kept.of(tree, "a", make=lambda: "one"), kept.of(other, "a", make=lambda: "two")) == ("one", "two")
    seen = ref(tree)
    del tree
    assert seen() is None
    kept.fit()
    assert (gone, kept.values(), kept.get(other, "a")) == (["one"], ["two"], "two")


def test_many_who_ask_at_once_wait_for_one_answer_and_others_do_not() -> None:
    kept: Kept[int] = Kept()
    may_go_on, made = threading.Event(), []

    def make() -> int:
        assert may_go_on.wait(PATIENCE)
        made.append(1)
        return 1

    with ThreadPoolExecutor(4) as pool:
        asked = [pool.submit(kept.of, "slow", make=make) for _ in range(4)]
        assert kept.of("quick", make=lambda: 2) == 2
        may_go_on.set()
        assert [each.result(PATIENCE) for each in asked] == [1, 1, 1, 1]
    assert made == [1]


def test_what_cannot_be_made_is_made_anew_when_it_is_asked_again() -> None:
    kept: Kept[int] = Kept()
    with pytest.raises(ZeroDivisionError):
        kept.of("a", make=lambda: 1 // 0)
    assert kept.get("a") is None
    assert kept.of("a", make=lambda: 3) == 3


def test_what_cannot_be_made_pushes_no_answer_out() -> None:
    kept: Kept[int] = Kept(1)
    kept.of("a", make=lambda: 3)
    with pytest.raises(ZeroDivisionError):
        kept.of("b", make=lambda: 1 // 0)
    kept.fit()
    assert kept.get("a") == 3


def test_the_oldest_go_until_the_others_fit_but_what_is_busy_and_the_last() -> None:
    kept: Kept[int] = Kept(most_size=10, size_of=lambda size: size, is_busy=lambda size: size == 4)
    for size in (4, 3, 5, 20):
        kept.of(size, make=lambda size=size: size)
    assert kept.values() == [4, 20]


NAMES = ("old.json", "new.json")
NO_ITERATIONS = (None, None)


def tree(score: float) -> Tree:
    """A tree of two iterations, whose second chose another ply."""
    first = {"iteration": 1, "score": 0, "children": [{"ply": "a", "score": 0}]}
    second = {"iteration": 2, "score": score, "children": [{"ply": "b", "score": score}]}
    return Tree(log_of(roots=[first, second]))


TREES = [tree(score) for score in (1.0, 2.0)]


def is_settled(kept: KeptComparison) -> KeptComparison:
    assert kept.job.settled.wait(PATIENCE)
    return kept


def test_a_comparison_is_of_the_iterations_that_were_asked() -> None:
    comparisons = Comparisons()
    old, new = TREES
    for iterations, plies in ((NO_ITERATIONS, ["b", "b"]), ((1, 2), ["a", "b"]), ((1, 1), ["a", "a"])):
        choices = is_settled(comparisons.of(old, new, NAMES, iterations)).found.choices
        assert [None if choice is None else choice.ply for choice in choices] == plies


def test_equal_logs_that_were_read_twice_are_other_questions() -> None:
    """A file that was read again has the same columns; what was found of the old ones is not said of it."""
    comparisons = Comparisons()
    kept = comparisons.of(TREES[0], TREES[1], NAMES, NO_ITERATIONS)
    assert comparisons.of(Tree(TREES[0].log), TREES[1], NAMES, NO_ITERATIONS) is not kept
    assert comparisons.of(TREES[0], TREES[1], NAMES, NO_ITERATIONS) is kept


def test_an_iteration_that_a_log_lacks_is_refused_in_words() -> None:
    kept = is_settled(Comparisons().of(TREES[0], TREES[1], NAMES, (9, None)))
    assert kept.job.state == "refused"
    assert "9" in kept.job.reason
    assert "reason" in kept.job.as_json()


def weighed(n_leaves: int = 2) -> Tree:
    leaves = [
        {"ply": str(number), "layer": "min", "outcome": "leaf", "score": number, "factors": [number]}
        for number in range(n_leaves)
    ]
    root = {"layer": "max", "children": leaves}
    document = {"plyscope": 1, "factors": [{"name": "f", "weight": 1}], "root": root}
    return Tree(read_log(json.dumps(document).encode()))


def prepared(kept: KeptReweighing) -> KeptReweighing:
    assert kept.prepared.settled.wait(PATIENCE)
    return kept


def test_the_log_that_was_asked_longest_ago_is_let_go() -> None:
    logs = Reweighings()
    trees = [weighed() for _ in range(4)]
    kept = [logs.of(each) for each in trees[:3]]
    assert logs.of(trees[0]) is kept[0]
    logs.of(trees[3])
    assert logs.of(trees[0]) is kept[0]
    assert logs.of(trees[2]) is kept[2]
    assert logs.of(trees[1]) is not kept[1]


def test_large_logs_make_others_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "MOST_ROWS", 10)
    logs = Reweighings()
    small, large = weighed(), weighed(20)
    kept = logs.of(small)
    logs.of(large)
    assert logs.of(large) is logs.of(large)
    assert logs.of(small) is not kept


def test_what_broke_off_is_said_and_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    logs = Reweighings()
    one = weighed()
    kept = prepared(logs.of(one))

    def breaks(on_progress: object) -> None:
        raise MemoryError

    monkeypatch.setattr(kept.log, "ranges", breaks)
    monkeypatch.setattr("threading.excepthook", lambda arguments: None)
    job = kept.ranges()
    assert job.settled.wait(PATIENCE)
    assert job.as_json() == {
        "state": "failed",
        "progress": 0.0,
        "reason": "the work broke off; the terminal says why",
    }
    again = prepared(logs.of(one))
    assert again is not kept
    assert again.ranges().settled.wait(PATIENCE)
    assert [each.weight.name for each in again.log.all_ranges] == ["f"]
