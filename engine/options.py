"""The options of a search, and their checks."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol, TypeGuard, get_args

from plyscope.engine.former import RENAMED
from plyscope.engine.game import MOST_MOVES, meanings_of

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

MOST_DEPTH: Final = 1_000

MOST_TABLE_MB: Final = 1 << 20
MOST_PLIES_LESS: Final = 100
"""The largest value of options that are counted in plies."""

NULL_WIDTH: Final = 1.0
"""The width of a scout's window. A score inside it is exact, so the width need not fit the evaluation."""

MATE_STEP: Final = 1.0
DRAW_SCORE: Final = 0.0
MATE_SCORE: Final = 1_000_000.0
"""The score of a win at the root, unless the game has a `mate_score` of its own."""

MOST_VALUE: Final = 10_000.0
"""The assumed upper limit of a factor's value, so that no evaluation looks like a win."""


class OptionError(ValueError):
    """An option that makes no sense; the message says which, what was found and what is expected."""

    @property
    def option(self) -> str:
        """The name of the option, with which the message begins.

        >>> OptionError("table: 0, expected a number above 0").option
        'table'
        """
        return str(self).partition(":")[0]


@dataclass(frozen=True)
class SearchOptions:
    """The options of a search.

    * `limit` keeps this many plies at every node, the best by pre-score.
    * `algorithm`: of a game with chance nodes it is expectimax, which visits every node. `depth` counts the
      plies of players there, not those of chance.
    * `seconds` and `nodes` stop the search wherever it is.
    * `iterative` searches depth 1, 2, … up to `depth`; `aspiration` starts each iteration with a window of
      that half-width around the score before.
    * `quotient` is the randomness quotient and `seed` its seed (None: drawn and logged).
    * `evaluation` names another evaluation that the game has, with factors of its own; `weights` replace
      those of the game, or of that evaluation, by name.
    * `keep` says of which iterations the rows are kept.
    * `killers` and `history` order the kept plies, after the pre-score, by which plies cut elsewhere: they
      need cuts, and do nothing in minimax.
    * `iid` (internal iterative deepening): if the table has no ply for a node, a search this many plies
      shallower finds the first ply.
    * `null_move` first tries a pass, this many plies shallower.
    * `lmr` (late move reductions) searches the plies from this place on (0 is the first) one ply less deep,
      and again those that beat the window.
    * `reverse_futility` (reverse futility pruning, or static null move) cuts near the horizon if the static
      beats the window by this much for each ply of depth.
    * `prove_wins`: if `limit` left out replies in the proof of an iteration's win or loss, the iteration is
      searched again with all replies there, until it is proven, refuted or a limit is reached.

    >>> SearchOptions(depth=6, limit=8, algorithm="pvs").depth
    6
    """

    depth: int = 4
    limit: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    algorithm: Algorithm = "alphabeta"
    iterative: bool = False
    aspiration: float | None = None
    quotient: int | None = None
    seed: int | None = None
    evaluation: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    record: bool = True
    keep: Keep = "all"
    table: float | None = None
    table_depth: TableDepth = "equal"
    table_use: TableUse = "cut"
    table_keep: TableKeep = "iterations"
    killers: bool = False
    history: bool = False
    iid: int | None = None
    quiescence: int | None = None
    null_move: int | None = None
    lmr: int | None = None
    reverse_futility: float | None = None
    prove_wins: bool = False
    fail: Fail = "soft"

    def __post_init__(self) -> None:
        check_whole("depth", self.depth, 1, MOST_DEPTH)
        for name, most in (("limit", MOST_MOVES), ("nodes", None)):
            if getattr(self, name) is not None:
                check_whole(name, getattr(self, name), 1, most)
        if self.quotient is not None:
            check_whole("quotient", self.quotient, 2, None)
        if self.seed is not None:
            check_whole("seed", self.seed, 0, None)
        for name in ("seconds", "aspiration"):
            if getattr(self, name) is not None:
                check_positive(name, getattr(self, name))
        check_one_of("algorithm", self.algorithm, get_args(Algorithm))
        check_one_of("keep", self.keep, get_args(Keep))
        if not isinstance(self.evaluation, str | None):
            raise OptionError(f"evaluation: {self.evaluation!r}, expected the name of one")
        if self.aspiration is not None and not self.iterative:
            raise OptionError("aspiration: a window around the score before needs iterative=True")
        if self.aspiration is not None and self.algorithm == "minimax":
            raise OptionError("aspiration: minimax has no windows; expected alphabeta or pvs")
        self._check_techniques()
        for name, weight in self.weights.items():
            if not _is_number(weight) or not math.isfinite(weight):
                raise OptionError(f"weights: {name} = {weight!r}, expected a finite number")

    def _check_techniques(self) -> None:
        for name in ("table", "reverse_futility"):
            if getattr(self, name) is not None:
                check_positive(name, getattr(self, name))
        if self.table is not None and self.table > MOST_TABLE_MB:
            raise OptionError(f"table: {self.table!r} MB, expected at most {MOST_TABLE_MB}")
        for name in ("iterative", "killers", "history", "prove_wins"):
            if not isinstance(getattr(self, name), bool):
                raise OptionError(f"{name}: {getattr(self, name)!r}, expected True or False")
        for name in ("iid", "quiescence", "null_move", "lmr"):
            if getattr(self, name) is not None:
                check_whole(name, getattr(self, name), 1, MOST_PLIES_LESS)
        for name, allowed in (
            ("table_depth", TableDepth),
            ("table_use", TableUse),
            ("table_keep", TableKeep),
            ("fail", Fail),
        ):
            check_one_of(name, getattr(self, name), get_args(allowed))
        for name, unset in (("table_depth", "equal"), ("table_use", "cut"), ("table_keep", "iterations")):
            if self.table is None and getattr(self, name) != unset:
                raise OptionError(f"{name}: there is no table to use; expected a size, such as table=16")
        if self.algorithm == "expectimax":
            self._check_expectimax()
        if self.algorithm == "minimax":
            for name in ("null_move", "lmr", "reverse_futility"):
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
    """Raise `OptionError` for a technique that needs of `game`, a kernel or a plain one, what it lacks.

    And for an algorithm that knows no chance, where the game has some. And `GameError` for words on factors
    that it does not have.

    >>> from types import SimpleNamespace
    >>> check_game(SimpleNamespace(name="nim"), SearchOptions(null_move=2))
    Traceback (most recent call last):
    plyscope.engine.options.OptionError: null_move: nim has no pass_turn, which says how to hand over the move
    """
    meanings_of(judged(game, options.evaluation))
    name = getattr(game, "name", type(game).__name__)
    for option, needed, says in (
        ("quiescence", "noisy", "which plies are noisy"),
        ("null_move", "pass_turn", "how to hand over the move"),
    ):
        if getattr(options, option) is not None and not hasattr(game, needed):
            raise OptionError(f"{option}: {name} has no {needed}, which says {says}")
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


