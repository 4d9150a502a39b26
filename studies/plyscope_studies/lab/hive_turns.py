"""Hive by turn: how many plies a position has, and how fast they are generated.

The published study (Hive agents by minimax and Monte Carlo tree search) draws both curves, names a mean of
60 plies, 400,000 nodes a second, and what follows for four plies without pruning: 60**4 / 400,000 s.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from statistics import mean, median, stdev
from typing import Any, Final, NamedTuple

import numpy as np

from plyscope.engine.game import ONGOING
from plyscope.engine.games import load_game
from plyscope.engine.match.agents import Agent, agent_of
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.options import SearchOptions
from plyscope.engine.perft import perft
from plyscope.engine.quoting import counted
from plyscope.engine.run import search
from plyscope.visualizer.cli.play.tuning_charts import curve, level
from plyscope_studies.lab.lab import Lab

TYPES: Final = ("Base", "Base+MLP")
PUBLISHED_PLIES: Final = 60
PUBLISHED_SPEED: Final = 400_000
PLIES_DEEP: Final = 4
MOST_PLIES: Final = 100
"""A game is left there, as the study's are."""
OPENING: Final = 6
STEP: Final = 5
"""Plies between two positions of which the speed is measured."""
FROM: Final = 30
"""The ply from which on the published curve is flat."""


SEARCH: Final = "a search, Base"


class Spread(NamedTuple):
    """The number of plies in positions of one turn, of so many games: its mean and deviation."""

    games: int
    mean: float
    deviation: float


class Speed(NamedTuple):
    """The speed of counting plies below positions of one turn, per second and without evaluation."""

    listed: float
    positions: float


Sample = list[tuple[int, Any]]
"""Positions by their ply."""


def run(lab: Lab) -> None:
    """Play games, count, time."""
    n_random, n_searched, n_sampled = lab.of(1000, 10), lab.of(100, 2), lab.of(60, 1)
    lab.report.say(
        f"{n_random:,} games of random plies of Base, 11 tiles a side as in the study, and of Base+MLP; and "
        f"{n_searched:,} of a search against itself (depth 2, 30 plies of each position, after {OPENING} "
        f"random plies). Each is left after {MOST_PLIES} plies. Speeds are per second of one core."
    )
    arbiters = {kind: Arbiter(load_game("hive"), kind) for kind in TYPES}
    counts, samples = {}, {}
    for kind, arbiter in arbiters.items():
        name = f"random plies, {kind}"
        counts[name], samples[kind] = played(lab, name, arbiter, Agent(name, "random"), n_random, n_sampled)
    searcher = agent_of(SEARCH, {"depth": 2, "limit": 30})
    counts[SEARCH], _ = played(lab, SEARCH, arbiters[TYPES[0]], searcher, n_searched, 0)
    _say_branching(lab, counts)
    plies = flat(counts[f"random plies, {TYPES[0]}"])
    _say_speed(lab, samples, plies)
    _say_alphabeta(lab, arbiters[TYPES[0]], samples[TYPES[0]])


def played(
    lab: Lab, name: str, arbiter: Arbiter, agent: Agent, n_games: int, n_sampled: int
) -> tuple[dict[int, Spread], Sample]:
    """Games of an agent against itself: plies by turn, and positions of the first few games."""
    by_turn: dict[int, list[int]] = {}
    sample: Sample = []
    for number in range(n_games):
        lab.tell(f"{name}, game {number + 1} of {n_games}")
        for ply, n_plies, state in walk(arbiter, agent, lab.seed, number):
            by_turn.setdefault(ply, []).append(n_plies)
            if number < n_sampled and ply % STEP == 0:
                sample.append((ply, arbiter.game.read_position(arbiter.write(state))))
    return {ply: spread(found) for ply, found in sorted(by_turn.items())}, sample


def walk(arbiter: Arbiter, agent: Agent, seed: int, number: int) -> Iterator[tuple[int, int, Any]]:
    """One game: each position by its ply, how many plies it has, and the state, which goes on changing."""
    own = int(np.random.SeedSequence([seed, number]).generate_state(1)[0])
    draw = np.random.default_rng(own)
    player = agent.player(arbiter, own)
    state, status = arbiter.start(), ONGOING
    for ply in range(MOST_PLIES):
        legal = arbiter.legal(state)
        yield ply, len(legal), state
        chosen = int(draw.choice(arbiter.legal(state))) if ply < OPENING else player.choose(state)
        status = arbiter.play(state, chosen)
        if status != ONGOING:
            return


def spread(counts: Sequence[int]) -> Spread:
    """Mean and standard deviation over games; a single game has no deviation."""
    return Spread(len(counts), mean(counts), stdev(counts) if len(counts) > 1 else math.nan)


