"""The whole comparison of two trees: the changes, in the order of the search, a page at a time.

The new tree gives the order; rows that are only in the old one come where they would have been searched.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from plyscope.visualizer.analysis.diff.alignment import Alignment, align
from plyscope.visualizer.analysis.diff.change_kinds import INSIDE, KINDS, LISTED, SAME, STUB, Told, tell
from plyscope.visualizer.analysis.diff.choice import Choice, choice_of
from plyscope.visualizer.analysis.diff.claims import Claim, Relation, claim_at, delta, relation
from plyscope.visualizer.analysis.diff.compared_trees import Side, Sides, numbered, sides_of
from plyscope.visualizer.analysis.diff.divergence import Divergence, Span, first_divergence
from plyscope.visualizer.analysis.diff.option_changes import Option, options_of
from plyscope.visualizer.analysis.json_answer import HIDDEN
from plyscope.visualizer.analysis.nodes.node import Node
from plyscope.visualizer.analysis.nodes.notebook import Displayed
from plyscope.visualizer.analysis.nodes.ply_path import path_to
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log, main_root
from plyscope.visualizer.store.tree import Tree

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Change(Displayed):
    """A change at one node, or a subtree that only one of the trees has."""

    kind: str
    """`score`, `visits`, `bound`, `outcome`, `stub`, `newly_pruned`, `newly_dropped`, `newly_searched`,
    `only_old` or `only_new`."""
    path: str
    old: Node | None = field(repr=False)
    new: Node | None = field(repr=False)
    old_claim: Claim | None = field(repr=False, metadata=HIDDEN)
    new_claim: Claim | None = field(repr=False, metadata=HIDDEN)
    delta: float | None = None
    """New score minus old, seen by the new log's root player, where both are exact; else None."""
    claims: Relation | None = None
    """`equal`, `overlap`, or `contradict` where no score satisfies both; None where a bound is not stated."""
    nodes: int = 0
    """Nodes of a subtree that only one tree has; 0 for a node that is in both."""
    stub: str | None = None
    """The outcome of the other tree's stub that stands for this ply, such as `pruned`."""