class Weighted(Protocol):
    """Options that name an evaluation and weights of its factors."""

    @property
    def evaluation(self) -> str | None:
        """The name of an evaluation of the game, None for its own."""

    @property
    def weights(self) -> Mapping[str, float]:
        """Weights by the names of factors, which replace those of the evaluation."""


def weights_of(game: Any, options: Weighted) -> dict[str, float]:
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


def _is_number(value: object) -> TypeGuard[int | float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def check_whole(name: str, value: object, least: int, most: int | None) -> None:
    """Raise `OptionError` for anything but a whole number from `least` to `most` (None: without end)."""
    expected = f"a whole number from {least}" + (f" to {most}" if most is not None else "")
    if not isinstance(value, int) or isinstance(value, bool):
        raise OptionError(f"{name}: {value!r}, expected {expected}")
    if value < least or (most is not None and value > most):
        raise OptionError(f"{name}: {value}, expected {expected}")


def check_positive(name: str, value: float) -> None:
    """Raise `OptionError` for anything but a finite number above 0."""
    if not _is_number(value) or not 0 < value < math.inf:
        raise OptionError(f"{name}: {value!r}, expected a number above 0")


def check_number(name: str, value: object, least: float, most: float) -> None:
    """Raise `OptionError` for anything but a finite number from `least` to `most`, which may be infinite."""
    expected = "a finite number"
    if math.isfinite(least):
        expected = f"a number from {least:g}" + (f" to {most:g}" if math.isfinite(most) else "")
    if not _is_number(value) or not math.isfinite(value) or not least <= value <= most:
        raise OptionError(f"{name}: {value!r}, expected {expected}")


def check_one_of(name: str, value: object, allowed: tuple[str, ...]) -> None:
    """Raise `OptionError` for a word that is not allowed."""
    if value not in allowed:
        raise OptionError(f"{name}: {value!r}, expected one of {', '.join(allowed)}")
