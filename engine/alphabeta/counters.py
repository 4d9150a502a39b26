"""Counters of the techniques of a search: tries and successes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from plyscope.engine.options import SearchOptions

# Rows of `Stack.counters`; tried and succeeded are their columns.
TABLE: Final = 0
TABLE_CUTS: Final = 1
SCOUTS: Final = 2
ASPIRATION: Final = 3
KILLERS: Final = 4
HISTORY: Final = 5
IID: Final = 6
STAND_PAT: Final = 7
NULL_MOVE: Final = 8
LMR: Final = 9
REVERSE_FUTILITY: Final = 10
PROVE_WINS: Final = 11


@dataclass(frozen=True)
class Counter:
    """The words for tries and successes of a technique, and their meaning."""

    tried: str
    succeeded: str
    meaning: str


COUNTERS: Final[dict[str, Counter]] = {
    "table": Counter("probed", "hit", "positions looked up in the transposition table"),
    "table_cuts": Counter(
        "deep enough", "cut", "entries of the table that could be used, and those that ended a visit"
    ),
    "scouts": Counter("scouted", "stood", "null-window searches, and those that needed no re-search"),
    "aspiration": Counter("windows tried", "held", "iterations begun with a window around the score before"),
    "killers": Counter(
        "brought forward", "cut", "plies tried early because they cut at the same level before"
    ),
    "history": Counter(
        "brought forward",
        "cut",
        "plies tried before those of equal pre-score because they often cut elsewhere",
    ),
    "iid": Counter(
        "tried",
        "found the best",
        "internal iterative deepening: shallower searches for the ply to try first",
    ),
    "stand_pat": Counter("asked", "cut", "positions in quiescence whose static was held against the window"),
    "null_move": Counter("tried", "cut", "passes tried, and those after which the window was still beaten"),
    "lmr": Counter(
        "reduced",
        "stood",
        "late move reductions: late plies searched less deep, and those that needed no verification",
    ),
    "reverse_futility": Counter(
        "tried",
        "cut",
        "reverse futility pruning (static null move): statics less a margin held against the window",
    ),
    "prove_wins": Counter(
        "unproven",
        "proven or refuted",
        "iterations whose win or loss was unproven, and those that were settled",
    ),
}
"""Every counter of ours, in the order of the rows above."""

NAMES: Final = tuple(COUNTERS)

TRIED: Final = 0
SUCCEEDED: Final = 1


def names_of(options: SearchOptions) -> list[str]:
    """The counters of the techniques that are on, in order.

    >>> names_of(SearchOptions(algorithm="pvs", quiescence=4))
    ['scouts', 'stand_pat']
    """
    is_on = {
        "table": options.table is not None,
        "table_cuts": options.table is not None,
        "scouts": options.algorithm == "pvs",
        "aspiration": options.aspiration is not None,
        "killers": options.killers,
        "history": options.history,
        "iid": options.iid is not None,
        "stand_pat": options.quiescence is not None,
        "null_move": options.null_move is not None,
        "lmr": options.lmr is not None,
        "reverse_futility": options.reverse_futility is not None,
        "prove_wins": options.prove_wins,
    }
    return [name for name in NAMES if is_on[name]]
