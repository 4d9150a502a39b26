"""A run goes over from plain Python to machine code between two slices, and its log is the same."""

from __future__ import annotations

import io
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any
from unittest.mock import Mock

import pytest

from plyscope.engine import algorithms, jit, step
from plyscope.engine.games import find
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.options import SearchOptions
from plyscope.engine.record.recording import Recording

GAME = find("connect_four")
ALPHA_BETA = SearchOptions(depth=6, algorithm="pvs", iterative=True)
TREE = MonteCarloOptions(playouts=300, seed=5)


class Maker:
    """A process that has compiled the fourth time that it is asked."""

    def __init__(self) -> None:
        self.n_asked = 0

    def poll(self) -> int | None:
        self.n_asked += 1
        return None if self.n_asked < 4 else 0


@pytest.fixture
def nothing_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine that has compiled nothing, and where half a second is over at once."""
    monkeypatch.setattr(step, "PATIENCE", 0.0)
    monkeypatch.setattr(step, "_makers", {})
    monkeypatch.setattr(jit, "is_at_hand", lambda function, arguments: False)


def search(options: Any, **how: Any) -> tuple[Recording, list[Any]]:
    reports: list[Any] = []
    run: Callable[..., Recording] = algorithms.find(options.algorithm).search
    return run(GAME, None, options, reports.append, **how), reports


def content(recording: Recording) -> list[Any]:
    arrays = recording.rows, recording.factors, recording.stub_plies
    return [array.tobytes() for array in arrays]


@pytest.mark.parametrize("options", [ALPHA_BETA, TREE], ids=["alpha-beta", "tree"])
def test_a_run_that_goes_over_to_machine_code_has_the_same_log(
    nothing_made: None, monkeypatch: pytest.MonkeyPatch, options: Any
) -> None:
    maker = Maker()
    monkeypatch.setattr(step, "_maker", lambda module, game, options: maker)
    found, reports = search(options)
    assert maker.n_asked == 4
    assert (reports[0].is_compiling, reports[-1].is_compiling) == (True, False)
    assert content(found) == content(search(options, compiled=False)[0])


@pytest.mark.parametrize("lacks", ["the game by its name", "processes"])
def test_what_no_other_process_can_make_is_compiled_here(
    nothing_made: None, monkeypatch: pytest.MonkeyPatch, lacks: str
) -> None:
    if lacks == "processes":
        monkeypatch.setattr(subprocess, "Popen", Mock(side_effect=OSError("no more processes")))
    else:
        monkeypatch.setattr(step, "GAMES", {})
    found, reports = search(ALPHA_BETA)
    assert not any(each.is_compiling for each in reports)
    assert content(found) == content(search(ALPHA_BETA, compiled=False)[0])


@pytest.mark.parametrize("options", [ALPHA_BETA, TREE], ids=["alpha-beta", "tree"])
def test_the_other_process_makes_the_code_that_is_awaited(
    nothing_made: None, monkeypatch: pytest.MonkeyPatch, options: Any
) -> None:
    """What it is told is read and obeyed here: the same kernel, for arguments of the same types."""
    made: list[Any] = []
    load, process = jit.load, Mock()
    process.return_value.poll.return_value = None

    def note(kernel: Any, *given: Any) -> None:
        made.append((kernel, *map(jit.form, given)))
        load(kernel, *given)

    monkeypatch.setattr(subprocess, "Popen", process)
    monkeypatch.setattr(jit, "load", note)
    search(options)
    assert made == []
    assert process.call_args[0][0][0] == sys.executable
    (task,) = process.return_value.stdin.write.call_args[0]
    assert pickle.loads(task)[1:] == ("connect_four", options)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(task)))
    algorithms.make_ready()
    search(options, compiled=True)
    assert made[0] == made[1]
