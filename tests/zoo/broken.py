"""Correct logs broken at random, and what check says of them: to hold compiled rules against plain ones."""

from __future__ import annotations

import dataclasses
import json
import math
import random
from typing import Any

import numpy as np

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.store.log import Log
from tests.second_engine.sound import sound_search

NUMBERS = ("score", "alpha", "beta", "static", "stand_pat", "pre_score", "tt_score", "depth", "tt_depth")
CODES = {"bound": 4, "outcome": 12, "purpose": 6, "layer": 5, "cut_by": 5, "ending": 4}
CODES |= {"tt_use": 4, "tt_bound": 4}
COUNTS = ("moves", "count")
ROWS = ("tt_from",)


def said(log: Log, *, compiled: bool) -> str:
    """All that check says of a log, as text, so that NaN equals NaN."""
    return json.dumps(check(log, compiled=compiled).as_json("log", limit=None), indent=1)


def broken_log(seed: int) -> Log:
    """The log of the correct search of a seed, some of its figures replaced; its tree stays as it is."""
    draw = random.Random(seed)
    log = sound_search(seed).log
    columns = {name: np.array(column) for name, column in log.columns.items()}
    for _ in range(draw.randint(1, 6)):
        name = draw.choice([name for name in (*NUMBERS, *CODES, *COUNTS, *ROWS) if name in columns])
        for _ in range(draw.randint(1, 4)):
            row = draw.randrange(log.n_rows)
            columns[name][row] = _figure(draw, name, columns[name], log.n_rows)
    return dataclasses.replace(log, columns=columns)


def _figure(draw: random.Random, name: str, column: Any, n_rows: int) -> Any:
    if name in CODES:
        return draw.randrange(min(CODES[name], int(column.max()) + 1) or 1)
    if name in COUNTS:
        return draw.randint(-1, 6)
    if name in ROWS:
        return draw.randrange(-2, n_rows)
    whole = float(draw.randint(-8, 8))
    return draw.choice(
        [whole, whole / 4, float(column[draw.randrange(n_rows)]), math.nan, math.inf, -math.inf]
    )
