"""The engine's Hive against the slow rules: legal plies, names, states, position by position."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plyscope.engine.game import DRAWN, FIRST_WON, ONGOING, SECOND_WON, State
from plyscope.engine.games.hive import GAME
from plyscope.engine.kernel_game import legal_plies
from tests.hive import oracle
from tests.hive.oracle import GAME_TYPES, Ply, Position, neighbours, start
from tests.property.examples import examples

STATES = {ONGOING: "InProgress", FIRST_WON: "WhiteWins", SECOND_WON: "BlackWins", DRAWN: "Draw"}
LONGEST = 90
COUNTS: list[dict[str, Any]] = json.loads(Path(__file__).with_name("perft.json").read_text("utf-8"))


def begin(game_type: str, *, threefold: bool) -> tuple[State, Position]:
    text = ("threefold " if threefold else "") + game_type
    return GAME.read_position(text), start(game_type, threefold=threefold)


def assert_same(state: State, position: Position) -> None:
    """The same legal plies, each under one name; the same state and player."""
    said = position.game_string()
    names = [GAME.write_ply(state, ply) for ply in legal_plies(GAME, state)]
    theirs = position.legal()
    assert sorted(names) == sorted(map(position.write, theirs)), said
    assert {position.read(name) for name in names} == theirs, said
    assert STATES[GAME.status(state)] == position.state().replace("NotStarted", "InProgress"), said
    assert "wb"[GAME.player(state)] == position.mover()


def assert_drawn_alike(state: State, position: Position) -> None:
    """The same pieces on the same cells of the board, and every ply from its piece to its end."""
    board = {(cell.x, cell.y): [*cell.pieces] for cell in GAME.board(state).cells if cell.pieces}
    assert board == position.columns
    for number in legal_plies(GAME, state):
        ply = position.read(GAME.write_ply(state, number))
        expected = [] if ply is None else [cell for cell in (position.cell_of(ply[0]), ply[1]) if cell]
        assert [*GAME.ply_cells(state, number)] == expected


def chosen(position: Position, plies: list[Ply], draw: random.Random) -> Ply:
    """Often a move or a throw, often one that ends beside a queen: stacks, gates and endings come sooner."""
    queens = [cell for cell in map(position.cell_of, ("wQ", "bQ")) if cell]
    moves = [ply for ply in plies if ply is not None and position.cell_of(ply[0])]
    attacks = [ply for ply in moves if any(ply[1] in neighbours(queen) for queen in queens)]
    return draw.choice(draw.choice([plies, moves or plies, attacks or plies]))


def random_game(
    game_type: str, seed: int, longest: int, *, threefold: bool = False
) -> Iterator[tuple[State, Position]]:
    """The positions of a random game, on one state of ours and by the slow rules."""
    draw = random.Random(seed)
    state, position = begin(game_type, threefold=threefold)
    for _ in range(longest):
        yield state, position
        if not (plies := sorted(position.legal(), key=str)):
            return
        ply = chosen(position, plies, draw)
        GAME.apply(state, GAME.read_ply(state, position.write(ply)))
        position = position.play(ply, trusted=True)
    yield state, position


@pytest.mark.slow
@pytest.mark.parametrize("game_type", GAME_TYPES)
def test_random_games_go_alike_by_both_rules(game_type: str) -> None:
    for seed in range(examples(2, least=1)):
        for state, position in random_game(game_type, seed, LONGEST, threefold=seed % 2 == 1):
            assert_same(state, position)
        assert_drawn_alike(state, position)
        assert GAME.write_position(state).removeprefix("threefold ") == position.game_string()
        again = GAME.read_position(GAME.write_position(state))
        assert np.array_equal(again, state)


def test_told_games_with_passes_and_all_endings_go_alike() -> None:
    told = {case["position"] for case in COUNTS if "nokamute (MIT) data" in case["source"]}
    states = Counter[str]()
    for game in sorted(told):
        game_type, *plies = (field.strip() for field in game.split(";"))
        state, position = begin(game_type, threefold=True)
        for text in filter(None, plies[2:]):
            GAME.apply(state, GAME.read_ply(state, text))
            position = position.play(position.read(text), trusted=True)
            assert_same(state, position)
        assert_drawn_alike(state, position)
        states[position.state()] += 1
        states["passes"] += position.legal() == {oracle.PASS}
    assert min(states[each] for each in ("WhiteWins", "Draw", "InProgress", "passes")) > 0


def test_every_spelling_of_every_ply_is_read_as_the_slow_rules_read_it() -> None:
    for game_type in ("Base", "Base+MLP"):
        for state, position in random_game(game_type, seed=11, longest=50):
            for ply in sorted(position.legal(), key=str)[::7]:
                for spelling in spellings(position, ply):
                    assert GAME.write_ply(state, GAME.read_ply(state, spelling)) == position.write(ply)


def spellings(position: Position, ply: Ply) -> list[str]:
    """A ply by every piece, on top or covered, on or beside its end."""
    if ply is None:
        return ["pass", " PASS"]
    piece, to = ply
    names = [f"{piece} {other}" for other in position.columns.get(to, [])]
    for sign, direction in oracle.SIGNS.items():
        beside = position.columns.get((to[0] - direction[0], to[1] - direction[1]), [])
        names += [f"{piece} {sign.format(other)}" for other in beside if other != piece]
    return names or [piece]
