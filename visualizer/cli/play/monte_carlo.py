"""Best-first searches on the command line: options apart from alpha-beta's, and reports."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Final

import click

from plyscope.engine.quoting import counted
from plyscope.visualizer.cli.terminal import options

if TYPE_CHECKING:
    from plyscope.engine.algorithms import Options
    from plyscope.engine.record.recording import Recording

MCTS: Final = "mcts"
SHARED: Final = ("algorithm", "option", "position", "seconds", "seed", "evaluation", "weights")
"""Options of all families."""
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


_TREE: Final[dict[str, dict[str, Any]]] = {
    "playouts": {
        "type": click.IntRange(1),
        "metavar": "N",
        "help": "Play-outs to make; 1,000 if neither they nor --seconds are given.",
    },
    "select": {
        "type": click.Choice(["ucb1", "plain"]),
        "default": "ucb1",
        "help": "Choose children by UCB1, or uniformly at random.",
    },
    "c": {"type": click.FloatRange(0), "default": 1.4, "help": "Constant of UCB1 exploration."},
    "fpu": {
        "metavar": "U|heuristic",
        "callback": read_urgency,
        "help": "First-play urgency: a child without visits counts U and need not come first; heuristic: of "
        "those without visits the one of the best evaluation comes first.",
    },
    "guide": {
        "type": click.Choice(["ring"]),
        "help": "Draw the plies of play-outs by the tiles around the queens after them (Hive).",
    },
    "guide_power": {
        "type": click.FloatRange(0, 100),
        "default": 1.0,
        "help": "How strongly the guide counts; 0 makes all plies alike.",
    },
    "turn_limit": {
        "type": click.IntRange(1),
        "default": 100,
        "metavar": "N",
        "help": "End a play-out after N plies, as a draw.",
    },
    "choose": {
        "type": click.Choice(["visits", "mean"]),
        "default": "visits",
        "help": "Play the ply with the most visits, or the best mean.",
    },
    "log_visits": {
        "type": click.IntRange(1),
        "default": 1,
        "metavar": "N",
        "help": "Log children with fewer visits as one row.",
    },
}
"""The options of Monte Carlo tree search alone."""

_TREE_TITLE: Final = "Of mcts (Monte Carlo tree search)"
_ALPHA_BETA_TITLE: Final = "Of minimax, alphabeta and pvs"
"""How the help titles the options of each family."""


def _flag(name: str) -> str:
    """An option as it is written.

    >>> _flag("log_visits")
    '--log-visits'
    """
    return f"--{name.replace('_', '-')}"


monte_carlo_options: Final = options(
    *(
        click.option(_flag(name), show_default="default" in settings, **settings)
        for name, settings in _TREE.items()
    )
)


class GroupedCommand(click.Command):
    """A command whose help lists the options of the searches apart."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options by what they are of."""
        sections: dict[str, list[tuple[str, str]]] = {
            title: [] for title in ("Options", _ALPHA_BETA_TITLE, _TREE_TITLE)
        }
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None:
                sections[_section_of(str(parameter.name))].append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


def _section_of(name: str) -> str:
    if name in (*SHARED, *ON_OUTPUT):
        return "Options"
    return _TREE_TITLE if name in _TREE else _ALPHA_BETA_TITLE


class AlgorithmName(click.Choice[str]):
    """One of our algorithms, or one that an installed package brings, which the help does not list."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name; raises OptionError for one that is not known."""
        if value not in self.choices:
            from plyscope.engine.algorithms import find

            find(value)
            return value
        return super().convert(value, param, ctx)


def of_one_family(asked: Mapping[str, Any], given: Collection[str]) -> dict[str, Any]:
    """Return the options of the algorithm that is asked for; raises UsageError for one `given` of the other.

    An algorithm of a package has those of `--option`, beside the shared.

    >>> of_one_family({"algorithm": "mcts", "c": 1.0, "depth": 4}, ["c"])
    {'algorithm': 'mcts', 'c': 1.0}
    >>> of_one_family({"algorithm": "theirs", "option": ("n=3",), "depth": 4}, ["option"])
    {'algorithm': 'theirs', 'n': 3}
    """
    from plyscope.engine.algorithms import OURS, read_value

    algorithm = asked["algorithm"]
    is_tree, is_ours = algorithm == MCTS, algorithm in OURS

    def is_its(name: str) -> bool:
        return name in SHARED or (is_ours and (name in _TREE) == is_tree)

    for name in given:
        option = _flag(name)
        if name == "option":
            if is_ours:
                raise click.UsageError(f"{option}: {algorithm} has options of its own; see the help.")
        elif is_its(name):
            continue
        elif not is_ours:
            raise click.UsageError(f"{option} is no option of {algorithm}; its own are --option name=value.")
        elif is_tree:
            raise click.UsageError(f"{option} is no option of mcts; --playouts or --seconds end it.")
        else:
            raise click.UsageError(f"{option} is an option of Monte Carlo tree search; add --algorithm mcts.")
    pairs = [each.partition("=") for each in asked.get("option", ())]
    own = {name.strip().replace("-", "_"): read_value(value.strip()) for name, _, value in pairs}
    if shared := next((name for name in own if name in SHARED), None):
        raise click.UsageError(f"--option {shared}: expected {_flag(shared)}.")
    return {name: value for name, value in asked.items() if is_its(name) and name != "option"} | own


def best_first_options(asked: dict[str, Any], weights: Mapping[str, float], *, record: bool) -> Options:
    """The engine's options of a search other than alpha-beta, from the command line's; raises OptionError."""
    from plyscope.engine.algorithms import find
    from plyscope.engine.options import OptionError

    algorithm = find(asked["algorithm"])
    options = {name: value for name, value in asked.items() if name not in ("algorithm", "position")}
    for name in options:
        if name not in algorithm.names:
            expected = ", ".join(algorithm.names)
            raise OptionError(f"{name}: {algorithm.title} has no such option; expected one of {expected}")
    made: Options = algorithm.options(**options, weights=weights, record=record)
    return made


def tree_lines(recording: Recording) -> list[str]:
    """The chosen ply and what it took, in lines."""
    from plyscope.engine.game import CHANCE, ONGOING, why_over

    result = recording.header["result"]
    if recording.ply is not None and recording.score is None:
        lines = [f"{recording.ply}  drawn at random: there were no play-outs"]
    elif recording.ply is None or recording.score is None:
        over = recording.game.status(recording.state) != ONGOING
        why = "the search was stopped before a play-out"
        if over:
            why = f"the game is over in this position{why_over(recording.game, recording.state)}"
        if recording.game.player(recording.state) == CHANCE and not over:
            why = "chance moves in this position"
        lines = [f"no ply: {why}"]
    else:
        line = result["pv"]
        shown = f"  ({' > '.join(line)})" if len(line) > 1 else ""
        lead = f", {result['margin']:.1f} standard errors ahead" if "margin" in result else ""
        visits = counted(result["visits"], "visit")
        lines = [f"{recording.ply}  mean {percent(recording.score)}, {visits}{lead}{shown}"]
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
