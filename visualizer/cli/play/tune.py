"""`plyscope tune`: weights found by playing."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from plyscope.engine.quoting import counted
from plyscope.status import StatusLine
from plyscope.visualizer.cli.play.game import position_option
from plyscope.visualizer.cli.terminal import ANY_FILE, ANY_FOLDER, json_option, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plyscope.engine.match.agents import Agent
    from plyscope.engine.match.score import Score
    from plyscope.engine.tuning.tuning import Trial, Tuning

OWN: Final = "own"
MOST_PLIES: Final = 100


@click.command()
@click.argument("game")
@position_option
@click.option(
    "--evaluation",
    "--parts",
    default=OWN,
    show_default=True,
    metavar="NAME",
    help="Whose weights: the game's own, or another evaluation's, such as Hive's study-3.",
)
@click.option(
    "--against",
    default="random",
    show_default=True,
    metavar="PLAYER",
    help="random, a search as in `plyscope match`, or FILE.json of an earlier tuning: its best weights.",
)
@click.option("--trials", type=click.IntRange(1), default=100, show_default=True)
@click.option(
    "--games", type=click.IntRange(2), default=20, show_default=True, help="Games of a trial; even."
)
@click.option("--depth", type=click.IntRange(1), help="Plies to look ahead.  [default: 2]")
@click.option("--limit", type=click.IntRange(1, 65_535), help="Keep so many plies a node.")
@click.option("--nodes", type=click.IntRange(1), help="Nodes a move; deepens until they are used up.")
@click.option("--seconds", type=click.FloatRange(0, min_open=True), help="Seconds a move, likewise.")
@click.option("--most", type=click.FloatRange(0, min_open=True), help="The greatest weight of each.")
@click.option("--opening", type=click.IntRange(0), default=6, show_default=True, help="Plies at random.")
@click.option(
    "--plies", type=click.IntRange(1), default=MOST_PLIES, show_default=True, help="Then a game is a draw."
)
@click.option(
    "--fresh", type=click.IntRange(0), default=400, show_default=True, help="Games that the best plays again."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True)
@click.option("--workers", type=click.IntRange(1), help="Trials at once; by default all cores.")
@click.option("--storage", metavar="FILE|URL", help="Keep the trials: Optuna's journal, or a database.")
@click.option("--resume", is_flag=True, help="Go on with the trials of the storage.")
@click.option("--keep-games", type=ANY_FOLDER, help="Write the games of each trial into this folder.")
@click.option("--charts", type=ANY_FOLDER, help="Draw the trials into this folder, as SVG.")
@click.option("-o", "--output", type=ANY_FILE, help="Write the history, as JSON.")
@json_option
def tune(
    game: str, position: str | None, output: Path | None, charts: Path | None, as_json: bool, **asked: Any
) -> None:
    """Find weights for GAME's evaluation by playing: each trial is a match of one set of weights.

    Needs Optuna, the extra `lab`. The best of many trials was lucky too: it plays fresh games at the end, and
    both figures are told.
    """
    from plyscope.engine.match.workers import workers_of_machine
    from plyscope.engine.tuning.trials import importances, replayed
    from plyscope.engine.tuning.trials import tune as run_trials
    from plyscope.engine.tuning.tuning import best_of
    from plyscope.searching import interrupts

    tuning = tuning_of(game, position, asked)
    n_workers, keep = asked["workers"] or workers_of_machine(), asked["keep_games"]
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
    with StatusLine(tells_waits=True) as status, interrupts() as is_interrupted:
        status.show(f"{counted(asked['trials'], 'trial')} of {counted(tuning.n_games, 'game')} …")

        def told(trials: Sequence[Trial]) -> None:
            best = best_of(trials)
            status.show(
                f"{len(trials)} of {asked['trials']} trials; best {best.value:.1%} (trial {best.number})"
            )

        trials = run_trials(
            tuning,
            asked["trials"],
            asked["storage"],
            n_workers=n_workers,
            games=keep,
            resume=asked["resume"],
            on_trials=told,
            should_stop=is_interrupted,
        )
        again = None
        if trials and asked["fresh"] and not is_interrupted():
            status.show(f"the best of them plays {counted(asked['fresh'], 'fresh game')} …")
            again = replayed(tuning, best_of(trials), asked["fresh"], n_workers=n_workers, games=keep)
    if not trials:
        click.echo("no trial was finished")
        return
    matters = importances(tuning, trials)
    history = history_of(tuning, trials, again, matters, _kept(keep, output))
    if output is not None or as_json:
        import orjson

        if output is not None:
            output.write_bytes(orjson.dumps(history, option=orjson.OPT_INDENT_2) + b"\n")
        if as_json:
            print_json(history)
    if charts is not None:
        draw(trials, charts)
    if not as_json:
        for line in lines(tuning, trials, again, matters):
            click.echo(line)


def tuning_of(game: str, position: str | None, asked: dict[str, Any]) -> Tuning:
    """The tuning that the options ask for. Raises MatchError, OptionError."""
    from plyscope.engine.games import load_game
    from plyscope.engine.match.games import Terms
    from plyscope.engine.tuning.tuning import Tuning

    search = {name: asked[name] for name in ("depth", "limit", "nodes", "seconds") if asked[name] is not None}
    if not search.keys() & {"depth", "nodes", "seconds"}:
        search["depth"] = 2
    if hasattr(load_game(game), "chances"):
        search["algorithm"] = "expectimax"
    own = dict(search)
    if asked["evaluation"] != OWN:
        search["evaluation"] = asked["evaluation"]
    terms = Terms(n_opening=asked["opening"], most_plies=asked["plies"], seed=asked["seed"])
    opponent = opponent_of(asked["against"], own)
    tuning = Tuning(game, search, opponent, asked["games"], terms, asked["most"], position)
    weights = {name: high or low for name, (low, high) in tuning.ranges().items()}
    for n_games in (None, asked["fresh"] or None):
        tuning.match(weights, 0, n_games)
    return tuning


def opponent_of(text: str, search: dict[str, Any]) -> Agent:
    """The opponent; the best of a file searches as the tuned player does. Raises MatchError, OSError."""
    from plyscope.engine.match.agents import agent_of, read_agent
    from plyscope.engine.tuning.history import read_history

    if not text.endswith(".json"):
        return read_agent(text)
    file = Path(text)
    history = read_history(file)
    judged = {} if history.evaluation is None else {"evaluation": history.evaluation}
    best = next(trial for trial in history.trials if trial.number == history.best)
    return agent_of(f"the best of {file.name}", {**search, **judged, "weights": best.weights})


def history_of(
    tuning: Tuning,
    trials: Sequence[Trial],
    again: Score | None,
    matters: dict[str, float],
    kept: str | None = None,
) -> dict[str, Any]:
    """The history for machines; `plyscope tune --against FILE.json` reads its best.

    `kept` is the folder of the trials' games as the history names it.
    """
    from plyscope.engine.match.score import wilson
    from plyscope.engine.tuning.trials import games_name
    from plyscope.engine.tuning.tuning import best_of

    def with_games(row: dict[str, Any], *, fresh: bool = False) -> dict[str, Any]:
        if kept is None:
            return row
        return {
            **row,
            "games_file": f"{kept}/{games_name(best.number if fresh else row['trial'], fresh=fresh)}",
        }

    best = best_of(trials)
    fresh = None
    if again is not None:
        played = {
            "games": again.n_games,
            "won": again.won,
            "drawn": again.drawn,
            "lost": again.lost,
            "by_fault": again.by_fault,
            "value": again.share,
            "of_95": list(wilson(again.share, again.n_games)),
        }
        fresh = with_games(played, fresh=True)
    return {
        "tuning": tuning.as_json(),
        "trials": [with_games(trial.as_json()) for trial in trials],
        "best": with_games(best.as_json()),
        "best_in_fresh_games": fresh,
        "importances": matters,
    }


def lines(
    tuning: Tuning, trials: Sequence[Trial], again: Score | None, matters: dict[str, float]
) -> list[str]:
    """The result as people read it."""
    from plyscope.engine.match.score import wilson
    from plyscope.engine.tuning.tuning import best_of
    from plyscope.visualizer.analysis.results.text import part_by_fault

    best = best_of(trials)
    scores = [trial.score for trial in trials] + ([] if again is None else [again])
    width = max(map(len, best.weights))
    table = [f"{'':{width}}   weight  importance"]
    for name, weight in best.weights.items():
        share = f"{matters[name]:10.0%}" if name in matters else "         -"
        table.append(f"{name:{width}} {weight:8.3f}  {share}")
    said = [
        f"{tuning.game}: {counted(len(trials), 'trial')} of {counted(tuning.n_games, 'game')} "
        f"against {tuning.against.name}",
        *([] if tuning.against.rounding is None else [tuning.against.rounding]),
        *part_by_fault(sum(score.by_fault for score in scores), sum(score.n_games for score in scores)),
        "",
        *table,
        "",
        f"Trial {best.number} took {best.value:.1%} of the points of its {best.score.n_games} games.",
    ]
    luck = f"the best of {len(trials)} trials is partly luck" if len(trials) > 1 else ""
    if again is None:
        said += [f"Its weights played no fresh games: {luck}."] if luck else []
    else:
        low, high = wilson(again.share, again.n_games)
        why = f": {luck}" if luck and again.share < best.value else ""
        share = f"{again.share:.1%} of the points (95 % interval: {low:.1%} to {high:.1%})"
        said.append(f"In {counted(again.n_games, 'fresh game')} its weights took {share}{why}.")
    given = ",".join(f"{name}={weight:.3f}" for name, weight in best.weights.items())
    return [*said, f"--weights {given}"]


def draw(trials: Sequence[Trial], folder: Path) -> None:
    """Both pictures of the trials, as SVG. Raises OSError."""
    from plyscope.visualizer.cli.play.tuning_charts import svg_of, value_chart, weights_chart

    folder.mkdir(parents=True, exist_ok=True)
    (folder / "value.svg").write_text(svg_of(value_chart(trials)), "utf-8")
    (folder / "weights.svg").write_text(svg_of(weights_chart(trials)), "utf-8")


def _kept(folder: Path | None, output: Path | None) -> str | None:
    """The folder of the games as a history names it: from where the history is."""
    if folder is None:
        return None
    return Path(os.path.relpath(folder, "." if output is None else output.parent)).as_posix()
