"""What is known of scores: never more than is true, and exact wherever nothing below is open."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from plyscope.visualizer.analysis.nodes.known_claims import known_claims
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store import words
from tests.foreign_engines.engine import Engine, Style
from tests.foreign_engines.tokens import MATE, Position, Tokens
from tests.property.examples import examples
from tests.unit.logs import log_of

INF = math.inf


class Coarse(Tokens):
    """A game in which many positions are worth the same."""

    def worth(self, position: Position) -> int:
        return round(super().worth(position) / 50)


def truth(game: Tokens, at: Position, depth: int) -> float:
    """Plain minimax, as the player to move sees it."""
    if game.is_lost(at):
        return at.n - MATE
    if depth == 0:
        return game.worth(at)
    below = [game.after(at, ply) for ply in game.plies(at)]
    return max(truth(game, each, depth - 1) * (1 if each.player == at.player else -1) for each in below)


def positions(game: Tokens, node: dict[str, Any], at: Position) -> Iterator[Position | None]:
    """The position of each row, None of a stub."""
    yield at
    for child in node.get("children", ()):
        if "ply" in child:
            yield from positions(game, child, game.after(at, child["ply"]))
        else:
            yield None


UNSAID = ("alpha beta", "bound", "outcome", "moves", "static")


@given(
    st.integers(0, 2**32),
    st.fixed_dictionaries(
        {"depth": st.integers(1, 4), "omits": st.sets(st.sampled_from(UNSAID)).map(lambda each: (*each,))}
        | dict.fromkeys(("hard", "scouts", "declares", "stubs"), st.booleans())
    ),
)
@settings(max_examples=examples(150), deadline=None)
def test_no_more_is_known_than_is_true(seed: int, habits: dict[str, Any]) -> None:
    style = Style(**habits | {"omits": tuple(" ".join(habits["omits"]).split())})
    engine = Engine(style, seed)
    engine.game = Coarse(seed)
    log = read_log(engine.run().nested())
    if not (style.declares or {"alpha", "bound"} - {*style.omits}):
        is_cut = np.isin(log.columns["outcome"], (words.CUTOFF, words.PRUNED)).any()
        assume(is_cut)  # else it is a log of plain minimax
    found = known_claims(log, 0, log.n_rows)
    for row, at in enumerate(positions(engine.game, engine.paper.roots[0], Position())):
        if at is not None:
            worth = truth(engine.game, at, style.depth - at.n) * (1 if at.player == 0 else -1)
            assert found.low[row] <= worth <= found.high[row], (row, worth)


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
