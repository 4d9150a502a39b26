"""Whole numbers that a double does not hold are rounded, and that is said."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.foreign.documents import TapeDocument
from plyscope.visualizer.formats.foreign.reader import read_bytes
from plyscope.visualizer.formats.read.own import read_own
from plyscope.visualizer.store.log import Log

ODD = 2**53 + 1
ONE = f"1 whole number of `score` does not fit a double and was rounded ({ODD})."
TWO = f"2 whole numbers of `score` do not fit a double and were rounded (the first: {ODD})."


def tree(first: int, second: int) -> dict[str, Any]:
    return {"layer": "max", "score": first, "children": [{"ply": "a", "score": second}]}


def said(log: Log) -> list[str]:
    return [notice for notice in log.notices if "double" in notice]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        (ODD, ODD, [TWO]),
        (ODD, 2**53, [ONE]),
        (2**53, 3, []),
        (-(2**53), 2**60, []),
        (ODD, -ODD - 2, [TWO]),
    ],
)
def test_scores_of_our_own_logs_that_are_rounded_are_said(
    first: int, second: int, expected: list[str]
) -> None:
    text = json.dumps({"plyscope": 1, "root": tree(first, second)}).encode()
    assert said(read_log(text)) == expected
    log = read_own(text)
    assert log is not None
    assert said(log) == expected
    lines = f'{{"plyscope":1}}\n{{"id":0,"score":{first}}}\n{{"id":1,"parent":0,"score":{second}}}\n'.encode()
    assert said(read_log(lines)) == expected


@pytest.mark.parametrize("field", ["alpha", "beta", "static", "pre_score"])
def test_other_fields_that_are_seen_from_a_side_are_said(field: str) -> None:
    log = read_log(json.dumps({"plyscope": 1, "root": {"score": 3, field: ODD}}).encode())
    assert said(log) == [ONE.replace("`score`", f"`{field}`")]


def test_ids_keys_and_fields_of_the_writers_own_are_kept_to_the_last_digit() -> None:
    log = read_log(json.dumps({"plyscope": 1, "root": {"score": 3, "key": ODD, "hash": ODD}}).encode())
    assert said(log) == []


@pytest.mark.parametrize(
    "document",
    [
        {"eval": ODD, "kids": [{"mv": "a", "eval": ODD}, {"mv": "b", "eval": 3}]},
        {"e4": {"e5": ODD, "c5": {"d4": ODD, "d3": 1}}, "d4": {"d5": 1, "c5": 2}},
        [{"id": 0, "parent": None, "eval": ODD}, {"id": 1, "parent": 0, "eval": ODD}],
    ],
)
def test_scores_of_other_trees_that_are_rounded_are_said(document: Any) -> None:
    text = json.dumps(document).encode()
    assert said(read_log(text)) == [TWO]
    log = read_bytes(TapeDocument(text))
    assert log is not None
    assert said(log) == [TWO]
