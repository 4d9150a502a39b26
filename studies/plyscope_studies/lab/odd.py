"""Odd by flat Monte Carlo: a student report's players against one another, and the draws of its generator.

The report's text leaves its growth and its generator partly open. Each is read literally here, and what comes
out is put beside what was published; nothing is tuned until it fits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from plyscope.engine.games import load_game
from plyscope.engine.match.agents import read_agent
from plyscope.engine.match.games import Played, Terms
from plyscope.engine.match.match import Match, read_games
from plyscope.engine.match.runner import run as run_match
from plyscope.engine.match.score import Score, wilson
from plyscope.engine.match.standing import score_of
from plyscope_studies.flat.options import FlatOptions
from plyscope_studies.flat.run import search
from plyscope_studies.flat.uniformity import Histogram, histogram
from plyscope_studies.lab.lab import Lab
from plyscope_studies.lab.report import Held, excluded

N_NUMBERS: Final = 10
N_DRAWS: Final = 200_000
MCS: Final = "algorithm=monte_carlo,n=100"
SWEEP: Final = (1, 2, 4, 8, 16, 32)
SWEEP_GAMES: Final = 50
SWEEP_HEAD: Final = "MCS(N) against random plies"
SWEEP_PUBLISHED: Final = (
    "The report plays every even N up to 100, 50 games each: only N below 30 ever lost a game, N = 1 is "
    "slightly better than random, and N = 150 won every game."
)


@dataclass(frozen=True)
class Pairing:
    """A row of the report's table: a player against MCS(100), with the wins and games that it states."""

    name: str
    agent: str
    wins: int
    of: int
    games: int
    """Games here, unless the run is full: one takes up to a minute on a busy machine."""
    likely: str
    """A likely reason why the share here is another, where it is."""


OTHER_DRAWS: Final = "other draws: the report leaves its generator partly open, and as read here it is uneven"
NO_BOUND: Final = "another budget: its growth has no bound here, where the report allows at most 5 s a turn"
PAIRINGS: Final = (
    Pairing("quasi, by the text", f"{MCS},source=quasi", 104, 200, 60, OTHER_DRAWS),
    Pairing("quasi, by the example", f"{MCS},source=example", 104, 200, 60, OTHER_DRAWS),
    Pairing("progressive, read literally", f"{MCS},rollouts=progressive", 144, 200, 20, NO_BOUND),
    Pairing("final mix, K = 10", f"{MCS},rollouts=progressive,source=mix", 99, 100, 20, NO_BOUND),
)
READINGS: Final = ("quasi, by the text", "quasi, by the example")
MADE: Final = {"text": READINGS[0], "example": READINGS[1], "halton": "Halton's points"}


def run_pair(lab: Lab, name: str, agents: Sequence[str], n_wanted: int, n_published: int) -> Score:
    """Play a match from the empty board, each player first as often; the first agent's score.

    The file of games states the match of as many games as were published. Those with the lowest numbers are
    played, as many as are wanted, with any number of workers the same; a longer run goes on behind them.
    """
    n_games = n_wanted if lab.is_short else max(n_wanted, n_published)
    match = Match(
        "odd",
        tuple(map(read_agent, agents)),
        n_games,
        Terms(n_opening=0, seed=lab.seed),
        "side 3" if lab.is_short else None,
    )
    path = lab.file(f"odd-{name}")

    def first_of(games: Iterable[Played]) -> list[Played]:
        return [game for game in games if game.number < n_wanted]

    played = first_of(read_games(path, match).values()) if path is not None else []
    if len(played) < n_wanted:
        played = first_of(
            run_match(
                match,
                path,
                n_workers=lab.n_workers,
                on_games=lambda games: lab.tell(f"{name}, {len(first_of(games))} of {n_wanted} games"),
                should_stop=lambda games: len(first_of(games)) == n_wanted,
            )
        )
    return score_of(played)


def draws(lab: Lab) -> None:
    """Report how often each of ten numbers is drawn."""
    lab.tell("draws")
    lab.report.head("How even the draws are")
    found = {
        name: histogram(source, N_NUMBERS, N_DRAWS, lab.seed)
        for source, name in {"pseudo": "pseudo-random", **MADE}.items()
    }
    rows = [
        [name, *(f"{share:.3f}" for share in each.shares), f"{each.chi_square:,.1f}"]
        for name, each in found.items()
    ]
    lab.report.table(["source", *map(str, range(N_NUMBERS)), "χ²"], rows)
    lab.report.say(
        f"Shares of {N_DRAWS:,} draws of one of {N_NUMBERS}; χ² has {N_NUMBERS - 1} degrees of freedom, so "
        "equal chances stay below 21.7 in 99 of 100 runs. The report claims, with a histogram of a million "
        "draws, that its quasi-random draws are more even than pseudo-random ones. "
        + _claim([name for name in READINGS if _is_less_even(found, name)])
        + " Where the leap of the example would leave no number it leaves all: the report is silent there, "
        "and the histogram depends on it."
    )


def _is_less_even(found: dict[str, Histogram], name: str) -> bool:
    return bool(found[name].chi_square > found["pseudo-random"].chi_square)


