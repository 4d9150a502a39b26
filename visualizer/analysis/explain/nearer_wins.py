"""The nearest of several wins, by proofs down to finished games, whatever the scores say."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plyscope.visualizer.analysis.explain.causes import sign_of
from plyscope.visualizer.analysis.explain.facts import mate_words, ply_link
from plyscope.visualizer.analysis.explain.pair import Pair, Siblings, is_best_first
from plyscope.visualizer.analysis.explain.ply_side import Side
from plyscope.visualizer.analysis.explain.segments import Sentence, sentence
from plyscope.visualizer.analysis.nodes.mate import mate_of
from plyscope.visualizer.analysis.nodes.proof import end_after, ends_of, proofs_of
from plyscope.visualizer.analysis.nodes.score_source import Deciding
from plyscope.visualizer.store.tree import Tree


@dataclass(frozen=True)
class Ends:
    """The ends that are proven of two plies, as plies from their node; None where none is."""

    side: int
    """1 where the root player wins, -1 where it loses."""
    chosen: int | None
    rival: int | None

    @property
    def is_passed_over(self) -> bool:
        """Whether the rival's end is the nearer, or the only one."""
        return self.rival is not None and (self.chosen is None or self.rival < self.chosen)


def nearest_win(tree: Tree, deciding: Deciding, siblings: Siblings, chosen: int) -> int | None:
    """The ply whose proven win comes sooner than that of `chosen`; of equal ones the first searched.

    A win of `chosen` that is not proven counts where the two have the same score.
    """
    sign = sign_of(tree, siblings.parent)
    if sign is None or is_best_first(tree):
        return None
    log = tree.log
    found = ends_of(log) if mate_of(log) is None else proofs_of(log)
    is_win = (log.columns["parent"][found.rows] == siblings.parent) & (sign * found.scores > 0)
    rows, scores = found.rows[is_win], sign * found.scores[is_win]
    for row in rows[np.argsort(-scores, kind="stable")].tolist():
        counted = siblings.counted(row)
        if counted is None:
            continue
        ends = _ends(tree, deciding, siblings.parent, chosen, counted)
        return counted if ends is not None and counted != chosen and ends.is_passed_over else None
    return None


def ends_of_pair(tree: Tree, deciding: Deciding, pair: Pair) -> Ends | None:
    """The proven wins of the mover by two plies; None where neither, or only the chosen one, has one."""
    return None if sign_of(tree, pair.parent) is None else _ends(
        tree, deciding, pair.parent, pair.chosen, pair.rival
    )  # fmt: skip


def _ends(tree: Tree, deciding: Deciding, parent: int, chosen: int, rival: int) -> Ends | None:
    sign = sign_of(tree, parent)
    level = int(tree.log.columns["level"][parent])
    one, two = end_after(tree.log, chosen), end_after(tree.log, rival)
    if two is None or two[0] != sign:
        return None
    lead = sign * (deciding.taken(chosen) - deciding.taken(rival))
    if lead > 0 and mate_of(tree.log) is None:
        return None  # scores of a game of points, where the nearer win need not be the better
    if one is not None and one[0] == two[0]:
        return Ends(two[0], one[1] - level, two[1] - level)
    is_same = one is None and deciding.taken(chosen) == deciding.taken(rival)
    return Ends(two[0], None, two[1] - level) if is_same else None


def say_ends(tree: Tree, deciding: Deciding, pair: Pair, sides: tuple[Side, Side]) -> Sentence | None:
    """The distances of two proven wins, and that the nearer was passed over; None where they are said."""
    ends = ends_of_pair(tree, deciding, pair)
    if ends is None or ends.rival is None:
        return None
    x, y = ply_link(tree, pair.chosen), ply_link(tree, pair.rival)
    wins = "wins" if ends.side > 0 else "loses"
    noun = "win" if ends.side > 0 else "loss"
    if ends.chosen is None:
        said = f" {wins} {_within(ends.rival)}, which is proven; the {noun} after "
        return sentence("cause", y, said, x, " is not.")
    over = f": a nearer {noun} was passed over" if ends.is_passed_over else ""
    is_tie = sides[0].taken == sides[1].taken and ends.chosen != ends.rival
    if not over and (not is_tie or all(mate_words(tree, side) for side in sides)):
        return None
    one, two = (x, ends.chosen), (y, ends.rival)
    (first, sooner), (last, later) = (two, one) if ends.is_passed_over else (one, two)
    return sentence(
        "cause", first, f" {wins} {_within(sooner)}, ", last, f" {_within(later)}{over}."
    )  # fmt: skip


def _within(plies: int) -> str:
    return "at once" if plies == 1 else f"in {plies:,}"
