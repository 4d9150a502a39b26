"""The settings of a study: its length, the seed of its draws, and the report that it fills."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from plyscope.engine.match.games import Played, schedule
from plyscope.engine.match.match import Match
from plyscope.engine.match.runner import run as run_match
from plyscope.version import __version__
from plyscope_studies.lab.report import Report


@dataclass(frozen=True)
class Lab:
    """A bench for one study.

    report    the page that it fills
    is_short  whether a minute is all there is: the same work on less of it
    seed      all that is drawn follows from it
    n_workers processes that play
    games     a folder for the games of matches, gone on with after a kill; None keeps none
    is_full   whether as many games are played as were published, where the usual run has fewer
    tell      is told how far it is
    """

    report: Report
    is_short: bool = False
    seed: int = 0
    n_workers: int = 1
    games: Path | None = None
    is_full: bool = False
    tell: Callable[[str], None] = field(default=lambda text: None)

    def of(self, usual: int, short: int) -> int:
        """Return `usual`, or `short` where a minute is all there is."""
        return short if self.is_short else usual

    def games_of(self, usual: int, published: int, short: int) -> int:
        """The number of games: that of `of`, or in a full run that of the published study."""
        return published if self.is_full and not self.is_short else self.of(usual, short)

    def file(self, name: str) -> Path | None:
        """The file in which games of this name are kept, its folder made; None where none are."""
        if self.games is None:
            return None
        self.games.mkdir(parents=True, exist_ok=True)
        return self.games / f"{name}.jsonl"

    def play(self, match: Match, name: str, what: str) -> list[Played]:
        """Play a match, or go on with its kept games, and tell how far `what` is."""
        n_games = len(schedule(len(match.agents), match.n_games))
        return run_match(
            match,
            self.file(name),
            n_workers=self.n_workers,
            on_games=lambda done: self.tell(f"{what}, {len(done)} of {n_games} games"),
        )

    def sign(self) -> None:
        """Say by which command, when and where the figures were made."""
        length = " --short" if self.is_short else " --full" if self.is_full else ""
        when = datetime.now(UTC).date().isoformat()
        self.report.say(
            f"Made by `plyscope study lab {self.report.name}{length} --seed {self.seed}` on {when}. "
            f"{machine()}."
        )


def machine() -> str:
    """The processor, how busy it is, and what runs on it."""
    n_cores = os.cpu_count() or 1
    busy = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return (
        f"{processor()}, {n_cores} cores{busy}; Plyscope {__version__}, "
        f"Python {platform.python_version()}, numba {version('numba')}"
    )


def processor() -> str:
    """The name of the processor, as far as the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        lines = []
    named = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(named, "") or platform.processor() or platform.machine()
