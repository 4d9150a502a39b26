"""Games on the workers of a Dask scheduler: the same games; of a worker that is killed only its own again."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyscope.engine.match.agents import read_agent
from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.games import Terms
from plyscope.engine.match.match import Match
from plyscope.engine.match.runner import run
from tests import heaps

RACE = (
    Path(heaps.__file__).read_text("utf-8")
    + """

class Race(NamedHeap):
    def apply(self, position, ply):
        import os, time
        if position[0] == self.matches:
            with open(__file__ + ".begun", "a") as file:
                file.write(f"{os.getpid()}\\n")
        if os.getpid() != HERE:
            time.sleep(0.02)
        return super().apply(position, ply)
"""
)
"""Every game that begins writes a line, with its process. In all processes but HERE it lasts a while."""


@pytest.fixture
def race(tmp_path: Path) -> Match:
    path = tmp_path / "race.py"
    path.write_text(f"{RACE}\nHERE = {os.getpid()}\n")
    agents = read_agent("a: random"), read_agent("b: random")
    return Match(f"{path}:Race", agents, 40, Terms(n_opening=0))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A scheduler with two workers of a process each, on this machine only."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, protocol="tcp://"
    ) as started:
        yield started


def begun(match: Match) -> list[int]:
    """The processes that began a game, one entry a game."""
    path = Path(match.game.rpartition(":")[0] + ".begun")
    return [int(line) for line in path.read_text().splitlines()] if path.exists() else []


@pytest.mark.slow
def test_of_a_worker_that_is_killed_only_its_own_games_are_played_again(
    race: Match, cluster: Any, tmp_path: Path
) -> None:
    whole = run(race)
    n_here = len(begun(race))
    killed: list[int] = []

    def kill_one() -> None:
        while len(begun(race)) < n_here + 10:
            time.sleep(0.01)
        killed.append(begun(race)[-1])
        os.kill(killed[0], signal.SIGKILL)

    killer = threading.Thread(target=kill_one)
    killer.start()
    path = tmp_path / "games.jsonl"
    games = run(race, path, scheduler=cluster.scheduler_address)
    killer.join()
    assert killed[0] != os.getpid()
    assert [game.plies for game in games] == [game.plies for game in whole]
    assert Counter(game.number for game in games) == Counter(range(40))
    assert len(path.read_bytes().splitlines()) == 41
    again = len(begun(race)) - n_here - 40
    assert 0 <= again <= 2
    assert killed[0] in begun(race)[n_here:]
    assert len(set(begun(race)[n_here:])) >= 2


@pytest.mark.slow
def test_a_match_that_is_stopped_leaves_the_workers_to_the_next(race: Match, cluster: Any) -> None:
    address = cluster.scheduler_address
    some = run(race, scheduler=address, should_stop=lambda games: len(games) >= 3)
    assert 3 <= len(some) < 40
    assert len(run(race, scheduler=address)) == 40


def test_without_dask_or_a_scheduler_it_is_said_what_is_wanted(
    race: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as without:
        without.setitem(sys.modules, "distributed", None)
        with pytest.raises(MatchError, match=r"pip install 'plyscope\[cluster\]'"):
            run(race, scheduler="tcp://127.0.0.1:9")
    pytest.importorskip("distributed")
    monkeypatch.setattr("plyscope.engine.match.workers.CONNECTING", 0.5)
    with pytest.raises(MatchError, match=r"0\.1:9: no Dask scheduler answers there within 0\.5 s"):
        run(race, scheduler="tcp://127.0.0.1:9")
