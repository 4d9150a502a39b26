"""Engines that speak UCI: as live searches, in matches, and held against our perft; suites of positions."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest

from plyscope.visualizer.formats.detect import read_log_file
from tests.patience import PATIENCE
from tests.unit.cli.conftest import Command

ENGINE = shlex.join([sys.executable, "-m", "tests.uci_engine"])


def test_what_a_live_engine_says_becomes_a_log(plyscope: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    code, out, err = plyscope("uci", ENGINE, "--depth", "2", "--multipv", "3", "-o", str(path))
    assert (code, out.splitlines()[-1]) == (0, "bestmove a2a3"), err
    log = read_log_file(path)
    assert [root.iteration for root in log.roots] == [1, 2]
    search, result = log.header["search"], log.header["result"]
    assert (search["engine"], search["go"], search["options"]) == ("Small 1", "depth 2", {"MultiPV": "3"})
    assert (result["ply"], result["score"], result["nodes"]) == ("a2a3", 0.3, 70)
    assert log.notices == (
        "These are the lines that an engine said over UCI, not the tree that it searched: each depth is a "
        "root, a principal variation is a chain below.",
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((f"{ENGINE} crash", "--depth", "1"), "ended with code 3 ('no more memory') and did not answer 'go"),
        ((f"{ENGINE} scoreless", "--depth", "1"), "told no score of startpos, only 'bestmove (none)'"),
        ((ENGINE, "--option", "MultyPV=2"), "has no option 'MultyPV'; did you mean 'MultiPV'?"),
        ((ENGINE, "--option", "MultiPV"), "--option wants NAME=VALUE"),
        ((ENGINE, "--depth", "1", "--nodes", "2"), "a search is bound by one of --depth, --nodes"),
        (("/no/such/program",), "could not be started: No such file or directory"),
        (("a 'b",), "is no command: No closing quotation"),
    ],
)
def test_what_an_engine_or_a_user_does_wrong_is_said(
    plyscope: Command, arguments: tuple[str, ...], said: str
) -> None:
    code, _, err = plyscope("uci", *arguments)
    assert (code, said in err) == (2, True), err


def test_a_variation_with_an_illegal_ply_is_found(plyscope: Command, tmp_path: Path) -> None:
    path = tmp_path / "session.txt"
    path.write_text("position startpos moves e2e4\ngo depth 1\ninfo depth 1 score cp 3 pv e7e5 e1e3\n")
    code, out, _ = plyscope("check", path)
    assert (code, "replay" in out, "e1e3" in out) == (1, True, True), out


@pytest.mark.parametrize(
    ("word", "why"),
    [
        ("illegal", "answered 'go depth 2' with 'a1a8', which is no legal ply"),
        ("nothing", "answered 'go depth 2' with no ply"),
    ],
)
def test_an_engine_that_cannot_play_stops_the_match(plyscope: Command, word: str, why: str) -> None:
    line = f"bad: uci={ENGINE} {word},depth=2,timeout={PATIENCE}"
    code, _, err = plyscope("match", line, "random", "--game", "chess", "--games", 2, "--workers", 1)
    assert (code, f"bad lost its first two games of this run by a fault: it {why}" in err) == (2, True), err


def test_an_engine_plays_whole_games_of_chess(plyscope: Command, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    options = ("--game", "chess", "--games", 2, "--plies", 12, "--workers", 1, "--json", "-o", path)
    line = f"small: uci={ENGINE},nodes=9,options=MultiPV:2"
    code, _, err = plyscope("match", line, "random", *options)
    assert code == 0, err
    head, *games = [json.loads(line) for line in path.read_text().splitlines()]
    assert head["match"]["agents"][0]["options"]["options"] == {"MultiPV": "2"}
    assert [(game["why"], len(game["plies"])) for game in games] == [("length", 12)] * 2


def test_perft_walks_down_to_the_first_ply_that_differs(plyscope: Command, tmp_path: Path) -> None:
    where = ("--position", "startpos moves e2e4 a7a5")
    code, out, _ = plyscope("perft", "chess", 2, *where, "--against", ENGINE)
    _, counted, _ = plyscope("perft", "chess", 2, *where, "--json")
    assert (code, out) == (0, f"both count {json.loads(counted)['nodes']} leaves, ply by ply\n")
    code, out, _ = plyscope(
        "perft", "chess", 3, "--position", "startpos moves e2e4", "--against", f"{ENGINE} miscounts"
    )
    assert code == 1
    assert out.splitlines() == [
        "after a5 > b4, 1 ply only here: axb4",
        "position rnbqkbnr/1ppppppp/8/p7/1P2P3/8/P1PP1PPP/RNBQKBNR b KQkq - 0 2",
    ]
    code, _, err = plyscope("perft", "chess", 2, "--against", f"{ENGINE} searches")
    assert (code, "does not know 'go perft' and searches: it wrote 'info depth 1" in err) == (2, True), err
    code, out, _ = plyscope("perft", "chess", 2, "--divide")
    counts = tmp_path / "counts.txt"
    counts.write_text(out.replace("Nf3: 20", "g1f3 - 21") + "Nodes searched: 401\n")
    code, out, _ = plyscope("perft", "chess", 2, "--against", counts)
    assert (code, out.splitlines()[0]) == (1, "in the first position, Nf3 has 20 leaves here and 21 there")
    code, out, _ = plyscope("perft", "chess", 2, "--against", counts, "--json")
    assert json.loads(out) == {
        **{"path": [], "position": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "ply": "Nf3"},
        **{"here": 20, "there": 21, "only_here": [], "only_there": [], "equal": False},
    }


SUITE = """1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "first";
7k/5Q2/6K1/8/8/8/8/8 w - - 0 1 bm Qg7; am Kf6; c0 "a; b";

