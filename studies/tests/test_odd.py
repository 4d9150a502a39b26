"""Odd: groups against a flood fill, perft against a plain twin, symmetries, texts."""

from __future__ import annotations

import math
import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyscope as face
from plyscope.engine.game import FIRST_WON, ONGOING, SECOND_WON, GameError, State
from plyscope.engine.games import load_game, outside
from plyscope.engine.kernel_game import legal_plies
from plyscope.engine.options import SearchOptions
from plyscope.engine.perft import perft
from plyscope.engine.run import search
from plyscope_studies.odd import GAME
from plyscope_studies.odd.cells import NAMES, PLACES, STEPS, n_cells_of
from plyscope_studies.odd.rules import GROUPS
from tests.property.examples import examples
from tests.unit.cli.conftest import Command

Pieces = dict[tuple[int, int], str]


def sets_of(pieces: Pieces) -> list[set[tuple[int, int]]]:
    """The sets of connected pieces of one colour: a flood fill from each piece."""
    left, found = set(pieces), []
    while left:
        waiting, reached = [min(left)], set()
        while waiting:
            q, r = waiting.pop()
            if (q, r) not in reached:
                reached.add((q, r))
                beside = [(q + dq, r + dr) for dq, dr in STEPS]
                waiting += [place for place in beside if pieces.get(place) == pieces[q, r]]
        left -= reached
        found.append(reached)
    return found


def pieces_of(state: State) -> Pieces:
    return {(cell.x, cell.y): cell.pieces[0] for cell in GAME.board(state).cells if cell.pieces}


@st.composite
def games(draw: st.DrawFn) -> list[State]:
    """The positions of a random game, its last included if it is played to the end."""
    side = draw(st.sampled_from([3, 4, 5]))
    rng = random.Random(draw(st.integers(0, 2**32)))
    order = list(range(n_cells_of(side)))
    rng.shuffle(order)
    state = GAME.read_position(f"side {side}")
    states = [state.copy()]
    black = draw(st.sampled_from([0.1, 0.5, 0.9]))
    for cell in order[: draw(st.sampled_from([len(order) // 2, len(order)]))]:
        GAME.apply(state, 2 * cell + (rng.random() > black))
        states.append(state.copy())
    return states


@settings(max_examples=examples(40), deadline=None)
@given(states=games())
def test_groups_and_factors_are_those_of_a_flood_fill(states: list[State]) -> None:
    out = np.zeros(3)
    for state in states:
        pieces = pieces_of(state)
        sets = sets_of(pieces)
        n_groups = sum(len(each) >= 5 for each in sets)
        empty = {(cell.x, cell.y) for cell in GAME.board(state).cells} - set(pieces)
        n_fours = sum(
            len(each) == 4 and any((q + dq, r + dr) in empty for q, r in each for dq, dr in STEPS)
            for each in sets
        )
        parity = 1 if n_groups % 2 else -1
        GAME.values(state, out)
        assert int(state[GROUPS]) == n_groups
        assert out.tolist() == [parity, -parity * n_fours, -parity * len(empty)]
        over = FIRST_WON if n_groups % 2 else SECOND_WON
        assert GAME.status(state) == (ONGOING if empty else over)
        assert GAME.player(state) == len(pieces) % 2


def plain_leaves(empty: frozenset[str], depth: int) -> int:
    """Leaves by the rules as they are said: any empty cell, either colour."""
    if depth == 0:
        return 1
    return sum(plain_leaves(empty - {cell}, depth - 1) for cell in empty for _ in "bw")


@pytest.mark.parametrize(
    ("text", "depth"), [("side 3", 3), ("side 5", 2), ("XO" * 9 + "X" * 14 + "-----", 5)]
)
def test_perft_counts_as_a_plain_twin_and_as_the_product(text: str, depth: int) -> None:
    state = GAME.read_position(text)
    empty = frozenset(NAMES[int(state[0])]) - {cell.name for cell in GAME.board(state).cells if cell.pieces}
    product = 2**depth * math.perm(len(empty), depth)
    assert perft(GAME, state, depth) == plain_leaves(empty, depth) == product


def test_a_grid_of_side_five_has_122_plies_and_e5_in_the_middle() -> None:
    state = GAME.read_position(GAME.start)
    texts = [GAME.write_ply(state, ply) for ply in legal_plies(GAME, state)]
    assert len(texts) == 122
    assert texts[0] == "a1 b"
    assert texts[-1] == "i5 w"
    assert GAME.ply_cells(state, GAME.read_ply(state, "E5b")) == [(0, 0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("side 9", "expected a grid of side 3 to 8"),
        ("XO", "has 19, 37, 61, 91, 127, 169 cells"),
        ("Z" * 19, "'Z' is no piece of Odd"),
        ("-" * 19 + " second", "second is not to move after 0 pieces: expected first"),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_what_is_expected(text: str, message: str) -> None:
    with pytest.raises(GameError, match=message):
        GAME.read_position(text)


def plain_value(pieces: Pieces, empty: frozenset[tuple[int, int]]) -> int:
    """1 if the first player wins with best play, else -1, by going through every game."""
    if not empty:
        return 1 if sum(len(each) >= 5 for each in sets_of(pieces)) % 2 else -1
    after = [
        plain_value(pieces | {place: colour}, empty - {place})
        for place in empty
        for colour in ("black disc", "white disc")
    ]
    return max(after) if len(pieces) % 2 == 0 else min(after)


@settings(max_examples=examples(8), deadline=None)
@given(seed=st.integers(0, 2**32))
def test_alpha_beta_finds_who_wins(seed: int) -> None:
    rng = random.Random(seed)
    cells = list(range(19))
    rng.shuffle(cells)
    state = GAME.read_position("side 3")
    for cell in cells[:-4]:
        GAME.apply(state, 2 * cell + rng.randrange(2))
    pieces = pieces_of(state)
    value = plain_value(pieces, frozenset(PLACES[3]) - set(pieces))
    found = search(GAME, GAME.write_position(state), SearchOptions(depth=4), compiled=False)
    sign = 1 if GAME.player(state) == 0 else -1
    assert found.score is not None
    assert np.sign(found.score) == sign * value
    assert abs(found.score) > 1000


@pytest.mark.slow
def test_the_game_of_the_package_is_searched_counted_and_played_by_its_name(plyscope: Command) -> None:
    assert load_game("odd") is GAME
    assert "keeps what every game promises" in plyscope("games", "odd", "--check")[1]
    for options in ({"depth": 2}, {"algorithm": "mcts", "playouts": 40}):
        log = face.search("odd", "side 3", **options, seed=1)  # type: ignore[arg-type]
        assert (log.header["game"], log.header["players"]) == ("odd", ["first", "second"])
        assert face.check(log).ok
    assert plyscope("perft", "odd", 2, "--position", "side 3")[1].startswith("1,368 leaves")
    played = plyscope("match", "depth=1", "random", "--game", "odd", "--position", "side 3", "--games", 2)
    assert played[0] == 0


@pytest.mark.slow
def test_a_log_of_it_is_replayed_and_has_boards_where_the_game_is_given(
    plyscope: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "odd.json"
    face.search("odd", "side 3", depth=2, limit=4).write(path)
    monkeypatch.setattr(outside, "_brought", {})  # as in another process
    code, out, err = plyscope("check", path)
    assert (code, "no game 'odd'" in out) == (0, True)
    assert f"Bring it: `plyscope check {path} --game odd`" in err
    code, out, err = plyscope("check", path, "--game", "odd", "--all")
    assert (code, err) == (0, "")
    assert "replay" in out.partition("checked: ")[2]
