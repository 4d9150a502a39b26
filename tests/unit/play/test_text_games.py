"""`plyscope play --text`: games against agents to their ends, what a person may do, and agents that fail."""

from __future__ import annotations

import io
import random
import shlex
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.games_file import GamesFile
from plyscope.playing import worst_plies
from plyscope.searching import find_game
from plyscope.visualizer.cli.play.play_text import TextGame
from plyscope.visualizer.formats.detect import read_log_file
from plyscope.visualizer.shelf.play import agent_lines, played_game
from plyscope.visualizer.shelf.play.agent_lines import read_line
from plyscope.visualizer.shelf.play.play import Play
from plyscope.visualizer.shelf.play.played_game import FILE, PlayedGame
from plyscope.visualizer.store.folder_lock import FolderLock
from tests.patience import PATIENCE
from tests.unit.cli.conftest import Command
from tests.unit.cli.conftest import plyscope as command

__all__ = ["command"]

Begin = Callable[..., Play]
NIM = Path(__file__).parents[3] / "examples" / "nim.py"


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """`begin(game, agent, …)`: a game in the folder of the test, which goes on with the one that is there."""
    begun: list[Play] = []

    def make(game: str, agent: str | None, *, rows: int = 10_000, **how: Any) -> Play:
        about = {"side": None, "position": None} | how
        read = None if agent is None else read_line(agent)
        begun.append(
            Play(PlayedGame(tmp_path / "game", find_game(game).name, read, *about.values()), rows=rows)
        )
        begun[-1].begin()
        assert begun[-1].wait(PATIENCE)
        return begun[-1]

    yield make
    for play in begun:
        play.end()


def any_ply(play: Play) -> str:
    return f"ply {next(iter(play.game.legal()))}"


def do(play: Play, *words: str) -> None:
    """Do what lines of text say, and wait for the agent after each."""
    for line in words:
        word, _, rest = line.partition(" ")
        play.do(word, rest)
        assert play.wait(PATIENCE)


def any_plies(play: Play, *, first: tuple[str, ...] = ()) -> Iterator[str]:
    """A person's lines: those that come `first`, then plies at random until the game is over."""
    draw = random.Random(3)
    yield from first
    while play.wait(PATIENCE) and play.game.to_move == play.game.side:
        n_plies = len(play.game.plies)
        yield draw.choice(list(play.game.legal()))
        while len(play.game.plies) == n_plies:
            assert play.wait(PATIENCE)
    yield "why"
    yield "quit"


CHESS = "7k/8/5K2/8/8/8/8/6Q1 b - - 0 1"
GAMES = [
    ("chess", "depth=3", CHESS),
    ("hive", "depth=1,limit=6", None),
    ("reversi", "nodes=300", None),
    ("tictactoe", "algorithm=mcts,playouts=100", None),
    ("connect_four", "depth=2,quotient=4", None),
    (f"{NIM}:Nim", "random", None),
    (f"{NIM.parent / 'games' / 'einstein.py'}", "algorithm=expectimax,depth=1", None),
]


@pytest.mark.parametrize(("game", "agent", "position"), GAMES)
def test_a_game_is_played_to_its_end(
    begin: Begin,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    game: str,
    agent: str,
    position: str | None,
) -> None:
    """A log stands behind every answer of a search."""
    play = begin(game, agent, position=position)
    TextGame(play).run(any_plies(play))
    assert "The game is over: " in capsys.readouterr().out
    file = GamesFile(tmp_path / "game" / FILE)
    file.read()
    (played,) = file.games.values()
    assert (played.why, list(played.plies)) == ("over", play.game.plies)
    logs = played.logs.get(agent, ())
    movers = [play.game.arbiter.player(state) for state in play.game.states[:-1]]
    assert len(logs) == (movers.count(1 - play.game.side) if agent != "random" else 0)
    if logs:
        header = read_log_file(tmp_path / "game" / logs[-1]).header
        assert header["match"]["searched"] == agent
        assert header["result"]["ply"] == played.plies[header["match"]["turn"] - 1]
        assert worst_plies(tmp_path / "game" / FILE) is not None


