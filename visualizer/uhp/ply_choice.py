"""Choosing a ply: the engine's search with a session's options."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final, Literal

from plyscope.engine.games.hive.openings import THIRD_QUOTIENT, THIRD_TURN, opening_ply
from plyscope.engine.options import SearchOptions
from plyscope.engine.quoting import quoted
from plyscope.engine.record.recording import Recording
from plyscope.engine.run import Iteration, search
from plyscope.visualizer.uhp.levels import (
    LEVELS,
    LEVELS_OWN,
    OFF,
    OWN,
    QUOTIENT_OF_STRONGEST,
    Settings,
    search_options,
)
from plyscope.visualizer.uhp.match import CommandError, Match

LEAST_SECONDS: Final = 0.01
"""The time for `bestmove time 00:00:00`."""

MOST_HEADROOM: Final = 0.08
"""The seconds of a `bestmove time` reserved for work around the search, which looks at the clock every 30 ms:
without it answers came 30 ms late, and up to 0.13 s on a machine with four times its work."""


def parse_time(text: str) -> float:
    """The seconds of `hh:mm:ss`; raises CommandError.

    >>> parse_time("00:01:30"), parse_time("0:0:2.5")
    (90.0, 2.5)
    """
    found = re.fullmatch(r"(\d{1,3}):(\d{1,2}):(\d{1,2}(?:\.\d{1,7})?)", text.strip(), re.ASCII)
    if found is None or int(found[2]) > 59 or float(found[3]) >= 60:
        raise CommandError(f"bestmove time {quoted(text)}: expected hh:mm:ss, such as 00:00:05")
    return 3600 * int(found[1]) + 60 * int(found[2]) + float(found[3])


def parse_depth(text: str) -> int:
    """A depth from 1; raises CommandError.

    >>> parse_depth("3")
    3
    """
    if re.fullmatch(r"\d{1,3}", text.strip(), re.ASCII) is None or int(text) == 0:
        raise CommandError(f"bestmove depth {quoted(text)}: expected a whole number from 1 to 999")
    return int(text)


def seconds_of_search(seconds: float, gone: float) -> float:
    """The seconds that the search gets of those in which to answer, `gone` of them being over.

    >>> seconds_of_search(1, 0.02), seconds_of_search(1, 5)
    (0.9, 0.01)
    """
    return max(LEAST_SECONDS, seconds - min(MOST_HEADROOM, seconds / 4) - gone)


def options_of_bestmove(
    settings: Settings, n_played: int, *, depth: int | None = None, seconds: float | None = None
) -> SearchOptions:
    """The search that a `bestmove` means, `n_played` plies into a game."""
    most_seconds = float(settings["MaxTime"])
    if most_seconds:
        seconds = min(seconds or most_seconds, most_seconds)
    level = int(settings["Level"])
    return search_options(
        level,
        depth=depth,
        seconds=seconds,
        most_depth=int(settings["MaxDepth"]) or None,
        limit=int(settings["Limit"]) or None,
        quotient=_quotient(settings, level, n_played),
        seed=seed_of(settings, n_played),
        evaluation=None if settings["Evaluation"] == OWN else str(settings["Evaluation"]),
        record=bool(settings["WriteLogs"]),
    )


def _quotient(settings: Settings, level: int, n_played: int) -> int | Literal["level", "off"]:
    asked = str(settings["Q"])
    if asked == OFF:
        return "off"
    if asked != LEVELS_OWN:
        return int(asked)
    if settings["Openings"] and n_played in THIRD_TURN:
        return THIRD_QUOTIENT
    if settings["VaryStrongest"] and LEVELS[level].quotient is None:
        return QUOTIENT_OF_STRONGEST
    return "level"


def seed_of(settings: Settings, n_played: int) -> int | None:
    """The seed of a turn's draws; None if they are to differ every time."""
    seed = int(settings["Seed"])
    return seed + n_played if seed else None


def from_openings(match: Match, settings: Settings) -> str | None:
    """A ply of the first two turns, drawn and not searched; None where the search has to choose."""
    if not settings["Openings"]:
        return None
    text = opening_ply(match.game_string, random.Random(seed_of(settings, match.n_played)))
    return None if text is None else match.spelled(text)


def best_ply(
    game: Any,
    position: str,
    options: SearchOptions,
    *,
    compiled: bool | None = None,
    should_stop: Callable[[], bool] | None = None,
    on_iteration: Callable[[Iteration], None] | None = None,
) -> Recording:
    """Search `position`, which is not over; the recording has a ply, however soon it had to end.

    Every search begins with an empty table. To carry the table of a side's search before saved 1 % of the
    nodes at depth 4 and 3 % at depth 5 (157 searches in four games) and changed no ply, since a position two
    plies on is searched to another depth; and logs would name entries whose searches they do not hold.
    """
    recording = search(
        game, position, options, None, should_stop, compiled=compiled, on_iteration=on_iteration
    )
    if recording.ply is None:
        at_once = replace(options, depth=1, seconds=None, iterative=False, table=None)
        recording = search(game, position, at_once, compiled=compiled)
    return recording


def iteration_line(iteration: Iteration) -> str:
    """An iteration as reported: `move;depth;score`, then the expected moves, the first included.

    >>> iteration_line(Iteration(2, "wA1 bQ-", 12.345, ("wA1 bQ-", "bA1 wQ-")))
    'wA1 bQ-;2;12.35;wA1 bQ-;bA1 wQ-'
    """
    return ";".join([iteration.ply, str(iteration.depth), f"{iteration.score:.2f}", *iteration.line])
