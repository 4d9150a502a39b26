"""Kernels that play a log's plies in its game, and mark the rows at which the game and the log differ.

Positions are kept one a level, each copied from the one above. A ply in a log is a text: its number here is
looked up, and asked of the caller where it is not known yet. Rows below an illegal ply are not judged.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from plyscope.engine.game import BY_SOME, DRAWN, FIRST_WON, NO_DRAW, ONGOING, REPEATED, SCORED, UNKNOWN_BEFORE
from plyscope.engine.games.stepping import copy_state
from plyscope.engine.jit import copy_array, kernel, word
from plyscope.visualizer.analysis.columns.claims import is_close, returns
from plyscope.visualizer.analysis.columns.declarations import SOFT
from plyscope.visualizer.analysis.columns.row import (
    alpha_of,
    beta_of,
    is_quiescence,
    is_stub,
    moves_of,
    player_of,
    pre_score_of,
    purpose_of,
    static_of,
)
from plyscope.visualizer.analysis.columns.sight import Array, Sight
from plyscope.visualizer.store import words
from plyscope.visualizer.store.columns import GIVEN

# Faults of a row; the first that applies.
ILLEGAL: Final = 1
PLAYER: Final = 2
NOT_OVER: Final = 3
OVER: Final = 4
ENDING: Final = 5
WINNER: Final = 12
WORTH: Final = 6
MOVES: Final = 7
KEY: Final = 8
FACTOR: Final = 9
STATIC: Final = 10
PRE_SCORE: Final = 11
IN_CHECK: Final = 13
OVER_QUIET: Final = 14
"""Mate or stalemate in quiescence, where many engines do not look for it."""
MAY_BE_DRAWN: Final = 15
"""A draw is claimed that only the plies before the stated position can tell."""
ODD_KEY: Final = 16
"""A key of another engine that two positions have, or one of two that one position has."""
MISSED: Final = 20
"""Added to a draw (`Game.draw_of`) at which the search went on."""
MISSED_EARLIER: Final = MISSED + REPEATED
DREW: Final = 30
"""Added to a draw that the search took: no fault, but a habit of its engine."""

UNKNOWN: Final = -1
"""In place of the number of plies: the position itself is not known."""

UNREAD: Final = -(1 << 31)
"""No number for a ply's text is known yet."""

# Codes that are no numbers of texts.
UNWRITTEN: Final = -2
NOT_IN_LOG: Final = -1

_KEY_GIVEN: Final = GIVEN["key"]
_LEAST_TOLERANCE: Final = 1e-9


class Rules(NamedTuple):
    """The fields of a log that can be compared with the game."""

    player_of_log: Array
    """The game's number of each of the log's players, -1 where it has none of that name."""
    weights: Array
    """One entry a factor; none where the evaluation is not the game's."""
    root_player: int
    has_keys: bool
    """Whether the log's keys are the game's."""
    has_checks: bool
    """Whether the game knows check."""
    needs_position: bool
    """Whether one text means another ply in every position."""


@kernel
def play(
    game: Any,
    sight: Sight,
    rules: Rules,
    is_expanded: Array,
    states: Array,
    plies: Array,
    n_plies: Array,
    values: Array,
    numbers: Array,
    is_read: Array,
    text_of_code: Array,
    first: int,
    last: int,
    number: int,
    codes: Array,
) -> int:
    """Play the rows in [first, last) and write the fault of each to `codes[row - first]`, 0 for none.

    Returns `last`, or the row whose ply the caller must read; it calls again from that row with the `number`
    that the ply has there (UNREAD elsewhere). A row for whose plies there is no room is returned, too.
    `states[0]` is the start, and the position at a level stands one row further down; so do `plies`,
    `n_plies` and `is_read`. `numbers` has an entry a text, in one row, or in a row a position where each
    position needs its own, with one more that has UNREAD for all; `is_read` says where that is filled.
    `text_of_code` has the texts of plies by their codes (`Game.ply_code`), UNWRITTEN where not known.
    """
    for row in range(first, last):
        if is_stub(sight, row):
            continue
        above = int(sight.level[row])
        here = above + 1
        before = states[above if sight.parent[row] >= 0 else 0]
        state = states[here]
        n_plies[here] = UNKNOWN
        is_read[here] = False
        if sight.parent[row] < 0:
            copy_state(before, state)
        elif n_plies[above] == UNKNOWN:
            continue
        elif purpose_of(sight, row) == words.NULL:
            copy_state(before, state)
            if not game.pass_turn(state):
                continue
        else:
            text = int(sight.ply[row])
            if text < 0 and purpose_of(sight, row) == words.PROBE:
                copy_state(before, state)
                n_plies[here] = game.generate(state, plies[here])
                continue
            if text < 0:
                continue
            ply = number
            if row > first or number == UNREAD:
                if rules.needs_position and not is_read[above]:
                    is_read[above] = are_written(
                        game, before, plies[above], n_plies[above], text_of_code, numbers, above
                    )
                    if not is_read[above]:
                        return row
                ply = int(numbers[above if rules.needs_position else 0, text])
                if not is_among(plies[above], n_plies[above], ply):
                    return row
            copy_state(before, state)
            game.apply(state, ply)
        n_plies[here] = 0
        asks_moves = moves_of(sight, row) >= 0 and is_expanded[row]
        if asks_moves or sight.end[row] > row + 1:
            n_plies[here] = game.generate(state, plies[here])
            if n_plies[here] < 0:
                return row
        n_legal = n_plies[here] if asks_moves else -1
        codes[row - first] = fault_of(game, sight, rules, row, state, n_legal, values)
    return last


