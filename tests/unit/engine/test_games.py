"""Tests of every game in the registry: adding a game to the table adds it to all of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.engine import jit
from plyscope.engine.game import FIRST_WON, ONGOING, SECOND_WON, Game, GameError, State
from plyscope.engine.games import GAMES, find, load_game, outside, promises
from tests.oracle import values_of
from tests.property.examples import examples

SEEDS = range(examples(12))
BOARD_PAIRS = ("connect_four", "reversi", "tictactoe")
"""Games whose states begin with the first player's board, the second player's and the side to move."""

NOT_WHOLE_IN_TEXT = ("chess", "explicit_tree")
"""Games whose state knows more than its text: where in the written tree it stands, plies to take back."""

TEXT_TELLS_THE_PATH = ("hive",)
"""Games whose text has all plies: one position has many, and tests of their own say when keys are equal."""

ON_THE_QUEEN = r"wB1;bB1 -wB1;wQ wB1-;bQ -bB1;wQ wB1\;bQ /bB1;wQ bB1\;bB1 wQ"
PROMOTING = "rn1qk2r/pP3ppp/8/2pP4/8/8/1PPK1p1P/R4BNR w kq c6 0 12"
PLAYOUTS = {
    "chess": ((find("chess").start, 60), (PROMOTING, 40)),
    "hive": (("Base+MLP", 40), ("Base+MLP", 40), ("Base+MLP;;;" + ON_THE_QUEEN, 30)),
}
"""For games too long to be played to the end in plain Python: the texts they are played from, and how far."""

every_game = pytest.mark.parametrize("game", [find(name) for name in GAMES], ids=list(GAMES))


def compiled_here(name: str) -> Any:
    """A game whose rules the test compiles; Hive's take longest, and those of chess are left to the sweep."""
    marks = {"hive": [pytest.mark.slow], "chess": [pytest.mark.sweep]}
    return pytest.param(find(name), id=name, marks=marks.get(name, []))


every_game_compiled = pytest.mark.parametrize("game", [compiled_here(name) for name in GAMES])


def start(game: Game) -> State:
    return game.read_position(game.start)


def legal(game: Game, state: State) -> list[int]:
    """The plies, from a buffer of exactly `max_plies`: plain numpy refuses a write beyond it."""
    plies = np.zeros(game.max_plies, np.int32)
    return plies[: game.generate(state, plies)].tolist()


def after(game: Game, state: State, ply: int) -> State:
    child = state.copy()
    game.apply(child, ply)
    return child


def playout(game: Game, seed: int) -> Iterator[State]:
    """The positions of a random game, the finished one included if it gets there."""
    rng = random.Random(seed)
    text, n_plies = PLAYOUTS[game.name][seed] if game.name in PLAYOUTS else (game.start, 1000)
    state = game.read_position(text)
    yield state
    while (plies := legal(game, state)) and n_plies > 0:
        n_plies -= 1
        state = after(game, state, rng.choice(plies))
        yield state


def positions(game: Game) -> list[State]:
    return [state for seed in SEEDS[: len(PLAYOUTS.get(game.name, SEEDS))] for state in playout(game, seed)]


@cache
def looks(game: Game) -> list[promises.At]:
    return [promises.look(game, state) for state in positions(game)]


@every_game
def test_a_game_is_found_by_its_own_name_in_several_spellings_and_writes_its_start(game: Game) -> None:
    for name in (game.name, game.name.replace("_", "-").upper(), f" {game.name.replace('_', ' ')} "):
        assert find(name) is game
    state = start(game)
    assert game.write_position(state) == game.start
    assert (state.shape, state.dtype) == ((game.state_size,), np.dtype(game.state_dtype))


def test_an_unknown_game_is_refused_with_the_known_ones() -> None:
    for name, message in (
        ("", "no game ''"),
        ("revrsi", "'reversi'[?] The"),
        ("nim.py", "expected file.py:Class"),
    ):
        with pytest.raises(GameError, match=message) as refused:
            find(name)
        assert all(known in str(refused.value) for known in GAMES)


@pytest.mark.parametrize("promise", promises.PROMISES, ids=lambda promise: promise.__name__)
@pytest.mark.parametrize(
    "game", [pytest.param(find(name), marks=[pytest.mark.slow] * (name == "hive"), id=name) for name in GAMES]
)
def test_a_game_keeps_what_every_game_promises(game: Game, promise: promises.Promise) -> None:
    """Of those that ask all again for every ply, at an eighth: perft takes back all that it counts."""
    dear = promises.undo_takes_back, promises.cells_are_those_that_change
    for at in looks(game)[:: 8 if promise in dear else 1]:
        assert list(promise(at)) == [], at.text


@every_game_compiled
def test_compiled_kernels_answer_as_plain_ones(game: Game) -> None:
    for at in looks(game):
        assert list(promises.machine_code_answers_alike(at)) == [], at.text


@pytest.mark.parametrize("game", [find(name) for name in GAMES if name not in NOT_WHOLE_IN_TEXT])
def test_a_position_reads_back_from_its_text(game: Game) -> None:
    for state in positions(game):
        again = game.read_position(game.write_position(state))
        assert np.array_equal(again, state)
        assert again.dtype == state.dtype


