"""Monte Carlo tree search: its tree is that of a search written a second way, and it plays well.

It stands together past 300 lines because all of it asks the same few searches.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, GameError
from plyscope.engine.games import find
from plyscope.engine.games.connect_four import GAME as CONNECT_FOUR
from plyscope.engine.games.explicit_tree import GAME as TREE
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.games.tictactoe import GAME as TICTACTOE
from plyscope.engine.kernel_game import legal_plies
from plyscope.engine.montecarlo.draws import source_of
from plyscope.engine.montecarlo.growing import play_out_guided
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.montecarlo.run import Progress, search
from plyscope.engine.montecarlo.tree import OPTIONS, nodes_for, trunk_for, worths_of
from plyscope.engine.options import OptionError
from plyscope.engine.record.recorded_search import AgainError, recorded_search
from plyscope.engine.record.recording import Recording
from plyscope.engine.record.rows import FIRST_STUB, LEAF, SEARCHED, TERMINAL, UNLOGGED
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.recording import log_from_recording
from plyscope.visualizer.store.tree import Tree
from tests.both_ways import plain_and_compiled
from tests.connect_four_solver import solve
from tests.unit.engine.montecarlo.uct_oracle import Oracle, OracleNode

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


# The tree ------------------------------------------------------------------------------------------------


@given(
    st.integers(0, 2**32),
    st.sampled_from([0.0, 0.7, 1.4, 100.0]),
    st.sampled_from([None, 0.4, 1.0]),
    st.sampled_from(["... ... ...", "X.. .O. ...", "XO. OX. ...", "XOX OX. ..O"]),
)
@settings(max_examples=30, deadline=None)
def test_the_tree_is_that_of_a_search_written_a_second_way(
    seed: int, c: float, fpu: float | None, position: str
) -> None:
    recording = found(TICTACTOE, position, playouts=150, seed=seed, c=c, fpu=fpu)
    oracle = Oracle(TICTACTOE, position, seed, c, math.inf if fpu is None else fpu)
    assert_same_tree(recording, oracle.grow(150))


@given(st.integers(0, 2**32))
@settings(max_examples=5, deadline=None)
def test_so_it_is_in_connect_four(seed: int) -> None:
    recording = found(CONNECT_FOUR, "44", playouts=80, seed=seed)
    assert_same_tree(recording, Oracle(CONNECT_FOUR, "44", seed, 1.4).grow(80))


def _listed(children: list[str]) -> str:
    return f"[{', '.join(children)}]"


ENDINGS = st.sampled_from(['{"ending": "win"}', '{"ending": "loss"}', '{"ending": "draw"}', "3", "-2", "0"])
TREES = st.recursive(
    ENDINGS, lambda children: st.lists(children, min_size=1, max_size=4).map(_listed), max_leaves=25
)


@given(TREES, st.integers(0, 99), st.sampled_from(["ucb1", "plain"]), st.sampled_from(["visits", "mean"]))
@settings(max_examples=60, deadline=None)
def test_figures_of_random_trees_add_up_and_check_finds_nothing(
    text: str, seed: int, select: Any, choose: Any
) -> None:
    recording = found(TREE, text, playouts=120, seed=seed, select=select, choose=choose)
    figures, rows = recording.figures, recording.rows
    assert figures is not None
    for row, figure in zip(rows, figures, strict=True):
        if row["outcome"] >= FIRST_STUB or figure["visits"] == 0:
            continue
        assert figure["wins"] + figure["draws"] + figure["losses"] == figure["visits"]
        assert figure["mean"] == (2 * figure["wins"] + figure["draws"]) / (2 * figure["visits"])
    for number, (row, figure) in enumerate(zip(rows, figures, strict=True)):
        below = (rows["parent"] == number) & (figures["visits"] > 0)
        if below.any():
            own = 0 if row["parent"] < 0 else 1
            assert figures["visits"][below].sum() + own == figure["visits"]
    assert findings(recording) == []


@plain_and_compiled
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"select": "plain", "choose": "mean"},
        {"fpu": 0.8, "c": 0.3, "log_visits": 4},
        {"fpu": "heuristic", "turn_limit": 6},
    ],
)
@pytest.mark.parametrize("name", ["tictactoe", "connect_four", "reversi"])
def test_the_same_seed_gives_the_same_log(name: str, options: Any, compiled: bool) -> None:
    game = find(name)
    first = found(game, playouts=120, seed=5, compiled=compiled, **options)
    assert told(found(game, playouts=120, seed=5, **options)) == told(first)
    assert told(found(game, playouts=120, seed=6, **options))[3] != told(first)[3]
    assert findings(first) == []


@plain_and_compiled
@pytest.mark.parametrize(
    "options", [{"guide": "ring"}, {"guide": "ring", "guide_power": 2.5, "fpu": "heuristic"}]
)
def test_so_it_does_in_hive_with_guided_play_outs(options: Any, compiled: bool) -> None:
    game, position = find("hive"), "Base;InProgress;White[3];wS1;bS1 wS1-;wQ -wS1;bQ bS1-"
    asked = {"playouts": 25, "turn_limit": 12, "seed": 3, **options}
    recording = found(game, position, compiled=compiled, **asked)
    assert told(found(game, position, **asked)) == told(recording)
    assert findings(recording) == []
    assert recording.figures is not None
    last = recording.trees[-1]
    below = recording.rows["parent"][last.row :] == last.row
    priors = recording.figures["prior"][last.row :][below]
    assert 0 < np.nansum(priors) <= 1 + 1e-9


def test_children_with_few_visits_stand_in_one_stub() -> None:
    every, few = (found(TICTACTOE, playouts=400, seed=2, log_visits=n) for n in (1, 30))
    assert few.figures is not None
    assert every.figures is not None
    assert few.ply == every.ply
    row = few.trees[-1].row
    children = [i for i in range(row + 1, len(few.rows)) if few.rows[i]["parent"] == row]
    assert [i for i in children if few.rows[i]["outcome"] == UNLOGGED] == children[-1:]
    logged = [i for i in children if few.rows[i]["outcome"] != UNLOGGED]
    assert min(few.figures["visits"][logged]) >= 30
    stub = few.figures[children[-1]]
    first = every.trees[-1].row
    all_children = [i for i in range(first + 1, len(every.rows)) if every.rows[i]["parent"] == first]
    left = [i for i in all_children if every.figures["visits"][i] < 30]
    assert stub["count"] == len(left)
    assert stub["visits"] == sum(every.figures["visits"][left])
    points = sum(every.figures["mean"][left] * every.figures["visits"][left])
    assert stub["mean"] * stub["visits"] == pytest.approx(points)


def test_early_trees_hold_the_root_and_its_plies_as_they_were() -> None:
    recording = found(TICTACTOE, playouts=1_000, seed=4)
    assert [tree.iteration for tree in recording.trees] == [10, 100, 1_000]
    assert recording.figures is not None
    for tree in recording.trees[:2]:
        whole = found(TICTACTOE, playouts=tree.iteration, seed=4)
        assert whole.figures is not None
        last = whole.trees[-1].row
        there = np.flatnonzero(whole.rows["parent"] == last)
        here = np.flatnonzero(recording.rows["parent"] == tree.row)
        for name in ("visits", "wins", "draws", "losses"):
            assert recording.figures[name][here].tolist() == whole.figures[name][there].tolist()
        for row, other in zip(here, there, strict=True):
            if recording.rows[row]["outcome"] != SEARCHED:
                continue
            stub = recording.figures[row + 1]
            below = whole.rows["parent"] == other
            assert stub["visits"] == whole.figures["visits"][below].sum()
            assert stub["count"] == whole.rows["moves"][other]
            points = np.nansum((whole.figures["mean"] * whole.figures["visits"])[below])
            assert stub["mean"] * stub["visits"] == pytest.approx(points)


def test_a_leaf_was_visited_once_and_never_expanded() -> None:
    recording = found(TICTACTOE, "XO. OX. ...", playouts=200, seed=1)
    assert recording.figures is not None
    last = slice(recording.trees[-1].row, None)
    outcome, visits = recording.rows["outcome"][last], recording.figures["visits"][last]
    assert set(visits[outcome == LEAF].tolist()) == {1}
    assert (visits[outcome == SEARCHED] > 1).all()
    assert (outcome == TERMINAL).any()


def test_a_node_is_expanded_at_a_visit_of_the_root() -> None:
    recording = found(TICTACTOE, playouts=300, seed=1)
    assert recording.figures is not None
    last = slice(recording.trees[-1].row, None)
    at = recording.figures["expanded_at"][last][recording.rows["outcome"][last] == SEARCHED]
    assert at[0] == 1
    assert sorted(at.tolist()) == sorted(set(at.tolist()))
    assert at.max() <= 300


# What it plays -------------------------------------------------------------------------------------------


KNOWN: dict[int, int] = {}


def value(state: Any) -> int:
    """The value of a tic-tac-toe position to X: plain minimax, each position once."""
    key = int(TICTACTOE.key(state))
    if key not in KNOWN:
        KNOWN[key] = value_by_minimax(state)
    return KNOWN[key]


def value_by_minimax(state: Any) -> int:
    """The same, from the values of the positions after it."""
    status = TICTACTOE.status(state)
    if status != ONGOING:
        return 1 if status == FIRST_WON else 0 if status == DRAWN else -1
    values = []
    for ply in legal_plies(TICTACTOE, state):
        after = state.copy()
        TICTACTOE.apply(after, ply)
        values.append(value(after))
    return max(values) if TICTACTOE.player(state) == 0 else min(values)


@pytest.mark.parametrize(
    "position", ["... ... ...", "X.. ... ...", ".X. ... ...", "... .X. ...", "X.. .O. ..X"]
)
@pytest.mark.parametrize("choose", ["visits", "mean"])
@plain_and_compiled
def test_ten_thousand_play_outs_find_a_drawing_ply_of_tictactoe(
    position: str, choose: Any, compiled: bool
) -> None:
    n = 10_000 if compiled else 1_500
    recording = found(TICTACTOE, position, playouts=n, seed=1, choose=choose, compiled=compiled)
    state = TICTACTOE.read_position(position)
    assert value(state) == 0
    TICTACTOE.apply(state, TICTACTOE.read_ply(state, str(recording.ply)))
    assert value(state) == 0


def late_positions(n: int) -> list[str]:
    """Positions of Connect Four with 8 to 12 empty cells, reached by random plies."""
    drawn, positions = random.Random(8), []
    while len(positions) < n:
        state = CONNECT_FOUR.read_position(CONNECT_FOUR.start)
        for _ in range(drawn.randint(30, 34)):
            if CONNECT_FOUR.status(state) != ONGOING:
                break
            CONNECT_FOUR.apply(state, drawn.choice(legal_plies(CONNECT_FOUR, state)))
        if CONNECT_FOUR.status(state) == ONGOING:
            positions.append(CONNECT_FOUR.write_position(state))
    return positions


@pytest.mark.slow
def test_late_in_connect_four_it_agrees_with_a_solver() -> None:
    """The ply is as good as the best, by won, drawn and lost, in at least 95 of 100 positions."""
    agreed = 0
    for position in late_positions(100):
        recording = found(CONNECT_FOUR, position, playouts=20_000, seed=1, compiled=True)
        state = CONNECT_FOUR.read_position(position)
        best, _ = solve(position)
        CONNECT_FOUR.apply(state, CONNECT_FOUR.read_ply(state, str(recording.ply)))
        status = CONNECT_FOUR.status(state)
        if status == ONGOING:
            worth = -solve(CONNECT_FOUR.write_position(state))[0]
        else:
            worth = 0 if status == DRAWN else 1
        agreed += worth == best
    assert agreed >= 95


def test_the_ply_is_chosen_by_the_figure_that_is_asked_for() -> None:
    for choose in ("visits", "mean"):
        recording = found(TICTACTOE, playouts=200, seed=3, select="plain", choose=choose)
        assert recording.figures is not None
        last = recording.trees[-1].row
        below = np.flatnonzero(recording.rows["parent"] == last)
        best = below[np.argmax(recording.figures[choose][below])]
        assert recording.score == recording.figures["mean"][best]


# Options -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"playouts": 0}, "playouts: 0, expected a whole number from 1"),
        ({"seconds": 0}, "seconds: 0, expected a number above 0"),
        ({"select": "puct"}, "select: 'puct', expected one of ucb1, plain"),
        ({"choose": "ucb"}, "choose: 'ucb', expected one of visits, mean"),
        ({"c": -1.0}, "c: -1.0, expected a number from 0"),
        ({"c": math.inf}, "c: inf, expected a number from 0"),
        ({"guide": "queens"}, "guide: 'queens', expected ring"),
        ({"guide_power": 2.0}, "guide_power: nothing guides play-outs"),
        ({"guide": "ring", "guide_power": 101}, "guide_power: 101, expected a number from 0 to 100"),
        ({"fpu": "static"}, "fpu: 'static', expected a number or heuristic"),
        ({"fpu": math.nan}, "fpu: nan, expected a finite number"),
        ({"fpu": 1.0, "select": "plain"}, "fpu: plain selection knows no urgency"),
        ({"c": 1.0, "select": "plain"}, "c: plain selection adds nothing to a mean"),
        ({"turn_limit": 0}, "turn_limit: 0, expected a whole number from 1"),
        ({"log_visits": 1.5}, "log_visits: 1.5, expected a whole number from 1"),
        ({"seed": -1}, "seed: -1, expected a whole number from 0"),
        ({"weights": {"centre": "2"}}, "weights: centre: '2', expected a finite number"),
        ({"evaluation": 3}, "evaluation: 3, expected the name of one"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: Any, says: str) -> None:
    with pytest.raises(OptionError, match=says.replace("(", r"\(")):
        MonteCarloOptions(**options)


def test_a_game_without_queens_refuses_to_be_guided() -> None:
    with pytest.raises(OptionError, match="guide: tictactoe has no ring"):
        found(TICTACTOE, guide="ring")


def test_the_heuristic_first_tries_the_ply_of_the_best_evaluation() -> None:
    """Of one visit each, in the order of the plies' statics; without it in a drawn order."""
    recording = found(TICTACTOE, playouts=9, seed=1, fpu="heuristic")
    last = recording.trees[-1].row
    plies = recording.rows["ply"][recording.rows["parent"] == last].tolist()
    assert plies[0] == 4  # the centre
    assert set(plies[1:5]) == {0, 2, 6, 8}  # the corners


