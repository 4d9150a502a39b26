"""The ways to search, by the names that the option `algorithm` has: ours, and those of installed packages.

A package brings one by an entry point of the group `plyscope.algorithms`: a name, and an `Algorithm`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any, Final, get_args

import numpy as np

from plyscope.engine import run
from plyscope.engine.former import left
from plyscope.engine.montecarlo import run as tree_run
from plyscope.engine.montecarlo.options import MonteCarloOptions, check_guide
from plyscope.engine.option import AnyOptions, OptionError, Options, Word
from plyscope.engine.options import (
    MOST_DEPTH,
    SearchOptions,
    check_game,
    weights_of,
)
from plyscope.engine.options import Algorithm as AlphaBeta
from plyscope.engine.record.ply_texts import Plies, texts_by_code
from plyscope.engine.record.recording import Recording
from plyscope.engine.step import told_beside

GROUP: Final = "plyscope.algorithms"
"""The group of entry points: a name, and an `Algorithm`."""
LEFT: Final = ("monte_carlo",)
"""Algorithms that have left for the package plyscope-studies."""
NOT_ASKED: Final = ("record", "keep")
"""Options that the caller of a search decides, so no command and no agent has them."""


def seeded(options: Any, seeds: np.random.Generator, below: int = 2**32) -> Any:
    """The options of a turn: with a seed of its own."""
    return replace(options, seed=int(seeds.integers(below)))


@dataclass(frozen=True)
class Algorithm:
    """A way to search.

    title    its name in sentences
    options  the class of its options, see `Options`
    search   (game, position, options, on_progress, should_stop, *, carried, on_rows) -> Recording; `carried`
             is the `table` of the recording of an earlier turn, or None, `on_rows` may be left uncalled
    check    raises OptionError where a game lacks what the options ask for
    of_turn  the options with which a player of a match searches a turn
    reuse    the option by which such a player is asked to carry `table` on; None: it always does
    """

    title: str
    options: type[Any]
    search: Callable[..., Recording]
    check: Callable[[Any, Any], None] = lambda game, options: None
    of_turn: Callable[[Any, np.random.Generator], Any] = seeded
    reuse: str | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its options, those that every search has last."""
        of_all = [each.name for each in fields(AnyOptions)]
        own = [each.name for each in fields(self.options) if each.name not in of_all]
        return tuple(name for name in (*own, *of_all) if name not in NOT_ASKED)

    def check_options(self, game: Any, options: Options) -> None:
        """Raise OptionError where a game lacks a kernel that the options need."""
        weights_of(game, options)
        self.check(game, options)


def _alpha_beta(*asked: Any, carried: Any = None, **more: Any) -> Recording:
    return run.search(*asked, table=carried, **more)


def _tree_search(*asked: Any, carried: Any = None, most_rows: int | None = None, **more: Any) -> Recording:
    return tree_run.search(*asked, tree=carried, most_nodes=most_rows, **more)


def _deepening(options: SearchOptions, seeds: np.random.Generator) -> SearchOptions:
    """The options of a turn: with a limit of nodes or time it deepens until that is used up."""
    if options.seconds is not None or options.nodes is not None:
        options = replace(options, depth=MOST_DEPTH, iterative=True)
    return options if options.quotient is None else seeded(options, seeds)


_ALPHA_BETA: Final = Algorithm("alpha-beta", SearchOptions, _alpha_beta, check_game, _deepening)
DEFAULT: Final = "alphabeta"
OURS: Final = MappingProxyType(
    {
        **dict.fromkeys(get_args(AlphaBeta), _ALPHA_BETA),
        MonteCarloOptions.algorithm: Algorithm(
            "Monte Carlo tree search",
            MonteCarloOptions,
            _tree_search,
            check_guide,
            partial(seeded, below=2**63),
            "reuse_tree",
        ),
    }
)


def find(name: object) -> Algorithm:
    """Return the algorithm of this name; one from outside is imported. Raises OptionError.

    >>> find("pvs").title
    'alpha-beta'
    """
    if isinstance(name, str) and name in OURS:
        return OURS[name]
    outside = {point.name: point for point in entry_points(group=GROUP)}
    if name in LEFT and name not in outside:
        raise OptionError(f"algorithm: {left(str(name), 'ask again')}")
    Word((*OURS, *outside)).check("algorithm", name)
    point = outside[str(name)]
    try:
        found = point.load()
    except Exception as error:
        raise OptionError(f"algorithm {name}: {point.value} gives {type(error).__name__}: {error}") from error
    if not isinstance(found, Algorithm):
        raise OptionError(f"algorithm {name}: {point.value} is no Algorithm")
    return found


def read_value(text: str) -> int | float | bool | str:
    """Read the value of an option: a whole number, a number, a flag or a word.

    >>> read_value("3"), read_value("0.5"), read_value("true"), read_value("halton")
    (3, 0.5, True, 'halton')
    """
    if text in ("true", "false"):
        return text == "true"
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def make_ready() -> None:
    """Compile the search of a game with the options from standard input.

    The kernel that writes the plies of its log, if there is one, is compiled after it.
    """
    game, options = told_beside()
    found = find(options.algorithm).search(game, None, options, None, lambda: True, compiled=True)
    if options.record and hasattr(found.game, "ply_code"):
        texts_by_code(found.game, found.state, Plies(found.rows, found.stub_plies, found.hits))
