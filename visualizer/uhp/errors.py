"""The errors with which a session refuses a command, one for each answer of the protocol."""

from __future__ import annotations


class CommandError(ValueError):
    """A command that cannot be done; the session answers `err` and these words."""


class PlyError(ValueError):
    """A ply that is not legal or no ply at all; the session answers `invalidmove` and these words."""


def one_line(words: object) -> str:
    r"""Words on one line, as every answer has to be.

    >>> one_line("not\n  here")
    'not here'
    """
    return " ".join(str(words).split())
