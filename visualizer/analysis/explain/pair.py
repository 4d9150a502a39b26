"""The two plies that an explanation compares: siblings, or those at which the paths of two nodes part."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.nodes.best_children import ranked_children, scores_taken
from plyscope.visualizer.analysis.nodes.score_source import Deciding
from plyscope.visualizer.store import words
from plyscope.visualizer.store.positions import respelled
from plyscope.visualizer.store.tree import Rows, Tree


@dataclass(frozen=True)
class Named:
    """A row that is asked about; of a stub, the one of its plies that is meant, or None for all of them."""

    row: int
    ply: str | None = None


@dataclass(frozen=True)
class Pair:
    """Two children of `parent`: the visits that count, or a stub as `rival`."""

    parent: int
    chosen: int
    rival: int
    rival_ply: str | None = None
    parted: bool = False
    """Whether nodes further down were asked about, whose paths part here."""
    visits: tuple[int, int] = (1, 1)
    """The number of finished visits of each ply."""


@dataclass(frozen=True)
class Roll:
    """A node at which chance moves: none of its outcomes is chosen, so that none has a rival."""

    node: int


@dataclass(frozen=True)
class Nothing:
    """The reason why there is nothing to compare, a sentence; `chosen` is the only ply, if any."""

    reason: str
    chosen: int | None = None


class Siblings:
    """The plies of one node, each as the last of its visits that count, best guaranteed first."""

    def __init__(self, tree: Tree, deciding: Deciding, parent: int) -> None:
        self.parent = parent
        self._log, self._is_grown = tree.log, is_best_first(tree)
        self._of: dict[int, int] = {}
        self._n_visits: dict[int, int] = {}
        self._wide = deciding.wide(parent)  # of a million plies nothing is kept in dictionaries
        if self._wide is None:
            for visits in deciding.plies(parent):
                last = deciding.counted(visits)[-1]
                self._of.update(dict.fromkeys(visits, last))
                self._n_visits[last] = len(visits)
        if self._is_grown:
            self._ranked = _by_visits(tree, parent, self.last)
        else:
            order, n_ranked = ranked_children(tree, parent)
            self._ranked = order[:n_ranked]

    @property
    def last(self) -> Rows:
        """The counted visits of all plies that have one, in the order of the log."""
        return np.array(list(self._n_visits), np.int64) if self._wide is None else self._wide.last

    @property
    def ranked(self) -> Rows:
        """The counted visits of the plies that are ranked, best first; other visits stand among them."""
        return self._ranked

    @property
    def n_plies(self) -> int:
        """The number of plies with a finished visit."""
        return len(self._n_visits) if self._wide is None else len(self._wide)

    def n_visits(self, row: int) -> int:
        """The finished visits of the ply whose counted visit is `row`; 1 for a row that is none."""
        if self._wide is None:
            return self._n_visits.get(row, 1)
        place = self._wide.place_of(row)
        return 1 if place is None or self._wide.last[place] != row else len(self._wide.visits(place))

    def counted(self, row: int) -> int | None:
        """The visit that counts for the ply of `row`; None where no visit of it does."""
        if self._wide is None:
            return self._of.get(row)
        place = self._wide.place_of(row)
        return None if place is None else int(self._wide.last[place])

    def best_but(self, row: int | None) -> int | None:
        """The best ply other than that of `row`."""
        if self._wide is not None:
            first = self._last_ranked[:2].tolist()
            return next((each for each in first if each != row), None)
        ranked = map(int, self._ranked)
        return next((each for each in ranked if each != row and self.counted(each) == each), None)

    def rival_of(self, row: int | None) -> int | None:
        """The best other ply that is guaranteed; where most others have better figures, the best of these.

        A ply that was searched first has an exact score however bad it is, those after it a bound alone.
        """
        best = self.best_but(row)
        if best is None or row is None or self._is_grown:
            return best
        sign = -1.0 if self._log.columns["layer"][self.parent] == words.MIN else 1.0
        others = self._last_ranked[self._last_ranked != row]
        scores = sign * scores_taken(self._log, others)
        mine, least = sign * scores_taken(self._log, np.array([row, best]))
        between = others[(scores > least) & (scores < mine)]
        return int(between[0]) if 2 * len(between) > len(others) else best

    @cached_property
    def _last_ranked(self) -> Rows:
        """The ranked ones without other visits of their plies and unfinished ones."""
        return self._ranked[np.isin(self._ranked, self.last)]

    def is_ahead(self, row: int, other: int) -> bool:
        """Whether the counted visit `row` is ranked, and before the ranked one `other`."""
        place, place_of_other = (np.flatnonzero(self._ranked == each) for each in (row, other))
        return self.counted(row) == row and len(place) > 0 and bool(place[0] < place_of_other[0])


def find_pair(
    tree: Tree, deciding: Deciding, chosen: Named | None, rival: Named | None
) -> Pair | Roll | Nothing:
    """The pair that is meant: without `rival` the best other ply, without both the search's choice.

    Where chance moves only two outcomes that are both asked for are a pair.
    """
    if chosen is not None and rival is not None:
        return _both(tree, deciding, chosen, rival)
    asked = chosen or rival
    row = tree.main_root if asked is None else asked.row
    above = int(tree.log.columns["parent"][row])
    parent = row if above < 0 else above
    if is_roll(tree, parent):
        return Roll(parent)
    if asked is None or above < 0:
        return _of_root(tree, deciding, row)
    siblings = Siblings(tree, deciding, parent)
    if (reason := _uncounted(tree, siblings, asked.row)) is not None:
        return Nothing(reason)
    counted = siblings.counted(asked.row)
    other = siblings.rival_of(counted)
    if other is None:
        return Nothing(_only(tree, siblings, counted), counted)
    if counted is None:
        return _made(siblings, other, asked, parted=False)
    is_first = chosen is not None or siblings.is_ahead(counted, other)
    first, second = (counted, other) if is_first else (other, counted)
    return _made(siblings, first, Named(second), parted=False)


def _of_root(tree: Tree, deciding: Deciding, root: int) -> Pair | Nothing:
    siblings = Siblings(tree, deciding, root)
    chosen = chosen_of(tree, siblings) if root == tree.main_root else None
    chosen = siblings.best_but(None) if chosen is None else chosen
    if chosen is None:
        return Nothing(_no_ply(tree, root))
    other = siblings.rival_of(chosen)
    if other is None:
        return Nothing(_only(tree, siblings, chosen), chosen)
    return _made(siblings, chosen, Named(other), parted=False)


def chosen_of(tree: Tree, siblings: Siblings) -> int | None:
    """The visit of the ply that the result names, among the plies of the main root."""
    ply = tree.log.chosen_ply
    if ply is None:
        return None
    found = (siblings.counted(row) for row in tree.visits(siblings.parent, ply))
    return next((row for row in found if row is not None), None)


def unsearched_choice(tree: Tree, deciding: Deciding, asked: tuple[Named | None, Named | None]) -> str | None:
    """The ply that the result names, if the question is about the choice and the root has no such ply."""
    named = [each.row for each in asked if each is not None]
    ply = tree.log.chosen_ply
    if named not in ([], [tree.main_root]) or ply is None:
        return None
    if chosen_of(tree, Siblings(tree, deciding, tree.main_root)) is not None:
        return None
    return respelled(tree.log, tree.main_root, ply)


def _both(tree: Tree, deciding: Deciding, chosen: Named, rival: Named) -> Pair | Nothing:
    one, two = tree.path(chosen.row), tree.path(rival.row)
    if chosen == rival:
        return Nothing("Both are the same node; choose another one to compare it with.")
    if one[0] != two[0]:
        return Nothing("The two stand in different trees of this log, so no node chooses between them.")
    if chosen.row == rival.row:
        return Nothing("Neither ply was searched, so there is nothing to compare.")
    at = next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), None)
    if at is None:
        above, below = sorted((chosen.row, rival.row), key=lambda row: len(tree.path(row)))
        first, later = name_of(tree, above), name_of(tree, below)
        return Nothing(f"{later} follows {first} on one line, so no node chooses between them.")
    siblings = Siblings(tree, deciding, one[at - 1])
    is_here = at == len(one) - 1, at == len(two) - 1
    a = chosen if is_here[0] else Named(one[at])
    b = rival if is_here[1] else Named(two[at])
    if tree.is_stub[a.row]:
        a, b = b, a  # the ply that was not searched is the rival
    if tree.is_stub[a.row]:
        return Nothing("Neither ply was searched, so there is nothing to compare.")
    for each in (a, b):
        if (reason := _uncounted(tree, siblings, each.row)) is not None:
            return Nothing(reason)
    row = siblings.counted(a.row)
    assert row is not None
    if siblings.counted(b.row) == row:
        return Nothing(
            f"Both are visits of one ply, {name_of(tree, row)}: together they say what it is worth."
        )
    return _made(siblings, row, b, parted=not all(is_here))


def _made(siblings: Siblings, chosen: int, rival: Named, *, parted: bool) -> Pair:
    counted = siblings.counted(rival.row)
    row = rival.row if counted is None else counted
    visits = siblings.n_visits(chosen), siblings.n_visits(row)
    return Pair(siblings.parent, chosen, row, rival.ply if counted is None else None, parted, visits)


def name_of(tree: Tree, row: int) -> str:
    """The ply of a row, `#5` where it states none, or an empty text."""
    return tree.ply(row) or f"#{int(tree.log.columns['id'][row])}"


def is_roll(tree: Tree, row: int) -> bool:
    """Whether chance moves at `row`, and the log has outcomes of it."""
    return bool(tree.log.columns["layer"][row] == words.CHANCE) and tree.n_children(row) > 0


def is_best_first(tree: Tree) -> bool:
    """Whether the tree is that of a best-first search whose scores are means of visits."""
    has_means = "visits" in tree.log.columns or "mean" in tree.log.columns
    return has_means and tree.log.search.get("order") == "best_first"


def _by_visits(tree: Tree, parent: int, rows: Rows) -> Rows:
    """Plies of a best-first tree as it chooses: by visits, or by mean where the log declares that."""
    columns = tree.log.columns
    sign = -1.0 if columns["layer"][parent] == words.MIN else 1.0

    def values(name: str) -> npt.NDArray[np.float64]:
        column = columns.get(name)
        if column is None:
            return np.full(len(rows), -np.inf)
        return np.where(np.isnan(column[rows]), -np.inf, column[rows])

    visits, mean = values("visits"), values("mean" if "mean" in columns else "score")
    is_known = (visits > -np.inf) | (mean > -np.inf)
    mean[mean > -np.inf] *= sign
    by_mean = tree.log.search.get("choose") == "mean"
    order = np.lexsort((-visits, -mean) if by_mean else (-mean, -visits))
    return rows[order[is_known[order]]]


def _uncounted(tree: Tree, siblings: Siblings, row: int) -> str | None:
    """The reason why no visit of this ply counts; None where one does, and for stubs."""
    columns = tree.log.columns
    purpose = columns.get("purpose")
    if tree.is_stub[row]:
        return None
    if purpose is not None and purpose[row] in (words.NULL, words.PROBE):
        kind = "a null move" if purpose[row] == words.NULL else "a probe"
        return f"{name_of(tree, row)} is {kind} here, which never counts in its parent."
    if siblings.counted(row) is None:
        return f"{name_of(tree, row)} was not finished, so it says nothing that could be compared."
    return None


def _no_ply(tree: Tree, row: int) -> str:
    if tree.n_children(row) == 0:
        return "This log has no ply below its root."
    return "No ply here was finished, so there is nothing to compare."


def _only(tree: Tree, siblings: Siblings, row: int | None) -> str:
    if row is None:
        return "No ply beside it was finished, so there is nothing to compare."
    unfinished = int(np.count_nonzero(~tree.is_stub[tree.children(siblings.parent)])) > siblings.n_visits(row)
    why = "finished with a score" if unfinished or siblings.n_plies > 1 else "searched"
    return (
        f"{name_of(tree, row)} is the only ply that was {why} here, so there is nothing to compare it with."
    )
