"""Monte Carlo searches as the tests ask for them, and what they say."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.montecarlo.run import search
from plyscope.engine.record.recording import Recording
from plyscope.engine.record.rows import UNLOGGED
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.seal.recording import log_from_recording
from tests.unit.engine.montecarlo.uct_oracle import OracleNode

TIMES = ("seconds", "playouts_per_second")


def found(game: Any, position: str | None = None, *, compiled: bool = False, **options: Any) -> Recording:
    """A search with its options."""
    return search(game, position, MonteCarloOptions(**options), compiled=compiled)


def told(recording: Recording) -> list[Any]:
    """Everything a recording says but the time it took."""
    result = {name: each for name, each in recording.header["result"].items() if name not in TIMES}
    figures = recording.figures
    assert figures is not None
    names = figures.dtype.names or ()
    return [
        recording.header["search"],
        result,
        [str(recording.rows[name].tolist()) for name in recording.rows.dtype.names or ()],
        [str(figures[name].tolist()) for name in names],
        recording.trees,
    ]


def findings(recording: Recording) -> list[str]:
    """The rules that check finds broken."""
    report = check(log_from_recording(recording), compiled=False)
    return [finding.rule for finding in report.findings()]


def assert_same_tree(recording: Recording, root: OracleNode) -> None:
    """Every figure of the last tree is that of the oracle's."""
    rows, figures = recording.rows, recording.figures
    assert figures is not None
    first = recording.root_player == 0
    nodes: dict[int, OracleNode] = {recording.trees[-1].row: root}
    for row in range(recording.trees[-1].row, len(rows)):
        parent = int(rows[row]["parent"])
        figure = figures[row]
        if rows[row]["outcome"] == UNLOGGED:
            untried = nodes[parent].untried
            assert (figure["count"], figure["visits"]) == (len(untried or ()), 0)
            continue
        node = nodes.get(row) or nodes[parent].children.pop(int(rows[row]["ply"]))
        nodes[row] = node
        wins, losses = node.results.count(1.0), node.results.count(0.0)
        assert figure["visits"] == len(node.results)
        assert (figure["wins"], figure["losses"]) == ((wins, losses) if first else (losses, wins))
        assert figure["draws"] == node.results.count(0.5)
        mean = sum(node.results) / len(node.results)
        assert figure["mean"] == pytest.approx(mean if first else 1 - mean, abs=1e-12)
        assert (node.ucb is None) == (figure["n"] == 0)
        if node.ucb is not None:
            is_own = rows[parent]["player"] == recording.root_player
            exploit = figure["exploit"] if is_own else 1 - figure["exploit"]
            stated = (exploit, figure["explore"], figure["n"], figure["n_parent"])
            assert stated == pytest.approx(node.ucb, abs=1e-12)
    assert all(not node.children for node in nodes.values())
