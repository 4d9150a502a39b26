"""Intervals of means, told a second way: by testing every rate, by enumerating games, by adding visits."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from plyscope.visualizer.analysis.nodes.best_first import (
    Z,
    estimate_of,
    is_within_noise,
    visited_json,
    visits_to_part,
    wilson,
)
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import log_of


def row(search: dict[str, Any] | None = None, **fields: Any) -> Log:
    """A log of one row below the root, number 1."""
    root = {"layer": "max", "children": [{"ply": "a", **fields}]}
    return log_of(root, search={"order": "best_first", **(search or {})})


RATES = {"range": [0, 1]}


@pytest.mark.parametrize(
    ("search", "layer", "exploit"),
    [
        (RATES, "min", 0.7),
        (RATES, "max", 0.3),
        ({"range": [-1, 1]}, "min", -0.3),
        ({}, "min", 0.3),  # as written: whether it is a rate of [0, 1] is not said
    ],
)
def test_exploit_is_shown_as_the_node_above_compared_it(
    search: dict[str, Any], layer: str, exploit: float
) -> None:
    child = {"ply": "a", "visits": 4, "mean": 0.3, "ucb": {"exploit": 0.3, "explore": 0.5}}
    log = log_of({"layer": layer, "children": [child]}, search={"order": "best_first", **search})
    assert visited_json(Tree(log), 1)["exploit"] == pytest.approx(exploit)


def test_exploit_that_was_turned_is_turned_back() -> None:
    """The mover's 0.8 at the opponent's node is the root player's 0.2, and 0.8 again for who chose by it."""
    reply = {"ply": "b", "player": "x", "visits": 1, "mean": 0.8, "ucb": {"exploit": 0.8, "explore": 0.5}}
    ply = {"ply": "a", "player": "o", "visits": 2, "mean": 0.6, "children": [reply]}
    root = {"player": "x", "visits": 3, "children": [ply]}
    search = {"order": "best_first", "range": [0, 1], "perspective": "parent"}
    log = log_of(root, players=["x", "o"], search=search)
    assert log.columns["ucb_exploit"][2] == pytest.approx(0.2)
    assert visited_json(Tree(log), 2)["exploit"] == pytest.approx(0.8)


def test_wilsons_interval_is_that_of_the_literature() -> None:
    """Newcombe 1998, table of method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29."""
    known = {(81, 263): (0.2553, 0.3662), (15, 148): (0.0624, 0.1605), (0, 20): (0, 0.1611)}
    known |= {(1, 29): (0.0061, 0.1718)}
    for (wins, games), ends in known.items():
        assert wilson(wins / games, games) == pytest.approx(ends, abs=5e-5)


@given(st.integers(0, 40), st.integers(0, 40), st.integers(0, 40))
def test_the_interval_holds_the_rates_that_the_mean_does_not_contradict(w: int, d: int, lost: int) -> None:
    """The second way: ask each rate by itself whether the mean lies within Z of its own standard errors."""
    n = w + d + lost
    assume(n > 0)
    share = (w + d / 2) / n
    low, high = wilson(share, n, d)
    assert 0 <= low <= share <= high <= 1
    for step in range(2001):
        rate = step / 2000
        variance = rate * (1 - rate) - d / (n + Z * Z) / 4
        is_held = (share - rate) ** 2 * n <= Z * Z * variance
        if min(abs(rate - low), abs(rate - high)) > 1e-9:
            assert is_held == (low <= rate <= high)


def test_the_interval_is_made_of_the_most_that_the_log_states() -> None:
    plain = estimate_of(row(RATES, visits=100, mean=0.55), 1)
    ended = estimate_of(row(RATES, visits=100, mean=0.55, wins=35, draws=40, losses=25), 1)
    stated = estimate_of(row(RATES, visits=100, mean=0.55, wins=55, losses=45, stderr=0.01), 1)
    assert (plain.by, ended.by, stated.by) == ("range", "wilson", "stderr")
    assert plain.interval == pytest.approx(wilson(0.55, 100))
    assert ended.interval == pytest.approx(wilson(0.55, 100, 40))
    assert stated.interval == pytest.approx((0.55 - Z * 0.01, 0.55 + Z * 0.01))
    assert plain.interval[0] < ended.interval[0] < stated.interval[0]


@pytest.mark.parametrize(
    ("search", "fields", "by"),
    [
        (RATES, {"visits": 100, "mean": 0.55, "wins": 50, "losses": 45}, "range"),  # no rate
        (RATES, {"visits": 100, "mean": 0.75, "wins": 55, "losses": 45}, "range"),
        ({}, {"visits": 100, "mean": 0.75, "wins": 55, "losses": 45}, None),
        ({}, {"mean": 0.5}, None),
        ({}, {"visits": 5}, None),
        ({}, {"visits": 0, "mean": 0.5}, None),
        ({}, {"visits": 9, "mean": 0.5}, None),
        (RATES, {"visits": 5, "mean": 3.0}, None),
    ],
)
def test_ends_of_games_that_are_not_the_visits_are_no_rate_and_what_is_not_stated_has_no_interval(
    search: dict[str, Any], fields: dict[str, Any], by: str | None
) -> None:
    estimate = estimate_of(row(search, **fields), 1)
    assert estimate.by == by
    assert by or all(map(math.isnan, estimate.interval))


def test_wins_and_losses_tell_a_range_that_is_not_declared_and_a_stated_error_stays_inside_it() -> None:
    assert estimate_of(row(visits=4, mean=0.75, wins=3, losses=1), 1).range == (0.0, 1.0)
    signed = estimate_of(row(visits=4, mean=0.5, wins=3, losses=1), 1)
    assert signed.range == (-1.0, 1.0)
    assert signed.interval == pytest.approx([2 * end - 1 for end in wilson(0.75, 4)])
    assert estimate_of(row(RATES, visits=5, mean=0.98, stderr=0.1), 1).interval[1] == 1.0
    assert estimate_of(row(visits=5, mean=0.98, stderr=0.1), 1).interval[1] > 1.0


counts = st.integers(0, 3000)


@given(counts, counts, counts, counts)
@example(5, 5, 35, 35)
def test_noise_and_the_visits_that_part_two_means_agree_with_adding_visits(
    won: int, lost: int, won_too: int, lost_too: int
) -> None:
    """The second way: multiply the visits by 1.01 until the two are parted."""
    assume(won + lost > 0 and won_too + lost_too > 0)
    one, two = (
        estimate_of(row(RATES, visits=a + b, mean=a / (a + b), wins=a, losses=b), 1)
        for a, b in ((won, lost), (won_too, lost_too))
    )
    assert is_within_noise(one, two) == is_within_noise(two, one)
    found = visits_to_part(one, two)
    difference = abs(one.mean - two.mean)
    if found is None:
        assert difference == 0 or not is_within_noise(one, two)  # equal means are never parted
        return
    factor = 1.0
    while is_within_noise(one.times(factor), two.times(factor)):
        factor *= 1.01
    total = one.visits + two.visits
    assert (factor / 1.01 - 1) * total - 1e-3 <= found <= (factor - 1) * total * (1 + 1e-6) + 1e-3
