"""Sealing sorts any order of arrival into pre-order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyscope.visualizer.store.seal import Cycle, seal


@st.composite
def forests(draw: st.DrawFn) -> list[int]:
    """Parents in pre-order or any other order; -1 for a root."""
    n_nodes = draw(st.integers(1, 30))
    parents = [-1] + [draw(st.integers(-1, number - 1)) for number in range(1, n_nodes)]
    names = draw(st.permutations(range(n_nodes)))
    shuffled = [0] * n_nodes
    for number, parent in enumerate(parents):
        shuffled[names[number]] = -1 if parent < 0 else names[parent]
    return shuffled


def walked(parents: list[int], node: int = -1) -> list[int]:
    """The obvious recursion, to compare with."""
    below = [number for number, parent in enumerate(parents) if parent == node]
    return [row for number in below for row in (number, *walked(parents, number))]


@pytest.mark.parametrize("run", [None, lambda kernel: kernel])
@given(parents=forests())
def test_sealing_equals_the_obvious_recursion(run: Callable[[Any], Any] | None, parents: list[int]) -> None:
    sealed = seal(np.array(parents), run)
    assert sealed.order.tolist() == walked(parents)
    rows = {number: row for row, number in enumerate(sealed.order.tolist())}
    for row, number in enumerate(sealed.order.tolist()):
        parent = parents[number]
        assert sealed.parent[row] == (-1 if parent < 0 else rows[parent])
        assert sealed.level[row] == (0 if parent < 0 else sealed.level[rows[parent]] + 1)
        assert sealed.end[row] - row == 1 + len(walked(parents, number))


@pytest.mark.parametrize(
    ("parents", "number"), [([0], 0), ([-1, 2, 1], 1), ([-1, 3, 1, 2, 1], 1), ([2, 4, 3, 4, 3], 3)]
)
def test_a_cycle_is_refused_by_its_earliest_node(parents: list[int], number: int) -> None:
    with pytest.raises(Cycle) as caught:
        seal(np.array(parents))
    assert caught.value.number == number


@pytest.mark.parametrize("parent", [-2, 2, 9])
def test_a_parent_that_is_no_node_is_refused(parent: int) -> None:
    with pytest.raises(ValueError, match=f"node 1 has parent {parent}, of 2 nodes"):
        seal(np.array([-1, parent]))


def test_no_nodes_seal_to_an_empty_table() -> None:
    assert len(seal(np.zeros(0, dtype=np.int64)).order) == 0
