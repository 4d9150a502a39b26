"""A game played in place is searched as its twin whose states are copied, in pieces and whole."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from plyscope.engine import run, watch
from plyscope.engine.alphabeta.stack import stack_for
from plyscope.engine.games import find
from plyscope.engine.options import SearchOptions
from tests import in_place
from tests.both_ways import plain_and_in_sweep_compiled
from tests.property.examples import examples
from tests.property.test_techniques import options
from tests.property.trees import told, trees

COPIED: Any = find("explicit_tree")


@plain_and_in_sweep_compiled
@settings(max_examples=examples(150), deadline=None)
@given(trees(), options(inexact=True), st.sampled_from([None, None, 5, 20]))
def test_every_technique_writes_the_log_of_the_copied_twin(
    compiled: bool, tree: str, asked: SearchOptions, nodes: int | None
) -> None:
    asked = replace(asked, nodes=nodes)
    copied = run.search(COPIED, tree, asked, compiled=compiled)
    assert told(run.search(in_place.TREE, tree, asked, compiled=compiled)) == told(copied)


@plain_and_in_sweep_compiled
@given(trees(), options(inexact=True))
def test_a_search_interrupted_at_every_node_writes_the_same_log(
    compiled: bool, tree: str, asked: SearchOptions
) -> None:
    whole = run.search(COPIED, tree, asked, compiled=compiled)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(watch, "FIRST_SLICE", 1)
        patch.setattr(watch, "SLICE_SECONDS", 0.0)
        for game in (COPIED, in_place.TREE):
            assert told(run.search(game, tree, asked, compiled=compiled, first_rows=8)) == told(whole)


def test_the_room_for_states_in_place_does_not_grow_with_the_plies_of_a_node() -> None:
    state, weights = np.zeros(4096, np.int32), np.zeros(1)
    sizes = [stack_for(state, weights, 10, n_moves, 0, in_place=True).states.nbytes for n_moves in (64, 1024)]
    assert sizes[0] == sizes[1] == 12 * state.nbytes
