"""The course of a Monte Carlo search: how it ends, what it tells meanwhile, what its log holds."""

from __future__ import annotations

import time
from typing import Any

import pytest

from plyscope.engine.games.tictactoe import GAME as TICTACTOE
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.montecarlo.run import Progress, search
from plyscope.engine.record.recorded_search import AgainError, recorded_search
from tests.unit.engine.montecarlo.searches import findings, found, told


@pytest.mark.parametrize(
    ("ends", "stopped"),
    [({"should_stop": iter([False, False, True]).__next__}, "request"), ({"most_nodes": 300}, "memory")],
)
def test_a_stopped_search_leaves_a_whole_log(ends: dict[str, Any], stopped: str) -> None:
    options = MonteCarloOptions(playouts=100_000, seed=1)
    recording = search(TICTACTOE, None, options, compiled=False, **ends)
    result = recording.header["result"]
    assert result["stopped"] == stopped
    assert 0 < result["playouts"] < 100_000
    assert recording.figures is not None
    assert recording.figures["visits"][recording.trees[-1].row] == result["playouts"]
    assert findings(recording) == []


def test_time_ends_a_search_and_early_trees_are_noted_by_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """By processor time: a machine that pauses the search would have it pass an early tree."""
    monkeypatch.setattr("plyscope.engine.watch.time.perf_counter", time.thread_time)
    recording = found(TICTACTOE, seconds=0.3, seed=1)
    result = recording.header["result"]
    assert result["stopped"] == "seconds"
    assert [tree.iteration for tree in recording.trees] == sorted({t.iteration for t in recording.trees})
    assert recording.trees[-1].iteration == result["playouts"]
    assert len(recording.trees) == 3
    assert findings(recording) == []


def test_a_finished_game_has_no_ply() -> None:
    recording = found(TICTACTOE, "XXX OO. ...", playouts=10)
    assert (recording.ply, recording.score, len(recording.rows)) == (None, None, 1)


def test_progress_tells_play_outs_and_the_choice_so_far() -> None:
    told_of: list[Progress] = []
    search(TICTACTOE, None, MonteCarloOptions(playouts=200, seed=1), told_of.append, compiled=False)
    assert told_of[-1].playouts == told_of[-1].of == 200
    assert told_of[-1].ply in {"b2", "a1", "a3", "c1", "c3"}
    assert [each.playouts for each in told_of] == sorted(each.playouts for each in told_of)


def test_a_seed_that_was_drawn_is_logged_and_gives_the_same_search() -> None:
    first = found(TICTACTOE, playouts=50)
    again = found(TICTACTOE, playouts=50, seed=first.header["result"]["seed"])
    assert told(first) == told(again)


def test_a_search_without_rows_finds_the_same_ply() -> None:
    full, bare = (found(TICTACTOE, playouts=300, seed=9, record=record) for record in (True, False))
    assert (bare.ply, bare.score, len(bare.rows)) == (full.ply, full.score, 0)


def test_a_log_of_it_is_not_searched_again() -> None:
    header = found(TICTACTOE, playouts=20, seed=1).header
    with pytest.raises(AgainError, match="only minimax, alphabeta and pvs are searched again"):
        recorded_search(header)
