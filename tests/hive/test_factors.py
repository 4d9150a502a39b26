"""Tests of Hive's factors, in positions small enough to count by hand."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from plyscope.engine.games.hive import GAME
from plyscope.engine.games.hive.moves import generate
from plyscope.engine.games.hive.state import SHAPE

ROW = ("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-")
"""From west to east: white queen, white spider, black spider, black queen."""

ON_THE_QUEEN = ("wB1", "bB1 -wB1", "wQ wB1-", "bQ -bB1", r"wQ wB1\ ", "bQ /bB1", r"wQ bB1\ ", "bB1 wQ")


def factors(*moves: str, game_type: str = "Base") -> dict[str, float]:
    out = np.zeros(len(GAME.factors))
    GAME.values(GAME.read_position(";".join([game_type, "x", "x", *moves])), out)
    return dict(zip(GAME.factors, out.tolist(), strict=True))


def test_an_empty_board_is_worth_nothing() -> None:
    assert set(factors().values()) == {0.0}


def test_mirrored_positions_are_worth_nothing() -> None:
    assert set(factors(*ROW).values()) == {0.0}


def test_a_ring_counts_the_other_queens_neighbours() -> None:
    assert factors(*ROW, "wA1 -wQ")["queen_ring"] == 1 - 2
    assert factors(*ROW, "wA1 -wQ", "bA1 bQ-", "wA1 bQ/")["queen_ring"] == 3 - 1


def test_a_queens_escapes_count_a_stage_for_each_quarter_of_the_pieces_in_play() -> None:
    """White's queen is pinned by the ant behind it, black's has two cells to step to."""
    moves = (*ROW, "wA1 -wQ")
    assert factors(*moves)["queen_escapes"] == 0
    assert factors(*moves, "bB1 bS1/")["queen_escapes"] == 1 * (0 - 2)
    assert factors(*moves, "bB1 bS1/", "wA2 -wA1", "bB2 bB1/", "wA3 -wA2", "bG1 bB2/", "wS2 -wA3")[
        "queen_escapes"
    ] == 2 * (0 - 2)


def test_pins_count_a_stage_for_each_quarter_of_the_pieces_in_play() -> None:
    """In a row of eleven all but both ends are pinned: three of white's four and two of black's three."""
    row = factors(*ROW, "wA1 -wQ", "bA1 bQ-", "wA2 -wA1", "bA2 bA1-", "wA3 -wA2", "bA3 bA2-", "wS2 -wA3")
    assert row["pinned"] == 2 * (5 - 4)


def test_hands_and_covers_are_whites_less_blacks() -> None:
    assert factors(*ROW, "wA1 -wQ")["hand"] == -1
    covered = factors(*ON_THE_QUEEN, game_type="Base+MLP")
    assert covered["covered"] == 1
    assert covered["stacked_on_queen"] == -1


def test_a_free_ant_counts_every_open_cell_beside_the_queen_and_a_pinned_one_none() -> None:
    assert factors(*ROW, "wA1 -wQ")["ant_freedom"] == 5
    assert factors(*ROW, "wA1 -wQ", "bA1 bQ-", "wB1 -wA1")["ant_freedom"] == -4


def test_first_steps_are_noisy_where_they_end_beside_the_other_queen() -> None:
    """White's ant has two steps, far from black's queen, and black's queen two, far from white's.

    White's beetle above both spiders may step onto black's, beside black's queen, or down beside her.
    """
    found = factors(*ROW, "wA1 -wQ")
    assert found["mobility_noisy"] == 0
    assert found["mobility_quiet"] == 2 - 2
    beetle = factors(*ROW, r"wB1 \wS1", "bG1 bQ-", "wB1 wS1/")
    assert beetle["mobility_noisy"] == 2


def test_no_piece_takes_a_step_before_its_queen_is_in_play() -> None:
    found = factors("wS1", "bS1 wS1-", "wA1 -wS1", "bQ bS1-")
    assert (found["mobility_quiet"], found["ant_freedom"]) == (-2, 0)


def test_placement_cells_touch_own_pieces_only_and_count_less_stage_by_stage() -> None:
    """White's five around queen, spider and ant in the row have two more neighbours than black's."""
    assert factors(*ROW, "wA1 -wQ")["placement_cells"] == 4 * (7 - 5)
    assert factors(*ROW, "wA1 -wQ", "bA1 bQ-", "wA2 -wA1")["placement_cells"] == 3 * (9 - 7)


def test_a_pillbug_guards_the_queen_beside_it_the_more_the_earlier_it_is() -> None:
    moves = ("wP", "bS1 wP-", "wQ -wP", "bQ bS1-", "wA1 -wQ")
    assert factors(*moves, game_type="Base+P")["pillbug_guard"] == 4
    assert factors(*moves, "bA1 bQ-", game_type="Base+P")["pillbug_guard"] == 3


def test_distances_to_the_other_queen_are_added_up() -> None:
    assert factors(*ROW)["queen_distance"] == (3 + 2) - (2 + 3) == 0
    assert factors(*ROW, "wA1 -wQ")["queen_distance"] == 4


@pytest.mark.parametrize("moves", [ROW, (*ROW, "wA1 -wQ", "bA1 bQ-"), (*ROW, "wA1 /wS1", r"bA1 bS1\ ")])
def test_the_placement_cells_of_the_shape_are_those_of_the_plies(moves: tuple[str, ...]) -> None:
    state = GAME.read_position(";".join(["Base", "x", "x", *moves]))
    plies = np.zeros(GAME.max_plies, np.int32)
    grasshoppers = [ply for ply in plies[: generate(state, plies)] if ply & 31 == 5]
    assert len(grasshoppers) == state[SHAPE] & 255


def test_swapped_colours_change_every_sign() -> None:
    """The same row and ant, begun by the other side, with a pair of ants to make the turns even."""
    white = factors("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-", "wA1 -wQ", "bG1 bQ-")
    black = factors("wS1", "bS1 wS1-", "wQ -wS1", "bQ bS1-", "wG1 -wQ", "bA1 bQ-")
    assert white == {name: -value or 0.0 for name, value in black.items()}


def test_the_page_about_hive_has_every_factor_with_its_weight_and_the_words_of_the_game() -> None:
    page = (Path(__file__).parents[2] / "docs" / "hive.md").read_text("utf-8")
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \| ([-.\d]+) \|$", page, re.MULTILINE)
    assert [(name, float(weight)) for name, _, weight in rows] == list(GAME.factors.items())
    assert {name: meaning for name, meaning, _ in rows} == GAME.meanings
