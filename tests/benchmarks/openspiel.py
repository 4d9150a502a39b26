"""Our recorded search beside OpenSpiel's alpha-beta in Python, on the very same tree.

OpenSpiel's search drives its C++ game from Python and takes an evaluation as a Python function; it is given
ours, the plain kernels run on Python integers, and sorts siblings by it as we do, each evaluated once. The
numbers of nodes and the scores are compared to see that both searched one tree. Ours computes every factor of
every child, sorts, and writes every row (target: OpenSpiel takes at least 50 times our time).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any
from unittest.mock import patch

import pyspiel
from open_spiel.python.algorithms import minimax

from plyscope.engine.games import find
from plyscope.engine.games.reversi import mobility
from plyscope.engine.options import MATE_SCORE, SearchOptions
from plyscope.engine.run import search
from tests.benchmarks.timing import medians, taken

ROUNDS = 3
TARGET = 50
Evaluate = Callable[[Any], float]


class Sorting:
    """An OpenSpiel state that lists its actions best first, by the evaluation of what they lead to."""

    __slots__ = ("evaluate", "level", "pre_scores", "state", "value")

    def __init__(self, state: Any, evaluate: Evaluate, level: int = 0) -> None:
        self.state, self.evaluate, self.level = state, evaluate, level
        self.value = 0.0
        self.pre_scores: dict[int, float] = {}

    def is_terminal(self) -> bool:
        return bool(self.state.is_terminal())

    def player_return(self, player: int) -> float:
        return float(self.state.player_return(player) * (MATE_SCORE - self.level))

    def current_player(self) -> int:
        return int(self.state.current_player())

    def legal_actions(self) -> list[int]:
        for action in self.state.legal_actions():
            child = self.state.clone()
            child.apply_action(action)
            if child.is_terminal():
                self.pre_scores[action] = child.player_return(0) * (MATE_SCORE - self.level - 1)
            else:
                self.pre_scores[action] = self.evaluate(child)
        return sorted(self.pre_scores, key=self.pre_scores.__getitem__, reverse=self.current_player() == 0)

    def clone(self) -> Sorting:
        twin = Sorting(self.state.clone(), self.evaluate, self.level)
        twin.pre_scores = self.pre_scores
        return twin

    def apply_action(self, action: int) -> None:
        self.state.apply_action(action)
        self.value = self.pre_scores[action]
        self.pre_scores = {}
        self.level += 1


def evaluation(game: Any) -> Evaluate:
    """The same evaluation of the root player, who is first to move, in plain Python."""
    weights = list(game.factors.values())
    out = [0.0] * len(weights)
    read = reversi_words if game.name == "reversi" else connect_four_words

    def evaluate(state: Any) -> float:
        game.values(read(state), out)
        return sum(weight * value for weight, value in zip(weights, out, strict=True))

    return evaluate


def reversi_words(state: Any) -> list[int]:
    """Both boards, the side and its moves, from the 64 cells of OpenSpiel's text."""
    lines = str(state).split("\n")
    cells = "".join(line[2:17:2] for line in lines if line[:1].isdigit())[::-1]
    black = int(cells.translate({45: "0", 111: "0", 120: "1"}), 2)
    white = int(cells.translate({45: "0", 111: "1", 120: "0"}), 2)
    side = state.current_player()
    return [black, white, side, mobility(white, black) if side else mobility(black, white)]


def connect_four_words(state: Any) -> list[int]:
    """Both boards in columns of seven bits, the side, and that the game goes on."""
    rows = str(state).split("\n")[:6]
    cells = "".join("." + "".join(row[column] for row in rows) for column in range(6, -1, -1))
    first = int(cells.translate({46: "0", 111: "0", 120: "1"}), 2)
    second = int(cells.translate({46: "0", 111: "1", 120: "0"}), 2)
    return [first, second, state.current_player(), 0]


def their_search(game: Any, root: Sorting, depth: int) -> float:
    score, _ = minimax.alpha_beta_search(game, root, value_function=lambda at: at.value, maximum_depth=depth)
    return float(score)


def compare(name: str, their_name: str, depth: int) -> None:
    ours, theirs = find(name), pyspiel.load_game(their_name)
    options, evaluate = SearchOptions(depth=depth), evaluation(ours)

    def theirs_again() -> float:
        return their_search(theirs, Sorting(theirs.new_initial_state(), evaluate), depth)

    recording = search(ours, options=options)
    nodes = recording.header["result"]["nodes"]
    with patch.object(minimax, "_alpha_beta", wraps=minimax._alpha_beta) as visit:
        assert theirs_again() == recording.score
    print(f"{name}, depth {depth}: {nodes:,} nodes; OpenSpiel visits {visit.call_count:,}")
    assert visit.call_count == nodes
    ways: dict[str, Callable[[], Any]] = {
        "recorded": lambda: search(ours, options=options),
        "OpenSpiel, as we do": theirs_again,
    }
    times = medians({way: partial(taken, run, time.perf_counter) for way, run in ways.items()}, ROUNDS)
    for way, seconds in times.items():
        target = f" (target: at least {TARGET})" if way != "recorded" else ""
        ratio = f"ratio {seconds / times['recorded']:6.1f}{target}"
        print(f"  {way:24}{seconds / nodes * 1e6:8.2f} µs a node, {seconds * 1e3:8.1f} ms, {ratio}")


def main() -> None:
    compare("reversi", "othello", 9)
    compare("connect_four", "connect_four", 10)


if __name__ == "__main__":
    main()
