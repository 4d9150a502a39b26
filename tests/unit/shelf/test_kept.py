"""What is kept of the last answers: one for each question, and none of a tree that is gone."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from weakref import ref

import pytest

from plyscope.visualizer.shelf.kept import Kept
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
