"""Hive against itself: how sets of weights fare against each other, and against plies drawn at random.

Every opening is played twice, with the sides changed, so that neither has the better of it. A game of
`LONGEST` plies is a draw, and so is a position's third occurrence. All of it follows from the seed.

    python -m tests.hive.matches             the default weights against random plies and three terms
    python -m tests.hive.matches 400         in so many games
    python -m tests.hive.matches levels 40   each level of play against the one below, up to the eighth
    python -m tests.hive.matches levels 300 4   only the fourth, in so many games
    python -m tests.hive.matches proofs 200     the strongest level with proofs of wins against without
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyscope.engine import jit
from plyscope.engine.alphabeta.search import FINISHED, search
from plyscope.engine.alphabeta.stack import COUNTS, NOT_BEGUN, OPTIONS, RANKED, stack_for
from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING
from plyscope.engine.games.hive import GAME
from plyscope.engine.games.hive.game import Hive
from plyscope.engine.match.score import Score, wilson
from plyscope.engine.options import MATE_SCORE
from plyscope.engine.quotient import draw_rank
from plyscope.engine.run import search as run_search
from plyscope.visualizer.uhp.levels import DEEPEST, LEVELS, STRONGEST, search_options

LONGEST: Final = 150
N_OPENING: Final = 6
"""Plies drawn at random before the players choose; the queens may be among them."""

TYPES: Final = ("Base", "Base+MLP")

NODES_OF_PROOFS: Final = 20_000
"""Nodes a move in the match of proofs: both players have as many, those that a proof takes included."""


@jit.kernel
def played(game: Any, state: Any, ply: int) -> int:
    """Play `ply`; the status after it."""
    game.apply(state, ply)
    return int(game.status(state))


@jit.kernel
def legal(game: Any, state: Any, plies: Any) -> int:
    """Write the legal plies, return how many."""
    return int(game.generate(state, plies))


class Rules:
    """Hive's kernels, compiled."""

    def __init__(self) -> None:
        self.token = jit.bind(GAME)
        self._played, self._legal = jit.compiled(played), jit.compiled(legal)
        self._plies = np.zeros(GAME.max_plies, np.int32)

    def play(self, state: Any, ply: int) -> int:
        return int(self._played(self.token, state, ply))

    def legal(self, state: Any) -> npt.NDArray[np.int32]:
        return self._plies[: self._legal(self.token, state, self._plies)]


class Random:
    """Takes any legal ply."""

    def __init__(self, rules: Rules, seed: int) -> None:
        self.rules, self.draw = rules, np.random.default_rng(seed)

    def choose(self, state: Any) -> int:
        return int(self.draw.choice(self.rules.legal(state)))


class Searching:
    """Takes what alpha-beta finds by the factors of `game`, with its own weights where none are given.

    With a quotient it takes a worse ply now and then, as levels do.
    """

    def __init__(
        self,
        depth: int,
        limit: int,
        game: Hive = GAME,
        weights: Mapping[str, float] | None = None,
        quotient: int | None = None,
    ) -> None:
        self.quotient, self.n_chosen = quotient, 0
        self.rules = Rules()
        self.search, self.token = jit.compiled(search), jit.bind(game)
        self.weights = np.array([(weights or game.factors)[name] for name in game.factors], float)
        self.options = np.zeros(1, OPTIONS)
        option = self.options[0]
        option["depth"], option["limit"], option["prunes"] = depth, limit, True
        option["mate"], option["mate_step"] = MATE_SCORE, 1.0
        option["alpha"], option["beta"] = -np.inf, np.inf
        state = GAME.read_position(GAME.start)
        self.stack = stack_for(state, self.weights.copy(), depth, GAME.max_plies, 0, in_place=True)
        self.counts = np.zeros(1, COUNTS)

    def choose(self, state: Any) -> int:
        player = GAME.player(state)
        self.options[0]["root_player"] = player
        self.stack.weights[:] = -self.weights if player else self.weights
        rank = 0
        if self.quotient is not None:
            self.n_chosen += 1
            n_plies = min(len(self.rules.legal(state)), int(self.options[0]["limit"]))
            rank = draw_rank(self.quotient, self.n_chosen, n_plies)
        stack = self.stack._replace(ranked=np.zeros(rank + 1, RANKED))
        stack.states[0, 0] = state
        self.counts[:] = 0
        self.counts[0]["level"] = NOT_BEGUN
        reason = self.search(self.token, self.options, stack, self.counts, None, 1 << 60)
        assert reason == FINISHED, reason
        return int(stack.ranked[rank]["ply"])


class Strongest:
    """Takes what the strongest level finds in so many nodes, with proofs of wins or without; counts them."""

    def __init__(self, n_nodes: int, *, proves: bool) -> None:
        options = search_options(STRONGEST, depth=DEEPEST)
        self.options = replace(options, nodes=n_nodes, prove_wins=proves)
        self.n_searches = self.n_unproven = self.n_settled = 0

    def choose(self, state: Any) -> int:
        result = run_search(GAME, GAME.write_position(state), self.options).header["result"]
        proofs = result["counters"].get("prove_wins", {"tried": 0, "succeeded": 0})
        self.n_searches += 1
        self.n_unproven += proofs["tried"]
        self.n_settled += proofs["succeeded"]
        return int(GAME.read_ply(state, result["ply"]))


