"""Nodes that end before their loop over the plies, and searches of a node's own position."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store import words
from tests.unit.analysis.check.checked import found

PASSED = {"ply": "pass", "layer": "max", "purpose": "null", "depth": 0, "score": 3, "outcome": "leaf"}
PRUNED = {"outcome": "pruned", "count": 1}


def below(*children: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A log whose root has a node of 12 plies, which was cut off, and another that cuts with a stub."""
    cut = {"ply": "a", "layer": "min", "outcome": "cutoff", "moves": 12, "children": [*children], **fields}
    other = {"ply": "b", "layer": "min", "outcome": "cutoff", "moves": 2}
    other["children"] = [{"ply": "c", "layer": "max", "outcome": "leaf"}, PRUNED]
    return {"plyscope": 1, "root": {"layer": "max", "moves": 2, "children": [cut, other]}}


@pytest.mark.parametrize("cut_by", ["null", "estimate", "stand_pat"])
def test_what_ended_a_node_before_its_plies_needs_no_stub_for_them(cut_by: str) -> None:
    assert found(below(PASSED, cut_by=cut_by), "moves") == []


@pytest.mark.parametrize("fields", [{}, {"cut_by": "child"}])
def test_a_cut_by_a_ply_needs_a_stub_in_a_log_that_has_them(fields: dict[str, Any]) -> None:
    ply = {"ply": "d", "layer": "max", "outcome": "leaf"}
    assert found(below(PASSED, ply, **fields), "moves") == [("moves", "a")]


def test_more_plies_than_legal_are_wrong_whatever_ended_the_node() -> None:
    stub = {"outcome": "pruned", "count": 13}
    assert found(below(PASSED, stub, cut_by="null"), "moves") == [("moves", "a")]


PROBED = {
    "score": 7,
    "children": [
        {"purpose": "probe", "score": 6, "children": [{"ply": "c", "score": -6, "outcome": "leaf"}]},
        {"purpose": "probe", "ply": "c", "score": -8, "outcome": "leaf"},
        {"purpose": "null", "score": -2, "outcome": "leaf"},
        {"ply": "c", "score": -7, "outcome": "leaf"},
    ],
}


def test_a_probe_without_a_ply_is_seen_by_the_mover_of_its_own_position() -> None:
    document = {"plyscope": 1, "search": {"perspective": "mover"}, "root": PROBED}
    log = read_log(json.dumps(document).encode())
    assert log.columns["score"].tolist() == [7, 6, 6, 8, 2, 7]
    high, low = words.MAX, words.MIN
    assert log.columns["layer"].tolist() == [high, high, low, low, low, low]
