"""The tries and the successes of each technique, and the nodes that they cost."""

from __future__ import annotations

from typing import Final

import numpy as np

from plyscope.visualizer.analysis.columns.declarations import range_of
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.analysis.nodes.mate import mate_of
from plyscope.visualizer.analysis.statistics.count_pass import SCOUTED_AGAIN, VERIFIED, Tally
from plyscope.visualizer.analysis.statistics.figures import Lack, Pair
from plyscope.visualizer.analysis.statistics.totals import n_nodes
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree

_BY_NULL: Final = words.CUT_BY.index("null")


def pairs_of(tree: Tree, sight: Sight, tally: Tally) -> tuple[tuple[Pair, ...], list[Lack]]:
    """The pairs of a log of windows, and what could not be asked."""
    lacks = []
    if not len(sight.purpose):
        missing = "scouts, re-searches, null moves, probes need `purpose`: the log has none"
        lacks.append(Lack("counters", missing))
    if not len(sight.reduction) and not len(sight.purpose):
        lacks.append(Lack("counters", "reductions need `reduction`: the log has none"))
    outcome, none = sight.outcome, np.zeros(0, np.int64)
    is_node = outcome < words.FIRST_STUB
    finished = is_node & (outcome != words.STOPPED) & (outcome != words.OPEN)

    def of(purpose: int, among: Array) -> Array:
        return np.flatnonzero(among & (sight.purpose == purpose)) if len(sight.purpose) else none

    def pair(name: str, rows: Array, succeeded: int | None, tries: str, success: str) -> Pair:
        return Pair(name, len(rows), succeeded, n_nodes(tree, rows), tries, success)

    scouts, researches = of(words.SCOUT, finished), of(words.RESEARCH, finished)
    nulls, probes = of(words.NULL, is_node), of(words.PROBE, is_node)
    reductions = np.flatnonzero((sight.reduction > 0) & finished) if len(sight.reduction) else none
    if len(sight.purpose):
        reductions = reductions[~np.isin(sight.purpose[reductions], (words.NULL, words.PROBE))]
    null_parents = sight.parent[nulls[sight.parent[nulls] >= 0]] if len(sight.cut_by) else none
    found = (
        pair(
            "scouts",
            scouts,
            len(scouts) - int(tally.counts[SCOUTED_AGAIN]),
            "null-window visits that were finished",
            "were not searched again",
        ),
        pair(
            "re-searches",
            researches,
            _n_better(sight, researches),
            "visits again, after a scout or a reduction",
            "came back better for the mover than its edge of the window",
        ),
        pair(
            "reductions",
            reductions,
            len(reductions) - int(tally.counts[VERIFIED]),
            "visits of reduced depth that were finished",
            "were not verified by a visit with a smaller reduction",
        ),
        pair(
            "null moves",
            nulls,
            int(np.count_nonzero(sight.cut_by[null_parents] == _BY_NULL)) if len(null_parents) else 0,
            "null moves",
            "cut their node off",
        ),
        pair("probes", probes, None, "probing visits", "a log does not say it"),
        Pair(
            "aspiration windows",
            *_windows(tree),
            "trees begun with a window that leaves out possible scores, and finished",
            "came back inside the window",
        ),
    )
    return found, lacks


def _n_better(sight: Sight, rows: Array) -> int:
    """The visits of some rows whose score is better for the mover than its edge of their window."""
    rows = rows[sight.parent[rows] >= 0]
    layer, score = sight.layer[sight.parent[rows]], sight.score[rows]
    is_better = np.zeros(len(rows), np.bool_)
    if len(sight.alpha):
        is_better |= (layer == words.MAX) & (score > sight.alpha[rows])
    if len(sight.beta):
        is_better |= (layer == words.MIN) & (score < sight.beta[rows])
    return int(np.count_nonzero(is_better))


def _windows(tree: Tree) -> tuple[int, int, int]:
    """Trees that began with a closed edge: how many, how many came back inside, their nodes."""
    columns = tree.log.columns
    if "alpha" not in columns or "beta" not in columns:
        return 0, 0, 0
    lowest, highest = _extremes(tree)
    tries = inside = nodes = 0
    for root in tree.log.roots:
        low, high = float(columns["alpha"][root.row]), float(columns["beta"][root.row])
        score = float(columns["score"][root.row])
        is_closed = low > lowest or high < highest
        if not is_closed or np.isnan(score) or columns["outcome"][root.row] == words.STOPPED:
            continue
        tries += 1
        inside += low < score < high
        nodes += tree.n_nodes(root.row)
    return tries, inside, nodes


def _extremes(tree: Tree) -> tuple[float, float]:
    """The worst and the best score that the log declares; a window with these edges is open."""
    low, high = range_of(tree.log)
    if low < high:
        return low, high
    mate = mate_of(tree.log)
    return (-np.inf, np.inf) if mate is None else (-mate.score, mate.score)
