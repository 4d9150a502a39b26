"""tt-depth, tt-bound, tt-ply and tt-source: what was taken from the transposition table."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.visualizer.analysis.check.rules.table.tt_source import earlier_visits
from plyscope.visualizer.analysis.columns.declarations import HARD
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import sight_of
from plyscope.visualizer.analysis.columns.sweep import derive
from tests.unit.analysis.check.checked import (
    Cases,
    Node,
    changed,
    child,
    example,
    held,
    log,
    messages,
    node,
    report_of,
)
from tests.unit.logs import log_of

MATE = {"score": 1000, "step": 1, "threshold": 900}
NEAR = {"mate": {"score": 100, "step": 1, "threshold": 50}}


def entry(score: float, bound: str | None = None, **more: Any) -> Node:
    """What was stored, and cut."""
    return {"use": "cut", "score": score, **({} if bound is None else {"bound": bound}), **more}


def using(rule: str, tt: Node, *, search: Node | None = None, **fields: Any) -> Any:
    """The example, its second ply with another entry."""
    return changed(rule, {"1": {"tt": tt, **fields}}, **({} if search is None else {"search": search}))


def far(score: float) -> Any:
    """A win or loss, at level 1, of which no one is nearer: an entry of depth 1 says so at depth 2."""
    changes = {"": {"score": score}, "1": {"score": score, "tt": entry(score, "upper", depth=1)}}
    return changed("tt-depth", changes, search={"mate": MATE})


def stored(source: tuple[str, float], said: tuple[str, float]) -> Any:
    """A node that returned one bound and score, and its entry, which says another."""
    document = example("tt-source") | {"search": {"mate": MATE}}
    child(document, 0).update(bound=source[0], score=source[1])
    child(document, 1)["tt"].update(bound=said[0], score=said[1])
    return document


def keyed(*children: Node, **search: Any) -> Any:
    return log(node(None, "max", 9, *children, key="root", depth=3), search=search)


def visit(score: float, bound: str | None, depth: int = 2, **more: Any) -> Node:
    below = node("x", "max", score, bound=bound, outcome="leaf", depth=depth - 1)
    return node("a", "min", score, below, key="A", depth=depth, bound=bound, outcome="searched") | more


def hit(score: float, bound: str | None, depth: int = 2, **more: Any) -> Node:
    said = {"key": "A", "depth": 2, "bound": bound, "outcome": "tt", "tt": entry(score, bound, depth=depth)}
    return node("b", "min", score, **{**said, **more})


def flagless(*before: Node, beta: float = 20, **search: Any) -> Any:
    """An engine whose table keeps a score and a depth, and no flag: the last visit was cut by an entry."""
    return keyed(*before, hit(9, None, alpha=3, beta=beta), **search)


def windowed(alpha: float, beta: float) -> Node:
    """A visit of the entry's key that states its window, and no bound; below it a ply was cut off."""
    edges = {"alpha": alpha, "beta": beta}
    cut = {"ply": "y", "layer": "min", "outcome": "pruned", "count": 2}
    below = node("x", "max", 9, cut, key="X", depth=1, outcome="searched")
    return visit(9, None, **edges, children=[below | edges])


def mates(stored: float, fail: str | None, level: int = 2) -> Any:
    """A win that was stored at level 1 and is used further below."""
    won = {"ply": "x", "layer": "max", "depth": 1, "outcome": "terminal", "ending": "win", "score": 98}
    used = hit(stored, "exact", ply="p1", tt=entry(stored, "exact", depth=2) | {"from": 1})
    for at in range(level - 1):
        used = node(f"q{at}", "min", stored, used, depth=2)
    search = NEAR | ({"fail": fail} if fail else {})
    return log(node(None, "max", 98, visit(98, "exact", children=[won]), used), search=search)


def reaching(layer: str, bound: str, score: float) -> Any:
    """An entry at level 2, where the mover wins by the next ply at best, 97, and is mated at worst, -98."""
    edges: Node = {"alpha": None, "beta": None}
    said = node("b", layer, score, outcome="tt", tt=entry(score, bound)) | edges
    return log(node(None, "max", score, node("a", "min", score, said) | edges), search=NEAR)


def without_bounds(source: Node, user: Node, said: Node) -> Any:
    """A search whose entries have no flags: what a max node below `a` stored is taken below `b`."""
    replies = [node(ply, "min", score, outcome="leaf", bound="exact") for ply, score in (("x", 1), ("y", 6))]
    replies.append({"outcome": "pruned", "count": 2})
    a = node("t", "max", None, *replies, outcome="cutoff")
    b = node("t", "max", outcome="tt", tt={"use": "cut", "from": 2, **said})
    low: Node = {"alpha": None}
    sides = ("a", 5, a | low | source), ("b", 9, b | low | user)
    return log(node(None, "max", None, *(node(ply, "min", 4, t, beta=beta) | low for ply, beta, t in sides)))