class Comparison:
    """Two trees, compared. Rows are those of the logs; figures are seen by the new log's root player."""

    def __init__(
        self,
        sides: Sides,
        compiled: bool | None = None,
        on_progress: Callable[[float], None] | None = None,
    ) -> None:
        self.sides = sides
        self._numbering = numbered(sides)
        self._alignment: Alignment = align(sides, self._numbering, compiled, on_progress)
        self._told: Told = tell(sides, self._numbering, self._alignment)

    # The whole ---------------------------------------------------------------------------------------
    @cached_property
    def choices(self) -> tuple[Choice | None, Choice | None]:
        """The plies chosen in the old and the new tree."""
        return choice_of(self.sides.old), choice_of(self.sides.new)

    @property
    def choice_changed(self) -> bool | None:
        """True if another ply was chosen; None if one of the logs does not name its choice."""
        old, new = self.choices
        return None if old is None or new is None else old.ply != new.ply

    @cached_property
    def first(self) -> Divergence | None:
        """The first event at which the two trees differ, in the order of the search.

        None where they are the same, and where the rows of a log are not in the order of time.
        """
        return None if self.without_order is not None else self.difference

    @cached_property
    def without_order(self) -> str | None:
        """The reason why no row can be the first that differs; None if the rows are in the order of time."""
        found = (_without_order(side.log) for side in (self.sides.new, self.sides.old))
        return next((why for why in found if why is not None), None)

    @cached_property
    def most_moved(self) -> tuple[int, int] | None:
        """The old and new row below the root whose visits differ most; None where visits are not stated."""
        old, new = self.sides.old, self.sides.new
        visits = [side.column("visits") for side in (old, new)]
        if visits[0] is None or visits[1] is None:
            return None
        at_old = np.flatnonzero(self._alignment.to_new[1:] >= 0) + 1
        at_new = self._alignment.to_new[at_old]
        moved = np.abs(visits[1][at_new].astype(np.float64) - visits[0][at_old].astype(np.float64))
        moved = np.nan_to_num(moved, nan=0.0)
        if not moved.any():
            return None
        best = int(np.argmax(moved))
        return int(at_old[best]) + old.root, int(at_new[best]) + new.root

    @cached_property
    def difference(self) -> Divergence | None:
        """The first difference as the rows stand, which need not be that in time; None for none."""
        old, new = self.sides.old, self.sides.new
        return first_divergence(
            Span(old.log, old.root, old.end, self._numbering.old),
            Span(new.log, new.root, new.end, self._numbering.new),
        )

    @cached_property
    def counts(self) -> dict[str, int]:
        """The numbers of nodes of both trees, of nodes in both, and of changes of each kind."""
        sides = (self.sides.old, self.sides.new)
        old, new = (side.tree.n_nodes(side.root) for side in sides)
        is_node = ~self.sides.new.tree.is_stub[self.sides.new.root : self.sides.new.end]
        in_both = int(np.count_nonzero(is_node & (self._alignment.to_old >= 0)))
        counts = {"old_nodes": old, "new_nodes": new, "in_both": in_both, **self._told.counts}
        counts["same"] = int(np.count_nonzero(is_node & (self._told.new == SAME)))
        return counts

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """Options and weights of the searches that differ, as the headers state them."""
        return options_of(self.sides.old.log, self.sides.new.log)

    @property
    def root_claims(self) -> tuple[Claim | None, Claim | None]:
        """The scores of the two roots."""
        old, new = (claim_at(side.log, side.root) for side in (self.sides.old, self.sides.new))
        return old, new

    # The list ----------------------------------------------------------------------------------------
    @cached_property
    def _listed(self) -> tuple[Rows, Rows]:
        """The old and the new row of each change, counted from the roots, -1 for none."""
        told, to_old = self._told, self._alignment.to_old
        new = np.flatnonzero((told.new != SAME) & (told.new != INSIDE))
        old = np.flatnonzero((told.old != SAME) & (told.old != INSIDE) & (self._alignment.to_new < 0))
        place = np.concatenate([2 * new + 1, 2 * self._alignment.place[old].astype(np.int64)])
        order = np.argsort(place, kind="stable")
        rows_old = np.concatenate([to_old[new].astype(np.int64), old])[order]
        rows_new = np.concatenate([new, np.full(len(old), -1)])[order]
        return rows_old, rows_new

    def chosen(self, kinds: Collection[str]) -> tuple[Rows, Rows]:
        """Old and new row of the changes of some kinds, or of all, from the roots; -1 for none."""
        old, new = self._listed
        if not kinds:
            return old, new
        is_wanted = np.isin(self.codes(old, new), [KINDS.index(kind) for kind in kinds])
        return old[is_wanted], new[is_wanted]

    def codes(self, old: Rows, new: Rows) -> npt.NDArray[np.uint8]:
        """The kind of each change, as its place in `KINDS`."""
        return np.where(new >= 0, self._told.new[new], self._told.old[old])

    def n_changes(self, kinds: Collection[str] = ()) -> int:
        """Return the number of changes, of some kinds or of all; raises LogError for an unknown kind."""
        check_kinds(kinds)
        return len(self.chosen(kinds)[0])

    def changes(self, offset: int, limit: int, kinds: Collection[str] = ()) -> list[Change]:
        """One page of the changes in the order of the search; raises LogError for an unknown kind."""
        check_kinds(kinds)
        page = slice(offset, offset + limit)
        old, new = self.chosen(kinds)
        return self.changes_at(old[page], new[page])

    def changes_at(self, old: Rows, new: Rows) -> list[Change]:
        """The changes of these rows, as `chosen` gives them."""
        return [self._change(one, other) for one, other in zip(old.tolist(), new.tolist(), strict=True)]

    def _change(self, old: int, new: int) -> Change:
        told, sides = self._told, self.sides
        code = int(told.new[new] if new >= 0 else told.old[old])
        row_old = old + sides.old.root if old >= 0 else -1
        row_new = new + sides.new.root if new >= 0 else -1
        side, row = (sides.new, row_new) if new >= 0 else (sides.old, row_old)
        stub = 0
        if code != STUB and old < 0:
            stub = int(told.new_stub[new])
        elif code != STUB and new < 0:
            stub = int(told.old_stub[old])
        claims = (
            claim_at(sides.old.log, row_old) if old >= 0 else None,
            claim_at(sides.new.log, row_new) if new >= 0 else None,
        )
        return Change(
            KINDS[code],
            path_to(side.tree, row),
            sides.old.node(row_old),
            sides.new.node(row_new),
            *claims,
            delta=delta(*claims),
            claims=relation(*claims),
            nodes=side.tree.n_nodes(row) if old < 0 or new < 0 else 0,
            stub=words.OUTCOMES[stub] or None,
        )

    # Nodes that a page shows -------------------------------------------------------------------------
    def beside(self, new: int) -> int | None:
        """The row of the old log beside a row of the new one; None where there is none."""
        at = new - self.sides.new.root
        if not 0 <= at < len(self._alignment.to_old) or (old := int(self._alignment.to_old[at])) < 0:
            return None
        return old + self.sides.old.root

    def beside_old(self, old: int) -> int | None:
        """The row of the new log beside a row of the compared old tree; None where there is none."""
        new = int(self._alignment.to_new[old - self.sides.old.root])
        return None if new < 0 else new + self.sides.new.root

    def place_of_missing(self, old: int) -> int:
        """The new row before which an old row would stand that only the old tree has, its parent not."""
        return int(self._alignment.place[old - self.sides.old.root]) + self.sides.new.root

    def kind_of(self, new: int) -> str | None:
        """Return the kind of change of a row of the new log; None for one outside the compared tree."""
        at = new - self.sides.new.root
        return KINDS[int(self._told.new[at])] if 0 <= at < len(self._told.new) else None

    def kind_of_old(self, old: int) -> str:
        """Return the kind of change of a row of the compared old tree."""
        return KINDS[int(self._told.old[old - self.sides.old.root])]

    @cached_property
    def _changes_before(self) -> Rows:
        """By new row, the number of changes in rows before it; rows of the old tree count at their parent."""
        parent = self.sides.old.log.columns["parent"]
        rows_old, rows_new = self._listed
        above = parent[rows_old[rows_new < 0] + self.sides.old.root] - self.sides.old.root
        at = np.concatenate([rows_new[rows_new >= 0], self._alignment.to_new[above]])
        before = np.zeros(len(self._told.new) + 1, np.int64)
        np.cumsum(np.bincount(at, minlength=len(self._told.new)), out=before[1:])
        return before

    @cached_property
    def _missing(self) -> Rows:
        """The number of rows of the old tree alone that would stand directly below each new row."""
        parent = self.sides.old.log.columns["parent"]
        rows_old, rows_new = self._listed
        above = parent[rows_old[rows_new < 0] + self.sides.old.root] - self.sides.old.root
        return np.bincount(self._alignment.to_new[above], minlength=len(self._told.new))

    def n_below(self, new: int) -> int:
        """Changes below a row of the new tree."""
        at = new - self.sides.new.root
        end = int(self.sides.new.log.columns["end"][new]) - self.sides.new.root
        own = int(self._told.new[at] not in (SAME, INSIDE))
        return int(self._changes_before[end] - self._changes_before[at]) - own

    def n_missing(self, new: int) -> int:
        """Rows that stood directly below this node in the old tree alone."""
        at = new - self.sides.new.root
        return int(self._missing[at]) if 0 <= at < len(self._missing) else 0


