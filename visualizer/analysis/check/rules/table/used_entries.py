"""Rules `tt-depth`, `tt-ply`, `table-disagrees`: an entry that was used is deep enough, and fits its node.

The other rules of tables use the facts found here about an entry and its source.
"""

from __future__ import annotations

import numpy as np

from plyscope.engine.jit import kernel
from plyscope.visualizer.analysis.check.facts.children import MOST_NAMED, shared_by_plies, some
from plyscope.visualizer.analysis.check.facts.judged import (
    best_first_averages,
    coded,
    known,
    marked,
    other_than,
    positive,
    sees_in_two_ways,
    stated,
    used_entries,
    where_known,
)
from plyscope.visualizer.analysis.check.facts.proofs import mate_sign, proven_range
from plyscope.visualizer.analysis.check.rule import Figures, Rule, rows_marked
from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    beta_of,
    depth_of,
    entry_high,
    entry_low,
    fold_of,
    is_aside,
    is_finished,
    is_quiescence,
    is_stub,
    is_used,
    moves_of,
    source_of,
    stub_slice,
)
from plyscope.visualizer.analysis.columns.sight import (
    CLAIMED,
    ENTRY_DISAGREES,
    REVISITED,
    TABLE_DISAGREES,
    TT_NARROW,
    Sight,
)
from plyscope.visualizer.analysis.nodes.digits import apart, intervals
from plyscope.visualizer.store.positions import respelled
from plyscope.visualizer.store.words import LOWER, UPPER


@kernel
def proves_mate(sight: Sight, row: int, stored: float) -> bool:
    """Whether the entry proves a win or a loss, which holds at any depth: a win at least, a loss at most.

    An entry without a bound is assumed to. The other bound, that there is no nearer mate, is proven where
    `stored` plies reach as far.
    """
    if len(sight.tt_score) == 0:
        return False
    score = sight.tt_score[row]
    sign = mate_sign(sight, score)
    if np.isinf(score):
        sign = 1 if score > 0 else -1
    if sign == 0:
        return False
    bound = sight.tt_bound[row] if len(sight.tt_bound) > 0 else 0
    if bound == 0 or bound & (LOWER if sign > 0 else UPPER):
        return True
    reached = sight.mate - sight.mate_step * (np.ceil(stored) + 1 + int(sight.n_plies[row]))
    return bool(sight.mate_step > 0.0 and reached <= abs(score))


@kernel
def searched_depth(depth: float) -> float:
    """Return the depth by which entries are compared: all depths at or below 0, in quiescence, are one."""
    return depth if depth > 0.0 or depth != depth else 0.0


@kernel
def shifted_to(sight: Sight, source: int, row: int, score: float) -> float:
    """Return a score of row `source` as seen at `row`: a win by distance is later below, earlier above."""
    if np.isnan(sight.mate_step):
        return score
    return score - mate_sign(sight, score) * sight.mate_step * int(sight.n_plies[row] - sight.n_plies[source])


@kernel
def shifted(sight: Sight, source: int, row: int) -> float:
    """Return the score of row `source`, as seen at `row`."""
    return shifted_to(sight, source, row, float(sight.score[source]))


@kernel
def searched_to(sight: Sight, source: int) -> tuple[float, float]:
    """Return the least and the greatest depth that row `source` may have been searched to; NaN if unknown.

    A node that reduces or extends itself after it was entered says so at all of its plies.
    """
    depth = depth_of(sight, source)
    reduced = shared_by_plies(sight, sight.reduction, source)
    extended = shared_by_plies(sight, sight.extension, source)
    most = depth + (extended if extended < np.inf else 0.0)
    return searched_depth(depth - reduced), searched_depth(most)


@kernel
def states_its_claim(sight: Sight, row: int) -> bool:
    """Whether the entry states its bound and its score."""
    has_both = len(sight.tt_bound) > 0 and len(sight.tt_score) > 0
    return bool(has_both and sight.tt_bound[row] > 0 and not np.isnan(sight.tt_score[row]))


@kernel
def reaches_no_edge(sight: Sight, row: int, source: int) -> bool:
    """Whether `source`, if it stored the entry, had proven neither a score nor an edge of the window."""
    low, high = range_of_source(sight, row, source)
    return bool(low < high and low < beta_of(sight, row) and high > alpha_of(sight, row))


@kernel
def range_of_source(sight: Sight, row: int, source: int) -> tuple[float, float]:
    """Return the least and the greatest score that `source` left possible, if it stored the entry of `row`.

    NaN if unknown, as of wins by distance, which are shifted.
    """
    if source < 0 or sight.end[source] > row or not is_finished(sight, source):
        return np.nan, np.nan
    if mate_sign(sight, float(sight.score[source])) != 0:
        return np.nan, np.nan
    return proven_range(sight, source)


