"""A tree that is a small part of its file: both figures are the first thing said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.foreign.documents import TapeDocument
from plyscope.visualizer.formats.foreign.reader import read_bytes

TREE = {"name": "root", "score": 3, "children": [{"name": "a", "score": 3}, {"name": "b", "score": 1}]}
ONLY = "Only a small part of this file was read: "


def rows(n: int) -> list[dict[str, Any]]:
    return [{"x": at, "y": [at, {"z": 1}]} for at in range(n)]


@pytest.mark.parametrize(
    ("document", "figures"),
    [
        ({"rows": rows(31), "tree": TREE}, "3 nodes of 65 objects and lists."),
        ({"tree": TREE, "rows": [[1, 2], [3, 4]] * 10}, "3 nodes of 23 objects and lists."),
        (
            {"run": {"rows": rows(9), "tree": TREE, "more": {"even": rows(4)}}},
            "3 nodes of 30 objects and lists.",
        ),
        (
            {"nodes": [{"id": 1}, {"id": 2}], "edges": [{"from": 1, "to": 2}], "rows": rows(5)},
            "2 nodes of 12 objects",
        ),
        ({"rows": rows(2), "tree": TREE}, None),
        ({"config": {"a": {"b": {}}}, "tree": TREE}, None),
        ({"tree": {**TREE, "rows": rows(40)}}, None),
        (TREE, None),
    ],
)
def test_a_tree_that_is_a_small_part_of_its_file_is_said_first(document: Any, figures: str | None) -> None:
    text = json.dumps(document).encode()
    log = read_log(text)
    said = [notice for notice in log.notices if notice.startswith(ONLY)]
    assert bool(said) == bool(figures)
    if figures:
        assert log.notices[0].startswith(ONLY + figures)
    for heads in ((2**17,), (2**7, 2**20)):
        by_tape = read_bytes(TapeDocument(text, heads=heads))
        if by_tape is not None:
            assert [notice for notice in by_tape.notices if notice.startswith(ONLY)] == said


@pytest.mark.parametrize(
    ("n_rows", "n_trees", "figures"),
    [
        (40, 1, "Only 1 of 41 roots hold nodes"),
        (746, 6, "Only 6 of 752 roots hold nodes"),
        (12, 8, None),
        (4, 1, None),
    ],
)
def test_rows_of_which_few_hold_nodes_are_said_first(n_rows: int, n_trees: int, figures: str | None) -> None:
    log = read_log(json.dumps({"declarations": [*[TREE] * n_trees, *rows(n_rows)]}).encode())
    assert log.n_rows == n_rows + 3 * n_trees
    assert (log.notices[0].partition(":")[0] == figures) is bool(figures)
    assert bool(figures) or not any("roots hold nodes" in notice for notice in log.notices)
