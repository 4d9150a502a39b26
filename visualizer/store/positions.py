"""Positions of a log's nodes, played from the nearest known one, and plies in their game's notation.

Games play in plain Python here: nothing is compiled. Positions are cached with the log, so that a step along
a path plays one ply.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

import numpy as np

from plyscope.engine.former import ENGINE
from plyscope.engine.game import Game, GameError, State, state_of
from plyscope.engine.games import find_logged, is_respelled
from plyscope.visualizer.store.log import Log

MOST_KEPT: Final = 4096
MOST_NAMES: Final = 2**16
LONGEST_QUOTE: Final = 60
FIRST_ROWS: Final = 100_000
FIRST_PLIES: Final = 20
"""The plies of roots, among the first rows, that show whether a log is in the notation of its game."""


def game_of(log: Log) -> Game:
    """The game of a log. Raises GameError where it does not say which, or that is not known here."""
    name = log.header.get("game")
    if not isinstance(name, str):
        raise GameError("the log does not say which game it is of, so its positions cannot be drawn")
    return find_logged(name)


def state_at(log: Log, row: int) -> State:
    """The position at `row`, which must not be changed: up to a known one, then down again ply by ply.

    Raises GameError where it is unknown.
    """
    game, played, below = game_of(log), log.played, list[int]()
    with played.lock:
        while (state := _known(log, game, row)) is None:
            below.append(row)
            row = int(log.columns["parent"][row])
        _keep(log, row, state)
        for row in reversed(below):
            text = ply_at(log, row)
            try:
                ply = game.read_ply(state, text)
            except GameError as error:
                read_pseudo: Any = getattr(game, "read_pseudo", None)  # an engine may make pseudo-legal plies
                if read_pseudo is None or (ply := read_pseudo(state, text)) is None:
                    level = int(log.columns["level"][row])
                    raise GameError(f"ply {level} of the path cannot be played: {error}") from None
            state = state.copy()
            game.apply(state, ply)
            _keep(log, row, state)
        return state


def _known(log: Log, game: Game, row: int) -> State | None:
    """The position at `row` where no ply has to be played: kept, stated by the log, or the root's."""
    if row in log.played.states:
        return log.played.states[row]
    stated = log.column("position")
    text: Any = log.text(int(stated[row])) if stated is not None else None
    if text is None and log.columns["parent"][row] < 0:
        text = log.header.get("position")
        if text is None and log.columns["ply"][row] >= 0:
            raise GameError("the log does not say in which position its root stands")
        if text is None:
            return state_of(game, None)
        if not isinstance(text, str):
            raise GameError(f"the header's position is {_quoted(text)}, expected a text")
    if text is None:
        return None
    try:
        return game.read_position(text)
    except GameError as error:
        if hasattr(game, "read_pseudo") and log.columns["parent"][row] >= 0:
            return None  # a king stands under attack there, which a game never has
        raise GameError(f"the position in the log cannot be read: {error}") from None


def _keep(log: Log, row: int, state: State) -> None:
    """Keep the position at `row`, and of all positions those that were asked for last."""
    kept = log.played.states
    kept[row] = state
    kept.move_to_end(row)
    if len(kept) > MOST_KEPT:
        kept.popitem(last=False)


def ply_at(log: Log, row: int) -> str:
    """The ply that led to `row` as the log wrote it. Raises GameError where it did not."""
    text = log.text(int(log.columns["ply"][row]))
    if text is None:
        raise GameError(f"ply {int(log.columns['level'][row])} of the path is not in the log")
    return text


def _quoted(value: object) -> str:
    text = repr(value)
    return text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "…"


def respells(log: Log) -> bool:
    """Return whether plies of a log are shown in the notation of its game, which differs from the log's own.

    It does so where the game is known to have several, and the first few plies are not all in the game's.
    """
    if log.played.respells is None:
        name, is_ours = log.header.get("game"), log.search.get("engine") == ENGINE
        log.played.respells = isinstance(name, str) and is_respelled(name) and not is_ours
        if log.played.respells:
            first = np.flatnonzero(np.asarray(log.columns["level"][:FIRST_ROWS]) == 1)[:FIRST_PLIES].tolist()
            same = [_as_written(log, row) for row in first]
            log.played.respells = not any(same) or False in same
    return log.played.respells


def _as_written(log: Log, row: int) -> bool | None:
    """Return whether a ply is written as its game writes it; None where it cannot be played."""
    with suppress(GameError):
        game, state = game_of(log), state_at(log, int(log.columns["parent"][row]))
        text = ply_at(log, row)
        return game.write_ply(state, game.read_ply(state, text)) == text
    return None


def shown_ply(log: Log, row: int) -> str | None:
    """The ply to `row` as shown: in its game's notation, or as written where the game is unknown."""
    text = log.text(int(log.columns["ply"][row]))
    if text is None or not respells(log):
        return text
    if (parent := int(log.columns["parent"][row])) >= 0:
        return respelled(log, parent, text)
    with suppress(GameError):
        game: Any = game_of(log)
        if (way := game.taken_back(state_at(log, row))) is not None:
            return str(game.write_ply(*way))
    return text


def respelled(log: Log, row: int, text: str) -> str:
    """A ply at `row` as shown: one of a stub, of a table entry, or one to a child."""
    played = log.played
    if not respells(log):
        return text
    if (found := played.names.get((row, text))) is not None:
        return found
    shown = text
    with suppress(GameError):
        game, state = game_of(log), state_at(log, row)
        shown = game.write_ply(state, game.read_ply(state, text))
    if len(played.names) >= MOST_NAMES:
        played.names.clear()
    played.names[row, text] = shown
    return shown
