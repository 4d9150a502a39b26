"""The caveats of an explanation: a win that is not proven, a less deep visit, scores that are wrong.

Of the last only the rows of the two lines are asked, with the children of each and the path to them as a
small log of their own, by the rules that judge a score from its node and its children.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.check.report import Finding
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.explain.facts import WORTH, Facts, ply_link, whole_path
from plyscope.visualizer.analysis.explain.pair import Pair
from plyscope.visualizer.analysis.explain.ply_side import Side, n_left_out
from plyscope.visualizer.analysis.explain.segments import Segment, Sentence, n_plies, sentence
from plyscope.visualizer.analysis.explain.signed_figures import Digits
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log, Root
from plyscope.visualizer.store.tree import Tree

ASKED: Final = frozenset({"nan", "value", "leaf", "terminal", "stand-pat", "static-sum", "chance"})
MOST_SAID: Final = 2

Rows = npt.NDArray[np.int64]


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
    """That one of the two was searched less deep than the other; None where it was not."""
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
    """That the ply which the result names is none of the root's, so another one is explained."""
    return sentence(
        "caveat",
        f"The log says that {ply} was chosen, of which the root has no finished visit: ",
        ply_link(tree, best),
        " is the best there.",
    )


def say_edge(tree: Tree, side: Side, digits: Digits) -> Sentence | None:
    """That the search returned the edge of its window for a ply worth more or less; None if not."""
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
    """A caveat for each of the first scores on the two lines that `check` calls wrong, and how many more."""
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


def wrong_scores(tree: Tree, lines: Rows) -> list[tuple[int, Finding]]:
    """The rows among `lines` whose scores are wrong, each with the first finding about it."""
    rows = _rows_around(tree, lines)
    report = check(_part_of(tree.log, rows), ignore=tuple(set(RULES) - ASKED))
    found: dict[int, Finding] = {}
    for finding in report.findings():
        row = int(rows[finding.row])
        if finding.severity == "wrong" and row in lines:
            found.setdefault(row, finding)
    return sorted(found.items())


def _rows_around(tree: Tree, lines: Rows) -> Rows:
    """The rows of the lines, of the paths to them, and all children of these."""
    parent = tree.log.columns["parent"]
    above: dict[int, None] = {}
    for row in lines.tolist():
        while row >= 0 and row not in above:
            above[row] = None
            row = int(parent[row])
    pieces = [np.asarray(tree.children(row), np.int64) for row in above]
    return np.unique(np.concatenate([np.array(list(above), np.int64), *pieces]))


def _part_of(log: Log, rows: Rows) -> Log:
    """A log of some rows, each with its parent; ascending, so that they stay in pre-order."""
    columns = {name: np.asarray(column)[rows] for name, column in log.columns.items()}
    parent = columns["parent"]
    columns["parent"] = np.where(parent >= 0, np.searchsorted(rows, parent), -1).astype(parent.dtype)
    columns["end"] = np.searchsorted(rows, columns["end"]).astype(columns["end"].dtype)
    columns.pop("tt_from", None)
    header = {name: value for name, value in log.header.items() if name != "result"}
    roots = tuple(Root(int(row)) for row in np.flatnonzero(parent < 0))
    return replace(
        log, header=header, columns=columns, roots=roots, stub_plies=None, extras=None, children=None,
        kept=None, lines=None, counted=None,
    )  # fmt: skip
