"""Several trees in one document of somebody else: all of them are read, or none."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.documents import TapeDocument
from plyscope.visualizer.formats.foreign.reader import read_bytes, read_foreign
from plyscope.visualizer.store.log import Log
from tests.unit.logs import there
from tests.unit.same_logs import extras


def tree_of(value: int) -> dict[str, Any]:
    return {"v": value, "children": [{"v": value, "children": []}]}


ONE, TWO = tree_of(1), tree_of(2)


def read(document: Any, **mapping: str) -> Log:
    return read_log(json.dumps(document).encode(), mapping=mapping or None)


@pytest.mark.parametrize(
    ("document", "iterations"),
    [
        ([{"step": 0, "tree": ONE}, {"step": 1, "tree": TWO}], [1, 2]),
        ([{"step": 0, "tree": ONE}, "a remark", {"step": 1}, {"step": 2, "tree": TWO}], [1, 2]),
        ({"runs": [{"run": {"tree": ONE}}, {"run": {"tree": TWO}}]}, [1, 2]),
        ({"game1": ONE, "game2": TWO}, [1, 2]),
        ({"4": ONE, "6": TWO}, [4, 6]),
        ({"depth 4": ONE, "depth 6": TWO}, [4, 6]),
        ({"engine": "x", "runs": {"2": ONE, "3": TWO}}, [2, 3]),
        ({"a": {"tree": ONE, "ms": 3}, "b": {"tree": TWO, "ms": 4}}, [1, 2]),
        ({"note": {"of": "x"}, "a": {"run": {"tree": ONE}}, "b": {"run": {"tree": TWO}}}, [1, 2]),
    ],
)
def test_trees_in_a_list_or_a_map_are_all_read(document: Any, iterations: list[int]) -> None:
    log = read(document)
    assert log.columns["parent"].tolist() == [-1, 0, -1, 2]
    assert log.columns["score"].tolist() == [1, 1, 2, 2]
    assert [root.iteration for root in log.roots] == iterations
    if "game2" in document:
        assert extras(log, 2) == {"tree": "game2"}
        trees = {f"t{n}": {"score": n, "children": [{"score": n, "note": "x" * 300}]} for n in range(1000)}
        assert read(trees).n_rows == 2000
        by_a_person = read({key: {"v": 3, "w": [{"v": 3}]} for key in ("a", "b")}, children="w")
        assert by_a_person.columns["parent"].tolist() == [-1, 0, -1, 2]


def test_numbers_that_are_too_large_for_iterations_are_none() -> None:
    log = read([{**ONE, "iteration": 5_000_000_000}, {**TWO, "iteration": 6_000_000_000}])
    assert [root.iteration for root in log.roots] == [1, 2]


SIDES = [{"tree": {"score": n, "left": {"score": n, "left": None}}} for n in range(2)]
IN_A_LIST: list[Any] = [[{"a": ONE}, {"b": TWO}], [[ONE], [TWO]], SIDES]
IN_A_MAP: list[Any] = [
    {"a": ONE, "b": {"v": 2, "kids": [{"v": 1, "kids": [{"v": 1}]}]}},
    {"a": {"tree": ONE}, "b": TWO},
    {"a": [ONE], "b": [TWO]},
    {"a": [{"id": 1, "parent": None}, {"id": 2, "parent": 1}], "b": TWO},
]


@pytest.mark.parametrize("document", [*IN_A_LIST, *IN_A_MAP])
def test_trees_that_cannot_be_told_together_are_refused(document: Any) -> None:
    in_list, in_map = "in items 0 and 1 of one list", 'under "a", "b", expected one tree'
    with pytest.raises(LogError, match=f"found trees {in_list if document in IN_A_LIST else in_map}"):
        read(document)


@pytest.mark.parametrize("odd", [[], [{"name": "d", "score": 1}], True])
def test_one_child_is_not_read_as_the_tree_where_another_is_no_child(odd: Any) -> None:
    """r has a (and c below it), b, and one that is none: a and c alone would be a wrong tree."""
    a = {"name": "a", "score": 1, "children": [{"name": "c", "score": 1}]}
    tree = {"name": "r", "score": 1, "children": [a, {"name": "b", "score": 2}, odd]}
    with pytest.raises(LogError, match=r"^\$\.children\[2\]: found (a list|true) among the children"):
        read_foreign(tree)


def test_of_trees_of_one_name_the_last_counts() -> None:
    told = (("a", 1), ("b", 2), ("b", 3))
    trees = ", ".join(f'"{name}": {{"v": {v}, "kids": {{"c": {{"v": {v}}}}}}}' for name, v in told)
    assert read_bytes(TapeDocument(f"{{{trees}}}".encode())) is None
    assert read_log(f"{{{trees}}}".encode()).columns["score"].tolist() == [1, 1, 3, 3]


ONLY = "Only a small part of this file was read: "
NAMED = {"name": "root", "score": 3, "children": [{"name": "a", "score": 3}, {"name": "b", "score": 1}]}


def rows(n: int) -> list[dict[str, Any]]:
    return [{"x": at, "y": [at, {"z": 1}]} for at in range(n)]


PAIR = {"nodes": [{"id": 1}, {"id": 2}], "edges": [{"from": 1, "to": 2}]}
PARTS: list[tuple[Any, str | None]] = [
    ({"rows": rows(31), "tree": NAMED}, "3 nodes of 65 objects and lists."),
    ({"tree": NAMED, "rows": [[1, 2], [3, 4]] * 10}, "3 nodes of 23 objects and lists."),
    ({"run": {"rows": rows(9), "tree": NAMED, "more": {"even": rows(4)}}}, "3 nodes of 30 objects and"),
    ({"rows": rows(20), "trees": {"first": NAMED, "next": NAMED}}, "6 nodes of 46 objects and lists."),
    ({**PAIR, "rows": rows(5)}, "2 nodes of 12 objects"),
    ({"rows": rows(2), "tree": NAMED}, None),
    ({"config": {"a": {"b": {}}}, "tree": NAMED}, None),
    ({"tree": {**NAMED, "rows": rows(40)}}, None),
    (NAMED, None),
]


@pytest.mark.parametrize(("document", "figures"), PARTS)
def test_a_tree_that_is_a_small_part_of_its_file_is_said_first(document: Any, figures: str | None) -> None:
    log = read(document)
    said = [notice for notice in log.notices if notice.startswith(ONLY)]
    assert bool(said) == bool(figures)
    if figures:
        assert log.notices[0].startswith(ONLY + figures)
    for head in (2**17, 2**7):
        by_tape = read_bytes(TapeDocument(json.dumps(document).encode(), head=head))
        if by_tape is not None:
            assert [notice for notice in by_tape.notices if notice.startswith(ONLY)] == said


def test_a_deep_tree_behind_other_data_is_found_in_a_small_copy() -> None:
    tree: dict[str, Any] = {"score": 1}
    for _ in range(14):
        tree = {"score": 1, "kids": [tree, tree]}
    document = TapeDocument(json.dumps({"pad": "x" * 200, "tree": tree}).encode(), head=100)
    assert there(read_bytes(document)).n_rows == 2**15 - 1
    document.skeleton()
    assert len(json.dumps(document.head)) < 5_000


@pytest.mark.parametrize(("n_rows", "n_trees", "is_said"), [(40, 1, True), (746, 6, True), (12, 8, False)])
def test_rows_of_which_few_hold_nodes_are_said_first(n_rows: int, n_trees: int, is_said: bool) -> None:
    log = read({"declarations": [*[NAMED] * n_trees, *rows(n_rows)]})
    assert log.n_rows == n_rows + 3 * n_trees
    said = f"Only {n_trees} of {n_rows + n_trees} roots hold nodes"
    assert log.notices[0].startswith(said) is is_said
    assert is_said or not any("roots hold nodes" in notice for notice in log.notices)
