"""What Hive's factors count, in positions small enough to count by hand."""

from __future__ import annotations

import numpy as np
import pytest

from engine.games.hive import GAME
from engine.games.hive.moves import generate
from engine.games.hive.state import SHAPE

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


def test_a_queen_escapes_to_the_cells_it_may_slide_to_unless_pinned() -> None:
    assert factors(*ROW, "wA1 -wQ")["queen_escapes"] == 0 - 2


def test_hands_pins_and_covers_are_whites_less_blacks() -> None:
    one_more = factors(*ROW, "wA1 -wQ")
    assert one_more["hand"] == -1
    assert one_more["pinned"] == 2 - 1
    covered = factors(*ON_THE_QUEEN, game_type="Base+MLP")
    assert covered["covered"] == 1
    assert covered["stacked_on_queen"] == -1


def test_an_ant_at_the_end_is_free_and_one_in_a_row_is_not() -> None:
    assert factors(*ROW, "wA1 -wQ")["ant_freedom"] == 1
    assert factors(*ROW, "wA1 -wQ", "bA1 bQ-", "wB1 -wA1")["ant_freedom"] == -1


def test_an_ant_reaches_every_open_cell_beside_the_queen_and_a_spiders_step_does_not() -> None:
    """Five cells around black's queen are open; of white's two steps elsewhere none counts there."""
    found = factors(*ROW, "wA1 -wQ")
    assert found["mobility_noisy"] == 5
    assert found["mobility_quiet"] == 2 - 2


def test_placement_cells_touch_own_pieces_only() -> None:
    """White's five around queen, spider and ant in the row have two more neighbours than black's."""
    game_type, moves = "Base", (*ROW, "wA1 -wQ")
    assert factors(*moves, game_type=game_type)["placement_cells"] == 7 - 5


def test_a_pillbug_guards_the_queen_beside_it() -> None:
    moves = ("wP", "bS1 wP-", "wQ -wP", "bQ bS1-")
    assert factors(*moves, game_type="Base+P")["pillbug_guard"] == 1
    assert factors(*moves, r"wA1 -wQ", "bA1 bQ-", game_type="Base+P")["pillbug_guard"] == 1


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
