"""static-sum, leaf, stand-pat, terminal, mate-distance: what a single position is worth, and can be."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from tests.unit.analysis.check.checked import child, example, found


def test_a_rounding_error_within_the_tolerance_is_no_finding() -> None:
    document = example("static-sum")
    child(document, 1).update(static=8, factors=[4 + 1e-12, 0])
    assert found(document) == []
    child(document, 1).update(factors=[4.001, 0])
    assert found(document) == [("static-sum", "d3")]
    document["search"] = {"tolerance": 0.01}
    assert found(document) == []


def test_a_static_with_an_unknown_factor_is_not_judged() -> None:
    document = example("static-sum")
    child(document, 1)["factors"] = [3, None]
    assert found(document) == []


def test_contributions_are_added_up_without_weights() -> None:
    document = example("static-sum")
    for node in document["root"]["children"]:
        mobility, corners = node.pop("factors")
        node["contributions"] = {"mobility": 2 * mobility, "corners": 10 * corners}
    assert found(document) == [("static-sum", "d3")]


def test_the_rest_term_called_other_needs_no_weight() -> None:
    document = example("static-sum")
    document["factors"].append({"name": "other"})
    for node, rest in zip(document["root"]["children"], (0, 2, 0), strict=True):
        node["factors"].append(rest)
    assert found(document) == []
    child(document, 2)["factors"][2] = 1
    assert found(document) == [("static-sum", "e6")]


@pytest.mark.parametrize(("fail", "paths"), [("hard", []), ("soft", [("leaf", "d3")]), (None, [])])
def test_a_leaf_is_clamped_to_its_window_only_where_the_search_may_be_fail_hard(
    fail: str | None, paths: list[tuple[str, str]]
) -> None:
    document = example("leaf")
    document["search"] = {} if fail is None else {"fail": fail}
    document["root"].update(alpha=None, beta=None)
    for node in document["root"]["children"]:
        node.update(alpha=None, beta=None)
    child(document, 1).update(static=-9, score=4, alpha=4, beta=None)
    child(document, 2).update(static=1, score=4 if fail != "soft" else 1, alpha=4, beta=None)
    assert found(document, "leaf") == paths


def test_a_leaf_of_a_log_that_declares_neither_fail_nor_windows_is_not_judged() -> None:
    document = example("leaf")
    del document["search"]
    assert found(document, "leaf") == []


def test_a_mate_is_worth_less_the_farther_it_is() -> None:
    document = example("terminal")
    child(document, 1)["score"] = -999
    assert found(document) == []
    child(document, 1)["score"] = -998
    assert found(document) == [("terminal", "d3")]


def test_a_draw_with_contempt_from_the_wrong_side_is_found() -> None:
    document = example("terminal")
    child(document, 1)["score"] = -999
    document["search"]["draw"] = -20
    child(document, 2)["score"] = 20
    assert found(document) == [("terminal", "e6")]
    child(document, 2)["score"] = -20
    assert found(document) == []


def test_an_ending_whose_worth_is_not_declared_is_not_judged() -> None:
    document = example("terminal")
    document["search"] = {"fail": "soft"}
    assert found(document, "terminal") == []


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
