"""Ratings, the sequential test, and what is said of the games of a match."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np
import pytest

from plyscope.engine.match.elo import SCALE, SHOWN, Game, expected, likely, sequential
from plyscope.engine.match.games import Played
from plyscope.engine.match.score import Score, wilson
from plyscope.engine.match.sprt import LEAST_PAIRS, Verdict, sprt
from plyscope.engine.match.standing import standing_of
from plyscope.playing import leader_of
from plyscope.visualizer.analysis.results.text import said

NAMES = ("a", "b", "c", "d")


def unit(draws: float) -> float:
    """Points of Elo in a unit, where draws have this parameter."""
    return SCALE * 2 / (2 + draws)


def tournament(
    ratings: list[float], n_games: int, draw: np.random.Generator, *, draws: float = 1.0
) -> list[Game]:
    """Games of all pairs between players of these ratings, as Davidson's model has them."""
    games = []
    for first, second in itertools.combinations(range(len(ratings)), 2):
        half = (ratings[first] - ratings[second]) / unit(draws) / 2
        weights = np.array([math.exp(half), draws, math.exp(-half)])
        points = draw.choice([1.0, 0.5, 0.0], size=n_games, p=weights / weights.sum())
        games += [Game(first, second, float(each)) for each in points]
    return games


def log_likelihood(games: list[Game], ratings: list[float], draws: float, scaled_by: float) -> float:
    """The plain definition, a game at a time."""
    total = 0.0
    for first, second, points in games:
        half = (ratings[first] - ratings[second]) / unit(scaled_by) / 2
        of = {1.0: math.exp(half), 0.5: draws, 0.0: math.exp(-half)}
        total += math.log(of[points] / sum(of.values()))
    return total


def test_no_other_ratings_make_the_games_likelier() -> None:
    games = tournament([1700, 1550, 1450, 1300], 40, np.random.default_rng(1))
    found = likely(games, NAMES)
    best = log_likelihood(games, found.ratings.tolist(), found.draws, found.draws)
    assert found.ratings.mean() == pytest.approx(1500)
    for at in range(4):
        for by in (-3, 3):
            moved = found.ratings.copy()
            moved[at] += by
            assert log_likelihood(games, moved.tolist(), found.draws, found.draws) < best
    for draws in (found.draws * 0.97, found.draws * 1.03):
        assert log_likelihood(games, found.ratings.tolist(), draws, found.draws) < best


@pytest.mark.parametrize("draws", [0.0, 4.0])
def test_intervals_hold_the_true_rating_as_often_as_they_say(draws: float) -> None:
    true = [1650.0, 1550.0, 1500.0, 1300.0]
    draw = np.random.default_rng(7)
    n_tournaments, n_held = 250, 0
    for _ in range(n_tournaments):
        found = likely(tournament(true, 20, draw, draws=draws), NAMES)
        n_held += int(((found.low <= true) & (true <= found.high)).sum())
    assert 0.93 <= n_held / (4 * n_tournaments) <= 0.97


def test_two_players_differ_by_the_odds_of_their_games() -> None:
    games = [Game(0, 1, 1.0)] * 30 + [Game(0, 1, 0.0)] * 10
    found = likely(games, ("a", "b"))
    assert found.ratings[0] - found.ratings[1] == pytest.approx(400 * math.log10(3))
    assert found.draws == 0
    assert expected(found.ratings[0] - found.ratings[1]) == pytest.approx(0.75)


def test_who_won_everything_is_rated_at_least_and_it_is_said() -> None:
    games = [Game(0, 1, 1.0), Game(0, 2, 1.0), Game(1, 2, 1.0), Game(1, 2, 0.0)] * 5
    found = likely(games, ("a", "b", "c"))
    assert np.isfinite([*found.ratings, found.low[0]]).all()
    assert [found.high[0], *found.low[1:]] == [math.inf, -math.inf, -math.inf]
    assert found.warnings[:2] == (
        "a won all its games, so they set no upper end to its rating",
        "b and c took no point from the others, so the games set no lower end to their ratings",
    )
    assert likely(games + [Game(0, 1, 0.5)] * 2 + [Game(0, 2, 0.0)], ("a", "b", "c")).warnings == ()


def test_who_won_some_and_drew_the_rest_has_no_upper_end() -> None:
    games = [Game(0, 1, 1.0)] * 4 + [Game(0, 1, 0.5)] * 8
    found = likely(games, ("a", "b"))
    assert found.warnings == (
        "a lost no game, so the games set no upper end to its rating",
        "b won no game, so the games set no lower end to its rating",
        SHOWN,
    )
    assert (found.high[0], found.low[1]) == (math.inf, -math.inf)
    assert 50 < found.ratings[0] - found.ratings[1] < 250
    assert likely([*games, Game(0, 1, 0.0)], ("a", "b")).warnings == ()


def test_draws_set_an_end_where_differences_contradict_each_other_and_none_by_themselves() -> None:
    names, drawn = ("a", "b", "c"), [Game(0, 1, 0.5), Game(1, 2, 0.5), Game(0, 2, 0.5)]
    ring = [Game(0, 1, 1.0), Game(1, 2, 1.0), Game(2, 0, 1.0)]
    assert likely(drawn + ring, names).warnings == ()
    # The first is 2 above the second, who is 2 above the third: by their draw only 2 may lie between them.
    assert likely([*drawn, *ring[:2]], names).warnings == ()
    ladder = [*drawn[:2], *ring[:2], Game(0, 2, 1.0)]
    assert [each[0] for each in likely(ladder, names).warnings[:-1]] == ["a", "c"]
    said = "Every game was drawn, so the games set no end to any rating"
    assert likely(drawn, names).warnings == (said, SHOWN)
    won = likely([Game(0, 1, 1.0), *drawn[1:]], names)
    assert won.warnings[2] == "c drew every game, so the games set no end to its rating"
    assert (won.low[2], won.high[2]) == (-math.inf, math.inf)