@kernel
def violates_tt_depth(sight: Sight, row: int) -> bool:
    """Whether the entry is shallower than the node wants, or deeper where only equal depth is declared."""
    if not is_used(sight, row):
        return False
    stored = stored_depth(sight, row)
    wanted = searched_depth(depth_of(sight, row))
    if np.isnan(stored) or np.isnan(wanted) or proves_mate(sight, row, stored):
        return False
    return bool(stored < wanted or (sight.table_equal and stored != wanted))


@kernel
def stored_depth(sight: Sight, row: int) -> float:
    """Return the depth of an entry, else that of the node that stored it; NaN if neither is stated."""
    depth = float(sight.tt_depth[row]) if len(sight.tt_depth) > 0 else np.nan
    source = source_of(sight, row)
    if np.isnan(depth) and source >= 0:
        return searched_to(sight, source)[1]
    return searched_depth(depth)


def _figures_of_tt_depth(sight: Sight, row: int) -> Figures:
    wanted, stored = depth_of(sight, row), float(stored_depth(sight, row))
    declared = "exactly" if sight.table_equal else "at least"
    needed, searched = apart(wanted, stored)
    return Figures(
        expected=wanted if sight.table_equal else [wanted, "inf"],
        found=stored,
        message=(
            f"{needed} plies are to be searched here, but the table entry that was used is of depth "
            f"{searched}, expected {declared} {needed}."
        ),
        involved=(source,) if (source := source_of(sight, row)) >= 0 else (),
    )


TT_DEPTH_RULE = Rule(
    "tt-depth",
    "wrong",
    ("tt", "depth"),
    _figures_of_tt_depth,
    judged=(
        used_entries,
        known("depth"),
        lambda sight, rows: where_known(sight.tt_depth, rows) | stated("tt_from")(sight, rows),
    ),
    violates=violates_tt_depth,
)


@kernel
def violates_tt_ply(sight: Sight, row: int) -> bool:
    """Whether all plies of the node are known, and the entry's is none of them.

    All are known where the different plies below, those of stubs included, are as many as `moves`. Not asked
    in quiescence, where only some plies are generated.
    """
    if len(sight.tt_ply) == 0 or sight.tt_ply[row] < 0 or moves_of(sight, row) <= 0:
        return False
    if is_quiescence(sight, row):
        return False
    wanted = sight.tt_ply[row]
    n_known = 0
    child = row + 1
    while child < sight.end[row]:
        if is_stub(sight, child):
            begin, end = stub_slice(sight, child)
            for i in range(begin, end):
                if sight.stub_plies[i] == wanted:
                    return False
                n_known += sight.stub_plies[i] >= 0
        elif not is_aside(sight, child):
            if sight.ply[child] == wanted:
                return False
            n_known += sight.ply[child] >= 0 and not sight.marks[child] & REVISITED
        child = sight.end[child]
    return n_known >= moves_of(sight, row)


def _figures_of_tt_ply(sight: Sight, row: int) -> Figures:
    plies: dict[int, None] = {}
    child = row + 1
    while child < sight.end[row]:
        if is_stub(sight, child):
            plies |= dict.fromkeys(sight.stub_plies[slice(*stub_slice(sight, child))].tolist())
        elif not is_aside(sight, child):
            plies[int(sight.ply[child])] = None
        child = int(sight.end[child])
    names = [respelled(sight.log, row, sight.log.text(ply) or "") for ply in plies]
    found = respelled(sight.log, row, sight.log.text(int(sight.tt_ply[row])) or "")
    source = source_of(sight, row)
    return Figures(
        expected=names[:MOST_NAMED],
        found=found,
        message=f"The table entry brings the ply {found}, but the plies here are {some(names)}.",
        involved=(source,) if source >= 0 else (),
    )


TT_PLY_RULE = Rule(
    "tt-ply",
    "wrong",
    ("tt.ply", "moves"),
    _figures_of_tt_ply,
    judged=(stated("tt_ply"), positive("moves"), other_than("quiescence", 1)),
    violates=violates_tt_ply,
)


def _figures_of_table_disagrees(sight: Sight, row: int) -> Figures:
    expected = (float(entry_low(sight, row)), float(entry_high(sight, row)))
    if sight.marks[row] & TABLE_DISAGREES:
        low, high = claim_of(sight, row)
        found, who = (float(low), float(high)), "the visit found"
    else:
        low, high = fold_of(sight, row)
        found, who = (float(low), float(high)), "the plies below prove"
    source = int(sight.tt_from[row]) if len(sight.tt_from) else -1
    entry, proven = intervals(expected, found)
    return Figures(
        expected,
        found,
        f"The table entry claims {entry}, but {who} {proven}.",
        (source,) if source >= 0 else (),
    )


TABLE_DISAGREES_RULE = Rule(
    "table-disagrees",
    "wrong",
    ("tt", "bound|alpha", "bound|beta"),
    _figures_of_table_disagrees,
    judged=(coded("tt_use", TT_NARROW), positive("tt_bound"), known("tt_score"), marked(CLAIMED)),
    find=rows_marked(TABLE_DISAGREES | ENTRY_DISAGREES),
    is_odd=sees_in_two_ways,
    why_not=best_first_averages,
)