# The course of a run -------------------------------------------------------------------------------------


def test_a_stopped_search_leaves_a_whole_log() -> None:
    stops = iter([False, False, True])
    options = MonteCarloOptions(playouts=100_000, seed=1)
    recording = search(TICTACTOE, None, options, should_stop=lambda: next(stops), compiled=False)
    result = recording.header["result"]
    assert result["stopped"] == "request"
    assert 0 < result["playouts"] < 100_000
    assert recording.figures is not None
    assert recording.figures["visits"][recording.trees[-1].row] == result["playouts"]
    assert findings(recording) == []


def test_time_ends_a_search_and_early_trees_are_noted_by_the_time() -> None:
    recording = found(TICTACTOE, seconds=0.3, seed=1)
    result = recording.header["result"]
    assert result["stopped"] == "seconds"
    assert [tree.iteration for tree in recording.trees] == sorted({t.iteration for t in recording.trees})
    assert recording.trees[-1].iteration == result["playouts"]
    assert len(recording.trees) == 3
    assert findings(recording) == []


def test_a_tree_that_may_not_grow_further_ends_the_search() -> None:
    options = MonteCarloOptions(playouts=100_000, seed=1)
    recording = search(TICTACTOE, None, options, compiled=False, most_nodes=300)
    assert recording.header["result"]["stopped"] == "memory"
    assert findings(recording) == []