def test_the_command_takes_plies_and_words(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "game"
    monkeypatch.setattr(sys, "stdin", io.StringIO("b2\nnonsense\nwhy\nquit\n"))
    _, out, err = command("play", "tictactoe", "depth=4", "--text", "-o", folder)
    assert "2. a3 (O)" in out
    assert "'nonsense' is no legal ply here; legal are" in out
    assert "a3 is worth" in out
    assert f"plyscope play tictactoe -o {folder}" in err
    monkeypatch.setattr(sys, "stdin", io.StringIO("resign\n"))
    out = command("play", "tictactoe", "--text", "-o", folder)[1]
    assert "The game is over: depth=4 won by resignation." in out
    code, _, err = command("match", folder / FILE)
    assert (code, "a game of a person" in err) == (2, True)


def test_a_person_takes_back_and_changes_sides_agent_and_quotient(begin: Begin) -> None:
    play = begin("tictactoe", "depth=2")
    do(play, "ply b2", "ply a1")
    logs = [path for n in range(4) if (path := play.game.log_of(n))]
    assert len(logs) == 2
    # Taking back drops the last log, and no other.
    do(play, "back")
    assert (len(play.game.plies), [path.exists() for path in logs]) == (2, [True, False])
    do(play, "hint")
    assert play.said[0].startswith("Hint: ")
    with pytest.raises(MatchError, match="only the command line starts"):
        play.do("agent", "mine.py:Mine")
    do(play, "agent depth=1")
    do(play, "quotient 3")
    assert play.game.agent.options == {"depth": 1, "quotient": 3}
    do(play, "side")
    assert (play.game.side, len(play.game.plies)) == (1, 3)
    do(play, "back")
    assert (play.game.to_move, len(play.game.plies)) == (1, 1)
    # Asked again at the person's own turn: what it played last is taken back, and it plays anew.
    do(play, any_ply(play), "agent depth=2", "go")
    assert len(play.game.plies) == 3
    assert play.game.log_of(2, "depth=2") is not None
    assert play.game.log_of(2, "depth=1 (quotient 3)") is None


def test_a_persons_ply_has_a_place_in_the_search_before_it(begin: Begin) -> None:
    play = begin("tictactoe", "depth=4", side=1)
    do(play, f"ply {list(play.game.legal())[-1]}")
    said = play.why()
    assert said[0].startswith(f"{play.game.plies[-1]} is worth")
    assert play.game.plies[1] in said[1]
    assert said[1].startswith("It expected ")
    # The same is told where another process played: of the log alone.
    play.end()
    assert begin("tictactoe", None).why() == said


def test_the_factors_that_why_names_are_explained(begin: Begin, capsys: pytest.CaptureFixture[str]) -> None:
    play = begin("reversi", "depth=2")
    do(play, any_ply(play))
    shown = play.as_json()
    assert shown["meanings"]
    for name, meaning in shown["meanings"].items():
        assert f"{name} (" in " ".join(shown["why"])
        assert meaning == play.game.rules.meanings[name]
    TextGame(play).run(["why", "quit"])
    out = capsys.readouterr().out
    assert all(f"{name}: {meaning}" in out for name, meaning in shown["meanings"].items())
    # Of a search one ply deep no reply is known.
    do(play, "agent depth=1", "go")
    do(play, any_ply(play))
    assert play.why()[1] == f"Its search before yours, {play.game.plies[2]}, logged no replies."


def test_a_game_goes_on_where_a_kill_left_it(begin: Begin, tmp_path: Path) -> None:
    play = begin("tictactoe", "depth=2")
    do(play, "ply b2")
    plies = list(play.game.plies)
    play.end()
    with (tmp_path / "game" / FILE).open("ab") as file:
        file.write(b'{"number": 0, "plies": ["b2"')
    again = begin("tictactoe", None)
    assert (again.game.plies, again.game.agent.name) == (plies, "depth=2")
    do(again, any_ply(again))
    again.end()
    with pytest.raises(MatchError, match="another game"):
        begin("connect_four", None)


def test_one_folder_is_played_by_one_at_a_time(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    play = begin("tictactoe", "depth=2")
    with pytest.raises(MatchError, match="is played elsewhere, too"):
        begin("tictactoe", None)
    do(play, "ply b2")
    # Where a file system has no locks, whoever writes second is refused.
    monkeypatch.setattr(played_game, "hold", lambda folder, alone: FolderLock(None))
    do(begin("tictactoe", None), "back")
    with pytest.raises(MatchError, match="is played elsewhere, too"):
        play.do("back")


def test_a_log_has_so_many_rows_at_most(begin: Begin) -> None:
    play = begin("reversi", "depth=8", rows=1000)
    do(play, any_ply(play))
    assert "for which its log has room here; --rows allows more" in play.said[0]


AGENTS = """
import os, time

class Good:
    def choose(self, game, state, log):
        with log.search():
            log.enter()
            for ply in game.plies(state):
                log.enter(ply)
                log.score(len(str(ply)))
            log.score(1)
        return game.plies(state)[0]

class Text:
    def choose(self, game, state, log):
        print("thinking aloud")
        return str(game.write_ply(state, game.plies(state)[-1]))

class Dies:
    def choose(self, game, state, log):
        os.kill(os.getpid(), 9)

class Raises:
    def choose(self, game, state, log):
        return 1 // 0

class Nothing:
    def choose(self, game, state, log):
        return "no such ply"

class Prints:
    def choose(self, game, state, log):
        os.write(1, b"\\xff no message of ours\\n")
        return "printed"

class Shouts:
    def choose(self, game, state, log):
        raise ValueError("loud " * 200_000)

class Asks:
    def choose(self, game, state, log):
        return input()

class Hangs:
    def choose(self, game, state, log):
        time.sleep(600)
"""


@pytest.fixture
def mine(tmp_path: Path) -> str:
    (tmp_path / "mine.py").write_text(AGENTS, "utf-8")
    return str(tmp_path / "mine.py")


WRONG = {
    "Dies": "its process was killed",
    "Raises": "ZeroDivisionError",
    "Nothing": "answered \"'no such ply'\", which is no legal ply",
    "Lacks": "has no Lacks",
    "Prints": "answered \"'printed'\", which is no legal ply",
    "Shouts": "ValueError: loud loud",
    "Asks": "EOFError",
}


@pytest.mark.parametrize("agent", WRONG)
def test_what_an_agent_does_wrong_is_said_and_the_position_stays(begin: Begin, mine: str, agent: str) -> None:
    play = begin(f"{NIM}:Nim", f"{mine}:{agent}")
    ply = next(iter(play.game.legal()))
    do(play, f"ply {ply}")
    (said,) = play.said[:1]
    assert WRONG[agent] in said
    assert "ask it again (go), take a ply back" in said
    assert (len(said) < 2000, play.game.plies) == (True, [ply])
    do(play, "agent depth=2")
    assert len(play.game.plies) == 2


def test_somebodys_own_class_plays_and_logs(begin: Begin, mine: str) -> None:
    play = begin(f"{NIM}:Nim", f"{mine}:Good")
    TextGame(play).run(any_plies(play))
    assert play.game.why == "over"
    assert play.game.log_of(1) is not None


def test_one_that_hangs_is_stopped_and_one_that_takes_too_long_is_ended(
    begin: Begin, mine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = begin(f"{NIM}:Nim", f"{mine}:Hangs")
    play.do("ply", next(iter(play.game.legal())))
    assert not play.wait(0)
    with pytest.raises(MatchError, match="stop it first"):
        play.do("ply", "x")
    do(play, "stop")
    assert play.said[0].startswith("Stopped.")
    assert len(play.game.plies) == 1
    play.end()
    monkeypatch.setattr(agent_lines, "GRACE", 0.5)
    again = begin(f"{NIM}:Nim", f"{mine}:Hangs,seconds=0.5")
    assert "did not answer within 1 s" in again.said[0]


@pytest.mark.parametrize(("wrong", "said"), [("crash", "ended with code 3"), ("illegal", "no legal ply")])
def test_an_engine_plays_and_one_that_fails_is_replaced(begin: Begin, wrong: str, said: str) -> None:
    python = f"uci={shlex.quote(sys.executable)}"
    engine = f"{python} -m tests.uci_engine"
    play = begin("chess", f"{engine},depth=1", position=CHESS)
    do(play, any_ply(play))
    assert len(play.game.plies) == 2
    assert play.why() == ["There is no log of its search, so nothing is known of why."]
    play.end()
    # A folder may come from anywhere, so it starts no program that the command does not name.
    with pytest.raises(MatchError, match="which no file of games starts: name it"):
        begin("chess", None)
    assert read_line(shlex.split(play.game.command)[3]) == play.game.agent
    again = begin("chess", f"{engine} {wrong},depth=1")
    do(again, "back")
    do(again, any_ply(again))
    assert (said in again.said[0], len(again.game.plies)) == (True, 1)
    do(again, "agent depth=1")
    assert len(again.game.plies) == 2
    again.end()
    last = begin("chess", f"{python} -c pass,depth=1")
    do(last, "back")
    do(last, any_ply(last))
    assert "does it speak UCI?" in last.said[0]
