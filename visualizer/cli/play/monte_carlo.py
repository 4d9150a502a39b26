"""Monte Carlo searches on the command line, tree and flat: options apart from alpha-beta's, and reports."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, Final

import click

from plyscope.engine.quoting import counted
from plyscope.visualizer.cli.terminal import options

if TYPE_CHECKING:
    from plyscope.engine.montecarlo.flat.options import FlatOptions
    from plyscope.engine.montecarlo.options import MonteCarloOptions
    from plyscope.engine.record.recording import Recording

MCTS: Final = "mcts"
FLAT: Final = "monte_carlo"
SHARED: Final = ("algorithm", "position", "seconds", "seed", "evaluation", "weights")
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

_FLAT: Final[dict[str, dict[str, Any]]] = {
    "rollouts": {
        "type": click.Choice(["fixed", "progressive"]),
        "default": "fixed",
        "help": "Play each ply out N times, or more by the growth.",
    },
    "n": {"type": click.IntRange(0), "default": 100, "help": "Play-outs of each legal ply."},
    "growth": {
        "type": click.Choice(["plies", "cells"]),
        "default": "plies",
        "help": "Progressive: N grows by the legal plies, or the cells on which they end.",
    },
    "growth_rate": {
        "type": click.FloatRange(0),
        "default": 1.0,
        "metavar": "G",
        "help": "Progressive: G times as much.",
    },
    "source": {
        "type": click.Choice(["pseudo", "quasi", "example", "mix", "halton"]),
        "default": "pseudo",
        "help": "Where draws come from; quasi and example are two readings of a published generator.",
    },
    "quasi_turns": {
        "type": click.IntRange(0),
        "default": 10,
        "metavar": "K",
        "help": "mix: draw by quasi in the first K own turns.",
    },
    "turn": {"type": click.IntRange(1), "default": 1, "help": "mix: the number of this own turn."},
    "most_playouts": {
        "type": click.IntRange(1),
        "metavar": "N",
        "help": "Play-outs of the turn at most; each ply has one at least.",
    },
    "ties": {
        "type": click.Choice(["first", "random"]),
        "default": "first",
        "help": "Of equal means take the first ply generated, or any.",
    },
    "record_playouts": {
        "type": click.IntRange(0, 100),
        "default": 0,
        "metavar": "M",
        "help": "Keep the first M play-outs of each ply, as chains of nodes.",
    },
}
"""The options of flat Monte Carlo alone; it has --turn-limit too, with a default of its own."""

_SECTIONS: Final = {
    "Of mcts (Monte Carlo tree search)": _TREE,
    "Of monte_carlo (flat: each legal ply is played out)": _FLAT,
}
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
        for name, settings in (*_TREE.items(), *_FLAT.items())
    )
)


class GroupedCommand(click.Command):
    """A command whose help lists the options of the searches apart."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options by what they are of."""
        sections: dict[str, list[tuple[str, str]]] = {
            title: [] for title in ("Options", "Of minimax, alphabeta and pvs", *_SECTIONS)
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
    return next(
        (title for title, options in _SECTIONS.items() if name in options), "Of minimax, alphabeta and pvs"
    )


def of_one_family(asked: Mapping[str, Any], given: Collection[str]) -> dict[str, Any]:
    """Return the options of the algorithm that is asked for; raises UsageError for one `given` of the other.

    >>> of_one_family({"algorithm": "mcts", "c": 1.0, "depth": 4}, ["c"])
    {'algorithm': 'mcts', 'c': 1.0}
    """
    is_tree, is_flat = asked["algorithm"] == MCTS, asked["algorithm"] == FLAT

    def is_its(name: str) -> bool:
        if is_flat:
            return name in (*SHARED, *_FLAT, "turn_limit")
        return name in SHARED or ((name in _TREE) == is_tree and name not in _FLAT)

    for name in given:
        if is_its(name):
            continue
        option = _flag(name)
        if is_flat:
            raise click.UsageError(f"{option} is no option of {FLAT}; --n or --seconds bound it.")
        if name in _FLAT:
            raise click.UsageError(f"{option} is an option of flat Monte Carlo; add --algorithm {FLAT}.")
        if is_tree:
            raise click.UsageError(f"{option} is no option of mcts; --playouts or --seconds end it.")
        raise click.UsageError(f"{option} is an option of Monte Carlo tree search; add --algorithm mcts.")
    left_to_flat = ("turn_limit",) if is_flat and "turn_limit" not in given else ()
    return {name: value for name, value in asked.items() if is_its(name) and name not in left_to_flat}


def monte_carlo(
    asked: dict[str, Any], weights: Mapping[str, float], *, record: bool
) -> MonteCarloOptions | FlatOptions:
    """The engine's options from the command line's; raises OptionError."""
    from plyscope.engine.montecarlo.flat.options import FlatOptions
    from plyscope.engine.montecarlo.options import MonteCarloOptions

    options = {name: value for name, value in asked.items() if name != "algorithm"}
    kind = FlatOptions if asked["algorithm"] == FLAT else MonteCarloOptions
    return kind(**options, weights=weights, record=record)


def tree_lines(recording: Recording) -> list[str]:
    """The chosen ply and what it took, in lines."""
    from plyscope.engine.game import ONGOING

    result = recording.header["result"]
    if recording.ply is not None and recording.score is None:
        lines = [f"{recording.ply}  drawn at random: there were no play-outs"]
    elif recording.ply is None or recording.score is None:
        over = recording.game.status(recording.state) != ONGOING
        why = "the game is over in this position" if over else "the search was stopped before a play-out"
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
