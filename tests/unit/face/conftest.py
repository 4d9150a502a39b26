"""Logs and a game as a script would have them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest

import plyscope
from tests.heaps import Heap
from tests.unit.cli.conftest import plyscope as command

__all__ = ["command"]

BUGS = Path(__file__).parents[3] / "examples" / "bugs"

TREE: dict[str, Any] = {
    "plyscope": 1,
    "game": "mine",
    "players": ["white", "black"],
    "search": {"depth": 2},
    "factors": [{"name": "material", "weight": 2.0}, {"name": "mobility", "weight": 0.5}],
    "result": {"ply": "c6", "score": 4, "pv": ["c6", "d6"]},
    "root": {
        **{"layer": "max", "score": 4, "alpha": None, "beta": None},
        "children": [
            {"ply": "c6", "layer": "min", "purpose": "scout", "score": 3, "bound": "lower", "depth": 1},
            {
                **{"ply": "c6", "layer": "min", "purpose": "research"},
                **{"score": 4, "bound": "exact", "depth": 1},
                "children": [
                    {"ply": "d6", "score": 4, "factors": [2, None], "outcome": "leaf", "mine": {"a": 1}},
                    {"ply": "e6", "score": 14, "factors": [2, 20], "outcome": "leaf"},
                ],
            },
            {"ply": "d3", "layer": "min", "score": 0, "bound": "upper", "moves": 9, "in_check": False},
            {"outcome": "pruned", "count": 3, "plies": ["a", "b", "c"]},
        ],
    },
}
"""Rows: 0 root, 1 a scout and 2 the re-search of c6, 3 d6, 4 e6, 5 d3, 6 a stub."""


@pytest.fixture
def text() -> str:
    return json.dumps(TREE)


@pytest.fixture
def path(tmp_path: Path, text: str) -> Path:
    file = tmp_path / "mine.json"
    file.write_text(text)
    return file


@pytest.fixture
def log(path: Path) -> plyscope.Log:
    return plyscope.open(path)


@pytest.fixture
def forest() -> str:
    """Two iterations; only the first knows b2."""
    trees = [
        {"iteration": 1, "score": 1, "children": [{"ply": "a1", "score": 1}, {"ply": "b2", "score": 0}]},
        {"iteration": 2, "score": 5, "children": [{"ply": "a1", "score": 5}]},
    ]
    return json.dumps({"plyscope": 1, "roots": trees})


class Nim(Heap):
    """Take one to three of nine; who takes the last has won."""

    players = ("Ann", "Ben")
    factors: ClassVar = {"turn": 1.0}
    matches = 9

    def values(self, position: tuple[int, int]) -> tuple[float, ...]:
        return (1.0 - 2.0 * position[1],)