def compare(
    old: Tree,
    new: Tree,
    *,
    names: tuple[str, str] = ("old", "new"),
    roots: tuple[int | None, int | None] = (None, None),
    compiled: bool | None = None,
    on_progress: Callable[[float], None] | None = None,
) -> Comparison:
    """Compare two trees: those that answers are about, or those of the rows `roots`.

    Raises LogError where they cannot be compared, and where a row is no root.
    """
    sides = []
    for tree, name, row in zip((old, new), names, roots, strict=True):
        root = main_root(tree.log) if row is None else row
        if all(each.row != root for each in tree.log.roots):
            raise LogError(f"{name}: row {root} is no root of a tree")
        sides.append(Side(tree, name, root))
    return Comparison(sides_of(*sides), compiled, on_progress)


def root_of_iteration(tree: Tree, iteration: int) -> int:
    """The row of the last root of an iteration, earlier ones being windows that failed; raises LogError."""
    rows = [root.row for root in tree.log.roots if root.iteration == iteration]
    if rows:
        return rows[-1]
    known = sorted({root.iteration for root in tree.log.roots if root.iteration is not None})
    told = f"it has {_listing(known)}" if known else "its roots state none"
    raise LogError(f"there is no iteration {iteration} in this log; {told}")


def _listing(numbers: list[int]) -> str:
    shown = ", ".join(map(str, numbers[:20]))
    return shown if len(numbers) <= 20 else f"{shown} and {len(numbers) - 20} more"


def check_kinds(kinds: Iterable[str]) -> None:
    """Raise LogError for a word that is no kind of change."""
    for kind in kinds:
        if kind not in LISTED:
            raise LogError(f"there is no kind of change {kind[:40]!r}; there are {', '.join(LISTED)}")


def _without_order(log: Log) -> str | None:
    """Return the reason why the rows of a log are not in the order of time, or None."""
    threads = log.search.get("threads")
    if log.search.get("order") == "best_first":
        return "a final best-first tree: its rows have no order of time"
    if isinstance(threads, (int, float)) and threads > 1:
        return f"of {threads:g} threads: its rows are not in the order of time"
    return None


def parting_of_runs(old: Tree, new: Tree) -> tuple[Divergence | None, Sides]:
    """The first row at which two whole runs, with all their trees, differ; None for none.

    Raises LogError where they cannot be compared, and where rows are not in the order of time.
    """
    for which, tree in (("old", old), ("new", new)):
        if (why := _without_order(tree.log)) is not None:
            raise LogError(f"the {which} log is {why}")
    sides = sides_of(Side(old, "old", 0, is_whole=True), Side(new, "new", 0, is_whole=True))
    numbering = numbered(sides)
    whole_old = Span(sides.old.log, 0, sides.old.end, numbering.old)
    return first_divergence(whole_old, Span(sides.new.log, 0, sides.new.end, numbering.new)), sides
