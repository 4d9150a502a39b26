"""What is wrong with a match that was asked for."""

from __future__ import annotations


class MatchError(ValueError):
    """A match that cannot be played; the message says why, and what to do."""
