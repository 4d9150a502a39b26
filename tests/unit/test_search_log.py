"""The logger for Python: what its own language asks of it beyond what all loggers do."""

from __future__ import annotations

import contextlib
import enum
import gc
import json
import math
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from plyscope.examples.loggers import search_log
from plyscope.examples.loggers.search_log import SearchLog
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store import words


def lines_of(path: Path) -> list[dict[str, Any]]:
    def refuse(token: str) -> None:
        raise AssertionError(token)

    return [json.loads(line, parse_constant=refuse) for line in path.read_text("utf-8").splitlines()]


def test_scalars_and_arrays_of_numpy_are_numbers_and_other_objects_texts(tmp_path: Path) -> None:
    class Piece(enum.Enum):
        PAWN = 1

    log = SearchLog(tmp_path / "log.jsonl", search={"depth": np.int64(3)})
    log.enter(np.int64(7), depth=np.int32(2), alpha=np.float32(-math.inf), quiescence=np.bool_(True))
    log.cut(np.array(["a", "b"]))
    log.cut(np.int64(3))
    log.score(
        np.float32(0.1),
        tt={"depth": np.int8(4), "score": np.float64(math.nan)},
        factors=np.array([1.5, math.inf]),
        scores=(np.float16(2), None),
        piece=Piece.PAWN,
    )
    log.done(score=np.float64(0.5))
    assert lines_of(tmp_path / "log.jsonl") == [
        {"plyscope": 1, "search": {"depth": 3}},
        {"id": 0, "iteration": None, "ply": "7", "depth": 2, "alpha": "-inf", "quiescence": True},
        {"id": 1, "parent": 0, "outcome": "pruned", "count": 2, "plies": ["a", "b"]},
        {"id": 2, "parent": 0, "outcome": "pruned", "count": 3},
        {
            "id": 0,
            "score": float(np.float32(0.1)),
            "tt": {"depth": 4, "score": "nan"},
            "factors": [1.5, "inf"],
            "scores": [2, None],
            "piece": "Piece.PAWN",
        },
        {"result": {"score": 0.5}},
    ]


def test_an_exception_caught_in_the_middle_stops_only_the_nodes_it_flew_through(tmp_path: Path) -> None:
    """A child that fails is stopped, and so is what was entered below it; its sibling begins beside it."""
    with SearchLog(tmp_path / "log.jsonl") as log:
        with log.node() as root:
            with contextlib.suppress(ZeroDivisionError), log.node("a"):
                log.enter("b")
                log.enter("c")
                raise ZeroDivisionError
            with log.node("d") as child:
                log.enter("e")
                child.score(1)
            root.score(-1)
        assert root.id == 0
    log = read_log((tmp_path / "log.jsonl").read_bytes())
    assert [log.text(int(ply)) for ply in log.columns["ply"]] == [None, "a", "b", "c", "d", "e"]
    assert log.columns["parent"].tolist() == [-1, 0, 1, 2, 0, 4]
    assert np.flatnonzero(log.columns["outcome"] == words.STOPPED).tolist() == [1, 2, 3, 5]


def test_a_root_may_state_its_iteration_itself_and_keeps_it_when_it_is_stopped(tmp_path: Path) -> None:
    log = SearchLog(tmp_path / "log.jsonl")
    for iteration in (1, 2):
        log.enter(iteration=iteration)
        log.abandon()
    with log.search(iteration=3):
        for _ in range(2):  # a window that failed, and the next
            log.enter()
            log.score(0)
    log.enter()
    log.done()
    read = read_log((tmp_path / "log.jsonl").read_bytes())
    assert [root.iteration for root in read.roots] == [1, 2, 3, 3, 3]
    assert (read.columns["outcome"] == words.STOPPED).tolist() == [True, True, False, False, True]


def test_null_moves_and_probes_are_nodes_without_rows_but_no_plies(tmp_path: Path) -> None:
    with SearchLog(tmp_path / "log.jsonl", max_level=0) as log:
        log.enter(moves=2)
        visits = [("null", "null"), ("a", "probe"), ("a", "scout"), ("a", "research"), ("b", "full")]
        for ply, purpose in visits:
            assert log.enter(ply, purpose=purpose) is None
            log.enter("below")
            log.cut(["x"])
            log.score(0)
            log.score(0)
        log.cut()
        log.score(0)
    assert lines_of(tmp_path / "log.jsonl")[2:] == [
        {"id": 1, "parent": 0, "outcome": "unlogged", "count": 2, "nodes": 10},
        {"id": 2, "parent": 0, "outcome": "pruned"},
        {"id": 0, "score": 0},
    ]


def test_a_log_that_is_dropped_writes_its_buffer(tmp_path: Path) -> None:
    log = SearchLog(tmp_path / "log.jsonl", buffer=65536)
    log.enter()
    assert (tmp_path / "log.jsonl").read_bytes() == b""
    log.abandon()
    assert len(lines_of(tmp_path / "log.jsonl")) == 3
    log.enter()
    del log
    gc.collect()
    assert len(lines_of(tmp_path / "log.jsonl")) == 4


class Interrupt(BaseException):
    """An exception that a signal's handler raises, anywhere."""


def interrupted_search(path: Path, at: int) -> bool:
    """Log three searches. At the `at`-th line that the logger runs in the first two, an exception is raised.

    What is below their first level is counted only. Return whether the search came so far.
    """
    n_lines = 0

    def trace(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal n_lines
        if frame.f_code.co_filename != search_log.__file__:
            return None
        if event == "line":
            n_lines += 1
            if n_lines == at:
                raise Interrupt
        return trace

    def search(heap: int, level: int, take: int | None = None) -> int:
        log.enter(take, player="ab"[level % 2])
        if heap == 0:
            log.score(level - 9, outcome="terminal", bound="exact")
            return level - 9
        best = max(-search(heap - take, level + 1, take) for take in (1, 2) if take <= heap)
        log.cut(0 if level else 2, "limited")
        log.score(best, outcome="searched", bound="exact")
        return best

    log = SearchLog(path, max_level=1, players=("a", "b"), search={"perspective": "mover"})
    for iteration in (1, 2, 3):
        if iteration < 3 and n_lines < at:
            sys.settrace(trace)
        try:
            with log.search(iteration):
                search(2, 0)
        except Interrupt:
            pass
        finally:
            sys.settrace(None)
    log.done()
    return n_lines >= at


@pytest.mark.slow
def test_an_exception_raised_anywhere_within_the_logger_leaves_a_log_that_opens_clean(tmp_path: Path) -> None:
    """As a signal raises it: within `enter`, within `score`, while other nodes are being stopped."""
    path = tmp_path / "log.jsonl"
    at = 1
    while interrupted_search(path, at):
        log = read_log(path.read_bytes())
        assert len(log.notices) == 1
        assert log.notices[0].startswith("Numbers were written from the view `mover`")
        outcome = log.columns["outcome"]
        without_score = np.isnan(log.columns["score"]) & (outcome < words.FIRST_STUB)
        assert (outcome[without_score] == words.STOPPED).all(), at
        assert log.roots[-1].iteration == 3
        assert outcome[log.roots[-1].row] == words.SEARCHED
        assert check(log).findings() == [], at
        at += 1
    assert at > 100