@kernel
def are_written(
    game: Any, state: Array, plies: Array, n_plies: int, text_of_code: Array, numbers: Array, above: int
) -> bool:
    """Note the numbers of texts in the position `above`; False if the text of a ply's code is not known."""
    here = numbers[above]
    copy_array(numbers[len(numbers) - 1], here)
    for i in range(n_plies):
        code = int(game.ply_code(state, plies[i]))
        if not 0 <= code < len(text_of_code) or text_of_code[code] == UNWRITTEN:
            return False
        text = int(text_of_code[code])
        if text != NOT_IN_LOG:
            here[text] = plies[i]
    return True


@kernel
def is_among(plies: Array, n_plies: int, ply: int) -> bool:
    """Whether `ply` is one of the first `n_plies`."""
    place = 0
    while place < n_plies and plies[place] != ply:
        place += 1
    return bool(place < n_plies)


@kernel
def fault_of(
    game: Any, sight: Sight, rules: Rules, row: int, state: Array, n_plies: int, values: Array
) -> int:
    """Return the fault of a row: how the log differs from the game in its position, 0 for none.

    `n_plies` is the number of legal plies, below 0 where it is not asked; `values` has room for the factors.
    """
    status = game.status(state)
    said = player_of(sight, row)
    if said >= 0 and status == ONGOING:
        theirs = rules.player_of_log[said]
        if theirs >= 0 and theirs != game.player(state):
            return PLAYER
    outcome = sight.outcome[row]
    goes_on = outcome == words.SEARCHED or outcome == words.CUTOFF or outcome == words.LEAF
    draw = NO_DRAW
    if goes_on or outcome == words.TERMINAL:
        draw = game.draw_of(state)
    if outcome == words.TERMINAL and status == ONGOING:
        if draw == NO_DRAW or not can_be_drawn(sight, row):
            return NOT_OVER
        if draw == UNKNOWN_BEFORE:
            return MAY_BE_DRAWN
    if status != ONGOING and status != SCORED:
        if goes_on and draw == NO_DRAW:
            return OVER_QUIET if is_quiescence(sight, row) else OVER
        stated = int(sight.ending[row]) if len(sight.ending) > 0 else 0
        if stated != 0 and stated != ending_of(rules, status):
            return ENDING
        if outcome == words.TERMINAL and favours_loser(sight, row, ending_of(rules, status)):
            return WINNER
    worth = worth_of(game, sight, rules, row, state, status, values)
    if outcome == words.TERMINAL and can_be_clamped(sight) and not returns(sight, row, worth):
        return WORTH
    moves = moves_of(sight, row)
    if moves >= 0 and n_plies >= 0 and status == ONGOING and n_plies != moves:
        return MOVES
    if rules.has_keys and sight.given[row] & _KEY_GIVEN and word(game.key(state)) != sight.key[row]:
        return KEY
    if rules.has_checks and is_another_check(game, sight, row, state):
        return IN_CHECK
    if draw != NO_DRAW and draw != UNKNOWN_BEFORE:
        habit = habit_of(sight, row, draw, goes_on)
        if habit != 0:
            return habit
    if len(rules.weights) == 0:
        return 0
    if status in (ONGOING, SCORED):
        if wrong_factor(sight, rules, row, values) >= 0:
            return FACTOR
        if not is_evaluation(sight, rules, static_of(sight, row), worth, values):
            return STATIC
    if not is_evaluation(sight, rules, pre_score_of(sight, row), worth, values):
        return PRE_SCORE
    return 0