@pytest.mark.parametrize("position", ["XXX OO. ...", "XOX OOX XXO"])
def test_a_finished_game_has_no_ply(position: str) -> None:
    recording = found(TICTACTOE, position, playouts=10)
    assert (recording.ply, recording.score) == (None, None)
    assert recording.header["result"]["playouts"] == 0
    assert len(recording.rows) == 1


def test_progress_tells_play_outs_and_the_choice_so_far() -> None:
    told_of: list[Progress] = []
    search(TICTACTOE, None, MonteCarloOptions(playouts=200, seed=1), told_of.append, compiled=False)
    assert told_of[-1].playouts == told_of[-1].of == 200
    assert told_of[-1].ply in {"b2", "a1", "a3", "c1", "c3"}
    assert [each.playouts for each in told_of] == sorted(each.playouts for each in told_of)


def test_a_seed_that_was_drawn_is_logged_and_gives_the_same_search() -> None:
    first = found(TICTACTOE, playouts=50)
    again = found(TICTACTOE, playouts=50, seed=first.header["result"]["seed"])
    assert told(first) == told(again)


def test_a_search_without_rows_finds_the_same_ply() -> None:
    full, bare = (found(TICTACTOE, playouts=300, seed=9, record=record) for record in (True, False))
    assert (bare.ply, bare.score, len(bare.rows)) == (full.ply, full.score, 0)