def shallow_source(*, names_it: bool, extended: bool = False) -> Any:
    """An entry that states no depth, of a node of depth 1, used at depth 2."""
    source = visit(4, "exact", depth=1, id=1)
    if extended:
        source["children"][0]["extension"] = 1
    said = entry(4, "exact") | ({"from": 1} if names_it else {})
    return keyed(source, hit(4, "exact", tt=said))


def proving(score: float, user: Node, said: Node) -> Any:
    """A source that had returned so much, at beta 5."""
    return without_bounds({"score": score, "beta": 5}, user, said)


LOWER = visit(9, "lower")
EXTENDED = visit(9, "exact", children=[node("x", "max", 9, depth=1, outcome="leaf", extension=1)])
SOURCE, DEPTH, BOUND = "wrong tt-source d3", "wrong tt-depth d3", "wrong tt-bound b"
TWICE = changed("tt-ply", {"": {"moves": 4}})
TWICE["root"]["children"].insert(2, node("d3", "min", 2))

CASES: Cases = {
    "tt-depth: an entry at least as deep cuts, any may order": [
        (using("tt-depth", entry(4, "exact", depth=2)), ""),
        (using("tt-depth", entry(4, depth=1, use="order"), outcome="searched"), ""),
    ],
    "tt-depth: that no mate is nearer holds where the entry searched as far, a mate at any depth": [
        (far(998), ""),
        (far(997), ""),
        (far(996), DEPTH),
        (using("tt-depth", entry(990, "exact", depth=1), search={"mate": MATE}), ""),
    ],
    "tt-depth: an entry is as deep as its source where it states no depth": [
        (shallow_source(names_it=False), ""),
        (shallow_source(names_it=True), "wrong tt-depth b"),
        (shallow_source(names_it=True, extended=True), ""),
    ],
    "tt-bound: a bound cuts that reaches its edge, or the end of the range: the nearest mate": [
        (changed("tt-bound", search={"range": [-64, 5]}), ""),
        (reaching("max", "lower", 97), ""),
        (reaching("min", "upper", -97), ""),
        (reaching("max", "upper", -97), "wrong tt-bound a > b"),
    ],
    "tt-ply: it may be one searched or one in a stub, and is not judged where plies are unknown or fewer": [
        (changed("tt-ply", {"": {"quiescence": True}}), ""),
        (TWICE, ""),  # a second visit is no further ply
    ],
    "tt-source: an entry has the depth, the bound and the key of its source, a node that was left": [
        (using("tt-source", entry(4, depth=2) | {"from": 99}), ""),
        (using("tt-source", entry(5, "exact", depth=3) | {"from": 1}), SOURCE),
        (using("tt-source", entry(5, "upper", depth=2) | {"from": 1}), "odd tt-source d3"),
        (using("tt-source", entry(5) | {"from": 0}), SOURCE),
        (using("tt-source", entry(5) | {"from": 1}, key="Z"), SOURCE),
    ],
    "tt-source: an entry may say less than its source": [
        (stored(("exact", 4), ("lower", 3)), "odd tt-source d3"),
        (stored(("upper", 4), ("upper", 5)), "odd tt-source d3"),
        (stored(("exact", 4), ("lower", 5)), SOURCE),
        (stored(("upper", 4), ("lower", 3)), SOURCE),
    ],
    "tt-source: a mate may be kept as a bound": [
        (stored(("exact", 995), ("lower", 900)), ""),
        (stored(("exact", -995), ("upper", -900)), ""),
        (stored(("upper", 995), ("lower", 900)), SOURCE),
        (stored(("lower", 995), ("lower", 994)), SOURCE),  # a distance of mate that differs
        (stored(("lower", 4), ("lower", 900)), SOURCE),
    ],
    "tt-source: without a source it is one of the earlier visits of its key": [
        (keyed(LOWER, hit(9, "lower")), ""),
        (keyed(LOWER, hit(9, "exact")), "wrong tt-source b"),
        (keyed(LOWER, hit(4, "lower")), "odd tt-source b"),
        (keyed(LOWER, visit(9, "exact", ply="c"), hit(9, "exact")), ""),
    ],
    "tt-source: what another visit may have stored is not judged": [
        (keyed(visit(9, "lower", depth=1), hit(9, "exact")), ""),
        (keyed(visit(9, "lower", key="B"), hit(9, "exact")), ""),
        (keyed(LOWER, hit(9, "exact"), table_carried=True), ""),
        (keyed(LOWER, node("c", "min", 1, outcome="searched"), hit(9, "exact")), ""),  # without a key
        (keyed(LOWER, {"outcome": "unlogged", "count": 2}, hit(9, "exact")), ""),
        (keyed(EXTENDED, hit(9, "exact", 3)), ""),
    ],
    "tt-bound: what a node had proven, at least 5 or as the engine stored it, tells the bound of its entry": [
        (proving(5, {"score": 6, "beta": 6}, {"score": 6}), ""),
        (proving(5, {"score": 6, "beta": 9}, {"score": 6}), "wrong tt-bound b > t"),
        (proving(6, {"score": 6, "beta": 6}, {"score": 6, "bound": "lower"}), ""),
    ],
    "tt-source: so its score and a flag are held to that": [
        (proving(5, {"score": 6, "beta": 6}, {"score": 6}), ""),
        (proving(5, {"score": 7, "beta": 6}, {"score": 7}), "wrong tt-source b > t"),
        (proving(6, {"score": 6, "beta": 6}, {"score": 6, "bound": "lower"}), ""),
        (proving(6, {"score": 6, "beta": 6}, {"score": 6, "bound": "exact"}), "wrong tt-source b > t"),
    ],
    "tt-bound: a table without flags that did no harm is left alone": [
        (flagless(visit(9, "exact")), ""),
        (flagless(LOWER, beta=9), ""),
        (flagless(LOWER, visit(9, "exact", ply="c")), ""),
        (flagless(LOWER, table_carried=True), ""),
        (flagless(visit(9, "lower", depth=1)), ""),
        (flagless(windowed(12, 20), threads=2), ""),  # in no order of time
        *((flagless(windowed(*edges)), BOUND) for edges in ((12, 20), (10, 11), (-5, 5), (-5, 9))),
    ],
}

