"""mate-distance: no win or loss is nearer than the game can end at its node."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from tests.unit.analysis.check.checked import child, example, found


def below(document: Any) -> Any:
    """The node all of whose plies were skipped, two plies from the root."""
    return child(document, 1)["children"][0]


def test_the_cause_is_told_before_what_follows_from_it() -> None:
    (finding,) = check(read_log(json.dumps(example("mate-distance")).encode()), compiled=False).findings()
    assert (finding.path, finding.severity) == ("d3 > e3", "wrong")
    assert finding.message == (
        "The search returned −1000 (upper), but a game that ends at this node, 2 plies from the root, "
        "is worth −998: nothing below it is a loss so near."
    )


@pytest.mark.parametrize(
    "fields",
    [
        {"score": -998},  # mated here
        {"score": -999},  # by an engine that counts from 1
        {"score": -1000, "bound": "lower"},  # at least, which nobody denies
        {"score": 997},  # mates by the next ply
        {"score": 9000, "bound": "upper"},
        {"score": -1000, "outcome": "stopped"},
        {"moves": 0},  # no-plies says it
    ],
)
def test_a_score_that_may_be_true_is_clean(fields: dict[str, Any]) -> None:
    document = example("mate-distance")
    child(document, 1)["bound"] = "lower"
    below(document).update(fields)
    assert found(document, "mate-distance") == []


@pytest.mark.parametrize("fields", [{"score": 1000, "bound": "lower"}, {"score": "inf", "bound": "exact"}])
def test_a_win_too_near_is_found_too(fields: dict[str, Any]) -> None:
    document = example("mate-distance")
    below(document).update(fields)
    assert found(document, "mate-distance") == [("mate-distance", "d3 > e3")]


@pytest.mark.parametrize("search", [{}, {"mate": {"score": 1000, "threshold": 900}}])
def test_wins_without_a_step_are_not_judged(search: dict[str, Any]) -> None:
    document = example("mate-distance")
    document["search"] = search
    report = check(read_log(json.dumps(document).encode()), compiled=False)
    assert "mate-distance" not in report.checked


def test_wins_that_decay_on_the_way_up_are_not_judged() -> None:
    document = example("mate-distance")
    child(document, 0)["counted_as"] = 3
    assert found(document, "mate-distance") == []
