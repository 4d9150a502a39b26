"""Every deciding line ends where the score comes from: its leaf has the score, whatever was searched."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

from plyscope.visualizer.analysis.check.rules.table.used_entries import shifted
from plyscope.visualizer.analysis.columns.claims import is_close
from plyscope.visualizer.analysis.columns.row import (
    is_finished,
    narrowed_alpha,
    narrowed_beta,
    source_of,
    taken_of,
)
from plyscope.visualizer.analysis.columns.sight import Sight, sight_of
from plyscope.visualizer.analysis.nodes.deciding_line import deciding_line
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from tests.second_engine.sound import sound_search

N_SEARCHES = 60
MOST_ROWS = 100


def is_told(sight: Sight, row: int, number: float) -> bool:
    """Whether a row may return its score for `number`: as it is, or at an edge of its window."""
    score = float(sight.score[row])
    if is_close(number, score, 1e-9):
        return True
    low, high = float(narrowed_alpha(sight, row)), float(narrowed_beta(sight, row))
    may_clamp = sight.log.header["search"].get("fail") != "soft"
    return may_clamp and (math.isnan(low) or is_close(min(max(number, low), high), score, 1e-9))


def hold(log: Log) -> Counter[str]:
    """Follow the lines of a log's rows and hold each step and each end against the score; how they ended."""
    tree, sight, ends = Tree(log), sight_of(log), Counter[str]()
    score, static, stand_pat = (sight.score, sight.static, sight.stand_pat)
    rows = [row for row in range(log.n_rows) if is_finished(sight, row)]
    for row in rows[:: 1 + len(rows) // MOST_ROWS]:
        line = deciding_line(tree, row)
        at = row
        for step in line.rows:
            is_child = sight.parent[step] == at
            assert is_child or source_of(sight, at) == step
            taken = float(taken_of(sight, step)) if is_child else float(shifted(sight, step, at))
            is_held = is_told(sight, at, taken) if is_child else is_close(taken, float(score[at]), 1e-9)
            assert is_held, (row, at, step)
            at = step
        if line.how == "leaf" and len(static) and static[at] == static[at]:
            assert is_told(sight, at, float(static[at])), (row, at)
        if line.how == "stand_pat":
            assert is_told(sight, at, float(stand_pat[at])), (row, at)
        if line.how == "estimate" and len(sight.estimate) and not math.isnan(sight.estimate[at]):
            assert is_told(sight, at, float(sight.estimate[at])) or sight.cut_by[at], (row, at)
        ends[line.how] += 1
    return ends


def held(log: Log, what: str) -> Counter[str]:
    """The ends of a log's lines, counted, with those of the same log where `fail` is not declared."""
    header = {**log.header, "search": {**log.header["search"], "fail": None}}
    try:
        return hold(log) + hold(replace(log, header=header))
    except AssertionError as error:
        raise AssertionError(what) from error


def test_every_leaf_that_a_line_reaches_has_the_score() -> None:
    ends = Counter[str]()
    for seed in range(N_SEARCHES):
        made = sound_search(seed)
        ends += held(made.log, f"seed {seed}: {made.what[:300]}")
    assert not {"unknown", "end", "not_recorded"} & set(ends), ends
    assert {"leaf", "terminal", "table", "stand_pat", "window_edge", "estimate", "null_move"} <= set(ends)
