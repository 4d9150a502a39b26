"""What-if against brute force: completions of what was not searched lie inside, and reach both ends.

A random log is a tree in which some plies were pruned, stopped or refuted by a null move. The oracle folds it
by plain recursion, each such ply having a score of its own; all combinations of a few such scores are tried.
"""

from __future__ import annotations

import itertools
from contextlib import suppress
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from plyscope.engine.games.tictactoe import GAME as TICTACTOE
from plyscope.engine.options import SearchOptions
from plyscope.engine.record.recorded_search import recorded_search
from plyscope.engine.run import search
from plyscope.visualizer.analysis.whatif.reweighing import Reweighing
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree
from tests.property.documents import documents as any_documents
from tests.property.examples import examples
from tests.unit.logs import tree_of

EDGE = 1000
"""The declared range: further than any leaf."""
WEIGHTS = (2.0, -1.0)
MOST_TRIED = 5
"""Unsearched plies whose combinations are all tried; of more only the ends are."""

Document = dict[str, Any]
Completion = dict[int, float]
small = st.integers(-9, 9)


@st.composite
def nodes(draw: st.DrawFn, depth: int, *, twice: bool, is_root: bool = False) -> Document:
    kind = draw(st.sampled_from(["leaf", "leaf", "terminal", "table"])) if depth == 0 else "inner"
    if depth and not is_root and draw(st.integers(0, 3)) < 1:
        kind = draw(st.sampled_from(["leaf", "terminal", "table"]))
    node: Document = {"layer": draw(st.sampled_from(["max", "min"]))}
    if kind == "leaf":
        values = draw(st.tuples(small, small))
        return node | {"outcome": "leaf", "score": evaluation(values) + draw(small), "factors": list(values)}
    if kind == "terminal":
        return node | {"outcome": "terminal", "score": draw(st.sampled_from([-90, 0, 90]))}
    if kind == "table":
        return node | {"outcome": "tt"}
    children = []
    for number in range(draw(st.integers(1, 3))):
        child = draw(nodes(depth - 1, twice=twice)) | {"ply": f"p{number}"}
        if number and draw(st.integers(0, 7)) == 7:
            child = {"ply": f"p{number}", "outcome": "stopped", "layer": "max"}
        elif twice and draw(st.integers(0, 2)) == 2:
            children.append(draw(nodes(depth - 1, twice=False)) | {"ply": f"p{number}", "purpose": "scout"})
            child["purpose"] = "research"
        children.append(child)
    node["outcome"] = "searched"
    if draw(st.integers(0, 4)) == 4:
        values = draw(st.tuples(small, small))
        node |= {"stand_pat": evaluation(values), "factors": list(values)}
    if draw(st.integers(0, 3)) == 3:
        children.append({"outcome": "pruned", "count": draw(st.integers(1, 9))})
        node["outcome"] = "cutoff"
    elif not is_root and draw(st.integers(0, 6)) == 6:
        children = [draw(nodes(depth - 1, twice=False)) | {"ply": None, "purpose": "null"}]
        node |= {"outcome": "cutoff", "cut_by": "null"}
        children[0].pop("ply")
    if draw(st.integers(0, 5)) == 5:
        children.append({"outcome": "limited", "count": 4})
    return node | {"children": children}


@st.composite
def documents(draw: st.DrawFn, *, twice: bool = False) -> Document:
    root = draw(nodes(draw(st.integers(1, 3)), twice=twice, is_root=True))
    root.setdefault("factors", [1, 1])  # an evaluation on the way decides nothing
    number(root)
    link(root, draw)
    return {
        "plyscope": 1,
        "search": {"range": [-EDGE, EDGE], "fail": "soft"},
        "factors": [{"name": name, "weight": w} for name, w in zip("ab", WEIGHTS, strict=True)],
        "root": root,
    }


def evaluation(values: tuple[int, int]) -> float:
    return sum(weight * value for weight, value in zip(WEIGHTS, values, strict=True))


def walk(node: Document) -> list[Document]:
    return [node, *(below for child in node.get("children", ()) for below in walk(child))]


def number(root: Document) -> None:
    for place, node in enumerate(walk(root)):
        node["id"] = place


def end_of(node: Document) -> int:
    return int(walk(node)[-1]["id"]) + 1


def link(root: Document, draw: st.DrawFn) -> None:
    """Give every table row a source among the nodes left before it, where there is one."""
    everything = walk(root)
    for node in everything:
        if node.get("outcome") == "tt":
            before = [
                each["id"]
                for each in everything
                if end_of(each) <= node["id"]
                and each["outcome"] not in STUBS
                and each["outcome"] != "stopped"
            ]
            node["tt"] = {"use": "cut", "score": 0}
            if before:
                node["tt"]["from"] = draw(st.sampled_from(before))


STUBS = ("pruned", "limited", "skipped", "unlogged")


