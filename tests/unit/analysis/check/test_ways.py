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


def test_machine_code_that_is_at_hand_is_called_and_none_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kernel_call, "missed", missed := set[str]())
    monkeypatch.setattr("plyscope.engine.jit.is_at_hand", lambda *arguments: False)
    monkeypatch.setattr("plyscope.engine.jit.compiled", None)
    found = np.zeros(1, np.int64)
    Work(None).run(count)(np.zeros(3), found)
    assert (found.tolist(), missed) == ([3], {"count"})
    asked: list[Callable[..., Any]] = []
    monkeypatch.setattr("plyscope.engine.jit.is_at_hand", lambda *arguments: True)
    monkeypatch.setattr("plyscope.engine.jit.needs_compiling", lambda *arguments: False)
    monkeypatch.setattr("plyscope.engine.jit.compiled", lambda kernel: asked.append(kernel) or kernel)
    Work(None).run(count)(np.zeros(3), np.zeros(1))
    assert asked == [count]


def test_a_request_reuses_the_memory_of_an_earlier_one_and_leaves_the_arrays_of_a_smaller_alone() -> None:
    scratch = Scratch()
    flags, numbers, codes = scratch.take((3, np.uint8), (5, np.float64), (0, np.int32))
    flags[:], numbers[:] = 7, 1.5
    assert (flags.tolist(), numbers.tolist(), len(codes)) == ([7] * 3, [1.5] * 5, 0)
    (again,) = scratch.take((5, np.float64))
    assert np.shares_memory(again, flags) or np.shares_memory(again, numbers)
    again[:] = 1
    (larger,) = scratch.take((1000, np.int64))
    larger[:] = 2
    assert again.tolist() == [1] * 5


def test_all_rules_but_the_replay_answer_before_it_begins(searched: Log) -> None:
    first: list[Report] = []
    parts: list[float] = []
    whole = check(searched, on_progress=parts.append, on_first=lambda report: first.append(report))
    (before,) = first
    assert set(whole.checked) - set(before.checked) == {"replay"}
    assert [one.why for one in before.not_checked if one.rule == "replay"] == [COMING]
    assert all(one.rule != "replay" for one in whole.not_checked)
    assert parts == sorted(parts)
    check(searched, ignore=["replay"], on_first=first.append)
    assert len(first) == 1  # nothing comes first where no rule answers last


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
