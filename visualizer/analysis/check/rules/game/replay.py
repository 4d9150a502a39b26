"""Rule `replay`: in a known game, every node agrees with the rules of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from plyscope.engine.compile.kernels import with_all_kernels
from plyscope.engine.game import FIRST_WON, REPEATED, GameError, State, mover_of, why_over
from plyscope.engine.kernel_game import legal_plies
from plyscope.visualizer.analysis.check.facts.children import text_of_key
from plyscope.visualizer.analysis.check.facts.judged import Mask, Rows
from plyscope.visualizer.analysis.check.rule import Figures, Rule
from plyscope.visualizer.analysis.check.rules.game import play as playing
from plyscope.visualizer.analysis.check.rules.game.habits import odd_key
from plyscope.visualizer.analysis.check.rules.game.play import OVER_QUIET
from plyscope.visualizer.analysis.check.rules.game.start import (
    rules_of,
    start_of,
    stated_start,
    states_position,
    unread_plies,
    unread_position,
)
from plyscope.visualizer.analysis.check.rules.game.walk import fault_at, left_out, replayed, takes_draw
from plyscope.visualizer.analysis.columns.claims import expected_of
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.row import moves_of, player_of, pre_score_of, purpose_of, static_of
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.analysis.nodes.digits import apart, shortened
from plyscope.visualizer.store import words


def difference_at(sight: Sight, row: int, fault: int) -> Figures:
    """Return the difference of the kind `fault` (a code of `play`) at a row; its path is played again."""
    known, start = start_of(sight)
    game: Any = with_all_kernels(known)
    rules = rules_of(sight, known, start)
    state = start.copy()
    for each in _path_to(sight, row):
        try:
            _step(sight, known, state, each)
        except GameError as error:
            ply = sight.log.text(int(sight.ply[each]))
            return Figures("a legal ply", ply, f"This ply cannot be played here: {error}.")
    status = int(game.status(state))
    values = np.zeros(len(known.factors))
    worth = float(playing.worth_of(game, sight, rules, row, state, status, values))
    expected: Any
    found: Any
    if fault == playing.PLAYER:
        theirs = int(rules.player_of_log[player_of(sight, row)])
        expected, found = mover_of(known, state), known.players[theirs]
        return Figures(expected, found, f"{expected} is to move here, but the log says {found}.")
    if fault == playing.IN_CHECK:
        said = bool(sight.in_check[row])
        is_not, says = ("not ", "is") if said else ("", "is not")
        return Figures(
            not said, said, f"The mover is {is_not}in check here, but the log says that it {says}."
        )
    if fault == playing.MAY_BE_DRAWN:
        message = (
            "The log calls this a draw, which only a repetition of plies before the stated position can be: "
            "write `moves` and these plies behind the FEN."
        )
        return Figures("the game goes on", "a draw", message)
    if fault == playing.ODD_KEY:
        return _of_keys(sight, row)
    if fault >= playing.MISSED:
        return _of_missed_draw(sight, row, int(game.draw_of(state)), why_over(known, state))
    if fault in (playing.NOT_OVER, playing.OVER, playing.OVER_QUIET, playing.ENDING):
        return _of_ending(sight, row, fault, int(playing.ending_of(rules, status)), why_over(known, state))
    if fault == playing.WINNER:
        return _of_winner(sight, row, known.players, status)
    if fault == playing.WORTH:
        expected, found = expected_of(sight, row, worth), float(sight.score[row])
        won, returned = apart(expected, found)
        why = why_over(known, state)
        message = f"The game is over here{why} and worth {won}, but the search returned {returned}."
        return Figures(expected, found, message)
    if fault == playing.MOVES:
        expected = len(legal_plies(known, state))
        found = moves_of(sight, row)
        message = f"There are {expected} legal plies here, but the log says {found}."
        return Figures(expected, found, message)
    if fault == playing.KEY:
        expected, found = f"{int(game.key(state)) & (1 << 64) - 1:016x}", f"{int(sight.key[row]):016x}"
        message = f"The key of this position is {expected}, but the log says {found}."
        return Figures(expected, found, message)
    if fault == playing.FACTOR:
        i = int(playing.wrong_factor(sight, rules, row, values))
        return _of_number(list(known.factors)[i], float(values[i]), float(sight.factors[row, i]))
    if fault == playing.STATIC:
        return _of_number("evaluation", worth, static_of(sight, row))
    return _of_number("pre-score", worth, pre_score_of(sight, row))


def _path_to(sight: Sight, row: int) -> list[int]:
    """Return the rows whose plies lead from the root to `row`, with `row` last."""
    path = []
    while sight.parent[row] >= 0:
        path.append(row)
        row = int(sight.parent[row])
    return path[::-1]


def _step(sight: Sight, game: Any, state: State, row: int) -> None:
    if purpose_of(sight, row) == words.NULL:
        game.pass_turn(state)
    elif sight.ply[row] >= 0 or purpose_of(sight, row) != words.PROBE:
        game.apply(state, game.read_ply(state, sight.log.text(int(sight.ply[row])) or ""))


def _of_keys(sight: Sight, row: int) -> Figures:
    odd = odd_key(sight)
    assert odd is not None
    _, there, is_one = odd
    node = int(sight.log.columns["id"][there])
    here, other = (shortened(text_of_key(sight, each)) for each in (row, there))
    if is_one:
        return Figures(
            "another key", here, f"Other pieces stand at node {node}, which has the same key {here}."
        )
    return Figures(other, here, f"The same position has the key {other} at node {node}, but {here} here.")


def _of_missed_draw(sight: Sight, row: int, draw: int, why: str) -> Figures:
    outcome = words.OUTCOMES[sight.outcome[row]]
    if draw >= REPEATED:
        message = (
            f"This position came {draw - REPEATED} plies before, and elsewhere the log calls that a draw, "
            f"but here the node is {outcome}."
        )
        return Figures("a draw", outcome, message)
    message = f"The game is over here{why}, but the log calls the node {outcome}"
    once = "" if takes_draw(sight, draw) else "; no row of this log ends a game so"
    return Figures("the game is over", outcome, f"{message}{once}.")


def _of_number(name: str, expected: float, found: float) -> Figures:
    here, stated = apart(expected, found)
    message = f"The {name} of this position is {here}, but the log says {stated}."
    return Figures(expected, found, message)


def _of_winner(sight: Sight, row: int, players: Sequence[str], status: int) -> Figures:
    has_won, has_lost = players if status == FIRST_WON else players[::-1]
    found = float(sight.score[row])
    if np.isnan(found):
        found = float(sight.mean[row])
    (returned,) = apart(found)
    to_whom = "a draw's" if found == sight.draw else f"good for {has_lost}"
    message = f"{has_won} has won here, but the search returned {returned}, which is {to_whom}."
    return Figures(f"a score that is good for {has_won}", found, message)


def _of_ending(sight: Sight, row: int, fault: int, ending: int, why: str) -> Figures:
    outcome = words.OUTCOMES[sight.outcome[row]]
    if fault == playing.NOT_OVER:
        message = "The log calls the game over here, but it goes on."
        return Figures("the game goes on", outcome, message)
    if fault in (playing.OVER, playing.OVER_QUIET):
        message = f"The game is over here{why}, but the log calls the node {outcome}."
        return Figures("the game is over", outcome, message)
    expected, found = words.ENDINGS[ending], words.ENDINGS[sight.ending[row]]
    return Figures(expected, found, f"The game is a {expected} here{why}, but the log says {found}.")


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
        return difference_at(sight, row, fault_at(sight, row))
    except GameError as error:  # in the code of somebody's own game
        return Figures(expected="the game's position", found=None, message=f"{error}.")


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
