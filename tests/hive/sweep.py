"""Search random positions of Hive with options of every kind, record and check: nothing may be wrong.

python -m tests.hive.sweep 100 [FIRST]
"""

from __future__ import annotations

import random
import sys
from dataclasses import replace

from plyscope.engine.game import ONGOING, State
from plyscope.engine.games.hive import GAME
from plyscope.engine.kernel_game import legal_plies
from plyscope.engine.record.recording import Recording
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.seal.recording import log_from_recording
from tests.hive.oracle import GAME_TYPES
from tests.second_engine.sound import drawn_search_options


def position(draw: random.Random, most_plies: int, game_type: str | None = None) -> State:
    """Some random plies into a game that is not over, of any type, with the threefold rule or without."""
    text = draw.choice(("", "threefold ")) + (game_type or draw.choice(GAME_TYPES))
    state = GAME.read_position(text)
    for _ in range(draw.randint(0, most_plies)):
        after = state.copy()
        GAME.apply(after, draw.choice(legal_plies(GAME, state)))
        if GAME.status(after) != ONGOING:
            break
        state = after
    return state


def searched(
    seed: int, *, compiled: bool, most_plies: int = 60, most_depth: int = 4, most_limit: int = 8
) -> Recording:
    draw = random.Random(seed)
    state = position(draw, most_plies)
    asked = replace(drawn_search_options(draw, GAME, most_depth), limit=draw.randint(2, most_limit))
    return search(GAME, GAME.write_position(state), asked, compiled=compiled, most_rows=200_000)


def wrong_in(recording: Recording, *, compiled: bool) -> list[str]:
    """The `wrong` findings of `check` in a recorded search, each as a line."""
    found = check(log_from_recording(recording), compiled=compiled).findings(severity="wrong")
    return [f"{each.rule} at {each.path!r}: {each.message}" for each in found]


def main() -> None:
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    n_wrong = n_rows = 0
    for seed in range(first, first + wanted):
        recording = searched(seed, compiled=True)
        n_rows += len(recording.rows)
        if wrong := wrong_in(recording, compiled=True):
            n_wrong += 1
            print(f"seed {seed}: {wrong[0]} (and {len(wrong) - 1} more)")
    print(f"{wanted} searches of Hive, {n_rows:,} rows: {n_wrong} with something wrong")
    sys.exit(1 if n_wrong else 0)


if __name__ == "__main__":
    main()
