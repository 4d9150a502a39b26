"""Rule `ending-mean`: a finished game in a best-first tree counts what its ending says, from every view."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.analysis.check.test_rules_of_best_first import ply, severities, tree

RULE = "ending-mean"


def ended(ending: str, mean: float, *, search: dict[str, Any] | None = None, **fields: Any) -> set[str]:
    """The severities of a log whose only ply ends the game, after four visits of this mean."""
    child = ply("a", 4, mean, outcome="terminal", ending=ending, **fields)
    return severities(tree(child, visits=4, mean=mean, search=search), RULE)


@pytest.mark.parametrize(
    ("ending", "mean", "expected"),
    [
        ("win", 1.0, set()),
        ("loss", 0.0, set()),
        ("win", 0.0, {"wrong"}),
        ("loss", 1.0, {"wrong"}),
        ("win", 0.9, {"odd"}),  # a far win that is discounted
        ("loss", 0.1, {"odd"}),
    ],
)
def test_a_win_counts_the_high_end_and_a_loss_the_low_one(
    ending: str, mean: float, expected: set[str]
) -> None:
    assert ended(ending, mean) == expected


def test_a_draw_is_asked_where_its_worth_is_declared() -> None:
    assert ended("draw", 0.25) == set()
    assert ended("draw", 0.25, search={"draw": 0.5}) == {"odd"}
    assert ended("draw", 0.5, search={"draw": 0.5}) == set()


def test_a_log_written_by_movers_is_turned_before_it_is_asked() -> None:
    """The mover after a ply that ended the game has lost it: a win of the root player."""
    views = {"perspective": "mover"}
    assert ended("loss", 0.0, search=views) == set()
    assert ended("loss", 1.0, search=views) == {"wrong"}


def test_means_in_per_cent_are_held_to_their_digits() -> None:
    assert ended("win", 99, search={"range": [0, 100]}) == {"odd"}
    assert ended("win", 100, search={"range": [0, 100]}) == set()


def test_what_a_solver_proved_is_left_out() -> None:
    assert ended("win", 0.0, bound="exact", score=1) == set()


def test_games_that_go_on_and_logs_without_a_range_are_not_asked() -> None:
    child = ply("a", 4, 0.3, outcome="leaf")
    assert severities(tree(child, visits=4, mean=0.3), RULE) == set()
    assert ended("win", 0.0, search={"range": None}) == set()
