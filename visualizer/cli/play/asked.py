"""Options of searches on the command line, as the engine declares them, and whose they are."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

import click

from plyscope.engine.former import RENAMED
from plyscope.engine.montecarlo.options import MonteCarloOptions
from plyscope.engine.option import Asked, Flag, Number, Values, Whole, Word, asked_of
from plyscope.engine.options import SearchOptions
from plyscope.visualizer.cli.terminal import options

ALPHA_BETA: Final = asked_of(SearchOptions)
TREE: Final = asked_of(MonteCarloOptions)
MCTS: Final = MonteCarloOptions.algorithm
SHARED: Final = ("algorithm", "option", "position", *(name for name in TREE if name in ALPHA_BETA))
"""Options of all families."""
ON_OUTPUT: Final = ("output", "view", "no_browser", "as_json", "help")
_SECTIONS: Final = ("Options", "Of minimax, alphabeta and pvs", "Of mcts (Monte Carlo tree search)")
"""How the help titles the options of all, and of each family."""


class _NumberOrWord(click.ParamType[float | str]):
    """A number, or the one word that is allowed beside."""

    name = "number"

    def __init__(self, values: Number) -> None:
        self._values = values

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number or the word."""
        try:
            return value if value == self._values.word else float(value)
        except ValueError:
            self.fail(f"{value!r} is no number and not {self._values.word!r}.", param, ctx)


class _AlgorithmName(click.Choice[str]):
    """One of our algorithms, or one that an installed package brings, which the help does not list."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name; raises OptionError for one that is not known."""
        if value not in self.choices:
            from plyscope.engine.algorithms import find

            find(value)
            return value
        return super().convert(value, param, ctx)


def flag_of(name: str) -> str:
    """An option as it is written.

    >>> flag_of("log_visits")
    '--log-visits'
    """
    return f"--{name.replace('_', '-')}"


def _type_of(name: str, values: Values) -> Any:
    """The values of an option as click reads them."""
    if name == "algorithm" and isinstance(values, Word):
        return _AlgorithmName([*values.words, MCTS])
    match values:
        case Word(words):
            return click.Choice(words)
        case Whole(least, most):
            return click.IntRange(least, most)
        case Number(word=str()):
            return _NumberOrWord(values)
        case Number(least, most, is_open):
            return click.FloatRange(least, None if most == float("inf") else most, min_open=is_open)
    return str


def _option(name: str, asked: Asked, default: Any) -> Callable[[Any], Any]:
    """An option of the engine as one of a command; weights are read later."""
    if isinstance(asked.values, Flag):
        return click.option(flag_of(name), is_flag=True, help=asked.says)
    stated = default if isinstance(default, str | int | float) else None
    return click.option(
        flag_of(name),
        type=_type_of(name, asked.values),
        metavar=asked.unit,
        default=stated,
        show_default=stated is not None,
        help=asked.says,
    )


search_options_asked: Final = options(
    *(_option(name, *asked) for name, asked in (ALPHA_BETA | TREE).items()),
    # Under their former names: they work, help does not list them.
    *(
        click.option(flag_of(former), type=_type_of(name, ALPHA_BETA[name][0].values), hidden=True)
        for former, name in RENAMED.items()
    ),
)


class GroupedCommand(click.Command):
    """A command whose help lists the options of the searches apart."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options by what they are of."""
        sections: dict[str, list[tuple[str, str]]] = {title: [] for title in _SECTIONS}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx)
            if record is not None and isinstance(parameter, click.Option):
                is_alpha_beta, is_tree = parameter.name in ALPHA_BETA, parameter.name in TREE
                is_of_all = is_alpha_beta == is_tree or parameter.name in SHARED
                place = 0 if is_of_all else 1 + is_tree
                sections[_SECTIONS[place]].append(record)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl(records)


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
        return name in SHARED or (is_ours and (name in TREE) == is_tree)

    for name in given:
        option = flag_of(name)
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
        raise click.UsageError(f"--option {shared}: expected {flag_of(shared)}.")
    return {name: value for name, value in asked.items() if is_its(name) and name != "option"} | own
