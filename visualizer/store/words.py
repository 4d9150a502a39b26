"""The fixed vocabularies of a log: the words of the small codes in columns.

A code is a position in one of these tuples; code 0 is always "not stated" and is written as nothing.
The words are those of the log format, the same in Python, JSON, JavaScript and on the page.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final


@dataclass(frozen=True)
class Vocabulary:
    """The words of a field, in the order of their codes from 1 on, and the label of each for people."""

    type: str
    """The name of its type in the page's modules."""
    said: Mapping[str, str]

    @property
    def words(self) -> tuple[str, ...]:
        """The words by code; that of code 0 is empty."""
        return ("", *self.said)

    @cached_property
    def codes(self) -> dict[str, int]:
        """The code of each word."""
        return {word: code for code, word in enumerate(self.said, 1)}


LAYER_WORDS: Final = Vocabulary(
    "Layer",
    {
        "max": "the root player moves",
        "min": "the opponent moves",
        "chance": "chance moves",
        "other": "a third player moves",
    },
)
LAYERS: Final = LAYER_WORDS.words
MAX: Final = 1
MIN: Final = 2
CHANCE: Final = 3
OTHER: Final = 4

OUTCOME_WORDS: Final = Vocabulary(
    "Outcome",
    {
        "searched": "searched, not cut off",
        "cutoff": "cut off",
        "leaf": "leaf at the horizon",
        "terminal": "game over",
        "tt": "taken from the transposition table",
        "stopped": "stopped before it was finished",
        "open": "entered, never left",
        "pruned": "cut off by alpha-beta",
        "limited": "over the branching limit",
        "skipped": "skipped by forward pruning",
        "unlogged": "searched, but not recorded",
    },
)
OUTCOMES: Final = OUTCOME_WORDS.words
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
BOUND_WORDS: Final = Vocabulary(
    "Bound",
    {
        "upper": "upper bound: the true score is at most this",
        "lower": "lower bound: the true score is at least this",
        "exact": "exact",
    },
)
BOUNDS: Final = BOUND_WORDS.words
UPPER: Final = 1
LOWER: Final = 2
EXACT: Final = 3

PURPOSE_WORDS: Final = Vocabulary(
    "Purpose",
    {
        "full": "full window",
        "scout": "scout (null window)",
        "research": "re-search",
        "null": "null move",
        "probe": "probe",
    },
)
PURPOSES: Final = PURPOSE_WORDS.words
FULL: Final = 1
SCOUT: Final = 2
RESEARCH: Final = 3
NULL: Final = 4
PROBE: Final = 5

CUT_WORDS: Final = Vocabulary(
    "CutBy",
    {
        "child": "by a child",
        "stand_pat": "by standing pat",
        "null": "by the null move",
        "estimate": "by an estimate",
    },
)
CUT_BY: Final = CUT_WORDS.words

ENDING_WORDS: Final = Vocabulary(
    "Ending", {"win": "won by the root player", "loss": "lost by the root player", "draw": "a draw"}
)
ENDINGS: Final = ENDING_WORDS.words
WIN: Final = 1
LOSS: Final = 2
DRAW: Final = 3

TT_USE_WORDS: Final = Vocabulary(
    "TableUse",
    {"cut": "cut by an entry", "narrow": "window narrowed by an entry", "order": "ordered by an entry"},
)
TT_USES: Final = TT_USE_WORDS.words
