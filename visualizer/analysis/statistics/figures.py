"""The figures of a search, as values: what each is, in which unit, and what is unknown of it.

A score is seen from the root player. A share is of 0 to 1. What the log lacks is None, never 0.

This is the one list of them: Python, JSON, the types of the page and `docs/api.md` are made of it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from plyscope.engine.quoting import counted, visible
from plyscope.visualizer.analysis.json_answer import HIDDEN, LONG, Id, as_json, figure
from plyscope.visualizer.analysis.statistics.iterations import Iteration, NodeIteration, node_iterations
from plyscope.visualizer.analysis.statistics.totals import LevelCounts, Totals
from plyscope.visualizer.analysis.statistics.visited import Visited

if TYPE_CHECKING:
    from plyscope.visualizer.analysis.nodes.node import Node

Verdict = Literal["kept", "changed", "unknown"]


@dataclass(frozen=True)
class Lack:
    """A figure that is not given, or not of all nodes, and why; `figure` is a name such as `order.best`."""

    figure: str
    says: str


def have(count: int) -> str:
    """The verb of a lack, of so many nodes."""
    return "has" if count == 1 else "have"


@dataclass(frozen=True)
class Level(LevelCounts):
    """The nodes at one distance from the root, over all trees of the log."""

    quiescence: int
    """Nodes in the quiescence search."""
    expanded: int
    """Nodes with at least one row below them."""
    children: int
    """Nodes one level below: visits, so a re-search counts again."""
    siblings: int
    """Plies that stubs one level below stand for, by their counts."""
    uncounted_siblings: int
    """Stubs one level below without a count; `siblings` leaves their plies out."""
    visits: float | None
    """In a best-first tree the sum of the nodes' visits; None where none is stated."""

    @property
    @figure
    def branching(self) -> float | None:
        """Children a node that was expanded."""
        return self.children / self.expanded if self.expanded else None

    @property
    @figure
    def branching_with_stubs(self) -> float | None:
        """Children, and plies that stubs stand for, a node that was expanded; None beside uncounted ones."""
        if self.uncounted_siblings:
            return None
        return (self.children + self.siblings) / self.expanded if self.expanded else None

    @property
    @figure
    def effective_branching(self) -> float | None:
        """Nodes one level below, a node of this level; leaves and cut nodes divide as well."""
        return self.children / self.nodes if self.nodes and self.children else None


@dataclass(frozen=True)
class _At:
    id: Id
    path: str
    level: int
    iteration: int | None
    """Of the tree that it stands in; None where that is the main tree, or the log numbers none."""


@dataclass(frozen=True)
class PrunedAt(_At):
    """A node at which alpha-beta pruned plies."""

    pruned: int
    """Plies, by the counts of its stubs; those without a count are left out."""


@dataclass(frozen=True)
class ApartAt(_At):
    """A node whose pre-score and score differ."""

    pre_score: float
    score: float
    bound: str
    """Of the score; of a bound, `apart` is what they differ by at least."""
    apart: float


@dataclass(frozen=True)
class SpentAt(_At):
    """A node that was cut off by a child, and what was spent there before."""

    spent: int
    """Nodes in its plies before the one that cut."""
    cut_at: int | None
    """The number of the ply that cut, from 1; None where plies have no row."""


@dataclass(frozen=True)
class Extremes:
    """The nodes at which the most happened, those with the most first; equal ones as they were searched."""

    pruned: tuple[PrunedAt, ...]
    apart: tuple[ApartAt, ...]
    spent: tuple[SpentAt, ...]
    most_pruned_at: int
    """Nodes at which as many plies were pruned as at the first of `pruned`."""
    apart_asked: int
    """Nodes whose difference is known, or known to be at least so much."""
    ended: int
    """Nodes left out of `apart`, whose score stands for a won or lost game."""


