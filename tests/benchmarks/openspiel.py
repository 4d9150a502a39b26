"""Our recorded search beside OpenSpiel's alpha-beta in Python, on the very same tree.

OpenSpiel's search drives its C++ game from Python and takes an evaluation as a Python function; it is given
ours, the plain kernels run on Python integers. The numbers of nodes and the scores are compared to see that
both searched one tree. OpenSpiel is timed in three ways:

* as we do: siblings are sorted by their evaluation, each evaluated once (target: at least 50 times our time);
* the order given: it comes from our log for nothing, only leaves are evaluated;
* order and leaves given: what is left is walking, cloning and playing.

Ours computes every factor of every child, sorts, and writes every row, in all of them.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import pyspiel
from open_spiel.python.algorithms import minimax

from plyscope.engine.games import find
from plyscope.engine.games.reversi import mobility
from plyscope.engine.options import MATE_SCORE, SearchOptions
from plyscope.engine.record.recording import Recording
from plyscope.engine.record.rows import FIRST_STUB
from plyscope.engine.run import search

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


class Guided(Sorting):
    """The same in the order of our log: `below` maps each action to what follows, -1 to the evaluation."""

    __slots__ = ("below",)

    def __init__(self, state: Any, evaluate: Evaluate, below: dict[Any, Any], level: int = 0) -> None:
        super().__init__(state, evaluate, level)
        self.below = below

    def legal_actions(self) -> list[int]:
        return [action for action in self.below if action >= 0]

    def clone(self) -> Guided:
        return Guided(self.state.clone(), self.evaluate, self.below, self.level)

    def apply_action(self, action: int) -> None:
        self.state.apply_action(action)
        self.below = self.below[action]
        self.level += 1


def order_of(recording: Recording) -> dict[Any, Any]:
    """Every node of the log as a dict from ply to node, in the order searched; its evaluation under -1."""
    nodes: list[dict[Any, Any]] = []
    for row in recording.rows:
        below: dict[Any, Any] = {}
        if row["outcome"] >= FIRST_STUB:
            start = int(row["key"])
            for ply in recording.stub_plies["ply"][start : start + int(row["moves"])]:
                nodes[row["parent"]][int(ply)] = {}
        elif row["parent"] >= 0:
            nodes[row["parent"]][int(row["ply"])] = below
            below[-1] = float(row["static"])
        nodes.append(below)
    return nodes[0]


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


def their_search(game: Any, root: Sorting, depth: int, value: Callable[[Any], float]) -> float:
    score, _ = minimax.alpha_beta_search(game, root, value_function=value, maximum_depth=depth)
    return float(score)


def their_nodes(*arguments: Any) -> int:
    """The number of nodes that their search visits."""
    visits = 0
    whole = minimax._alpha_beta

    def counted(*arguments: Any, **named: Any) -> Any:
        nonlocal visits
        visits += 1
        return whole(*arguments, **named)

    minimax._alpha_beta = counted
    try:
        their_search(*arguments)
    finally:
        minimax._alpha_beta = whole
    return visits


def timed(run: Callable[[], Any]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def compare(name: str, their_name: str, depth: int) -> None:
    ours, theirs = find(name), pyspiel.load_game(their_name)
    options = SearchOptions(depth=depth)
    recording = search(ours, options=options)
    below, evaluate = order_of(recording), evaluation(ours)
    start = theirs.new_initial_state

    def sorting() -> tuple[Any, ...]:
        return theirs, Sorting(start(), evaluate), depth, lambda at: at.value

    def guided(value: Callable[[Any], float]) -> tuple[Any, ...]:
        return theirs, Guided(start(), evaluate, below), depth, value

    nodes = recording.header["result"]["nodes"]
    print(f"{name}, depth {depth}: {nodes:,} nodes; OpenSpiel visits {their_nodes(*sorting()):,}")
    assert their_nodes(*sorting()) == their_nodes(*guided(lambda at: at.below[-1])) == nodes
    assert their_search(*sorting()) == recording.score
    ways: dict[str, Callable[[], Any]] = {
        "recorded": lambda: search(ours, options=options),
        "OpenSpiel, as we do": lambda: their_search(*sorting()),
        "order given": lambda: their_search(*guided(lambda at: at.evaluate(at.state))),
        "order and leaves given": lambda: their_search(*guided(lambda at: at.below[-1])),
    }
    times: dict[str, list[float]] = {label: [] for label in ways}
    for _ in range(ROUNDS):
        for label, run in ways.items():
            times[label].append(timed(run))
    medians = {label: statistics.median(each) for label, each in times.items()}
    for label, median in medians.items():
        target = f" (target: at least {TARGET})" if label == "OpenSpiel, as we do" else ""
        ratio = f"ratio {median / medians['recorded']:6.1f}{target}"
        print(f"  {label:24}{median / nodes * 1e6:8.2f} µs a node, {median * 1e3:8.1f} ms, {ratio}")


def main() -> None:
    compare("reversi", "othello", 9)
    compare("connect_four", "connect_four", 10)


if __name__ == "__main__":
    main()
