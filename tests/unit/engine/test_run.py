"""Whole runs: what limits, stopping, iterations and progress do to the result and to the log.

That windows, bounds and scores are right is held by random trees, in tests/property.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from plyscope.engine import jit
from plyscope.engine.games import find
from plyscope.engine.games.explicit_tree import GAME as TREE
from plyscope.engine.games.tictactoe import GAME as TICTACTOE
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.options import SearchOptions
from plyscope.engine.record.memory import reserve
from plyscope.engine.record.recording import Recording
from plyscope.engine.run import Iteration, Progress, search
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store import words
from tests.oracle import nodes_of
from tests.property.trees import told


def plain_search(game: Any, position: str | None = None, **options: Any) -> Recording:
    return search(game, position, SearchOptions(**options), compiled=False)


class SlowGame(type(TICTACTOE)):  # type: ignore[misc]
    """Tic-tac-toe in which every ply takes a millisecond of a clock of its own."""

    def __init__(self) -> None:
        self.now = 0.0

    def apply(self, state: Any, ply: int) -> None:
        self.now += 0.001
        TICTACTOE.apply(state, ply)


@pytest.fixture
def slow_game(monkeypatch: pytest.MonkeyPatch) -> SlowGame:
    game = SlowGame()
    monkeypatch.setattr("plyscope.engine.watch.time.perf_counter", lambda: game.now)
    return game


# The textbook ---------------------------------------------------------------------------------------------


def test_the_textbook_tree_is_cut_where_the_textbook_cuts_it() -> None:
    """The figure of every course: max over three min nodes; after 3, a 2 refutes the second and the third.

    Siblings are searched best first, so the 2 of the third node comes first and cuts there too.
    """
    log = log_from_recording(plain_search(TREE, "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", depth=2))
    rows = [
        (node.level, log.text(node.ply), node.score, words.BOUNDS[node.bound], words.OUTCOMES[node.outcome])
        for node in nodes_of(log)
        if not node.is_stub
    ]
    assert rows == [
        (0, None, 3.0, "exact", "searched"),
        (1, "a", 3.0, "exact", "searched"),
        (2, "a", 3.0, "exact", "leaf"),
        (2, "c", 8.0, "exact", "leaf"),
        (2, "b", 12.0, "exact", "leaf"),
        (1, "b", 2.0, "upper", "cutoff"),
        (2, "a", 2.0, "exact", "leaf"),
        (1, "c", 2.0, "upper", "cutoff"),
        (2, "c", 2.0, "exact", "leaf"),
    ]
    stubs = [node for node in nodes_of(log) if node.is_stub]
    assert log.stub_plies is not None
    assert [[log.texts[ply] for ply in log.stub_plies.of(stub.row)[0]] for stub in stubs] == [
        ["b", "c"],
        ["b", "a"],
    ]
    assert log.stub_plies.of(stubs[1].row)[1].tolist() == [5.0, 14.0]


def test_equal_pre_scores_stand_in_the_order_of_generation() -> None:
    log = log_from_recording(plain_search(TREE, "[[5, 5, 5], [5, 6, 5]]", depth=2, algorithm="minimax"))
    root = nodes_of(log)[0]
    below = [[log.text(leaf.ply) for leaf in node.visited] for node in root.visited]
    assert [log.text(node.ply) for node in root.visited] == ["a", "b"]
    assert below == [["a", "b", "c"], ["a", "c", "b"]]


@pytest.mark.parametrize("name", ["tictactoe", "connect_four", "reversi", "hive"])
def test_a_search_begins_at_a_state_as_at_its_text(name: str) -> None:
    arbiter = Arbiter(find(name))
    state, _ = arbiter.opening(4, 3)
    before = state.copy()
    options = SearchOptions(depth=2, limit=6)
    of_state, of_text = (
        search(arbiter.rules, position, options, compiled=False) for position in (state, arbiter.write(state))
    )
    assert np.array_equal(of_state.rows, of_text.rows)
    assert np.array_equal(of_state.factors, of_text.factors)
    assert of_state.header["position"] == of_text.header["position"]
    assert np.array_equal(state, before)


# Limits, stopping, memory ---------------------------------------------------------------------------------


def test_a_run_stopped_while_deepening_has_the_ply_of_the_last_finished_iteration() -> None:
    recording = plain_search(TICTACTOE, depth=9, nodes=1234, iterative=True)
    result = recording.header["result"]
    reached = result["depth"]
    assert 1 < reached < 9
    assert (result["nodes"], result["stopped"]) == (1234, "nodes")
    alone = plain_search(TICTACTOE, depth=reached)
    assert (recording.ply, recording.score) == (alone.ply, alone.score)
    assert recording.trees[result["root"]].iteration == reached
    log = log_from_recording(recording)
    assert check(log, compiled=False).findings() == []
    assert nodes_of(log)[log.roots[-1].row].outcome == words.STOPPED


@pytest.mark.parametrize(
    ("asked", "how", "stopped"),
    [
        ({}, {"should_stop": itertools.chain([False] * 2, itertools.repeat(True)).__next__}, "request"),
        ({"seconds": 0.5}, {}, "seconds"),
        ({}, {"first_rows": 10, "most_rows": 300}, "memory"),
    ],
)
def test_a_run_that_stops_leaves_a_whole_log(
    slow_game: SlowGame, asked: dict[str, Any], how: dict[str, Any], stopped: str
) -> None:
    recording = search(slow_game, options=SearchOptions(depth=9, **asked), compiled=False, **how)
    assert recording.header["result"]["stopped"] == stopped
    assert stopped != "seconds" or 0.5 <= recording.header["result"]["seconds"] < 0.6
    assert stopped != "memory" or 290 < len(recording.rows) <= 300
    assert check(log_from_recording(recording), compiled=False).findings() == []


def test_a_search_whose_stubs_run_out_of_room_goes_on_where_it_was() -> None:
    """Most plies are dropped: there is room for rows long after there is none for what stubs stand for."""
    tree = str([list(range(60))] * 14)
    options = SearchOptions(depth=2, limit=14, algorithm="minimax")
    whole = search(TREE, tree, options, compiled=False)
    assert len(whole.stub_plies) > 2 * len(whole.rows) + 2 * TREE.max_plies
    assert told(search(TREE, tree, options, compiled=False, first_rows=50)) == told(whole)


def test_a_system_that_lends_less_memory_gets_asked_for_less(monkeypatch: pytest.MonkeyPatch) -> None:
    lent = []

    def lend(n_rows: int, *shape: Any, **said: Any) -> Any:
        lent.append(n_rows)
        if n_rows > 300_000:
            raise MemoryError
        return reserve(n_rows, *shape, **said)

    monkeypatch.setattr("plyscope.engine.record.memory.reserve", lend)
    monkeypatch.setattr("plyscope.engine.run.machine_rows", lambda *_, **__: 1_000_000)
    assert plain_search(TICTACTOE, depth=4).ply == "b2"
    assert lent == [1_000_000, 500_000, 250_000]
    monkeypatch.setattr("plyscope.engine.record.memory.reserve", lambda *shape, **said: lend(1_000_000))
    with pytest.raises(MemoryError):
        plain_search(TICTACTOE, depth=4)


def test_a_win_counts_more_than_any_evaluation_whatever_the_weights() -> None:
    recording = plain_search(TICTACTOE, "XX. OO. ... X", depth=2, weights={"centre": 1e7, "twos": 1e7})
    assert recording.ply == "c3"
    assert recording.header["search"]["mate"]["score"] == 1e12
    assert recording.score == 1e12 - 1


def test_only_the_last_iteration_is_kept_where_asked_and_deepening_ends_with_the_lines() -> None:
    kept = plain_search(TICTACTOE, depth=4, iterative=True, keep="last")
    assert told(kept)[1] == told(plain_search(TICTACTOE, depth=4))[1]
    assert kept.header["result"]["root"] == 0
    played_out = plain_search(TREE, "[[1, 2], 3]", depth=50, iterative=True).header["result"]
    assert (played_out["depth"], "stopped" in played_out) == (2, False)


# Progress -------------------------------------------------------------------------------------------------


def test_progress_and_the_best_ply_so_far_are_told_at_least_ten_times_a_second(slow_game: SlowGame) -> None:
    reports: list[Progress] = []
    search(slow_game, options=SearchOptions(depth=6), on_progress=reports.append, compiled=False)
    assert len(reports) > 5
    for sooner, later in itertools.pairwise(reports):
        assert later.seconds - sooner.seconds < 0.1
        assert sooner.nodes < later.nodes
    assert all(report.phase == "searching" and report.depth == 6 for report in reports)
    assert reports[0].ply is None
    assert (reports[-1].ply, reports[-1].score) == ("b2", 2.0)


def test_a_cold_compilation_is_announced(monkeypatch: pytest.MonkeyPatch) -> None:
    reports: list[Progress] = []
    monkeypatch.setattr(jit, "needs_compiling", lambda *_: True)
    search(find("connect_four"), options=SearchOptions(depth=2), on_progress=reports.append, compiled=True)
    assert reports[0] == Progress("compiling", "connect_four")


def test_every_iteration_that_is_done_is_told_with_its_line() -> None:
    """Without rows the line comes from the table; it is that of the rows, or what begins it."""
    options = {"depth": 5, "algorithm": "pvs", "iterative": True, "table": 1.0}
    told: dict[bool, list[Iteration]] = {}
    for record in (False, True):
        told[record] = []
        asked = SearchOptions(**options, record=record)  # type: ignore[arg-type]
        recording = search(TICTACTOE, "X........ O", asked, compiled=False, on_iteration=told[record].append)
    assert [each.depth for each in told[True]] == [1, 2, 3, 4, 5]
    last = told[True][-1]
    assert (last.ply, last.score, list(last.line)) == (
        recording.ply,
        recording.score,
        recording.header["result"]["pv"],
    )
    for lean, full in zip(told[False], told[True], strict=True):
        assert (lean.depth, lean.ply, lean.score) == (full.depth, full.ply, full.score)
        assert lean.line == full.line[: len(lean.line)]
    assert len(told[False][-1].line) > 1
    for position, nodes, depths in ((None, 200, [1, 2, 3]), ("XXXOO.... O", None, [])):
        done: list[Iteration] = []  # but not one that was stopped, or of a game that is over
        asked = SearchOptions(depth=9, nodes=nodes, iterative=True)
        search(TICTACTOE, position, asked, compiled=False, on_iteration=done.append)
        assert [each.depth for each in done] == depths
