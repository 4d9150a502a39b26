"""Rule `over`: nothing comes after a finished game, and its end is looked for before the horizon."""

from __future__ import annotations

import numpy as np

from plyscope.visualizer.analysis.check.facts.children import MOST_INVOLVED, children_of
from plyscope.visualizer.analysis.check.facts.masks import Mask, Rows, codes, every, nodes
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.row import is_stub
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.store import words


def says_it_is_over(sight: Sight, rows: slice) -> Mask:
    """Nodes of finished games: terminal, or with an ending."""
    is_over = (sight.outcome[rows] == words.TERMINAL) | (codes(sight.ending, rows) > 0)
    return np.asarray(nodes(sight, rows) & is_over)


def continues(sight: Sight) -> Mask:
    """Rows with a stub or a visit of a ply directly below."""
    is_ply = (sight.ply >= 0) if len(sight.ply) else np.zeros(sight.n_rows, np.bool_)
    is_below = (sight.parent >= 0) & (is_ply | (sight.outcome >= words.FIRST_STUB))
    found = np.zeros(sight.n_rows, np.bool_)
    found[sight.parent[is_below]] = True
    return found


def is_mate_by_capture(sight: Sight, row: int) -> bool:
    """Whether all plies searched below have one score, and the node another: each of them loses the king.

    Engines that try illegal plies too know of mate and stalemate only after that.
    """
    below = list(children_of(sight, row))
    scores = {float(sight.score[child]) for child in below if sight.outcome[child] != words.LEAF}
    has_stub = any(is_stub(sight, child) for child in below)
    return not has_stub and len(scores) == 1 and scores != {float(sight.score[row])}


def leaves_without_plies(sight: Sight) -> Mask:
    """Leaves that state 0 legal plies, outside quiescence, and are not a tablebase's."""
    is_leaf = (sight.outcome == words.LEAF) & (codes(sight.moves, every(sight), -1) == 0)
    is_leaf &= (codes(sight.quiescence, every(sight)) != 1) & (codes(sight.ending, every(sight)) == 0)
    if len(sight.tablebase):
        is_leaf &= ~sight.tablebase
    return np.asarray(is_leaf)


def counts_plies_of_leaves(sight: Sight) -> bool:
    """Whether leaves state as many plies as they have: some have plies, and nobody goes on without one.

    Many engines generate no plies at the horizon, and state 0. In some games a side without plies passes.
    """
    if not len(sight.moves) or not ((sight.outcome == words.LEAF) & (sight.moves > 0)).any():
        return False
    return not (continues(sight) & (sight.moves == 0)).any()


def find(sight: Sight, work: Work) -> Rows:
    """The rows of finished games that go on, and leaves at which the game may have been over."""
    broken = says_it_is_over(sight, every(sight)) & continues(sight)
    for row in np.flatnonzero(broken & (sight.outcome == words.TERMINAL)).tolist():
        broken[row] = not is_mate_by_capture(sight, row)
    without = leaves_without_plies(sight)
    if without.any():
        broken |= (
            without if counts_plies_of_leaves(sight) else without & (codes(sight.in_check, every(sight)) == 1)
        )
    return np.flatnonzero(broken)


def is_odd(sight: Sight, rows: Rows) -> Mask:
    """A leaf, and a node that a best-first search may have solved: its ending is then a result."""
    is_ended = (codes(sight.ending, every(sight))[rows] > 0) & ~np.bool_(sight.best_first)
    return np.asarray((sight.outcome[rows] != words.TERMINAL) & ~is_ended)


def figures(sight: Sight, row: int) -> Figures:
    """An end of the game beside what comes after it, or beside the evaluation."""
    if not says_it_is_over(sight, slice(row, row + 1))[0]:
        check = "in check and " if codes(sight.in_check, slice(row, row + 1))[0] == 1 else ""
        is_above = len(sight.depth) > 0 and sight.depth[row] > 0
        message = f"The mover is {check}without a legal ply, so the game is over here, but the position " + (
            "is called a leaf: `outcome` should be `terminal`."
            if is_above
            else "was evaluated as a leaf: the end of the game was not looked for before the horizon."
        )
        return Figures("terminal", "leaf", message)
    below = list(children_of(sight, row))
    stubs = [each for each in below if is_stub(sight, each)]
    n_visits = len(below) - len(stubs)
    counts = [int(sight.count[each]) if len(sight.count) else -1 for each in stubs]
    n_left = sum(max(each, 1) for each in counts)
    said = "the game is over" if sight.outcome[row] == words.TERMINAL else _ending(sight, row)
    what = []
    if n_visits:
        what.append(f"{n_visits:,} {'ply' if n_visits == 1 else 'plies'} searched")
    if stubs:
        kinds = {words.OUTCOMES[int(sight.outcome[each])] for each in stubs}
        what.append(f"{n_left:,} {' and '.join(sorted(kinds))}")
    message = f"The log says that {said} here, but there are plies below: {' and '.join(what)}."
    return Figures(0, n_visits + n_left, message, tuple(below[:MOST_INVOLVED]))


def _ending(sight: Sight, row: int) -> str:
    ending = words.ENDINGS[int(sight.ending[row])]
    return f"the game ended with a {ending}"


def has_judged(sight: Sight, work: Work) -> bool:
    """Whether a row says that the game is over, or has no plies at the horizon."""
    return bool(says_it_is_over(sight, every(sight)).any() or leaves_without_plies(sight).any())


RULE = Rule("over", "wrong", ("outcome|ending",), figures, has_judged=has_judged, find=find, is_odd=is_odd)
