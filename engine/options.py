"""The options of a search, and their checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, get_args

from plyscope.engine.former import RENAMED
from plyscope.engine.game import MOST_MOVES, meanings_of
from plyscope.engine.option import AnyOptions, Flag, Number, OptionError, Options, Whole, Word, option

Algorithm = Literal["minimax", "alphabeta", "pvs", "expectimax"]
Keep = Literal["all", "last"]
TableDepth = Literal["equal", "at_least"]
TableUse = Literal["cut", "narrow"]
TableKeep = Literal["iterations", "clear"]
Fail = Literal["soft", "hard"]

NOT_IN_EXPECTIMAX: Final = (
    "aspiration",
    "table",
    "killers",
    "history",
    "iid",
    "quiescence",
    "null_move",
    "lmr",
    "reverse_futility",
    "prove_wins",
)
"""Options of techniques that expectimax does not have."""
TABLE_OPTIONS: Final = ("table_depth", "table_use", "table_keep")
"""Options that say something of the table alone."""

MOST_DEPTH: Final = 1_000

PLIES: Final = Whole(1, 100)
"""The values of options that are counted in plies."""

NULL_WIDTH: Final = 1.0
"""The width of a scout's window. A score inside it is exact, so the width need not fit the evaluation."""

MATE_STEP: Final = 1.0
DRAW_SCORE: Final = 0.0
MATE_SCORE: Final = 1_000_000.0
"""The score of a win at the root, unless the game has a `mate_score` of its own."""

MOST_VALUE: Final = 10_000.0
"""The assumed upper limit of a factor's value, so that no evaluation looks like a win."""


@dataclass(frozen=True)
class SearchOptions(AnyOptions):
    """The options of a search: of alpha-beta, of minimax, which has no windows, and of expectimax.

    * Of a game with chance nodes, which expectimax visits all, `depth` counts the plies of players alone.
    * `seconds` and `nodes` stop the search wherever it is.
    * `quotient` is the randomness quotient, and `seed` its seed.
    * `keep` says of which iterations the rows are kept.
    * `killers` and `history` order the kept plies, after the pre-score; they need cuts, and do nothing in
      minimax.
    * If `limit` left out replies in the proof of an iteration's win or loss, `prove_wins` searches that
      iteration again with all replies there, until it is proven, refuted or a limit is reached.

    >>> SearchOptions(depth=6, limit=8, algorithm="pvs").depth
    6
    """

    depth: int = option(4, Whole(1, MOST_DEPTH), "Plies to look ahead.")
    limit: int | None = option(
        None, Whole(1, MOST_MOVES), "Keep so many plies a node, the best by pre-score."
    )
    nodes: int | None = option(None, Whole(), "Stop after so many nodes.")
    algorithm: Algorithm = option(
        "alphabeta",
        Word(get_args(Algorithm)),
        "pvs: null-window scouts, each re-search a row of its own; expectimax: for plain games with dice or "
        "cards; mcts: Monte Carlo tree search; or one that an installed package brings.",
    )
    iterative: bool = option(False, Flag(), "Deepen from 1 to the depth; every iteration is logged.")
    aspiration: float | None = option(
        None,
        Number(0, open=True),
        "Start each iteration with a window of ±WIDTH around the last score.",
        "WIDTH",
    )
    keep: Keep = "all"
    table: float | None = option(
        None,
        Number(0, 1 << 20, open=True),
        "Remember positions in a transposition table of this size.",
        "MB",
    )
    table_depth: TableDepth = option(
        "equal",
        Word(get_args(TableDepth)),
        "Use entries of equal depth only, or of any that is deep enough.",
    )
    table_use: TableUse = option(
        "cut", Word(get_args(TableUse)), "narrow: entries that do not cut narrow the window."
    )
    table_keep: TableKeep = option(
        "iterations", Word(get_args(TableKeep)), "clear: forget the entries between iterations."
    )
    killers: bool = option(False, Flag(), "After the best pre-score, try plies that cut at the same level.")
    history: bool = option(False, Flag(), "Of plies of equal pre-score, first try those that often cut.")
    iid: int | None = option(
        None,
        PLIES,
        "Internal iterative deepening: find the first ply by a search of N plies less, where the table knows "
        "none.",
        "N",
    )
    quiescence: int | None = option(None, PLIES, "Follow noisy plies N below the horizon.", "N")
    null_move: int | None = option(None, PLIES, "Try a pass first, searched R plies less.", "R")
    lmr: int | None = option(
        None,
        PLIES,
        "Late move reductions: search plies from place K on one ply less; verify those that beat the window.",
        "K",
    )
    reverse_futility: float | None = option(
        None,
        Number(0, open=True),
        "Reverse futility pruning (static null move): cut where the static beats the window by MARGIN for "
        "each ply of depth.",
        "MARGIN",
    )
    prove_wins: bool = option(
        False, Flag(), "Search again, all replies kept, where --limit leaves a win or loss unproven."
    )
    quotient: int | None = option(None, Whole(2), "While a draw of 1 in Q comes up, take the next ply.", "Q")
    fail: Fail = option("soft", Word(get_args(Fail)), "hard: scores never leave the window.")

    def __post_init__(self) -> None:
        super().__post_init__()
        Word(get_args(Keep)).check("keep", self.keep)
        if self.aspiration is not None and not self.iterative:
            raise OptionError("aspiration: a window around the score before needs iterative=True")
        for name in TABLE_OPTIONS:
            if self.table is None and getattr(self, name) != getattr(type(self), name):
                raise OptionError(f"{name}: there is no table to use; expected a size, such as table=16")
        if self.algorithm == "expectimax":
            self._check_expectimax()
        if self.algorithm == "minimax":
            for name in ("aspiration", "null_move", "lmr", "reverse_futility"):
                if getattr(self, name) is not None:
                    raise OptionError(f"{name}: minimax has no windows; expected alphabeta or pvs")

    def _check_expectimax(self) -> None:
        asked = [name for name in NOT_IN_EXPECTIMAX if getattr(self, name) not in (None, False)]
        if asked:
            raise OptionError(f"{asked[0]}: expectimax visits every node, without windows and techniques")
        if self.fail == "hard":
            raise OptionError("fail: expectimax has no windows, so its scores stay as they are")


