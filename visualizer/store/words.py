"""The fixed vocabularies of a log: what each small code in a column stands for.

A code is a position in one of these tuples; code 0 is always "not stated" and is written as nothing.
The words are those of the log format, the same in Python, JSON, JavaScript and on the page.
"""

from __future__ import annotations

from typing import Final

LAYERS: Final = ("", "max", "min", "chance", "other")
MAX: Final = 1
MIN: Final = 2
CHANCE: Final = 3

OUTCOMES: Final = (
    "",
    "searched",
    "cutoff",
    "leaf",
    "terminal",
    "tt",
    "stopped",
    "open",
    "pruned",
    "limited",
    "skipped",
    "unlogged",
)
SEARCHED: Final = 1
CUTOFF: Final = 2
LEAF: Final = 3
TERMINAL: Final = 4
TT: Final = 5
STOPPED: Final = 6
OPEN: Final = 7
PRUNED: Final = 8
LIMITED: Final = 9
SKIPPED: Final = 10
UNLOGGED: Final = 11
FIRST_STUB: Final = PRUNED
"""Outcomes from this code on are stubs: rows that stand for siblings without rows."""

# As bits, so that exact = upper | lower (the field's usual encoding).
BOUNDS: Final = ("", "upper", "lower", "exact")
UPPER: Final = 1
LOWER: Final = 2
EXACT: Final = 3

PURPOSES: Final = ("", "full", "scout", "research", "null", "probe")
FULL: Final = 1
SCOUT: Final = 2
RESEARCH: Final = 3
NULL: Final = 4
PROBE: Final = 5

CUT_BY: Final = ("", "child", "stand_pat", "null", "estimate")

ENDINGS: Final = ("", "win", "loss", "draw")
WIN: Final = 1
LOSS: Final = 2
DRAW: Final = 3

TT_USES: Final = ("", "cut", "narrow", "order")
