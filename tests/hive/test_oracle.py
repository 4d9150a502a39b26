"""The slow rules against the published counts; the fast ones are held against the slow ones elsewhere."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

import pytest

from tests.hive import oracle
from tests.hive.oracle import IllegalError, Position, perft, read_game, start

COUNTS = json.loads(Path(__file__).with_name("perft.json").read_text("utf-8"))
AFFORDABLE = 7_000
"""Leaves that are counted here; all up to 120,000 were counted once."""


@cache
def after(game_type: str, plies: tuple[str, ...], threefold: bool) -> Position:
    """The position after `plies`, each looked up among the legal ones."""
    if not plies:
        return start(game_type, threefold=threefold)
    before = after(game_type, plies[:-1], threefold)
    return before.play(before.read(plies[-1]))


def position_of(case: dict[str, str]) -> Position:
    plies = [] if case["position"] == "start" else [ply.strip() for ply in case["position"].split(";")[3:]]
    return after(case["game_type"], tuple(filter(None, plies)), "Draw by threefold" in case["source"])


@pytest.mark.slow
@pytest.mark.parametrize("game_type", oracle.GAME_TYPES)
def test_the_oracle_counts_what_others_counted(game_type: str) -> None:
    cases = [
        case for case in COUNTS if case["game_type"] == game_type and case["depth"] > 0 and affordable(case)
    ]
    assert len(cases) >= 3
    for case in cases:
        found = perft(position_of(case), case["depth"])
        assert found == case["nodes"], (case["position"], case["depth"])


def affordable(case: dict[str, int]) -> bool:
    return case["nodes"] <= AFFORDABLE


def test_a_finished_game_of_the_counts_is_lost_by_whom_the_protocol_says() -> None:
    said = {case["position"]: case for case in COUNTS if case["nodes"] == 0}
    states = {position_of(case).state() for case in said.values()}
    assert states == {"WhiteWins", "Draw"}
    for text, case in said.items():
        assert position_of(case).state() == text.split(";")[1]


def test_the_same_look_a_third_time_draws_only_where_it_was_asked_for() -> None:
    game = "Base;x;x;wS1;bB1 wS1-;wQ \\wS1;bQ bB1\\" + ";wQ -wS1;bQ bB1-;wQ \\wS1;bQ bB1\\" * 2
    assert read_game(game, threefold=True).state() == "Draw"
    assert read_game(game).state() == "InProgress"
    assert read_game(game.rpartition(";")[0], threefold=True).state() == "InProgress"


def test_a_game_reads_back_as_it_was_written() -> None:
    draw = random.Random(5)
    for game_type in oracle.GAME_TYPES:
        position = start(game_type)
        for _ in range(24):
            if not (plies := sorted(position.legal(), key=str)):
                break
            position = position.play(draw.choice(plies), trusted=True)
        again = read_game(position.game_string())
        assert (again.columns, again.plies) == (position.columns, position.plies)
        assert again.game_string() == position.game_string()


def test_every_spelling_names_the_same_ply() -> None:
    position = read_game("Base;;;wS1;bB1 wS1-;wQ -wS1;bQ bB1-")
    ply = position.read("wA1 /wS1")
    assert ply == ("wA1", (-1, 1))
    for spelling in ("wA1 wQ\\", "  wa1   WQ\\ ", "wA1 /wS1"):
        assert position.read(spelling) == ply
    assert position.write(ply) == "wA1 wQ\\"


def test_every_piece_of_a_column_names_it_and_the_top_one_is_written() -> None:
    """wB1 stands on bB1."""
    stacked = read_game("Base;;;wB1;bB1 wB1-;wQ \\wB1;bQ bB1-;wQ wB1/;bQ bB1/;wB1 bB1")
    ply = stacked.read("bA1 wB1-")
    assert stacked.read("bA1 bB1-") == ply == ("bA1", (2, 0))
    assert stacked.texts[-1] == "wB1 bB1"
    assert stacked.play(stacked.read("bQ bB1"), trusted=True).texts[-1] == "bQ wB1"


def test_readers_are_lenient_with_everything_but_plies() -> None:
    strict = read_game("Base+M;InProgress;White[2];wM;bG1 -wM")
    for spelling in ("Base+M;nonsense;White[9]; wM1 ;bG1 -wM1;", "Base+M;;;WM;;Bg1  -wM"):
        assert read_game(spelling).game_string() == strict.game_string()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Chess;;", "Chess"),
        ("Base;;;wQ", "not legal"),
        ("Base;;;wM", "no piece of Base"),
        ("Base;;;wS1;bG1 wA1-", "not in play"),
        ("Base;;;wS1;bG1 -wS1-", "no MoveString"),
        ("Base;;;wS1;bG1", "no MoveString"),
        ("Base;;;wS1;pass", "not legal"),
        ("Base;;;wS1;bG2 wS1-", "not legal"),
    ],
)
def test_what_is_no_game_is_refused(text: str, names: str) -> None:
    with pytest.raises(IllegalError, match=names):
        read_game(text)
