"""Errors of a match: terms that cannot be played, and faults of players."""

from __future__ import annotations

from typing import Final

REFUSED_FIRST: Final = "refused its first question"
"""How the fault of a player begins that refused the first question of a game."""


class MatchError(ValueError):
    """A match that cannot be played; the message has the reason and advice."""


class PlayerError(Exception):
    """A player's fault, which loses it the game; the message goes behind the player's name."""


class RefusedError(PlayerError):
    """A question that an engine refused; `said` is a sentence with the question and the answer."""

    def __init__(self, said: str) -> None:
        super().__init__(f"refused {said}")
        self.said = said
