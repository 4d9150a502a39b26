"""The shapes of ten thousand openings, recognised on the board by the slow rules."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from plyscope.engine.games.hive.openings import WEIGHTS, opening_ply
from tests.hive.oracle import GAME_TYPES, Position, neighbours, start

N_OPENINGS = 10_000


def shape(position: Position) -> str:
    """The shape of two pieces a side, by where they lie and not by how they came there."""
    cells = {piece: cell for cell, column in position.columns.items() for piece in column}
    assert len(cells) == 4
    if "wQ" not in cells or "bQ" not in cells:
        return "X"
    white, white_second, black, black_second = (
        next(cells[piece] for piece in position.texts[number].split()[:1]) for number in (0, 2, 1, 3)
    )
    line = black[0] - white[0], black[1] - white[1]
    bends = bend(line, white, white_second), bend(line, black, black_second)
    if 0 in bends:
        return "I" if bends == (0, 0) else "L"
    return "C" if bends[0] == bends[1] else "Z"


def bend(line: tuple[int, int], first: tuple[int, int], second: tuple[int, int]) -> int:
    """On which side of the line through the first pieces the second piece lies: -1, 0 or 1."""
    q, r = second[0] - first[0], second[1] - first[1]
    across = line[0] * r - line[1] * q
    return (across > 0) - (across < 0)


@cache
def placed(game_type: str, plies: tuple[str, ...]) -> Position:
    if not plies:
        return start(game_type)
    before = placed(game_type, plies[:-1])
    return before.play(before.read(plies[-1]))


def opening(game_type: str, seed: int) -> Position:
    """Two placements a side, each of them looked up among the legal plies."""
    draw = random.Random(seed)
    plies: tuple[str, ...] = ()
    for _ in range(4):
        ply = opening_ply(placed(game_type, plies).game_string(), draw)
        assert ply is not None
        plies += (ply,)
    return placed(game_type, plies)


def shares(what: str, without: str = "") -> dict[str, float]:
    weights = {key: weight for key, weight in WEIGHTS[what].items() if key not in without}
    return {key: weight / sum(weights.values()) for key, weight in weights.items()}


def test_of_10_000_openings_each_shape_comes_as_often_as_the_weights_say() -> None:
    counts = Counter(shape(opening("Base", seed)) for seed in range(N_OPENINGS))
    queen = shares("second", "MLP")["Q"] ** 2
    straight = shares("place")["straight"]
    bent = 1 - straight
    same_side = sum(shares("place")[side] ** 2 for side in ("left", "right")) / bent**2
    expected = {
        "I": queen * straight**2,
        "L": queen * 2 * straight * bent,
        "C": queen * bent**2 * same_side,
        "Z": queen * bent**2 * (1 - same_side),
        "X": 1 - queen,
    }
    assert set(counts) == set(expected)
    for name, share in expected.items():
        spread = (N_OPENINGS * share * (1 - share)) ** 0.5
        assert abs(counts[name] - N_OPENINGS * share) < 4 * spread, (name, counts)


def test_the_queen_stands_on_every_side_of_the_first_piece() -> None:
    sides = set()
    for seed in range(300):
        position = opening("Base", seed)
        queen, first = position.cell_of("bQ"), position.cell_of(position.texts[1].split()[0])
        assert first is not None
        if queen is not None:
            assert queen in neighbours(first)
            sides.add((queen[0] - first[0], queen[1] - first[1]))
    assert len(sides) == 6


@pytest.mark.parametrize("game_type", GAME_TYPES)
def test_every_bug_of_the_game_opens_and_no_other_and_the_book_ends_with_the_second_turn(
    game_type: str,
) -> None:
    openings = [opening(game_type, seed) for seed in range(300)]
    firsts = {position.texts[0][1] for position in openings}
    assert firsts == set("SBGA" + game_type.removeprefix("Base").removeprefix("+"))
    assert opening_ply(openings[0].game_string(), random.Random(1)) is None
