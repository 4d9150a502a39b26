"""replay: in a game that is known, every position is what the game makes of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope.engine.game import GameError
from plyscope.visualizer.analysis.check.rule import Figures, Rule, Severity
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


def find(sight: Sight, work: Work) -> npt.NDArray[np.int64]:
    """The rows at which the log and the game differ; the first root where that is in another notation."""
    if unread_position(sight) is not None or unread_plies(sight) is not None:
        return np.array(sight.roots[:1], np.int64)
    return np.array(replayed(sight, work), np.int64)


def figures(sight: Sight, row: int) -> Figures:
    """The first difference between the game and the log at `row`, or the text that the game cannot read."""
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


def has_judged(sight: Sight, work: Work) -> bool:
    """Whether a ply was played or a position read: always, where the log could be played at all."""
    return True


def unknown_game(sight: Sight) -> str | None:
    """Return the reason why the plies of the log cannot be played again, or None."""
    try:
        stated_start(sight)
    except GameError as error:
        return str(error)
    return None


def severity_at(sight: Sight, rows: npt.NDArray[np.int64]) -> Sequence[Severity]:
    """Odd where engines have ways of their own: to write positions and plies, to take draws, to see mate."""
    if unread_position(sight) is not None or unread_plies(sight) is not None:
        return ["odd" for _ in rows]
    return ["odd" if fault_at(sight, row) >= OVER_QUIET else "wrong" for row in rows.tolist()]


_EXAMPLE: Final = """
{"plyscope": 1,
 "game": "tictactoe",
 "position": "XX. OO. ... X",
 "root": {"layer": "max", "score": 0, "moves": 5, "outcome": "searched", "children": [
   {"ply": "b1", "layer": "min", "score": 0, "outcome": "leaf"},
   {"ply": "c3", "layer": "min", "score": 0, "outcome": "leaf"},
   {"outcome": "limited", "count": 3, "plies": ["c2", "a1", "c1"]}]}}
"""

RULE = Rule(
    name="replay",
    severity="wrong",
    reason="in a known game: plies legal; winners, endings, players, moves, keys, evaluations as it has them",
    has_judged=has_judged,
    of_lines=True,
    unjudged="the log has no positions",
    meaning=(
        "The plies were played again in the game that the log names, and the position is not what the log "
        "says of it. Usually a ply is not taken back completely, the generator makes plies that are not "
        "legal or forgets some, the end of the game is missed, or the evaluation is of another position. A "
        "finished game that one side has won has no score that is good for the other. In chess it is odd "
        "where mate or stalemate is missed in quiescence, where a law of draws is not applied (told once, "
        "if the log never applies it), and where a position that came before is searched on, though the "
        "log calls others a draw. A draw at the first repetition is no fault, nor are these habits of "
        "other engines: a draw worth something, where no `draw` is declared; repetitions without rights to "
        "castle; pseudo-legal plies where a king left under attack is taken, and counts of them. Keys, "
        "factors, evaluations and pre-scores are compared only in logs of our own engine; in chess logs of "
        "others it is odd, once a log, where two sets of pieces have one key, or one position two, "
        "whatever else is in the keys. Where the game cannot read the position that the log states, or not "
        "one ply of the root, the log is in another notation: that is the one finding, an odd one. So is a "
        "root ply that is not legal at the start of the game, in a log that states no position."
    ),
    needs=("ply",),
    example=_EXAMPLE,
    find=find,
    severity_at=severity_at,
    figures=figures,
    why_not=unknown_game,
    answers_last=True,
    effort=30,
    leaves_out=left_out,
)
