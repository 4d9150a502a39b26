"""`plyscope match` and `plyscope tournament`: what they play, print and refuse."""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from plyscope.visualizer.shelf.matches import trials_json
from tests import heaps
from tests.patience import PATIENCE
from tests.unit.cli.conftest import Command
from tests.unit.match.test_uhp_player import ENGINE

HEAP = f"{heaps.__file__}:NamedHeap"
"""A game of one's own, as the command line names it."""
FILE = """
game = "{game}"
games = 4
opening = 1
seed = 3
[agents]
deep = {{depth = 8}}
one = "depth=1"
random = "random"
"""


def test_a_file_of_games_alone_goes_on_with_its_match_and_gets_logs(
    plyscope: Command, tmp_path: Path
) -> None:
    path = tmp_path / "games.jsonl"
    terms = ("--game", "connect_four", "--games", 4, "--opening", 1, "-o", path)
    assert plyscope("match", "random", "d: depth=1", *terms)[0] == 0
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:3]), "utf-8")
    code, out, err = plyscope("match", path, "--log", "d", "--workers", 1)
    assert (code, f"logs in {tmp_path / 'games-logs'}" in err) == (0, True)
    games = {game["number"]: game for game in map(json.loads, path.read_text("utf-8").splitlines()[1:])}
    before = {game["number"]: game["plies"] for game in map(json.loads, lines[1:])}
    assert {number: game["plies"] for number, game in games.items()} == before
    assert all(game["logs"]["d"] for game in games.values())
    assert out == plyscope("match", "random", "d: depth=1", *terms)[1]


@pytest.mark.parametrize(
    ("first", "asked", "said"),
    [
        ('{"match": {"position": null, GAME}}', (), "whose code would run: add --game mine.py:Mine"),
        ('{"match": {"position": null, GAME}}', ("--seed", 3), "--seed: the match is the one that"),
        ('{"match": {HIVE}}', (), "its first line states no match that can be played"),
    ],
)
def test_a_file_that_is_no_match_to_go_on_with_is_refused(
    plyscope: Command, tmp_path: Path, first: str, asked: tuple[object, ...], said: str
) -> None:
    agents = [{"name": name, "kind": "random", "options": {}} for name in "ab"]
    game = json.dumps({"games": 2, "game": "mine.py:Mine", "agents": agents})[1:-1]
    ours = game.replace("mine.py:Mine", "hive")
    (tmp_path / "a.jsonl").write_text(first.replace("GAME", game).replace("HIVE", ours) + "\n", "utf-8")
    code, _, err = plyscope("match", tmp_path / "a.jsonl", *asked)
    assert (code, said in err) == (2, True), err


def test_a_test_in_sequence_stops_once_it_knows(plyscope: Command, tmp_path: Path) -> None:
    terms = ("--game", HEAP, "--opening", 1, "--workers", 1, "-o", tmp_path / "games.jsonl")
    asked = ("match", "deep: depth=8,quotient=6", "random", "--games", 400, "--better", 80, *terms)
    code, out, _ = plyscope(*asked, "--json")
    answer = json.loads(out)
    assert (code, answer["games"] < 400) == (0, True)
    assert (answer["test"]["says"], answer["test"]["better"]) == ("better", 80)
    last = plyscope(*asked)[1].splitlines()[-1]
    assert last.startswith("deep is better than random: 80 points of Elo are likelier than none")


def engine(tmp_path: Path, *bad_games: int) -> str:
    """A player that takes the first legal ply, and crashes in the games of these numbers, from 1."""
    path = tmp_path / "engine.py"
    path.write_text(ENGINE)
    program = [sys.executable, str(path), str(tmp_path / "pids"), "crash", *map(str, bad_games)]
    return f"bad: uhp={shlex.join(program)},seconds=0.5,timeout={PATIENCE}"


HIVE = ("--opening", 4, "--plies", 10, "--workers", 1)


