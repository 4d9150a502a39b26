"""Wide nodes are decided by columns, others child by child, and a line is followed as far as is asked."""

from __future__ import annotations

import json
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from plyscope.visualizer.analysis import score_source
from plyscope.visualizer.analysis.deciding_line import deciding_line, rows_of_line
from plyscope.visualizer.analysis.pv import principal_variation
from plyscope.visualizer.analysis.score_source import Deciding
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store.tree import Tree
from tests.property.documents import documents

OUTCOMES = st.sampled_from([None, "searched", "leaf", "stopped", "open", "cutoff"])


@st.composite
def fans(draw: st.DrawFn) -> Tree:
    """One node and its children, of which most name a ply of their own."""
    children = []
    for number in range(draw(st.integers(1, 7))):
        child: dict[str, Any] = {"score": draw(st.sampled_from([1, 2, 3, "nan"])), "outcome": draw(OUTCOMES)}
        child["ply"] = draw(st.sampled_from([f"p{number}", f"p{number}", f"p{number}", "p0", None]))
        child["counted_as"] = draw(st.sampled_from([None, None, 2]))
        child["purpose"] = draw(st.sampled_from([None, None, None, "research", "null"]))
        child["bound"] = draw(st.sampled_from([None, "exact", "upper", "lower"]))
        children.append({name: value for name, value in child.items() if value is not None})
    root = {"layer": draw(st.sampled_from(["max", "min"])), "score": draw(st.integers(1, 3))}
    root |= draw(st.sampled_from([{}, {"alpha": 2, "beta": 3}]))
    return Tree(read_log(json.dumps({"plyscope": 1, "root": root | {"children": children}}).encode()))


@given(fans())
def test_a_wide_node_is_decided_as_a_narrow_one(tree: Tree) -> None:
    narrow = (Deciding(tree).plies(0), Deciding(tree).decide(0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(score_source, "WIDE", 1)
        assert (Deciding(tree).plies(0), Deciding(tree).decide(0)) == narrow


@given(documents(), st.integers(1, 4))
def test_a_line_followed_so_far_is_the_beginning_of_the_whole(document: dict[str, Any], most: int) -> None:
    tree = Tree(read_log(json.dumps(document).encode()))
    for row in range(tree.log.n_rows):
        assert tuple(rows_of_line(tree, row)) == deciding_line(tree, row).rows
    assert principal_variation(tree, most) == principal_variation(tree)[: most + 1]
