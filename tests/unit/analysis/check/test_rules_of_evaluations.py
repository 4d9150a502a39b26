"""static-sum, leaf, stand-pat and terminal: what a single position is worth."""

from __future__ import annotations

import pytest

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
