"""What-if on small logs drawn by hand, on the bundled ones, and on correct searches of every style."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plyscope.visualizer.analysis.columns.claims import claim_of
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import sight_of
from plyscope.visualizer.analysis.columns.sweep import derive
from plyscope.visualizer.analysis.whatif.reweighing import Reweighing, WeightsError
from plyscope.visualizer.analysis.whatif.sentences import leaves_words, range_words, sentence, share_words
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from tests.property.examples import examples
from tests.second_engine.sound import sound_search
from tests.unit.logs import tree_of

EXAMPLES = Path(__file__).parents[3] / "examples"
HEADER: dict[str, Any] = {"factors": [{"name": "f", "weight": 2}, {"name": "g", "weight": 1}]}


def leaf(ply: str, score: float, f: float, g: float = 0.0, **more: Any) -> dict[str, Any]:
    return {"ply": ply, "layer": "min", "outcome": "leaf", "score": score, "factors": [f, g], **more}


def of(*children: dict[str, Any], **header: Any) -> Reweighing:
    root = {"layer": "max", "outcome": "searched", "children": list(children)}
    return Reweighing(tree_of(root, **{**HEADER, **header}))


def refuted(ply: str, reply: dict[str, Any], n_pruned: int | None = None) -> dict[str, Any]:
    """A ply with one reply, after which the others were cut off."""
    stub = {"outcome": "pruned"} | ({} if n_pruned is None else {"count": n_pruned})
    return {"ply": ply, "layer": "min", "outcome": "cutoff", "children": [reply | {"layer": "max"}, stub]}


def test_a_refuted_ply_is_worth_at_most_its_refutation_and_depends_on_the_replies_cut_off() -> None:
    log = of(leaf("a", 6, 3), refuted("b", leaf("c", 5, 1), 29))
    assert log.at({}).certain
    found = log.at({"f": 0})
    assert [(each.ply, each.low, each.high, each.place) for each in found.plies] == [
        ("a", 0, 0, "first"),
        ("b", -math.inf, 3, "could overtake"),
    ]
    assert (found.certain, found.choice) == (False, "depends")
    assert found.unsearched == (29, False, 0)
    assert "".join(part.text for part in sentence(log, found)) == (
        "With f 0 instead of 2, a is still first of what was searched, worth 0. "
        "It depends on 29 unsearched plies; 1 rival could overtake: b could reach +3."
    )


def test_a_range_ends_where_the_choice_falls_or_nothing_is_searched_enough() -> None:
    falling = of(leaf("a", 6, 3), leaf("b", 5, 1))
    assert range_words(falling.range_of(0)) == "certain from 1.5 on; just below 1.5 it certainly falls"
    ranged = of(leaf("a", 6, 3), refuted("b", leaf("c", 5, 1), 2)).range_of(0)
    assert (ranged.range.stands, ranged.range.holds) == ((-0.5, math.inf), (-math.inf, math.inf))
    assert [each.state for each in ranged.segments] == ["depends", "certain"]
    assert falling.at({"f": 1}).choice == "falls"
    tie = of(leaf("a", 6, 3), leaf("b", 4, 2)).at({"f": 0})
    assert (tie.certain, tie.is_tie) == (True, True)
    flat = of(leaf("a", 4, 0, 4), leaf("b", 4, 2), leaf("c", 4, -2, 8))
    assert [share_words(each) for each in flat.ranges()] == ["0 %", "0 %"]


def test_a_ply_that_counted_as_infinitely_much_moves_nothing() -> None:
    taken = leaf("a", 1, 1) | {"outcome": "tt", "counted_as": "inf"}
    assert of(taken, taken | {"ply": "b"}).at({"f": 3}).plies[0].ply == "a"


def test_dropped_plies_count_as_unsearched_where_asked() -> None:
    tree = of(leaf("a", 6, 3), {"outcome": "limited", "count": 3}).tree
    assert Reweighing(tree).at({}).certain
    found = Reweighing(tree, assume_dropped=False).at({})
    assert (found.certain, found.unsearched.plies, found.others) == (False, 3, 3)
    assert of(leaf("a", 6, 3), refuted("b", leaf("c", 5, 1))).at({"f": 0}).unsearched == (1, True, 0)


def test_a_drawn_ply_leaves_the_best_one_as_the_choice() -> None:
    log = of(leaf("a", 6, 3), leaf("b", 5, 1), result={"ply": "b", "rank": 1})
    assert log.is_drawn
    assert log.tree.ply(log.rows[log.choice]) == "a"


CONTRIBUTIONS = {"ply": "a", "layer": "min", "outcome": "leaf", "score": 3, "contributions": {"f": 3}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"factors": []}, "has no `factors`"),
        ({"search": {"order": "best_first"}}, "best-first"),
        ({"factors": [{"name": "f"}, {"name": "g"}]}, "does not state the weight of any factor"),
        ({"root": leaf("", 3, 1)}, "no searched plies to choose among"),
        ({"factors": [], "root": {"layer": "max", "children": [CONTRIBUTIONS]}}, "contributions only"),
    ],
)
def test_a_log_that_cannot_be_re_weighed_says_why(change: dict[str, Any], message: str) -> None:
    document = {**HEADER, "root": {"layer": "max", "children": [leaf("a", 6, 3)]}, **change}
    if not document["factors"]:
        del document["factors"]
        document["root"]["children"][0].pop("factors", None)
    with pytest.raises(WeightsError, match=message):
        Reweighing(tree_of(**document))


def test_one_ply_of_more_than_two_players_is_a_sum_of_the_movers_factors() -> None:
    plies = [leaf("a", 7, 3, 1, layer="other", scores=[7, 0, 0]), leaf("b", 4, 0, 4, layer="other")]
    log = of(*plies, players=["p", "q", "r"])
    assert [each.ply for each in log.at({"f": 0}).plies] == ["b", "a"]
    deeper = leaf("a", 7, 3, 1, layer="other", scores=[7, 0, 0], outcome="searched")
    with pytest.raises(WeightsError, match="more than two players"):
        of(deeper | {"children": [leaf("c", 7, 3, 1)]}, plies[1], players=["p", "q", "r"])


@pytest.mark.parametrize(
    ("children", "words"),
    [
        ([leaf("a", 6, 3, outcome="searched", quiescence=True, stand_pat=6)], "1 stand pat."),
        (
            [leaf("a", 6, 3), leaf("b", 2, 1, outcome="searched", quiescence=True, stand_pat=2)],
            "1 recorded leaf and 1 stand pat.",
        ),
        (
            [leaf("a", 6, 3), leaf("b", 2, 1, outcome="cutoff", cut_by="estimate", estimate=2)],
            "1 recorded leaf and 1 stand pat or estimate.",
        ),
    ],
)
def test_stand_pats_are_counted_beside_leaves(children: list[dict[str, Any]], words: str) -> None:
    assert leaves_words(of(*children)).startswith(f"Re-weighed from {words}")


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"h": 1.0}, "no factor 'h' in this log; its factors are f, g"),
        ({"f": math.nan}, "must be a number"),
        ({"f": -1e101}, r"the weight of 'f' is -1e\+101, expected at most 1e\+100 in size"),
        ({"other": 3}, "no weight to change"),
    ],
)
def test_a_weight_that_makes_no_sense_is_refused(weights: dict[str, float], message: str) -> None:
    factors = HEADER["factors"][:1] if "other" in weights else HEADER["factors"]
    log = of(leaf("a", 7, 3, 1), factors=[factors[0], *(factors[1:] or [{"name": "other", "weight": 1}])])
    with pytest.raises(WeightsError, match=message):
        log.at(weights)
    assert [each.weight.name for each in log.ranges()] == [each["name"] for each in factors]


def contradicting(log: Log) -> list[int]:
    """Rows whose interval under the logged weights has nothing in common with what the log claims of them."""
    sight = derive(sight_of(log), Work())
    low, high = Reweighing(Tree(log)).logged
    with np.errstate(invalid="ignore"):
        claims = np.array([claim_of(sight, row) for row in range(sight.n_rows)])
        least, most = np.maximum(low, claims[:, 0]), np.minimum(high, claims[:, 1])
        apart = least > most + 1e-9 * np.maximum(1.0, np.abs(most))
    return [int(row) for row in np.flatnonzero(apart)]


N_SEARCHES = examples(200)
FINISHED = (words.SEARCHED, words.CUTOFF, words.LEAF, words.TERMINAL, words.TT)


def test_the_logged_weights_reproduce_correct_searches_of_every_style() -> None:
    n_certain = n_logs = 0
    for seed in range(N_SEARCHES):
        made = sound_search(seed)
        tree = Tree(made.log)
        if made.log.columns["outcome"][tree.main_root] not in FINISHED:
            continue
        reweighing = Reweighing(tree)
        assert contradicting(made.log) == [], (seed, made.what)
        state = reweighing.at({}).choice
        assert state != "falls", (seed, made.what)
        n_certain += state == "certain"
        n_logs += 1
    assert n_certain > 0.9 * n_logs > 0


def test_machine_code_and_plain_python_give_the_same_bands() -> None:
    log = Reweighing(Tree(read_log((EXAMPLES / "connect-four-deepening.jsonl.gz").read_bytes())))
    for factor in range(len(log.weights)):
        log.compiled = False
        plain = log.bands(factor)
        log.compiled = True
        for one, other in zip(plain, log.bands(factor), strict=True):
            for curve, same in zip(one, other, strict=True):
                assert all(np.array_equal(a, b) for a, b in zip(curve, same, strict=True))


def test_leaves_without_factors_keep_their_scores_and_are_counted() -> None:
    log = of(leaf("a", 6, 3), {"ply": "b", "layer": "min", "outcome": "leaf", "score": 5})
    assert {each.ply: each.low for each in log.at({"f": 1}).plies} == {"b": 5, "a": 3}
    assert (log.n_leaves, log.n_moved) == (2, 1)


def test_a_fail_hard_leaf_counts_as_its_static_evaluation() -> None:
    clamped = leaf("b", 6, 1, static=4, alpha=6, beta=9)
    log = of(leaf("a", 6, 3, static=6), clamped, search={"fail": "hard"})
    assert {each.ply: each.low for each in log.at({}).plies} == {"a": 6, "b": 4}
