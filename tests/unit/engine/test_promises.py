"""Games of docs/adding-a-game.md and of strangers: held to their bounds, and to all that games promise."""

from __future__ import annotations

import re
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from plyscope.engine.compile import code_cache
from plyscope.engine.game import Board, Cell, GameError
from plyscope.engine.games import promises
from plyscope.engine.games.outside import load
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from tests.heaps import Heap

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text(encoding="utf-8")
NIM = ROOT / "examples" / "nim.py"


def listing(name: str) -> str:
    found = re.search(rf"^```python {name}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


TWENTY_ONE = listing("twenty_one")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of machine code of the test's own."""
    kept = tmp_path / "cache"
    kept.mkdir(mode=0o700)
    monkeypatch.setattr(code_cache, "cache_folder", lambda: kept)
    return kept


def changed(folder: Path, *edits: tuple[str, str]) -> Path:
    """The page's kernel game with some of its text replaced."""
    text = TWENTY_ONE
    for old, new in edits:
        assert old in text
        text = text.replace(old, new)
    path = folder / "mine.py"
    path.write_text(text)
    return path


UNDO = (
    ("@kernel\ndef key", "@kernel\ndef undo(state, ply):\n    state[2] += ply\n\n\n@kernel\ndef key"),
    ("values, key)", "values, key, undo)"),
)


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        (
            [("max_plies = 3", "max_plies = 2")],
            r"twenty_one: generate\(\) uses entry 2 of plies \(plies\[i\]\) in '21 first'; max_plies 2, "
            "state_size 2, 1 factor. Set max_plies to the most plies that the rules allow",
        ),
        ([("    return n\n", "    return n + 1\n")], r"generate\(\) returned 4 plies and wrote 3 in '21"),
        ([("    return n\n", "    return -1\n")], r"generate\(\) returned -1 plies and wrote 3"),
        ([("    out[0] =", "    out[1] =")], r"values\(\) uses entry 1 of out \(out\[1\]\)"),
        ([("    out[0] =", "    zero =")], r"values\(\) wrote no number for 'not_a_multiple_of_four'"),
        ([("state[SIDE] = 1", "state[-3] = 1")], r"apply\(\) uses entry -3 of state \(state\[-3\]\) in"),
        ([("int(2 * state[LEFT]", "int((1, 2)[state[LEFT]]")], r"key\(\) uses what is not there \(tuple"),
        ([*UNDO], r"undo\(\) uses entry 2 of state"),
        ([("state_size = 2", "state_size = 3")], r"array \(2,\) of int64, expected \(3,\) of int64"),
        ([("write_position", "written")], "TwentyOne is no kernel game: it lacks write_position"),
    ],
)
def test_a_kernel_that_leaves_its_arrays_is_refused_when_it_is_loaded(
    tmp_path: Path, edits: list[tuple[str, str]], message: str
) -> None:
    path = changed(tmp_path, *edits)
    for _ in range(2):  # a game that failed is asked again
        with pytest.raises(GameError, match=message):
            load(f"{path}:TwentyOne")


def test_kernels_that_passed_are_not_asked_again_until_they_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    real = promises.positions
    monkeypatch.setattr(promises, "positions", lambda game: asked.append(game) or real(game))
    for edit, n in ((("take", "take"), 1), (("take", "Take"), 1), (("n = min(3", "n = min(2"), 2)):
        load(str(changed(tmp_path, edit)))
        assert len(asked) == n
    load(str(changed(tmp_path, ("max_plies = 3", "max_plies = 4"))))
    assert len(asked) == 3


def test_a_walk_ends_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(str(changed(tmp_path, ("state[LEFT] -= ply", "state[LEFT] += 0"))))
    monkeypatch.setattr(promises, "N_GAMES", 1_000_000)
    assert 0 < len([*promises.positions(game)]) < 1_000_000


