"""Tables that are no trees are refused, or said to look like one; ids under `children` are links."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError


def lines(*rows: Any) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


@pytest.mark.parametrize(
    "data",
    [
        json.dumps([{"a": 1, "b": 2}, {"a": 3, "b": 4}]).encode(),
        json.dumps([{"move": "a", "score": 1}, {"move": "b", "score": 2}]).encode(),
        json.dumps({"a": {"0": 1, "1": 2}, "b": {"0": 3, "1": 4}}).encode(),
        json.dumps({"x": {"score": 1, "b": 2}, "y": {"score": 2, "b": 3}}).encode(),
        lines({"move": "a", "score": 2}, {"move": "b", "score": 3}),
        lines({"id": 1, "score": 2}, {"id": 2, "score": 3}),
        lines({"a": 1, "b": 2}, {"a": 2, "b": 3}),
    ],
)
def test_a_table_is_refused_as_one(data: bytes) -> None:
    with pytest.raises(LogError, match="this looks like a table of 2 "):
        read_log(data)


def test_replies_of_the_same_names_are_read_with_a_notice() -> None:
    log = read_log(b'{"A": {"x": 3, "y": 5}, "B": {"x": 2, "y": 9}}')
    assert log.columns["score"].tolist()[2:4] == [3, 5]
    assert any("If this is a table" in notice for notice in log.notices)
    log = read_log(b'{"l": {"l": 3, "r": 5}, "r": {"l": 2, "r": 9}}')
    assert not any("If this is a table" in notice for notice in log.notices)


def test_trees_one_a_line_are_a_forest() -> None:
    tree = {"v": 1, "replies": [{"v": 1}]}
    assert read_log(lines(tree, tree)).columns["parent"].tolist() == [-1, 0, -1, 2]


RECORDS = [{"name": "s", "children": [1, "2"]}, {"name": "x", "children": []}, {"name": "y", "children": []}]


@pytest.mark.parametrize(
    "document",
    [
        [{"id": i, **row} for i, row in enumerate(RECORDS)],
        [{"id": str(i), **row} for i, row in enumerate(RECORDS)],
        [{"id": i if i % 2 else str(i), **row} for i, row in enumerate(RECORDS)],
        {str(i): row for i, row in enumerate(RECORDS)},
        {"nodes": {str(i): row for i, row in enumerate(RECORDS)}},
        {"nodes": {str(i): {"id": i, **row} for i, row in enumerate(RECORDS)}, "ms": 3},
    ],
)
def test_ids_in_children_are_links_however_they_are_written(document: Any) -> None:
    log = read_log(json.dumps(document).encode())
    assert log.columns["parent"].tolist() == [-1, 0, 0]
    assert [log.texts[ply] for ply in log.columns["ply"]] == ["s", "x", "y"]
    assert not any(score == score for score in log.columns.get("score", ()))
