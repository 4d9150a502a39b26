"""Correct logs are clean: the bundled examples, and what our own search records; compiled as plain."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import pytest

from plyscope.engine.games import connect_four, reversi, tictactoe
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.rules import RULES
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.log import Log
from tests.shapes.dump import documents
from tests.unit.logs import log_of

EXAMPLES = Path(__file__).parents[4] / "examples"

OPTIONS = [
    SearchOptions(depth=3, algorithm="minimax"),
    SearchOptions(depth=4, limit=4, quotient=2, seed=3),
    SearchOptions(depth=4, limit=3, algorithm="pvs", iterative=True, aspiration=2.0),
    SearchOptions(
        depth=4, limit=4, algorithm="pvs", fail="hard", table=1.0, table_use="narrow", killers=True
    ),
    SearchOptions(depth=4, limit=4, algorithm="pvs", iterative=True, table=1.0, table_depth="at_least"),
    SearchOptions(depth=4, limit=4, algorithm="pvs", lmr=2, history=True, iid=2),
    SearchOptions(depth=4, limit=4, reverse_futility=3.0, nodes=300),
]


def recorded(options: SearchOptions, game: object = tictactoe.GAME) -> Log:
    return log_from_recording(search(game, options=options, compiled=False))


@pytest.mark.parametrize("name", ["connect-four-deepening.jsonl.gz", "textbook-alpha-beta.json"])
def test_the_bundled_examples_are_clean(name: str) -> None:
    assert check(read_log((EXAMPLES / name).read_bytes())).findings() == []


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.name)
def test_trees_from_outside_contradict_nothing_as_they_are_read(document: Path) -> None:
    assert check(read_log(document.read_bytes()), compiled=False).findings() == []


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_searches_of_every_kind_give_nothing_wrong(options: SearchOptions) -> None:
    assert check(recorded(options), compiled=False).findings(severity="wrong") == []


@pytest.mark.parametrize("game", [connect_four.GAME, reversi.GAME], ids=["connect_four", "reversi"])
def test_searches_of_larger_games_give_nothing_wrong(game: object) -> None:
    options = SearchOptions(depth=3, limit=4, algorithm="pvs", iterative=True, table=1.0, null_move=None)
    assert check(recorded(options, game), compiled=False).findings(severity="wrong") == []


def test_compiled_rules_find_what_plain_ones_find() -> None:
    log = recorded(OPTIONS[3])
    columns = dict(log.columns)
    for name, at, value in (("score", 7, 3.5), ("alpha", 20, 1.0), ("beta", 30, 2.0), ("depth", 40, 9.0)):
        columns[name] = columns[name].copy()
        columns[name][at::50] = value
    spoilt = dataclasses.replace(log, columns=columns)
    plain, compiled = check(spoilt, compiled=False), check(spoilt, compiled=True)
    assert len(plain) > 10
    assert plain.groups == compiled.groups
    assert plain.findings() == compiled.findings()


def test_window_rules_are_not_asked_of_a_monte_carlo_tree() -> None:
    root = json.loads(RULES["window"].text.example)["root"]
    report = check(log_of(root, search={"order": "best_first"}))
    assert not {"window", "window-wide", "cut", "cut-missed"} & set(report.checked)
    assert any("best-first" in str(each) for each in report.not_checked)
