"""`plyscope reversi`: the published example, solved positions, and what it refuses."""

from __future__ import annotations

import pytest

from tests.unit.cli.conftest import Command

EXAMPLE = "-----X------X------XOX-----OO-----OXO------X--------------------"
LEGAL = ["c6", "e7", "c3", "e1", "d2", "c7", "c2", "g3", "d7", "g2"]
FFO_40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------"
ONE_LEFT = "-OX" + "X" * 61


def test_the_published_example_is_answered_by_a_legal_ply_and_nothing_else(plyscope: Command) -> None:
    flags = f"-cli -b 1 -e 0 -line 2 -scores 0 -depth 24 26 28 -seconds 2 -board {EXAMPLE} -turn O"
    code, out, err = plyscope("reversi", *flags.split())
    assert (code, err) == (0, "")
    assert out.rstrip("\n") in LEGAL


def test_a_solved_position_is_told_with_its_score(plyscope: Command) -> None:
    flags = f"-DEPTH 6 20 20 -scores 1 -board {FFO_40} -turn X"
    assert plyscope("reversi", *flags.split()) == (0, "51 - 13    a2\n", "")


@pytest.mark.parametrize(("side", "line"), [("X", "    a1"), ("O", "    -- a1")])
def test_a_line_says_passes_and_goes_on(plyscope: Command, side: str, line: str) -> None:
    told = plyscope("reversi", "-line", 1, "-scores", 1, "-board", ONE_LEFT, "-turn", side)
    assert told == (0, f"64 -  0{line}\n", "")


def test_a_finished_game_is_its_score_alone(plyscope: Command) -> None:
    assert plyscope("reversi", "-board", "X" * 40 + "O" * 24, "-turn", "X") == (0, "40 - 24\n", "")


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ("-bord x", "'-bord' is no flag"),
        ("-turn X", "-board is missing"),
        ("-depth 3 4", "-depth: expected 3 values, found 2"),
        (f"-board {'Q' + 'X' * 63} -turn X", "'Q' on a1 is no disc"),
        (f"-board {EXAMPLE} -turn O -line 1", "this one has more than 10 empty cells"),
        (f"-board {EXAMPLE} -turn O -e 2", "-e 2: expected a whole number from 0 to 1"),
    ],
)
def test_what_cannot_be_is_refused_by_one_line(plyscope: Command, flags: str, said: str) -> None:
    code, out, err = plyscope("reversi", *flags.split())
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_help_is_asked_for_by_a_question_mark(plyscope: Command) -> None:
    assert plyscope("reversi", "?")[0] == 0
    assert "-depth MID EXACT" in plyscope("reversi", "?")[1]
    assert plyscope("reversi")[0] == 2
