"""Hive through the one search: what a recorded search says of it, and how its plies are written."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from plyscope.engine.games.hive import GAME
from plyscope.engine.options import MATE_SCORE, SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.seal.recording import log_from_recording
from tests.hive.oracle import GAME_TYPES
from tests.hive.sweep import position, searched, wrong_in
from tests.property.test_ply_texts import by_code, by_replay
from tests.second_engine.sound import drawn_search_options


def test_check_finds_nothing_wrong_in_searches_of_mixed_options() -> None:
    for seed in range(8):
        recording = searched(seed, compiled=False, most_plies=20, most_depth=3, most_limit=3)
        assert wrong_in(recording, compiled=False) == [], f"seed {seed}"


FALSE_WIN = (
    "Base;;;wA1;bB1 wA1\\;wS1 -wA1;bS1 /bB1;wS2 /wS1;bG1 bB1\\;wQ -wS1;bQ bS1\\;wS2 /bS1;bS1 /wQ;wA2 wA1/;"
    "bA1 -bS1;wA2 /bA1;bA2 bQ\\;wA3 wA1/;bA2 \\wA3;wB1 /wS2;bB2 \\bA1;wB1 wS2\\;bB2 -wQ;wB1 bQ;bB2 wQ;"
    "wB2 wB1\\;bG2 -bB2"
)
"""Searched 5 plies deep, 30 kept a node, White seems to win by wG1 wS2\\: bS1 /wA2 is none of the 30."""
STRONGEST = SearchOptions(depth=5, limit=30, algorithm="pvs", iterative=True, table=16, killers=True)


@pytest.mark.slow
def test_a_false_win_and_a_false_loss_at_a_limit_of_30_are_refuted() -> None:
    hidden = search(GAME, FALSE_WIN, STRONGEST, compiled=True)
    assert (hidden.ply, hidden.score, hidden.is_proven) == ("wG1 wS2\\", MATE_SCORE - 5, False)
    saved = f"{FALSE_WIN};wG1 wS2\\;bS1 /wA2"
    truth = search(GAME, saved, SearchOptions(depth=3), compiled=True)
    assert truth.score is not None
    assert abs(truth.score) < MATE_SCORE / 2
    found = search(GAME, FALSE_WIN, replace(STRONGEST, prove_wins=True), compiled=True)
    assert found.score is not None
    assert abs(found.score) < MATE_SCORE / 2
    assert found.header["result"]["counters"]["prove_wins"] == {"tried": 1, "succeeded": 1}
    # Nor is the other side's loss one, and check is silent on its log.
    lost = f"{FALSE_WIN};wG1 wS2\\"
    recording = search(GAME, lost, replace(STRONGEST, depth=4, prove_wins=True), compiled=True)
    assert [tree.iteration for tree in recording.trees] == [1, 2, 3, 4, 4]
    assert recording.ply == "bS1 /wA2"
    assert check(log_from_recording(recording)).findings() == []


@pytest.mark.slow
@pytest.mark.parametrize("game_type", GAME_TYPES)
def test_searches_of_every_type_are_written_alike_wherever_they_are_stopped(game_type: str) -> None:
    draw = random.Random(game_type)
    for nodes in (50, 400, None):
        start = GAME.write_position(position(draw, 50, game_type))
        asked = replace(drawn_search_options(draw, GAME, 3), limit=6, nodes=nodes)
        recording = search(GAME, start, asked, compiled=True, most_rows=50_000)
        assert by_code(recording, compiled=True) == by_replay(recording), start
