"""The settings of a study: its length, the seed of its draws, and the report that it fills."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from plyscope_studies.lab.machine import machine
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
        """How many games: as `of` says, or as many as were `published`."""
        return published if self.is_full and not self.is_short else self.of(usual, short)

    def sign(self) -> None:
        """Say by which command, when and where the figures were made."""
        length = " --short" if self.is_short else " --full" if self.is_full else ""
        when = datetime.now(UTC).date().isoformat()
        self.report.say(
            f"Made by `plyscope study lab {self.report.name}{length} --seed {self.seed}` on {when}. "
            f"{machine()}."
        )
