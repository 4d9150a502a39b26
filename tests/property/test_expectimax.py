"""Over random trees with dice: plain expectimax's score, logs that check accepts, the same rows each way."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import hypothesis.strategies as st
from hypothesis import given, settings

from plyscope.engine.game import CHANCE
from plyscope.engine.games.explicit_tree import GAME
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.statistics.run import counted_in
from plyscope.visualizer.analysis.whatif.reweighing import Reweighing
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree
from tests.oracle import nodes_of, valued
from tests.property.chance_trees import CHANCE_TREES, ChanceTree, Node
from tests.property.examples import examples
from tests.property.trees import told, trees

LIMITS = st.sampled_from([None, None, 1, 2])


def _options(depth: int, limit: int | None = None, **more: Any) -> SearchOptions:
    return SearchOptions(depth=depth, limit=limit, algorithm="expectimax", **more)


@settings(max_examples=examples(200), deadline=None)
@given(CHANCE_TREES, st.integers(1, 4), LIMITS)
def test_expectimax_finds_what_the_plain_one_finds(root: Node, depth: int, limit: int | None) -> None:
    recording = search(ChanceTree(root), options=_options(depth, limit))
    game = PlainKernels(ChanceTree(root))
    expected = valued(game, game.read_position(None), depth, max(root.player, 0), limit or 99)
    assert recording.score is not None
    # Wins and losses, each near a million, may cancel one another out.
    assert math.isclose(recording.score, expected, rel_tol=1e-12, abs_tol=1e-8)
    assert (recording.ply is not None) == (root.player != CHANCE and len(root.below) > 0)


@settings(max_examples=examples(200), deadline=None)
@given(
    CHANCE_TREES, st.integers(1, 4), LIMITS, st.booleans(), st.none() | st.integers(1, 30), st.integers(3, 20)
)
def test_check_finds_nothing_in_its_logs_stopped_or_whole_in_little_room_or_much(
    root: Node, depth: int, limit: int | None, iterative: bool, nodes: int | None, n_rows: int
) -> None:
    asked = _options(depth, limit, iterative=iterative, nodes=nodes)
    recording = search(ChanceTree(root), options=asked)
    assert nodes is None or recording.header["result"]["nodes"] <= nodes
    log = log_from_recording(recording)
    report = check(log, compiled=False)
    assert [(each.rule, each.message) for each in report.findings()] == []
    for node in nodes_of(log):
        is_outcome = node.parent is not None and node.parent.layer == words.CHANCE
        assert node.is_stub or (node.layer == words.CHANCE) == (node.player == -1)
        assert math.isnan(node.fields.get("prior", math.nan)) != is_outcome
    is_rolled = any(node.layer == words.CHANCE and node.visited for node in nodes_of(log))
    assert nodes is not None or ("chance" in report.checked) == is_rolled
    unrecorded = search(ChanceTree(root), options=replace(asked, record=False))
    assert (unrecorded.ply, unrecorded.score) == (recording.ply, recording.score)
    assert told(search(ChanceTree(root), options=asked, first_rows=n_rows)) == told(recording)


@given(trees(), st.integers(1, 5), LIMITS, st.integers(0, 9))
def test_without_chance_expectimax_is_minimax(tree: str, depth: int, limit: int | None, seed: int) -> None:
    both = []
    for algorithm in ("minimax", "expectimax"):
        options = SearchOptions(depth=depth, limit=limit, algorithm=algorithm, quotient=2, seed=seed)  # type: ignore[arg-type]
        recording = search(GAME, tree, options, compiled=False)
        log = log_from_recording(recording)
        both.append(
            (recording.ply, recording.score, log.texts, {k: str(v.tolist()) for k, v in log.columns.items()})
        )
    assert both[0] == both[1]


@settings(max_examples=examples(150), deadline=None)
@given(CHANCE_TREES, st.integers(1, 4))
def test_smaller_limits_drop_plies_of_players_and_say_what_a_search_with_them_chooses(
    root: Node, depth: int
) -> None:
    whole = search(ChanceTree(root), options=_options(depth))
    limits = counted_in(Tree(log_from_recording(whole)), compiled=False).limits
    for each in limits.each if limits is not None else ():
        limited = search(ChanceTree(root), options=_options(depth, each.limit))
        assert each.decision == ("kept" if limited.ply == whole.ply else "changed")
        assert each.saved == each.saved_at_most == len(whole.rows) - limited.header["result"]["nodes"]


@settings(max_examples=examples(150), deadline=None)
@given(CHANCE_TREES, st.integers(1, 4), st.sampled_from([-1.0, 0.0, 0.5, 3.0]))
def test_what_if_gives_the_scores_of_a_search_with_other_weights(
    root: Node, depth: int, weight: float
) -> None:
    if root.player == CHANCE or not root.below:
        return
    tree = Tree(log_from_recording(search(ChanceTree(root), options=_options(depth))))
    again = search(ChanceTree(root), options=_options(depth, weights={"value": weight}))
    found = Reweighing(tree).at({"value": weight})
    low, high = (float(each[tree.main_root]) for each in found.intervals)
    assert math.isclose(low, high, rel_tol=1e-9, abs_tol=1e-9)
    assert math.isclose(low, again.header["result"]["score"], rel_tol=1e-9, abs_tol=1e-9)