def test_a_log_of_it_is_not_searched_again() -> None:
    header = found(TICTACTOE, playouts=20, seed=1).header
    with pytest.raises(AgainError, match="only minimax, alphabeta and pvs are searched again"):
        recorded_search(header)


# The tree from move to move ------------------------------------------------------------------------------


def after(position: str, *plies: str) -> str:
    """The position of tic-tac-toe after some plies."""
    state = TICTACTOE.read_position(position)
    for ply in plies:
        TICTACTOE.apply(state, TICTACTOE.read_ply(state, ply))
    return TICTACTOE.write_position(state)


@plain_and_compiled
@pytest.mark.parametrize("plies", [(), ("b2",), ("b2", "a3")])
def test_a_search_goes_on_with_the_tree_of_the_one_before(plies: tuple[str, ...], compiled: bool) -> None:
    first = found(TICTACTOE, playouts=2_000, seed=1, compiled=compiled)
    options = MonteCarloOptions(playouts=100, seed=2)
    here = after(TICTACTOE.start, *plies)
    again = search(TICTACTOE, here, options, compiled=compiled, tree=first.table)
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
    first = found(TICTACTOE, playouts=2_000, seed=1)
    asked = MonteCarloOptions(playouts=50, seed=2, **options)
    again = search(TICTACTOE, position, asked, compiled=False, tree=first.table)
    assert "reused_visits" not in again.header["result"]
    assert told(again) == told(search(TICTACTOE, position, asked, compiled=False))


