"""Tests of a session's answers, line for line: one conversation, and one table of wrong lines."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from plyscope.version import __version__
from plyscope.visualizer.uhp.session import Session
from tests.hive import oracle
from tests.unit.uhp.conftest import ask

COUNTS = json.loads(Path(oracle.__file__).with_name("perft.json").read_text("utf-8"))


SCRIPT = r"""
> info
id plyscope VERSION
Mosquito;Ladybug;Pillbug
> newgame
Base;NotStarted;White[1]
> validmoves
wS1;wB1;wG1;wA1
> play wS1
Base;InProgress;Black[1];wS1
> play bG1 -wS1
Base;InProgress;White[2];wS1;bG1 -wS1
> PLAY wQ wS1-
Base;InProgress;Black[2];wS1;bG1 -wS1;wQ wS1-
> undo
Base;InProgress;White[2];wS1;bG1 -wS1
> undo 2
Base;NotStarted;White[1]
> newgame Base+LP
Base+LP;NotStarted;White[1]
> newgame Base+M;InProgress;White[2]; wM1 ;bG1  -wM;
Base+M;InProgress;White[2];wM;bG1 -wM
> options get level
Level;int;9;9;1;9
> options set Level 2
Level;int;2;9;1;9
> options set MaxTime 1.5
MaxTime;double;1.5;0;0;86400
> options set q OFF
Q;enum;off;level;level;off;2;3;4;5;6;7;8;9;10;11;12;15;20;25;30;40;50;75;100;200;500;1000
> options set Q level
Q;enum;level;level;level;off;2;3;4;5;6;7;8;9;10;11;12;15;20;25;30;40;50;75;100;200;500;1000
> options set Openings false
Openings;bool;False;True
> options
Level;int;2;9;1;9
Q;enum;level;level;level;off;2;3;4;5;6;7;8;9;10;11;12;15;20;25;30;40;50;75;100;200;500;1000
VaryStrongest;bool;False;False
Evaluation;enum;own;own;own;study-3;study-4;study-6
Limit;int;0;0;0;1000
Seed;int;0;0;0;2147483647
MaxTime;double;1.5;0;0;86400
MaxDepth;int;0;0;0;30
Openings;bool;False;True
Threefold;bool;False;False
ReportIntermediateBestMoves;bool;False;False
WriteLogs;bool;False;False
> options set Maxtime -0
MaxTime;double;0;0;0;86400
> Options	SET  reportintermediatebestmoves	TRUE
ReportIntermediateBestMoves;bool;True;False
> newgame Base;wins;who;;wS1;
Base;InProgress;Black[1];wS1
> newgame base+plm
Base+MLP;NotStarted;White[1]
> newgame Base+MLP;Nonsense;Black[99];;wL1; ; bm1 wl1-;;WQ \wL;
Base+MLP;InProgress;Black[2];wL;bM wL-;wQ \wL
> undo	3
Base+MLP;NotStarted;White[1]
> play	wS1
Base+MLP;InProgress;Black[1];wS1
> play   bS1	wS1 -
Base+MLP;InProgress;White[2];wS1;bS1 wS1-
> Help	undo
undo [N]: take plies back
> hElP undo
undo [N]: take plies back
"""


def test_a_session_answers_as_the_script_has_it(session: Session) -> None:
    for exchange in SCRIPT.strip().removeprefix("> ").split("\n> "):
        line, *expected = exchange.replace("VERSION", __version__).split("\n")
        found = ask(session, line)
        if line == "validmoves":  # in any order
            found, expected = sorted(found[0].split(";")), sorted(expected[0].split(";"))
        assert found == expected, line


@pytest.mark.parametrize(
    ("line", "starts", "names"),
    [
        ("play wQ", "invalidmove", "wQ"),
        ("play wS2", "invalidmove", "wS1"),
        ("play \\\\//--", "invalidmove", "expected"),
        ("pass", "invalidmove", "pass"),
        ("pass now", "err", "pass"),
        ("undo", "err", "no ply"),
        ("undo 0", "err", "no ply"),
        ("undo ١", "err", "whole number"),
        ("newgame Base+X", "err", "Base"),
        ("newgame Base;InProgress;White[2];wS1;bQ wS1-", "err", "ply 2"),
        ("validmoves please", "err", "validmoves"),
        ("bestmove", "err", "depth"),
        ("bestmove depth 0", "err", "whole number"),
        ("bestmove time 5", "err", "hh:mm:ss"),
        ("bestmove time 00:61:00", "err", "hh:mm:ss"),
        ("bestmove time -0:00:01", "err", "hh:mm:ss"),
        ("bestmove time 00:00:01 please", "err", "hh:mm:ss"),
        ("bestmove depth 1000", "err", "whole number"),
        ("options get", "err", "options"),
        ("options get Nothing", "err", "Level"),
        ("options set Level", "err", "options"),
        ("options set Level 10", "err", "from 1 to 9"),
        ("options set Level ٣", "err", "from 1 to 9"),
        ("options set Q 1", "err", "expected one of level, off, 2, 3,"),
        ("options set Limit 1_0", "err", "from 0 to 1000"),
        ("options set MaxTime nan", "err", "from 0 to 86400"),
        ("options set Openings 1", "err", "True or False"),
        ("options set Nothing 1", "err", "Level"),
        ("options please", "err", "options"),
        ("perft 21", "err", "whole number"),
        ("help me", "err", "help"),
        ("info please", "err", "info"),
        ("newgame " + 200_000 * "x", "err", "100,000 characters"),
        ("sing \x00 \ufffd", "err", "help"),
        ("_playing", "err", "help"),
    ],
)
def test_wrong_input_is_answered_in_one_line_and_changes_nothing(
    session: Session, line: str, starts: str, names: str
) -> None:
    ask(session, "newgame")
    options = ask(session, "options")
    (answer,) = ask(session, line)
    assert answer.split()[0] == starts
    assert names in answer
    assert "\n" not in answer
    assert ask(session, "options") == options
    assert ask(session, "play wS1") == ["Base;InProgress;Black[1];wS1"]


def test_commands_about_a_game_need_one_and_exit_says_nothing(session: Session) -> None:
    for line in ("play wS1", "pass", "validmoves", "bestmove depth 1", "undo", "perft 1"):
        assert ask(session, line) == ["err no game; newgame begins one"]
    assert not session.is_over
    assert [*session.answer("exit")] == []
    assert session.is_over


def test_a_refused_ply_is_quoted_with_the_backslashes_that_it_has(session: Session) -> None:
    ask(session, "newgame Base;;;wS1")
    (answer,) = ask(session, r"play bG1 \wB1")
    assert answer.startswith(r"invalidmove 'bG1 \wB1' is no legal ply for black, wB1 is not in play: ")
    (answer,) = ask(session, r"newgame Base;;;wS1;bG1 \wB1")
    assert answer.startswith(r"err ply 2 of the game, 'bG1 \wB1': 'bG1 \wB1' is no legal ply")
    (answer,) = ask(session, "play \x1b[2J\\")
    assert answer.startswith(r"invalidmove '\x1b[2J\' is no legal ply")


def test_random_lines_never_end_a_session(session: Session) -> None:
    draw = random.Random(3)
    words = ["newgame", "Base+MLP", ";", "play", "wS1", "-wS1", "undo", "options", "set", "get", "Level", "3"]
    words += ["validmoves", "pass", "help", "bestmove", "time", "\t", "\\", "/", "é", ""]
    for _ in range(400):
        line = " ".join(draw.choices(words, k=draw.randrange(6)))
        assert [*session.answer(line)][-1:] == ["ok"] * bool(line.split()), line


def test_a_blank_line_is_no_command_and_has_no_answer(session: Session) -> None:
    for line in ("", "   ", "\t", "\ufeff", "\ufeff \t"):
        assert [*session.answer(line)] == []
    assert ask(session, "\ufeffnewgame") == ["Base;NotStarted;White[1]"]


@pytest.mark.parametrize(
    ("text", "warns"),
    [
        ("Base;WhiteWins;White[2];wS1;bG1 -wS1", "'WhiteWins' is stated, but its plies give InProgress"),
        ("Base;InProgress;Black[9];wS1;bG1 -wS1", "'Black[9]' is stated, but its plies give White[2]"),
        ("Base;inprogress; white[2] ;wS1;bG1 -wS1;", None),
        ("Base;;;wS1;bG1 -wS1", None),
        ("Base+M", None),
    ],
)
def test_a_stated_field_that_the_plies_contradict_is_a_warning_and_decides_nothing(
    session: Session, caplog: pytest.LogCaptureFixture, text: str, warns: str | None
) -> None:
    (answer,) = ask(session, f"newgame {text}")
    assert answer.split(";")[1] in ("InProgress", "NotStarted")
    assert [record.message for record in caplog.records] == ([] if warns is None else [f"newgame: {warns}"])


def test_after_the_end_of_a_game_only_undo_and_newgame_go_on(session: Session) -> None:
    told = next(case["position"] for case in COUNTS if case["position"].startswith("Base;WhiteWins"))
    (answer,) = ask(session, f"newgame {told}")
    assert answer.split(";")[1] == "WhiteWins"
    for line in ("play wG2 wQ-", "pass", "validmoves", "bestmove depth 1", "bestmove time 00:00:01"):
        (refused,) = ask(session, line)
        assert refused.startswith("err the game is over (WhiteWins)")
    assert ask(session, "undo")[0].split(";")[1] == "InProgress"


def test_a_pass_is_listed_and_played_where_nothing_else_is_legal(session: Session) -> None:
    told = next(case["position"] for case in COUNTS if case["source"].endswith("uhp_tests.txt: Pass"))
    ask(session, f"newgame {told}")
    assert ask(session, "validmoves") == ["pass"]
    assert ask(session, "bestmove time 10:00:00") == ["pass"]  # needs no time
    (after,) = ask(session, "pass")
    assert after.endswith(";pass")
    assert ask(session, "undo") == ask(session, f"newgame {told}")


def test_a_third_repetition_draws_where_the_option_says_so(session: Session) -> None:
    told = next(case["position"] for case in COUNTS if case["position"].startswith("Base;Draw"))
    assert ask(session, f"newgame {told}")[0].split(";")[1] == "InProgress"
    ask(session, "options set Threefold True")
    assert ask(session, f"newgame {told}") == [told.strip().rstrip(";")]


def test_perft_counts_every_depth_up_to_the_one_asked_for(session: Session) -> None:
    ask(session, "newgame Base+MLP")
    assert [line.split(" in ")[0] for line in ask(session, "perft 2")] == [
        "perft(0) = 1",
        "perft(1) = 7",
        "perft(2) = 294",
    ]


def test_help_names_every_command_and_every_option(session: Session) -> None:
    said = "\n".join(ask(session, "help"))
    for line in ask(session, "options"):
        assert f"option {line.split(';')[0]}: " in said
    assert f"\nfolder of logs: {session.logs.folder}" in said
    for command in ("info", "newgame", "play", "pass", "validmoves", "bestmove", "undo", "options", "exit"):
        assert f"\n{command}" in "\n" + said
