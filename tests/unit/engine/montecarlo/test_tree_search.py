"""The tree of a Monte Carlo search is that of a search written a second way, and the same for a seed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from plyscope.engine.games import find
from plyscope.engine.games.explicit_tree import GAME as TREE
from plyscope.engine.games.tictactoe import GAME as TICTACTOE
from plyscope.engine.record.rows import LEAF, SEARCHED, TERMINAL, UNLOGGED
from tests.both_ways import plain_and_in_sweep_compiled
from tests.property.examples import examples
from tests.unit.engine.montecarlo.searches import Oracle, assert_same_tree, findings, found, told


@given(
    st.integers(0, 2**32),
    st.sampled_from([0.0, 0.7, 1.4, 100.0]),
    st.sampled_from([None, 0.4, 1.0]),
    st.sampled_from(["... ... ...", "X.. .O. ...", "XO. OX. ...", "XOX OX. ..O"]),
)
@settings(max_examples=examples(30), deadline=None)
def test_the_tree_is_that_of_a_search_written_a_second_way(
    seed: int, c: float, fpu: float | None, position: str
) -> None:
    recording = found(TICTACTOE, position, playouts=150, seed=seed, c=c, fpu=fpu)
    oracle = Oracle(TICTACTOE, position, seed, c, math.inf if fpu is None else fpu)
    assert_same_tree(recording, oracle.grow(150))


def _listed(children: list[str]) -> str:
    return f"[{', '.join(children)}]"


ENDINGS = st.sampled_from(['{"ending": "win"}', '{"ending": "loss"}', '{"ending": "draw"}', "3", "-2", "0"])
TREES = st.recursive(
    ENDINGS, lambda children: st.lists(children, min_size=1, max_size=4).map(_listed), max_leaves=25
)


@given(TREES, st.integers(0, 99), st.sampled_from(["ucb1", "plain"]), st.sampled_from(["visits", "mean"]))
@example('[{"ending": "loss"}, {"ending": "win"}]', 1, "plain", "visits")
@settings(max_examples=examples(60), deadline=None)
def test_check_finds_nothing_in_searches_of_random_trees(
    text: str, seed: int, select: Any, choose: Any
) -> None:
    recording = found(TREE, text, playouts=120, seed=seed, select=select, choose=choose)
    assert findings(recording) == []


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"select": "plain", "choose": "mean"},
        {"fpu": 0.8, "c": 0.3, "log_visits": 4},
        {"fpu": "heuristic", "turn_limit": 6},
    ],
)
@pytest.mark.parametrize(
    ("name", "compiled"),
    [
        ("tictactoe", False),
        pytest.param("connect_four", True, marks=pytest.mark.slow),
        pytest.param("reversi", True, marks=pytest.mark.sweep),
    ],
)
def test_the_same_seed_gives_the_same_log(name: str, options: Any, compiled: bool) -> None:
    game = find(name)
    first = found(game, playouts=120, seed=5, compiled=compiled, **options)
    assert told(found(game, playouts=120, seed=5, **options)) == told(first)
    assert told(found(game, playouts=120, seed=6, **options))[3] != told(first)[3]
    assert findings(first) == []


@plain_and_in_sweep_compiled
def test_so_it_does_in_hive_with_guided_play_outs(compiled: bool) -> None:
    game, position = find("hive"), "Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-"
    asked: Any = {"playouts": 25, "turn_limit": 12, "seed": 3, "guide": "ring", "guide_power": 2.5}
    recording = found(game, position, compiled=compiled, **asked)
    assert told(found(game, position, **asked)) == told(recording)
    assert findings(recording) == []
    assert recording.figures is not None
    last = recording.trees[-1]
    below = recording.rows["parent"][last.row :] == last.row
    priors = recording.figures["prior"][last.row :][below]
    assert 0 < np.nansum(priors) <= 1 + 1e-9


def test_children_with_few_visits_stand_in_one_stub() -> None:
    every, few = (found(TICTACTOE, playouts=400, seed=2, log_visits=n) for n in (1, 30))
    assert few.figures is not None
    assert every.figures is not None
    assert few.ply == every.ply
    row = few.trees[-1].row
    children = [i for i in range(row + 1, len(few.rows)) if few.rows[i]["parent"] == row]
    assert [i for i in children if few.rows[i]["outcome"] == UNLOGGED] == children[-1:]
    logged = [i for i in children if few.rows[i]["outcome"] != UNLOGGED]
    assert min(few.figures["visits"][logged]) >= 30
    stub = few.figures[children[-1]]
    first = every.trees[-1].row
    all_children = [i for i in range(first + 1, len(every.rows)) if every.rows[i]["parent"] == first]
    left = [i for i in all_children if every.figures["visits"][i] < 30]
    assert stub["count"] == len(left)
    assert stub["visits"] == sum(every.figures["visits"][left])
    points = sum(every.figures["mean"][left] * every.figures["visits"][left])
    assert stub["mean"] * stub["visits"] == pytest.approx(points)


def test_early_trees_hold_the_root_and_its_plies_as_they_were() -> None:
    recording = found(TICTACTOE, playouts=1_000, seed=4)
    assert [tree.iteration for tree in recording.trees] == [10, 100, 1_000]
    assert recording.figures is not None
    for tree in recording.trees[:2]:
        whole = found(TICTACTOE, playouts=tree.iteration, seed=4)
        assert whole.figures is not None
        last = whole.trees[-1].row
        there = np.flatnonzero(whole.rows["parent"] == last)
        here = np.flatnonzero(recording.rows["parent"] == tree.row)
        for name in ("visits", "wins", "draws", "losses"):
            assert recording.figures[name][here].tolist() == whole.figures[name][there].tolist()
        for row, other in zip(here, there, strict=True):
            if recording.rows[row]["outcome"] != SEARCHED:
                continue
            stub = recording.figures[row + 1]
            below = whole.rows["parent"] == other
            assert stub["visits"] == whole.figures["visits"][below].sum()
            assert stub["count"] == whole.rows["moves"][other]
            points = np.nansum((whole.figures["mean"] * whole.figures["visits"])[below])
            assert stub["mean"] * stub["visits"] == pytest.approx(points)


def test_a_node_is_expanded_at_a_visit_of_the_root_and_a_leaf_was_visited_once() -> None:
    recording = found(TICTACTOE, "XO. OX. ...", playouts=300, seed=1)
    assert recording.figures is not None
    last = slice(recording.trees[-1].row, None)
    outcome, visits = recording.rows["outcome"][last], recording.figures["visits"][last]
    assert set(visits[outcome == LEAF].tolist()) == {1}
    assert (outcome == TERMINAL).any()
    at = recording.figures["expanded_at"][last][outcome == SEARCHED]
    assert (at[0], at.max() <= 300) == (1, True)
    assert len(set(at.tolist())) == len(at)
