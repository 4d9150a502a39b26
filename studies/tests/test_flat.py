"""Flat Monte Carlo: its sources against lists, its figures against play-outs one by one, its log."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.engine.game import FIRST_WON, ONGOING
from plyscope.engine.games import load_game
from plyscope.engine.kernel_game import legal_plies
from plyscope.engine.match.agents import read_agent
from plyscope.engine.match.errors import MatchError
from plyscope.engine.match.games import Terms
from plyscope.engine.match.match import Match
from plyscope.engine.match.runner import run as play_match
from plyscope.engine.montecarlo.draws import draw_below, source_of
from plyscope.engine.option import OptionError
from plyscope.engine.record.rows import LEAF, TERMINAL
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope_studies.flat import sources
from plyscope_studies.flat.options import FlatOptions
from plyscope_studies.flat.run import FLAT, search
from plyscope_studies.flat.sources import left_by_example, left_by_text, mirrored_digits, scrambled
from plyscope_studies.flat.uniformity import histogram
from tests.heaps import Heap
from tests.property.examples import examples
from tests.unit.engine.test_chance import Coin

ODD = load_game("odd")
LATE = "XXOXOOXOXXOOOXX---- second"
HALF = "XXOXOXXOX---------- second"


@given(n=st.integers(1, 400))
def test_scrambling_is_a_permutation_that_undoes_itself(n: int) -> None:
    numbers = scrambled(n)
    assert sorted(numbers) == list(range(n))
    assert [numbers[i] for i in numbers] == list(range(n))
    assert [int(sources.element_of_scrambled(n, i)) for i in range(n)] == numbers


def drawn_from(source: Any, n: int, by: str) -> int:
    """The lists of a draw, from the same draws as the kernel."""
    skip, ignore = sources.draw_fraction(source), sources.draw_fraction(source)
    left = left_by_text(n, skip, ignore) if by == "text" else left_by_example(n, skip, ignore)[1]
    assert left
    assert len(set(left)) == len(left)
    return left[draw_below(source, len(left))]


@settings(max_examples=examples(200), deadline=None)
@given(n=st.integers(1, 340), seed=st.integers(0, 2**64 - 1))
@pytest.mark.parametrize("by", ["text", "example"])
def test_a_draw_is_that_of_the_lists(by: str, n: int, seed: int) -> None:
    draw = sources.draw_by_text if by == "text" else sources.draw_by_example
    one, other = source_of(seed), source_of(seed)
    for _ in range(5):
        assert int(draw(one, n)) == drawn_from(other, n, by)
    assert one[0] == other[0]


@given(number=st.integers(0, 10**6), base=st.sampled_from([2, 3, 53]))
def test_mirrored_digits_are_those_of_the_number(number: int, base: int) -> None:
    digits, left = Fraction(0), number
    place = Fraction(1, base)
    while left:
        digits += place * (left % base)
        left //= base
        place /= base
    assert mirrored_digits(number, base) == pytest.approx(float(digits), abs=1e-12)


def test_the_published_generator_is_less_even_than_pseudo_random_draws() -> None:
    """Of 200,000 draws of ten; 27.9 is exceeded by equal chances once in a thousand runs."""
    assert histogram("pseudo", 10, 200_000, 1).chi_square < 27.9
    assert histogram("halton", 10, 200_000, 1).chi_square < 1
    text = histogram("text", 10, 200_000, 1)
    assert text.chi_square > 40_000
    measured = (0.100, 0.047, 0.159, 0.069, 0.108, 0.091, 0.134, 0.060, 0.194, 0.039)
    assert text.shares == pytest.approx(measured, abs=0.004)
    assert histogram("example", 10, 200_000, 1).chi_square > 40_000


def without_times(recording: Any) -> tuple[Any, ...]:
    result = {
        name: value
        for name, value in recording.header["result"].items()
        if name not in ("seconds", "playouts_per_second")
    }
    figures = recording.figures.copy()
    figures["seconds"] = 0
    return result, recording.rows.tobytes(), figures.tobytes()


@pytest.mark.parametrize("source", ["pseudo", "quasi", "example", "mix", "halton"])
@pytest.mark.parametrize(("name", "position"), [("odd", LATE), ("tictactoe", None), ("connect_four", "444")])
def test_a_seed_gives_one_log_compiled_and_plain(name: str, position: str | None, source: Any) -> None:
    options = FlatOptions(n=6, source=source, seed=5, record_playouts=2)
    game = load_game(name)
    plain, again = (search(game, position, options, compiled=False) for _ in range(2))
    assert without_times(search(game, position, options)) == without_times(plain) == without_times(again)


@pytest.mark.parametrize("source", ["pseudo", "quasi", "example", "halton"])
def test_figures_and_kept_play_outs_are_those_of_play_outs_made_one_by_one(source: Any) -> None:
    """Each play-out again by hand, with the same draws: its plies are a path of the log, no others are."""
    n, n_kept = 12, 3
    asked = FlatOptions(n=n, source=source, seed=9, record_playouts=n_kept)
    recording = search(ODD, HALF, asked, compiled=False)
    state, by_hand, wins = ODD.read_position(HALF), set(), dict[int, int]()
    draws = source_of(9)
    shifts = sources.shifts_of(draws)
    kind, point = sources.KINDS[{"quasi": "text"}.get(source, source)], 0
    for ply in legal_plies(ODD, state):
        wins[ply] = 0
        for number in range(n):
            end, path = state.copy(), [ply]
            ODD.apply(end, ply)
            while ODD.status(end) == ONGOING:
                plies = legal_plies(ODD, end)
                path.append(plies[sources.draw_one(kind, draws, shifts, point, len(path) - 1, len(plies))])
                ODD.apply(end, path[-1])
            point += 1
            wins[ply] += ODD.status(end) != FIRST_WON  # the second is to move
            if number < n_kept:
                by_hand.add(tuple(path))
    rows, figures = recording.rows, recording.figures
    assert figures is not None
    is_ply = rows["parent"] == 0
    order = sorted(wins, key=lambda ply: -wins[ply])
    assert rows["ply"][is_ply].tolist() == order
    assert figures["wins"][is_ply].tolist() == [wins[ply] for ply in order]
    assert figures["visits"][is_ply].tolist() == [n] * len(order)
    assert figures["visits"][0] == n * len(order)
    assert figures["mean"][is_ply].tolist() == [wins[ply] / n for ply in order]
    errors = figures["stderr"][is_ply].tolist()
    for ply, stderr in zip(order, errors, strict=True):
        results = np.array([1.0] * wins[ply] + [0.0] * (n - wins[ply]))
        assert stderr == pytest.approx(float(results.std()) / math.sqrt(n))
    lead = (wins[order[0]] - wins[order[1]]) / n
    assert recording.header["result"]["margin"] == pytest.approx(lead / math.hypot(*errors[:2]))
    assert recording.ply == ODD.write_ply(state, order[0])
    assert {path_to(rows, row) for row in range(1, len(rows)) if rows["end"][row] == row + 1} == by_hand


def path_to(rows: Any, row: int) -> tuple[int, ...]:
    """The plies that lead to a row."""
    return () if row == 0 else (*path_to(rows, int(rows["parent"][row])), int(rows["ply"][row]))


@pytest.mark.parametrize(
    ("name", "turn_limit"), [("odd", 1000), ("tictactoe", 1000), ("reversi", 600), ("odd", 5)]
)
def test_check_finds_nothing_in_logs_with_play_outs(name: str, turn_limit: int) -> None:
    position = HALF if name == "odd" else None
    options = FlatOptions(n=3, seed=2, record_playouts=2, turn_limit=turn_limit)
    recording = search(load_game(name), position, options, compiled=False)
    log = log_from_recording(recording)
    assert len(check(log)) == 0
    ends: Any = recording.rows[recording.rows["end"] == np.arange(len(recording.rows)) + 1]
    assert set(ends["outcome"].tolist()) == {LEAF if turn_limit == 5 else TERMINAL}


def test_a_long_play_out_of_a_game_of_one_s_own_is_kept_whole() -> None:
    """Its path has more plies than there is room for at first, and later positions more than the first."""

    class Slow(Heap):
        """One match at a time, by either name of a ply."""

        def start(self) -> tuple[int, int]:
            return 700, 0

        def plies(self, position: tuple[int, int]) -> range:
            return range(1, 2 if position[0] == 700 else 3)

        def apply(self, position: tuple[int, int], ply: int) -> tuple[int, int]:
            return position[0] - 1, 1 - position[1]

    recording = search(Slow(), None, FlatOptions(n=2, seed=1, record_playouts=1))
    assert recording.header["result"]["max_level"] == len(recording.rows) - 1 == 700


def test_a_progressive_player_goes_on_with_what_it_has() -> None:
    """122 plies, then 118, as the other side places one too: N is 222, then 340."""
    assert FlatOptions(rollouts="progressive").playouts_each(122, 61) == 222
    assert FlatOptions(rollouts="progressive", n=222).playouts_each(118, 59) == 340
    assert FlatOptions(rollouts="progressive", growth="cells").playouts_each(122, 61) == 161
    assert FlatOptions(rollouts="progressive", growth_rate=0.5).playouts_each(122, 61) == 161
    assert FlatOptions(rollouts="progressive", most_playouts=1220).playouts_each(122, 61) == 10
    found = search(
        ODD, LATE, FlatOptions(rollouts="progressive", growth="cells", n=3, seed=1), compiled=False
    )
    assert found.header["result"]["playouts_each"] == 3 + 4
    assert found.header["result"]["playouts"] == 7 * 8


def test_a_mix_draws_quasi_random_in_its_first_turns_alone() -> None:
    for turn, source in ((2, "quasi"), (3, "pseudo")):
        mixed = FlatOptions(n=9, source="mix", quasi_turns=2, turn=turn, seed=1)
        same = FlatOptions(n=9, source=source, seed=1)  # type: ignore[arg-type]
        one, other = (search(ODD, LATE, each, compiled=False) for each in (mixed, same))
        assert without_times(one) == without_times(other)


def test_without_play_outs_a_ply_is_drawn() -> None:
    found = {search(ODD, LATE, FlatOptions(n=0, seed=seed), compiled=False).ply for seed in range(40)}
    assert len(found) > 4
    recording = search(ODD, LATE, FlatOptions(n=0, seed=1), compiled=False)
    assert "score" not in recording.header["result"]
    assert len(check(log_from_recording(recording))) == 0


def test_equal_means_are_taken_in_order_or_at_random() -> None:
    plies = {
        ties: {
            search(ODD, "side 3", FlatOptions(n=1, seed=seed, ties=ties), compiled=False).ply
            for seed in range(12)
        }
        for ties in ("first", "random")
    }
    assert len(plies["random"]) > len(plies["first"])


def test_a_search_that_is_stopped_says_what_is_missing() -> None:
    recording = search(ODD, LATE, FlatOptions(n=5, seed=1), should_stop=lambda: True, compiled=False)
    assert recording.header["result"]["stopped"] == "request"
    assert recording.header["result"]["playouts"] == 5
    figures: Any = recording.figures
    assert figures["count"].tolist() == [0, 0, 7]
    assert len(check(log_from_recording(recording))) == 0


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"n": -1}, "n: -1, expected a whole number from 0"),
        ({"record_playouts": 101}, "record_playouts: 101, expected a whole number from 0 to 100"),
        ({"source": "dice"}, "source: 'dice', expected one of pseudo, quasi, example, mix, halton"),
        ({"growth": "cells"}, "fixed play-outs do not grow"),
    ],
)
def test_options_that_mean_nothing_are_refused(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        FlatOptions(**asked)


def test_an_agent_of_a_match_plays_as_its_line_says_and_the_same_again() -> None:
    lines = ("mcs: algorithm=monte_carlo,n=20", "grows: algorithm=monte_carlo,n=1,rollouts=progressive")
    agents = tuple(map(read_agent, lines))
    match = Match("odd", agents, 2, Terms(n_opening=0, seed=4), position="side 3")
    one, other = (play_match(match) for _ in range(2))
    assert [game.plies for game in one] == [game.plies for game in other]
    assert all(game.why == "over" and len(game.plies) == 19 for game in one)


def test_an_agent_s_unknown_option_is_named() -> None:
    with pytest.raises(MatchError, match="unknown option 'rolouts'; did you mean 'rollouts'"):
        read_agent("algorithm=monte_carlo,rolouts=fixed")
    with pytest.raises(MatchError, match="flat Monte Carlo has no option 'depth'"):
        read_agent("algorithm=monte_carlo,depth=3")


def test_play_outs_of_a_game_of_one_s_own() -> None:
    class SmallHeap(Heap):
        """Six matches: whoever leaves four wins."""

        def start(self) -> tuple[int, int]:
            return 6, 0

    assert search(SmallHeap(), None, FlatOptions(n=200, seed=random.Random(1).randrange(99))).ply == "2"


def test_a_game_with_dice_is_refused() -> None:
    with pytest.raises(OptionError, match="algorithm: monte_carlo knows no chance, which Coin has"):
        search(Coin())
    with pytest.raises(OptionError, match="monte_carlo knows no chance"):
        FLAT.check_options(Coin(), FlatOptions())
