"""Choosing a ply: what a session's options ask of the engine's one search, and the log that it leaves."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from engine.games.hive.openings import THIRD_QUOTIENT, THIRD_TURN, opening_ply
from engine.options import SearchOptions
from engine.recording import Recording
from engine.run import search
from visualizer.uhp.errors import CommandError
from visualizer.uhp.levels import search_options
from visualizer.uhp.match import Match
from visualizer.uhp.options import Settings

LEAST_SECONDS: Final = 0.01
"""What `bestmove time 00:00:00` is given."""


def parse_time(text: str) -> float:
    """The seconds of `hh:mm:ss`; raises CommandError.

    >>> parse_time("00:01:30"), parse_time("0:0:2.5")
    (90.0, 2.5)
    """
    found = re.fullmatch(r"(\d{1,3}):(\d{1,2}):(\d{1,2}(?:\.\d{1,7})?)", text.strip(), re.ASCII)
    if found is None or int(found[2]) > 59 or float(found[3]) >= 60:
        raise CommandError(f"bestmove time {text[:40]!r}: expected hh:mm:ss, such as 00:00:05")
    return 3600 * int(found[1]) + 60 * int(found[2]) + float(found[3])


def parse_depth(text: str) -> int:
    """A depth from 1; raises CommandError.

    >>> parse_depth("3")
    3
    """
    if re.fullmatch(r"\d{1,3}", text.strip(), re.ASCII) is None or int(text) == 0:
        raise CommandError(f"bestmove depth {text[:40]!r}: expected a whole number from 1 to 999")
    return int(text)


def asked_of_search(
    settings: Settings, n_played: int, *, depth: int | None = None, seconds: float | None = None
) -> SearchOptions:
    """The search that a `bestmove` means, `n_played` plies into a game."""
    most_seconds = float(settings["MaxTime"])
    if most_seconds:
        seconds = min(seconds or most_seconds, most_seconds)
    quotient = int(settings["Q"]) or None
    if quotient is None and settings["Openings"] and n_played in THIRD_TURN:
        quotient = THIRD_QUOTIENT
    return search_options(
        int(settings["Level"]),
        depth=depth,
        seconds=seconds,
        most_depth=int(settings["MaxDepth"]) or None,
        quotient=quotient,
        seed=seed_of(settings, n_played),
        record=bool(settings["WriteLogs"]),
    )


def seed_of(settings: Settings, n_played: int) -> int | None:
    """What the draws of a turn start from, None where they are to differ every time."""
    seed = int(settings["Seed"])
    return seed + n_played if seed else None


def from_openings(match: Match, settings: Settings) -> str | None:
    """A ply of the first two turns, drawn and not searched; None where the search has to choose."""
    if not settings["Openings"]:
        return None
    text = opening_ply(match.game_string, random.Random(seed_of(settings, match.n_played)))
    return None if text is None else match.spelled(text)


def best_ply(game: Any, position: str, options: SearchOptions, *, compiled: bool = True) -> Recording:
    """Search `position`, which is not over; the recording has a ply, however short the time was."""
    recording = search(game, position, options, compiled=compiled)
    if recording.ply is None:
        at_once = replace(options, depth=1, seconds=None, iterative=False, table=None)
        recording = search(game, position, at_once, compiled=compiled)
    return recording


def log_path(folder: Path, session: str, n_games: int, n_played: int, n_searches: int) -> Path:
    """Where the log of a search goes, never in the place of another; names sort by session, game and ply.

    >>> log_path(Path("logs"), "20260101-120000-77", 2, 13, 40).name
    '20260101-120000-77-game02-ply014-search040.json.gz'
    """
    return folder / f"{session}-game{n_games:02}-ply{n_played + 1:03}-search{n_searches:03}.json.gz"


def check_folder(folder: Path) -> None:
    """Make `folder` and see that logs can be written there; raises OSError, LogError."""
    from visualizer.formats.write import check_target

    folder.mkdir(parents=True, exist_ok=True)
    check_target(folder / "log.json.gz")


def write_log(recording: Recording, path: Path) -> None:
    """Write what a search recorded; raises LogError."""
    from visualizer.formats.recording import log_from_recording
    from visualizer.formats.write import write_log_file

    write_log_file(log_from_recording(recording), path)
