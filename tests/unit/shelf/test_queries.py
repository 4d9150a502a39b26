"""Marks and visits counted by plain loops; what is kept of queries never changes an answer."""

from __future__ import annotations

import json
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from plyscope.visualizer.analysis.query.errors import QueryError
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.shelf import queries
from plyscope.visualizer.shelf.queries import BusyError, Queries, marks
from plyscope.visualizer.store.tree import Tree
from tests.property.examples import examples

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
@settings(max_examples=examples(60), deadline=None)
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
@settings(max_examples=examples(40), deadline=None)
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
@settings(max_examples=examples(15), deadline=None)
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
    tree, asked = Tree(read_log(b'{"plyscope": 1, "root": {"score": 2}}')), Queries()
    assert asked.hits(tree, "score > 1")[0].tolist() == [0]
    with pytest.raises(QueryError):
        asked.hits(tree, "score >")
    before = asked.n_searches
    assert asked.hits(tree, "score > 1")[0].tolist() == [0]
    assert asked.n_searches == before


def test_whoever_cannot_begin_in_time_is_told_and_takes_no_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queries, "SECONDS_OF_WAITING", 0.01)
    tree, asked = Tree(read_log(b'{"plyscope": 1, "root": {"score": 2}}')), Queries()
    with asked._searching, pytest.raises(BusyError):
        asked.hits(tree, "score > 1")
    assert asked.hits(tree, "score > 1")[0].tolist() == [0]
