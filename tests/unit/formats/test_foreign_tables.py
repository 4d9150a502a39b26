"""Tables that are no trees are refused, or said to look like one; ids under `children` are links."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.errors import LogError
from tests.unit.same_logs import assert_same


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


ROWS = [
    {"id": 7, "parent": None, "move": None, "eval": 3, "mine": "x"},
    {"id": 8, "parent": 7, "move": "c6", "eval": 3.5, "mine": [1, {"a": None}]},
    {"id": 9, "parent": 7, "move": "d6", "eval": -2, "mine": True},
    {"id": 4, "parent": 9, "move": "e6", "eval": "nan", "mine": None},
]
"""A table whose plies and scores have names of their own."""


def renamed(**names: str) -> list[dict[str, Any]]:
    return [{names.get(name, name): value for name, value in row.items()} for row in ROWS]


@pytest.mark.parametrize(
    "rows",
    [
        ROWS,
        renamed(parent="parentId"),
        renamed(id="node", parent="pid"),
        renamed(move="ply", parent="parent_id"),
        renamed(eval="score"),
    ],
    ids=["ply and score", "parent", "id", "parent only", "ply"],
)
def test_rows_one_a_line_in_words_of_their_own_are_read_as_the_list_of_them(rows: list[Any]) -> None:
    read, listed = read_log(lines(*rows)), read_log(json.dumps(rows).encode())
    assert_same(read, listed)
    assert read.columns["score"].tolist()[:3] == [3, 3.5, -2]
    assert (read.mapping, read.shape, read.notices) == (listed.mapping, listed.shape, listed.notices)


def test_a_mapping_is_used_for_rows_one_a_line() -> None:
    rows = [{**row, "other": row["id"]} for row in ROWS]
    assert read_log(lines(*rows), mapping={"score": "other"}).columns["score"].tolist() == [7, 8, 9, 4]


@pytest.mark.parametrize(
    "added",
    [
        {"score": 5},
        {"id": 9, "outcome": "leaf"},  # an update of a node, as lines of ours have them
    ],
)
def test_lines_of_ours_without_a_header_stay_ours(added: dict[str, Any]) -> None:
    rows = [*ROWS[:3], {"id": 3, "parent": 7, **added}]
    read = read_log(lines(*rows))
    assert read.mapping == {}
    assert "score" in read.columns
    assert read.extras is not None
    assert json.loads(read.extras.of(1))["eval"] == 3.5


def test_replies_of_the_same_names_are_read_with_a_notice() -> None:
    log = read_log(b'{"A": {"x": 3, "y": 5}, "B": {"x": 2, "y": 9}}')
    assert log.columns["score"].tolist()[2:4] == [3, 5]
    assert any("If this is a table" in notice for notice in log.notices)
    log = read_log(b'{"l": {"l": 3, "r": 5}, "r": {"l": 2, "r": 9}}')
    assert not any("If this is a table" in notice for notice in log.notices)


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


COLUMNS: list[dict[str, Any]] = [
    {"parents": [-1, 0, 0, 1], "action": ["", "a", "b", "c"], "visits": [20, 12, 7, 5]},
    {"parent": [None, 1, 1, 2], "move": ["", "a", "b", "c"], "visits": [20, 12, 7, 5], "seed": 4},
    {"children": [[2, 3], [4], [], []], "text": ["", "a", "b", "c"], "visits": [20, 12, 7, 5], "title": "t"},
    {
        "tree": {"children": [[1, 2], [3], [], []], "move": ["", "a", "b", "c"], "n": [20, 12, 7, 5]},
        "seed": 3,
    },
]


@pytest.mark.parametrize("document", COLUMNS)
def test_a_table_by_columns_is_read_by_its_parents_or_children(document: dict[str, Any]) -> None:
    log = read_log(json.dumps(document).encode())
    assert [log.text(int(ply)) for ply in log.columns["ply"]] in (
        [None, "a", "c", "b"],
        ["", "a", "c", "b"],
    )
    assert log.columns["parent"].tolist() == [-1, 0, 1, 0]
    assert log.columns["visits"].tolist() == [20, 12, 5, 7]
    assert log.notices[0] == "A table by columns: 4 rows of it were read as nodes."


@pytest.mark.parametrize(
    "document",
    [
        {"x": [1, 2, 3], "y": [3, 4, 5]},
        {"parents": ["Ann", "Bob"], "age": [3, 4]},
        {"parents": [1, 0], "age": [3, 4]},
        {"parents": [-1, 7], "age": [3, 4]},
    ],
)
def test_columns_that_name_no_rows_are_refused(document: dict[str, Any]) -> None:
    with pytest.raises(LogError, match="expected a tree"):
        read_log(json.dumps(document).encode())
