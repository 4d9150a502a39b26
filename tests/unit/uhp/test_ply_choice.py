"""Levels, openings, time and the logs that searches leave; and the page that lists them."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from plyscope.engine.games.hive import GAME
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log_file
from plyscope.visualizer.uhp.levels import LEVELS, OPTIONS, STRONGEST, Settings, search_options
from plyscope.visualizer.uhp.ply_choice import options_of_bestmove
from plyscope.visualizer.uhp.session import USAGE, Session
from tests.unit.uhp.conftest import ask

MIDDLE = "Base;;;wS1;bG1 -wS1;wQ wS1-;bQ -bG1;wA1 wQ-;bA1 -bQ"
WINS_NOW = (
    "Base;;;wS1;bS1 wS1-;wQ -wS1;bQ bS1/;wG1 -wQ;bG1 \\bQ;wG1 bQ\\;bG2 bQ/;wA1 wQ\\;bA1 bG2/;wA1 bG2\\;"
    "bA1 \\bG2;wQ \\wS1;bA1 bG2/"
)
"""White's queen steps to the last free side of Black's."""


def settings(**values: object) -> Settings:
    made = Settings()
    for name, value in values.items():
        made.set(name, str(value))
    return made


def test_every_level_sees_more_or_slips_less_than_the_one_below() -> None:
    def strength(number: int) -> tuple[float, float, int, float]:
        level = LEVELS[number]
        known = len(GAME.factors) - len(level.weights)
        return level.depth or 99, level.limit, known, level.quotient or 1_000_000

    assert list(LEVELS) == list(range(1, STRONGEST + 1))
    for lower, higher in pairwise(LEVELS):
        assert strength(lower) < strength(higher)


@pytest.mark.parametrize(
    ("asked", "depth", "limit", "quotient"),
    [
        ({"level": 1}, 1, 60, 2),
        ({"level": 4, "seconds": 9.0}, 2, 30, 20),
        ({"level": 1, "depth": 3}, 3, 60, 2),
        ({"level": 6, "depth": 7, "most_depth": 2}, 2, 14, 6),
        ({"level": 9}, 4, 30, None),
        ({"level": 9, "seconds": 9.0}, 30, 30, None),
        ({"level": 9, "seconds": 9.0, "quotient": 3}, 30, 30, 3),
        ({"level": 3, "limit": 50}, 2, 50, 3),
        ({"level": 9, "depth": 999}, 30, 30, None),
    ],
)
def test_what_is_asked_goes_before_the_level(
    asked: dict[str, Any], depth: int, limit: int, quotient: int | None
) -> None:
    options = search_options(**asked)
    assert (options.depth, options.limit, options.quotient) == (depth, limit, quotient)


@pytest.mark.parametrize(
    ("options", "n_played", "asked", "found"),
    [
        ({"MaxTime": 2}, 9, {"seconds": 5}, {"seconds": 2}),
        ({"MaxTime": 8}, 9, {"seconds": 5}, {"seconds": 5}),
        ({"MaxTime": 2}, 9, {"depth": 3}, {"seconds": 2}),
        ({}, 9, {"depth": 3}, {"seconds": None}),
        ({}, 3, {"depth": 1}, {"quotient": None}),
        ({}, 4, {"depth": 1}, {"quotient": 2}),  # third turns are drawn
        ({}, 5, {"depth": 1}, {"quotient": 2}),
        ({}, 6, {"depth": 1}, {"quotient": None}),
        ({"Q": "off"}, 4, {"depth": 1}, {"quotient": None}),
        ({"Q": 7}, 4, {"depth": 1}, {"quotient": 7}),
        ({"Openings": False}, 4, {"depth": 1}, {"quotient": None}),
        ({"Level": 7, "VaryStrongest": True, "Seed": 3}, 6, {"depth": 1}, {"quotient": 30, "seed": 9}),
        ({"Level": 8, "VaryStrongest": True, "Seed": 3}, 6, {"depth": 1}, {"quotient": 9, "seed": 9}),
        ({"Level": 9, "VaryStrongest": True, "Q": "off"}, 6, {"depth": 1}, {"quotient": None}),
        ({"Level": 5}, 9, {"depth": 1}, {"limit": LEVELS[5].limit}),
        ({"Level": 5, "Limit": 200}, 9, {"depth": 1}, {"limit": 200}),
        ({"Level": 1, "Evaluation": "Study-4"}, 8, {}, {"evaluation": "study-4", "weights": {}}),
        ({"Level": 9, "Evaluation": "Study-4"}, 8, {}, {"evaluation": "study-4", "weights": {}}),
        ({"Level": 1}, 8, {}, {"evaluation": None}),
    ],
)
def test_options_and_the_turn_decide_what_a_bestmove_does(
    options: dict[str, Any], n_played: int, asked: dict[str, Any], found: dict[str, Any]
) -> None:
    done = options_of_bestmove(settings(**options), n_played, **asked)
    assert {name: getattr(done, name) for name in found} == found


def test_a_seed_repeats_openings_and_draws_and_turns_differ(tmp_path: Path) -> None:
    def game() -> str:
        session = Session(tmp_path, compiled=False)
        for line in ("options set Seed 8", "options set Level 1", "newgame Base+MLP"):
            ask(session, line)
        for _ in range(7):
            (played,) = ask(session, f"play {ask(session, 'bestmove depth 1')[0]}")
        return played

    assert game() == game()
    seeds = [options_of_bestmove(settings(Seed=8, Q=2), n_played, depth=1).seed for n_played in range(9)]
    assert len(set(seeds)) == 9


def test_first_turns_come_from_the_openings_and_differ(tmp_path: Path) -> None:
    session = Session(tmp_path, compiled=False)
    ask(session, "newgame Base+MLP")
    assert len({ask(session, "bestmove depth 1")[0] for _ in range(60)}) > 3
    ask(session, "options set Openings False")
    assert len({ask(session, "bestmove depth 1")[0] for _ in range(3)}) == 1


def test_a_win_that_is_there_is_played_at_every_level_without_slips(tmp_path: Path) -> None:
    session = Session(tmp_path, compiled=False)
    ask(session, "options set Q off")
    ask(session, f"newgame {WINS_NOW}")
    for level in (1, 2):
        ask(session, f"options set Level {level}")
        (ply,) = ask(session, "bestmove depth 1")
        assert ask(session, f"play {ply}")[0].split(";")[1] == "WhiteWins"
        ask(session, "undo")


def test_a_search_gets_less_than_the_time_in_which_to_answer(tmp_path: Path) -> None:
    session = Session(tmp_path, writes_logs=True, compiled=False)
    ask(session, f"newgame {MIDDLE}")
    ask(session, "bestmove time 00:00:00.4")
    ask(session, "options set MaxTime 0.2")
    ask(session, "bestmove depth 9")
    session.logs.finish()
    asked = [
        read_log_file(path).header["search"]["options"]["seconds"] for path in sorted(tmp_path.iterdir())
    ]
    for seconds, most in zip(asked, (0.4, 0.2), strict=True):
        assert 0 < seconds <= 0.8 * most


def test_every_search_leaves_a_log_in_which_check_finds_nothing_wrong(tmp_path: Path) -> None:
    session = Session(tmp_path / "deep" / "logs", writes_logs=True, compiled=False)
    ask(session, "options set Level 5")
    ask(session, f"newgame {MIDDLE}")
    ask(session, "bestmove depth 2")
    ask(session, "undo")
    ask(session, "bestmove depth 1")
    ask(session, "options set WriteLogs False")
    ask(session, "bestmove depth 1")
    session.logs.finish()
    first, second = sorted((tmp_path / "deep" / "logs").iterdir())
    assert re.fullmatch(r"game0001-ply0006-\d{8}-\d{6}-\d+-0002\.json\.gz", first.name)
    assert re.fullmatch(r"game0001-ply0007-\d{8}-\d{6}-\d+-0001\.json\.gz", second.name)
    log = read_log_file(second)
    assert log.header["game"] == "hive"
    assert log.header["search"]["limit"] == LEVELS[5].limit
    assert [root.iteration for root in log.roots] in ([2], [None])  # the one that decided
    assert log.header["result"]["depth"] == 2
    assert "table_carried" not in log.header["search"]
    assert check(log).findings(severity="wrong") == []


def test_a_folder_that_cannot_be_written_to_is_refused_when_logs_are_asked_for(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    session = Session(tmp_path / "file", compiled=False)
    (answer,) = ask(session, "options set WriteLogs True")
    assert answer.startswith(f"err WriteLogs: no logs can be written into {tmp_path / 'file'} (")
    assert answer.endswith("); --log-folder names another")
    assert ask(session, "options get WriteLogs") == ["WriteLogs;bool;False;False"]


def test_the_first_level_judges_by_what_beginners_see() -> None:
    weights = search_options(1).weights
    assert {name for name in GAME.factors if name not in weights} == {"queen_ring", "hand", "queen_distance"}
    assert set(weights.values()) == {0.0}
    assert all(not search_options(number).weights for number in LEVELS if number > 1)


PAGE = (Path(__file__).parents[3] / "docs" / "uhp.md").read_text("utf-8")


def test_the_page_has_every_option_with_its_default() -> None:
    rows = dict(re.findall(r"^\| `(\w+)` \| ([^|]+) \|", PAGE, re.MULTILINE))
    defaults = {option.name: option.line(option.default).split(";")[3] for option in OPTIONS}
    assert rows == defaults


def test_the_page_has_every_level_with_its_figures() -> None:
    rows = re.findall(r"^\| (\d) \| ([^|]+) \| (\d+) \| (\w+) \|", PAGE, re.MULTILINE)
    assert [(int(number), int(limit)) for number, _, limit, _ in rows] == [
        (number, level.limit) for number, level in LEVELS.items()
    ]
    for (_, depth, _, quotient), level in zip(rows, LEVELS.values(), strict=True):
        assert depth == ("all the time allows" if level.depth is None else str(level.depth))
        assert quotient == ("none" if level.quotient is None else str(level.quotient))


def test_the_page_names_every_command() -> None:
    for command in USAGE:
        assert re.search(rf"`{command}\b", PAGE), command
