"""A recording as a log: every column as the search meant it, seen from the root player."""

from __future__ import annotations

from typing import Any

import numpy as np

from plyscope.engine.game import State
from plyscope.engine.games.explicit_tree import GAME as TREE
from plyscope.engine.games.tictactoe import GAME as TICTACTOE
from plyscope.engine.games.tictactoe import TicTacToe
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import COLUMNS, GIVEN, MATRICES
from plyscope.visualizer.store.log import Log
from tests.oracle import nodes_of


def log_of(game: Any, position: str | None = None, **options: Any) -> Log:
    return log_from_recording(search(game, position, SearchOptions(**options), compiled=False))


def test_columns_have_the_types_and_absent_values_of_the_contract() -> None:
    log = log_of(TICTACTOE, depth=5, limit=5)
    for name, values in log.columns.items():
        if name in MATRICES:
            assert values.shape == (log.n_rows, 4)
            continue
        assert values.dtype == COLUMNS[name].dtype, name
        assert len(values) == log.n_rows
    stub = next(node for node in nodes_of(log) if node.is_stub)
    for name in ("player", "layer", "purpose", "bound", "moves", "depth", "score", "alpha", "static", "ply"):
        assert np.array_equal(stub.fields[name], COLUMNS[name].absent, equal_nan=True), name
    assert stub.given == 0


def test_given_bits_say_what_each_row_states() -> None:
    log = log_of(TREE, '[[1, 2], {"ending": "draw"}]', depth=2)
    stated = {
        (node.level, words.OUTCOMES[node.outcome]): {name for name, bit in GIVEN.items() if node.given & bit}
        for node in nodes_of(log)
    }
    everything = {"score", "alpha", "beta", "static", "key"}
    assert stated[0, "searched"] == everything
    assert stated[1, "terminal"] == everything - {"static"} | {"pre_score"}
    assert stated[2, "leaf"] == everything | {"pre_score"}
    log = log_of(TICTACTOE, depth=2, algorithm="minimax")  # without windows, one tree without an iteration
    assert log.column("alpha") is None
    assert not (log.columns["given"] & (GIVEN["alpha"] | GIVEN["beta"])).any()
    assert [root.iteration for root in log.roots] == [None]


def test_factors_are_seen_from_the_root_player() -> None:
    """Noughts hold the centre and are to move: what they lead in is positive."""
    log = log_of(TICTACTOE, "X.. .O. X..", depth=1)
    assert log.columns["factors"][0].tolist() == [1.0, -2.0, -1.0, -1.0]
    assert not np.signbit(log.columns["factors"][log.columns["factors"] == 0]).any()


class BySparseNumbers(TicTacToe):
    """Tic-tac-toe whose plies are numbers far apart."""

    def generate(self, state: State, plies: Any) -> int:
        n = TICTACTOE.generate(state, plies)
        plies[:n] = plies[:n] * 200_000_000
        return n

    def apply(self, state: State, ply: int) -> None:
        TICTACTOE.apply(state, int(ply) // 200_000_000)

    def write_ply(self, state: State, ply: int) -> str:
        return TICTACTOE.write_ply(state, int(ply) // 200_000_000)


def test_plies_may_be_any_numbers() -> None:
    options: dict[str, Any] = {"depth": 4, "limit": 3}
    log, twin = log_of(BySparseNumbers(), **options), log_of(TICTACTOE, **options)
    assert log.texts == twin.texts
    assert log.columns["ply"].tolist() == twin.columns["ply"].tolist()
    assert str(log.stub_plies) == str(twin.stub_plies)


def test_plies_of_one_name_are_one_text_wherever_they_stand_in_a_tree() -> None:
    log = log_of(
        TREE, '{"children": {"x": {"children": {"x": 3, "y": 4}}, "y": {"children": {"x": 1}}}}', depth=2
    )
    assert sorted(log.texts) == ["x", "y"]
    assert [log.text(ply) for ply in log.columns["ply"]] == [None, "x", "x", "y", "y", "x"]
