"""The scale of colours is laid out from ordinary scores alone, and once for a whole tree."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.visualizer.analysis.nodes import colour_scale
from plyscope.visualizer.analysis.nodes.colour_scale import score_scale
from plyscope.visualizer.store.tree import Tree
from tests.unit.logs import log_of

MATE = {"mate": {"score": 1_000_000, "step": 1, "threshold": 999_000}}


def scale(scores: list[Any], search: dict[str, Any] | None = None) -> dict[str, float] | None:
    root = {"children": [{"score": score} for score in scores]}
    return score_scale(Tree(log_of(root, **({} if search is None else {"search": search}))))


def test_wins_and_losses_that_a_log_declares_are_left_out_of_its_scale() -> None:
    ordinary = [1, -2, 3]
    assert scale([*ordinary, 999_995, -999_990], MATE) == scale(ordinary)
    assert scale([999_995, -999_990], MATE) is None


def test_a_few_scores_far_out_do_not_stretch_the_scale() -> None:
    assert scale([*range(1, 101), 500]) == {"low": 1.0, "high": 500.0, "reach": 99.0}


def test_wins_that_a_log_does_not_declare_leave_the_colours_of_all_others_apart() -> None:
    assert scale([1, 2, 3, 4, 5, 9999, 9999, -9999]) == {"low": -9999.0, "high": 9999.0, "reach": 40.0}


def test_where_no_score_differs_from_0_the_scale_has_no_length() -> None:
    assert scale([0, 0, "inf"]) == {"low": 0.0, "high": 0.0, "reach": 0.0}
    assert scale([]) is None


def test_of_many_scores_evenly_spaced_ones_say_where_the_scale_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(colour_scale, "MOST_SIZES", 50)
    assert scale([*range(1, 1001), -2000]) == {
        "low": -2000.0,
        "high": 1000.0,
        "reach": pytest.approx(980, abs=25),
    }
