"""The rules: 1 to 3 touching tiles are laid where they fit, points are counted, hands are refilled."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from plyscope import GameError
from plyscope_studies.castle.data import Kind, Plan, read_kinds, read_plan

HAND: Final = 10
HIDDEN: Final = 3
"""The first tiles of a hand, which lie face down."""
GOOD: Final = 3
"""Points from which a tile is dealt as one of the two good ones."""


@dataclass(frozen=True)
class Rules:
    """A plan, the kinds of tiles, and the rules that may be switched."""

    plan: Plan
    kinds: tuple[Kind, ...]
    gardens: bool = False
    """Whether scoring passes on through a garden to the tiles beside it."""
    last_play_penalty: bool = True
    """Whether the last play of each player counts double and negative."""

    @cached_property
    def neighbours(self) -> tuple[tuple[int, ...], ...]:
        """The cells beside each cell, by edges."""
        wide, n = self.plan.n_columns, self.plan.n_cells
        beside = []
        for cell in range(n):
            column = cell % wide
            near = (
                cell - wide,
                cell - 1 if column else -1,
                cell + 1 if column < wide - 1 else -1,
                cell + wide,
            )
            beside.append(tuple(each for each in near if 0 <= each < n))
        return tuple(beside)

    @cached_property
    def fits(self) -> npt.NDArray[np.bool_]:
        """An array [kind, cell]: true where the kind fits the cell."""
        cells = range(self.plan.n_cells)
        return np.array([[self.plan.zone(cell) in kind.zones for cell in cells] for kind in self.kinds])

    @cached_property
    def points(self) -> npt.NDArray[np.float64]:
        """The red points of each kind."""
        return np.array([kind.points for kind in self.kinds], float)

    @cached_property
    def garden(self) -> int:
        """The kind called garden, -1 where there is none."""
        return next((place for place, kind in enumerate(self.kinds) if kind.name == "garden"), -1)


@dataclass
class Position:
    """A position: the kind on each cell (-1: none), hands, the bag from its end, points, the side to move."""

    rules: Rules
    board: list[int]
    hands: list[list[int]]
    bag: list[int]
    scores: list[float]
    player: int = 0
    passes: int = field(default=0)
    """Players who could not play, one after another."""

    @property
    def completion(self) -> float:
        """Part of the board that is laid, in percent."""
        return 100 * sum(kind >= 0 for kind in self.board) / len(self.board)

    @property
    def is_over(self) -> bool:
        """Whether nobody has played since each was asked, or no hand has a tile."""
        return self.passes >= len(self.hands) or not any(self.hands)

    def near_points(self, cell: int) -> float:
        """Points of the tiles that lie beside a cell; through gardens too where the rules say so."""
        total = 0.0
        for beside in self.rules.neighbours[cell]:
            kind = self.board[beside]
            if kind < 0:
                continue
            total += self.rules.kinds[kind].points
            if self.rules.gardens and kind == self.rules.garden:
                total += sum(
                    self.rules.kinds[self.board[far]].points
                    for far in self.rules.neighbours[beside]
                    if far != cell and self.board[far] >= 0
                )
        return total

    def score_of(self, play: Sequence[tuple[int, int]]) -> float:
        """Points of a play of (kind, cell): those on and beside each tile, doubled for three in a row."""
        total = sum(self.rules.kinds[kind].points + self.near_points(cell) for kind, cell in play)
        total *= 2 if is_line([cell for _, cell in play], self.rules.plan.n_columns) else 1
        is_last = not self.bag and len(self.hands[self.player]) == len(play)
        return -2 * total if is_last and self.rules.last_play_penalty else total

    def lay(self, play: Sequence[tuple[int, int]]) -> None:
        """Play tiles as (kind, cell), or none to pass; raises GameError for a play that breaks a rule."""
        hand = list(self.hands[self.player])
        if len(play) > 3 or (play and not self._touches([cell for _, cell in play])):
            raise GameError("a play: expected 1 to 3 tiles that touch one another")
        for kind, cell in play:
            if kind not in hand or self.board[cell] >= 0 or not self.rules.fits[kind, cell]:
                name = self.rules.plan.cell_name(cell)
                raise GameError(
                    f"{self.rules.kinds[kind].name} {name}: not in the hand, or it does not fit there"
                )
            hand.remove(kind)
        self.scores[self.player] += self.score_of(play)
        for kind, cell in play:
            self.board[cell] = kind
        while len(hand) < HAND and self.bag and play:
            hand.append(self.bag.pop())
        self.hands[self.player] = hand
        self.passes = 0 if play else self.passes + 1
        self.player = (self.player + 1) % len(self.hands)

    def _touches(self, cells: list[int]) -> bool:
        reached = {cells[0]}
        for _ in cells:
            reached |= {cell for cell in cells if reached & set(self.rules.neighbours[cell])}
        return len(reached) == len(cells) == len(set(cells))


def read_rules(
    plan: Path | None = None, tiles: Path | None = None, gardens: bool = False, last_play_penalty: bool = True
) -> Rules:
    """The rules on a plan with its tiles, ours or those of files. Raises GameError."""
    board = read_plan(plan)
    return Rules(board, read_kinds(board, tiles), gardens, last_play_penalty)


def deal(rules: Rules, n_players: int, seed: int) -> Position:
    """The start: each hand has two tiles of 3 points or more, a garden, and seven drawn. Raises GameError."""
    bag = [place for place, kind in enumerate(rules.kinds) for _ in range(kind.count)]
    random.Random(seed).shuffle(bag)
    if len(bag) < HAND * n_players:
        raise GameError(f"the tiles: found {len(bag)}, expected {HAND} for each of {n_players} players")
    hands: list[list[int]] = [[] for _ in range(n_players)]
    for hand in hands:
        for wanted in (
            *[[p for p in range(len(rules.kinds)) if rules.points[p] >= GOOD]] * 2,
            [rules.garden],
        ):
            found = next((kind for kind in bag if kind in wanted), None)
            if found is None:
                raise GameError("the tiles: too few of 3 points, or too few gardens, for these players")
            bag.remove(found)
            hand.append(found)
    for hand in hands:
        while len(hand) < HAND:
            hand.append(bag.pop())
    return Position(rules, [-1] * rules.plan.n_cells, hands, bag, [0.0] * n_players)


def is_line(cells: Sequence[int], n_columns: int) -> bool:
    """Whether three cells lie end to end in a row or a column.

    >>> [is_line(cells, 10) for cells in ([12, 10, 11], [10, 20, 30], [10, 11, 21], [9, 10, 11])]
    [True, True, False, False]
    """
    if len(cells) != 3:
        return False
    first, middle, last = sorted(cells)
    step = middle - first
    if step != last - middle or step not in (1, n_columns):
        return False
    return step == n_columns or first // n_columns == last // n_columns
