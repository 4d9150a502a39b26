"""Engines of the Universal Hive Protocol as players: what they do wrong loses their game, and is said."""

from __future__ import annotations

import os
import shlex
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from plyscope.engine.games import load_game
from plyscope.engine.match.agents import Agent, agent_of, read_agent
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.errors import REFUSED_FIRST, MatchError
from plyscope.engine.match.first_games import FirstGames
from plyscope.engine.match.games import Played, Terms, play, schedule
from plyscope.engine.match.match import Match, read_games
from plyscope.engine.match.runner import run
from plyscope.engine.match.uhp_player import Engine
from tests.patience import PATIENCE

ENGINE = """
import os, sys, time
from plyscope.engine.games import load_game
from plyscope.visualizer.uhp.match import Match

with open(sys.argv[1], "a+") as pids:
    pids.write(f"{os.getpid()}\\n")
    pids.seek(0)
    n_started = len(pids.readlines())
bad, *games = sys.argv[2:] or [""]
if games and str(n_started) not in games:
    bad = ""
game, match, heard = load_game("hive"), None, []
if bad == "silent":
    time.sleep(600)
print("id a test", "ok", sep="\\n", flush=True)
for line in sys.stdin:
    verb, _, rest = line.strip().partition(" ")
    heard.append(line.strip())
    if bad == "slow":  # but for its search
        if verb == "bestmove":
            print("wS1", flush=True)
            time.sleep(600)
        print("ok", flush=True)
        continue
    if verb == "newgame":
        match = Match(game, rest, threefold=False)
    elif verb in ("play", "pass"):
        match.play(rest or "pass")
        if bad == "refuses":
            print("invalidmove I do not know it", "ok", sep="\\n", flush=True)
            continue
    elif verb == "bestmove":
        if bad == "err" or (bad == "seconds" and rest != "seconds 1"):
            print("err no", "ok", sep="\\n", flush=True)
            continue
        assert rest == ("seconds 1" if bad == "seconds" else "time 00:00:01"), rest
        if bad == "crash":
            sys.exit(3)
        if bad == "flood":
            while True:
                print("x" * 1000)
        text = {"garbage": "\\x00<b>", "empty": ""}.get(bad, match.legal()[0])
        if bad == "reports":
            print("Depth: 4; Scores: [(<wP>, 2)]")
        print(text, *["and more"] * (bad == "talks"), "ok", sep="\\n", flush=True)
        continue
    print(match.game_string, "ok", sep="\\n", flush=True)
"""
TERMS = Terms(n_opening=4, most_plies=12, seed=2)
RANDOM = read_agent("random")


@pytest.fixture
def engine(tmp_path: Path) -> list[str]:
    """A program that plays the first legal ply, and writes its process into a file."""
    path = tmp_path / "engine.py"
    path.write_text(ENGINE)
    return [sys.executable, str(path), str(tmp_path / "pids")]


def first_ply_agent(engine: list[str], *bad: str, **options: object) -> Agent:
    return agent_of("other", {"uhp": [*engine, *bad], "seconds": 0.1, **options})


def assert_ended(engine: list[str], n_started: int) -> None:
    """Every engine that was started is gone, and waited for."""
    pids = [int(line) for line in Path(engine[-1]).read_text().split()]
    assert len(pids) == n_started
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


@pytest.mark.parametrize("way", [(), ("reports",)], ids=["plain", "reports of its search before its ply"])
def test_an_engine_plays_whole_games(engine: list[str], way: tuple[str, ...]) -> None:
    games = run(Match("hive", (first_ply_agent(engine, *way), RANDOM), 2, TERMS))
    assert [(game.why, game.fault, len(game.plies)) for game in games] == [("length", None, 12)] * 2
    arbiter = Arbiter(load_game("hive"))
    for game in games:
        state = arbiter.start()
        for number, text in enumerate(game.plies):
            mover = (game.first, game.second)[number % 2]
            if number >= TERMS.n_opening and mover == 0:
                assert text == arbiter.game.write_ply(state, int(arbiter.legal(state)[0]))
            arbiter.play(state, arbiter.game.read_ply(state, text))
    assert_ended(engine, 2)


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("slow", "did not answer 'bestmove time 00:00:01' within 2 s: it wrote 'wS1' and no 'ok'"),
        ("garbage", r"answered 'bestmove time 00:00:01' with '\x00<b>', which is no legal ply"),
        ("empty", "answered 'bestmove time 00:00:01' with no ply"),
        ("talks", "answered 'bestmove time 00:00:01' with 'and more', which is no legal ply"),
        ("flood", "answered 'bestmove time 00:00:01' with more than the protocol has"),
    ],
)
def test_what_an_engine_does_wrong_is_said_and_twice_ends_the_match(
    engine: list[str], bad: str, said: str, tmp_path: Path
) -> None:
    timeout = 2 if bad == "slow" else PATIENCE
    agents = first_ply_agent(engine, bad, timeout=timeout), RANDOM
    match = Match("hive", agents, 2, TERMS)
    path = tmp_path / "games.jsonl"
    with pytest.raises(MatchError) as raised:
        run(match, path)
    assert str(raised.value).startswith(
        f"other lost its first two games of this run by a fault: it {said}. The match"
    )
    assert read_games(path, match) == {}
    assert_ended(engine, 2)


