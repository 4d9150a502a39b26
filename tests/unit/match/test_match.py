"""Matches: openings from both sides, the same games in any order of agents, gone on with after a kill."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plyscope.engine.games import load_game
from plyscope.engine.games.hive.cells import OFFSETS, WRAP
from plyscope.engine.games.hive.state import AT, BLACK
from plyscope.engine.match import workers
from plyscope.engine.match.agents import Agent, read_agent
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.games import Played, Terms, play, schedule
from plyscope.engine.match.match import Match, read_games
from plyscope.engine.match.runner import run
from plyscope.engine.match.score import Score
from plyscope.engine.match.standing import pairs_of, standing_of
from tests.heaps import NamedHeap
from tests.unit.engine.test_chance import Coin

RANDOM = read_agent("random")
STRONG = read_agent("strong: depth=6")
TERMS = Terms(n_opening=2, most_plies=20, seed=5)


def tictactoe(*agents: Agent, n_games: int = 10, **terms: Any) -> Match:
    return Match("tictactoe", agents, n_games, Terms(**{**TERMS.__dict__, **terms}))


def replayed_points(arbiter: Arbiter, game: Played) -> float | None:
    """The points of the first player, by playing all plies again."""
    state = arbiter.start()
    for text in game.plies:
        status = arbiter.play(state, arbiter.read(state, text))
    return arbiter.points(state, status)


def test_each_opening_is_played_from_both_sides_and_who_searches_to_the_end_loses_no_game() -> None:
    games = run(tictactoe(STRONG, RANDOM, n_games=6))
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert one.plies[:2] == other.plies[:2]
        assert (one.first, one.second) == (other.second, other.first)
    assert len({game.plies[:2] for game in games}) > 1
    arbiter = Arbiter(load_game("tictactoe"))
    assert [replayed_points(arbiter, game) for game in games] == [game.points for game in games]
    standing = standing_of(("strong", "random"), games)
    score = standing.against[0, 1]
    assert (score.n_games, score.lost, score.won >= 3) == (6, 0, True)
    assert standing.order() == [0, 1]
    assert standing.plies_of_wins[0] < 9


def test_the_order_of_agents_changes_no_game_and_the_seed_does() -> None:
    """So nothing is carried over from one player to the other, or from one game to the next."""
    table = read_agent("table: depth=4,table=1,iterative")
    one = run(tictactoe(table, RANDOM))
    other = run(tictactoe(RANDOM, table))
    assert {game.plies for game in one} == {game.plies for game in other}
    arbiter = Arbiter(load_game("tictactoe"))
    backwards = [play(arbiter, (table, RANDOM), task, TERMS).plies for task in reversed(schedule(2, 10))]
    assert backwards[::-1] == [game.plies for game in one]
    another = run(tictactoe(table, RANDOM, seed=6))
    assert backwards[::-1] != [game.plies for game in another]
    too_long = run(tictactoe(RANDOM, STRONG, most_plies=3))  # which is a draw
    assert {(game.points, game.why, len(game.plies)) for game in too_long} == {(0.5, "length", 3)}


# The file of games ------------------------------------------------------------------------------------


def test_a_match_that_was_killed_goes_on_behind_its_own_games_and_no_others(tmp_path: Path) -> None:
    match, path = tictactoe(STRONG, RANDOM), tmp_path / "games.jsonl"
    whole = run(match)
    assert len(run(match, path, should_stop=lambda games: len(games) == 4)) == 4
    with path.open("ab") as file:
        file.write(b'{"number": 7, "ope')
    told: list[int] = []
    games = run(match, path, on_games=lambda games: told.append(len(games)))
    assert told == [5, 6, 7, 8, 9, 10]
    assert [game.plies for game in games] == [game.plies for game in whole]
    assert list(read_games(path, match).values()) == games
    assert run(match, path, on_games=lambda games: told.append(len(games))) == games
    assert len(told) == 6
    before = path.read_bytes()
    for other, said in (  # whose games are not mixed in
        (tictactoe(STRONG, RANDOM, n_games=12), "its 'games' is 10, not 12"),
        (tictactoe(STRONG, RANDOM, seed=9), "its 'seed' is 5, not 9"),
        (tictactoe(read_agent("strong: depth=5"), RANDOM), "its 'agents' is"),
    ):
        with pytest.raises(MatchError, match=said):
            run(other, path)
    assert path.read_bytes() == before


def die_once(path: str, task: Any) -> Played:
    """Play a game; the first process to come to number 3 is killed there."""
    if task.number == 3 and not os.path.exists(path):
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return workers._play(task)


@pytest.mark.slow
def test_a_process_that_dies_loses_only_its_own_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = tictactoe(read_agent("a: random"), read_agent("b: random"), n_games=12)
    whole = run(match)
    monkeypatch.setattr(workers, "_play", partial(die_once, str(tmp_path / "died")))
    games = run(match, tmp_path / "games.jsonl", n_workers=2)
    assert (tmp_path / "died").exists()
    assert [game.plies for game in games] == [game.plies for game in whole]
    assert len((tmp_path / "games.jsonl").read_bytes().splitlines()) == 13


# What is asked ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "name", "kind", "options"),
    [
        (
            "mine: depth=3, limit=10,algorithm=pvs,killers",
            *("mine", "search"),
            {"depth": 3, "limit": 10, "algorithm": "pvs", "killers": True},
        ),
        ("UCB1, c = 1.4: algorithm=mcts,c=1.4", "UCB1, c = 1.4", "mcts", {"algorithm": "mcts", "c": 1.4}),
        (
            "depth=2,weights=mobility:2;corners:-1.5",
            *("depth=2,weights=mobility:2;corners:-1.5", "search"),
            {"depth": 2, "weights": {"mobility": 2, "corners": -1.5}},
        ),
        ("t: algorithm=mcts,reuse_tree", "t", "mcts", {"algorithm": "mcts", "reuse_tree": True}),
        ("r: random", "r", "random", {}),
    ],
)
def test_agents_are_read_from_lines(line: str, name: str, kind: str, options: dict[str, Any]) -> None:
    assert read_agent(line) == Agent(name, kind, options)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "expected 'random' or options"),
        ("randon", "did you mean 'random'"),
        ("dept=3", "did you mean 'depth'"),
        ("depth=0", "depth: 0"),
        ("seed=3", "unknown option 'seed'"),
        ("depth=2,weights=a", "expected such as"),
        ("playouts=40", "'playouts' is an option of Monte Carlo tree search alone: add algorithm=mcts"),
        ("algorithm=mcts,depth=3", "Monte Carlo tree search has no option 'depth'"),
        ("algorithm=mcts,playout=3", "did you mean 'playouts'"),
        ("uhp=engine", "takes either seconds or depth"),
        ("uhp=engine,seconds=1,depth=2", "takes either seconds or depth"),
        ("uhp=,seconds=1", "expected a program and its arguments"),
        ("uhp='engine,seconds=1", "is no command"),
        ("uhp=engine,seconds=0", "seconds is 0"),
        ("uhp=engine,depth=x", "depth is 'x'"),
        ("uhp=engine,seconds=1,nodes=3", "unknown option 'nodes'"),
    ],
)
def test_a_line_that_is_no_agent_is_refused(line: str, said: str) -> None:
    with pytest.raises(MatchError, match=said):
        read_agent(line)


def test_a_match_that_cannot_be_is_refused() -> None:
    for agents, n_games, said in (
        ((RANDOM,), 2, "two agents or more"),
        ((RANDOM, RANDOM), 2, "two agents are called 'random'"),
        ((RANDOM, STRONG), 3, "an even number"),
    ):
        with pytest.raises(MatchError, match=said):
            Match("tictactoe", agents, n_games)
    guided = Agent("guided", "mcts", {"algorithm": "mcts", "playouts": 10, "guide": "ring"})
    with pytest.raises(MatchError, match="tictactoe has no ring"):
        run(Match("tictactoe", (guided, RANDOM), 2))
    with pytest.raises(MatchError, match="all ended before"):
        Arbiter(NamedHeap()).opening(20, 1)
    with pytest.raises(MatchError, match="'ring': the game has no way to adjudicate"):
        run(tictactoe(STRONG, RANDOM, adjudicate="ring"))
    with pytest.raises(MatchError, match="'rign': expected ring"):
        run(Match("hive", (STRONG, RANDOM), 2, Terms(adjudicate="rign")))
    with pytest.raises(MatchError, match=r"'deep': algorithm: .* no chance, .*; expected expectimax or mcts"):
        run(replace(dice(), agents=(read_agent("deep: depth=2"), RANDOM)))


# What it came to --------------------------------------------------------------------------------------


def game(number: int, first: int, second: int, points: float) -> Played:
    return Played(number, number // 2, first, second, points, "over", ("a",) * 10, (0.0, 0.0))


def test_points_are_counted_for_both() -> None:
    games = [game(0, 0, 1, 1.0), game(1, 1, 0, 0.5), game(2, 0, 1, 0.0), game(3, 1, 0, 0.0)]
    standing = standing_of(("a", "b"), games)
    assert standing.against == {(0, 1): Score(2, 1, 1), (1, 0): Score(1, 1, 2)}
    assert standing.total(0) == Score(2, 1, 1)
    assert pairs_of(games, 0) == [1.5, 1.0]
    assert pairs_of(games[:3], 1) == [0.5]
    assert standing.plies_of_wins == {0: 10, 1: 10}


def test_rock_paper_scissors_is_seen_where_it_is_more_than_chance() -> None:
    ring = [(0, 1), (1, 2), (2, 0)]
    games = [game(i, *ring[i % 3], 1.0) for i in range(60)]
    assert standing_of(("a", "b", "c"), games).cycles() == [(0, 1, 2)]
    assert standing_of(("a", "b", "c"), games[:6]).cycles() == []
    turned = [game(i, *ring[i % 3][::-1], 1.0) for i in range(60)]
    assert standing_of(("a", "b", "c"), turned).cycles() == [(2, 1, 0)]


def test_a_game_broken_off_is_judged_by_the_ring_around_the_queens(tmp_path: Path) -> None:
    terms = Terms(n_opening=6, most_plies=30, seed=3, adjudicate="ring")
    match = Match("hive", (RANDOM, read_agent("other: random")), 12, terms)
    path = tmp_path / "games.jsonl"
    games = run(match, path)
    arbiter, seen = Arbiter(load_game("hive")), set()
    for game in games:
        assert game.why == "adjudicated"
        state = arbiter.start()
        for text in game.plies:
            arbiter.play(state, arbiter.game.read_ply(state, text))
        rings = [neighbours(state, side) for side in range(2)]
        assert game.points == (0.5 if rings[0] == rings[1] else float(rings[1] > rings[0]))
        seen.add(game.points)
    assert seen == {0.0, 0.5, 1.0}
    assert standing_of(("one", "other"), games).plies_of_wins == {}
    with pytest.raises(MatchError, match="its 'adjudicate' is 'ring', not None"):
        read_games(path, replace(match, terms=replace(terms, adjudicate=None)))


def neighbours(state: Any, side: int) -> int:
    """Occupied cells around a queen, counted cell by cell; none where it is not in play."""
    queen = int(state[AT + BLACK * side])
    occupied = {int(state[AT + piece]) for piece in range(2 * BLACK)}
    return len(occupied & {int(queen + step) & WRAP for step in OFFSETS}) if queen >= 0 else 0


def dice(n_games: int = 6, **terms: Any) -> Match:
    agents = (read_agent("random"), read_agent("expects: algorithm=expectimax,depth=1"))
    game = str(Path(__file__).parents[3] / "examples" / "games" / "einstein.py") + ":EinStein"
    return Match(game, agents, n_games, Terms(**{"n_opening": 3, "seed": 5, **terms}))


def test_the_dice_of_an_opening_are_the_same_from_both_sides(tmp_path: Path) -> None:
    games = run(dice(), tmp_path / "games.jsonl")
    rolls = [[ply for ply in game.plies if ply.startswith("roll")] for game in games]
    for one, other in zip(rolls[::2], rolls[1::2], strict=True):
        n_rolls = min(len(one), len(other))
        assert one[:n_rolls] == other[:n_rolls]
    assert all(one.plies != other.plies for one, other in zip(games[::2], games[1::2], strict=True))
    assert len({tuple(each[:6]) for each in rolls}) == 3
    arbiter = Arbiter(load_game(dice().game))
    for game in read_games(tmp_path / "games.jsonl", dice()).values():
        assert (game.why, replayed_points(arbiter, game)) == ("over", game.points)
    # Chance is rolled by its probabilities.
    arbiter = Arbiter(Coin([("heads", 0.9), ("tails", 0.1)], first="flip"))
    draw, state = np.random.default_rng(1), arbiter.start()
    texts = [arbiter.game.write_ply(state, arbiter.drawn(state, draw)) for _ in range(1000)]
    assert 860 < texts.count("heads") < 940
