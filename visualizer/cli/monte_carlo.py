"""Monte Carlo tree search on the command line: its options, apart from alpha-beta's, and its report."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from plyscope.status import counted

if TYPE_CHECKING:
    from plyscope.engine.montecarlo.options import MonteCarloOptions
    from plyscope.engine.record.recording import Recording

Command = TypeVar("Command", bound=Callable[..., Any])

MCTS: Final = "mcts"
SHARED: Final = ("algorithm", "position", "seconds", "seed", "evaluation", "weights")
"""Options of both families."""
ON_OUTPUT: Final = ("output", "view", "no_browser", "as_json", "help")


def read_urgency(context: click.Context, parameter: click.Parameter, value: str | None) -> float | str | None:
    """Read a number, or the word that asks for the evaluation."""
    from plyscope.engine.montecarlo.options import HEURISTIC

    if value is None or value == HEURISTIC:
        return value
    try:
        return float(value)
    except ValueError:
        raise click.BadParameter(f"{value!r} is no number and not {HEURISTIC!r}.") from None


_OPTIONS: Final = (
    click.option(
        "--playouts",
        type=click.IntRange(1),
        metavar="N",
        help="Play-outs to make; 1,000 if neither they nor --seconds are given.",
    ),
    click.option(
        "--select",
        type=click.Choice(["ucb1", "plain"]),
        default="ucb1",
        show_default=True,
        help="Choose children by UCB1, or uniformly at random.",
    ),
    click.option(
        "--c",
        type=click.FloatRange(0),
        default=1.4,
        show_default=True,
        help="Constant of UCB1 exploration.",
    ),
    click.option(
        "--fpu",
        metavar="U|heuristic",
        callback=read_urgency,
        help="First-play urgency: a child without visits counts U and need not come first; heuristic: of "
        "those without visits the one of the best evaluation comes first.",
    ),
    click.option(
        "--guide",
        type=click.Choice(["ring"]),
        help="Draw the plies of play-outs by the tiles around the queens after them (Hive).",
    ),
    click.option(
        "--guide-power",
        type=click.FloatRange(0, 100),
        default=1.0,
        show_default=True,
        help="How strongly the guide counts; 0 makes all plies alike.",
    ),
    click.option(
        "--turn-limit",
        type=click.IntRange(1),
        default=100,
        show_default=True,
        metavar="N",
        help="End a play-out after N plies, as a draw.",
    ),
    click.option(
        "--choose",
        type=click.Choice(["visits", "mean"]),
        default="visits",
        show_default=True,
        help="Play the ply with the most visits, or the best mean.",
    ),
    click.option(
        "--log-visits",
        type=click.IntRange(1),
        default=1,
        show_default=True,
        metavar="N",
        help="Log children with fewer visits as one row.",
    ),
)

NAMES: Final = (
    "playouts",
    "select",
    "c",
    "fpu",
    "guide",
    "guide_power",
    "turn_limit",
    "choose",
    "log_visits",
)
"""The options of Monte Carlo tree search alone."""


def monte_carlo_options(command: Command) -> Command:
    """Give a command the options of Monte Carlo tree search."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


class GroupedCommand(click.Command):
    """A command whose help lists the options of both searches apart."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options by what they are of."""
        shared: list[tuple[str, str]] = []
        alpha_beta: list[tuple[str, str]] = []
        monte_carlo: list[tuple[str, str]] = []
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is None:
                continue
            is_shared = parameter.name in (*SHARED, *ON_OUTPUT)
            section = shared if is_shared else monte_carlo if parameter.name in NAMES else alpha_beta
            section.append(record)
        for title, records in (
            ("Options", shared),
            ("Of minimax, alphabeta and pvs", alpha_beta),
            ("Of mcts (Monte Carlo tree search)", monte_carlo),
        ):
            with formatter.section(title):
                formatter.write_dl(records)


def of_one_family(asked: Mapping[str, Any], given: Collection[str]) -> dict[str, Any]:
    """Return the options of the algorithm that is asked for; raises UsageError for one `given` of the other.

    >>> of_one_family({"algorithm": "mcts", "c": 1.0, "depth": 4}, ["c"])
    {'algorithm': 'mcts', 'c': 1.0}
    """
    is_tree = asked["algorithm"] == MCTS
    for name in given:
        if name in SHARED or (name in NAMES) == is_tree:
            continue
        option = f"--{name.replace('_', '-')}"
        if is_tree:
            raise click.UsageError(f"{option} is no option of mcts; --playouts or --seconds end it.")
        raise click.UsageError(f"{option} is an option of Monte Carlo tree search; add --algorithm mcts.")
    return {name: value for name, value in asked.items() if name in SHARED or (name in NAMES) == is_tree}


def tree_options(asked: dict[str, Any], weights: Mapping[str, float], *, record: bool) -> MonteCarloOptions:
    """The engine's options from the command line's; raises OptionError."""
    from plyscope.engine.montecarlo.options import MonteCarloOptions

    options = {name: value for name, value in asked.items() if name not in ("algorithm", "weights")}
    return MonteCarloOptions(**options, weights=weights, record=record)


def tree_lines(recording: Recording) -> list[str]:
    """The chosen ply and what it took, in lines."""
    from plyscope.engine.game import ONGOING

    result = recording.header["result"]
    if recording.ply is None or recording.score is None:
        over = recording.game.status(recording.state) != ONGOING
        why = "the game is over in this position" if over else "the search was stopped before a play-out"
        lines = [f"no ply: {why}"]
    else:
        line = result["pv"]
        shown = f"  ({' > '.join(line)})" if len(line) > 1 else ""
        lines = [
            f"{recording.ply}  mean {percent(recording.score)}, {counted(result['visits'], 'visit')}{shown}"
        ]
    seconds = result["seconds"]
    rate = f", {result['playouts'] / seconds:,.0f} play-outs/s" if seconds > 0 else ""
    cut = result["cut_short"]
    ended = f"; the turn limit ended {cut:,}" if cut else ""
    lines.append(
        f"{counted(result['playouts'], 'play-out')} in {seconds:.2f} s{rate}{ended}; "
        f"deepest level {result['max_level']}"
    )
    return lines


def percent(mean: float) -> str:
    """A win rate in per cent.

    >>> percent(0.61951)
    '62.0 %'
    """
    return f"{100 * mean:.1f} %"