def test_players_who_never_met_are_said_not_to_compare_and_of_no_game_nothing_is_said() -> None:
    found = likely([], ("a", "b"))
    assert found.warnings == ("No game is over, so there is nothing to rate",)
    assert (found.ratings.tolist(), found.low.max(), found.high.min()) == ([1500, 1500], -math.inf, math.inf)
    games = [Game(0, 1, 1.0), Game(0, 1, 0.0), Game(2, 3, 0.5)]
    found = likely(games, NAMES)
    assert found.warnings[0] == "No chain of games joins a and c, so the games do not say how they compare"
    assert not any("a and b" in said for said in found.warnings)  # who met nobody else
    assert np.isfinite(found.ratings).all()


def test_sequential_ratings_say_what_their_order_is_worth() -> None:
    games = tournament([1600, 1500, 1400, 1500], 30, np.random.default_rng(3))
    found = sequential(games, 4, seed=1)
    assert found.ratings.mean() == pytest.approx(1500)
    assert found.ratings.argmax() == 0
    assert sequential([Game(0, 1, 1.0)], 2).ratings.tolist() == [1516, 1484]
    assert (found.spread > 5).all()
    assert sequential(games, 4, seed=1).ratings.tolist() == found.ratings.tolist()


def test_wilsons_interval_holds_the_true_share_as_often_as_it_says() -> None:
    draw = np.random.default_rng(5)
    won = draw.binomial(60, 0.8, size=4000)
    held = [low <= 0.8 <= high for low, high in (wilson(each / 60, 60) for each in won.tolist())]
    assert 0.93 <= sum(held) / 4000 <= 0.97
    assert wilson(math.nan, 0) == (0.0, 1.0)
    assert wilson(1.0, 10)[1] == pytest.approx(1.0)


def test_a_score_adds_up_and_turns_round() -> None:
    score = Score(3, 2, 1) + Score(0, 1, 0)
    assert (score.n_games, score.points, score.reversed) == (7, 4.5, Score(1, 3, 3))
    each = [1.0] * 3 + [0.5] * 3 + [0.0]
    assert score.error == pytest.approx(np.std(each) / math.sqrt(7))
    assert math.isnan(Score().share)
    assert math.isnan(Score().error)


def run(elo: float, draw: np.random.Generator) -> Verdict:
    """Test a player of this strength until the test says something."""
    share = expected(elo)
    pairs: list[float] = []
    while True:
        points = [1.0, 0.5, 0.0]
        chances = [share - 0.15, 0.3, 0.85 - share]
        pairs.append(float(draw.choice(points, size=2, p=chances).sum()))
        verdict = sprt(pairs, worse=0, better=60)
        if verdict.says != "go on":
            return verdict
        assert len(pairs) < 5000


@pytest.mark.parametrize(("elo", "wrong"), [(0, "better"), (60, "not better")])
def test_the_test_errs_in_about_one_of_twenty(elo: float, wrong: str) -> None:
    draw = np.random.default_rng(11)
    n_wrong = sum(run(elo, draw).says == wrong for _ in range(80))
    assert n_wrong <= 8


def test_few_pairs_say_nothing() -> None:
    assert sprt([2.0] * (LEAST_PAIRS - 1)).says == "go on"
    assert sprt([2.0] * 200).says == "better"
    assert sprt([0.0] * 200).says == "not better"
    assert sprt([1.0] * LEAST_PAIRS, worse=-20, better=20).says == "go on"


def played(*games: tuple[int, int, float], plies: Sequence[str] | None = None) -> list[Played]:
    """Games of two sides and the points of the first; each has a ply of its own, unless all have `plies`."""
    return [
        Played(at, at // 2, first, second, points, "over", tuple(plies or (str(at),)), (0.0, 0.0))
        for at, (first, second, points) in enumerate(games)
    ]


def test_who_is_not_so_much_better_may_still_be_better() -> None:
    """55 % of the points are 35 points of Elo: less than 200, and more than none."""
    verdict = sprt([1.0, 1.2] * 60, better=200)
    words = said(verdict, "a", "b", 200)
    assert words.startswith(
        "a is not 200 points of Elo better than b: none are likelier (log-likelihood ratio "
    )
    assert words.endswith("; the test ends at -2.94 or 2.94).")
    few = said(sprt([2.0] * (LEAST_PAIRS - 1), better=20), "a", "b", 20)
    assert few.endswith(
        "better than b or not at all is not known yet: the test begins with 8 pairs of games."
    )


def test_games_that_repeat_others_are_said_once_they_are_half_of_all() -> None:
    same = played(*[(0, 1, 1.0), (1, 0, 0.0)] * 3, plies=["x"])
    assert standing_of("ab", same).warnings[0] == (
        "4 of 6 games repeat another ply by ply; "
        "the intervals count each as a new game, so they are too narrow"
    )
    assert standing_of("ab", played(*[(0, 1, 1.0), (1, 0, 1.0)] * 3)).warnings == ()
    assert standing_of("ab", played((0, 1, 1.0), (0, 1, 0.0), plies=["x"])).warnings == ()


def test_who_played_more_games_does_not_lead_by_that() -> None:
    """The first pair of a tournament is over, of the second one game."""
    games = played((0, 1, 1.0), (1, 0, 1.0), (0, 1, 1.0), (1, 0, 0.5), (2, 0, 1.0))
    assert leader_of("abc", games) == "c leads with 1 of 1 point"
    assert leader_of("ab", games[:2]) == "nobody leads"
    assert leader_of("ab", []) == "nobody leads"
