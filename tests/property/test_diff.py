"""The comparison of two trees against plain recursion over their documents, and their runs event by event.

Two random logs share a small alphabet of plies, so that much of them meets: visits of one ply several times,
for several purposes, null moves, probes, stubs with and without their plies.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, Final

import hypothesis.strategies as st
import numpy as np
from hypothesis import example, given, settings

from plyscope.visualizer.analysis.diff.alignment import align
from plyscope.visualizer.analysis.diff.answer import beside_json, diff_json
from plyscope.visualizer.analysis.diff.change_kinds import KINDS
from plyscope.visualizer.analysis.diff.change_table import ChangeTable
from plyscope.visualizer.analysis.diff.compared_trees import numbered
from plyscope.visualizer.analysis.diff.comparison import Change, Comparison, compare, parting_of_runs
from plyscope.visualizer.analysis.diff.divergence import ENTERED, LEFT
from plyscope.visualizer.analysis.diff.merged_tree import Merged, is_old, place_of_change
from plyscope.visualizer.analysis.nodes.best_children import ORDERS, children_in_order
from plyscope.visualizer.analysis.nodes.node import Node
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree
from tests.property.examples import examples
from tests.unit.logs import there, tree_of, walked

Document = dict[str, Any]
STUBS = ("pruned", "limited", "skipped", "unlogged")


@st.composite
def nodes(draw: st.DrawFn, depth: int) -> Document:
    node: Document = {"score": draw(st.integers(0, 2)), "depth": depth + draw(st.sampled_from([0, 0, 0, 1]))}
    if draw(st.integers(0, 5)):
        node["bound"] = draw(st.sampled_from(["exact", "exact", "lower", "upper"]))
    if draw(st.booleans()):
        node["alpha"] = draw(st.integers(0, 1))
    if not draw(st.integers(0, 4)):
        node["visits"] = draw(st.integers(0, 2))
    if draw(st.booleans()):
        node["pre_score"] = draw(st.integers(0, 2))
    if draw(st.booleans()):
        node["layer"] = draw(st.sampled_from(["max", "min"]))
    node["outcome"] = draw(st.sampled_from(["searched", "searched", "cutoff", "tt"]))
    if depth == 0:
        return node
    children = []
    for _ in range(draw(st.integers(0, 4))):
        child = draw(nodes(depth - 1))
        if draw(st.integers(0, 7)):
            child["ply"] = draw(st.sampled_from("abc"))
        purpose = draw(st.sampled_from([None, None, "full", "scout", "research", "null", "probe"]))
        if purpose is not None:
            child["purpose"] = purpose
        children.append(child)
    for outcome in draw(st.lists(st.sampled_from(STUBS), max_size=2)):
        stub: Document = {"outcome": outcome, "count": draw(st.integers(1, 3))}
        if draw(st.booleans()):
            stub["plies"] = draw(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True))
            stub["count"] = len(stub["plies"])
        children.insert(draw(st.integers(0, len(children))), stub)
    return node | ({"children": children} if children else {})


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Document, Document]:
    """Two roots: of their own, or one and its copy with a few fields changed.

    Both have the same layer, or one of them none: of opposed roots the old numbers would be turned first.
    """
    old = draw(nodes(3))
    if draw(st.booleans()):
        new = draw(nodes(3))
        if "layer" in old and "layer" in new:
            new["layer"] = old["layer"]
        return old, new
    new = json.loads(json.dumps(old))
    rows = list(in_order(new))
    for row in draw(st.lists(st.sampled_from(rows), max_size=2)):
        field = draw(st.sampled_from(["score", "depth", "alpha", "visits", "count", "outcome", "children"]))
        if field == "children" and row.get("children"):
            row["children"].pop(draw(st.integers(0, len(row["children"]) - 1)))
        elif is_stub(row):
            row["count"] = row.get("count", 0) + 1
            row.pop("plies", None)
        elif field == "outcome":
            row["outcome"] = "leaf"
        elif field in ("score", "depth", "alpha", "visits"):
            row[field] = 7
    return old, new


def in_order(node: Document) -> Iterator[Document]:
    return (each for each, _ in walked(node))


def is_stub(node: Document) -> bool:
    return node.get("outcome") in STUBS


VISITED: Document = {
    "score": 0,
    "visits": 0,
    "children": [{"outcome": "pruned", "count": 1}, {"score": 0, "visits": 0}],
}
UNSTATED_MEANS: Final = (VISITED, VISITED)
"""Two logs with visits and without means, by which nothing can be ordered."""


class Oracle:
    """The two documents compared by plain recursion. A node is known by its place in pre-order."""

    def __init__(self, old: Document, new: Document) -> None:
        self.old_row = {id(node): row for row, node in enumerate(in_order(old))}
        self.new_row = {id(node): row for row, node in enumerate(in_order(new))}
        self.speak = {
            field: all(any(field in node for node in in_order(root)) for root in (old, new))
            for field in ("bound", "outcome", "count", "visits")
        }
        self.changes: list[tuple[str, int, int, str | None]] = []
        self.merged: list[tuple[str, int, int]] = []
        """The merged tree in pre-order: which log has a node, its row, its level."""
        self.n_same = 0
        self.meet(old, new, 0)

    def meet(self, old: Document, new: Document, level: int) -> None:
        self.merged.append(("new", self.new_row[id(new)], level))
        kind = self.kind(old, new)
        if kind != "same":
            self.changes.append((kind, self.old_row[id(old)], self.new_row[id(new)], None))
        elif not is_stub(new):
            self.n_same += 1
        olds, news = old.get("children", []), new.get("children", [])
        partner: dict[int, Document] = {}
        for key in (lambda n: (self.what(n), n.get("purpose")), self.what):
            for child in olds:
                if id(child) in partner:
                    continue
                taken = {id(each) for each in partner.values()}
                for other in news:
                    if id(other) not in taken and key(child) == key(other):
                        partner[id(child)] = other
                        break
        back = {id(other): child for child in olds if (other := partner.get(id(child))) is not None}
        # What is only old stands behind the node before it that has a partner, else before all.
        behind: dict[int | None, list[Document]] = {}
        last: Document | None = None
        for child in olds:
            if id(child) in partner:
                last = partner[id(child)]
            else:
                behind.setdefault(None if last is None else id(last), []).append(child)
        below = level + 1
        self.alone(behind.get(None, ()), old, new, "old", below)
        for other in news:
            if id(other) in back:
                self.meet(back[id(other)], other, below)
            else:
                self.alone([other], new, old, "new", below)
            self.alone(behind.get(id(other), ()), old, new, "old", below)

    def what(self, node: Document) -> Any:
        if is_stub(node):
            return "stub", node["outcome"]
        if node.get("purpose") == "null":
            return "null"
        return node.get("purpose") == "probe", node.get("ply")

    def kind(self, old: Document, new: Document) -> str:
        if is_stub(new):
            return "same" if old["count"] == new["count"] else "stub"
        for field in ("outcome", "bound", "visits", "score"):
            if self.speak.get(field, True) and old.get(field) != new.get(field):
                return field
        return "same"

    def alone(self, nodes: Any, parent: Document, other: Document, which: str, level: int) -> None:
        rows_of = self.old_row if which == "old" else self.new_row
        for node in nodes:
            row = rows_of[id(node)]
            self.merged += [(which, rows_of[id(each)], level + down) for each, down in walked(node)]
            rows = (row, -1) if which == "old" else (-1, row)
            if is_stub(node):
                self.changes.append(("stub", *rows, None))
                continue
            stub = self.stub_for(node, parent, other)
            kind = f"only_{which}"
            if stub in ("pruned", "limited", "skipped"):
                old_kind = "newly_pruned" if stub == "pruned" else "newly_dropped"
                kind = "newly_searched" if which == "new" else old_kind
            self.changes.append((kind, *rows, stub))

    def stub_for(self, node: Document, parent: Document, other: Document) -> str | None:
        if not self.may_be_in_stub(node, other):
            return None
        stubs = [each for each in other.get("children", ()) if is_stub(each)]
        if (named := self.named(node, stubs)) is not None:
            return named
        silent = [each for each in stubs if "plies" not in each]
        if len({each["outcome"] for each in silent}) != 1:
            return None
        alike = [
            each
            for each in self.without_partner(parent, other)
            if self.may_be_in_stub(each, other) and self.named(each, stubs) is None
        ]
        return silent[0]["outcome"] if len(alike) <= sum(each["count"] for each in silent) else None

    def may_be_in_stub(self, node: Document, other: Document) -> bool:
        if is_stub(node) or node.get("purpose") in ("null", "probe"):
            return False
        return all(self.what(each) != self.what(node) for each in other.get("children", ()))

    def without_partner(self, parent: Document, other: Document) -> list[Document]:
        """Plies that have no like at all need no partners to be told."""
        return [each for each in parent.get("children", ()) if self.may_be_in_stub(each, other)]

    def named(self, node: Document, stubs: list[Document]) -> str | None:
        if "ply" not in node:
            return None
        return next((each["outcome"] for each in stubs if node["ply"] in each.get("plies", ())), None)


@settings(max_examples=examples(150), deadline=None)
@given(
    pairs(),
    st.integers(0, 5),
    st.integers(1, 4),
    st.sampled_from(["change", "before", "now", "difference", "nodes"]),
    st.booleans(),
)
@example(UNSTATED_MEANS, 0, 1, "change", False)
def test_a_comparison_is_that_of_plain_recursion_in_every_view(
    pair: tuple[Document, Document], offset: int, limit: int, column: str, turned: bool
) -> None:
    """All views are held for each pair, since a pair takes longer to draw than a view to compare."""
    old, new = (tree_of(root) for root in pair)
    found, oracle = compare(old, new), Oracle(*pair)
    hold_changes(found, oracle, pair)
    hold_pages(found, offset, limit)
    hold_marks(found, old, new)
    hold_merged(found, oracle)
    hold_order(found, column, turned)
    hold_parting(found, pair)
    assert parting_of_runs(old, new)[0] == found.first


def row_of(node: Node | None) -> int:
    """The row of a node; -1 for none."""
    return -1 if node is None else node.row


def hold_changes(found: Comparison, oracle: Oracle, pair: tuple[Document, Document]) -> None:
    """The changes are those of plain recursion, and so is every count."""
    listed = [(each.kind, row_of(each.old), row_of(each.new), each.stub) for each in found.changes(0, 10_000)]
    assert listed == oracle.changes
    by_kind = {kind: sum(each[0] == kind for each in listed) for kind in KINDS[1:-1]}
    assert {kind: found.counts[kind] for kind in by_kind} == by_kind
    assert found.counts["same"] == oracle.n_same
    n_old, n_new = (sum(not is_stub(node) for node in in_order(root)) for root in pair)
    assert (found.counts["old_nodes"], found.counts["new_nodes"]) == (n_old, n_new)
    alone = {"old": 0, "new": 0}
    for each in found.changes(0, 10_000):
        if each.nodes:
            alone["old" if each.new is None else "new"] += each.nodes
    assert found.counts["in_both"] == n_old - alone["old"] == n_new - alone["new"]


def hold_pages(found: Comparison, offset: int, limit: int) -> None:
    """Pages and kinds are parts of the list."""
    listed = found.changes(0, 10_000)
    assert found.changes(offset, limit) == listed[offset : offset + limit]
    answer = diff_json(found, offset, limit)
    assert (len(answer["nodes"]), answer["total"]) == (len(listed[offset : offset + limit]), len(listed))
    for kind in KINDS[1:-1]:
        of_kind = [each for each in listed if each.kind == kind]
        assert found.changes(0, 10_000, [kind]) == of_kind
        assert found.n_changes([kind]) == len(of_kind)


def hold_marks(found: Comparison, old: Tree, new: Tree) -> None:
    """Marks count the changes below."""
    merged = Merged(found)
    changes = found.changes(0, 10_000)

    def above(gone: Change) -> int:
        """The new row of the parent of what is only old."""
        return int(found._alignment.to_new[int(old.log.columns["parent"][row_of(gone.old)])])

    for row in range(new.log.n_rows):
        mark = there(beside_json(merged, row))
        end = int(new.log.columns["end"][row])
        below = 0
        for each in changes:
            if each.new is not None:
                below += row < each.new.row < end
            else:
                below += row <= above(each) < end
        assert mark["below"] == below
        assert mark.get("missing", 0) == sum(each.new is None and above(each) == row for each in changes)


def pre_score_of(merged: Merged, place: int) -> float | None:
    """The pre-score as the side of the layer above sees it, in the log that has the node."""
    log = merged.side(place).log
    row, known = merged.row(place), "pre_score" in log.columns
    number = float(log.columns["pre_score"][row]) if known else math.nan
    turned = log.columns["layer"][log.columns["parent"][row]] == words.MIN
    return None if math.isnan(number) else -number if turned else number


def hold_merged(found: Comparison, oracle: Oracle) -> None:
    """The merged tree has each node of either once."""
    merged = Merged(found)
    walked = []
    stack = [(0, 0)]
    while stack:
        place, level = stack.pop()
        walked.append(("old" if is_old(place) else "new", merged.row(place), level))
        below = merged.children(place).tolist()
        assert len(below) == merged.n_children(place)
        assert merged.place_of(merged.id_of(place)) == place
        assert len(merged.path(place)) == level + 1
        for index, child in enumerate(below):
            assert merged.parent(child) == place
            assert merged.index_among_siblings(child) == index
        tree = merged.side(place).tree
        for order in ORDERS:
            ranked, n_ranked = merged.children_in_order(place, order)
            assert sorted(ranked.tolist()) == sorted(below)
            if not is_old(place) and not merged.compared.n_missing(place):
                own, n_own = children_in_order(tree, merged.row(place), order)
                assert (ranked.tolist(), n_ranked) == (own.tolist(), n_own)
        pre_scores = {child: pre_score_of(merged, child) for child in below}
        known = [child for child in below if pre_scores[child] is not None]
        known.sort(key=lambda child: -(pre_scores[child] or 0))
        ranked, n_ranked = merged.children_in_order(place, "pre_score")
        assert ranked.tolist() == known + [child for child in below if pre_scores[child] is None]
        assert n_ranked == len(known)
        stack.extend((child, level + 1) for child in below[::-1])
    assert walked == oracle.merged


def hold_order(found: Comparison, column: str, turned: bool) -> None:
    """The table sorts as Python does."""
    changes = found.changes(0, 10_000)

    def key(change: Change) -> float | None:
        match column:
            case "change":
                return KINDS.index(change.kind)
            case "before" | "now":
                claim = change.old_claim if column == "before" else change.new_claim
                return None if claim is None else claim.score
            case "difference":
                return change.delta
        return change.nodes or None

    sign = -1 if turned else 1  # of equal ones the first in time stays the first
    with_key = [each for each in changes if key(each) is not None]
    known = sorted(with_key, key=lambda each: sign * (key(each) or 0))
    unknown = [each for each in changes if key(each) is None]
    table = ChangeTable(found, (), column, turned)
    assert table.page(0, 10_000) == known + unknown
    merged = Merged(found)
    for at, change in enumerate(known + unknown):
        assert table.at(merged, place_of_change(change)) == (at, True)


@settings(max_examples=examples(60), deadline=None)
@given(pairs())
def test_compiled_and_plain_align_alike(pair: tuple[Document, Document]) -> None:
    found = compare(*map(tree_of, pair))
    numbering = numbered(found.sides)
    plain, compiled = (align(found.sides, numbering, way) for way in (False, True))
    for name in ("to_new", "to_old", "place", "known_old", "known_new"):
        assert np.array_equal(getattr(plain, name), getattr(compiled, name)), name


def events(root: Document, level: int, rows: Iterator[int]) -> Iterator[tuple[str, int, Document, int]]:
    """The events of a search in the order of time: a row is entered, then left."""
    row = next(rows)
    yield "entered", row, root, level
    for child in root.get("children", ()):
        yield from events(child, level + 1, rows)
    yield "left", row, root, level


def hold_parting(found: Comparison, pair: tuple[Document, Document]) -> None:
    """The runs part at the first event that differs."""
    part = found.first
    counters: list[Any] = [iter(range(10_000)), iter(range(10_000))]
    runs = [list(events(root, 0, rows)) for root, rows in zip(pair, counters, strict=True)]
    spoken = {
        field: all(any(field in node for node in in_order(root)) for root in pair)
        for field in (*ENTERED, *LEFT)
    }
    for one, other in zip(*runs, strict=False):
        same_step = one[0] == other[0] and one[1] == other[1] and one[3] == other[3]
        if same_step and one[0] == "entered":
            same_step = what(one[2]) == what(other[2])
        if not same_step:
            assert part is not None
            entered = min(each[1] for each in (one, other) if each[0] == "entered")
            if part.when == "left":  # one run left the node below which the other went on
                left = next(each for each in (one, other) if each[0] == "left")
                assert part.old == part.new == part.number - 1 == left[1] or one[0] != other[0]
                assert part.differences[0].field == "outcome"
            else:
                assert part.number == entered + 1
            return
        fields = ENTERED if one[0] == "entered" else LEFT
        unlike = [field for field in fields if spoken[field] and one[2].get(field) != other[2].get(field)]
        if unlike:
            assert part is not None
            assert (part.when, part.old, part.new, part.number) == (one[0], one[1], other[1], one[1] + 1)
            assert [each.field for each in part.differences] == unlike
            values = [(one[2].get(field), other[2].get(field)) for field in unlike]
            assert [(each.old, each.new) for each in part.differences] == values
            return
    assert part is None


def what(node: Document) -> Any:
    """What is entered: a stub, or a ply that may stand aside."""
    if is_stub(node):
        return node["outcome"]
    aside = node.get("purpose") if node.get("purpose") in ("null", "probe") else None
    return aside, node.get("ply")
