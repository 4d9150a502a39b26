"""The cost of proving wins in Hive: the same searches with and without, near the end of games and before.

The strongest level plays games against itself, in few nodes a ply; each position is searched to one depth.
Near are positions `NEAR` its end, where wins and losses are found; far are those `FAR` plies before it.
"""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, replace

from plyscope.engine.game import ONGOING
from plyscope.engine.games.hive import GAME
from plyscope.engine.options import MATE_SCORE, SearchOptions
from plyscope.engine.record.recording import Recording
from plyscope.engine.run import search
from plyscope.visualizer.uhp.levels import STRONGEST, search_options
from tests.hive.matches import LONGEST, N_OPENING, TYPES, Rules, Strongest, opening

N_GAMES = 8
NODES_A_PLY = 2_000
DEPTH = 4
NEAR = (2, 3, 4, 5)
FAR = (12, 13)
"""Plies before the end of a game."""


@dataclass
class Sum:
    """Searches of one kind added up."""

    nodes: int = 0
    seconds: float = 0.0


def played(rules: Rules, number: int) -> list[str]:
    """The positions of a game, one for each ply."""
    state = opening(rules, TYPES[number % len(TYPES)], 999_983 + number)
    player = Strongest(NODES_A_PLY, proves=False)
    positions: list[str] = []
    while len(positions) + N_OPENING < LONGEST:
        positions.append(GAME.write_position(state))
        if rules.play(state, player.choose(state)) != ONGOING:
            break
    return positions


def timed(position: str, options: SearchOptions, into: Sum) -> Recording:
    began = time.process_time()
    recording = search(GAME, position, options)
    into.seconds += time.process_time() - began
    into.nodes += sum(tree.totals.nodes for tree in recording.trees)
    return recording


def claims(recording: Recording) -> bool:
    """Whether the search claims a win or a loss."""
    return recording.score is not None and abs(recording.score) > MATE_SCORE / 2


def compare(label: str, positions: list[str]) -> None:
    without = replace(search_options(STRONGEST, depth=DEPTH), keep="all", prove_wins=False)
    proving = replace(without, prove_wins=True)
    sums, ratios = (Sum(), Sum()), []
    n_claims = n_unproven = n_refuted = 0
    for position in positions:
        before = sums[0].nodes, sums[1].nodes
        bare = timed(position, without, sums[0])
        proven = timed(position, proving, sums[1])
        n_claims += claims(bare)
        n_unproven += len(proven.trees) > len(bare.trees)
        n_refuted += claims(bare) and not claims(proven)
        ratios.append((sums[1].nodes - before[1]) / (sums[0].nodes - before[0]))
    off, on = sums
    print(
        f"{label}: {len(positions)} positions, depth {DEPTH}: {n_claims} end in a win or loss, "
        f"{n_unproven} had one that was not proven at once, {n_refuted} of them a false one"
    )
    print(
        f"  with proofs {on.nodes:,} nodes, without {off.nodes:,}: ratio {on.nodes / off.nodes:.2f}; "
        f"of a position {statistics.median(ratios):.2f} (median), {max(ratios):.2f} (most); "
        f"processor time: ratio {on.seconds / off.seconds:.2f}"
    )


def main() -> None:
    rules = Rules()
    games = [played(rules, number) for number in range(N_GAMES)]
    search(GAME, games[0][0], search_options(STRONGEST, depth=1))  # compiled, or loaded from disk
    for label, places in (("near the end", NEAR), ("before", FAR)):
        compare(label, [game[-place] for game in games for place in places if place <= len(game)])


if __name__ == "__main__":
    main()
