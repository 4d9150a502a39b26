"""Dumps of other people's Monte Carlo trees: visits, means and priors under their own names."""

from __future__ import annotations

import json
from typing import Any

import pytest

import plyscope

ALPHA_ZERO = {
    "N": 800,
    "Q": 0.12,
    "children": {
        "e4": {
            "N": 500,
            "W": 80.0,
            "Q": 0.16,
            "P": 0.45,
            "children": {"e5": {"N": 300, "Q": -0.15, "P": 0.6}},
        },
        "d4": {"N": 280, "W": 15.4, "Q": 0.055, "P": 0.4},
    },
}
KATA_GO = {
    "id": "q1",
    "rootInfo": {"winrate": 0.47, "visits": 1000, "utility": -0.03},
    "moveInfos": [
        {"move": "Q16", "visits": 400, "winrate": 0.465, "prior": 0.28, "pv": ["Q16", "D4"]},
        {"move": "D4", "visits": 520, "winrate": 0.48, "prior": 0.3, "pv": ["D4", "Q16"]},
    ],
}
VALUES = {
    "visit_count": 100,
    "children": [
        {"action": 3, "visit_count": 39, "value": 0.2, "prior": 0.5},
        {"action": 4, "visit_count": 60, "value": -0.05, "prior": 0.5},
    ],
}


@pytest.mark.parametrize(
    ("dump", "first", "second"),
    [
        (ALPHA_ZERO, ("e4", 500, 0.16), ("d4", 280, 0.055)),
        (KATA_GO, ("D4", 520, 0.48), ("Q16", 400, 0.465)),
        (VALUES, ("4", 60, -0.05), ("3", 39, 0.2)),
    ],
)
def test_a_dump_is_read_as_visits_and_means(dump: dict[str, Any], first: Any, second: Any) -> None:
    found = plyscope.explain(json.dumps(dump))
    assert [(each.ply, each.visits, each.mean) for each in found.means] == [first, second]
    assert found.to_overtake == first[1] - second[1] + 1
    assert "is not known: it needs" in found.sentences[1]
    assert list(plyscope.check(json.dumps(dump))) == []


def test_the_facts_of_a_root_are_no_factors() -> None:
    root = plyscope.open(json.dumps(KATA_GO)).main_root
    assert (root.contributions, root.factors) == (None, None)
