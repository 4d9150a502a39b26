"""Hive's factors, and the terms of published studies, counted again slowly on the board of the slow rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from plyscope.engine.games.hive import GAME
from plyscope.engine.games.tictactoe import GAME as TICTACTOE
from plyscope.engine.option import OptionError
from plyscope.engine.options import SearchOptions, judged
from plyscope.engine.record.recorded_search import AgainError, recorded_search
from plyscope.engine.run import search
from tests.hive.oracle import GAME_TYPES, Cell, Position, kind, neighbours
from tests.hive.test_oracle_agrees import random_game
from tests.oracle import values_of

# The slow count -------------------------------------------------------------------------------------------


def is_pinned(position: Position, cell: Cell) -> bool:
    return position.height(cell) == 1 and not position.lifted(cell).is_one_hive()


def first_steps(position: Position, piece: str) -> set[Cell]:
    """Cells at which a piece's first step may end; a grasshopper's and a ladybug's is onto a neighbour."""
    cell = position.cell_of(piece)
    if cell is None or position.cell_of(piece[0] + "Q") is None:
        return set()
    if position.top(cell) != piece or is_pinned(position, cell):
        return set()
    if position.height(cell) > 1:
        return set(neighbours(cell))
    slides = position.lifted(cell).slides(cell) if kind(piece) not in "GL" else set()
    beside = {each for each in neighbours(cell) if each in position.columns}
    return slides | (beside if kind(piece) in "BGL" else set())


def steps_apart(one: Cell, other: Cell) -> int:
    q, r = one[0] - other[0], one[1] - other[1]
    return max(abs(q), abs(r), abs(q + r))


def of_side(position: Position, side: str) -> dict[str, int]:
    """Every factor of one side."""
    everything = position.pieces()
    stage = 4 * sum(position.cell_of(piece) is not None for piece in everything) // len(everything)
    own = [piece for piece in position.pieces() if piece[0] == side]
    in_play = {piece: cell for piece in own if (cell := position.cell_of(piece)) is not None}
    queen, target = position.cell_of(side + "Q"), position.cell_of("wb"[side == "w"] + "Q")
    on_top = {piece: cell for piece, cell in in_play.items() if position.top(cell) == piece}
    steps = {piece: first_steps(position, piece) for piece in own}
    noisy = {
        piece: {cell for cell in ends if target is not None and steps_apart(cell, target) <= 1}
        for piece, ends in steps.items()
    }
    free_ants = [piece for piece in own if kind(piece) == "A" and steps[piece]]
    ring = [] if target is None else neighbours(target)
    open_cells = [cell for cell in ring if cell not in position.columns and position.slides(cell)]
    placeable = {
        cell
        for piece, at in on_top.items()
        for cell in neighbours(at)
        if cell not in position.columns
        and all(position.top(each)[0] == side for each in neighbours(cell) if each in position.columns)
    }
    guard = on_top.get(side + "P")
    return {
        "queen_ring": sum(cell in position.columns for cell in ring),
        "queen_escapes": len(steps[side + "Q"]) * stage,
        "hand": len(own) - len(in_play),
        "pinned": sum(is_pinned(position, cell) for cell in on_top.values()) * stage,
        "covered": len(in_play) - len(on_top),
        "mobility_quiet": sum(len(steps[piece]) - len(noisy[piece]) for piece in own),
        "mobility_noisy": sum(map(len, noisy.values())),
        "placement_cells": len(placeable) * (4 - stage) if len(in_play) < len(own) else 0,
        "stacked_on_queen": int(target is not None and position.top(target)[0] == side),
        "pillbug_guard": (4 - stage) * int(None not in (guard, queen) and guard in neighbours(queen)),
        "ant_freedom": len(free_ants) * len(open_cells),
        "queen_distance": 0 if target is None else sum(steps_apart(c, target) for c in in_play.values()),
    }


def counted(position: Position) -> dict[str, int]:
    white, black = of_side(position, "w"), of_side(position, "b")
    return {name: white[name] - black[name] for name in white}


MIDDLE = "Base;InProgress;White[5];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 /wQ;bA1 bQ/;wA2 -wQ;bG1 bQ-"


def terms_of_side(position: Position, side: str) -> dict[str, int]:
    """Each term of ants and of the rest, and the squared steps."""
    own = [piece for piece in position.pieces() if piece[0] == side]
    queen, target = position.cell_of(side + "Q"), position.cell_of("wb"[side == "w"] + "Q")
    terms = ("unplaced", "blocked", "queen_ring")
    split = {f"{name}_{whose}": 0 for name in terms for whose in ("ants", "rest")}
    squares = 0
    for piece in own:
        whose, cell = "ants" if kind(piece) == "A" else "rest", position.cell_of(piece)
        if cell is None:
            split[f"unplaced_{whose}"] += 1
            continue
        squares += steps_apart(cell, target) ** 2 if target is not None else 0
        if position.top(cell) != piece or is_pinned(position, cell):
            split[f"blocked_{whose}"] += {"Q": 5, "A": 3}.get(kind(piece), 1)
    for cell in [] if queen is None else neighbours(queen):
        if cell in position.columns:
            split["queen_ring_ants" if kind(position.top(cell)) == "A" else "queen_ring_rest"] += 1
    both = {name: split[f"{name}_ants"] + split[f"{name}_rest"] for name in terms}
    return {**both, **split, "queen_distance": squares}


@pytest.mark.slow
@pytest.mark.parametrize("game_type", GAME_TYPES)
def test_every_factor_and_term_is_what_a_slow_count_finds_in_random_games(game_type: str) -> None:
    for state, position in random_game(game_type, seed=5, longest=60):
        assert values_of(GAME, state) == counted(position), position.game_string()
        white, black = terms_of_side(position, "w"), terms_of_side(position, "b")
        for study in GAME.evaluations.values():
            assert values_of(study, state) == {each: white[each] - black[each] for each in study.factors}


def test_a_search_says_by_what_it_judged_and_is_searched_again_so() -> None:
    options = SearchOptions(depth=2, limit=4, evaluation="study-6", weights={"blocked_ants": -2})
    recording = search(GAME, MIDDLE, options, compiled=False)
    header = recording.header
    assert header["game"] == "hive"
    assert header["search"]["options"]["evaluation"] == "study-6"
    assert [each["name"] for each in header["factors"]] == list(GAME.evaluations["study-6"].factors)
    again = recorded_search(header)
    weights = {**GAME.evaluations["study-6"].factors, "blocked_ants": -2}
    assert again.options == replace(options, weights=weights)
    found = search(again.game, again.position, again.options, compiled=False)
    assert found.header["result"]["score"] == header["result"]["score"]


def test_an_unknown_evaluation_is_refused_with_those_there_are_which_may_be_none() -> None:
    with pytest.raises(OptionError, match="evaluation: 'study-5', expected one of study-3, study-4, study-6"):
        judged(GAME, "study-5")
    header = search(GAME, MIDDLE, SearchOptions(depth=1), compiled=False).header
    header["search"]["options"]["evaluation"] = "study-5"
    with pytest.raises(AgainError, match="cannot be searched again: evaluation: 'study-5'"):
        recorded_search(header)
    header["search"]["options"]["evaluation"] = ["study-3"]
    with pytest.raises(AgainError, match="the evaluation of this log is no name"):
        recorded_search(header)
    with pytest.raises(OptionError, match="evaluation: 'study-3', tictactoe has but its own"):
        search(TICTACTOE, None, SearchOptions(evaluation="study-3"), compiled=False)
