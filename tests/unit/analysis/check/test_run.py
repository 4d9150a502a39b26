"""All rules asked of one log: in pieces, on several processors, with progress, until somebody stops it.

What rules keep of a log is told for that log only, and freed with it. No kernel of a rule reads before the
first row: machine code would read whatever lies there in memory.
"""

from __future__ import annotations

import gc
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from weakref import ref

import numpy as np
import numpy.typing as npt
import pytest

from plyscope.engine.games import tictactoe
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check import run
from plyscope.visualizer.analysis.check.report import Report
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.rules.keys import key_pass
from plyscope.visualizer.analysis.check.run import COMING, check
from plyscope.visualizer.analysis.columns import kernel_call
from plyscope.visualizer.analysis.columns.kernel_call import Scratch, Work
from plyscope.visualizer.analysis.columns.sight import Sight, sight_of
from plyscope.visualizer.analysis.columns.sweep import derive
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.log import Log, once_a_log
from tests.both_ways import plain_and_compiled
from tests.unit.analysis.check.checked import example
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


def test_the_figures_of_a_log_are_its_own_though_another_was_checked_since() -> None:
    documents = [example("repropagate"), example("replay"), example("repropagate"), example("replay")]
    documents[2]["root"]["score"] = documents[2]["root"]["children"][0]["score"] = 8
    children = documents[3]["root"]["children"]
    children[0], children[1] = children[1], children[0]
    reports = [check(read_log(json.dumps(each).encode())) for each in documents]
    told = [report.findings()[0] for report in reports]
    assert [finding.rule for finding in told] == ["repropagate", "replay"] * 2
    assert [finding.found for finding in told[::2]] == [7, 8]
    assert [finding.row for finding in told[1::2]] == [2, 1]


class Value:
    """Stands for what a rule found."""


def test_what_is_kept_goes_with_its_log() -> None:
    made = once_a_log(lambda log: Value())
    one, other = log_of({"score": 1}), log_of({"score": 1})
    value = ref(made(one))
    assert made(one) is value()
    assert made(other) is not value()
    del one
    gc.collect()
    assert value() is None


BY_ROW = {name: rule for name, rule in RULES.items() if rule.violates is not None}


class Guarded(np.ndarray[Any, Any]):
    """An array that refuses what machine code does not check."""

    def __getitem__(self, index: Any) -> Any:
        refuse_negative(index)
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        refuse_negative(index)
        super().__setitem__(index, value)


def refuse_negative(index: Any) -> None:
    for each in index if isinstance(index, tuple) else (index,):
        if isinstance(each, int | np.integer) and each < 0:
            raise IndexError(f"read at {each}")


def guarded(log: Log) -> Sight:
    sight = sight_of(log)
    arrays: dict[str, Any] = {
        name: value.view(Guarded) for name, value in sight._asdict().items() if isinstance(value, np.ndarray)
    }
    return derive(sight._replace(**arrays), Work())


def ask_all(sight: Sight) -> int:
    kernels = [rule.violates for rule in BY_ROW.values() if rule.violates is not None]
    return sum(bool(breaks(sight, row)) for breaks in kernels for row in range(sight.n_rows))


def test_a_negative_index_is_noticed() -> None:
    with pytest.raises(IndexError, match="read at -1"):
        np.zeros(3).view(Guarded)[-1]


@pytest.mark.parametrize("name", BY_ROW)
def test_no_rule_reads_before_the_first_row_of_its_example(name: str) -> None:
    assert ask_all(guarded(read_log(RULES[name].text.example.encode()))) > 0


@pytest.mark.parametrize(
    "options",
    [
        SearchOptions(depth=4, limit=3, algorithm="pvs", iterative=True, table=1.0, table_use="narrow"),
        SearchOptions(depth=4, limit=3, algorithm="pvs", fail="hard", lmr=2, killers=True, nodes=200),
    ],
    ids=["table", "lmr"],
)
def test_no_rule_reads_before_the_first_row_of_a_search(options: SearchOptions) -> None:
    log = log_from_recording(search(tictactoe.GAME, options=options, compiled=False))
    assert ask_all(guarded(log)) == 0


# The way in which kernels run: by the size of a log and what is compiled


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
