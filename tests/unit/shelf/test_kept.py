"""What is kept of the last answers and queries: one a question, none of a tree that is gone or broke off."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any
from weakref import ref

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from plyscope.visualizer.analysis.query.errors import QueryError
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.shelf import prepared as answers
from plyscope.visualizer.shelf.kept import Kept
from plyscope.visualizer.shelf.prepared import Comparisons, Reweighings
from plyscope.visualizer.shelf.queries import Queries, marks
from plyscope.visualizer.store.tree import Tree
from tests.patience import PATIENCE
from tests.property.examples import examples
from tests.unit.logs import log_of, there
from tests.unit.shelf.conftest import refuse


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


def test_the_oldest_go_until_the_others_fit_but_what_is_busy_and_the_last() -> None:
    kept: Kept[int] = Kept(most_size=10, size_of=lambda size: size, is_busy=lambda size: size == 4)
    for size in (4, 3, 5, 20):
        kept.of(size, make=lambda size=size: size)
    assert kept.values() == [4, 20]
    with pytest.raises(ZeroDivisionError):
        kept.of("a", make=lambda: 1 // 0)
    kept.fit()
    assert (kept.get("a"), kept.values()) == (None, [4, 20])  # it pushes no answer out, and is made anew
    assert kept.of("a", make=lambda: 3) == 3


NAMES = ("old.json", "new.json")
NO_ITERATIONS = (None, None)


def settled(job: Any) -> Any:
    assert job.settled.wait(PATIENCE)
    return job


def iterated(score: float) -> Tree:
    """A tree of two iterations, whose second chose another ply."""
    first = {"iteration": 1, "score": 0, "children": [{"ply": "a", "score": 0}]}
    second = {"iteration": 2, "score": score, "children": [{"ply": "b", "score": score}]}
    return Tree(log_of(roots=[first, second]))


TREES = [iterated(score) for score in (1.0, 2.0)]


def test_a_comparison_is_of_the_iterations_that_were_asked() -> None:
    comparisons = Comparisons()
    for iterations, plies in ((NO_ITERATIONS, ["b", "b"]), ((1, 2), ["a", "b"]), ((1, 1), ["a", "a"])):
        kept = comparisons.of(*TREES, NAMES, iterations)
        settled(kept.job)
        assert [there(choice).ply for choice in kept.found.choices] == plies
    kept = comparisons.of(*TREES, NAMES, NO_ITERATIONS)
    assert comparisons.of(*TREES, NAMES, NO_ITERATIONS) is kept
    # A file that was read again has the same columns; what was found of the old ones is not said of it.
    assert comparisons.of(Tree(TREES[0].log), TREES[1], NAMES, NO_ITERATIONS) is not kept
    lacks = settled(comparisons.of(*TREES, NAMES, (9, None)).job)
    assert (lacks.state, "9" in lacks.reason, "reason" in lacks.as_json()) == ("refused", True, True)


def weighed(n_leaves: int = 2) -> Tree:
    leaf = {"layer": "min", "outcome": "leaf"}
    leaves = [{"ply": str(n), "score": n, "factors": [n], **leaf} for n in range(n_leaves)]
    return Tree(log_of({"layer": "max", "children": leaves}, factors=[{"name": "f", "weight": 1}]))


def test_what_broke_off_is_said_and_begun_anew_and_large_logs_make_others_go(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answers, "MOST_ROWS", 10)
    logs, one = Reweighings(), weighed()
    kept = logs.of(one)
    settled(kept.prepared)
    monkeypatch.setattr(kept.log, "ranges", refuse(MemoryError()))
    monkeypatch.setattr("threading.excepthook", lambda arguments: None)
    said = {"state": "failed", "progress": 0.0, "reason": "the work broke off; the terminal says why"}
    assert settled(kept.ranges()).as_json() == said
    again = logs.of(one)
    assert again is not kept
    settled(again.prepared)
    settled(again.ranges())
    assert [each.weight.name for each in again.log.all_ranges] == ["f"]
    large = weighed(20)
    assert logs.of(large) is logs.of(large)
    assert logs.of(one) is not again


KEYS = [None, "0000000000000001", "0000000000000002", "0000000000000000"]


@st.composite
def documents(draw: st.DrawFn) -> tuple[Tree, dict[int, str]]:
    """A tree and the keys of its nodes by id: positions come again, and ids stand in any order."""
    n_nodes = draw(st.integers(1, 20))
    ids = draw(st.permutations(range(100, 100 + n_nodes)))
    nodes: list[dict[str, Any]] = []
    keys: dict[int, str] = {}
    for number in ids:
        node: dict[str, Any] = {"id": number, "ply": draw(st.sampled_from("abc"))}
        key, score = draw(st.sampled_from(KEYS)), draw(st.none() | st.integers(-2, 2))
        node |= {name: value for name, value in (("key", key), ("score", score)) if value is not None}
        if nodes:
            draw(st.sampled_from(nodes)).setdefault("children", []).append(node)
        nodes.append(node)
        keys |= {} if key is None else {number: key}
    return Tree(read_log(json.dumps({"plyscope": 1, "root": nodes[0]}).encode())), keys


def trees() -> st.SearchStrategy[Tree]:
    return documents().map(lambda drawn: drawn[0])


@given(trees(), st.data())
@settings(max_examples=examples(30), deadline=None)
def test_marks_are_the_hits_at_and_below_a_row_counted_one_by_one(tree: Tree, data: st.DataObject) -> None:
    n_rows = tree.log.n_rows
    hits = sorted(data.draw(st.sets(st.integers(0, n_rows - 1))))
    asked = data.draw(st.lists(st.integers(0, n_rows - 1), max_size=6))
    expected = {}
    for row in asked:
        below = sum(row in tree.path(hit)[:-1] for hit in hits)
        if row in hits or below:
            expected[int(tree.log.columns["id"][row])] = {"hit": row in hits, "below": below}
    assert marks(tree, np.array(hits, np.int32), asked) == expected


@given(documents())
@settings(max_examples=examples(30), deadline=None)
def test_visits_are_the_rows_with_the_same_key_and_else_the_row_itself(
    drawn: tuple[Tree, dict[int, str]],
) -> None:
    tree, keys = drawn
    asked = Queries()
    by_row = [keys.get(number) for number in tree.log.columns["id"].tolist()]
    for row, key in enumerate(by_row):
        same = [each for each, other in enumerate(by_row) if other == key]
        assert asked.rows(tree, ("visits", str(row))).tolist() == ([row] if key is None else same)


SOURCES = [
    ("hits", "score > 0"),
    ("hits", "score < 0 or ply = 'a'"),
    ("search", "a"),
    ("search", "b"),
    ("children", "0"),
    ("visits", "0"),
]
ORDERS: list[tuple[str | None, bool]] = [(None, False), ("score", False), ("score", True), ("ply", True)]


@given(
    st.lists(trees(), min_size=1, max_size=3),
    st.lists(st.tuples(st.integers(0, 2), st.sampled_from(SOURCES), st.sampled_from(ORDERS)), max_size=12),
    st.sampled_from([0, 60, 2**20]),
)
@settings(max_examples=examples(10), deadline=None)
def test_whatever_is_kept_or_let_go_the_answers_are_those_of_one_who_keeps_nothing(
    logs: list[Tree], questions: list[tuple[int, tuple[str, str], tuple[str | None, bool]]], most_kept: int
) -> None:
    kept = Queries(most_kept=most_kept)
    for number, source, (sort, descending) in questions:
        tree = logs[number % len(logs)]
        answer = kept.table(tree, source, sort=sort, descending=descending)
        fresh = Queries().table(tree, source, sort=sort, descending=descending)
        assert answer.rows.tolist() == fresh.rows.tolist()
        assert kept.rows(tree, source).tolist() == sorted(fresh.rows.tolist())
        before = kept.n_searches
        again = kept.table(tree, source, sort=sort, descending=descending)
        assert again.rows.tolist() == fresh.rows.tolist()
        assert kept.n_searches == before, "the last query of a log is remembered, however little is kept"


def test_a_query_that_is_refused_leaves_what_was_kept_and_lets_the_next_begin() -> None:
    asked, n_searches = Queries(), []
    for query in ("score > 1", "score >", "score > 1"):
        with suppress(QueryError):
            assert asked.hits(TREES[1], query)[0].tolist() == [2, 3]
        n_searches.append(asked.n_searches)
    assert n_searches[1] == n_searches[2]
