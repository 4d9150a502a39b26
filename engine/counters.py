"""What the techniques of a search are counted by: how often each was tried, and how often it succeeded."""

from __future__ import annotations

from typing import Final

from plyscope.engine.options import SearchOptions

# Rows of `Stack.counters`; tried and succeeded are their columns.
TABLE: Final = 0
TABLE_CUTS: Final = 1
SCOUTS: Final = 2
ASPIRATION: Final = 3
KILLERS: Final = 4
HISTORY: Final = 5
INTERNAL_DEEPENING: Final = 6
STAND_PAT: Final = 7
NULL_MOVE: Final = 8
REDUCTIONS: Final = 9
FUTILITY: Final = 10
PROVE_WINS: Final = 11

NAMES: Final = (
    "table",
    "table_cuts",
    "scouts",
    "aspiration",
    "killers",
    "history",
    "internal_deepening",
    "stand_pat",
    "null_move",
    "reductions",
    "futility",
    "prove_wins",
)

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
        "internal_deepening": options.internal_deepening is not None,
        "stand_pat": options.quiescence is not None,
        "null_move": options.null_move is not None,
        "reductions": options.reductions is not None,
        "futility": options.futility is not None,
        "prove_wins": options.prove_wins,
    }
    return [name for name in NAMES if is_on[name]]
