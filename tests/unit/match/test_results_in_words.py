"""What is said of the games of a match: who leads, what a test found, and what the games cannot say."""

from __future__ import annotations

from collections.abc import Sequence

from plyscope.engine.match.games import Played
from plyscope.engine.match.sprt import LEAST_PAIRS, sprt
from plyscope.engine.match.standing import standing_of
from plyscope.playing import leader_of
from plyscope.visualizer.analysis.results.text import faults_said, said


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


def test_a_share_without_faults_is_one_of_points() -> None:
    draws = played((0, 1, 0.5), (1, 0, 0.5))
    fault = Played(2, 1, 0, 1, 1.0, "fault", (), (0.0, 0.0), fault="died")
    games = [*draws, fault]
    assert faults_said(standing_of("ab", games), games) == [
        "1 of 3 games ended by a fault, which all figures count as a loss.",
        "b lost 1 game by a fault: it died.",
        "Without games that ended by a fault b took 50.0 % of the points of 2 games.",
    ]
