"""A ply that a log does not know the exact worth of, searched again, is worth what plain minimax says."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.engine.games import find
from plyscope.engine.options import Algorithm, SearchOptions, mate_score, weights_of
from plyscope.engine.run import search
from plyscope.visualizer.analysis.explain.exact_question import question_of, worth_of
from plyscope.visualizer.analysis.explain.ply_side import side_of
from plyscope.visualizer.analysis.nodes.score_source import Deciding
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from tests.oracle import valued
from tests.property.examples import examples

HIVE = "Base;InProgress;White[3];wS1;bG1 wS1-;wQ -wS1;bQ bG1-"
MOST_PLIES = 6


def searched(game: Any, position: str | None, options: SearchOptions) -> Log:
    return log_from_recording(search(game, position, options, compiled=False))


def unknown_plies(tree: Tree, parent: int) -> list[str]:
    """The plies below a node that have only a bound, or no row of their own."""
    deciding, found = Deciding(tree), []
    for visits in deciding.plies(parent):
        side = side_of(tree, deciding, deciding.counted(visits)[-1])
        if side.bound != "exact":
            found.append(tree.ply(side.row) or "")
    for child in tree.children(parent).tolist():
        if tree.is_stub[child] and tree.log.stub_plies is not None:
            found += [tree.log.texts[text] for text in tree.log.stub_plies.of(child)[0].tolist()]
    return found


GAMES = {
    "tictactoe": ("tictactoe", "X.O .X. ..O X", 4),
    "connect four": ("connect_four", None, 4),
    "reversi": ("reversi", None, 4),
    "hive": ("hive", HIVE, 3),
}


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=examples(6), deadline=None)
@given(
    algorithm=st.sampled_from(["alphabeta", "pvs"]),
    fail=st.sampled_from(["soft", "hard"]),
    limit=st.sampled_from([2, 3, 5]),
    table=st.sampled_from([None, 1]),
    seed=st.integers(0, 2**16),
)
def test_it_is_worth_what_plain_minimax_says(
    name: str, algorithm: Algorithm, fail: Any, limit: int, table: int | None, seed: int
) -> None:
    game_name, position, depth = GAMES[name]
    game: Any = find(game_name)
    options = SearchOptions(depth=depth, limit=limit, algorithm=algorithm, fail=fail, table=table)
    tree = Tree(searched(game, position, options))
    draw = random.Random(seed)
    root = game.read_position(tree.log.header["position"])
    asked = int(game.player(root)), limit, mate_score(game, weights_of(game, options)), 0
    depths, outcomes = tree.log.columns["depth"], tree.log.columns["outcome"]
    parents = [row for row in range(tree.log.n_rows) if depths[row] >= 2 and outcomes[row] < words.FIRST_STUB]
    n_asked = 0
    for parent in [0, *draw.sample(parents, min(len(parents), 12))]:
        plies = unknown_plies(tree, parent)
        for ply in draw.sample(plies, min(len(plies), 2)):
            question = question_of(tree, parent, ply)
            found = worth_of(question, searched(game, question.position, question.options))
            state = root.copy()
            for row in tree.path(parent)[1:]:
                game.apply(state, game.read_ply(state, tree.ply(row)))
            game.apply(state, game.read_ply(state, ply))
            level = int(tree.log.columns["level"][parent]) + 1
            assert found.score == valued(game, state, int(depths[parent]) - 1, *asked, level)
            n_asked += 1
            if n_asked == MOST_PLIES:
                return
    assert n_asked > 0
