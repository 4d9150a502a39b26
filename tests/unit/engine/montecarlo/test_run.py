"""The course of a Monte Carlo search: its options, how it ends, what it tells and carries on meanwhile."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from plyscope.engine.games import find
from plyscope.engine.games.connect_four import GAME as CONNECT_FOUR
from plyscope.engine.games.tictactoe import GAME as TICTACTOE
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.montecarlo.run import Progress, search
from plyscope.engine.option import OptionError
from plyscope.engine.record.recorded_search import AgainError, recorded_search
from plyscope.engine.record.recording import Recording
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.tree import Tree
from tests.both_ways import plain_and_compiled
from tests.unit.engine.montecarlo.searches import findings, found, told


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"playouts": 0}, "playouts: 0, expected a whole number from 1"),
        ({"select": "puct"}, "select: 'puct', expected one of ucb1, plain"),
        ({"choose": "ucb"}, "choose: 'ucb', expected one of visits, mean"),
        ({"c": -1.0}, "c: -1.0, expected a number from 0"),
        ({"guide": "queens"}, "guide: 'queens', expected ring"),
        ({"guide_power": 2.0}, "guide_power: nothing guides play-outs"),
        ({"guide": "ring", "guide_power": 101}, "guide_power: 101, expected a number from 0 to 100"),
        ({"fpu": "static"}, "fpu: 'static', expected a number or heuristic"),
        ({"fpu": math.nan}, "fpu: nan, expected a number or heuristic"),
        ({"fpu": 1.0, "select": "plain"}, "fpu: plain selection knows no urgency"),
        ({"c": 1.0, "select": "plain"}, "c: plain selection adds nothing to a mean"),
        ({"weights": {"centre": "2"}}, "weights: centre: '2', expected a finite number"),
        ({"evaluation": 3}, "evaluation: 3, expected the name of one"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: Any, says: str) -> None:
    with pytest.raises(OptionError, match=says.replace("(", r"\(")):
        MonteCarloOptions(**options)


def test_the_heuristic_first_tries_the_ply_of_the_best_evaluation() -> None:
    """Of one visit each, in the order of the plies' statics; without it in a drawn order."""
    recording = found(TICTACTOE, playouts=9, seed=1, fpu="heuristic")
    last = recording.trees[-1].row
    plies = recording.rows["ply"][recording.rows["parent"] == last].tolist()
    assert plies[0] == 4  # the centre
    assert set(plies[1:5]) == {0, 2, 6, 8}  # the corners


@pytest.mark.parametrize(
    ("ends", "stopped"),
    [({"should_stop": iter([False, False, True]).__next__}, "request"), ({"most_nodes": 300}, "memory")],
)
def test_a_stopped_search_leaves_a_whole_log(ends: dict[str, Any], stopped: str) -> None:
    options = MonteCarloOptions(playouts=100_000, seed=1)
    recording = search(TICTACTOE, None, options, compiled=False, **ends)
    result = recording.header["result"]
    assert result["stopped"] == stopped
    assert 0 < result["playouts"] < 100_000
    assert recording.figures is not None
    assert recording.figures["visits"][recording.trees[-1].row] == result["playouts"]
    assert findings(recording) == []


def test_time_ends_a_search_and_early_trees_are_noted_by_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """By processor time: a machine that pauses the search would have it pass an early tree."""
    monkeypatch.setattr("plyscope.engine.watch.time.perf_counter", time.thread_time)
    recording = found(TICTACTOE, seconds=0.3, seed=1)
    result = recording.header["result"]
    assert result["stopped"] == "seconds"
    assert [tree.iteration for tree in recording.trees] == sorted({t.iteration for t in recording.trees})
    assert recording.trees[-1].iteration == result["playouts"]
    assert len(recording.trees) == 3
    assert findings(recording) == []


def test_progress_tells_play_outs_and_the_choice_so_far() -> None:
    told_of: list[Progress] = []
    search(TICTACTOE, None, MonteCarloOptions(playouts=200, seed=1), told_of.append, compiled=False)
    assert told_of[-1].playouts == told_of[-1].of == 200
    assert told_of[-1].ply in {"b2", "a1", "a3", "c1", "c3"}
    assert [each.playouts for each in told_of] == sorted(each.playouts for each in told_of)


def test_a_drawn_seed_is_logged_and_gives_the_same_search_by_hand_and_without_rows_the_same_ply() -> None:
    first = found(TICTACTOE, playouts=50)
    seed = first.header["result"]["seed"]
    assert told(first) == told(found(TICTACTOE, playouts=50, seed=seed))
    bare = found(TICTACTOE, playouts=50, seed=seed, record=False)
    assert (bare.ply, bare.score, len(bare.rows)) == (first.ply, first.score, 0)
    with pytest.raises(AgainError, match="only minimax, alphabeta and pvs are searched again"):
        recorded_search(first.header)


def after(position: str, *plies: str, game: Any = TICTACTOE) -> str:
    state = game.read_position(position)
    for ply in plies:
        game.apply(state, game.read_ply(state, ply))
    return str(game.write_position(state))


@plain_and_compiled
@pytest.mark.parametrize("n_plies", [0, 1, 2])
def test_a_search_goes_on_with_the_tree_of_the_one_before(n_plies: int, compiled: bool) -> None:
    game: Any = CONNECT_FOUR if compiled else TICTACTOE
    plies = (("4", "3") if compiled else ("b2", "a3"))[:n_plies]
    first = found(game, playouts=2_000 if compiled else 500, seed=1, compiled=compiled)
    options = MonteCarloOptions(playouts=100, seed=2)
    here = after(game.start, *plies, game=game)
    again = search(game, here, options, compiled=compiled, tree=first.table)
    reused = again.header["result"]["reused_visits"]
    tree = Tree(log_from_recording(first))
    row = tree.log.roots[-1].row
    for ply in plies:
        row = next(child for child in tree.children(row) if tree.ply(child) == ply)
    assert reused == tree.log.columns["visits"][row]
    assert again.figures is not None
    assert again.figures["visits"][again.trees[-1].row] == reused + 100
    assert findings(again) == []


@pytest.mark.parametrize(
    ("position", "options"),
    [
        (after(TICTACTOE.start, "b2", "a3", "c3"), {}),  # three plies on
        ("X.. .X. .OO", {}),  # another game
        (after(TICTACTOE.start, "b2"), {"turn_limit": 5}),  # other play-outs
        (after(TICTACTOE.start, "b2"), {"fpu": "heuristic"}),
        (after(TICTACTOE.start, "b2"), {"weights": {"centre": 9.0}}),
    ],
)
def test_what_another_search_means_is_not_taken_over(position: str, options: Any) -> None:
    first = found(TICTACTOE, playouts=500, seed=1)
    asked = MonteCarloOptions(playouts=50, seed=2, **options)
    again = search(TICTACTOE, position, asked, compiled=False, tree=first.table)
    assert "reused_visits" not in again.header["result"]
    assert told(again) == told(search(TICTACTOE, position, asked, compiled=False))


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
