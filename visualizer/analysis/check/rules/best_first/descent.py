"""Rule `descent`: in a best-first tree the visits of each side's nodes go to what is good for that side."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from plyscope.visualizer.analysis.check.facts.children import MOST_INVOLVED
from plyscope.visualizer.analysis.check.facts.judged import Mask, Rows, other_order, selected_uniformly
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import GIVEN
from plyscope.visualizer.store.log import once_a_log

FEWEST_VISITS: Final = 20
"""The fewest visits of a node that is looked at."""
FEWEST_OF_SIBLINGS: Final = 5
HALF_A_NOISE: Final = 0.5
FEWEST_NODES: Final = 4
NEARLY_ALL: Final = 0.9
# Where the means are not used at all:
MANY_VISITS: Final = 100
FEWEST_EACH: Final = 10
FAR_APART: Final = 3.0
FEWEST_UNUSED: Final = 2
VERY_MANY: Final = 500
VERY_FAR: Final = 4.0
FEWEST_CHILDREN: Final = 4


class Fault(NamedTuple):
    """One side whose descent is wrong: the nodes that show it, most visited first; the number that could."""

    rows: Rows
    n_told: int
    is_reversed: bool
    """Whether the most visited children are the worst; else means and visits have nothing in common."""


class _Family(NamedTuple):
    """The visited children of each node, sorted by node; arrays of one entry a child, `starts` one a node."""

    nodes: Rows
    starts: Rows
    rows: Rows
    visits: Array
    worth: Array
    """The means, seen by the mover of the node."""


@once_a_log
def _faults(sight: Sight) -> dict[int, Fault]:
    """The faults by the most visited node of each side whose descent is wrong."""
    faults = [_fault_of_side(sight, layer) for layer in (words.MAX, words.MIN)]
    return {int(fault.rows[0]): fault for fault in faults if fault is not None}


def find(sight: Sight, work: Work) -> Rows:
    """The most visited node of each side whose descent is wrong."""
    return np.array(sorted(_faults(sight)), np.int64)


def _fault_of_side(sight: Sight, layer: int) -> Fault | None:
    family = _family(sight, layer)
    if not len(family.nodes):
        return None
    told, is_worst = _reversals(sight, family)
    n_told, n_worst = int(np.count_nonzero(told)), int(np.count_nonzero(is_worst))
    if n_worst >= FEWEST_NODES and n_worst >= NEARLY_ALL * n_told:
        return Fault(_by_visits(sight, family.nodes[is_worst]), n_told, True)
    can_tell, is_even = _means_unused(sight, family)
    n_told, n_even = int(np.count_nonzero(can_tell)), int(np.count_nonzero(is_even))
    if n_even >= FEWEST_UNUSED and n_even >= NEARLY_ALL * n_told:
        return Fault(_by_visits(sight, family.nodes[is_even]), n_told, False)
    if n_told <= 1 and (alone := _only_node(sight, family)) is not None:
        return Fault(np.array([alone], np.int64), 1, False)
    return None


def _by_visits(sight: Sight, rows: Rows) -> Rows:
    return rows[np.argsort(-sight.visits[rows], kind="stable")]


def _family(sight: Sight, layer: int) -> _Family:
    """The visited children of the nodes of a layer; those whose position has another row are left out."""
    above = np.maximum(sight.parent, 0)
    is_child = (sight.parent >= 0) & (sight.visits > 0) & ~np.isnan(sight.mean)
    is_child &= (sight.layer[above] == layer) & (sight.visits[above] >= FEWEST_VISITS)
    is_child &= ~_has_another_row(sight)
    rows = np.flatnonzero(is_child)
    rows = rows[np.argsort(sight.parent[rows], kind="stable")]
    nodes, starts = np.unique(sight.parent[rows], return_index=True)
    sign = 1.0 if layer == words.MAX else -1.0
    return _Family(nodes.astype(np.int64), starts, rows, sight.visits[rows], sign * sight.mean[rows])


def _has_another_row(sight: Sight) -> Mask:
    found = np.zeros(sight.n_rows, np.bool_)
    if len(sight.key):
        keyed = np.flatnonzero((sight.given & GIVEN["key"] > 0) & (sight.outcome < words.FIRST_STUB))
        _, number, count = np.unique(sight.key[keyed], return_inverse=True, return_counts=True)
        found[keyed] = count[number] > 1
    return found


def _noise(sight: Sight, n: Any, other: Any) -> Any:
    """The difference that chance may make between two means: half the range × √(1/n + 1/other)."""
    return (sight.range_high - sight.range_low) / 2 * np.sqrt(1 / n + 1 / other)


def _reversals(sight: Sight, family: _Family) -> tuple[Mask, Mask]:
    """Masks: nodes whose most visited child clearly differs from its siblings, and where it is worse."""
    counts = np.diff(np.append(family.starts, len(family.rows)))
    group = np.repeat(np.arange(len(family.nodes)), counts)
    order = np.lexsort(
        (family.worth, np.where(sight.outcome[family.rows] < words.FIRST_STUB, family.visits, 0), group)
    )
    most = order[np.append(family.starts[1:], len(family.rows)) - 1]
    n_all = np.add.reduceat(family.visits, family.starts)
    sums = np.add.reduceat(family.visits * family.worth, family.starts)
    n = family.visits[most]
    n_siblings = n_all - n
    is_asked = n_siblings >= FEWEST_OF_SIBLINGS
    if len(sight.prior):
        prior = np.nan_to_num(sight.prior[family.rows], nan=-np.inf)
        largest = np.maximum.reduceat(prior, family.starts)
        is_asked &= ~((prior[most] == largest) & np.isfinite(largest))
    of_siblings = (sums - n * family.worth[most]) / n_siblings
    better = (family.worth[most] - of_siblings) / _noise(sight, n, n_siblings)
    told = is_asked & (np.abs(better) > HALF_A_NOISE)
    return told, told & (better < 0)


def _means_unused(sight: Sight, family: _Family) -> tuple[Mask, Mask]:
    """Masks: nodes whose best and worst child are far apart, and where both were visited about as often."""
    can_tell = np.zeros(len(family.nodes), np.bool_)
    is_even = can_tell.copy()
    ends = np.append(family.starts[1:], len(family.rows))
    for at in np.flatnonzero(sight.visits[family.nodes] >= MANY_VISITS).tolist():
        piece = slice(int(family.starts[at]), int(ends[at]))
        enough = family.visits[piece] >= FEWEST_EACH
        if np.count_nonzero(enough) < 2:
            continue
        visits, worth = family.visits[piece][enough], family.worth[piece][enough]
        best, worst = int(np.argmax(worth)), int(np.argmin(worth))
        n, other = visits[best], visits[worst]
        can_tell[at] = worth[best] - worth[worst] >= FAR_APART * _noise(sight, n, other)
        is_even[at] = can_tell[at] and abs(n - other) <= 2 * np.sqrt(n + other)
    return can_tell, is_even


def _only_node(sight: Sight, family: _Family) -> int | None:
    """The one node of very many visits, if its children are visited alike and their means very far apart."""
    at = np.flatnonzero(sight.visits[family.nodes] >= VERY_MANY)
    if len(at) != 1 or len(sight.prior):
        return None
    ends = np.append(family.starts[1:], len(family.rows))
    piece = slice(int(family.starts[at[0]]), int(ends[at[0]]))
    visits, worth = family.visits[piece], family.worth[piece]
    if len(visits) < FEWEST_CHILDREN:
        return None
    even = visits.sum() / len(visits)
    best, worst = int(np.argmax(worth)), int(np.argmin(worth))
    is_far = worth[best] - worth[worst] >= VERY_FAR * _noise(sight, visits[best], visits[worst])
    is_even = (np.abs(visits - even) <= 3 * np.sqrt(even)).all()
    return int(family.nodes[at[0]]) if is_far and is_even else None


def _has_judged(sight: Sight, work: Work) -> bool:
    return any(len(_family(sight, layer).nodes) for layer in (words.MAX, words.MIN))


def reason_against(sight: Sight) -> str | None:
    """Return the reason why this rule cannot judge the log, or None."""
    if not sight.best_first:
        return other_order(sight)
    if not -np.inf < sight.range_low < sight.range_high < np.inf:
        return "needs `range`"
    return selected_uniformly(sight)


def _figures(sight: Sight, row: int) -> Figures:
    fault = _faults(sight)[row]
    n_wrong, n_told = len(fault.rows), fault.n_told
    is_own = sight.layer[row] == words.MAX
    at = (
        f"At {n_wrong:,} of {n_told:,} nodes that can tell"
        if n_told > 1
        else "At the only node that can tell"
    )
    involved = tuple(int(each) for each in fault.rows[1:MOST_INVOLVED])
    if fault.is_reversed:
        who = "the root player's own ply" if is_own else "the opponent's reply"
        what = "the worst for the root player" if is_own else "the best for the root player"
        message = (
            f"{at} {who} that was visited most is {what}: the means seem to be taken for the other side."
        )
        return Figures(0, n_wrong, message, involved)
    whose = "the root player" if is_own else "the opponent"
    message = (
        f"{at} {whose} visited plies alike whose means are far apart: the descent does not use the means, or "
        "its exploration constant drowns them."
    )
    return Figures(0, n_wrong, message, involved)


RULE = Rule(
    "descent",
    "odd",
    ("visits", "mean", "layer|player", "range"),
    _figures,
    has_judged=_has_judged,
    find=find,
    why_not=reason_against,
)