def test_an_engine_that_refuses_its_first_question_ends_the_match_with_its_first_game(
    engine: list[str],
) -> None:
    with pytest.raises(MatchError) as raised:
        run(Match("hive", (first_ply_agent(engine, "err"), RANDOM), 4, TERMS))
    assert str(raised.value) == (
        "other refused its first question: 'bestmove time 00:00:01' with 'err no', 'bestmove seconds 1' with "
        "'err no'. The match is stopped and keeps no such game: ask the engine the same by hand"
    )
    assert_ended(engine, 1)


def test_the_words_that_an_engine_took_for_its_clock_are_asked_first_from_then_on(
    engine: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    ask = Engine.ask
    monkeypatch.setattr(
        Engine, "ask", lambda self, line, timeout: asked.append(line) or ask(self, line, timeout)
    )
    games = run(Match("hive", (first_ply_agent(engine, "seconds"), RANDOM), 2, TERMS))
    assert [game.fault for game in games] == [None, None]
    clocks = [line for line in asked if line.startswith("bestmove")]
    assert clocks == ["bestmove time 00:00:01", *["bestmove seconds 1"] * 8]


GOOD = Played(0, 0, 0, 1, 1.0, "over", ("a",), (0.0, 0.0))
FAULT = replace(GOOD, number=1, points=0.0, why="fault", fault="crashed")
"""By which player 0 lost."""


def test_a_first_game_that_was_lost_by_a_fault_counts_once_the_player_has_played() -> None:
    first_games = FirstGames(("a", "b"))
    assert first_games.take(FAULT) == []
    assert first_games.take(GOOD) == [FAULT, GOOD]
    assert first_games.take(FAULT) == [FAULT]
    assert first_games.take(replace(FAULT, fault=f"{REFUSED_FIRST}: 'newgame'")) != []
    assert first_games.rest() == []
    # A last game that was lost so counts, and of two faults both are said.
    first_games = FirstGames(("a", "b"))
    first_games.take(FAULT)
    assert first_games.take(replace(FAULT, number=2, points=1.0)) == []  # b's first
    assert [game.number for game in first_games.rest()] == [1, 2]
    first_games.take(FAULT)
    with pytest.raises(
        MatchError, match=r"^a lost its first two games of this run by a fault: it crashed; it froze\. The"
    ):
        first_games.take(replace(FAULT, number=4, fault="froze"))


def test_a_refused_ply_and_a_program_that_never_starts_lose(
    engine: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arbiter = Arbiter(load_game("hive"))
    game = play(arbiter, (first_ply_agent(engine, "refuses"), RANDOM), schedule(2, 2)[0], TERMS)
    assert game.fault is not None
    assert game.fault.startswith("refused 'play w")
    assert game.fault.endswith(" with 'invalidmove I do not know it'")
    assert len(game.plies) == TERMS.n_opening + 2
    monkeypatch.setattr("plyscope.engine.match.uhp_player.TIMEOUT", 1.0)
    agents = first_ply_agent(engine, "silent", timeout=1), RANDOM
    game = play(arbiter, agents, schedule(2, 2)[1], TERMS)
    assert (game.points, game.fault) == (1.0, "did not answer its start within 1 s")


def test_a_line_names_program_arguments_and_options_and_no_shell_reads_it(tmp_path: Path) -> None:
    there = tmp_path / "there"
    agent = read_agent(f"x: uhp={shlex.quote(sys.executable)} -c pass ; touch {there},seconds=1")
    assert agent.options["uhp"] == [sys.executable, "-c", "pass", ";", "touch", str(there)]
    play(Arbiter(load_game("hive")), (agent, RANDOM), schedule(2, 2)[0], TERMS)
    assert not there.exists()
    agent = read_agent("n: uhp=engine:2 --threads 1 --list a,b 'x y',depth=3,timeout=20")
    command = ["engine:2", "--threads", "1", "--list", "a,b", "x y"]
    assert (agent.name, agent.kind) == ("n", "uhp")
    assert agent.options == {"uhp": command, "depth": 3, "timeout": 20}
    assert agent_of("a", {"uhp": "engine -x", "seconds": 1}).options["uhp"] == ["engine", "-x"]


def test_our_own_engine_plays() -> None:
    command = [sys.executable, "-c", "from plyscope.visualizer.cli.main import run; run()", "uhp"]
    ours = agent_of("ours", {"uhp": command, "depth": 1, "timeout": PATIENCE})  # it compiles Hive first
    games = run(Match("hive", (ours, RANDOM), 2, TERMS))
    assert [game.fault for game in games] == [None, None]
