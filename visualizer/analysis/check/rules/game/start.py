"""The start of a log that is played again: its game, the position of its roots, the notation of its plies.

Nothing is played here. A log with an unknown game or position, or in another notation, is distinguished from
a log with a fault.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from plyscope.engine.former import ENGINE
from plyscope.engine.game import Game, GameError, State, root_player_of, state_of
from plyscope.engine.games import find_logged as find_game
from plyscope.visualizer.analysis.check.rules.game.play import Rules
from plyscope.visualizer.analysis.columns.sight import Sight
from plyscope.visualizer.store.log import once_a_log
from plyscope.visualizer.store.words import FIRST_STUB, NULL, PROBE

MOST_LEVELS: Final = 500
"""No deeper log is played: there is room for a position a level."""


class _Start(NamedTuple):
    """The position of a log's roots; no state, and the reason, if the game cannot read the text."""

    game: Game
    text: str | None
    state: State | None
    why: str = ""


def start_of(sight: Sight) -> tuple[Game, State]:
    """Return the game of a log and its position at the roots; raises GameError if either is unknown."""
    start = _start(sight)
    if start.state is None:
        raise GameError(start.why)
    return start.game, start.state.copy()


@once_a_log
def _start(sight: Sight) -> _Start:
    """Return the start of a log, read once for all findings; raises GameError if it is unknown."""
    game, text = stated_start(sight)
    try:
        return _Start(game, text, state_of(game, text))
    except GameError as error:
        return _Start(game, text, None, str(error))


def stated_start(sight: Sight) -> tuple[Game, str | None]:
    """Return the game of a log and the text of its roots' position, None for the start of the game.

    Raises GameError if either is unknown.
    """
    name, text = sight.log.header.get("game"), sight.log.header.get("position")
    if not isinstance(name, str):
        raise GameError("the log does not say which game it is of")
    if (deepest := int(sight.level.max(initial=0))) > MOST_LEVELS:
        raise GameError(f"the log is {deepest:,} levels deep, and no game is played beyond {MOST_LEVELS}")
    game = find_game(name)
    if is_ours(sight) and (name, _factors(sight)) != (game.name, list(game.factors)):
        raise GameError(f"{name!r} is not the game of that name that is known here")
    if text is not None and not isinstance(text, str):
        raise GameError("the header's position is no text")
    if own := _positions_of_roots(sight):
        if len(own) > 1:
            raise GameError("its roots stand in several positions")
        text = own.pop()
    if text is None and (sight.ply[sight.roots] >= 0).any():
        raise GameError("the log does not say in which position its roots stand")
    return game, text


def unread_position(sight: Sight) -> tuple[str, str] | None:
    """Return the text of the roots' position if the game cannot read it, and the reason; else None."""
    try:
        start = _start(sight)
    except GameError:
        return None
    return None if start.state is not None else (start.text or "", start.why)


@once_a_log
def unread_plies(sight: Sight) -> tuple[str, str] | None:
    """Return the roots' first ply that cannot be read and why, if none can (another notation); else None.

    Where no position is stated, the game's start is taken for it: one ply that cannot be played there is
    enough. Our own engine writes plies as its games do, so in its logs an unreadable ply is a fault.
    """
    try:
        game, state = start_of(sight)
    except GameError:
        return None
    first = None
    is_ply = (sight.level == 1) & (sight.outcome < FIRST_STUB) & (sight.ply >= 0)
    if len(sight.purpose):
        is_ply &= (sight.purpose != NULL) & (sight.purpose != PROBE)
    for number in [] if is_ours(sight) else np.unique(sight.ply[is_ply]).tolist():
        text = sight.log.text(number) or ""
        try:
            game.read_ply(state, text)
        except GameError as error:
            first = first or (text, str(error))
        else:
            if states_position(sight):
                return None
    return first


def states_position(sight: Sight) -> bool:
    """Whether the log states a position of its roots, so that the game's start is not taken for it."""
    return sight.log.header.get("position") is not None or bool(_positions_of_roots(sight))


def is_ours(sight: Sight) -> bool:
    """Whether our own engine wrote the log, so that its keys and evaluations are the game's."""
    return bool(sight.log.search.get("engine") == ENGINE)


def _factors(sight: Sight) -> list[str]:
    return [factor.name for factor in sight.log.factors]


def _positions_of_roots(sight: Sight) -> set[str]:
    numbers = sight.position[sight.roots] if len(sight.position) else ()
    return {text for number in numbers if (text := sight.log.text(int(number))) is not None}


def rules_of(sight: Sight, game: Game, start: State) -> Rules:
    """Return the fields of the log that are compared with `game`; players are matched by name."""
    names = [name.casefold() for name in game.players]
    theirs = [names.index(name.casefold()) if name.casefold() in names else -1 for name in sight.log.players]
    root_player = root_player_of(game, start)
    if sight.root_player >= 0 and theirs[sight.root_player] >= 0:
        root_player = theirs[sight.root_player]
    return Rules(
        player_of_log=np.array(theirs, np.int64),
        weights=np.array(sight.weights if is_ours(sight) else [], np.float64),
        root_player=root_player,
        has_keys=is_ours(sight)
        and getattr(game, "has_keys", True)
        and len(sight.key) > 0
        and sight.log.key_form == "hex",
        has_checks=hasattr(game, "in_check"),
        needs_position=getattr(game, "plies_need_position", False),
    )
