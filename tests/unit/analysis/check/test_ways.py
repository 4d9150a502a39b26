"""The way in which kernels run: by the size of a log and what is compiled; their memory is used again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from plyscope.engine.games import find
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.report import Report
from plyscope.visualizer.analysis.check.run import COMING, check
from plyscope.visualizer.analysis.columns import kernel_call
from plyscope.visualizer.analysis.columns.kernel_call import Scratch, Work
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.log import Log


@pytest.fixture
def searched() -> Log:
    """A search of a game whose plies can be played again."""
    options = SearchOptions(depth=3)
    return log_from_recording(search(find("tictactoe"), options=options, compiled=False))


def count(values: Any, found: Any) -> None:
    """Stands for a kernel."""
    found[0] = len(values)


def test_no_machine_code_is_compiled_where_it_may_be_at_hand_and_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kernel_call, "missed", missed := set[str]())
    monkeypatch.setattr("plyscope.engine.jit.is_at_hand", lambda *arguments: False)
    monkeypatch.setattr("plyscope.engine.jit.compiled", None)
    found = np.zeros(1, np.int64)
    Work(None).run(count)(np.zeros(3), found)
    assert (found.tolist(), missed) == ([3], {"count"})


def test_machine_code_that_is_at_hand_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Callable[..., Any]] = []

    def machine_code(function: Callable[..., Any]) -> Callable[..., Any]:
        asked.append(function)
        return function

    monkeypatch.setattr("plyscope.engine.jit.is_at_hand", lambda *arguments: True)
    monkeypatch.setattr("plyscope.engine.jit.needs_compiling", lambda *arguments: False)
    monkeypatch.setattr("plyscope.engine.jit.compiled", machine_code)
    Work(None).run(count)(np.zeros(3), np.zeros(1))
    assert asked == [count]


def test_all_rules_but_the_replay_answer_before_it_begins(searched: Log) -> None:
    first: list[Report] = []
    parts: list[float] = []
    whole = check(searched, on_progress=parts.append, on_first=lambda report: first.append(report))
    (before,) = first
    assert set(whole.checked) - set(before.checked) == {"replay"}
    assert [one.why for one in before.not_checked if one.rule == "replay"] == [COMING]
    assert all(one.rule != "replay" for one in whole.not_checked)
    assert parts == sorted(parts)


def test_nothing_comes_first_where_no_rule_answers_last(searched: Log) -> None:
    first: list[Report] = []
    check(searched, ignore=["replay"], on_first=first.append)
    assert first == []


def test_a_log_of_a_middle_size_is_found_to_be_the_same_without_machine_code(
    searched: Log, monkeypatch: pytest.MonkeyPatch
) -> None:
    score = searched.columns["score"]
    score[::7] += 1.0
    plain = check(searched, compiled=False).findings()
    monkeypatch.setattr("plyscope.engine.jit.is_at_hand", lambda *arguments: False)
    assert check(searched).findings() == plain
    monkeypatch.setattr(kernel_call, "QUICK_ROWS", 0)
    assert check(searched).findings() == plain
    assert len(plain) > 3


def test_arrays_of_one_request_do_not_overlap() -> None:
    flags, numbers, codes = Scratch().take((3, np.uint8), (5, np.float64), (0, np.int32))
    flags[:], numbers[:] = 7, 1.5
    assert flags.tolist() == [7, 7, 7]
    assert numbers.tolist() == [1.5] * 5
    assert len(codes) == 0


def test_a_request_reuses_the_memory_of_an_earlier_one_that_was_as_large() -> None:
    scratch = Scratch()
    (first,) = scratch.take((100, np.int64))
    (second,) = scratch.take((30, np.float64))
    assert np.shares_memory(first, second)


def test_a_larger_request_leaves_the_arrays_of_an_earlier_one_alone() -> None:
    scratch = Scratch()
    (first,) = scratch.take((3, np.int64))
    first[:] = 1
    (larger,) = scratch.take((1000, np.int64))
    larger[:] = 2
    assert first.tolist() == [1, 1, 1]