def unknowns(root: Document) -> list[int]:
    """The ids of all that the log leaves open: stubs, stopped nodes, null cuts, entries from elsewhere."""
    found = []
    for node in walk(root):
        is_foreign = node["outcome"] == "tt" and "from" not in node["tt"]
        if node["outcome"] in ("pruned", "stopped") or is_foreign or node.get("cut_by") == "null":
            found.append(int(node["id"]))
    return found


class ContradictionError(Exception):
    """Two visits of one ply disagree under this completion, so it is none."""


def worth(root: Document, weights: tuple[float, float], completion: Completion) -> dict[int, float]:
    """The score of every node, by id: plain minimax, unknown plies scored as the completion has them."""
    found: dict[int, float] = {}
    by_id = {node["id"]: node for node in walk(root)}

    def of(node: Document) -> float:
        if node["id"] not in found:
            found[node["id"]] = fold(node)
        return found[node["id"]]

    def moved(node: Document, score: float) -> float:
        values = node.get("factors", (0, 0))
        return score + sum(
            (now - then) * value for now, then, value in zip(weights, WEIGHTS, values, strict=True)
        )

    def fold(node: Document) -> float:
        if node["outcome"] in ("pruned", "stopped"):
            return completion[node["id"]]
        if node["outcome"] == "leaf":
            return moved(node, node["score"])
        if node["outcome"] == "terminal":
            return float(node["score"])
        if node["outcome"] == "tt":
            source = node["tt"].get("from")
            return completion[node["id"]] if source is None else of(by_id[source])
        plies: dict[str, float] = {}
        for child in node["children"]:
            if child["outcome"] == "limited":
                continue
            name = child.get("ply", f"#{child['id']}")
            score = of(child)
            if name in plies and plies[name] != score:
                raise ContradictionError
            plies[name] = score
        options = list(plies.values())
        if "stand_pat" in node:
            options.append(moved(node, node["stand_pat"]))
        if node.get("cut_by") == "null":
            options.append(completion[node["id"]])
        return max(options) if node["layer"] == "max" else min(options)

    for node in walk(root):
        if node["outcome"] not in STUBS:
            of(node)
    return found


def completions(root: Document, grid: tuple[float, ...]) -> list[Completion]:
    names = unknowns(root)
    if len(names) > MOST_TRIED:
        return [dict.fromkeys(names, float(score)) for score in grid]
    return [dict(zip(names, scores, strict=True)) for scores in itertools.product(grid, repeat=len(names))]


def reweighing(document: Document) -> Reweighing:
    return Reweighing(tree_of(**document))


changes = st.sampled_from([(2.0, -1.0), (0.0, -1.0), (2.0, 3.5), (-7.0, 0.25), (40.0, 11.0)])


@pytest.mark.parametrize("twice", [False, True])
@settings(max_examples=examples(150), deadline=None)
@given(st.data(), changes)
def test_every_completion_without_contradiction_lies_inside_and_both_ends_are_reached(
    twice: bool, data: st.DataObject, weights: tuple[float, float]
) -> None:
    """Where plies are visited twice some combinations contradict, so an end may not be reached."""
    document = data.draw(documents(twice=twice))
    intervals = reweighing(document).at(dict(zip("ab", weights, strict=True))).intervals
    tried = []
    for completion in completions(document["root"], (-EDGE, -10, 0, 3, EDGE)):
        with suppress(ContradictionError):
            tried.append(worth(document["root"], weights, completion))
    for node in walk(document["root"]):
        if not tried or node["outcome"] in (*STUBS, "stopped"):
            continue
        scores = [each[node["id"]] for each in tried]
        low, high = intervals.low[node["id"]], intervals.high[node["id"]]
        assert low <= min(scores)
        assert max(scores) <= high
        assert twice or (low, high) == (min(scores), max(scores))


SMALL_CHANGES = st.integers(-40, 40).map(lambda number: number / 7 + 1e-3)


@settings(max_examples=examples(300), deadline=None)
@given(documents(twice=True), SMALL_CHANGES | st.sampled_from([-50.0, -3.0, -0.5, 0.0, 0.1, 2.0, 700.0]))
def test_against_a_weight_the_bands_the_segments_and_the_ranges_are_what_holds_at_that_weight(
    document: Document, change: float
) -> None:
    log = reweighing(document)
    for factor, (name, weight) in enumerate(zip("ab", WEIGHTS, strict=True)):
        changed = log.at({name: weight + change})
        for row, band in zip(log.rows, log.bands(factor), strict=True):
            assert band.low.at(change) == pytest.approx(changed.intervals.low[row], rel=1e-9, abs=1e-9)
            assert band.high.at(change) == pytest.approx(changed.intervals.high[row], rel=1e-9, abs=1e-9)
        found = log.range_of(factor)
        segments = found.segments
        inside = [each for each in segments if each.begin + 1e-6 < change < each.end - 1e-6]
        assert all(changed.choice == segment.state for segment in inside)
        assert (segments[0].begin, segments[-1].end) == (-np.inf, np.inf)
        assert all(one.end == other.begin for one, other in itertools.pairwise(segments))
        assert found.range.state == log.at({}).choice
        assert (found.range.stands is not None) == (found.range.state == "certain")
        for inner, states in (
            (found.range.stands, ("certain",)),
            (found.range.holds, ("certain", "depends")),
        ):
            if inner is None:
                continue
            assert inner[0] <= 0 <= inner[1]
            for end, sign in zip(inner, (-1, 1), strict=True):
                if np.isfinite(end):  # within it stands, and just beyond it does not
                    beyond = log.at({name: weight + end + sign * 1e-7 * max(1, abs(end))})
                    assert beyond.choice not in states
                    if sign * end > 1e-6:
                        assert log.at({name: weight + end * (1 - 1e-9)}).choice in states


