"""An explanation as a terminal shows it: the sentences, the split as bars, both lines."""

from __future__ import annotations

from plyscope.engine.quoting import told_apart, visible
from plyscope.visualizer.analysis.explain.answer import Explained
from plyscope.visualizer.analysis.explain.best_first import Scale
from plyscope.visualizer.analysis.explain.means import Means
from plyscope.visualizer.analysis.explain.pair import is_roll, name_of
from plyscope.visualizer.analysis.nodes.digits import by_the_largest, digits_for
from plyscope.visualizer.store.tree import Tree

WIDTH = 24
"""Characters of the longest bar."""
LONGEST_NAME = 30
ROUNDING = 1e-9
"""A part that is smaller than this share of the largest is a rounding error."""
MOST_PLIES = 20
"""Plies of a best-first tree that are listed; `--json` has more."""


def lines_of(explained: Explained) -> list[str]:
    """The lines of the whole explanation."""
    lines = [visible(str(each)) for each in explained.sentences]
    if explained.split:
        lines += ["", *_bars(explained)]
    if explained.means is not None:
        lines += ["", *_table(explained.means, _label(explained))]
    if explained.sides:
        lines += ["", *_both_lines(explained)]
    return lines


def parts_of(explained: Explained) -> list[tuple[str, str, float]]:
    """The parts of the margin, each with its figure; equal ones are merged, and the margin comes last."""
    most = max((abs(part.amount) for part in explained.split), default=0.0)
    shown = [part for part in explained.split if part.amount and not abs(part.amount) < ROUNDING * most]
    n_equal = sum(not part.amount for part in explained.split)
    assert explained.margin is not None
    digits = digits_for([part.amount for part in shown], explained.margin)
    rows = [(visible(part.name)[:LONGEST_NAME], digits.signed(part.amount), part.amount) for part in shown]
    if n_equal:
        what = "other" if shown else "factor"
        rows.append((f"1 {what}, equal" if n_equal == 1 else f"{n_equal:,} {what}s, equal", "0", 0.0))
    return [*rows, ("margin", digits.signed(explained.margin), explained.margin)]


def _bars(explained: Explained) -> list[str]:
    rows = parts_of(explained)
    bars = [_bar(size) for size in by_the_largest([amount for _, _, amount in rows[:-1]])]
    widths = [max(map(len, texts)) for texts in ([row[0] for row in rows], [row[1] for row in rows])]
    return [
        f"{name:<{widths[0]}}  {said:>{widths[1]}}  {bar}".rstrip()
        for (name, said, _), bar in zip(rows, [*bars, ""], strict=True)
    ]


def _table(means: Means, label: str) -> list[str]:
    """The plies of a best-first tree: visits, mean and its interval, and how it stands to the chosen one."""
    listed = means.plies[:MOST_PLIES]
    estimates = [each.estimate for each in listed]
    shown = [value for each in estimates for value in (each.mean, *each.interval)]
    scale = Scale(means.tree, shown, means.rival.estimate.mean - means.chosen.estimate.mean)
    rows = [("ply", "visits", "mean", "95 % interval", "")]
    names = told_apart([name_of(means.tree, each.row) for each in listed], LONGEST_NAME)
    for name, each, estimate in zip(names, listed, estimates, strict=True):
        noise = "" if each.is_within is None else "within noise" if each.is_within else "beyond noise"
        rows.append(
            (
                name,
                "?" if estimate.visits != estimate.visits else f"{estimate.visits:,.0f}",
                "?" if estimate.mean != estimate.mean else scale.mean(estimate.mean),
                "?" if estimate.by is None else scale.interval(estimate.interval),
                label if each.row == means.chosen.row else noise,
            )
        )
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    found = []
    for name, *figures, said in rows:
        padded = (f"{text:>{width}}" for text, width in zip(figures, widths[1:], strict=True))
        found.append("  ".join((f"{name:<{widths[0]}}", *padded, said)).rstrip())
    more = len(means.plies) - len(listed)
    return [*found, *([f"and {more:,} more"] if more else [])]


def _label(explained: Explained) -> str:
    """The name of the ply that is explained: no choice where the search would choose another, or chance."""
    return "chosen" if explained.is_choice else "asked"


def _bar(size: float) -> str:
    """A bar of signs for a size from -1 to 1."""
    return (">" if size > 0 else "<") * round(WIDTH * abs(size))


def _which_tree(tree: Tree, row: int) -> list[str]:
    """The tree of a log of several that the plies are of, such as the last iteration that was finished."""
    roots = tree.log.roots
    if len(roots) == 1:
        return []
    at = [root.row for root in roots].index(tree.root_of(row))
    number = roots[at].iteration
    said = "" if number is None else f", iteration {number}"
    return [f"tree    {at + 1:,} of {len(roots):,}{said}"]


def _both_lines(explained: Explained) -> list[str]:
    tree = explained.tree
    said = _which_tree(tree, explained.sides[0].row)
    is_chance = explained.pair is not None and is_roll(tree, explained.pair.parent)
    labels = _label(explained), "other" if is_chance else "rival"
    for label, side in zip(labels, explained.sides, strict=False):
        text, above = visible(name_of(tree, side.row)), side.row
        for row in side.line.rows:
            is_child = tree.log.columns["parent"][row] == above
            text += f" > {visible(name_of(tree, row))}" if is_child else " (table)"
            above = row  # the node that stored the entry is this position, which other plies led to
        said.append(f"{label:<6}  {text}" + (f"  ({side.line.note})" if side.line.note else ""))
    return said