k7/8/1K6/8/8/8/8/7R w - - am Rh2;
"""


def test_a_suite_says_what_was_failed_and_what_two_agents_choose_otherwise(
    plyscope: Command, tmp_path: Path
) -> None:
    path, logs = tmp_path / "suite.epd", tmp_path / "logs"
    path.write_text(SUITE)
    code, out, _ = plyscope("suite", path, "depth=1", "--logs", logs)
    assert code == 0
    *failed, solved = out.splitlines()
    assert solved == "depth=1: 2 of 3 solved"
    assert [(line.split(": ")[0], line.endswith("failed  (bm Qd1+)")) for line in failed] == [("first", True)]
    assert [log.name for log in logs.iterdir()] == ["line0001-agent1.json.gz"]
    assert read_log_file(next(logs.iterdir())).header["game"] == "chess"
    code, out, _ = plyscope("suite", path, "one: depth=1", f"small: uci={ENGINE},depth=1", "--json")
    told = json.loads(out)
    assert (told["agents"], told["solved"][0]) == (["one", "small"], 2)
    assert [each["id"] for each in told["positions"]] == ["first", "line 2", "line 4"]
    assert told["positions"][1]["choices"][0] == {"ply": "Qg7#", "solved": True}
    assert told["positions"][1]["bm"] == ["Qg7#"]


def test_a_line_that_is_no_problem_is_named(plyscope: Command, tmp_path: Path) -> None:
    path = tmp_path / "suite.epd"
    for line, said in (
        ("8/8/8 w - - bm e4;", "line 1: "),
        ("7k/5Q2/6K1/8/8/8/8/8 w - - bm Qa1;", "line 1: 'Qa1' is no legal ply"),
        ('7k/5Q2/6K1/8/8/8/8/8 w - - id "x";', "has neither `bm` nor `am`"),
    ):
        path.write_text(line)
        code, _, err = plyscope("suite", path, "random")
        assert (code, said in err) == (2, True), err
