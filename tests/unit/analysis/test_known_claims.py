"""What is known of scores: never more than is true, and exact wherever nothing below is open."""

from __future__ import annotations

import math
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from plyscope.visualizer.analysis.nodes.known_claims import known_claims
from plyscope.visualizer.store import words
from tests.unit.logs import log_of

INF = math.inf


class Style(NamedTuple):
    """How a search works, and what it writes down."""

    hard: bool
    scouts: bool
    says_fail: bool
    windows: bool
    bounds: bool
    outcomes: bool
    stubs: bool
    moves: bool
    statics: bool


def searched(style: Style, depth: int, rng: Random) -> tuple[dict[str, Any], list[float]]:
    """The root of a random tree, as alpha-beta writes it, and the worth of each row that it writes."""
    worths: list[float] = []

    def grow(depth: int) -> Any:
        return rng.randint(-9, 9) if depth == 0 else [grow(depth - 1) for _ in range(rng.randint(1, 3))]

    def worth(tree: Any, layer: str) -> float:
        if isinstance(tree, int):
            return float(tree)
        below = [worth(each, "min" if layer == "max" else "max") for each in tree]
        return max(below) if layer == "max" else min(below)

    def visit(tree: Any, layer: str, alpha: float, beta: float, ply: str) -> dict[str, Any]:
        node: dict[str, Any] = {"layer": layer} | ({"ply": ply} if ply else {})
        worths.append(worth(tree, layer))
        if style.windows:
            edges = zip(("alpha", "beta"), (alpha, beta), strict=True)
            node |= {name: None if math.isinf(edge) else edge for name, edge in edges}
        low, high = alpha, beta
        if isinstance(tree, int):
            score, outcome = float(tree), "leaf"
            if style.statics:
                node["static"] = score
        else:
            children: list[dict[str, Any]] = []
            score, outcome = (-INF if layer == "max" else INF), "searched"
            if style.moves:
                node["moves"] = len(tree)
            for place, child in enumerate(tree):
                below = "min" if layer == "max" else "max"
                window, name = (low, high), f"{ply}{place}"
                if style.scouts and place and high - low > 1:
                    null = (low, low + 1) if layer == "max" else (high - 1, high)
                    scout = visit(child, below, *null, name)
                    children.append(scout)
                    found = scout["score"]
                    if low < found < high or found in null:
                        children.append(visit(child, below, *window, name))
                else:
                    children.append(visit(child, below, *window, name))
                found = children[-1]["score"]
                score = max(score, found) if layer == "max" else min(score, found)
                low, high = (max(low, score), high) if layer == "max" else (low, min(high, score))
                if low >= high:
                    outcome = "cutoff"
                    if style.stubs and place + 1 < len(tree):
                        children.append({"outcome": "pruned", "count": len(tree) - place - 1})
                        worths.append(math.nan)
                    break
            node["children"] = children
        if style.hard:
            score = min(max(score, alpha), beta)
        node["score"] = score
        if style.outcomes:
            node["outcome"] = outcome
        if style.bounds:
            node["bound"] = "lower" if score >= beta else "upper" if score <= alpha else "exact"
        return node

    return visit(grow(depth), "max", -INF, INF, ""), worths


@given(st.integers(0, 2**32), st.integers(1, 4), st.lists(st.booleans(), min_size=9, max_size=9))
def test_no_more_is_known_than_is_true(seed: int, depth: int, flags: list[bool]) -> None:
    style = Style(*flags)
    root, worths = searched(style, depth, Random(seed))
    search = {"fail": "hard" if style.hard else "soft"} if style.says_fail else {}
    log = log_of(root, search=search)
    if not (search or style.windows or style.bounds or (log.columns["outcome"] == words.CUTOFF).any()):
        assume((log.columns["outcome"] == words.PRUNED).any())  # else it is a log of plain minimax
    found = known_claims(log, 0, log.n_rows)
    for row, worth in enumerate(worths):
        if worth == worth:
            assert found.low[row] <= worth <= found.high[row], (row, worth, root)


def minimax(tree: Any, layer: str = "max") -> dict[str, Any]:
    """A plain tree of minimax, scores alone."""
    if not isinstance(tree, list):
        return {"score": tree}
    children = [minimax(each, "min" if layer == "max" else "max") for each in tree]
    best = max if layer == "max" else min
    return {"layer": layer, "score": best(each["score"] for each in children), "children": children}


def known(root: dict[str, Any], row: int, **header: Any) -> tuple[float, float]:
    log = log_of(root, **header)
    found = known_claims(log, 0, log.n_rows)
    return float(found.low[row]), float(found.high[row])


def test_a_tree_with_every_reply_in_it_is_exact_without_a_word_but_where_its_children_differ() -> None:
    root = minimax([[4, 9], [-2, 7], [[1, 2], 3]])
    log = log_of(root)
    found = known_claims(log, 0, log.n_rows)
    assert (found.low == found.high).all()
    assert (found.low == log.columns["score"]).all()
    root["children"][1]["score"] = 5
    assert known(root, 4) == (-INF, INF)


EDGE: dict[str, Any] = {"score": 27, "alpha": 27, "beta": None}


@pytest.mark.parametrize(
    ("leaf", "search", "expected"),
    [
        (EDGE | {"static": -2, "bound": "upper"}, {"fail": "hard"}, (-2, -2)),
        (EDGE | {"static": -2}, {}, (-2, -2)),
        ({"score": 27, "static": -2}, {}, (-2, -2)),
        ({"score": 27, "static": -2}, {"fail": "soft"}, (27, 27)),
        ({"score": 27, "alpha": 3, "beta": 30, "static": -2}, {"fail": "hard"}, (27, 27)),
        (EDGE | {"bound": "upper"}, {"fail": "hard"}, (-INF, 27)),
        (EDGE | {"static": -2, "bound": "upper", "why": "tablebase"}, {"fail": "hard"}, (-INF, 27)),
    ],
)
def test_a_leaf_that_states_its_evaluation_claims_that(
    leaf: dict[str, Any], search: dict[str, Any], expected: tuple[float, float]
) -> None:
    cut = {"ply": "b", "layer": "min", "score": 1, "bound": "upper", "children": [{"outcome": "pruned"}]}
    root = {"layer": "max", "score": 27, "children": [{"ply": "a", "outcome": "leaf", **leaf}, cut]}
    assert known(root, 1, search=search) == expected


def test_the_first_line_of_a_tree_is_exact_where_windows_are_not_stated() -> None:
    """Nothing was searched before it that could have closed its window."""
    first = {"ply": "a", "layer": "min", "score": 3, "children": [{"ply": "c", "score": 3}, {"score": 8}]}
    second = {"ply": "b", "layer": "min", "score": -2, "children": [{"score": -2}, {"outcome": "pruned"}]}
    root = {"layer": "max", "score": 3, "children": [first, second]}
    assert (known(root, 1), known(root, 4)) == ((3, 3), (-INF, -2))


def test_standing_pat_says_what_a_clamped_score_does_not() -> None:
    pat = {"ply": "a", "layer": "min", "score": 25, "alpha": 25, "beta": None, "quiescence": True}
    pat |= {"stand_pat": 3, "outcome": "cutoff", "cut_by": "stand_pat"}
    root = {"layer": "max", "score": 25, "children": [pat]}
    assert known(root, 1, search={"fail": "hard"}) == (-INF, 3)