# Games of one's own --------------------------------------------------------------------------------------


class Heap:
    """A heap of matches: take one to three, whoever takes the last wins. Plies are numbers."""

    players = ("first", "second")
    factors: Mapping[str, float] = MappingProxyType({"matches": 0.0})
    positions_repeat = False

    def start(self) -> tuple[int, int]:
        return 10, 0

    def plies(self, position: tuple[int, int]) -> range:
        return range(1, min(3, position[0]) + 1)

    def apply(self, position: tuple[int, int], ply: int) -> tuple[int, int]:
        return position[0] - ply, 1 - position[1]

    def player(self, position: tuple[int, int]) -> int:
        return position[1]

    def winner(self, position: tuple[int, int]) -> int | None:
        return None if position[0] else 2 - position[1]

    def values(self, position: tuple[int, int]) -> tuple[float]:
        return (float(position[0]),)


class WideHeap(Heap):
    """The same with a hundred names for each ply."""

    def plies(self, position: tuple[int, int]) -> Any:
        return [ply + 100 * name for ply in super().plies(position) for name in range(100)]

    def apply(self, position: tuple[int, int], ply: int) -> tuple[int, int]:
        return super().apply(position, ply % 100)


class StuckHeap(Heap):
    """One match cannot be taken."""

    def plies(self, position: tuple[int, int]) -> range:
        return range(0) if position[0] == 1 else super().plies(position)


