"""Correct logs are clean: examples, trees of others, and searches that look wrong at first.

Those have open frontiers, quiescence, chance, passes, and nodes that end before their loop over the plies.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store import words
from tests.shapes.dump import documents
from tests.unit.analysis.check.checked import Cases, Node, changed, held, log, node
from tests.unit.analysis.check.checked import leaf as any_leaf
from tests.unit.logs import log_of

EXAMPLES = Path(__file__).parents[4] / "examples"


@pytest.mark.parametrize("name", ["connect-four-deepening.jsonl.gz", "textbook-alpha-beta.json"])
def test_the_bundled_examples_are_clean(name: str) -> None:
    assert check(read_log((EXAMPLES / name).read_bytes())).findings() == []


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.name)
def test_trees_from_outside_contradict_nothing_as_they_are_read(document: Path) -> None:
    assert check(read_log(document.read_bytes()), compiled=False).findings() == []


def leaf(ply: str, score: float, /, **fields: Any) -> Node:
    return any_leaf(ply, score, **{"bound": "exact", **fields})


def root(score: float | None, *children: Node, **fields: Any) -> Any:
    return log(node(None, "max", score, *children, **fields))


def stepping(above: Node, below: Node) -> Any:
    return root(4, leaf("a", 4, **below), **above)


def quiet(depth: float, stored: float) -> Any:
    """Below the root a node at depth -1, and one that a table entry of it ends."""
    source = leaf("a", 4, depth=-1, key="A", quiescence=True, outcome="searched")
    used = {"use": "cut", "bound": "exact", "score": 4, "depth": stored, "from": 1}
    return root(4, source, leaf("b", 4, depth=depth, key="A", outcome="tt", tt=used), depth=0)


def shallow(score: float, bound: str) -> Any:
    """A win, a loss or a score of an entry of depth 0, used at depth 2."""
    used = {"use": "cut", "bound": bound, "score": score, "depth": 0}
    hit = leaf("a", score, depth=2, outcome="tt", tt=used)
    return root(score, hit, depth=3) | {"search": {"mate": {"score": 100, "step": 1, "threshold": 90}}}


def passing(below: Node) -> Any:
    return root(4, node("--", "min", 4, below, purpose="null"), leaf("b", 4))


def without_plies(**fields: Any) -> Any:
    return root(4, node("a", "min", 4, **{"moves": 0, **fields}), moves=1, outcome="searched")


def from_edge(alpha: float) -> Any:
    """An engine begins with a best of `alpha` where no score is below -100."""
    edges = {"alpha": "-inf", "beta": "inf", "bound": "exact"}
    begun = root(4, leaf("a", 4, alpha=alpha, beta="inf"), **edges)
    return begun | {"search": {"range": [-100, 100]}}


def cut_off(*children: Node, **fields: Any) -> Any:
    """A node of 12 plies that was cut off, and another that cuts with a stub."""
    cut = node("a", "min", None, *children, outcome="cutoff", moves=12, **fields)
    reply = node("c", "max", outcome="leaf")
    other = node("b", "min", None, reply, {"outcome": "pruned", "count": 1}, outcome="cutoff", moves=2)
    return root(None, cut, other, moves=2)


A = leaf("a", 4)
OPEN = {"ply": "b", "layer": "min", "outcome": "open"}
AGAIN = node("--", "min", 4, purpose="null")
STANDING = {"quiescence": True, "stand_pat": 4}
UNLEFT = {"ply": "b", "layer": "min", "moves": 2}
PASSED = node("pass", "max", 3, purpose="null", depth=0, outcome="leaf")

CASES: Cases = {
    "nothing is claimed beside siblings that were searched and not recorded": [
        *(
            (root(6, A, {"outcome": "unlogged", "count": 2}, bound=bound), "")
            for bound in ("exact", "lower", "upper")
        )
    ],
    "an open child is a frontier and proves nothing": [
        (root(4, A, OPEN | {"outcome": "stopped"}, bound="lower"), "wrong stopped-used root"),
        (root(4, A, OPEN, bound="lower"), ""),
        (root(4, A, OPEN, bound="exact"), "wrong claim root"),
        (root(4, OPEN, bound="exact"), ""),
    ],
    "depth-step: depths step down but in quiescence, below chance nodes and aside": [
        (stepping({"depth": 2}, {"depth": 0, "quiescence": True}), ""),
        (stepping({"depth": 4}, {"depth": 1, "purpose": "null"}), ""),
        (stepping({"depth": 4}, {"depth": 2, "purpose": "scout"}), "odd depth-step a"),
    ],
    "tt-source: depths at or below 0 are one for table entries": [
        *((quiet(depth, stored), "") for depth, stored in ((0, 0), (-2, 0), (-1, -1), (0, -1))),
        (quiet(0, 1), "wrong tt-source b"),
    ],
    "tt-depth: depths at or below 0 are one, and a shallow entry may prove a win or a loss alone": [
        *((quiet(depth, stored), "") for depth, stored in ((0, 0), (-2, 0), (-1, -1), (0, -1))),
        (quiet(1, 0), "wrong tt-depth b"),
        (shallow(99, "exact"), ""),
        (shallow(99, "lower"), ""),
        (shallow(97, "upper"), "wrong tt-depth a"),
        (shallow(-99, "upper"), ""),
        (shallow(-97, "lower"), "wrong tt-depth a"),
        (shallow(4, "exact"), "wrong tt-depth a"),
    ],
    "in-check: no null move follows another, and who is in check does not stand pat": [
        (passing(AGAIN | {"layer": "max"}), "odd in-check -- > --"),
        (passing(node("a", "max", 4, AGAIN)), ""),
        (root(4, **STANDING, in_check=True), "odd in-check root"),
    ],
    "no-plies: a node without plies is an end": [
        (without_plies(outcome="cutoff", cut_by="child"), "wrong no-plies a"),
        (without_plies(outcome="cutoff", cut_by="null"), ""),
        (without_plies(outcome="cutoff"), ""),
        (without_plies(outcome="searched", quiescence=True), ""),
        (without_plies(outcome="terminal"), ""),
        (without_plies(outcome="stopped"), ""),
    ],
    "a node that was never left, as where an exception stopped the search, accounts for no plies": [
        (root(None, A, UNLEFT, moves=3), ""),
    ],
    "an edge beyond the declared range is open": [
        (from_edge(-1000), ""),
        (from_edge(-100), ""),
        (from_edge(-50), "wrong window a"),
    ],
    "moves: all plies have rows or stubs, but of what ended a node before them, and in best-first trees": [
        (cut_off(PASSED, cut_by="null"), ""),
        (cut_off(PASSED, {"outcome": "pruned", "count": 13}, cut_by="null"), "wrong moves a"),
        (cut_off(PASSED, node("d", "max", outcome="leaf")), "wrong moves a"),
        (cut_off(PASSED, node("d", "max", outcome="leaf"), cut_by="child"), "wrong moves a"),
        (changed("moves", search={"order": "best_first"}), ""),
    ],
}

test_what_looks_wrong_at_first = held(CASES)


def test_a_probe_without_a_ply_is_seen_by_the_mover_of_its_own_position() -> None:
    probed = [
        {"purpose": "probe", "score": 6, "children": [{"ply": "c", "score": -6, "outcome": "leaf"}]},
        {"purpose": "probe", "ply": "c", "score": -8, "outcome": "leaf"},
        {"purpose": "null", "score": -2, "outcome": "leaf"},
        {"ply": "c", "score": -7, "outcome": "leaf"},
    ]
    columns = log_of({"score": 7, "children": probed}, search={"perspective": "mover"}).columns
    assert columns["score"].tolist() == [7, 6, 6, 8, 2, 7]
    high, low = words.MAX, words.MIN
    assert columns["layer"].tolist() == [high, high, low, low, low, low]
