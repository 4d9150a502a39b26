"""Monte Carlo searches as the tests ask for them, and what they say."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import pytest

from plyscope.engine.game import FIRST_WON, ONGOING, SECOND_WON
from plyscope.engine.kernel_game import legal_plies
from plyscope.engine.montecarlo.draws import draw_below, source_of
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.montecarlo.run import search
from plyscope.engine.record.recording import Recording
from plyscope.engine.record.rows import UNLOGGED
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.seal.recording import log_from_recording

TIMES = ("seconds", "playouts_per_second")


def found(game: Any, position: str | None = None, *, compiled: bool = False, **options: Any) -> Recording:
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


@dataclass
class OracleNode:
    """One node; `results` are those of its visits for the first player: 1, 0.5 or 0."""

    results: list[float] = field(default_factory=list)
    untried: list[int] | None = None
    children: dict[int, OracleNode] = field(default_factory=dict)
    ucb: tuple[float, float, int, int] | None = None


class Oracle:
    """A search of a kernel game by UCB1; `fpu` infinite: children without visits come first."""

    def __init__(self, game: Any, position: str, seed: int, c: float, fpu: float = math.inf) -> None:
        self.game, self.state, self.c, self.fpu = game, game.read_position(position), c, fpu
        self.source = source_of(seed)
        self.root = OracleNode()

    def grow(self, n_playouts: int) -> OracleNode:
        for _ in range(n_playouts):
            self._visit(self.root, self.state.copy(), is_root=True)
        return self.root

    def _visit(self, node: OracleNode, state: Any, *, is_root: bool = False) -> float:
        if self.game.status(state) != ONGOING or (not node.results and not is_root):
            result = self._played_out(state)
        else:
            if node.untried is None:
                node.untried = self._shuffled(legal_plies(self.game, state))
            ply = self._selected(node, int(self.game.player(state)))
            self.game.apply(state, ply)
            result = self._visit(node.children[ply], state)
        node.results.append(result)
        return result

    def _shuffled(self, plies: list[int]) -> list[int]:
        for last in range(len(plies) - 1, 0, -1):
            other = draw_below(self.source, last + 1)
            plies[last], plies[other] = plies[other], plies[last]
        return plies

    def _selected(self, node: OracleNode, player: int) -> int:
        assert node.untried is not None
        terms: dict[int, tuple[float, float, int, int]] = {}
        n_parent = len(node.results)
        for ply, child in node.children.items():
            n = len(child.results)
            mean = sum(child.results) / n
            exploit = mean if player == 0 else 1 - mean
            terms[ply] = exploit, self.c * math.sqrt(math.log(n_parent) / n), n, n_parent
        best = max(terms, key=lambda ply: round(terms[ply][0] + terms[ply][1], 12), default=None)
        if node.untried and (best is None or self.fpu >= terms[best][0] + terms[best][1]):
            ply = node.untried.pop(0)
            node.children[ply] = OracleNode()
            return ply
        assert best is not None
        node.children[best].ucb = terms[best]
        return best

    def _played_out(self, state: Any) -> float:
        while (status := self.game.status(state)) == ONGOING:
            plies = legal_plies(self.game, state)
            self.game.apply(state, plies[draw_below(self.source, len(plies))])
        if status in (FIRST_WON, SECOND_WON):
            return 1.0 if status == FIRST_WON else 0.0
        return 0.5
