"""The second engine is sound, and correct searches of both engines have nothing wrong."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.columns.row import NO_SOURCE
from tests.property.examples import examples
from tests.second_engine.engine import SecondEngine
from tests.second_engine.options import drawn_options
from tests.second_engine.sound import minimax_score, sound_search
from tests.second_engine.worlds import Maze


def test_every_technique_that_promises_it_gives_plain_minimax_score() -> None:
    for seed in range(200):
        draw = random.Random(seed)
        world = Maze(seed, draw.choice([12, 20, 40]), draw.choice([2, 3, 4]), alternates=draw.random() < 0.3)
        options = drawn_options(draw, world, exact=True)
        assert options.equals_minimax
        result = SecondEngine(world, options).log()["result"]
        assert result["score"] == minimax_score(world, options), (seed, options)


N_SEARCHES = examples(500)
N_PARTS = 10
ABOUT_ENTRIES = {"tt-bound", "tt-source"}


@pytest.mark.parametrize("part", range(N_PARTS))
def test_a_correct_search_has_nothing_wrong(part: int) -> None:
    n_rows = 0
    for seed in range(part, N_SEARCHES, N_PARTS):
        made = sound_search(seed)
        found = check(made.log, compiled=False).findings(severity="wrong", limit=1)
        assert found == [], (seed, made.what)
        n_rows += made.log.n_rows
    assert n_rows > N_SEARCHES // N_PARTS


def test_entries_without_bounds_are_told_by_their_sources() -> None:
    """What tables and nodes leave unsaid is told from windows and plies, and nothing is wrong with it."""
    n_asked = 0
    for seed in range(0, N_SEARCHES, 3):
        made = sound_search(seed)
        if "tt_from" not in made.log.columns:
            continue
        unsaid = ("tt_bound", "bound", "tt_bound bound", "tt_bound tt_from")[seed % 4].split()
        columns = {**made.log.columns, **{name: np.zeros_like(made.log.columns[name]) for name in unsaid}}
        if "tt_from" in unsaid:
            columns["tt_from"] = np.full_like(columns["tt_from"], NO_SOURCE)
        report = check(dataclasses.replace(made.log, columns=columns), compiled=False)
        found = [each for each in report.findings(severity="wrong") if each.rule in ABOUT_ENTRIES]
        assert found == [], (seed, made.what)
        n_asked += ABOUT_ENTRIES.issubset(report.checked)
    assert n_asked > 0
