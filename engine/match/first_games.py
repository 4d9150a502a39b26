"""The first games of each player of a run: one that cannot play ends the match, and no such game is kept."""

from __future__ import annotations

from collections.abc import Sequence

from plyscope.engine.match.errors import REFUSED_FIRST, MatchError
from plyscope.engine.match.games import Played


class FirstGames:
    """Decides which games count, in the order in which they end.

    A game that a player loses by a fault before it has ended any other waits for its next one. Where that
    ends otherwise both count: the player can play. Where not, the results would be of faults, not of plies.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._play: set[int] = set()
        """Players that ended a game without a fault."""
        self._waiting: dict[int, Played] = {}
        """By player its first game, which it lost by a fault."""

    def take(self, played: Played) -> list[Played]:
        """Return the games that count now that this one is over. Raises MatchError: a player cannot play."""
        loser = played.loser if played.why == "fault" else None
        if loser is None:
            self._play |= {played.first, played.second}
            return [*self._of(played.first), *self._of(played.second), played]
        if loser in self._play:
            return [played]
        first = self._waiting.setdefault(loser, played)
        if str(played.fault).startswith(REFUSED_FIRST):
            raise MatchError(
                f"{self._names[loser]} {played.fault}. The match is stopped and keeps no such game: "
                "ask the engine the same by hand"
            )
        if first is not played:
            faults = "; it ".join(dict.fromkeys((str(first.fault), str(played.fault))))
            raise MatchError(
                f"{self._names[loser]} lost its first two games of this run by a fault: it {faults}. "
                "The match is stopped and keeps neither: ask the engine the same by hand"
            )
        return []

    def rest(self) -> list[Played]:
        """Return the games that still wait, at the end of a run."""
        return [game for loser in list(self._waiting) for game in self._of(loser)]

    def _of(self, player: int) -> list[Played]:
        return [self._waiting.pop(player)] if player in self._waiting else []