def by_present_names(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return options under the names that they have now, in their order; values are not checked.

    Raises `OptionError` where an option is given under its former name and under the present one.

    >>> by_present_names({"depth": 4, "futility": 8.0})
    {'depth': 4, 'reverse_futility': 8.0}
    """
    for former, name in RENAMED.items():
        if former in asked and name in asked:
            now = f"{name}={asked[name]!r}"
            raise OptionError(f"{former}: this is the former name of {now}; expected one of them, not both")
    return {RENAMED.get(name, name): value for name, value in asked.items()}


def check_game(game: Any, options: SearchOptions) -> None:
    """Raise `OptionError` for a technique that needs a kernel or method that `game`, kernel or plain, lacks.

    Also for an algorithm that knows no chance, if the game has some. Raise `GameError` for meanings of
    unknown factors.

    >>> from types import SimpleNamespace
    >>> check_game(SimpleNamespace(name="nim"), SearchOptions(null_move=2))
    Traceback (most recent call last):
    plyscope.engine.option.OptionError: null_move: nim has no pass_turn, which says how to hand over the move
    """
    meanings_of(judged(game, options.evaluation))
    name = getattr(game, "name", type(game).__name__)
    for technique, needed, says in (
        ("quiescence", "noisy", "which plies are noisy"),
        ("null_move", "pass_turn", "how to hand over the move"),
    ):
        if getattr(options, technique) is not None and not hasattr(game, needed):
            raise OptionError(f"{technique}: {name} has no {needed}, which says {says}")
    if options.algorithm != "expectimax":
        refuse_chance(game, options.algorithm)


def refuse_chance(game: Any, algorithm: str) -> None:
    """Raise `OptionError` where a plain game has chance nodes, which this algorithm does not know."""
    if hasattr(game, "chances"):
        has_some = f"which {getattr(game, 'name', type(game).__name__)} has"
        raise OptionError(f"algorithm: {algorithm} knows no chance, {has_some}; expected expectimax or mcts")


def judged(game: Any, evaluation: str | None) -> Any:
    """`game` with one of the evaluations that it offers; with its own for None. Raises `OptionError`.

    >>> from plyscope.engine.games.hive import GAME
    >>> list(judged(GAME, "study-3").factors)
    ['unplaced', 'blocked', 'queen_ring']
    """
    if evaluation is None:
        return game
    known: Mapping[str, Any] = getattr(game, "evaluations", {})
    if evaluation not in known:
        name = getattr(game, "name", type(game).__name__)
        expected = f"expected one of {', '.join(known)}" if known else f"{name} has but its own"
        raise OptionError(f"evaluation: {evaluation!r}, {expected}")
    return known[evaluation]


def weights_of(game: Any, options: Options) -> dict[str, float]:
    """The weight of every factor of `game`, in its order; raises `OptionError` for a name it has not."""
    weights = {name: float(weight) for name, weight in judged(game, options.evaluation).factors.items()}
    for name, weight in options.weights.items():
        if name not in weights:
            raise OptionError(
                f"weights: {name!r} is no factor; expected one of {', '.join(weights) or 'none'}"
            )
        weights[name] = float(weight)
    return weights


def mate_score(game: Any, weights: Mapping[str, float]) -> float:
    """Return the score of a win at the root: the game's, times ten until `weights` cannot reach it.

    >>> from plyscope.engine.games.tictactoe import GAME
    >>> mate_score(GAME, {"centre": 3.0}), mate_score(GAME, {"centre": 3000.0})
    (1000000.0, 100000000.0)
    """
    score = float(getattr(game, "mate_score", MATE_SCORE))
    while score < MOST_VALUE * sum(map(abs, weights.values())):
        score *= 10
    return score
