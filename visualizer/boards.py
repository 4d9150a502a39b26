"""Positions of logged nodes as boards to draw, by replaying plies from the nearest known position.

Uses the games' plain Python: nothing is compiled and numba is not loaded. Whatever cannot be drawn is
answered with the reason in words, for a log may come from any engine and hold anything.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from plyscope.engine.game import Board, Cell, Game, GameError, Place, State, pieces_of
from plyscope.engine.games import is_known
from plyscope.visualizer.stated_board import StatedBoard
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.positions import game_of, ply_at, state_at


@dataclass(frozen=True)
class Step:
    """The cell on which a ply ends and, for a piece that moves there, the cell on which it stood."""

    to: Place
    left: Place | None = None

    def as_json(self) -> dict[str, list[float]]:
        """`to`, and `from` for a piece that moves."""
        return {"to": list(self.to)} | ({} if self.left is None else {"from": list(self.left)})


class Boards:
    """The boards of one log; safe to share between threads.

    A log without `game` or with one not known here gives no drawing but a reason; a log without `position`
    begins at the game's start.
    """

    def __init__(self, log: Log) -> None:
        self._log = log
        self._board: StatedBoard | None = None

    def _stated(self) -> StatedBoard | None:
        """The board that the header states, where the game is not known here. Raises GameError."""
        name = self._log.header.get("game")
        if self._log.header.get("board") is None or (isinstance(name, str) and is_known(name)):
            return None
        if self._board is None:
            self._board = StatedBoard(self._log.header["board"])
        return self._board

    def _drawn_as_stated(self, board: StatedBoard, row: int) -> dict[str, Any]:
        """The stated board at a root, and after a ply at it, whose cells are marked. Raises GameError."""
        level = int(self._log.columns["level"][row])
        if level > 1:
            raise GameError("the log states the board of its root; below the first ply it is not known")
        return board.drawing(board.places_of(ply_at(self._log, row)) if level else ())

    @property
    def are_stated(self) -> bool:
        """Whether the root is drawn as the header states its board."""
        with suppress(GameError):
            return self._stated() is not None
        return False

    def drawing(self, row: int) -> dict[str, Any]:
        """The `Drawing` of the position at `row`, as docs/api.md lists it, or why there is none.

        That is `kind`, `cells`, `text`, `last` and `changed`, with `step` where the ply into it ends on a
        cell and `hands` where the game has them; else `{"drawing": None, "reason": sentence}`.
        Where ours cannot be drawn and the log has the node's board as free text, that is the drawing.
        """
        try:
            return self._drawn(row)
        except GameError as error:
            board = self._log.column("board")
            text = self._log.text(int(board[row])) if board is not None else None
            if text is not None:
                return drawing_of(Board("text", text=text))
            return {"drawing": None, "reason": str(error)}

    def steps(self, row: int, children: Iterable[int]) -> dict[int, Step]:
        """The steps of some children of `row` on its board; those that cannot be drawn are left out."""
        found: dict[int, Step] = {}
        with suppress(GameError):
            if (board := self._stated()) is not None:
                if self._log.columns["level"][row] > 0:
                    return found
                for child in children:
                    with suppress(GameError):
                        if places := board.places_of(ply_at(self._log, child)):
                            found[child] = Step(places[0])
                return found
        try:
            game = game_of(self._log)
            state = state_at(self._log, row)
            occupied = _occupied(game.board(state))
        except GameError:
            return found
        for child in children:
            with suppress(GameError):
                ply = game.read_ply(state, ply_at(self._log, child))
                step = _step(game.ply_cells(state, ply), occupied)
                if step is not None:
                    found[child] = step
        return found

    @property
    def is_game_known(self) -> bool:
        """Whether the game is known here, so that positions can be played and searched on."""
        name = self._log.header.get("game")  # whose module the first tree does not wait for
        return isinstance(name, str) and is_known(name)

    @property
    def are_drawn(self) -> bool:
        """Whether positions can be drawn: the game is known here, or the log brings boards in words."""
        return self.is_game_known or "board" in self._log.header or self._log.column("board") is not None

    def position(self, row: int) -> str | None:
        """The position at `row` as text that the game reads back; None where it is unknown."""
        with suppress(GameError):
            game = game_of(self._log)
            text = game.write_position(state_at(self._log, row))
            game.read_position(text)
            return text
        return None

    def _drawn(self, row: int) -> dict[str, Any]:
        if self._log.columns["outcome"][row] >= words.FIRST_STUB:
            raise GameError("this row stands for plies that have no node of their own")
        if (stated := self._stated()) is not None:
            return self._drawn_as_stated(stated, row)
        game = game_of(self._log)
        state = state_at(self._log, row)
        board = game.board(state)
        way = self._way_into(game, row, state)
        if way is None:
            return drawing_of(board)
        before, ply = way
        return drawing_after(game, before, ply, board)

    def _way_into(self, game: Game, row: int, state: State) -> tuple[State, int] | None:
        """The position before that at `row`, and the ply between them, by the log or by the position itself.

        None where neither tells: a node may state its own position, and not how it came about.
        """
        parent = int(self._log.columns["parent"][row])
        if parent >= 0:
            with suppress(GameError):
                before = state_at(self._log, parent)
                return before, game.read_ply(before, ply_at(self._log, row))
        taken_back: Callable[[State], tuple[State, int] | None] | None = getattr(game, "taken_back", None)
        return None if taken_back is None else taken_back(state)


def drawing_after(game: Game, before: State, ply: int, board: Board) -> dict[str, Any]:
    """The board after `ply` as the `Drawing` of docs/api.md, with the marks of the ply. Raises GameError."""
    cells, board_before = game.ply_cells(before, ply), game.board(before)
    drawn = drawing_of(board, cells, _changed(board_before, board))
    step = _step(cells, _occupied(board_before))
    return drawn if step is None else {**drawn, "step": step.as_json()}


def steps_of(game: Game, state: State, plies: Iterable[int]) -> list[Step | None]:
    """The steps of legal plies on the board of `state`; None for one that touches no cell."""
    occupied = _occupied(game.board(state))
    return [_step(game.ply_cells(state, ply), occupied) for ply in plies]


def _occupied(board: Board) -> set[Place]:
    return {(cell.x, cell.y) for cell in board.cells if cell.pieces}


def _step(cells: Sequence[Place], occupied: Collection[Place]) -> Step | None:
    """The step of a ply on `cells`: to the last if a piece stood on the first, else to the first."""
    if not cells:
        return None
    moves = len(cells) > 1 and cells[0] in occupied
    return Step(cells[-1], cells[0]) if moves else Step(cells[0])


def _changed(before: Board, after: Board) -> list[Place]:
    """Cells on which other pieces stand than before, in the order of the boards."""
    old, new = pieces_of(before), pieces_of(after)
    return [place for place in {**new, **old} if old.get(place, ()) != new.get(place, ())]


def drawing_of(board: Board, last: Sequence[Place] = (), changed: Sequence[Place] = ()) -> dict[str, Any]:
    """A board as the `Drawing` of docs/api.md; `last` are its ply's cells, `changed` those that differ."""
    # A board that grows with the game begins with the one cell where it will grow.
    cells = board.cells or ((Cell(0, 0),) if board.kind == "hexes" else ())
    drawn: dict[str, Any] = {
        "kind": board.kind,
        "cells": [
            {"x": cell.x, "y": cell.y, "pieces": list(cell.pieces), "name": cell.name}
            | ({"dark": True} if cell.dark else {})
            | ({"label": cell.label} if cell.label else {})
            for cell in cells
        ],
        "text": board.text,
        "last": [list(place) for place in last],
        "changed": [list(place) for place in changed],
    }
    if board.check is not None:
        drawn["check"] = list(board.check)
    for key, lists in (("hands", board.hands), ("lines", board.lines)):
        if lists:
            drawn[key] = [list(each) for each in lists]
    return drawn