def test_what_rests_on_faults_stands_at_the_head_of_the_table_and_is_printed_again(
    plyscope: Command, tmp_path: Path
) -> None:
    path, line = tmp_path / "games.jsonl", engine(tmp_path, 1, 3)
    code, out, err = plyscope("match", line, "random", "--games", 4, *HIVE, "-o", path)
    err = re.sub("plyscope: compiling .*\n", "", err)
    said = "ended with code 3 and did not answer 'bestmove time 00:00:01'"
    rounded = "plyscope: bad is given 1 s a ply, not 0.5: the protocol's clock has whole seconds.\n"
    assert (code, err) == (0, rounded)
    assert out.splitlines()[1:4] == [
        "2 of 4 games ended by a fault, which all figures count as a loss.",
        f"bad lost 2 games by a fault: it {said}.",
        "Without games that ended by a fault bad took 50.0 % of the points of 2 games.",
    ]
    (tmp_path / "engine.py").unlink()
    assert plyscope("match", path) == (code, out, err)
    answer = json.loads(plyscope("match", path, "--json")[1])
    assert answer["faults"] == [{"agent": "bad", "fault": said, "games": 2}]
    assert answer["faults_in_words"] == out.splitlines()[1:4]
    assert len((tmp_path / "pids").read_text().splitlines()) == 4
    lines = path.read_text("utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[:-1]), "utf-8")
    code, out, err = plyscope("match", path)
    assert (code, "3 games" in out.splitlines()[0]) == (0, True)
    assert err == rounded + (
        "plyscope: 1 game of external engines is not played yet: a file of games starts no program, "
        "so name all players again to go on, with -o and the file.\n"
    )


@pytest.mark.parametrize("command", ["tournament", "tune"])
def test_an_engine_that_cannot_play_stops_what_it_plays_in(
    plyscope: Command, tmp_path: Path, command: str
) -> None:
    path, line = tmp_path / "games.jsonl", engine(tmp_path, 1, 2)
    (tmp_path / "cup.toml").write_text(f"[agents]\nbad = {json.dumps(line)}\nrandom = 'random'\n")
    asked: tuple[object, ...] = (tmp_path / "cup.toml", "--games", 4, *HIVE, "-o", path)
    if command == "tune":
        search = ("--trials", 2, "--games", 4, "--depth", 1, "--limit", 2)
        asked = ("hive", "--against", line, *search, *HIVE)
    code, out, err = plyscope(command, *asked)
    assert (code, out) == (2, "")
    said = "plyscope: bad lost its first two games of this run by a fault: it ended with code 3 and did not"
    assert err.splitlines()[-1].startswith(said)
    if command == "tournament":
        assert len(path.read_text("utf-8").splitlines()) == 1
        code, out, _ = plyscope(command, *asked)  # it has been mended since
        assert (code, "fault" in out, len(path.read_text("utf-8").splitlines())) == (0, False, 5)


def test_a_tuning_says_what_rests_on_faults(plyscope: Command, tmp_path: Path) -> None:
    asked = ("hive", "--against", engine(tmp_path, 3), "--games", 4, "--depth", 1, "--limit", 2, *HIVE)
    output = tmp_path / "history.json"
    code, out, _ = plyscope("tune", *asked, "--trials", 1, "--fresh", 0, "-o", output)
    said = "1 of 4 games ended by a fault, which all figures count as a loss."
    assert (code, out.splitlines()[1:3]) == (
        0,
        ["bad is given 1 s a ply, not 0.5: the protocol's clock has whole seconds.", said],
    )
    assert trials_json(output)["faults_in_words"] == [said]


def test_a_tournament_of_a_file_has_a_cross_table_and_logs_where_the_file_asks_for_them(
    plyscope: Command, tmp_path: Path
) -> None:
    path = tmp_path / "cup.toml"
    path.write_text('log = "all"\n' + FILE.format(game=HEAP))
    asked = ("tournament", path, "--workers", 1)
    code, out, err = plyscope(*asked)
    assert (code, out) == (2, "")
    assert "log: nowhere to write them; name a folder, or a file of games beside it" in err
    code, out, err = plyscope(*asked, "--logs", tmp_path / "logs")
    said = err.splitlines()
    assert (code, len(said)) == (0, 2)
    assert said[1] == "plyscope: random does not search and has no logs."
    agents = {each.name.split("-")[2].partition(".")[0] for each in (tmp_path / "logs").glob("*.gz")}
    assert agents == {"deep", "one"}
    lines = out.splitlines()
    assert "Heap: 12 games, the first ply at random" in lines[0]
    names = [line.split()[0] for line in lines[3:6]]
    assert (names[0], {*names}) == ("deep", {"deep", "one", "random"})
    assert lines[7].split() == names
    for cells in (line.split()[1:] for line in lines[8:11]):
        assert [cell.split("/")[1] for cell in cells if cell != "-"] == ["4", "4"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("games = ", "is no TOML"),
        ("gams = 3", "unknown 'gams', expected game"),
        ("games = 'x'", "games is 'x', expected a whole number"),
        ("game = 3", "game is 3, expected a text"),
        ("games = 2", "names no agents"),
        ("[agents]\na = 'random'", "two agents or more"),
        ("[agents]\na = 3\nb = 'random'", "agent 'a' is 3"),
        ("[agents]\na = {dept = 3}\nb = 'random'", "did you mean 'depth'"),
    ],
)
def test_a_file_that_states_no_tournament_is_refused(
    plyscope: Command, tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(text)
    code, out, err = plyscope("tournament", path)
    assert (code, out) == (2, "")
    assert said in err


# Logs of games ----------------------------------------------------------------------------------------


def test_games_that_cannot_be_logged_are_said(plyscope: Command, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    asked = ("match", "timed: seconds=0.01,depth=2", "random", "--game", HEAP, "--games", 2, "-o", path)
    plyscope(*asked, "--workers", 1)
    head, first, *more = path.read_text().splitlines()
    game = json.loads(first) | {"no_logs": {"timed": "too large"}}
    path.write_text("\n".join([head, json.dumps(game), *more]) + "\n")
    code, _, err = plyscope(*asked, "--workers", 1, "--log", "timed")
    said = err.splitlines()[1:]
    assert code == 0
    assert said == [
        "plyscope: 1 game of timed had been played by seconds and not recorded, "
        "and cannot be logged any more.",
        "plyscope: game 0: timed has no logs: too large.",
    ]


@pytest.mark.parametrize("kept", [True, False])
def test_results_are_shown_until_ctrl_c(tmp_path: Path, kept: bool) -> None:
    output = ["-o", "games.jsonl"] if kept else []
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", "from plyscope.visualizer.cli.main import run; run()", "match"),
            *("depth=2", "random", "--game", HEAP, "--games", "4", "--workers", "1"),
            *(*output, "--view", "--no-browser"),
        ],
        cwd=tmp_path,
        env={**os.environ, "PLYSCOPE_DATA": str(tmp_path / "data")},
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        said = []
        for line in process.stderr:
            said.append(line)
            if "showing the results at" in line:
                break
        address = re.search(r"http://\S+", said[0])
        assert address is not None
        with urlopen(address[0].replace("/match/", "/api/matches/"), timeout=PATIENCE) as answer:
            found = json.loads(answer.read())
        assert (found["name"], found["games"], found["awaited"]) == ("games.jsonl", 4, False)
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0
        assert "4 games" in printed
    finally:
        process.kill()
        process.wait()
    assert (tmp_path / "games.jsonl").exists() == kept
