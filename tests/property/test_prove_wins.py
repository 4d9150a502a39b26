"""Wins and losses that a search with a branching limit calls proven, held against every ply there is."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from plyscope.engine.games import find
from plyscope.engine.options import SearchOptions
from plyscope.engine.record.recording import Recording
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.nodes.proof import proof_of
from plyscope.visualizer.formats.seal.recording import log_from_recording
from tests.oracle import minimax
from tests.property.examples import examples
from tests.property.test_techniques import TREE, options, played
from tests.property.trees import trees
from tests.unit.logs import there


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
    findings = check(log, compiled=False).findings()
    if asked.reverse_futility is not None or asked.null_move is not None or asked.lmr is not None:
        # An estimate's bound and a visit may contradict one another: odd, as in any such search.
        findings = [finding for finding in findings if finding.severity != "odd"]
    assert findings == []
    if claims and result["rank"] == 0 and asked.quiescence is None:
        proof = there(proof_of(log, log.roots[result["root"]].row))
        assert proof.verdict == "proven"


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

    @settings(max_examples=examples(30), deadline=None)
    @given(st.lists(st.integers(0, 63), max_size=30), asked)
    def finds(choices: list[int], asked: SearchOptions) -> None:
        if asked.null_move is not None and not hasattr(game, "pass_turn"):
            asked = replace(asked, null_move=None)
        assert_leaves_nothing_unproven(game, played(game, choices), asked, compiled=compiled)

    finds()
