"""Wide nodes are decided by columns, others child by child, and a line is followed as far as is asked."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from plyscope.visualizer.analysis.explain.pair import Siblings
from plyscope.visualizer.analysis.nodes import ply_visits
from plyscope.visualizer.analysis.nodes.deciding_line import (
    deciding_line,
    known_lines,
    lines_of,
    principal_variation,
    rows_of_line,
)
from plyscope.visualizer.analysis.nodes.score_source import Deciding
from plyscope.visualizer.store.tree import Tree
from tests.property.documents import documents
from tests.unit.logs import log_of, tree_of

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
        child["depth"] = draw(st.sampled_from([None, None, 1, 2]))
        child["reduction"] = draw(st.sampled_from([None, None, 1]))
        children.append({name: value for name, value in child.items() if value is not None})
    root = {"layer": draw(st.sampled_from(["max", "min"])), "score": draw(st.integers(1, 3))}
    root |= draw(st.sampled_from([{}, {"alpha": 2, "beta": 3}]))
    return tree_of(root | {"children": children})


def told(tree: Tree) -> dict[str, Any]:
    """All that is asked of a node's plies."""
    deciding = Deciding(tree)
    siblings, rows = Siblings(tree, deciding, 0), range(tree.log.n_rows)
    return {
        "plies": deciding.plies(0),
        "decision": deciding.decide(0),
        "with": [deciding.visits_with(0, row) for row in rows],
        "named": [deciding.visits_of_ply(0, f"p{number}") for number in range(8)],
        "counted": [siblings.counted(row) for row in rows],
        "visits": [siblings.n_visits(row) for row in rows],
        "best": [siblings.best_but(row) for row in (None, *rows)],
        "number": siblings.n_plies,
    }


@given(fans())
def test_a_wide_node_is_decided_as_a_narrow_one(tree: Tree) -> None:
    narrow = told(tree)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ply_visits, "WIDE", 1)
        assert told(tree) == narrow


@given(documents(), st.integers(1, 4))
def test_lines_that_are_kept_with_a_log_are_those_that_it_would_walk_as_far_as_is_asked(
    document: dict[str, Any], most: int
) -> None:
    walked = tree_of(**document)
    kept = Tree(replace(walked.log, lines=lines_of(walked)))
    assert known_lines(kept) is not None
    assert principal_variation(kept) == principal_variation(walked)
    assert principal_variation(kept, most) == principal_variation(walked, most)
    assert principal_variation(walked, most) == principal_variation(walked)[: most + 1]
    for row in range(walked.log.n_rows):
        assert deciding_line(kept, row) == deciding_line(walked, row)
        assert deciding_line(walked, row).rows == tuple(rows_of_line(walked, row))


def test_lines_of_another_header_or_of_other_columns_are_not_used() -> None:
    children = [{"ply": "a", "score": 3}, {"ply": "b", "score": 5}]
    log = log_of({"score": 5, "children": children})
    log = replace(log, lines=lines_of(Tree(log)))
    assert principal_variation(Tree(log)) == [0, 2]
    chosen = replace(log, header={**log.header, "result": {"ply": "a"}})
    assert principal_variation(Tree(chosen)) == [0, 1]
    columns = {**log.columns, "score": np.array([3.0, 3.0, 5.0])}
    assert deciding_line(Tree(replace(log, columns=columns)), 0).rows == (1,)


BEST_FIRST = st.lists(
    st.tuples(
        st.sampled_from(["nan", 0, 1, 2, 3]),
        st.sampled_from(["nan", "-inf", -1, 0.25, 0.5]),
        st.sampled_from(["leaf", "leaf", "stopped"]),
    ),
    min_size=1,
    max_size=8,
)


@given(BEST_FIRST, st.sampled_from(["max", "min"]), st.sampled_from(["mean", "visits"]))
def test_plies_of_a_best_first_tree_are_ranked_alike_wide_and_narrow(
    plies: list[tuple[Any, Any, str]], layer: str, choose: str
) -> None:
    children = [
        {"ply": f"p{i}", "visits": visits, "mean": mean, "outcome": outcome}
        for i, (visits, mean, outcome) in enumerate(plies)
    ]
    children = [{name: value for name, value in each.items() if value != "nan"} for each in children]
    search = {"order": "best_first", "choose": choose}
    root = {"layer": layer, "visits": 9, "children": children}
    tree = tree_of(root, search=search)

    def key(place: int) -> tuple[float, float]:
        visits, mean, _ = plies[place]
        visits, mean = (-math.inf if each == "nan" else float(each) for each in (visits, mean))
        mean = mean if mean == -math.inf or layer == "max" else -mean
        return (mean, visits) if choose == "mean" else (visits, mean)

    known = [i for i, ply in enumerate(plies) if ply[2] == "leaf" and not set(ply[:2]) <= {"nan", "-inf"}]
    ranked = [1 + i for i in sorted(known, key=key, reverse=True)]
    for wide in (ply_visits.WIDE, 1):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ply_visits, "WIDE", wide)
            siblings = Siblings(tree, Deciding(tree), 0)
            assert siblings.best_but(None) == (ranked[0] if ranked else None)
            for row in ranked:
                assert siblings.best_but(row) == next((each for each in ranked if each != row), None)
                assert siblings.is_ahead(row, ranked[-1]) == (row != ranked[-1])