@kernel
def can_be_drawn(sight: Sight, row: int) -> bool:
    """Return whether the row states a draw, or no ending."""
    return bool(len(sight.ending) == 0 or sight.ending[row] == 0 or sight.ending[row] == words.DRAW)


@kernel
def is_another_check(game: Any, sight: Sight, row: int, state: Array) -> bool:
    """Whether `in_check` is another than in the position; a leaf that is not in check may not have looked."""
    if len(sight.in_check) == 0 or sight.in_check[row] < 0:
        return False
    said = sight.in_check[row] == 1
    if not said and (sight.outcome[row] == words.LEAF or is_quiescence(sight, row)):
        return False
    return bool(game.in_check(state) != said)


@kernel
def habit_of(sight: Sight, row: int, draw: int, goes_on: bool) -> int:
    """The code of a draw that is taken, or missed outside quiescence, below the root; 0 for none.

    A repetition is missed only where the position came before in this search: a game goes on at its second.
    """
    kind = min(draw, REPEATED)
    if not goes_on:
        return DREW + kind
    if sight.parent[row] < 0 or is_quiescence(sight, row) or BY_SOME <= draw < REPEATED:
        return 0
    return MISSED + kind if draw < REPEATED or draw - REPEATED <= sight.n_plies[row] else 0


@kernel
def ending_of(rules: Rules, status: int) -> int:
    """Return the code of an ending (win, loss or draw), as the root player sees it."""
    if status == DRAWN:
        return words.DRAW
    return words.WIN if (status == FIRST_WON) == (rules.root_player == 0) else words.LOSS


@kernel
def favours_loser(sight: Sight, row: int, ending: int) -> bool:
    """Whether the score, or the mean, of a finished game is good for the side that has lost it, or a draw's.

    A fail-hard search may have returned the edge of its window.
    """
    score = float(sight.score[row])
    if score != score and len(sight.mean) > 0:
        score = float(sight.mean[row])
    middle = 0.5 * (sight.range_low + sight.range_high)
    if middle != middle:
        middle = sight.draw if sight.draw == sight.draw else 0.0
    is_draw = sight.draw == sight.draw and score == sight.draw
    if not (score < middle if ending == words.WIN else ending == words.LOSS and score > middle) and not (
        is_draw and ending != words.DRAW
    ):
        return False
    if sight.best_first or (sight.fail_is_declared and sight.fail == SOFT):
        return True
    if not can_be_clamped(sight):
        return not sight.stubs_cuts
    return score != alpha_of(sight, row) and score != beta_of(sight, row)


@kernel
def can_be_clamped(sight: Sight) -> bool:
    """Whether the log states how a score may differ from the worth of an ending."""
    return bool(sight.fail_is_declared or (len(sight.alpha) > 0 and len(sight.beta) > 0))


@kernel
def worth_of(
    game: Any, sight: Sight, rules: Rules, row: int, state: Array, status: int, values: Array
) -> float:
    """Return the worth of a position to the root player, with its factors in `values`; NaN if unknown.

    Without a declared worth of draws, a draw may have any worth but the declared score of a win.
    """
    if status == DRAWN:
        is_a_win = 0.0 < sight.mate_threshold <= abs(sight.score[row]) <= sight.mate
        return 0.0 if is_a_win and np.isnan(sight.draw) else float(sight.draw)
    if status != ONGOING and status != SCORED:
        worth = sight.mate - sight.mate_step * sight.n_plies[row]
        return float(worth if ending_of(rules, status) == words.WIN else -worth)
    if len(rules.weights) == 0:
        return np.nan
    game.values(state, values)
    worth = 0.0
    for i in range(len(rules.weights)):
        if rules.root_player != 0:
            values[i] = 0.0 - values[i]
        worth += float(rules.weights[i]) * float(values[i])
    return float(worth)


@kernel
def is_evaluation(sight: Sight, rules: Rules, found: float, worth: float, values: Array) -> bool:
    """Whether `found` is the worth of the position, or one of them is unknown."""
    if found != found or worth != worth or is_close(found, worth, max(sight.tolerance, _LEAST_TOLERANCE)):
        return True
    size = 0.0
    for i in range(len(rules.weights)):
        size += abs(float(rules.weights[i]) * float(values[i]))
    return abs(found - worth) <= _LEAST_TOLERANCE * size


@kernel
def wrong_factor(sight: Sight, rules: Rules, row: int, values: Array) -> int:
    """Return the first factor with another value in the log, -1 for none."""
    if sight.factors.shape[0] == 0:
        return -1
    for i in range(len(rules.weights)):
        found = sight.factors[row, i]
        if found == found and not is_close(found, values[i], max(sight.tolerance, _LEAST_TOLERANCE)):
            return i
    return -1
