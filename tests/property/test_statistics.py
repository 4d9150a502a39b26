"""Every figure of random searches counted a second way: by plain recursion over objects of nodes."""

from __future__ import annotations

import math
from collections import Counter
from functools import cached_property
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from plyscope.visualizer.analysis.nodes.known_claims import Known, known_claims
from plyscope.visualizer.analysis.statistics.figures import Statistics
from plyscope.visualizer.analysis.statistics.order import MOST_NODES, MOST_PLIES
from plyscope.visualizer.analysis.statistics.run import counted_in
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from tests.oracle import INF, Node, nodes_of
from tests.property.examples import examples
from tests.second_engine.sound import sound_search
from tests.zoo.broken import broken_log

SEEDS = st.integers(0, 100_000)
ASIDE = (words.NULL, words.PROBE)


class Slow:
    """The figures of a log by recursion; a column that the log lacks is None everywhere."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.nodes = nodes_of(log)

    def of(self, node: Node, name: str, absent: Any = None) -> Any:
        value = node.fields.get(name, absent)
        return absent if isinstance(value, float) and math.isnan(value) else value

    def size(self, node: Node) -> int:
        return 0 if node.is_stub else 1 + sum(map(self.size, node.children))

    def counted(self, node: Node) -> list[Node]:
        return [child for child in node.visited if self.of(child, "purpose") not in ASIDE]

    def plies(self, node: Node) -> dict[Any, list[Node]]:
        """The visits of each ply, plies in the order of first visits."""
        found: dict[Any, list[Node]] = {}
        last: Any = None
        for child in self.counted(node):
            name = child.ply
            if name < 0:
                is_again = self.of(child, "purpose") == words.RESEARCH and isinstance(last, str)
                name = last if is_again else f"alone {child.row}"
            found.setdefault(name, []).append(child)
            last = name
        return found

    # Levels ----------------------------------------------------------------------------------------------
    def level(self, number: int) -> tuple[int, int, int, int, int]:
        """Nodes, those in quiescence, those with rows below, nodes below them, plies of stubs below them."""
        here = [node for node in self.nodes if node.level == number and not node.is_stub]
        below = [child for node in here for child in node.children]
        return (
            len(here),
            sum(self.of(node, "quiescence") == 1 for node in here),
            sum(bool(node.children) for node in here),
            sum(not child.is_stub for child in below),
            sum(max(0, self.of(child, "count", -1)) for child in below if child.is_stub),
        )

    # Order -----------------------------------------------------------------------------------------------
    def cut_at(self, node: Node) -> int | str | None:
        """The number of the ply that cut, or in words what did; None at a node that was not cut."""
        if node.outcome != words.CUTOFF:
            return None
        by = words.CUT_BY[self.of(node, "cut_by", 0)]
        if by not in ("", "child"):
            return by
        if not self.counted(node):
            return "nobody"
        if any(child.outcome == words.UNLOGGED for child in node.children):
            return "unknown"
        last = self.counted(node)[-1]
        return next(i for i, visits in enumerate(self.plies(node).values()) if last in visits)

    def spent_on(self, node: Node) -> list[Node]:
        """The visits of the plies before the one that cut a node."""
        if not isinstance(at := self.cut_at(node), int) and at != "unknown":
            return []
        last = self.counted(node)[-1]
        return [visit for visits in self.plies(node).values() if last not in visits for visit in visits]

    def wasted(self, node: Node) -> int:
        """Nodes below `node` in plies before one that cut."""
        spent = self.spent_on(node)
        return sum(self.size(child) if child in spent else self.wasted(child) for child in node.visited)

    def best_rank(self, node: Node) -> int | str | None:
        """The rank by pre-score of a node's best ply, or why it has none; None where nobody asks."""
        if node.is_stub or not node.children or node.outcome not in (0, words.SEARCHED):
            return None
        if node.layer not in (words.MAX, words.MIN) or not self.is_exact(node):
            return None
        if node.score in (self.of(node, "stand_pat"), self.of(node, "estimate")):
            return "elsewhere"
        best = None
        unproven = words.UPPER if node.layer == words.MAX else words.LOWER
        for visits in self.plies(node).values():
            finished = [visit for visit in visits if visit.is_finished]
            if not finished:
                continue
            if isinstance(visits[0].ply, int) and visits[0].ply >= 0:
                most = max(map(self.searched, finished))
                finished = [visit for visit in finished if self.searched(visit) == most][-1:]
            good = [visit for visit in finished if self.taken(visit) == node.score]
            if good and (best is None or self.order(good[0], unproven) < self.order(best, unproven)):
                best = good[0]
        if best is None:
            return "elsewhere"
        sign = -1 if node.layer == words.MIN else 1
        others = [visits[-1] for visits in self.plies(node).values()]
        scores = [self.of(other, "pre_score") for other in others]
        for stub in node.children:
            if stub.outcome in (words.PRUNED, words.SKIPPED, words.UNLOGGED):
                scores += self.stub_scores(stub)
        own = self.of(best, "pre_score")
        if own is None or None in scores:
            return "no pre_score"
        return sum(sign * other > sign * own for other in scores)

    def stub_scores(self, stub: Node) -> list[float | None]:
        """The pre-scores of a stub's plies, None for one without."""
        if self.log.stub_plies is None:
            return [None]
        numbers = self.log.stub_plies.of(stub.row)[1].tolist()
        if not numbers or len(numbers) < stub.count:
            return [None]
        return [None if math.isnan(number) else number for number in numbers]

    def order(self, visit: Node, unproven: int) -> tuple[bool, int]:
        """The first of the visits comes first that prove a score."""
        low, high = self.known_of(visit)
        code = words.LOWER if visit.score <= low else words.UPPER if high <= visit.score else 0
        return (code == unproven and not low == high == visit.score), visit.row

    @cached_property
    def known(self) -> Known:
        return known_claims(self.log, 0, self.log.n_rows)

    def known_of(self, node: Node) -> tuple[float, float]:
        return float(self.known.low[node.row]), float(self.known.high[node.row])

    def is_exact(self, node: Node) -> bool:
        return self.known_of(node) == (node.score, node.score)

    def searched(self, node: Node) -> float:
        depth = self.of(node, "depth")
        return float(-(self.of(node, "reduction") or 0) if depth is None else depth)

    def taken(self, node: Node) -> float:
        counted = self.of(node, "counted_as")
        return float(node.score if counted is None else counted)

    # Extremes --------------------------------------------------------------------------------------------
    def spent_before(self, node: Node) -> int:
        """Nodes in the plies of a node before the one that cut it."""
        return sum(map(self.size, self.spent_on(node)))

    def pruned_at(self, node: Node) -> int:
        stubs = [child for child in node.children if child.outcome == words.PRUNED]
        return sum(max(0, self.of(stub, "count", -1)) for stub in stubs)

    def apart(self, node: Node) -> float | None:
        """The distance of pre-score and score, a bound's at least; None where nothing is known."""
        pre_score = self.of(node, "pre_score")
        if not node.is_finished or self.of(node, "purpose") in ASIDE or pre_score is None:
            return None
        if node.outcome == words.TERMINAL or self.is_end(node.score):
            return None
        low, high = self.known_of(node)
        if not (math.isfinite(node.score) and math.isfinite(pre_score)) or low <= pre_score <= high != low:
            return None
        return max(low - pre_score, pre_score - high, 0.0) if math.isfinite(max(low, -high)) else None

    def is_end(self, score: float) -> bool:
        mate = self.log.header.get("search", {}).get("mate")
        return mate is not None and mate["threshold"] <= abs(score) <= mate["score"]

    # Techniques ------------------------------------------------------------------------------------------
    def outermost(self, nodes: list[Node]) -> int:
        """The nodes in the subtrees of some nodes, each once."""
        rows = {row for node in nodes for row in range(node.row, node.end)}
        return sum(not self.nodes[row].is_stub for row in rows)

    def reduction(self, node: Node) -> float:
        is_aside = self.of(node, "purpose") in ASIDE
        return 0 if is_aside or not node.is_finished else self.of(node, "reduction") or 0

    def is_verified(self, node: Node) -> bool:
        later = self.next_visit(node)
        return later is not None and not (self.of(later, "reduction") or 0) >= self.of(node, "reduction")

    def is_better(self, again: Node) -> bool:
        """Whether a re-search beat the edge of its mover's side."""
        layer = 0 if again.parent is None else again.parent.layer
        if layer == words.MAX:
            return again.score > self.of(again, "alpha", INF)
        return layer == words.MIN and again.score < self.of(again, "beta", -INF)

    def pairs(self) -> dict[str, tuple[int, int | None, int]]:
        by = lambda code: [n for n in self.nodes if not n.is_stub and self.of(n, "purpose") == code]  # noqa: E731
        scouts = [node for node in by(words.SCOUT) if node.is_finished]
        again = [node for node in by(words.RESEARCH) if node.is_finished]
        nulls, probes = by(words.NULL), by(words.PROBE)
        reduced = [node for node in self.nodes if self.reduction(node) > 0]
        verified = [node for node in reduced if self.is_verified(node)]
        better = [node for node in again if self.is_better(node)]
        null_cuts = [n for n in nulls if n.parent and words.CUT_BY[self.of(n.parent, "cut_by", 0)] == "null"]
        stood = [node for node in scouts if self.next_visit(node) is None]
        return {
            "scouts": (len(scouts), len(stood), self.outermost(scouts)),
            "re-searches": (len(again), len(better), self.outermost(again)),
            "reductions": (len(reduced), len(reduced) - len(verified), self.outermost(reduced)),
            "null moves": (len(nulls), len(null_cuts), self.outermost(nulls)),
            "probes": (len(probes), None, self.outermost(probes)),
        }

    def next_visit(self, node: Node) -> Node | None:
        """The next visit of the same ply."""
        if node.parent is None:
            return None
        visits = next((v for v in self.plies(node.parent).values() if node in v), [])
        later = [visit for visit in visits if visit.row > node.row]
        return later[0] if later else None


