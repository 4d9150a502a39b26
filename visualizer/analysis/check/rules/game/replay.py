"""replay: in a game that is known, every position is what the game makes of it."""

from __future__ import annotations

import numpy as np

from plyscope.engine.game import GameError
from plyscope.visualizer.analysis.check.facts.masks import Mask, Rows
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.check.rules.game.difference import difference_sentence
from plyscope.visualizer.analysis.check.rules.game.play import OVER_QUIET
from plyscope.visualizer.analysis.check.rules.game.start import (
    stated_start,
    states_position,
    unread_plies,
    unread_position,
)
from plyscope.visualizer.analysis.check.rules.game.walk import fault_at, left_out, replayed
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import Sight


def find(sight: Sight, work: Work) -> Rows:
    """The rows at which the log and the game differ; the first root where that is in another notation."""
    if unread_position(sight) is not None or unread_plies(sight) is not None:
        return np.array(sight.roots[:1], np.int64)
    return np.array(replayed(sight, work), np.int64)


def _figures(sight: Sight, row: int) -> Figures:
    if (unread := unread_position(sight)) is not None:
        text, why = unread
        message = f"This position cannot be played from, so nothing of the game was checked: {why}."
        return Figures(expected="a position of the game", found=text, message=message)
    if (unread := unread_plies(sight)) is not None:
        text, why = unread
        if states_position(sight):
            message = (
                f"No ply of the root can be read, such as {text}: {why}. The log is in another notation, "
                "or its position is another one, so nothing of the game was checked."
            )
        else:
            message = (
                f"The log states no position, and at the start of the game {text} cannot be played: {why}. "
                "If its search began elsewhere, write `position` in the header. Nothing of it was played."
            )
        return Figures(expected="plies as the game writes them", found=text, message=message)
    try:
        expected, found, message = difference_sentence(sight, row, fault_at(sight, row))
    except GameError as error:  # in the code of somebody's own game
        return Figures(expected="the game's position", found=None, message=f"{error}.")
    return Figures(expected=expected, found=found, message=message)


def _has_judged(sight: Sight, work: Work) -> bool:
    return True


def unknown_game(sight: Sight) -> str | None:
    """Return the reason why the plies of the log cannot be played again, or None."""
    try:
        stated_start(sight)
    except GameError as error:
        return str(error)
    return None


def is_odd(sight: Sight, rows: Rows) -> Mask | bool:
    """Engines have ways of their own to write positions and plies, to take draws, to see mate."""
    if unread_position(sight) is not None or unread_plies(sight) is not None:
        return True
    return np.array([fault_at(sight, row) >= OVER_QUIET for row in rows.tolist()], np.bool_)


RULE = Rule(
    "replay",
    "wrong",
    ("ply",),
    _figures,
    has_judged=_has_judged,
    of_lines=True,
    find=find,
    is_odd=is_odd,
    why_not=unknown_game,
    answers_last=True,
    effort=30,
    leaves_out=left_out,
)