@pytest.mark.parametrize(
    "game", [find(name) for name in GAMES if name not in NOT_WHOLE_IN_TEXT + TEXT_TELLS_THE_PATH]
)
def test_one_position_has_one_key_whatever_path_led_there(game: Game) -> None:
    """All positions of the first four plies, and those of random games: as many keys as texts."""
    states = [start(game)]
    for depth in range(4):
        states += [after(game, state, ply) for state in states[-(8**depth) :] for ply in legal(game, state)]
    states += positions(game)
    key_of: dict[str, int] = {}
    for state in states:
        key = int(game.key(state))
        assert key_of.setdefault(game.write_position(state), key) == key
    assert len(set(key_of.values())) == len(key_of)
    assert all(0 <= key < 2**64 for key in key_of.values())


@pytest.mark.parametrize("name", BOARD_PAIRS)
def test_with_the_players_swapped_every_factor_changes_its_sign(name: str) -> None:
    game = find(name)
    for state in positions(game):
        if game.status(state) == ONGOING:
            swapped = state.copy()
            swapped[0], swapped[1], swapped[2] = state[1], state[0], 1 - int(state[2])
            turned = {name: -value for name, value in values_of(game, state).items()}
            assert values_of(game, swapped) == turned


@every_game
def test_each_factor_is_other_than_nought_somewhere(game: Game) -> None:
    assert np.array([[*values_of(game, state).values()] for state in positions(game)]).any(axis=0).all()


@every_game
@settings(max_examples=examples(60), deadline=None)
@given(text=st.text(alphabet=st.characters(codec="utf-8") | st.sampled_from("XO./- 123456789"), max_size=80))
def test_any_text_is_a_position_or_refused(game: Game, text: str) -> None:
    with suppress(GameError):
        written = game.write_position(game.read_position(text))
        assert game.write_position(game.read_position(written)) == written


@every_game
@settings(max_examples=examples(30), deadline=None)
@given(text=st.text(max_size=100))
def test_any_text_is_a_legal_ply_or_refused_with_those_that_are(game: Game, text: str) -> None:
    state = start(game)
    with suppress(GameError):
        assert game.read_ply(state, text) in legal(game, state)
    with pytest.raises(GameError, match=r"'no such ply' is no .*: expected one of "):
        game.read_ply(state, "no such ply")


def noisy(game: Any, state: State) -> list[int]:
    plies = np.zeros(game.max_plies, np.int32)
    return plies[: game.noisy(state, plies)].tolist()


def test_wins_and_blocks_are_the_noisy_plies_of_connect_four() -> None:
    """Against the discs themselves: what each column would end, for either side."""
    game = find("connect_four")
    n_checks = 0
    for state in positions(game):
        passed = state.copy()
        if game.status(state) == ONGOING:
            assert game.pass_turn(passed) == 1
        wins, losses = (
            {
                ply
                for ply in legal(game, each)
                if game.status(after(game, each, ply)) in (FIRST_WON, SECOND_WON)
            }
            for each in (state, passed)
        )
        assert set(noisy(game, state)) == wins | losses
        assert game.in_check(state) == bool(losses)
        n_checks += bool(losses)
    assert n_checks > 0


@pytest.mark.parametrize("name", BOARD_PAIRS)
def test_handing_the_turn_over_twice_restores_position_and_key(name: str) -> None:
    """In between the key is another, of no other position; a game that is over has no turn to hand over."""
    game: Any = find(name)
    told_of: dict[int, tuple[list[int], int]] = {}
    n_passes = 0
    for state in positions(game):
        passed = state.copy()
        has_passed = game.pass_turn(passed) == 1
        for each in (state, passed):
            told = each[:3].tolist(), game.player(each)
            assert told_of.setdefault(int(game.key(each)), told) == told
        if not has_passed:
            assert np.array_equal(passed, state)
            continue
        n_passes += 1
        assert game.status(state) == game.status(passed) == ONGOING
        assert game.player(passed) == 1 - game.player(state)
        assert game.key(passed) != game.key(state)
        assert legal(game, passed)
        assert game.pass_turn(passed) == 1
        assert np.array_equal(passed, state)
        assert game.key(passed) == game.key(state)
    assert n_passes > 0


def test_a_pass_that_the_rules_of_reversi_force_is_no_turn_handed_over() -> None:
    """In the first position black must pass, in the second white must if black hands the turn over."""
    game: Any = find("reversi")
    for text in ("OX" + "-" * 62 + " X", "XO" + "-" * 62 + " X"):
        state = game.read_position(text)
        assert game.status(state) == ONGOING
        assert game.pass_turn(state) == 0
        assert game.write_position(state) == text


@pytest.mark.parametrize("name", BOARD_PAIRS)
def test_compiled_checks_and_passes_are_as_plain_ones(name: str) -> None:
    game: Any = find(name)
    for plain in (getattr(game, kernel) for kernel in ("in_check", "pass_turn") if hasattr(game, kernel)):
        fast = jit.compiled(plain)
        for state in positions(game):
            one, other = state.copy(), state.copy()
            assert plain(one) == fast(other)
            assert np.array_equal(one, other)


def test_a_game_that_left_says_where_it_is_unless_it_was_brought(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outside, "installed", dict)
    with pytest.raises(GameError, match="'odd' is part of the package plyscope-studies: pip install"):
        load_game("odd")
    brought = outside.Brought("file.py:Odd")
    brought.__dict__["game"] = find("tictactoe")
    monkeypatch.setattr(outside, "_brought", {"odd": brought})
    assert load_game("odd") is find("tictactoe")