class GuidedHeap(Heap):
    """Taking three is guided up by 2, taking one down by 1."""

    def ring(self, position: tuple[int, int], ply: int) -> int:
        return {1: -1, 2: 0, 3: 2}[ply]


class WildHeap(Heap):
    """Its guide is none."""

    def ring(self, position: tuple[int, int], ply: int) -> int:
        return 7


@pytest.mark.parametrize(
    ("power", "weights"), [(1.0, (0.5, 1, 3)), (2.0, (0.25, 1, 9)), (0.5, (0.5**0.5, 1, 3**0.5))]
)
def test_guided_play_outs_draw_plies_in_proportion_to_their_weights(
    power: float, weights: tuple[float, ...]
) -> None:
    """The guide is seen by play-outs of one ply, and the priors are the chances."""
    game = PlainKernels(GuidedHeap())
    state = game.read_position(None)
    trunk = trunk_for(state, np.zeros(1), worths_of(power), source_of(1), 3, nodes_for(1))
    option = np.zeros(1, OPTIONS)
    option[0]["turn_limit"] = 1
    taken = [0, 0, 0]
    for _ in range(6_000):
        after = state.copy()
        assert play_out_guided(game, option[0], trunk, after) == ONGOING
        taken[9 - after[0][0]] += 1
    for count, weight in zip(taken, weights, strict=True):
        share = weight / sum(weights)
        assert abs(count / 6_000 - share) < 4 * (share * (1 - share) / 6_000) ** 0.5
    recording = found(GuidedHeap(), playouts=50, seed=1, guide="ring", guide_power=power)
    assert recording.figures is not None
    last = recording.trees[-1].row
    below = np.flatnonzero(recording.rows["parent"] == last)
    texts = [GuidedHeap().plies((10, 0))[int(ply)] for ply in recording.rows["ply"][below]]
    priors = dict(zip(texts, recording.figures["prior"][below].tolist(), strict=True))
    assert priors == pytest.approx({n + 1: weight / sum(weights) for n, weight in enumerate(weights)})


def test_at_a_power_of_0_play_outs_are_those_without_a_guide() -> None:
    plain, guided = (
        found(GuidedHeap(), playouts=100, seed=1, **options)
        for options in ({}, {"guide": "ring", "guide_power": 0})
    )
    assert told(plain)[1:] == told(guided)[1:]


def test_a_guide_beyond_six_is_refused() -> None:
    with pytest.raises(GameError, match=r"ring\(\) gave 7, expected a number from -6 to 6"):
        found(WildHeap(), playouts=10, seed=1, guide="ring")


def test_a_plain_game_is_searched() -> None:
    """Of ten matches two must be taken, so that eight are left."""
    recording = found(Heap(), playouts=3_000, seed=1)
    assert recording.ply == "2"
    assert findings(recording) == []


def test_a_plain_game_wider_than_the_buffers_is_searched_as_one_that_is_not() -> None:
    first, again = (found(WideHeap(), playouts=350, seed=1) for _ in range(2))
    assert told(first) == told(again)
    game = WideHeap()
    before = found(game, playouts=5, seed=1)  # now its adapter knows how wide it is
    options = MonteCarloOptions(playouts=350, seed=1)
    far = replace(before.table, meaning=())  # and brings nothing else
    assert told(search(game, None, options, tree=far))[1:] == told(first)[1:]


def test_the_tree_of_a_plain_game_is_carried_on() -> None:
    game = Heap()
    first = found(game, playouts=500, seed=1)
    again = search(game, None, MonteCarloOptions(playouts=10, seed=1), tree=first.table)
    assert again.header["result"]["reused_visits"] == 500


def test_a_game_that_is_stuck_is_named_with_its_position() -> None:
    with pytest.raises(GameError, match=r"StuckHeap: a position is not over but has no plies: \(1, "):
        found(StuckHeap(), playouts=500, seed=1)