def _claim(less_even: Sequence[str]) -> str:
    if not less_even:
        return "Both readings of its generator bear that out here."
    which = "Both readings of it are" if len(less_even) == 2 else f"The reading {less_even[0]!r} is"
    return f"{which} less even here. Halton's points are what the claim would be true of."


def first_turn(lab: Lab) -> None:
    """Report how long MCS(100) takes at the start."""
    game = load_game("odd")
    search(game, None, FlatOptions(n=1, seed=lab.seed, record=False))
    result = search(game, None, FlatOptions(n=100, seed=lab.seed, record=False)).header["result"]
    lab.report.say(
        f"The first turn of MCS(100) took {result['seconds']:.2f} s for {result['playouts']:,} play-outs; "
        "the report states about 0.9 s on its own machine."
    )


def swept(lab: Lab, numbers: Iterable[int], n_games: int) -> dict[int, Score]:
    """MCS(N) against random plies, by N."""
    return {
        n: run_pair(lab, f"n-{n}", (f"algorithm=monte_carlo,n={n}", "random"), n_games, SWEEP_GAMES)
        for n in numbers
    }


def say_swept(lab: Lab, found: Mapping[int, Score]) -> None:
    """The table of wins by N."""
    rows = [[str(n), f"{score.won} / {score.n_games}", *in_percent(score)] for n, score in found.items()]
    lab.report.table(["N", "wins", "share", "95 %"], rows)


def sweep(lab: Lab) -> None:
    """A few N, of which the first is 1."""
    lab.report.head(SWEEP_HEAD)
    found = swept(lab, SWEEP[:1] if lab.is_short else SWEEP, lab.of(SWEEP_GAMES, 4))
    say_swept(lab, found)
    lab.report.say(f"{SWEEP_PUBLISHED} {slightly(wilson(found[1].share, found[1].n_games))}")


def slightly(of_one: tuple[float, float]) -> str:
    """The sentence on how much better one play-out of each ply is than random plies.

    >>> slightly((0.67, 0.89))
    'With N = 1 our interval, 67–89 %, excludes an even match; the report prints no figure.'
    """
    what = "excludes" if of_one[0] > 1 / 2 else "holds"
    return f"With N = 1 our interval, {_range(of_one)}, {what} an even match; the report prints no figure."


def table(lab: Lab) -> None:
    """The report's players against MCS(100)."""
    lab.report.head("Against MCS(100)")
    rows, words = [], []
    scores: list[tuple[Pairing, Score]] = []
    for pairing in PAIRINGS:
        n_games = lab.games_of(pairing.games, pairing.of, 2)
        file = pairing.name.partition(",")[0].replace(" ", "-") + f"-{PAIRINGS.index(pairing)}"
        score = run_pair(lab, file, (f"it: {pairing.agent}", f"mcs: {MCS}"), n_games, pairing.of)
        published = wilson(pairing.wins / pairing.of, pairing.of)
        ours = wilson(score.share, score.n_games)
        shown = [f"{pairing.wins} / {pairing.of}", _range(published)]
        rows.append([pairing.name, *shown, f"{score.won} / {score.n_games}", _range(ours)])
        words.append(f"{pairing.name}: {_compared(published, ours)}")
        scores.append((pairing, score))
    lab.report.table(["player", "wins published", "95 %", "wins here", "95 %"], rows)
    lab.report.say(
        "Intervals are Wilson's. Where they do not overlap, the share here is above or below: "
        + "; ".join(words)
        + "."
    )
    for sentence in reasons(scores):
        lab.report.say(sentence)
    lab.report.say(
        "Progressive is N ← N + the number of legal plies before each own turn, from 100, without a bound. "
        "K of the mix is not stated; 10 is our choice. Each player began half of the games, on an empty grid "
        f"of side {lab.of(5, 3)}."
    )


def reasons(scores: Sequence[tuple[Pairing, Score]]) -> list[str]:
    """Sentences on the published shares that our intervals exclude, one for each likely reason."""
    by_reason: dict[str, list[Held]] = {}
    for pairing, score in scores:
        low, high = wilson(score.share, score.n_games)
        held = Held(pairing.name, 100 * pairing.wins / pairing.of, 100 * low, 100 * high, digits=0)
        by_reason.setdefault(pairing.likely, []).append(held)
    return [
        excluded("share in percent", figures, likely)
        for likely, figures in by_reason.items()
        if any(figure.is_excluded for figure in figures)
    ]


def _range(interval: tuple[float, float]) -> str:
    return f"{100 * interval[0]:.0f}–{100 * interval[1]:.0f} %"


def in_percent(score: Score) -> tuple[str, str]:
    """Its share, and Wilson's interval of that."""
    return f"{100 * score.share:.0f} %", _range(wilson(score.share, score.n_games))


def _compared(published: tuple[float, float], ours: tuple[float, float]) -> str:
    """The words that compare our interval with the published one.

    >>> _compared((0.65, 0.78), (0.8, 1.0)), _compared((0.65, 0.78), (0.7, 0.9))
    ('above the published share', 'not told apart from the published share by so few games')
    """
    if ours[0] > published[1]:
        return "above the published share"
    if ours[1] < published[0]:
        return "below the published share"
    return "not told apart from the published share by so few games"


def run(lab: Lab) -> None:
    """All of it."""
    draws(lab)
    first_turn(lab)
    table(lab)
    sweep(lab)
