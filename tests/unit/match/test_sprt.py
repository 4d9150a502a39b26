"""The sequential test errs as seldom as it promises, and ends."""

from __future__ import annotations

import numpy as np
import pytest

from plyscope.engine.match.elo import expected
from plyscope.engine.match.sprt import LEAST_PAIRS, Verdict, sprt


def run(elo: float, draw: np.random.Generator) -> Verdict:
    """Test a player of this strength until the test says something."""
    share = expected(elo)
    pairs: list[float] = []
    while True:
        points = [1.0, 0.5, 0.0]
        chances = [share - 0.15, 0.3, 0.85 - share]
        pairs.append(float(draw.choice(points, size=2, p=chances).sum()))
        verdict = sprt(pairs, worse=0, better=60)
        if verdict.says != "go on":
            return verdict
        assert len(pairs) < 5000


@pytest.mark.parametrize(("elo", "wrong"), [(0, "better"), (60, "not better")])
def test_the_test_errs_in_about_one_of_twenty(elo: float, wrong: str) -> None:
    draw = np.random.default_rng(11)
    n_wrong = sum(run(elo, draw).says == wrong for _ in range(80))
    assert n_wrong <= 8


def test_few_pairs_say_nothing() -> None:
    assert sprt([2.0] * (LEAST_PAIRS - 1)).says == "go on"
    assert sprt([2.0] * 200).says == "better"
    assert sprt([0.0] * 200).says == "not better"
    assert sprt([1.0] * LEAST_PAIRS, worse=-20, better=20).says == "go on"
