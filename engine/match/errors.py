"""Errors of a match: terms that cannot be played, and faults of players."""

from __future__ import annotations


class MatchError(ValueError):
    """A match that cannot be played; the message says why, and what to do."""


class PlayerError(Exception):
    """A player's fault, which loses it the game; the message goes behind the player's name."""
