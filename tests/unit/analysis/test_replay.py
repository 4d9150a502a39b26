"""Replay against a search that is walked by recursion: events, stacks, the best so far, where it stops."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyscope
from plyscope.log import tree_of
from plyscope.visualizer.analysis.replay import (
    ReplayError,
    entered,
    event,
    left,
    moment,
    n_events,
    next_stop,
    rail_of,
    rail_of_rows,
    stops_of,
    unvisited,
)
from plyscope.visualizer.store.tree import Tree

SCORES = st.one_of(st.none(), st.integers(-3, 3))


def nodes(layer: str, depth: int) -> st.SearchStrategy[dict[str, Any]]:
    """Random trees in which plies come twice, scores miss, visits stand aside and siblings are pruned."""
    fields: dict[str, Any] = {
        "ply": st.sampled_from("abc"),
        "score": SCORES,
        "counted_as": st.one_of(st.none(), st.none(), st.integers(-3, 3)),
        "stand_pat": st.one_of(st.none(), st.none(), st.integers(-3, 3)),
        "purpose": st.sampled_from([None, None, "scout", "research", "null", "probe"]),
        "outcome": st.sampled_from(["searched", "cutoff", "stopped"]),
        "alpha": st.sampled_from([None, "-inf", -2, 0]),
        "beta": st.sampled_from([None, "inf", 1, 2]),
    }
    fields["layer"] = st.just(layer)
    if depth:
        below = nodes("min" if layer == "max" else "max", depth - 1)
        fields["children"] = st.lists(
            st.one_of(below, below, st.just({"outcome": "pruned", "count": 2})), max_size=4
        )
    return st.fixed_dictionaries(fields).map(
        lambda node: {
            key: value for key, value in node.items() if value is not None or key in ("alpha", "beta")
        }
    )


def log_of(root: dict[str, Any], **header: Any) -> plyscope.Log:
    return plyscope.open(json.dumps({"plyscope": 1, **header, "root": root}))


def walked(tree: Tree, row: int = 0) -> list[tuple[int, bool]]:
    """Enter `row`, walk its children, leave it."""
    below = [event for child in tree.children(row).tolist() for event in walked(tree, child)]
    return [(row, True), *below, (row, False)]


def taken(node: plyscope.Node) -> float:
    found = node.counted_as if node.counted_as is not None else node.score
    return math.nan if found is None else found


def is_counted(node: plyscope.Node) -> bool:
    """Whether a visit may count in its parent, once it is left."""
    aside = node.purpose in ("null", "probe") or node.outcome in ("stopped", "pruned")
    return not aside and not math.isnan(taken(node))


def is_again(visit: plyscope.Node, later: plyscope.Node | None) -> bool:
    """Whether the next sibling of `visit` searches its ply again."""
    if later is None or later.ply is None or later.ply != visit.ply:
        return False
    return later.purpose not in ("null", "probe") and later.outcome != "stopped"


def best_of(node: plyscope.Node, gone: list[plyscope.Node], under_way: bool) -> float:
    """The best score that a search would have after the visits in `gone`; NaN for none."""
    best = [stand_pat] if (stand_pat := node.stand_pat) is not None else []
    siblings = list(node.children)
    for i, visit in enumerate(gone):
        later = siblings[i + 1] if i + 1 < len(siblings) else None
        has_begun = i + 1 < len(gone) or under_way
        if has_begun and is_again(visit, later):
            continue
        if is_counted(visit):
            best.append(taken(visit))
    if not best:
        return math.nan
    return max(best) if node.layer == "max" else min(best)


@given(nodes("max", 3))
def test_events_are_those_of_a_walk_and_the_stack_has_what_a_search_would_know(root: dict[str, Any]) -> None:
    log = log_of(root)
    tree = tree_of(log)
    events = walked(tree)
    assert n_events(tree) == len(events)
    gone: set[int] = set()
    for at, (row, enters) in enumerate(events):
        assert event(tree, at) == (at, row, enters)
        assert (entered(tree, row) if enters else left(tree, row)) == at
        if not enters:
            gone.add(row)
        now = moment(tree, at)
        assert [each.row for each in now.stack] == tree.path(row)
        for place, each in enumerate(now.stack):
            node = log.node(each.row)
            done = [child for child in node.children if child.id in gone]
            assert each.n_left == len(done)
            under_way = place + 1 < len(now.stack) and now.stack[place + 1].row not in gone
            expected = best_of(node, done, under_way)
            assert each.best == expected or (math.isnan(each.best) and math.isnan(expected))
            if each.best_row is not None:
                assert taken(log.node(each.best_row)) == each.best
            low, high = (math.nan if edge is None else edge for edge in (node.alpha, node.beta))
            if expected == expected and node.layer == "max":
                low = low if math.isnan(low) else max(low, expected)
            elif expected == expected:
                high = high if math.isnan(high) else min(high, expected)
            assert np.array_equal([each.alpha, each.beta], [low, high], equal_nan=True)
        assert unvisited(tree, tree.children(0), at).tolist() == [
            entered(tree, child) > at for child in tree.children(0).tolist()
        ]


@given(nodes("max", 3))
def test_a_run_stops_at_every_cut_and_at_every_better_ply(root: dict[str, Any]) -> None:
    log = log_of(root)
    tree = tree_of(log)
    cuts = [left(tree, node.id) for node in log if node.outcome == "cutoff"]
    assert stops_of(tree, "cut").tolist() == sorted(cuts)
    raised = []
    for node in log:
        visits = list(node.children)
        sign = 1.0 if node.layer == "max" else -1.0
        best = -math.inf
        for i, visit in enumerate(visits):
            later = visits[i + 1] if i + 1 < len(visits) else None
            if not is_again(visit, later) and is_counted(visit) and sign * taken(visit) > best:
                best = sign * taken(visit)
                raised.append(left(tree, visit.id))
    assert stops_of(tree, "best").tolist() == sorted(raised)


def test_the_next_stop_is_strictly_later_and_the_last_strictly_earlier() -> None:
    log = log_of({"layer": "max", "children": [{"ply": "a", "score": 1}, {"ply": "b", "score": 2}]})
    stops = stops_of(tree_of(log), "best")
    assert stops.tolist() == [2, 4]
    assert [next_stop(stops, at) for at in range(6)] == [2, 2, 4, 4, None, None]
    assert [next_stop(stops, at, backwards=True) for at in range(6)] == [None, None, None, 2, 2, 4]


@pytest.mark.parametrize(
    ("search", "words"),
    [({"order": "best_first"}, "the final tree"), ({"threads": 4}, "not in the order of time")],
)
def test_rows_in_no_order_of_time_and_an_event_beyond_the_last_are_refused(
    search: dict[str, Any], words: str
) -> None:
    tree = tree_of(log_of({"children": [{"ply": "a"}]}, search=search))
    with pytest.raises(ReplayError, match=words):
        moment(tree, 0)
    with pytest.raises(ReplayError, match=words):
        stops_of(tree, "cut")
    with pytest.raises(ReplayError, match="none of the 2"):
        event(tree_of(log_of({"layer": "max"})), 2)


@pytest.mark.parametrize("score", ["inf", "-inf"])
def test_an_infinite_best_is_a_word_in_json_and_no_unknown_one(score: str) -> None:
    log = log_of({"layer": "max", "children": [{"ply": "a", "score": score}]})
    assert [frame["best"] for frame in plyscope.replay(log)[3].as_json()["stack"]] == [score]


@given(st.integers(1, 60), st.integers(1, 90), st.data())
def test_a_rail_counts_each_event_in_its_pixel(n_all: int, width: int, data: st.DataObject) -> None:
    events = sorted(data.draw(st.sets(st.integers(0, n_all - 1))))
    pixels: dict[int, list[int]] = {}
    for at in events:
        pixels.setdefault(at * width // n_all, []).append(at)
    assert rail_of(np.array(events, np.int64), n_all, width) == [
        (x, len(inside), inside[0]) for x, inside in sorted(pixels.items())
    ]


@given(nodes("max", 3), st.integers(1, 40), st.data())
def test_rows_stand_on_the_rail_where_the_search_enters_them(
    root: dict[str, Any], width: int, data: st.DataObject
) -> None:
    tree = tree_of(log_of(root))
    walk = walked(tree)
    rows = sorted(data.draw(st.sets(st.sampled_from(range(tree.log.n_rows)))))
    events = [at for at, (row, enters) in enumerate(walk) if enters and row in rows]
    marks = rail_of_rows(tree, np.array(rows, np.int64), width)
    assert sum(mark.n_rows for mark in marks) == len(rows)
    assert [mark.event for mark in marks] == [
        at
        for i, at in enumerate(events)
        if not i or events[i - 1] * width // len(walk) != at * width // len(walk)
    ]
