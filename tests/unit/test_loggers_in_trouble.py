"""Loggers in an engine that runs out of time, and where a trigger leaves a part."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from tests.patience import PATIENCE
from tests.unit.loggers.running import LANGUAGES, LOGGERS, logged, program

WAYS = [(language, "enter") for language in LANGUAGES if language != "c"]
"""Plain calls, left by an exception that flies out of `search`."""
WAYS += [(language, "node") for language in LANGUAGES if language != "c"]
"""Nodes that leave themselves, with nothing around the search."""
WAYS += [("c", "longjmp"), ("c", "flag"), ("c", "stop")]

Run = Callable[..., bytes]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The bytes of the log that the engine of a language writes."""
    commands: dict[str, list[str]] = {}
    written: dict[tuple[Any, ...], bytes] = {}

    def run(language: str, way: str, buffer: int = 0, max_level: int = -1) -> bytes:
        if (key := (language, way, buffer, max_level)) not in written:
            folder = tmp_path_factory.mktemp(language)
            if language not in commands:
                commands[language] = program("deepening", language, folder)
            log = folder / "deepening.jsonl"
            arguments = [str(log), str(LOGGERS), str(buffer), str(max_level), way]
            subprocess.run([*commands[language], *arguments], check=True, timeout=PATIENCE)
            written[key] = log.read_bytes()
        return written[key]

    return run


def test_a_search_that_runs_out_of_time_leaves_a_clean_log_of_all_that_the_engine_counted(run: Run) -> None:
    log = read_log(run(*WAYS[0]))
    assert log.notices == (
        "Numbers were written from the view `mover` and are shown as the root player sees them.",
    )
    outcomes = log.columns["outcome"]
    stopped = [root.iteration for root in log.roots if outcomes[root.row] == words.STOPPED]
    assert [root.iteration for root in log.roots] == [1, 2, 3, 4, 5, 6, 7]
    assert stopped == [3, 5, 7]
    assert not (outcomes == words.OPEN).any()
    assert not (outcomes == 0).any()
    above = log.columns["parent"][(outcomes == words.STOPPED) & (log.columns["level"] > 0)]
    assert (outcomes[above] == words.STOPPED).all()  # each is on a path from a stopped root
    report = check(log)
    assert report.findings() == []
    assert {"value", "window", "moves", "result", "stopped-used", "tt-source"} <= set(report.checked)
    result = log.header["result"]
    assert result["nodes"] == (outcomes < words.FIRST_STUB).sum() == 308
    assert result["leaves"] == ((outcomes == words.LEAF) | (outcomes == words.TERMINAL)).sum()
    assert result["prune_events"] == (outcomes == words.PRUNED).sum()
    assert result["pruned"] == log.columns["count"][outcomes == words.PRUNED].sum()
    assert result["tt_hits"] == (outcomes == words.TT).sum() > 0


@pytest.mark.slow
@pytest.mark.parametrize(("language", "way"), WAYS)
@pytest.mark.parametrize(("buffer", "max_level"), [(0, -1), (100, -1), (65536, -1), (0, 1)])
def test_all_languages_and_ways_log_the_same_whatever_waits(
    run: Run, language: str, way: str, buffer: int, max_level: int
) -> None:
    first, log = read_log(run(*WAYS[0], 0, max_level)), read_log(run(language, way, buffer, max_level))
    assert (log.texts, log.header["result"]) == (first.texts, first.header["result"])
    for name, column in first.columns.items():
        assert column.tolist() == pytest.approx(log.columns[name].tolist(), nan_ok=True), name


@pytest.mark.slow
@pytest.mark.parametrize("max_level", [0, 1, 3])
def test_nodes_below_a_level_are_counted_and_what_is_above_is_checked(run: Run, max_level: int) -> None:
    whole = read_log(run(*WAYS[0]))
    log = read_log(run(*WAYS[0], 0, max_level))
    is_node = whole.columns["outcome"] < words.FIRST_STUB
    level, outcome = log.columns["level"], log.columns["outcome"]
    assert level[outcome < words.FIRST_STUB].max() == max_level
    for name in ("score", "outcome", "bound", "moves", "alpha", "beta", "depth"):
        kept = is_node & (whole.columns["level"] <= max_level)
        logged = log.columns[name][outcome < words.FIRST_STUB]
        assert logged.tolist() == pytest.approx(whole.columns[name][kept].tolist(), nan_ok=True), name
    unlogged = outcome == words.UNLOGGED
    n_unlogged = log.columns["nodes"][unlogged].sum()
    assert n_unlogged + (outcome < words.FIRST_STUB).sum() == log.header["result"]["nodes"] == 308
    report = check(log)
    assert report.findings() == []
    assert "moves" in report.checked  # so the plies that were left out are counted right
    assert "value" in report.checked or max_level == 0
    assert log.columns["count"][unlogged].min() > 0


N_NODES = 40
"""Of the root, three plies, nine and 27."""


def paths(log: Log) -> set[str]:
    """The nodes of the first tree that have rows, by the plies that lead there."""
    tree = Tree(log)
    rows = range(int(log.columns["end"][0]))
    return {
        "".join(tree.ply(each) or "" for each in tree.path(row))
        for row in rows
        if log.columns["outcome"][row] < words.FIRST_STUB
    }


KEPT = {
    "below": {"", "b", "ba", "baa", "bab", "bac"},
    "at": {"", "b", "ba", "bac"},
    "rows": {"", "a", "aa", "aaa", "aab", "aac", "ab", "b", "c"},
}


COMPACT = [("triggers_compact", language) for language in ("c", "cpp")]
"""They have no trigger by a key."""


@pytest.mark.parametrize(("name", "language"), [*(("triggers", each) for each in LANGUAGES), *COMPACT])
def test_a_trigger_keeps_its_subtree_and_counts_the_rest(
    name: str, language: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp(name + language)
    command = program(name, language, folder)
    whole = logged(command, folder / "all.jsonl", str(LOGGERS), "all")
    assert len(paths(whole)) == N_NODES
    for trigger, kept in KEPT.items():
        if trigger == "at" and (name, language) in COMPACT:
            continue
        log = logged(command, folder / f"{trigger}.jsonl", str(LOGGERS), trigger)
        assert paths(log) == kept, trigger
        first = slice(0, int(log.columns["end"][0]))
        is_stub = log.columns["outcome"][first] == words.UNLOGGED
        assert log.columns["nodes"][first][is_stub].sum() == N_NODES - len(kept), trigger
        assert [root.iteration for root in log.roots] == [1, 2]
        assert log.columns["score"][0] == 0
