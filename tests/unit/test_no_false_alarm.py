"""Correct searches of both engines, every option mixed with every other, have nothing wrong."""

from __future__ import annotations

import pytest

from plyscope.visualizer.analysis.check.run import check
from tests.property.examples import examples
from tests.second_engine.sound import sound_search

N_SEARCHES = examples(500)
N_PARTS = 10


@pytest.mark.parametrize("part", range(N_PARTS))
def test_a_correct_search_has_nothing_wrong(part: int) -> None:
    n_rows = 0
    for seed in range(part, N_SEARCHES, N_PARTS):
        made = sound_search(seed)
        found = check(made.log, compiled=False).findings(severity="wrong", limit=1)
        assert found == [], (seed, made.what)
        n_rows += made.log.n_rows
    assert n_rows > N_SEARCHES // N_PARTS
