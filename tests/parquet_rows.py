"""The rows of Parquet files as values that every reader can be held to: what DuckDB makes of them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb

import plyscope

EVERYTHING: dict[str, Any] = {
    "players": ["black", "white"],
    "factors": ["mobility", {"name": "corners", "weight": 2.5}],
    "root": {
        **{
            "layer": "max",
            "player": "black",
            "score": 1e308,
            "alpha": None,
            "beta": "inf",
            "quiescence": True,
        },
        **{"factors": [1, None], "contributions": {"mobility": 2.5, "": -0.0}, "key": "00c0ffee00c0ffee"},
        "children": [
            {"ply": "c6 é\U0001f600", "score": "nan", "tt": {"use": "cut", "depth": 3, "from": 0}, "q": [7]},
            {"ply": "", "score": "-inf", "ucb": {"n": 3}, "scores": [1, 2.5], "nodes": 2**53 + 1},
            {"outcome": "pruned", "plies": ["a1", ""], "pre_scores": [1.5, None], "count": 2},
            {"outcome": "limited", "plies": [], "count": 0},
        ],
    },
}
EXAMPLES = Path(__file__).parents[1] / "examples"


def write_logs(folder: Path) -> list[Path]:
    """Logs of many kinds as Parquet: one that states every kind of field, one of nearly nothing, a search."""
    made = {
        "everything": json.dumps({"plyscope": 1, **EVERYTHING}),
        "little": '{"plyscope": 1, "root": {}}',
        "roots": '{"plyscope": 1, "roots": [{"iteration": 1}, {"iteration": 2, "score": 3}]}',
        "search": EXAMPLES / "connect-four-deepening.jsonl.gz",
    }
    for name, log in made.items():
        plyscope.convert(log, folder / f"{name}.parquet")
    return [folder / f"{name}.parquet" for name in made]


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a file as DuckDB reads them, in their order."""
    found = duckdb.sql(f"SELECT * FROM read_parquet('{path}')")
    return [plain(dict(zip(found.columns, row, strict=True))) for row in found.fetchall()]


def plain(value: Any) -> Any:
    """A value in which NaN equals NaN, zeros have their sign, and a map of any reader is a dict.

    >>> plain({"a": (float("nan"), -0.0)})
    {'a': ['nan', '-0.0']}
    """
    if isinstance(value, Mapping):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    if isinstance(value, float) and (math.isnan(value) or (value == 0 and math.copysign(1, value) < 0)):
        return "nan" if math.isnan(value) else "-0.0"
    return value