@dataclass(frozen=True)
class Order:
    """The quality of move ordering: at which ply cuts came, what came before, where the best ply stood."""

    cuts: int
    """Nodes that were cut off."""
    by_child: int
    by_stand_pat: int
    by_null: int
    by_estimate: int
    by_unknown: int
    """Cuts that do not say what cut, and below which no ply stands that could have."""
    at_ply: tuple[int, ...]
    """Cuts by a child at the first counted ply, the second, … as far as they are listed."""
    at_later_ply: int
    at_unknown_ply: int
    """Cuts by a child below which plies have no row (`unlogged`)."""
    cost: int
    """Nodes spent in plies before the one that cut, each node once however such plies lie in one another."""
    best_rank: tuple[int, ...]
    """Searched nodes with an exact score whose best ply had 0, 1, … plies of strictly better pre_score."""
    best_rank_later: int
    best_asked: int
    """Searched nodes with an exact score and a best ply."""
    at_ply_ids: tuple[tuple[Id, ...], ...]
    """For each entry of `at_ply`, and then the later ones, the ids of the first such nodes."""
    best_rank_ids: tuple[tuple[Id, ...], ...]
    """The same of `best_rank`."""

    @property
    @figure
    def first_share(self) -> float | None:
        """Share of the cuts by a child, whose ply is known, that came at the first ply."""
        known = self.by_child - self.at_unknown_ply
        return self.at_ply[0] / known if known else None


@dataclass(frozen=True)
class Limit:
    """A smaller branching limit: would the root have chosen the same, and how many nodes would go."""

    limit: int
    decision: Verdict
    saved: int
    """Nodes below plies that this limit surely drops, in the tree of the main root."""
    saved_at_most: int
    """The same with plies of which it cannot be told whether they would be dropped."""


@dataclass(frozen=True)
class Limits:
    """The smaller limits of the main root's tree."""

    today: int | None
    """The limit of the search; None where it declares none."""
    ply: str | None
    """The choice that would be kept or changed."""
    each: tuple[Limit, ...]
    left_out: int
    """Smaller limits that were not tried, since there are too many of them."""
    rests_on: tuple[str, ...]
    """Techniques of this search that are taken to do with a smaller limit what they did here."""


@dataclass(frozen=True)
class Pair:
    """The tries and successes of a technique; `nodes` were spent in what was tried."""

    name: str
    tried: int
    succeeded: int | None
    nodes: int | None
    tried_is: str
    """What counts as a try, in words."""
    succeeded_is: str


@dataclass(frozen=True)
class Table:
    """Nodes at which an entry of the transposition table was found, by what it did."""

    found: int
    cut: int
    narrow: int
    order: int


@dataclass(frozen=True)
class Purpose:
    """Visits of one purpose, and the nodes in their subtrees, each once; '' where unstated."""

    purpose: str
    visits: int
    nodes: int
    """Nodes of that very purpose or below such a visit."""
    seconds: float | None
    """Time below the outermost of these visits, of those that state it; None where none does."""


@dataclass(frozen=True)
class RootPly:
    """The effort below one ply of the main root, all its visits together."""

    ply: str | None
    id: Id
    """The id of its last visit."""
    visits: int
    nodes: int
    share: float
    """Of all nodes below the main root."""
    pruned: int
    """Plies that alpha-beta pruned below it, by the counts of stubs."""
    seconds: float | None
    playouts: float | None
    """In a best-first tree, the visits that the ply states."""


@dataclass(frozen=True)
class Where:
    """The nodes and the time of a search, by ply of the root and by purpose."""

    nodes: int
    quiescence: int
    """Nodes in the quiescence search."""
    purposes: tuple[Purpose, ...]
    root_plies: tuple[RootPly, ...] = field(metadata=LONG)
    """Of the main root, the most nodes first."""