@settings(max_examples=examples(150), deadline=None)
@given(documents(), changes)
def test_it_depends_on_the_plies_that_could_still_change_a_score(
    document: Document, weights: tuple[float, float]
) -> None:
    log = reweighing(document)
    found = log.at(dict(zip("ab", weights, strict=True)))
    root, by_id = document["root"], {node["id"]: node for node in walk(document["root"])}
    low, high = found.intervals
    reached: set[int] = set()
    seen: set[int] = set()

    def follow(node: Document) -> None:
        at = node["id"]
        if at in seen or low[at] == high[at]:
            return
        seen.add(at)
        if node["outcome"] == "tt" and "from" in node["tt"]:
            follow(by_id[node["tt"]["from"]])
        for child in node.get("children", ()):
            if child["outcome"] in ("pruned", "stopped"):
                reached.add(child["id"])
            elif child["outcome"] != "limited":
                is_max = node["layer"] == "max"
                if high[child["id"]] > low[at] if is_max else low[child["id"]] < high[at]:
                    follow(child)

    if found.certain:
        assert found.unsearched == (0, False, 0)
        return
    sign = 1 if root["layer"] == "max" else -1
    counted = [child for child in root["children"] if child["outcome"] not in (*STUBS, "stopped")]
    first = next(by_id[each.row] for each in found.plies if each.place == "first")
    best = max(min(sign * low[child["id"]], sign * high[child["id"]]) for child in counted)
    for child in counted:
        if child is first or max(sign * low[child["id"]], sign * high[child["id"]]) > best:
            follow(child)
    if best < EDGE:
        reached |= {c["id"] for c in root["children"] if c["outcome"] in ("pruned", "stopped")}
    assert found.unsearched.plies == sum(by_id[each].get("count", 1) for each in reached)


@settings(max_examples=examples(60), deadline=None)
@given(any_documents())
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_whatever_a_log_states_every_interval_has_its_ends_in_order(document: Document) -> None:
    root = document["roots"][-1] if "roots" in document else document["root"]
    root["layer"] = "max"
    for field in ("outcome", "tt"):
        root.pop(field, None)
    for ply, value in (("y", -1), ("z", 1)):
        leaf = {"ply": ply, "outcome": "leaf", "score": 2, "factors": [value, 2]}
        root.setdefault("children", []).append(leaf)
    try:
        log = reweighing(document | {"factors": [{"name": "a", "weight": 2}, {"name": "b", "weight": -1}]})
    except ValueError:  # of this log nothing can be asked, or it cannot be read
        return
    for weights in ({}, {"a": 3.0}, {"b": -1e6}):
        found = log.at(weights)
        low, high = found.intervals
        assert not (low > high).any()
        assert sum(ply.place == "first" for ply in found.plies) == 1
    assert {each.range.state for each in log.ranges()} == {log.at({}).choice}


@given(
    position=st.sampled_from(["... ... ... X", "X.. .O. ... X", "XO. ... ..X O"]),
    algorithm=st.sampled_from(["minimax", "alphabeta", "pvs"]),
    weights=st.dictionaries(st.sampled_from(list(TICTACTOE.factors)), st.integers(-5, 9), min_size=1),
)
@settings(max_examples=examples(40), deadline=None)
def test_a_search_with_other_weights_lies_inside(
    position: str, algorithm: Any, weights: dict[str, float]
) -> None:
    """A new search is one of the completions, where all plies are kept and the horizon is fixed."""
    logged = search(TICTACTOE, position, SearchOptions(depth=3, algorithm=algorithm), compiled=False)
    tree = Tree(log_from_recording(logged))
    found = Reweighing(tree).at(weights)
    asked = recorded_search(logged.header, weights)
    again = search(asked.game, asked.position, asked.options, compiled=False)
    low, high = found.intervals
    root = tree.main_root
    assert low[root] - 1e-9 <= again.header["result"]["score"] <= high[root] + 1e-9
    new = Tree(log_from_recording(again))
    columns = new.log.columns
    exact = {
        new.ply(row): float(columns["score"][row])
        for row in new.children(new.main_root)
        if not new.is_stub[row] and columns["bound"][row] == words.EXACT
    }
    for ply in found.plies:
        if ply.ply in exact:
            assert ply.low - 1e-9 <= exact[ply.ply] <= ply.high + 1e-9