Player = Random | Searching | Strongest


@dataclass
class Result:
    """The result of a match, seen from its first player."""

    score: Score = Score()  # noqa: RUF009 - a score does not change
    plies: int = 0

    def __str__(self) -> str:
        score = self.score
        share = f"{100 * score.share:.1f} ± {100 * score.error:.1f} %"
        return f"{score.won} won, {score.drawn} drawn, {score.lost} lost: {share}"


def opening(rules: Rules, game_type: str, seed: int) -> Any:
    """A position `N_OPENING` random plies into a game."""
    draw = np.random.default_rng(seed)
    state = GAME.read_position(f"threefold {game_type}")
    for _ in range(N_OPENING):
        rules.play(state, int(draw.choice(rules.legal(state))))
    return state


def game(rules: Rules, state: Any, players: tuple[Player, Player]) -> tuple[int, int]:
    """The status in the end, DRAWN where it took too long, and the plies played."""
    n_plies = N_OPENING
    status = ONGOING
    while status == ONGOING:
        if n_plies == LONGEST:
            return DRAWN, n_plies
        status = rules.play(state, players[n_plies % 2].choose(state))
        n_plies += 1
    return status, n_plies


def match(rules: Rules, first: Player, second: Player, n_games: int, seed: int = 1) -> Result:
    """Play an even number of games, each opening from both sides."""
    result = Result()
    for pair in range(n_games // 2):
        start = opening(rules, TYPES[pair % len(TYPES)], seed * 1_000_003 + pair)
        for is_white in (True, False):
            players = (first, second) if is_white else (second, first)
            status, n_plies = game(rules, start.copy(), players)
            result.plies += n_plies
            has_won = (status == FIRST_WON) == is_white
            drawn = status == DRAWN
            result.score += Score(int(has_won and not drawn), int(drawn), int(not has_won and not drawn))
    return result


def show(label: str, rules: Rules, first: Player, second: Player, n_games: int) -> Result:
    began = time.perf_counter()
    result = match(rules, first, second, n_games)
    seconds = time.perf_counter() - began
    length = result.plies / n_games
    print(f"  {label:<52}{result!s:<50}{length:5.0f} plies and {seconds / n_games:.2f} s a game", flush=True)
    return result


def level_of_play(number: int) -> Searching:
    """A level's depth, limit and quotient; without its table and deepening, which only save time."""
    level = LEVELS[number]
    assert level.depth is not None
    weights = {**GAME.factors, **level.weights}
    return Searching(level.depth, level.limit, weights=weights, quotient=level.quotient)


def levels(n_games: int, wanted: Sequence[int] = ()) -> None:
    print(f"each level against the one below, {n_games} games each, both sides of every opening:")
    if not wanted:
        rules = Rules()
        show("level 1 against random plies", rules, level_of_play(1), Random(rules, 1), n_games)
    for number, level in LEVELS.items():
        if number > 1 and level.depth is not None and (number in wanted or not wanted):
            below = level_of_play(number - 1)
            show(f"level {number} against {number - 1}", Rules(), level_of_play(number), below, n_games)


def proofs(n_games: int) -> None:
    """The strongest level with proofs of wins against the same without."""
    ours, theirs = (Strongest(NODES_OF_PROOFS, proves=proves) for proves in (True, False))
    print(f"proofs of wins, {n_games} games, {NODES_OF_PROOFS:,} nodes a move, both sides of every opening:")
    result = show("with proofs against without", Rules(), ours, theirs, n_games)
    low, high = wilson(result.score.share, result.score.n_games)
    print(f"  95 % interval of the points: {100 * low:.1f} to {100 * high:.1f} %")
    print(
        f"  {ours.n_searches:,} searches with proofs; {ours.n_unproven:,} iterations ended in an unproven "
        f"win or loss, {ours.n_settled:,} of them were proven or refuted within their nodes"
    )


def weights(n_games: int) -> None:
    rules = Rules()
    print(f"default weights, {n_games} games each, both sides of every opening:")
    for depth in (1, 2):
        show(f"depth {depth} against random plies", rules, Searching(depth, 20), Random(rules, 1), n_games)
    for depth, limit in ((1, 200), (2, 10), (2, 20), (2, 30), (3, 10)):
        ours = Searching(depth, limit)
        for in_hand in (-1, 1):
            study = GAME.evaluations["study-3"]
            theirs = Searching(depth, limit, study, {**study.factors, "unplaced": in_hand})
            label = f"depth {depth}, limit {limit}: three terms, a tile in hand {in_hand}"
            show(label, rules, ours, theirs, n_games)


def main() -> None:
    asked = sys.argv[1:]
    n_games, *wanted = [int(each) for each in asked if each.isdigit()] or [200]
    if asked[:1] == ["levels"]:
        levels(n_games, wanted)
    elif asked[:1] == ["proofs"]:
        proofs(n_games)
    else:
        weights(n_games)


if __name__ == "__main__":
    main()
