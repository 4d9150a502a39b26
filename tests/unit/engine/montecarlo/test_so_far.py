"""Copies of a Monte Carlo tree while it grows: whole logs, whose nodes keep their names throughout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from plyscope.engine.games import find
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.montecarlo.run import search
from plyscope.engine.record.recording import Recording
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.tree import Tree

OPTIONS = MonteCarloOptions(playouts=3000, seed=5, c=1.4)


def grown(
    name: str, options: MonteCarloOptions = OPTIONS, *, compiled: bool
) -> tuple[list[Recording], list[int], Recording]:
    """A search, its copies and the play-outs at which they were made."""
    copies: list[Recording] = []
    counts: list[int] = []

    def note(n_playouts: int, copy: Callable[[], Recording]) -> None:
        if not counts or n_playouts > counts[-1]:
            counts.append(n_playouts)
            copies.append(copy())

    return copies, counts, search(find(name), None, options, compiled=compiled, on_rows=note)


def by_path(tree: Tree) -> dict[tuple[str | None, ...], int]:
    """The row of each node by its plies."""
    paths: list[tuple[str | None, ...]] = []
    for row, parent in enumerate(tree.log.columns["parent"].tolist()):
        paths.append(() if parent < 0 else (*paths[parent], tree.ply(row)))
    return {path: row for row, path in enumerate(paths) if not tree.is_stub[row]}


@pytest.mark.parametrize(
    ("name", "playouts", "compiled"), [("tictactoe", 300, False), ("connect_four", 3000, True)]
)
def test_a_node_keeps_its_id_and_its_visits_grow(name: str, playouts: int, compiled: bool) -> None:
    copies, counts, _ = grown(name, replace(OPTIONS, playouts=playouts), compiled=compiled)
    assert len(copies) > 3
    named: dict[tuple[str | None, ...], tuple[int, float]] = {}
    for copy, count in zip(copies, counts, strict=True):
        assert len(copy.trees) == 1
        tree = Tree(log_from_recording(copy))
        ids, visits = tree.log.columns["id"], tree.log.columns["visits"]
        assert len(np.unique(ids)) == len(ids)
        assert visits[0] == count
        assert list(check(tree.log).findings()) == []
        here = {path: (int(ids[row]), float(visits[row])) for path, row in by_path(tree).items()}
        for path, (before, n_visits) in named.items():
            assert here[path][0] == before
            assert here[path][1] >= n_visits
        assert all(tree.row_of(int(id_)) == row for row, id_ in enumerate(ids))
        named = here


def test_a_search_that_is_looked_at_finds_what_it_finds_unseen() -> None:
    _, _, seen = grown("connect_four", compiled=True)
    unseen = search(find("connect_four"), None, OPTIONS)
    assert str(seen.rows.tolist()) == str(unseen.rows.tolist())  # NaN differs from itself
    assert not seen.keeps_places
    assert log_from_recording(seen).columns["id"].tolist() == list(range(len(seen.rows)))
    assert len(seen.trees) == 3


def test_without_rows_nothing_is_copied() -> None:
    asked: list[int] = []
    options = MonteCarloOptions(playouts=100, seed=1, record=False)
    search(find("tictactoe"), None, options, compiled=False, on_rows=lambda n, copy: asked.append(n))
    assert asked == []
