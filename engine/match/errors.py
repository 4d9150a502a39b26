"""What is wrong with a match that was asked for."""

from __future__ import annotations


class MatchError(ValueError):
    """A match that cannot be played; the message says why, and what to do."""


class PlayerError(Exception):
    """What a player did wrong in its game, which it loses; the message goes behind the player's name."""