@pytest.mark.parametrize(
    ("edits", "faults"),
    [
        ([], []),
        ([("ONGOING\n    return S", "ONGOING + 7\n    return S")], ["status 7 is none, expected 0 to 4"]),
        ([("plies[i] = i + 1", "plies[i] = 1")], ["two plies are one", "two plies have one text"]),
        ([("n = min(3", "state[SIDE] = 0\n    n = min(3")], ["asking about it changes it"]),
        ([("out[0] = sign", "out[0] = 0 * sign"), ("else -sign", "else 0")], ["factor not_a_multiple"]),
        (
            [
                ("    factors =", "    factor_dtype = np.int8\n    factors ="),
                ("= sign if", "= 0.5 * sign if"),
            ],
            ["0.5"],
        ),
        ([("int(2 * state[LEFT] + state[SIDE])", "int(state[LEFT])")], ["two positions have one key"]),
        (
            [("range(1, int(ply) + 1)", "range(1, int(ply) + 2)")],
            ["1: the boards around it change [(", ")], and ply_cells() says [("],
        ),
        ([("return SECOND_WON if", "return ONGOING if")], ["there are 0 plies, and status() says 0, the"]),
        ([("len(left) < 4", "int(left) > 9")], ["read_position() says: expected a number and a player"]),
    ],
)
def test_what_a_game_breaks_is_said_with_a_position(
    tmp_path: Path, edits: list[tuple[str, str]], faults: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(promises, "machine_code_answers_alike", lambda at: iter(()))
    n, found = promises.faults(load(str(changed(tmp_path, *edits))))
    assert 20 < n < 50  # each that there is, once
    for fault in faults:
        assert any(fault in each for each in found), found
    assert bool(found) == bool(faults), found


def test_a_plain_game_is_held_to_the_same() -> None:
    game: Any = load(f"{NIM}:Nim")
    assert promises.faults(PlainKernels(game))[1] == []
    game.write_ply = lambda position, ply: "take"
    assert "two plies have one text (" in promises.faults(PlainKernels(game))[1][0]


class Deep(Heap):
    """Eleven plies, two at a time; one random game in six ends where the board is wrong."""

    factors = MappingProxyType({"length": 1.0})

    def start(self) -> Any:
        return ""

    def plies(self, position: Any) -> list[str]:
        return ["a", "b"] if len(position) < 11 else []

    def apply(self, position: Any, ply: Any) -> Any:
        return position + ply

    def player(self, position: Any) -> int:
        return len(position) % 2

    def winner(self, position: Any) -> int | None:
        return 2 if len(position) > 10 else None

    def values(self, position: Any) -> tuple[float, ...]:
        return (len(position),)

    def board(self, position: str) -> Any:
        names = "ab" * 6 if "aaaaa" not in position else "ab"
        return Board("squares", tuple(Cell(i, 0, (), names[i]) for i in range(12)))

    def read_position(self, text: str) -> str:
        if len(text) > 10:
            raise GameError(f"{text!r} is too long")
        return text


def test_what_only_some_games_reach_is_found_and_said_with_its_line() -> None:
    n, found = promises.faults(PlainKernels(Deep()))
    assert n > 100
    read, drawn = sorted(found, reverse=True)
    assert re.match(r"read_position\(\) says: '[ab]{11}' is too long \(", read)
    assert re.match(
        r"board\(\) raises IndexError: .*, line \d+ of test_promises.py, in <genexpr> \(.*aaaaa", drawn
    )


def test_a_plain_game_s_winner_is_said_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Deep, "plies", lambda game, position: ["a", "b"] if len(position) < 12 else [])
    found = promises.faults(PlainKernels(Deep()))[1]
    assert any(
        each.startswith("there are 2 plies, and winner() says 2, the second player won") for each in found
    )


@pytest.mark.parametrize(
    ("board", "message"),
    [
        (lambda position: [Cell(0, 0)], r"board() gave [Cell(x=0, y=0"),
        (lambda position: Board("square"), "board() says: Board('square'): expected one of squares"),
        (lambda position: Board("free", (Cell(1, 1), Cell(1, 1))), "board() has two cells at one place"),
    ],
)
def test_boards_are_asked_without_ply_cells_too(board: Any, message: str) -> None:
    game: Any = load(f"{NIM}:Nim")
    game.board = board
    (fault,) = promises.faults(PlainKernels(game))[1]
    assert fault.startswith(message)


@pytest.mark.slow
def test_machine_code_that_answers_otherwise_is_said(tmp_path: Path) -> None:
    """Integers wrap at 64 bits when compiled, and grow when they are Python's."""
    line = "    out[0] = sign if state[LEFT] % 4 != 0 else -sign"
    path = changed(tmp_path, (line, "    out[0] = (int(state[LEFT]) << 60) >> 60"))
    (fault,) = promises.faults(load(str(path)))[1]
    assert fault.startswith("compiled, its kernels answer At(is_changed=False, plies=[1, 2, 3]")


def test_the_page_shows_nim_as_it_is_in_about_thirty_lines() -> None:
    text = NIM.read_text(encoding="utf-8")
    assert listing("nim") == text
    assert len([line for line in text.splitlines() if line.strip()]) <= 31


def test_the_kernel_game_of_the_page_takes_the_remainder_and_refuses_what_is_no_position(
    tmp_path: Path,
) -> None:
    """Of 7 three are taken: every 4 is lost for whoever is to move."""
    game = load(str(changed(tmp_path)))
    assert search(game, "7 first", SearchOptions(depth=7), compiled=False).ply == "3"
    for text in ("", "21", "x first", "-1 first", "1000 first"):
        with pytest.raises(GameError, match="expected a number and a player"):
            game.read_position(text)