@dataclass(frozen=True)
class RankBar:
    """The ply of one rank: how likely it is played, and what it would cost, between two bounds."""

    rank: int
    probability: float
    ply: str | None
    """The ply that surely has this rank; None where bounds leave it open, or several are equal."""
    cost_low: float | None
    """Score given up against the best ply at least; None where nothing is known."""
    cost_high: float | None
    """At most; None where there is no bound."""
    score_low: float | None
    """The score of the ply of this rank, to the log's root player, is at least this; None without a bound."""
    score_high: float | None
    """At most."""
    id: Id | None
    """The node of `ply`."""

    @property
    @figure
    def exact(self) -> bool:
        """Whether the cost is known."""
        return self.cost_low is not None and self.cost_low == self.cost_high


@dataclass(frozen=True)
class Quotient:
    """The ranks that the randomness quotient may play at the main root."""

    quotient: int
    rank: int | None
    """The rank that was drawn."""
    n_plies: int
    bars: tuple[RankBar, ...]
    rest: float
    """Probability of the ranks that are not listed."""

    @property
    @figure
    def loss_low(self) -> float:
        """The expected loss against the best ply, at least: each rank's probability times its cost."""
        return math.fsum(bar.probability * (bar.cost_low or 0.0) for bar in self.bars)

    @property
    @figure
    def loss_high(self) -> float | None:
        """The expected loss at most; None where a cost that counts has no bound."""
        costs = [(bar.probability, bar.cost_high) for bar in self.bars]
        if self.rest > 0 or any(cost is None for _, cost in costs):
            return None
        return math.fsum(probability * (cost or 0.0) for probability, cost in costs)


@dataclass(frozen=True)
class Statistics(Totals):
    """The figures of one log. `str()` is what `plyscope stats` prints, `as_json()` what `--json` gives.

    What the log cannot tell is None, and `missing` says which field it lacks.
    """

    levels: tuple[Level, ...] = field(repr=False, metadata=LONG)
    """Nodes, leaves, cuts and branching at each distance from the root."""
    best_first: bool
    """Whether it is a best-first search, which has no windows and cuts."""
    extremes: Extremes
    """The nodes at which the most happened: plies pruned, scores far from pre-scores, effort lost."""
    order: Order | None
    """At which ply cuts came, what the plies before cost, where the best ply stood by pre-score."""
    limits: Limits | None
    """Smaller branching limits: whether each would have kept the choice, changed it or leaves it open."""
    counters: tuple[Pair, ...]
    """The techniques of the search: how often each was tried, and how often it succeeded."""
    table: Table | None
    """Nodes with an entry of the transposition table, by its use; None where the log states no `tt`."""
    where: Where
    """The distribution of nodes and time: by ply of the root, by purpose, in quiescence."""
    iterations: tuple[Iteration, ...] = field(metadata=LONG)
    """Every tree of the log: depth, nodes, score, best ply, growth."""
    quotient: Quotient | None
    """The ranks that the randomness quotient may play; None for a log without one."""
    visited: Visited | None
    """Of a best-first tree: visits by level, how concentrated they are, and which ply led when."""
    missing: tuple[Lack, ...]
    """Figures that are not given, or not of all nodes, each with the field that the log lacks."""
    name: str = field(default="", metadata=HIDDEN)
    """Of the log, or of its file."""

    @staticmethod
    def through_iterations(node: Node) -> tuple[NodeIteration, ...]:
        """The score of one node in every tree of its log, found by its path of plies."""
        return node_iterations(node._tree, node.row)

    def as_json(self, most: int | None = None) -> dict[str, Any]:
        """The answer of `plyscope stats --json`, its lists cut after `most` entries."""
        found: dict[str, Any] = as_json(self, most)
        return found

    def __repr__(self) -> str:
        nodes, trees = counted(self.nodes, "node"), counted(len(self.iterations), "tree")
        return f"<Statistics of {visible(self.name)}: {nodes} in {trees}>"

    def __str__(self) -> str:
        from plyscope.visualizer.analysis.statistics.text import lines

        return "\n".join(lines(self)).lstrip("\n")
