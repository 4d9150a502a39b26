"""Hive through the one search: what a recorded search says of it."""

from __future__ import annotations

from engine.games.hive import GAME
from engine.options import SearchOptions
from engine.run import search
from tests.hive.oracle import read_game
from tests.hive.sweep import searched, wrong_in
from visualizer.analysis.check.run import check
from visualizer.formats.recording import log_from_recording

MIDDLE = "Base+MLP;;;wP;bM wP/;wQ -wP;bQ bM/;wS1 /wQ;bL bM-;wA1 /wS1;bA1 bL-;wA1 bA1/"


def test_the_principal_variation_is_a_line_of_legal_plies() -> None:
    recording = search(GAME, MIDDLE, SearchOptions(depth=3, limit=3), compiled=False)
    line = recording.header["result"]["pv"]
    assert len(line) == 3
    position = read_game(MIDDLE)
    for text in line:
        ply = position.read(text)
        assert position.write(ply) == text
        position = position.play(ply)


def test_check_finds_nothing_wrong_in_a_search_of_every_technique() -> None:
    options = SearchOptions(
        depth=3, limit=4, algorithm="pvs", iterative=True, table=1.0, killers=True, history=True, quiescence=1
    )
    for game in (MIDDLE, "Base;;;wS1;bG1 -wS1;wQ wS1-;bQ -bG1"):
        log = log_from_recording(search(GAME, game, options, compiled=False))
        assert check(log, compiled=False).findings(severity="wrong") == []


def test_check_finds_nothing_wrong_in_searches_of_mixed_options() -> None:
    for seed in range(8):
        recording = searched(seed, compiled=False, most_plies=20, most_depth=3, most_limit=3)
        assert wrong_in(recording, compiled=False) == [], f"seed {seed}"
