"""The options of a run as the search reads them: one record, the same for all trees but depth and window."""

from __future__ import annotations

from typing import Any

import numpy as np

from plyscope.engine.alphabeta.stack import OPTIONS
from plyscope.engine.game import MOST_MOVES, Array
from plyscope.engine.options import DRAW_SCORE, MATE_STEP, MOST_DEPTH, NULL_WIDTH, SearchOptions


def limit_of(options: SearchOptions) -> int:
    """Return the number of plies kept at a node; more than any has, where that is not limited.

    >>> limit_of(SearchOptions(limit=8)), limit_of(SearchOptions())
    (8, 65535)
    """
    return options.limit or MOST_MOVES


def settings_of(options: SearchOptions, root_player: int, mate: float, *, has_check: bool) -> Array:
    """One `OPTIONS` record, without depth, window and age; `mate` is the score of a win at the root."""
    settings = np.zeros(1, OPTIONS)
    setting: Any = settings[0]
    setting["root_player"] = root_player
    setting["limit"] = limit_of(options)
    setting["prunes"] = options.algorithm != "minimax"
    setting["scouts"] = options.algorithm == "pvs"
    unstable = (options.table, options.null_move, options.lmr, options.reverse_futility)
    setting["trusts_scouts"] = all(each is None for each in unstable)
    setting["null_width"] = NULL_WIDTH
    setting["mate"] = mate
    setting["mate_step"] = MATE_STEP
    setting["mate_threshold"] = mate - MATE_STEP * MOST_DEPTH
    setting["draw"] = DRAW_SCORE
    setting["fails_hard"] = options.fail == "hard"
    setting["uses_table"] = options.table is not None
    setting["uses_deeper"] = options.table_depth == "at_least"
    setting["narrows"] = options.table_use == "narrow" and options.algorithm != "minimax"
    setting["killers"] = options.killers
    setting["history"] = options.history
    setting["iid_reduction"] = options.iid or 0
    setting["quiescence"] = options.quiescence or 0
    setting["null_reduction"] = options.null_move or 0
    setting["lmr_from"] = options.lmr or 0
    setting["reverse_futility"] = options.reverse_futility or 0.0
    setting["proves"] = options.prove_wins
    asking = (options.quiescence, options.null_move, options.lmr, options.reverse_futility)
    setting["asks_check"] = any(each is not None for each in asking) and has_check
    return settings
