"""The strength of the engine by level: one table of what each sees, how far, and how often it slips.

A level is weak as a person is: it looks less far ahead, it considers fewer plies (those that look best at
once), and it now and then takes the second or third best; the first knows only some of what there is to
judge by. The highest level has no depth of its own: it uses the time or depth that `bestmove` gives it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from plyscope.engine.games.hive import GAME
from plyscope.engine.options import SearchOptions


@dataclass(frozen=True)
class Level:
    """The plies looked ahead (None: all that the time allows), the plies kept at each node, the quotient.

    `knows` names the factors that it judges by, all where None; a level that `proves` searches a win or loss
    again, all replies kept, until it is proven or refuted.
    """

    depth: int | None
    limit: int
    quotient: int | None
    reason: str
    knows: tuple[str, ...] | None = None
    proves: bool = False

    @property
    def weights(self) -> Mapping[str, float]:
        """The weights that differ from the game's own.

        >>> sorted(set(GAME.factors) - set(LEVELS[1].weights)), dict(LEVELS[2].weights)
        (['hand', 'queen_distance', 'queen_ring'], {})
        """
        return {name: 0.0 for name in GAME.factors if self.knows is not None and name not in self.knows}


FIRST_KNOWLEDGE: Final = ("queen_ring", "hand", "queen_distance")
"""What a beginner looks at: surround the queen, bring pieces in, come near."""

LEVELS: Final[Mapping[int, Level]] = {
    1: Level(1, 60, 2, "gets its pieces near the other queen, as beginners do", FIRST_KNOWLEDGE),
    2: Level(1, 60, 2, "knows more, but sees its own plies only, every second time not the best of them"),
    3: Level(2, 12, 3, "sees an answer, but only to the plies that look best"),
    4: Level(2, 30, 20, "sees most answers, and rarely slips"),
    5: Level(3, 14, 6, "plans a ply of its own behind the answer"),
    6: Level(4, 14, 6, "sees two plies of its own, each with the answer"),
    7: Level(4, 30, 30, "the same, wider, and hardly ever slips"),
    8: Level(5, 30, None, "plays its best, mostly within a second", proves=True),
    9: Level(None, 30, None, "plays its best in all the time it is given", proves=True),
}
"""Each takes about two points of three from the one below, in a match of their options."""
STRONGEST: Final = max(LEVELS)

DEPTH_WITHOUT_ASKING: Final = 4
"""Plies ahead where neither the level, the command nor an option says how many."""
DEEPEST: Final = 30
"""Plies ahead where time decides, and at most; no search of Hive gets so far."""

MOST_PLIES: Final = 1_000
"""Plies considered at a node at most, where an option asks for more than the level does: all there are."""

QUOTIENT_OF_STRONGEST: Final = 9
"""With which the levels without a quotient draw where an option asks for it."""

TABLE_MB: Final = 64


def search_options(
    level: int,
    *,
    depth: int | None = None,
    seconds: float | None = None,
    most_depth: int | None = None,
    limit: int | None = None,
    quotient: int | Literal["level", "off"] = "level",
    seed: int | None = None,
    evaluation: str | None = None,
    record: bool = False,
) -> SearchOptions:
    """The search of a level.

    `depth` is what `bestmove depth` asks for and goes before the level's own; with `seconds` the search
    deepens until it has to stop or has reached the level's depth. `most_depth` caps whatever else is asked;
    a `limit` goes before the level's. Another `evaluation` has weights of its own, whatever the level.

    >>> search_options(3).depth, search_options(3, depth=5).depth, search_options(9, seconds=2).depth
    (2, 5, 30)
    """
    chosen = LEVELS[level]
    plies = depth or chosen.depth or (DEPTH_WITHOUT_ASKING if seconds is None else DEEPEST)
    plies = min(plies, most_depth or DEEPEST, DEEPEST)
    wanted = chosen.quotient if quotient == "level" else None if quotient == "off" else quotient
    return SearchOptions(
        depth=plies,
        limit=limit or chosen.limit,
        evaluation=evaluation,
        weights=chosen.weights if evaluation is None else {},
        seconds=seconds,
        algorithm="pvs",
        iterative=plies > 1,
        quotient=wanted,
        seed=None if wanted is None else seed,
        record=record,
        keep="last",
        table=TABLE_MB if plies > 1 else None,
        killers=True,
        prove_wins=chosen.proves,
    )
