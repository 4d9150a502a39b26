"""The caveats of an explanation: a win that is not proven, a less deep visit, scores that are wrong."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from plyscope.visualizer.analysis.check.score_check import wrong_scores
from plyscope.visualizer.analysis.explain.facts import WORTH, Facts, ply_link, whole_path
from plyscope.visualizer.analysis.explain.pair import Pair
from plyscope.visualizer.analysis.explain.ply_side import Side, n_left_out
from plyscope.visualizer.analysis.explain.segments import Segment, Sentence, n_plies, sentence
from plyscope.visualizer.analysis.nodes.digits import Digits
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree

MOST_SAID: Final = 2


def say_unproven(tree: Tree, side: Side, mate: str) -> Sentence | None:
    """A caveat about the loser's plies that an unproven win or loss leaves out; None for none."""
    if "the plies searched" not in mate:
        return None
    loser = words.MIN if side.score > 0 else words.MAX
    for row in side.rows:
        if tree.log.columns["layer"][row] != loser:
            continue
        for outcome, how in (
            (words.LIMITED, "over the branching limit"),
            (words.SKIPPED, "skipped by forward pruning"),
        ):
            count = n_left_out(tree, row, outcome)
            if count is None or count > 0:
                amount = "replies" if count is None else n_plies(count, "reply", "replies")
                were = "was" if count == 1 else "were"
                return sentence(
                    "caveat", "After ", ply_link(tree, row), f", {amount} {how} {were} not looked at."
                )
    return None


def say_shallower(tree: Tree, facts: Facts) -> Sentence | None:
    """Say which of the two was searched less deep; None where both depths are equal or one is unknown."""
    one, two = facts.chosen, facts.rival
    if not (math.isfinite(one.depth) and math.isfinite(two.depth)) or one.depth == two.depth:
        return None
    low, high = (one, two) if one.depth < two.depth else (two, one)
    by = high.depth - low.depth
    count = n_plies(int(by)) if by == int(by) else f"{by:g} plies"
    return sentence(
        "caveat",
        ply_link(tree, low.row),
        f" was searched {count} shallower than ",
        ply_link(tree, high.row),
        ".",
    )


def say_unsearched(tree: Tree, ply: str, best: int) -> Sentence:
    """Say that the root has no finished visit of the result's ply, so that the best ply is explained."""
    return sentence(
        "caveat",
        f"The log says that {ply} was chosen, of which the root has no finished visit: ",
        ply_link(tree, best),
        " is the best there.",
    )


def say_edge(tree: Tree, side: Side, digits: Digits) -> Sentence | None:
    """Say that the search returned the edge of its window instead of the ply's worth; None if it did not."""
    if side.taken == side.score or math.isnan(side.taken):
        return None
    return sentence(
        "caveat",
        "The search returned the edge of its window, ",
        Segment(digits.signed(side.taken), side.row),
        ", for ",
        ply_link(tree, side.row),
        f"; the rows behind it say {WORTH[side.bound]}{digits.signed(side.score)}.",
    )


def say_wrong(tree: Tree, pair: Pair, sides: tuple[Side, ...]) -> list[Sentence]:
    """A caveat for each of the first scores on the two lines that `check` calls wrong; others are counted."""
    lines = sorted({pair.parent, *(row for side in sides for row in side.rows)})
    found = wrong_scores(tree, np.array(lines, np.int64))
    said = [
        sentence(
            "caveat",
            "`check` calls the score of ",
            whole_path(tree, row),
            f" wrong (`{finding.rule}`): {finding.message[0].lower()}{finding.message[1:]}",
        )
        for row, finding in found[:MOST_SAID]
    ]
    more = len(found) - MOST_SAID
    if more > 0:
        said.append(sentence("caveat", f"It calls {more:,} more on these lines wrong."))
    return said
