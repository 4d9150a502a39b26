"""All rules asked of one log: in pieces, on several processors, with progress, until somebody stops it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from plyscope.engine.games import tictactoe
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check import run
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.rules.keys import key_pass
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Sight, sight_of
from plyscope.visualizer.analysis.columns.sweep import derive
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.log import Log
from tests.both_ways import plain_and_compiled
from tests.unit.logs import log_of


@pytest.fixture(scope="module")
def searched() -> Log:
    """Two hundred rows, every ninth score spoilt."""
    options = SearchOptions(depth=4, limit=4, algorithm="pvs", iterative=True, table=1.0)
    log = log_from_recording(search(tictactoe.GAME, options=options, compiled=False))
    score = log.columns["score"].copy()
    score[::9] += 3.0
    return replace(log, columns={**log.columns, "score": score})


@plain_and_compiled
def test_a_check_in_many_pieces_finds_what_one_in_one_piece_finds(
    searched: Log, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = check(searched, compiled=False)
    monkeypatch.setattr(run, "CHUNK", 20)
    monkeypatch.setattr(key_pass, "CHUNK", 20)
    key_pass._flags.clear()
    assert searched.n_rows > 200
    assert len(whole) > 20
    assert check(searched, compiled=compiled).findings() == whole.findings()


@plain_and_compiled
def test_the_progress_of_a_check_ends_at_one_and_never_passes_it(
    searched: Log, compiled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    check(searched, compiled=compiled)
    monkeypatch.setattr(run, "CHUNK", 20)
    said: list[float] = []
    check(searched, compiled=compiled, on_progress=said.append)
    assert len(said) > searched.n_rows / 20
    assert max(said) == pytest.approx(1.0)
    assert all(0 < part < 1 + 1e-9 for part in said)


class Counting(np.ndarray[Any, Any]):
    """An array that counts how often its items are read."""

    n_read = 0

    def __getitem__(self, index: Any) -> Any:
        Counting.n_read += 1
        return super().__getitem__(index)


@pytest.mark.parametrize("wanted", ["p7", "none of them"])
def test_a_table_ply_is_looked_for_once_among_the_children(wanted: str) -> None:
    n = 300
    children = [{"ply": f"p{i}", "layer": "min", "score": 1} for i in range(n)]
    root = {"layer": "max", "score": 1, "moves": n, "tt": {"use": "order", "ply": wanted}}
    sight = derive(sight_of(log_of({**root, "children": children})), Work())
    Counting.n_read = 0
    violates = RULES["tt-ply"].violates
    assert violates is not None
    assert violates(sight._replace(ply=sight.ply.view(Counting)), 0) == (wanted == "none of them")
    assert 0 < Counting.n_read <= 2 * n


def test_the_bar_gives_a_rule_over_the_whole_log_as_much_room_as_its_effort(searched: Log) -> None:
    """One rule of effort 3 and one of 1; neither reads the log."""

    def find(sight: Sight, work: Work) -> npt.NDArray[np.int64]:
        work.go_on(0.5)
        return np.zeros(0, np.int64)

    rules = {
        name: replace(RULES["replay"], find=find, effort=effort) for name, effort in (("a", 3), ("b", 1))
    }
    said: list[float] = []
    run.scan(sight_of(searched), rules, Work(on_progress=said.append))
    assert said == pytest.approx([0.375, 0.875, 1])
    assert RULES["replay"].effort == max(rule.effort for rule in RULES.values())
