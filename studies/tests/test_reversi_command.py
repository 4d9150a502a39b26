"""`plyscope study reversi`: the published example, solved positions, and what it refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import pytest

from plyscope.engine.game import State
from plyscope.engine.games.reversi import GAME, cell_name
from plyscope_studies.reversi.answers import ply_text
from plyscope_studies.reversi.random_ends import plies_of
from plyscope_studies.reversi.solver import Solved, UnfinishedError, solve
from tests.unit.cli.conftest import Command

EXAMPLE = "-----X------X------XOX-----OO-----OXO------X--------------------"
LEGAL = ["c6", "e7", "c3", "e1", "d2", "c7", "c2", "g3", "d7", "g2"]
FFO_40 = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------"
SIX_LEFT = "XXXXXX--XXOXXXXXXOXXX-XXXOXOXXXXXOXOXOOOXXXXOOOO-OXOOOOOO-XOOO-O"  # 32-32 with X to move
ONE_LEFT = "-OX" + "X" * 61


def test_the_published_example_is_answered_by_a_legal_ply_and_nothing_else(plyscope: Command) -> None:
    flags = f"-cli -b 1 -e 0 -line 2 -scores 0 -depth 24 26 28 -seconds 2 -board {EXAMPLE} -turn O"
    code, out, err = plyscope("study", "reversi", *flags.split())
    assert (code, err) == (0, "")
    assert out.rstrip("\n") in LEGAL


def test_a_solved_position_is_told_with_its_score(plyscope: Command) -> None:
    flags = f"-DEPTH 6 20 20 -scores 1 -board {FFO_40} -turn X"
    assert plyscope("study", "reversi", *flags.split()) == (0, "51 - 13    a2\n", "")


@pytest.mark.parametrize(("side", "line"), [("X", "    a1"), ("O", "    -- a1")])
def test_a_line_says_passes_and_goes_on(plyscope: Command, side: str, line: str) -> None:
    told = plyscope("study", "reversi", "-line", 1, "-scores", 1, "-board", ONE_LEFT, "-turn", side)
    assert told == (0, f"64 -  0{line}\n", "")


def test_a_finished_game_is_its_score_alone(plyscope: Command) -> None:
    assert plyscope("study", "reversi", "-board", "X" * 40 + "O" * 24, "-turn", "X") == (0, "40 - 24\n", "")


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ("-bord x", "'-bord' is no flag; did you mean -board?"),
        ("-turn X", "-board is missing"),
        ("-depth 3 4", "-depth: expected 3 values, found 2"),
        (f"-board {'Q' + 'X' * 63} -turn X", "'Q' on a1 is no disc"),
        (
            f"-board {EXAMPLE} -turn O -komi 2",
            "-komi 2: it moves the line between win and loss",
        ),
        (f"-board {EXAMPLE} -script a b", "-board: with -script the positions are those of a"),
        ("-script a b -log c.json", "a script solves its positions"),
        ("-script no-such-file b", "no-such-file: No such file"),
        ("-board -turn O", "-board: expected 1 value, found 0"),
        (f"-board {EXAMPLE} -turn O -e 2", "-e 2: expected a whole number from 0 to 1"),
    ],
)
def test_what_cannot_be_is_refused_by_one_line(plyscope: Command, flags: str, said: str) -> None:
    code, out, err = plyscope("study", "reversi", *flags.split())
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_help_is_asked_for_by_a_question_mark(plyscope: Command) -> None:
    assert plyscope("study", "reversi", "?")[0] == 0
    assert "-depth MID EXACT" in plyscope("study", "reversi", "?")[1]
    assert plyscope("study", "reversi")[0] == 2


def outcome_of(plyscope: Command, *flags: object) -> str:
    code, out, err = plyscope("study", "reversi", "-wld", 1, "-scores", 1, "-depth", 4, 0, 12, *flags)
    assert (code, err) == (0, "")
    return out.rstrip("\n")


def test_who_wins_is_told_alone_and_its_line_keeps_the_result(plyscope: Command) -> None:
    assert outcome_of(plyscope, "-board", SIX_LEFT, "-turn", "X", "-line", 0) == "Draw"
    line = outcome_of(plyscope, "-board", SIX_LEFT, "-turn", "X", "-line", 1)
    assert line.startswith("Draw    ")
    state = GAME.read_position(f"{SIX_LEFT} X")
    for ply in line.removeprefix("Draw").split():
        [number] = [each for each in plies_of(state) if ply_text(state, each) == ply]
        GAME.apply(state, number)
    assert plies_of(state) == []
    assert int(state[0]).bit_count() == int(state[1]).bit_count()


@pytest.mark.parametrize(("komi", "said"), [(-2, "White win"), (0, "Draw"), (2, "Black win")])
def test_white_has_to_win_by_the_komi(plyscope: Command, komi: int, said: str) -> None:
    for board, side in ((SIX_LEFT, "X"), (SIX_LEFT.translate(str.maketrans("XO", "OX")), "O")):
        swapped = (
            said if side == "X" or komi == 0 else {"White win": "Black win", "Black win": "White win"}[said]
        )
        asked = komi if side == "X" else -komi
        assert outcome_of(plyscope, "-board", board, "-turn", side, "-komi", asked, "-line", 0) == swapped


def test_a_lost_position_is_answered_by_looking_ahead(plyscope: Command) -> None:
    told = outcome_of(plyscope, "-board", SIX_LEFT, "-turn", "X", "-komi", -2, "-line", 2)
    verdict, ply = told.rsplit(maxsplit=1)
    assert verdict == "White win"
    assert ply in {cell_name(each) for each in plies_of(GAME.read_position(f"{SIX_LEFT} X"))}


def test_between_the_two_depths_a_position_is_solved_for_who_wins(plyscope: Command) -> None:
    flags = ("-depth", 4, 4, 6, "-scores", 1, "-board", SIX_LEFT, "-turn", "X", "-line", 0)
    assert plyscope("study", "reversi", *flags) == (0, "Draw\n", "")
    assert plyscope("study", "reversi", *flags, "-depth", 4, 6, 6) == (0, "32 - 32\n", "")


def test_a_script_is_answered_line_by_line(plyscope: Command, tmp_path: Path) -> None:
    positions, answers = tmp_path / "in.scr", tmp_path / "out.txt"
    positions.write_text(f"% two positions\n{SIX_LEFT} X % even\n\n{ONE_LEFT} O\n")
    assert plyscope("study", "reversi", "-script", positions, answers) == (0, "", "")
    assert answers.read_text() == "% two positions\n32 - 32      % even\n\n64 -  0\n"
    assert plyscope("study", "reversi", "-line", 1, "-script", positions, answers)[0] == 0
    assert answers.read_text().splitlines()[3] == "64 -  0    -- a1"
    assert plyscope("study", "reversi", "-wld", 1, "-script", positions, answers)[0] == 0
    assert answers.read_text().splitlines()[1::2] == ["Draw      % even", "Black win"]


def test_a_script_with_a_bad_line_is_refused_before_any_is_solved(plyscope: Command, tmp_path: Path) -> None:
    positions, answers = tmp_path / "in.scr", tmp_path / "out.txt"
    positions.write_text(f"{ONE_LEFT} X\n{ONE_LEFT}\n")
    code, out, err = plyscope("study", "reversi", "-script", positions, answers)
    assert (code, out) == (2, "")
    assert f"{positions}, line 2: a Reversi position is 64 cells and the side to move" in err
    assert not answers.exists()
    code, _, err = plyscope("study", "reversi", "-script", positions, positions)
    assert code == 2
    positions.write_text(f"{ONE_LEFT} X\n")
    code, _, err = plyscope("study", "reversi", "-script", positions, positions)
    assert (code, positions.read_text()) == (2, f"{ONE_LEFT} X\n")
    assert "would overwrite the positions" in err


def test_a_search_that_looks_ahead_is_kept_as_a_log(plyscope: Command, tmp_path: Path) -> None:
    path = tmp_path / "ahead.json"
    code, out, err = plyscope(
        "study", "reversi", *f"-depth 4 0 0 -board {EXAMPLE} -turn O -log".split(), path
    )
    assert (code, err) == (0, "")
    document = orjson.loads(path.read_bytes())
    assert [root["depth"] for root in document["roots"]] == [1, 2, 3, 4]
    assert document["result"]["ply"] == out.strip()


def test_a_log_of_a_solved_position_is_refused(plyscope: Command, tmp_path: Path) -> None:
    path = tmp_path / "solved.json"
    code, out, err = plyscope("study", "reversi", "-board", SIX_LEFT, "-turn", "X", "-log", path)
    assert (code, out) == (2, "")
    assert "this position is solved" in err
    assert "`-depth 6 0 0` looks ahead" in err
    assert not path.exists()


def test_which_limit_ended_a_search_is_told_where_it_is_asked(plyscope: Command) -> None:
    flags = f"-e 1 -depth 2 0 0 -board {EXAMPLE} -turn O".split()
    told = plyscope("study", "reversi", *flags)[2].splitlines()
    assert told[:2] == ["  a b c d e f g h", "1 - - - - - X - -"]
    assert told[9] == "White (O) to move"
    assert [line.split()[:2] for line in told[10:12]] == [["depth", "1"], ["depth", "2"]]
    assert told[12].startswith("searched 2 of 2 plies, ended by -depth 2: ")
    flags = f"-e 1 -depth 60 0 0 -seconds 1 -board {EXAMPLE} -turn O".split()
    assert "of 60 plies, ended by -seconds 1" in plyscope("study", "reversi", *flags)[2]


def test_an_unsolved_position_is_told_with_an_estimate_for_black_and_a_line(plyscope: Command) -> None:
    asked = f"-depth 4 0 0 -board {EXAMPLE} -turn O".split()
    ply = plyscope("study", "reversi", *asked)[1].strip()
    assert ply in LEGAL
    told = {line: plyscope("study", "reversi", *asked, "-scores", 1, "-line", line)[1] for line in (0, 1, 2)}
    estimate = told[0].strip()
    assert re.fullmatch(r"~ [+-][\d.]+", estimate)
    assert told[2].split("    ") == [estimate, f"{ply}\n"]
    plies = told[1].removeprefix(f"{estimate}   ").split()
    assert plyscope("study", "reversi", *asked, "-line", 1)[1].split() == plies
    assert (plies[0], len(plies)) == (ply, 4)
    state = GAME.read_position(f"{EXAMPLE} O")
    for each in plies:
        GAME.apply(state, GAME.read_ply(state, each))
    found = json.loads(plyscope("search", "reversi", *SEARCHED.split("|"))[1])["result"]
    assert (found["ply"], f"~ {-found['score']:+g}") == (ply, estimate), "white's score, told for black"


SEARCHED = f"--position|{EXAMPLE} O|--depth|4|--iterative|--algorithm|pvs|--table|64|--killers|--json"


@pytest.mark.parametrize(
    ("pauses", "flags", "said"),
    [
        (19, "-depth 6 24 24", "this ply is not proven"),
        (1, "-depth 6 24 24", "nothing is known of this ply but that it is legal"),
        (1, "-depth 6 0 0", "of 6 plies were finished"),
    ],
    ids=["solving", "solving, at once", "looking ahead, at once"],
)
def test_ctrl_c_leaves_the_best_ply_so_far_or_one_that_is_legal(
    plyscope: Command,
    monkeypatch: pytest.MonkeyPatch,
    pauses: int,
    flags: str,
    said: str,
) -> None:
    press(monkeypatch, pauses)
    code, out, err = plyscope("study", "reversi", *flags.split(), "-board", FFO_40, "-turn", "X")
    assert code == 130
    assert out.strip() in [cell_name(ply) for ply in plies_of(GAME.read_position(f"{FFO_40} X"))]
    assert said in err


def press(monkeypatch: pytest.MonkeyPatch, pauses: int) -> None:
    """Ctrl+C is pressed before this question whether it is."""

    @contextmanager
    def pressed() -> Iterator[Callable[[], bool]]:
        calls = iter(range(1, 10_000))
        yield lambda: next(calls) >= pauses

    monkeypatch.setattr("plyscope.searching.interrupts", pressed)
    monkeypatch.setattr("plyscope_studies.reversi.solver.PAUSE", 1_000_000)


def test_ctrl_c_on_the_way_to_the_rest_of_a_line_leaves_its_first_ply(
    plyscope: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = plyscope("study", "reversi", "-line", 1, "-board", SIX_LEFT, "-turn", "X")[1].split()
    assert len(whole) > 1
    asked = []

    def stopped_later(state: State, **given: object) -> Solved:
        asked.append(state)
        if len(asked) > 1:
            raise UnfinishedError(None, 7)
        return solve(state)

    monkeypatch.setattr("plyscope_studies.reversi.solver.solve", stopped_later)
    code, out, err = plyscope("study", "reversi", "-line", 1, "-board", SIX_LEFT, "-turn", "X")
    assert (code, out) == (130, f"{whole[0]}\n")
    assert "the line behind it is not known" in err


def test_ctrl_c_pressed_twice_leaves_a_legal_ply(plyscope: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> Solved:
        raise KeyboardInterrupt

    monkeypatch.setattr("plyscope_studies.reversi.solver.solve", interrupted)
    code, out, _ = plyscope("study", "reversi", "-board", SIX_LEFT, "-turn", "X")
    assert code == 130
    assert GAME.read_ply(GAME.read_position(f"{SIX_LEFT} X"), out.strip()) >= 0
