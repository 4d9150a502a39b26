"""What a match came to, as a table and as JSON, and how far it is while it is played."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from plyscope.status import StatusLine, counted

if TYPE_CHECKING:
    from plyscope.engine.match.game_logs import WantedLogs
    from plyscope.engine.match.games import Played, Terms
    from plyscope.engine.match.runner import Match
    from plyscope.engine.match.standing import Standing

MOST_FAULTS: Final = 8
"""Faults that are said in words; the file of games and `--json` have all."""
MOST_CROSSED: Final = 12
"""Players up to which everybody's points against everybody are a table."""

Option = Callable[[Any], Any]


def match_options(command: Any) -> Any:
    """Options of every command that has games played."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


_OPTIONS: Final[tuple[Option, ...]] = (
    click.option("--games", type=click.IntRange(2), help="Games of each pair; an even number."),
    click.option(
        "--opening", type=click.IntRange(0), help="Plies drawn at random before the players choose."
    ),
    click.option("--plies", type=click.IntRange(1), help="A game of so many plies is a draw."),
    click.option("--adjudicate", metavar="WAY", help="Decide such a game instead; in Hive by `ring`."),
    click.option("--seed", type=click.IntRange(0), help="All that is drawn follows from it."),
    click.option("--workers", type=click.IntRange(1), help="Processes that play; by default all cores."),
    click.option(
        "-o",
        "--output",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write each game as it ends, and go on there after a kill.",
    ),
    click.option(
        "--log",
        metavar="losses|all|NAME",
        help="Log the searches of whoever lost, of all, or of one player; of games played before too.",
    ),
    click.option(
        "--logs",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="FOLDER",
        help="Where logs go; by default beside the games, GAMES-logs.",
    ),
)


def terms_of(asked: Mapping[str, Any]) -> Terms:
    """The terms that the options of `match_options` state."""
    from plyscope.engine.match.games import Terms

    names = {"opening": "n_opening", "plies": "most_plies", "seed": "seed", "adjudicate": "adjudicate"}
    return Terms(**{ours: asked[name] for name, ours in names.items() if asked.get(name) is not None})


def logs_of(asked: Mapping[str, Any], match: Match, output: Path | None) -> WantedLogs | None:
    """The logs that `--log` and `--logs` ask for, their folder made. Raises MatchError, LogError."""
    from plyscope.engine.match.errors import MatchError
    from plyscope.engine.match.game_logs import WantedLogs
    from plyscope.visualizer.formats.match_logs import MatchLogs

    if asked.get("log") is None:
        if asked.get("logs") is not None:
            raise MatchError("logs: a folder for logs, but which? add --log losses, all or a player's name")
        return None
    folder = asked.get("logs")
    writer = MatchLogs.beside(output, None if folder is None else Path(folder))
    wanted = WantedLogs(asked["log"], writer)
    wanted.check(match.agents)
    writer.prepare(match.as_json())
    return wanted


@contextmanager
def finished(logs: WantedLogs | None) -> Iterator[None]:
    """Have the folder of logs cleared of what is unfinished, however the match ends."""
    try:
        yield
    finally:
        if logs is not None:
            logs.writer.finish()


def play_shown(
    match: Match,
    output: Path | None,
    asked: Mapping[str, Any],
    is_decided: Callable[[Sequence[Played]], bool] = lambda played: False,
) -> list[Played]:
    """Play a match and show how far it is, until its end, until it `is_decided`, or until Ctrl+C.

    `asked` has the options of `match_options`. What is to be said of logs is said on standard error.
    """
    from plyscope.engine.match.runner import run, workers_of_machine
    from plyscope.engine.match.standing import standing_of
    from plyscope.searching import interrupts

    logs = logs_of(asked, match, output)
    names = [agent.name for agent in match.agents]
    n_games = match.n_games * len(names) * (len(names) - 1) // 2
    with StatusLine(tells_waits=True) as status, interrupts() as is_interrupted, finished(logs):
        status.show(f"playing {counted(n_games, 'game')} of {match.game} …")

        def told(played: Sequence[Played]) -> None:
            leader = standing_of(names, played).order()[0]
            status.show(f"{len(played)} of {n_games} games; {names[leader]} is ahead")

        played = run(
            match,
            output,
            n_workers=asked.get("workers") or workers_of_machine(),
            on_games=told,
            should_stop=lambda played: is_interrupted(),
            is_decided=is_decided,
            logs=logs,
        )
    if logs is not None:
        for line in said_of_logs(match, logs, played):
            click.echo(f"plyscope: {line}", err=True)
    return played


def said_of_logs(match: Match, logs: WantedLogs, games: Sequence[Played]) -> list[str]:
    """Where the logs are, and why some are missing."""
    n_logs = sum(logs.writer.has(path) for game in games for paths in game.logs.values() for path in paths)
    said = [f"{counted(n_logs, 'log')} in {logs.writer.place}: `plyscope view {logs.writer.place}`"]
    said += logs.without(match.agents)
    for agent, n_games in logs.too_late(match.agents, games).items():
        said.append(
            f"{counted(n_games, 'game')} of {agent} had been played by seconds and not recorded, "
            "and cannot be logged any more."
        )
    missing = [(game, agent, why) for game in games for agent, why in game.no_logs.items()]
    said += [f"game {game.number}: {agent} has no logs: {why}." for game, agent, why in missing[:MOST_FAULTS]]
    if len(missing) > MOST_FAULTS:
        said.append(f"{len(missing) - MOST_FAULTS:,} more games have no logs; the file of games says why.")
    return said


def lines(match: Match, standing: Standing, games: Sequence[Played]) -> list[str]:
    """The standing as a table, the strongest first."""
    from plyscope.engine.match.score import wilson

    terms = match.terms
    ending = "a draw" if terms.adjudicate is None else f"adjudicated by {terms.adjudicate}"
    head = (
        f"{match.game}: {counted(len(games), 'game')}, {_opening(terms.n_opening)}, "
        f"{ending} after {terms.most_plies}, seed {terms.seed}"
    )
    width = max(len(name) for name in standing.names)
    table = [f"{'':{width}}   won drawn  lost  points    of 95 %       Elo    of 95 %          a win takes"]
    for agent in standing.order():
        score = standing.total(agent)
        low, high = wilson(score.share, score.n_games)
        rating, ends = standing.likely.ratings[agent], _ends(standing, agent)
        takes = f"{standing.plies_of_wins[agent]:.1f} plies" if agent in standing.plies_of_wins else "-"
        counts = f"{score.won:5} {score.drawn:5} {score.lost:5}"
        table.append(
            f"{standing.names[agent]:{width}} {counts}  {_percent(score.share)}  {_percent(low)} to "
            f"{_percent(high)}  {rating:5.0f}  {ends[0]:>5} to {ends[1]:<5}  {takes:>12}"
        )
    crossed = _crossed(standing, width) if 2 < len(standing.names) <= MOST_CROSSED else []
    ring = [
        " beats ".join(standing.names[at] for at in (*cycle, cycle[0])) + ", each by more than chance"
        for cycle in standing.cycles()
    ]
    parts = (crossed, ["", *ring] if ring else [], _faults(standing, games), _warned(standing))
    return [head, "", *table, *itertools.chain(*parts)]


def _faults(standing: Standing, games: Sequence[Played]) -> list[str]:
    """Games that were lost by what a player did wrong: the most frequent ones in words, the rest counted."""
    from plyscope.engine.match.standing import faults_of

    found = sorted(faults_of(games), key=lambda fault: -fault[2])
    if not found:
        return []
    shown = [
        f"{standing.names[agent]} lost {counted(n_games, 'game')} by a fault: it {fault}."
        for agent, fault, n_games in found[:MOST_FAULTS]
    ]
    left = sum(n_games for _, _, n_games in found[MOST_FAULTS:])
    more = (
        [f"{counted(left, 'more game')} {'was' if left == 1 else 'were'} lost by other faults."]
        if left
        else []
    )
    return ["", *shown, *more]


def _opening(n_plies: int) -> str:
    if n_plies == 0:
        return "all from the start"
    return f"the first {n_plies} plies at random" if n_plies > 1 else "the first ply at random"


def _warned(standing: Standing) -> list[str]:
    return ["", *(f"{warning}." for warning in standing.likely.warnings)] if standing.likely.warnings else []


def _percent(share: float) -> str:
    return "   -  " if share != share else f"{100 * share:5.1f}%"


def _ends(standing: Standing, agent: int) -> tuple[str, str]:
    found = standing.likely.low[agent], standing.likely.high[agent]
    low, high = (f"{end:.0f}" if abs(end) < float("inf") else "?" for end in found)
    return low, high


def _crossed(standing: Standing, width: int) -> list[str]:
    """Points of each against each, in the order of strength."""
    order = standing.order()
    head = f"{'':{width}}  " + " ".join(f"{standing.names[other][:9]:>9}" for other in order)
    rows = []
    for one in order:
        cells = [f"{'-':>9}" if one == other else f"{_points(standing, one, other):>9}" for other in order]
        rows.append(f"{standing.names[one]:{width}}  " + " ".join(cells))
    return ["", head, *rows]


def _points(standing: Standing, one: int, other: int) -> str:
    score = standing.against[one, other]
    return f"{score.points:g}/{score.n_games}"


def as_json(match: Match, standing: Standing, games: Sequence[Played]) -> dict[str, Any]:
    """The same for machines."""
    from plyscope.engine.match.score import wilson
    from plyscope.engine.match.standing import faults_of
    from plyscope.visualizer.analysis.node_json import number

    agents = []
    for agent, name in enumerate(standing.names):
        score = standing.total(agent)
        agents.append(
            {
                "name": name,
                "won": score.won,
                "drawn": score.drawn,
                "lost": score.lost,
                "share": number(score.share),
                "share_of_95": list(wilson(score.share, score.n_games)),
                "elo": float(standing.likely.ratings[agent]),
                "elo_of_95": [
                    number(float(standing.likely.low[agent])),
                    number(float(standing.likely.high[agent])),
                ],
                "elo_in_sequence": float(standing.sequential.ratings[agent]),
                "spread_of_sequences": float(standing.sequential.spread[agent]),
                "plies_of_a_win": standing.plies_of_wins.get(agent),
                "against": {
                    standing.names[other]: {"won": met.won, "drawn": met.drawn, "lost": met.lost}
                    for (one, other), met in standing.against.items()
                    if one == agent
                },
            }
        )
    return {
        "match": match.as_json(),
        "games": len(games),
        "agents": agents,
        "order": [standing.names[agent] for agent in standing.order()],
        "cycles": [[standing.names[at] for at in cycle] for cycle in standing.cycles()],
        "faults": [
            {"agent": standing.names[agent], "fault": fault, "games": n_games}
            for agent, fault, n_games in faults_of(games)
        ],
        "warnings": list(standing.likely.warnings),
    }
