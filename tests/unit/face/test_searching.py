"""`plyscope.search` and `plyscope.match`: what can be asked, how it is stopped, and what the commands say."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

import click
import pytest

import plyscope
from plyscope.engine.algorithms import NOT_ASKED
from plyscope.engine.match.agents import read_agent
from plyscope.engine.match.match import Match
from plyscope.engine.match.runner import run
from plyscope.engine.match.score import wilson
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.options import SearchOptions
from plyscope.searching import Options
from tests import heaps
from tests.patience import PATIENCE
from tests.unit.cli.conftest import Command
from tests.unit.cli.test_match import FILE
from tests.unit.face.conftest import Nim

HEAP = f"{heaps.__file__}:NamedHeap"
OF_THE_TERMINAL = {"option", "position", "output", "view", "no_browser", "as_json"}
NIM = Path(__file__).parents[3] / "examples" / "nim.py"


def test_a_game_of_the_author_is_searched_and_every_node_recorded() -> None:
    log = plyscope.search(Nim(), depth=9)
    assert repr(log).startswith("<Log Nim: ")
    assert (log.header["result"]["ply"], log.pv()[0].ply) == ("1", "1")
    assert log.stats.nodes == log.header["result"]["nodes"]
    assert not plyscope.check(log)
    asked = plyscope.search(Nim(), depth=3, iterative=True, algorithm="pvs", weights={"turn": 2}, limit=2)
    assert [root.iteration for root in asked.roots] == [1, 2, 3]
    assert (asked.header["search"]["limit"], asked.header["factors"][0]["weight"]) == (2, 2.0)
    broken = Nim()
    broken.plies = lambda position: 1 / 0  # type: ignore[method-assign]
    with pytest.raises(ZeroDivisionError):
        plyscope.search(broken)


def test_a_game_is_named_by_its_file_or_name_and_a_position_is_a_text() -> None:
    for place in (f"{NIM}:Nim", Path(f"{NIM}:Nim")):
        assert plyscope.search(place, depth=3).header["result"]["ply"] == "A-2"
    log = plyscope.search("connect_four", "121212", depth=2)
    assert (log.header["result"]["ply"], log.name) == ("1", "connect_four")
    with pytest.raises(plyscope.GameError):
        plyscope.search("connect_four", "rubbish", depth=2)
    with pytest.raises(plyscope.GameError, match=r"^position: \(9, 0\), expected a text"):
        plyscope.search(Nim(), (9, 0))  # type: ignore[arg-type]


def test_what_a_position_states_against_itself_is_a_notice() -> None:
    class Doubtful(Nim):
        def read_position(self, text: str) -> tuple[int, int]:
            return (int(text), 0)

        def contradiction(self, text: str, state: Any) -> str | None:
            return f"{text} is odd"

    assert plyscope.search(Doubtful(), "3", depth=2).notices == ("3 is odd",)
    assert plyscope.search(Doubtful(), depth=2).notices == ()


@pytest.mark.parametrize(
    ("game", "says"),
    [
        (Nim, r"Nim is a class; give a game of it: Nim\(\)"),
        (3, "int is no game: it lacks players, factors"),
    ],
    ids=str,
)
def test_what_is_no_game_is_refused_in_words(game: Any, says: str) -> None:
    with pytest.raises(plyscope.GameError, match=says):
        plyscope.search(game)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"deep": 3}, r"^deep: a search has no such option; did you mean depth\?"),
        ({"record": False}, "^record: a search has no such option"),
        ({"depth": "5"}, "^depth: '5'"),
        ({"limit": 70_000}, "^limit: 70000, expected a whole number from 1 to 65535"),
        ({"weights": "turn=2"}, "^weights: 'turn=2', expected numbers by name"),
        ({"weights": {"speed": 2}}, "^weights: 'speed' is no factor; expected one of turn"),
        ({"algorithm": "uct"}, "^algorithm: 'uct', expected one of minimax"),
        ({"algorithm": "mcts", "depth": 3}, "^depth: Monte Carlo tree search has no such option; alpha-beta"),
        ({"playouts": 3}, '^playouts: an option of Monte Carlo tree search; expected algorithm="mcts"'),
        ({"algorithm": "mcts", "playout": 3}, r"a search has no such option; did you mean playouts\?"),
    ],
    ids=str,
)
def test_an_option_that_makes_no_sense_is_refused_in_the_words_of_python(
    options: dict[str, Any], says: str
) -> None:
    with pytest.raises(plyscope.OptionError, match=says):
        plyscope.search(Nim(), **options)


def test_the_options_are_those_of_the_engine_and_of_the_command() -> None:
    from plyscope.visualizer.cli.play.search import search as command

    families = (SearchOptions, MonteCarloOptions)
    ours = {each.name for family in families for each in fields(family)} - set(NOT_ASKED)
    theirs = {each.name for each in command.params if isinstance(each, click.Option) and not each.hidden}
    assert set(Options.__annotations__) == ours == theirs - OF_THE_TERMINAL


class Pressing(Nim):
    """Presses Ctrl+C in the middle of the search, as often as asked."""

    def __init__(self, times: int) -> None:
        self.times = times
        self.asked = 0

    def start(self) -> tuple[int, int]:
        return (60, 0)

    def values(self, position: tuple[int, int]) -> list[float]:
        self.asked += 1
        if self.asked == 200:
            for _ in range(self.times):
                os.kill(os.getpid(), signal.SIGINT)
        return super().values(position)


def test_an_interrupt_raises_and_keeps_what_was_recorded() -> None:
    before = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt) as stopped:
        plyscope.search(Pressing(1), depth=40)
    assert signal.getsignal(signal.SIGINT) is before
    assert isinstance(stopped.value, plyscope.Interrupted)
    log = stopped.value.log
    assert log is stopped.value.log
    assert log.stats.nodes >= 60  # three values were asked for at each node, and it stops at the next look
    assert log.main_root.outcome == "stopped"
    assert plyscope.check(log).ok
    # A second one stops whatever runs.
    with pytest.raises(KeyboardInterrupt) as stopped:
        plyscope.search(Pressing(2), depth=40)
    assert type(stopped.value) is KeyboardInterrupt
    assert signal.getsignal(signal.SIGINT) is before


def test_a_script_that_is_interrupted_ends_and_a_thread_searches_too() -> None:
    script = (
        "import plyscope\nfrom threading import Thread\nfrom tests.unit.face.test_searching import Pressing\n"
        "search = lambda: print(plyscope.search(Pressing(0), depth=2).header['game'], flush=True)\n"
        "thread = Thread(target=search)\n"
        "thread.start()\nthread.join()\n"
        "for _ in range(3):\n    plyscope.search(Pressing(1), depth=40)\n    print('went on')\n"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, cwd=root, timeout=PATIENCE
    )
    assert done.stdout == "Pressing\n"
    assert "Interrupted: the search was stopped; `log` of this exception has" in done.stderr


def test_a_match_gives_what_the_command_prints(command: Command) -> None:
    asked = ("match", "deep: depth=8,quotient=6", "random", "--game", HEAP, "--games", 8, "--opening", 1)
    found = plyscope.match(
        "deep: depth=8,quotient=6", "random", game=HEAP, games=8, opening=1, workers=1, progress=False
    )
    assert command(*asked, "--workers", 1)[1] == f"{found}\n"
    told = json.loads(command(*asked, "--workers", 1, "--json")[1])
    assert told == found.as_json()
    names = [player.name for player in found.players]
    assert names == told["order"]
    for player, other in zip(found.players, reversed(names), strict=True):
        said = next(each for each in told["agents"] if each["name"] == player.name)
        assert found.against(player.name, other) == (player.won, player.drawn, player.lost)
        assert (player.share, player.elo) == (said["share"], said["elo"])
        won = sum(game.winner == player.name for game in found.games)
        drawn = sum(game.winner is None for game in found.games)
        assert (player.won, player.drawn, player.won + player.drawn + player.lost) == (won, drawn, 8)
        assert player.share == (won + drawn / 2) / 8
        assert player.share_of_95 == wilson(player.share, 8) == tuple(said["share_of_95"])
        takes = [len(game.plies) for game in found.games if game.winner == player.name]
        assert player.plies_of_a_win == (sum(takes) / len(takes) if takes else None)
    assert any(math.isinf(end) for each in found.players for end in each.elo_of_95) == bool(found.warnings)
    assert found.verdict is None
    with pytest.raises(KeyError, match="nobody"):
        found.against("random", "nobody")


def test_a_tournament_of_a_file_and_of_players_by_name_are_one(tmp_path: Path) -> None:
    path = tmp_path / "cup.toml"
    path.write_text(FILE.format(game=HEAP))
    by_file = plyscope.tournament(path, workers=1, games=2)
    agents = {"deep": {"depth": 8}, "one": "depth=1", "random": "random"}
    by_name = plyscope.tournament(agents, game=HEAP, games=2, opening=1, seed=3, workers=1)
    assert [game.plies for game in by_file.games] == [game.plies for game in by_name.games]
    assert by_file.as_json() == by_name.as_json()
    assert len(by_file.games) == 6
    assert repr(by_file).endswith(f"{by_file.players[0].name} is ahead>")


def test_only_a_match_of_two_is_tested_in_sequence() -> None:
    three = tuple(read_agent(f"{name}: random") for name in "abc")
    with pytest.raises(plyscope.MatchError, match="a test in sequence is of a match of two"):
        run(Match("tictactoe", three, 2), better=3.0)