def _say_branching(lab: Lab, counts: Mapping[str, Mapping[int, Spread]]) -> None:
    report = lab.report
    report.head("Plies of a position, by turn")
    rows = [
        {
            "ply": ply,
            "legal plies": each.mean,
            "low": each.mean - each.deviation,
            "high": each.mean + each.deviation,
            "games of": name,
        }
        for name, found in counts.items()
        for ply, each in found.items()
        if each.games > 1
    ]
    drawn = curve(rows, x="ply", y="legal plies", low="low", high="high", by="games of")
    report.chart(
        "plies",
        f"Legal plies by turn, with one standard deviation; the study's curve is flat near {PUBLISHED_PLIES}",
        level(drawn, PUBLISHED_PLIES, f"the study: near {PUBLISHED_PLIES}"),
    )
    plies = [ply for ply in range(0, MOST_PLIES, 10) if any(ply in found for found in counts.values())]
    report.table(
        ["ply", *counts],
        [[str(ply), *(_cell(found, ply) for found in counts.values())] for ply in plies],
    )
    report.say("Mean ± standard deviation, (games that came so far).")
    late = [f"{flat(found):.1f} plies ({name})" for name, found in counts.items()]
    report.say(
        f"From ply {FROM} on a position has on the mean {', '.join(late)}. The study says about "
        f"{PUBLISHED_PLIES}, and not between which players."
    )


def _cell(found: Mapping[int, Spread], ply: int) -> str:
    if ply not in found:
        return ""
    here = found[ply]
    deviation = "" if math.isnan(here.deviation) else f" ± {here.deviation:.1f}"
    return f"{here.mean:.1f}{deviation} ({here.games})"


def flat(found: Mapping[int, Spread]) -> float:
    """The mean over all positions from ply 30 on; not a number where no game came so far."""
    late = [each for ply, each in found.items() if ply >= FROM]
    n_positions = sum(each.games for each in late)
    return sum(each.mean * each.games for each in late) / n_positions if n_positions else math.nan


def _say_speed(lab: Lab, samples: Mapping[str, Sample], plies: float) -> None:
    report = lab.report
    report.head("Speed of the rules, by turn")
    lab.tell("timing the rules")
    speeds = {kind: speeds_of(sample) for kind, sample in samples.items()}
    rows = [
        {"ply": ply, "a second": value, "counted": f"{counted_as}, {kind}"}
        for kind, found in speeds.items()
        for ply, each in found.items()
        for counted_as, value in (("positions played", each.positions), ("plies generated", each.listed))
    ]
    report.chart(
        "speed",
        "Positions played and plies generated a second, three plies below those of random games",
        level(
            curve(rows, x="ply", y="a second", by="counted", logarithmic=True),
            PUBLISHED_SPEED,
            f"the study, late in the game: {PUBLISHED_SPEED:,} nodes",
        ),
    )
    report.table(
        ["ply", *(f"{what}, {kind}" for kind in speeds for what in ("positions played", "plies generated"))],
        [
            [str(ply), *(f"{figure:,.0f}" for found in speeds.values() for figure in found[ply][::-1])]
            for ply in range(0, MOST_PLIES, 10)
            if all(ply in found for found in speeds.values())
        ],
    )
    late = [each for ply, each in speeds[TYPES[0]].items() if ply >= FROM]
    published = PUBLISHED_PLIES**PLIES_DEEP / PUBLISHED_SPEED
    listed, positions = median(each.listed for each in late), median(each.positions for each in late)
    all_lines = plies**PLIES_DEEP
    report.say(
        f"By the study's figures four plies without pruning take {PUBLISHED_PLIES}⁴ / {PUBLISHED_SPEED:,} = "
        f"{published:.1f} s. It says nowhere what it counts as a node. From ply {FROM} on ours (Base) takes "
        f"{plies:.1f}⁴ / {positions:,.0f} = {all_lines / positions:.1f} s where a node is a position that is "
        f"played and whose plies are listed, and {plies:.1f}⁴ / {listed:,.0f} = {all_lines / listed:.1f} s "
        "where it is a ply that is generated."
    )


def speeds_of(sample: Sample) -> dict[int, Speed]:
    """Count three plies below each position, all of one turn on one clock."""
    game = load_game("hive")
    perft(game, sample[0][1], 2)  # compiled before the clock starts
    found = {}
    for ply in sorted({ply for ply, _ in sample}):
        states = [state for at, state in sample if at == ply]
        inner = sum(1 + perft(game, state, 1) + perft(game, state, 2) for state in states)
        begun = time.process_time()
        leaves = sum(perft(game, state, 3) for state in states)
        seconds = time.process_time() - begun
        found[ply] = Speed(leaves / seconds, inner / seconds)
    return found


def _say_alphabeta(lab: Lab, arbiter: Arbiter, sample: Sample) -> None:
    """Report how long alpha-beta takes to search four plies deep, no ply left out."""
    depth = lab.of(PLIES_DEEP, 2)
    options = SearchOptions(depth=depth, record=False)
    late = [state for ply, state in sample if ply == FROM][: lab.of(10, 1)]
    search(arbiter.game, arbiter.write(late[0]), SearchOptions(depth=1, record=False))
    seconds, nodes = [], []
    for number, state in enumerate(late):
        lab.tell(f"alpha-beta to depth {depth}: position {number + 1} of {len(late)}")
        begun = time.process_time()
        done = search(arbiter.game, arbiter.write(state), options)
        seconds.append(time.process_time() - begun)
        nodes.append(done.header["result"]["nodes"])
    report = lab.report
    report.say(
        f"Alpha-beta here, full width, to depth {depth} from {counted(len(late), 'position')} at ply {FROM}: "
        f"median {median(seconds):.2f} s and {median(nodes):,.0f} nodes, "
        f"{sum(nodes) / sum(seconds):,.0f} nodes a second."
    )