def agree(log: Log, found: Statistics) -> None:
    slow = Slow(log)
    for level in found.levels:
        told = level.nodes, level.quiescence, level.expanded, level.children, level.siblings
        assert told == slow.level(level.level)
    assert found.order is not None
    cuts = Counter(at for node in slow.nodes if (at := slow.cut_at(node)) is not None)
    order = found.order
    assert order.cuts == cuts.total()
    assert order.by_child == sum(n for at, n in cuts.items() if isinstance(at, int) or at == "unknown")
    told = order.by_stand_pat, order.by_null, order.by_estimate, order.by_unknown
    assert told == tuple(cuts[name] for name in ("stand_pat", "null", "estimate", "nobody"))
    by_ply = {at: n for at, n in cuts.items() if isinstance(at, int) and at < MOST_PLIES}
    assert {i: n for i, n in enumerate(order.at_ply) if n} == by_ply
    assert order.cost == sum(slow.wasted(node) for node in slow.nodes if node.parent is None)
    ranks = Counter(rank for node in slow.nodes if (rank := slow.best_rank(node)) is not None)
    by_rank = {rank: n for rank, n in ranks.items() if isinstance(rank, int)}
    assert {i: n for i, n in enumerate(order.best_rank) if n} == by_rank
    assert order.best_asked == ranks.total() - ranks["elsewhere"]
    extremes = found.extremes
    most = lambda amounts: sorted(((n, -row) for row, n in amounts.items() if n), reverse=True)[:MOST_NODES]  # noqa: E731
    spent = most({node.row: slow.spent_before(node) for node in slow.nodes if not node.is_stub})
    assert [(each.spent, -Tree(log).row_of(each.id)) for each in extremes.spent] == spent
    pruned = {node.row: slow.pruned_at(node) for node in slow.nodes}
    assert [(each.pruned, -Tree(log).row_of(each.id)) for each in extremes.pruned] == most(pruned)
    if extremes.pruned:
        assert extremes.most_pruned_at == list(pruned.values()).count(extremes.pruned[0].pruned)
    apart = {node.row: far for node in slow.nodes if (far := slow.apart(node)) is not None}
    assert [(each.apart, -Tree(log).row_of(each.id)) for each in extremes.apart] == most(apart)
    assert extremes.apart_asked == len(apart)
    first_cut = [node.row for node in slow.nodes if slow.cut_at(node) == 0][:MOST_NODES]
    assert [Tree(log).row_of(each) for each in order.at_ply_ids[0]] == first_cut
    first_best = [node.row for node in slow.nodes if slow.best_rank(node) == 0][:MOST_NODES]
    assert [Tree(log).row_of(each) for each in order.best_rank_ids[0]] == first_best
    pairs = slow.pairs()
    for pair in found.counters:
        if pair.name in pairs:
            assert (pair.tried, pair.succeeded, pair.nodes) == pairs[pair.name], pair.name
    searched = [node for node in slow.nodes if not node.is_stub]
    for purpose in found.where.purposes:
        code = words.PURPOSES.index(purpose.purpose)
        of_it = [node for node in searched if slow.of(node, "purpose", 0) == code]
        assert (purpose.visits, purpose.nodes) == (len(of_it), slow.outermost(of_it))
    root = slow.nodes[Tree(log).main_root]
    for ply in found.where.root_plies:
        visits = [child for child in root.visited if child.ply == slow.nodes[Tree(log).row_of(ply.id)].ply]
        if ply.visits == len(visits):
            below = [node for visit in visits for node in slow.nodes[visit.row : visit.end]]
            assert ply.pruned == sum(map(slow.pruned_at, below))
    by_ply = [each.nodes for each in found.where.root_plies]
    assert sum(by_ply) == slow.size(root) - 1
    assert by_ply == sorted(by_ply, reverse=True)
    for tree, at in zip(found.iterations, log.roots, strict=True):
        assert tree.nodes == slow.size(slow.nodes[at.row])


@settings(max_examples=examples(150), deadline=None)
@given(SEEDS)
def test_the_figures_of_a_search_are_those_of_a_recursion(seed: int) -> None:
    log = sound_search(seed).log
    found = counted_in(Tree(log), compiled=False)
    agree(log, found)
    assert counted_in(Tree(log), compiled=False) == found


@settings(max_examples=examples(80), deadline=None)
@given(SEEDS)
def test_so_are_those_of_a_broken_log(seed: int) -> None:
    log = broken_log(seed)
    outcome, rows = log.columns["outcome"], np.arange(log.n_rows)
    outcome[(outcome >= words.FIRST_STUB) & (log.columns["end"] > rows + 1)] = 0  # no reader takes such stubs
    agree(log, counted_in(Tree(log), compiled=False))


@pytest.mark.slow
def test_compiled_and_plain_kernels_count_the_same() -> None:
    for seed in range(40):
        log = sound_search(seed).log
        plain, compiled = (counted_in(Tree(log), compiled=each) for each in (False, True))
        assert plain == compiled, seed
