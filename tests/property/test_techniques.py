"""Every combination of techniques that promises it finds plain minimax's score, compiled and plain.

It is promised where table entries are used at equal depth only, wins are shifted by their distance, and no
reductions, null moves, estimates or carried tables are on.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from plyscope.engine.game import ONGOING
from plyscope.engine.games import find
from plyscope.engine.options import SearchOptions
from plyscope.engine.record.recording import Recording
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.nodes.proof import proof_of
from plyscope.visualizer.analysis.statistics.run import counted_in
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store import words
from plyscope.visualizer.store.tree import Tree
from tests.oracle import minimax, nodes_of
from tests.property.examples import examples
from tests.property.trees import told, trees
from tests.unit.logs import there

TREE: Any = find("explicit_tree")

EXACT: dict[str, st.SearchStrategy[Any]] = {
    "algorithm": st.sampled_from(["minimax", "alphabeta", "pvs", "pvs"]),
    "limit": st.sampled_from([None, None, 1, 2, 3]),
    "iterative": st.booleans(),
    "table": st.sampled_from([None, 0.0001, 0.001, 1.0]),
    "table_use": st.sampled_from(["cut", "narrow"]),
    "table_keep": st.sampled_from(["iterations", "clear"]),
    "keep": st.sampled_from(["all", "last"]),
    "killers": st.booleans(),
    "history": st.booleans(),
    "iid": st.sampled_from([None, 1, 2]),
    "fail": st.sampled_from(["soft", "hard"]),
}
INEXACT: dict[str, st.SearchStrategy[Any]] = {
    "table_depth": st.sampled_from(["equal", "at_least"]),
    "null_move": st.sampled_from([None, 1, 2]),
    "lmr": st.sampled_from([None, 1, 2]),
    "reverse_futility": st.sampled_from([None, 0.5, 2.0]),
    "prove_wins": st.booleans(),
}
PLAIN = ("depth", "limit", "algorithm", "iterative", "aspiration", "quotient", "seed")
QUIESCENCE = st.sampled_from([None, 1, 2, 6])
WIDTHS = st.sampled_from([None, 0.5, 2.0, 50.0])


@st.composite
def options(
    draw: st.DrawFn, *, deepest: int = 7, inexact: bool = False, quiescence: bool = True
) -> SearchOptions:
    """Any combination of options that makes sense."""
    said = draw(st.fixed_dictionaries(EXACT | (INEXACT if inexact else {})))
    said["depth"] = draw(st.integers(1, deepest))
    said["quiescence"] = draw(QUIESCENCE) if quiescence else None
    said["quotient"], said["seed"] = draw(st.sampled_from([None, None, 2, 3])), draw(st.integers(0, 99))
    if said["table"] is None:
        for name in ("table_use", "table_keep", "table_depth"):
            said.pop(name, None)
    if said["algorithm"] == "minimax":
        for name in ("null_move", "lmr", "reverse_futility"):
            said.pop(name, None)
    elif said["iterative"]:
        said["aspiration"] = draw(WIDTHS)
    return SearchOptions(**said)


def assert_finds_what_minimax_finds(game: Any, text: str, asked: SearchOptions, *, compiled: bool) -> None:
    recording = search(game, text, asked, compiled=compiled)
    state = game.read_position(text)
    mate = recording.header["search"]["mate"]["score"]
    scores = minimax(game, state, asked.depth, asked.limit or 99, mate, asked.quiescence or 0)
    if game.status(state) != ONGOING:
        assert recording.ply is None
        return
    assert recording.ply is not None
    ranked = sorted(scores.values(), reverse=True)
    assert recording.score == ranked[recording.header["result"]["rank"]]
    assert scores[game.read_ply(state, recording.ply)] == recording.score


@settings(max_examples=examples(400), deadline=None)
@given(trees(), options())
def test_every_combination_of_exact_techniques_finds_what_plain_minimax_finds(
    tree: str, asked: SearchOptions
) -> None:
    assert_finds_what_minimax_finds(TREE, tree, asked, compiled=False)


@pytest.mark.slow
@settings(max_examples=examples(150), deadline=None)
@given(trees(), options(inexact=True), st.sampled_from([None, None, 20]))
def test_compiled_and_plain_searches_write_the_same_rows_and_counters(
    tree: str, asked: SearchOptions, nodes: int | None
) -> None:
    asked = replace(asked, nodes=nodes)
    plain, compiled = (told(search(TREE, tree, asked, compiled=each)) for each in (False, True))
    assert plain == compiled


@settings(max_examples=examples(300), deadline=None)
@given(trees(), options(inexact=True), st.sampled_from([None, 5, 20, 60]))
def test_check_finds_nothing_wrong_in_any_log_and_counters_are_those_of_the_techniques_that_are_on(
    tree: str, asked: SearchOptions, nodes: int | None
) -> None:
    recording = search(TREE, tree, replace(asked, nodes=nodes), compiled=False)
    assert check(log_from_recording(recording), compiled=False).findings(severity="wrong") == []
    counters = recording.header["result"].get("counters", {})
    on = {
        "table": asked.table is not None,
        "table_cuts": asked.table is not None,
        "scouts": asked.algorithm == "pvs",
        "stand_pat": asked.quiescence is not None,
        **{name: getattr(asked, name) for name in ("killers", "history", "prove_wins")},
        **{
            name: getattr(asked, name) is not None
            for name in ("aspiration", "iid", "null_move", "lmr", "reverse_futility")
        },
    }
    assert set(counters) == {name for name, is_on in on.items() if is_on}
    for pair in counters.values():
        assert 0 <= pair["succeeded"] <= pair["tried"]


@given(trees(), options(), st.integers(1, 40))
def test_a_search_stopped_anywhere_leaves_the_beginning_of_the_whole_log(
    tree: str, asked: SearchOptions, nodes: int
) -> None:
    plain = SearchOptions(**{name: getattr(asked, name) for name in PLAIN})
    whole, part = (
        log_from_recording(search(TREE, tree, replace(plain, nodes=most), compiled=False))
        for most in (None, nodes)
    )
    for cut, full in zip(nodes_of(part), nodes_of(whole), strict=False):
        assert part.text(cut.fields.pop("ply")) == whole.text(full.fields.pop("ply"))
        if cut.outcome == words.STOPPED:
            assert (cut.level, cut.key, cut.moves) == (full.level, full.key, full.moves)
        else:
            assert str(cut.fields) == str(full.fields)


def played(game: Any, choices: list[int]) -> str:
    """The text of the position after so many plies, each chosen by a number; the last that is not over."""
    state = game.read_position(game.start)
    plies = np.zeros(game.max_plies, np.int32)
    for choice in choices:
        after = state.copy()
        game.apply(after, int(plies[choice % game.generate(state, plies)]))
        if game.status(after) != ONGOING:
            break
        state = after
    return str(game.write_position(state))


@settings(max_examples=examples(500), deadline=None)
@given(trees(), options(deepest=5))
def test_what_is_said_for_sure_of_a_smaller_limit_is_what_a_search_with_it_does(
    tree: str, asked: SearchOptions
) -> None:
    """Tables, killers and history may reorder the plies of the one that is asked."""
    recording = search(TREE, tree, replace(asked, quotient=None), compiled=False)
    limits = counted_in(Tree(log_from_recording(recording)), compiled=False).limits
    plain = SearchOptions(depth=asked.depth, algorithm="alphabeta", quiescence=asked.quiescence)
    for each in limits.each if limits is not None else ():
        limited = search(TREE, tree, replace(plain, limit=each.limit), compiled=False)
        is_kept = limited.header["result"].get("ply") == limits.ply
        assert each.decision == "unknown" or is_kept == (each.decision == "kept"), each.limit


def affordable(asked: SearchOptions) -> SearchOptions:
    """The options; at full width two plies beyond the horizon at most, or plain minimax takes minutes."""
    is_wide = asked.limit is None and asked.quiescence is not None and asked.quiescence > 2
    return replace(asked, quiescence=2) if is_wide else asked


def over_the_games(
    game: Any, asked: st.SearchStrategy[SearchOptions], n_examples: int, hold: Callable[..., None]
) -> None:
    """Hold something of searches with these options, in positions that random plies lead to."""

    @settings(max_examples=examples(n_examples), deadline=None)
    @given(st.lists(st.integers(0, 63), max_size=50), asked)
    def holds(choices: list[int], asked: SearchOptions) -> None:
        hold(game, played(game, choices), asked)

    holds()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "deepest", "compiled"),
    [
        ("tictactoe", 4, False),
        ("reversi", 2, False),
        *(("connect_four", 2, compiled) for compiled in (False, True)),
        *(pytest.param(name, 2, True, marks=pytest.mark.sweep) for name in ("tictactoe", "reversi")),
    ],
)
def test_over_the_games_every_combination_finds_what_plain_minimax_finds(
    name: str, deepest: int, compiled: bool
) -> None:
    game: Any = find(name)
    asked = options(deepest=deepest, quiescence=hasattr(game, "noisy")).map(affordable)
    over_the_games(game, asked, 15, partial(assert_finds_what_minimax_finds, compiled=compiled))


# Wins and losses that a search with a branching limit calls proven, held against every ply there is.


def asked_for_proofs(**said: Any) -> st.SearchStrategy[SearchOptions]:
    """Any combination of options, with a limit, that is to prove its wins."""
    limits = st.sampled_from([1, 2, 3])
    return st.builds(
        lambda asked, limit: replace(asked, limit=limit, prove_wins=True), options(**said), limits
    )


def is_true(game: Any, text: str, recording: Recording) -> bool:
    """Whether the win or loss of the chosen ply, where it claims one, is one at full width, and as near."""
    mate = recording.header["search"]["mate"]
    score = recording.score
    if recording.ply is None or score is None or abs(score) < mate["threshold"]:
        return True
    state = game.read_position(text)
    distance = math.ceil(mate["score"] - abs(score))
    worth = minimax(game, state, distance, mate=mate["score"])[game.read_ply(state, recording.ply)]
    return worth >= score if score > 0 else worth <= score


def assert_leaves_nothing_unproven(game: Any, text: str, asked: SearchOptions, *, compiled: bool) -> None:
    recording = search(game, text, asked, compiled=compiled)
    result, mate = recording.header["result"], recording.header["search"]["mate"]
    tried = result["counters"]["prove_wins"]
    assert tried["tried"] == tried["succeeded"]
    assert is_true(game, text, recording)
    claims = recording.ply is not None and abs(recording.score or 0) >= mate["threshold"]
    assert recording.is_proven == claims
    log = log_from_recording(recording)
    # An estimate's bound and a visit may contradict one another: odd, as in any such search.
    guesses = asked.reverse_futility is not None or asked.null_move is not None or asked.lmr is not None
    assert check(log, compiled=False).findings(severity="wrong" if guesses else None) == []
    if claims and result["rank"] == 0 and asked.quiescence is None:
        proof = there(proof_of(log, log.roots[result["root"]].row))
        assert proof.verdict == "proven"


def test_a_ply_that_was_drawn_by_rank_does_not_keep_a_loss_that_other_replies_refute() -> None:
    asked = SearchOptions(depth=4, limit=2, algorithm="minimax", quotient=2, seed=1, prove_wins=True)
    assert_leaves_nothing_unproven(find("tictactoe"), "... ..X O.. X", asked, compiled=False)


@settings(max_examples=examples(300), deadline=None)
@given(trees(), asked_for_proofs(inexact=True))
def test_a_search_without_end_leaves_no_win_or_loss_that_is_false_at_full_width(
    tree: str, asked: SearchOptions
) -> None:
    assert_leaves_nothing_unproven(TREE, tree, asked, compiled=False)


@pytest.mark.parametrize(
    ("name", "deepest", "compiled"),
    [
        ("tictactoe", 6, False),
        ("connect_four", 4, False),
        pytest.param("connect_four", 4, True, marks=pytest.mark.slow),
        pytest.param("tictactoe", 6, True, marks=pytest.mark.sweep),
    ],
)
def test_over_the_games_every_win_or_loss_is_true_at_full_width(
    name: str, deepest: int, compiled: bool
) -> None:
    game: Any = find(name)
    asked = asked_for_proofs(deepest=deepest, inexact=True, quiescence=hasattr(game, "noisy"))
    if not hasattr(game, "pass_turn"):
        asked = asked.map(lambda asked: replace(asked, null_move=None))
    over_the_games(game, asked, 30, partial(assert_leaves_nothing_unproven, compiled=compiled))
