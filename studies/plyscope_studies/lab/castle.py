"""Castle: the formula of a ranked one-ply AI by its worked examples, how many plays it ranks, how fast.

The source states the formula, the potentials and "in the region of 20,000+" plays at the start. Its plan and
its tiles are not public: those here are ours, so numbers of plays can only be of the same size.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import mean, median
from typing import Final, NamedTuple

from plyscope.visualizer.cli.play.tuning_charts import curve, level
from plyscope_studies.castle.chances import Replies
from plyscope_studies.castle.game import deal, read_rules
from plyscope_studies.castle.playing import turns
from plyscope_studies.castle.ranking import FACTORS, rank_of
from plyscope_studies.lab.lab import Lab

POTENTIALS: Final = {
    "garden": 100,
    "fireplace": 90,
    "round table": 50,
    "goblet": 50,
    "Excalibur": 50,
    "chapel": 40,
    "dragon banner": 40,
    "throne": 40,
    "scriptorium": 30,
    "Uther Pendragon": 30,
    "small halls": 20,
    "3-point corner": 15,
    "2-point corner": 10,
    "great-hall corner": 10,
    "great-hall wall": 10,
    "gates": 10,
    "inside wall corner": 5,
    "blank ground": 5,
    "blank wall": 0,
    "1-point wall": 0,
}
"""The published potential of each kind of tile."""
PUBLISHED_PLAYS: Final = 20_000
LIMIT: Final = 0.2
"""Seconds that a turn may take, so that the game does not stop."""
PLAYERS: Final = 4


class Example(NamedTuple):
    """The eight values of the formula, the percent of the board that is laid, and the rank that they give."""

    what: str
    values: tuple[float, ...]
    completion: float
    rank: float

    def here(self) -> float:
        """The rank by the program."""
        tile, beside, double, potential, *others = self.values
        faded = potential * (1 - self.completion / 100)
        return float(rank_of([tile, beside, double, faded, *others]))


EXAMPLES: Final = (
    Example("two tiles", (4, 3, 0, 50, 2, 1, 0, 3), 50, 30),
    Example("three end to end", (4, 3, 7, 50, 2, 1, 0, 3), 50, 730),
    Example("two tiles at the start", (4, 3, 0, 50, 2, 1, 0, 3), 0, -1470),
    Example("a garden alone at the start", (0, 0, 0, 100, 0, 0, 0, 0), 0, -6000),
    Example("a garden alone near the end", (0, 0, 0, 100, 0, 0, 0, 0), 90, -600),
)


class Turn(NamedTuple):
    """A turn of a game: how many plays were ranked, how many left out, and the seconds of the processor."""

    n_plays: int
    n_outside: int
    scope: str
    seconds: float


def run(lab: Lab) -> None:
    """All of it."""
    say_examples(lab)
    say_potentials(lab)
    games = []
    n_games = lab.of(40, 2)
    for number in range(n_games):
        lab.tell(f"game {number + 1} of {n_games}")
        games.append([*played(lab.seed + number)])
    say_turns(lab, games)


def played(seed: int, replies: Replies = "single") -> Iterator[Turn]:
    """The turns of a game in which every player takes the play of the best rank."""
    for each in turns(deal(read_rules(), PLAYERS, seed), replies=replies):
        ranked = each.ranked
        yield Turn(len(ranked.ranks), ranked.n_outside, ranked.scope, each.seconds)


def say_examples(lab: Lab) -> None:
    """The worked examples, published and here."""
    lab.report.head("The formula")
    weights = zip(FACTORS.values(), ("T", "A", "D", "P", "O1", "O2", "O3", "B"), strict=True)
    terms = " ".join(f"{'+' if weight > 0 else '−'} {abs(weight):g} {letter}" for weight, letter in weights)
    lab.report.say(
        f"rank = {terms.removeprefix('+ ')}, where P fades with the board that is laid: "
        "P (1 − completion / 100). [docs/castle.md](../castle.md) has the letters and the readings."
    )
    rows = [
        [each.what, *(f"{value:g}" for value in (*each.values, each.completion, each.rank, each.here()))]
        for each in EXAMPLES
    ]
    columns = ["play", "T", "A", "D", "P", "O1", "O2", "O3", "B", "completion", "rank, by hand", "here"]
    lab.report.table(columns, rows)


def say_potentials(lab: Lab) -> None:
    """The published potentials beside those of the tiles."""
    lab.report.head("Potentials")
    kinds = {kind.name: kind for kind in read_rules().kinds}
    lab.report.table(
        ["tile", "potential, published", "here", "points", "of them"],
        [
            [name, str(published), f"{kind.potential:g}", f"{kind.points:g}", str(kind.count)]
            for name, published in POTENTIALS.items()
            for kind in (kinds[name],)
        ],
    )
    lab.report.say("Points and numbers of the tiles are ours, like the plan: the game's are not public.")


def say_turns(lab: Lab, games: Sequence[Sequence[Turn]]) -> None:
    """Report the number of plays at the start and by turn, and the time of a turn."""
    report = lab.report
    report.head("Plays and time of a turn")
    starts = [game[0] for game in games]
    full = [next(played(lab.seed + number, "full")).seconds for number in range(len(games))]
    turns = [turn for game in games for turn in game]
    slowest = max(turns, key=lambda turn: turn.seconds)
    plays, first = [each.n_plays for each in starts], median(each.seconds for each in starts)
    of_any = median(each.seconds for each in turns)
    region = f"{min(plays):,} to {max(plays):,}, median {median(plays):,.0f}"
    of_full = f"median {_ms(median(full))}, slowest {_ms(max(full))}"
    of_all = f"median {_ms(of_any)}, slowest {_ms(slowest.seconds)} ({slowest.n_plays:,} plays)"
    rows = [
        ["plays at the start", f"in the region of {PUBLISHED_PLAYS:,}+", region],
        ["time of the first turn", "must not stop the game", f"median {_ms(first)}"],
        ["of it with plays of three tiles for O1, O2, O3", "", of_full],
        ["time of any turn", f"at most {_ms(LIMIT)} (our limit)", of_all],
    ]
    report.table(["figure", "published", "here"], rows)
    n_below = sum(each < PUBLISHED_PLAYS for each in plays)
    why = " Likely reason: another plan and other tiles, which are ours, and other deals." if n_below else ""
    report.say(f"{n_below} of {len(starts)} games begin with fewer plays than published.{why}")
    by_turn = [
        {"turn": number, "plays": mean(at), "fewest": min(at), "most": max(at)}
        for number in range(max(map(len, games)))
        if (at := [game[number].n_plays for game in games if number < len(game)])
    ]
    chart = curve(by_turn, x="turn", y="plays", low="fewest", high="most")
    report.chart(
        "plays",
        f"Plays that are ranked, by turn: mean, fewest and most of {len(games)} games",
        level(chart, PUBLISHED_PLAYS, f"published: {PUBLISHED_PLAYS:,}+"),
    )
    near = [turn for turn in turns if turn.scope == "neighbours"]
    ranked, outside = sum(turn.n_plays for turn in near), sum(turn.n_outside for turn in near)
    report.say(
        f"{len(games)} games of {PLAYERS} players who all take the best rank, deals {lab.seed} to "
        f"{lab.seed + len(games) - 1}, {len(turns):,} turns. In {len(near):,} of them, with 40 to 95 % of "
        "the board left, only plays beside a lying tile were ranked: "
        f"{outside / max(1, ranked + outside):.0%} of the plays there were left out. "
        "Times are the processor's."
    )


def _ms(seconds: float) -> str:
    return f"{1000 * seconds:.0f} ms"