test_tables = held(CASES)


LATER = keyed(LOWER, hit(9, "exact"))
LATER["root"]["iteration"] = 3
BETWEEN = without_bounds({"score": 6, "beta": 5}, {"score": 6, "alpha": 2, "beta": 9}, {})
BETWEEN["root"]["children"][0]["children"][0]["tt"] = {"use": "narrow", "bound": "upper", "score": 8}
FLAGLESS = "The entry states no bound, and node 1, an earlier visit of this key with its score, proved only"


@pytest.mark.parametrize(
    ("rule", "document", "message"),
    [
        (
            "tt-depth",
            using("tt-depth", entry(4, "exact", depth=3), search={"table": "equal"}),
            "used is of depth 3, expected exactly 2.",
        ),
        (
            "tt-source",
            stored(("upper", 5), ("lower", 3)),
            "Node 1 returned 5, a score that is upper, but the entry it stored says 3 and calls it lower.",
        ),
        (
            "tt-source",
            LATER,
            "No earlier visit of this key returned what the entry says: node 1 returned a score that is "
            "lower, but its entry calls it exact.",
        ),
        (
            "tt-bound",
            proving(5, {"score": 6, "beta": 9}, {"score": 6}),
            "Node 2, which stored the entry, proved only at least 6, which does not reach beta 9, "
            "and yet it ended the visit.",
        ),
        (
            "tt-bound",
            flagless(windowed(-5, 5)),
            f"{FLAGLESS} at least 9, which does not reach beta 20, and yet it ended the visit.",
        ),
        (
            "tt-source",
            proving(6, {"score": 6, "beta": 6}, {"score": 6, "bound": "exact"}),
            "Node 2 returned a score that is lower, but its entry calls it exact.",
        ),
        (
            "tt-bound",
            BETWEEN,
            "proved only [6, 8], which reaches neither alpha 2 nor beta 9, and yet it ended the visit.",
        ),
    ],
)
def test_what_is_wrong_with_an_entry_is_told_with_both_sides(rule: str, document: Any, message: str) -> None:
    (found,) = report_of(document).findings(rule)
    assert found.message.endswith(message)
    assert found.severity == ("odd" if document is LATER else "wrong")


@pytest.mark.parametrize("fail", ["soft", "hard", None])
@pytest.mark.parametrize(("level", "right"), [(2, 97), (3, 96), (4, 95)])
def test_a_win_is_shifted_by_its_distance_whatever_fail_is(
    fail: str | None, level: int, right: float
) -> None:
    assert not messages(mates(right, fail, level), "tt-source")
    assert messages(mates(98, fail, level), "tt-source")


def test_earlier_visits_are_looked_for_once_a_log_and_again_for_another_fail() -> None:
    sight = derive(sight_of(log_of(flagless(windowed(12, 20))["root"])), Work())
    once = earlier_visits(sight, Work())
    assert earlier_visits(sight, Work()) is once
    assert earlier_visits(sight._replace(fail=HARD), Work()) is not once
