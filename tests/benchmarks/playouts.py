"""Play-outs a second of Monte Carlo tree search, beside plain Python, OpenSpiel, and without recording.

All searches of a game begin in the same position, with c = 1.4 and one play-out a visit; rounds are
interleaved and medians told, so that other programs disturb ratios little. Seconds are the processor's.
Targets: 30 times the plain build of the same source in Connect Four; recording costs at most 1.2 times.

OpenSpiel is timed where it is installed (`pip install -e '.[bench]'`): its search in C++, and that in Python
over the game in C++. Both expand nodes as ours do; their trees differ from ours by their draws.

python -m tests.benchmarks.playouts [PLAYOUTS]
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, Final

from plyscope.engine.games import find
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.montecarlo.run import search
from plyscope.visualizer.formats.seal.recording import log_from_recording

ROUNDS: Final = 5
PLAYOUTS: Final = 20_000
PLAIN_SHARE: Final = 100
"""So many play-outs of ours are one of plain Python's."""
TARGET_PLAIN, TARGET_RECORDED = 30.0, 1.2
MIDDLE: Final = "Base;InProgress;White[5];wS1;bS1 wS1-;wQ -wS1;bQ bS1-;wA1 /wQ;bA1 bQ/;wA2 -wQ;bG1 bQ-"
CASES: Final = (("connect_four", None), ("reversi", None), ("hive", None), ("hive", MIDDLE))


def seconds_of(work: Callable[[], object]) -> float:
    """The processor's time that a call takes."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def medians(works: Mapping[str, Callable[[], object]]) -> dict[str, float]:
    """The median of the seconds of each, which are called in turn."""
    taken: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            taken[name].append(seconds_of(work))
    return {name: statistics.median(each) for name, each in taken.items()}


def ours(
    name: str, position: str | None, n_playouts: int, *, compiled: bool = True, record: bool = False
) -> Callable[[], Any]:
    """Our search, ready to be called."""
    options = MonteCarloOptions(playouts=n_playouts, seed=1, record=record)
    game = find(name)
    return lambda: search(game, position, options, compiled=compiled)


def compare_with_plain(n_playouts: int) -> None:
    """Our compiled search beside the plain build of the same source."""
    for name, position in CASES:
        n = n_playouts // 4 if name == "hive" else n_playouts
        n_plain = max(n // (4 * PLAIN_SHARE if name == "hive" else PLAIN_SHARE), 5)
        ours(name, position, 10)()
        found = medians(
            {
                "compiled": ours(name, position, n),
                "plain": ours(name, position, n_plain, compiled=False),
            }
        )
        fast, slow = n / found["compiled"], n_plain / found["plain"]
        place = name if position is None else f"{name}, middle"
        goal = f"  (target {TARGET_PLAIN:.0f})" if name == "connect_four" else ""
        print(f"{place:<16}{fast:>12,.0f} play-outs/s{slow:>10,.0f} plain{fast / slow:>9.1f} times{goal}")


def compare_with_recording(n_playouts: int) -> None:
    """The same search without rows, with them, and with its columns."""
    for name, position in CASES:
        n = n_playouts // 4 if name == "hive" else n_playouts
        recorded = ours(name, position, n, record=True)
        log_from_recording(recorded())
        found = medians(
            {
                "bare": ours(name, position, n),
                "recorded": recorded,
                "as columns": lambda recorded=recorded: log_from_recording(recorded()),  # type: ignore[misc]
            }
        )
        place = name if position is None else f"{name}, middle"
        times = [found[each] / found["bare"] for each in ("recorded", "as columns")]
        print(
            f"{place:<16}{1000 * found['bare']:>9.1f} ms without recording   {times[0]:.2f} times recorded"
            f"  (target {TARGET_RECORDED})   {times[1]:.2f} times as a log"
        )


def compare_with_openspiel(n_playouts: int) -> None:
    """Connect Four by OpenSpiel, in C++ and in Python."""
    try:
        import numpy as np
        import pyspiel
        from open_spiel.python.algorithms import mcts
    except ImportError:
        print("OpenSpiel is not installed: pip install -e '.[bench]'")
        return
    game = pyspiel.load_game("connect_four")
    few = max(n_playouts // PLAIN_SHARE, 10)

    def in_cpp() -> None:
        evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
        bot = pyspiel.MCTSBot(game, evaluator, 1.4, n_playouts, 1000, False, 1, False)
        bot.mcts_search(game.new_initial_state())

    def in_python() -> None:
        draws = np.random.RandomState(1)
        evaluator = mcts.RandomRolloutEvaluator(1, draws)
        bot = mcts.MCTSBot(game, 1.4, few, evaluator, solve=False, random_state=draws)
        bot.mcts_search(game.new_initial_state())

    mine = ours("connect_four", None, n_playouts, record=True)
    mine()
    found = medians({"ours": mine, "C++": in_cpp, "Python": in_python})
    rates = {name: (few if name == "Python" else n_playouts) / each for name, each in found.items()}
    print(f"{'connect_four':<16}{rates['ours']:>12,.0f} play-outs/s, recorded")
    for name in ("C++", "Python"):
        print(f"  OpenSpiel {name:<6}{rates[name]:>10,.0f}{rates['ours'] / rates[name]:>22.1f} times")


if __name__ == "__main__":
    asked = int(sys.argv[1]) if len(sys.argv) > 1 else PLAYOUTS
    compare_with_plain(asked)
    compare_with_recording(asked)
    compare_with_openspiel(asked)
