"""Odd by flat Monte Carlo, N by N and turn by turn: two figures of a student report, as curves."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from statistics import median
from typing import Any, Final, NamedTuple

from plyscope.engine.games import load_game
from plyscope.engine.match.agents import read_agent
from plyscope.engine.match.arbiter import Arbiter
from plyscope.engine.match.games import Task, Terms, play
from plyscope.engine.match.score import Score, wilson
from plyscope.engine.record.recording import Recording
from plyscope.visualizer.cli.play.tuning_charts import curve
from plyscope_studies.lab.lab import Lab
from plyscope_studies.lab.odd import SWEEP_GAMES, SWEEP_HEAD, SWEEP_PUBLISHED, say_swept, swept

FIXED: Final = "MCS(100)"
PROGRESSIVE: Final = "progressive"
N_GAMES: Final = 3
SWEEP: Final = range(0, 101, 2)
SHORT_SWEEP: Final = (0, 1)
GAMES: Final = 20
"""Of each N, unless the run is full."""
PERFECT_FROM: Final = 30
"""The report: from this N on no game of 50 was lost."""
SHOWN_EVERY: Final = 10
FIRST_TURN: Final = 0.9
"""Seconds that the report states for the first turn of MCS(100)."""
LIMIT: Final = 5.0
"""Seconds of a turn that the report allows."""


class Turn(NamedTuple):
    """A turn of one player: the ply of the game from 1, play-outs of each ply, plies, seconds."""

    turn: int
    each: int
    playouts: int
    seconds: float


def turns_of(arbiter: Arbiter, lines: Sequence[str], seed: int, n_games: int) -> list[list[Turn]]:
    """The turns of both players in some games between them, each game from the empty board."""
    agents = [read_agent(line) for line in lines]
    kept: list[list[Turn]] = [[], []]

    def keep(side: int, n_plies: int, recording: Recording) -> None:
        result = recording.header["result"]
        number = side if game % 2 == 0 else 1 - side
        kept[number].append(Turn(n_plies + 1, result["playouts_each"], result["playouts"], result["seconds"]))

    for game in range(n_games):
        sides = (0, 1) if game % 2 == 0 else (1, 0)
        play(arbiter, agents, Task(game, game // 2, *sides), Terms(0, seed=seed), recorded=(0, 1), keep=keep)
    return kept


def turns(lab: Lab) -> None:
    """Time and play-outs of each turn."""
    report = lab.report
    report.head("A game, turn by turn")
    lab.tell("a game, turn by turn")
    arbiter = Arbiter(load_game("odd"), "side 3" if lab.is_short else None)
    mcs = "algorithm=monte_carlo,n=100"
    found = turns_of(arbiter, (f"a: {mcs}", f"b: {mcs},rollouts=progressive"), lab.seed, lab.of(N_GAMES, 1))
    by_name = dict(zip((FIXED, PROGRESSIVE), map(_medians, found), strict=True))
    x, time, playouts = "ply of the game", "milliseconds", "play-outs of each ply"
    rows: list[dict[str, Any]] = [
        {x: turn, time: 1000 * each.seconds, playouts: each.each, "by": name}
        for name, turns in by_name.items()
        for turn, each in turns.items()
    ]
    of_games = f"The time of a turn; medians of {lab.of(N_GAMES, 1)} games"
    report.chart("time", of_games, curve(rows, x=x, y=time, by="by"))
    report.chart("playouts", "Play-outs of each ply", curve(rows, x=x, y=playouts, by="by"))
    shown = [
        [str(first + 1), *(cell for turns in by_name.values() for cell in _cells(turns, first))]
        for first in range(0, max(map(max, by_name.values())), SHOWN_EVERY)
    ]
    report.table(["ply", *(f"{name}, {what}" for name in by_name for what in ("N", "ms"))], shown)
    start = by_name[FIXED][1] if 1 in by_name[FIXED] else next(iter(by_name[FIXED].values()))
    longest = max(each.seconds for each in by_name[PROGRESSIVE].values())
    report.say(
        f"The first turn of {FIXED} took {start.seconds:.2f} s for {start.playouts:,} play-outs; the report "
        f"states about {FIRST_TURN} s on its own machine, less from turn to turn, and at most {LIMIT:.0f} s "
        f"a turn. The longest turn of {PROGRESSIVE} took {longest:.2f} s here: its N grows while the plies "
        "get fewer."
    )


def _medians(turns: Sequence[Turn]) -> dict[int, Turn]:
    """The turn at each ply, its time the median over games."""
    by_ply: dict[int, list[Turn]] = defaultdict(list)
    for each in turns:
        by_ply[each.turn].append(each)
    return {
        ply: found[0]._replace(seconds=median(each.seconds for each in found))
        for ply, found in sorted(by_ply.items())
    }


def _cells(turns: dict[int, Turn], first: int) -> tuple[str, str]:
    """Play-outs and time of the first turn from a ply on."""
    each = next((turn for ply, turn in turns.items() if ply > first), None)
    return ("", "") if each is None else (f"{each.each:,}", f"{1000 * each.seconds:.0f}")


def sweep(lab: Lab) -> None:
    """MCS(N) against random plies."""
    lab.report.head(SWEEP_HEAD)
    numbers = SHORT_SWEEP if lab.is_short else SWEEP
    found = swept(lab, numbers, lab.games_of(GAMES, SWEEP_GAMES, 4))
    n_games = max(score.n_games for score in found.values())
    ends = {n: wilson(score.share, score.n_games) for n, score in found.items()}
    rows = [
        {"N": n, "share won": score.share, "low": ends[n][0], "high": ends[n][1]}
        for n, score in found.items()
    ]
    lab.report.chart(
        "sweep",
        f"The share of {n_games} games that MCS(N) won against random plies, with intervals of 95 %",
        curve(rows, x="N", y="share won", low="low", high="high"),
    )
    lost = {n: score for n, score in found.items() if score.won < score.n_games}
    say_swept(lab, lost)
    lab.report.say(
        f"Each of {len(found)} numbers N, from {min(found)} to {max(found)}, played {n_games} games; with "
        f"those that the table leaves out MCS(N) won all. {_imperfect(lost)}{late_losses(lost)}"
    )
    lab.report.say(f"{SWEEP_PUBLISHED} With N = 0 there is nothing to choose by, so a ply is drawn.")


def _imperfect(lost: Collection[int]) -> str:
    """The sentence that sets the last number that lost a game beside the report's.

    >>> _imperfect([0, 2, 14])
    'The largest N that lost a game is 14; the report has none from 30 on either.'
    """
    if not lost:
        return "None lost a game."
    also = "has none from 30 on either" if max(lost) < PERFECT_FROM else "has none from 30 on"
    return f"The largest N that lost a game is {max(lost)}; the report {also}."


def late_losses(lost: Mapping[int, Score]) -> str:
    """The sentence on whether losses from the report's number on can be chance, by the intervals of both.

    >>> late_losses({34: Score(19, 0, 1)})
    " That may be chance: the interval of each such N meets that of the report's 50 won of 50, 93–100 %."
    """
    late = [score for n, score in lost.items() if n >= PERFECT_FROM]
    low = wilson(1.0, SWEEP_GAMES)[0]
    if not late:
        return ""
    if all(wilson(score.share, score.n_games)[1] >= low for score in late):
        return (
            " That may be chance: the interval of each such N meets that of the report's "
            f"{SWEEP_GAMES} won of {SWEEP_GAMES}, {100 * low:.0f}–100 %."
        )
    return f" Of some the interval does not meet that of the report's {SWEEP_GAMES} won of {SWEEP_GAMES}."


def run(lab: Lab) -> None:
    """Both figures."""
    turns(lab)
    sweep(lab)
