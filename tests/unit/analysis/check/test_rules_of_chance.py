"""chance: means by priors, as far as digits tell, and the claims and worths that are folded from them."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.rules.values.repropagate import refolded
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import sight_of
from plyscope.visualizer.analysis.columns.sweep import derive
from plyscope.visualizer.formats.detect import read_log
from tests.unit.analysis.check.checked import found
from tests.unit.logs import log_of

THIRDS = (0.333, 0.333, 0.333)


def leaf(ply: str, score: float, prior: float | None = None, **more: Any) -> dict[str, Any]:
    stated = {} if prior is None else {"prior": prior}
    return {"ply": ply, "layer": "max", "outcome": "leaf", "score": score, "bound": "exact", **stated, **more}


def dice(score: float, *children: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A log whose root is a chance node."""
    root = {"layer": "chance", "score": score, "bound": "exact", "children": list(children), **more}
    return {"plyscope": 1, "root": {name: said for name, said in root.items() if said is not None}}


def falls(priors: tuple[float, ...], *scores: float) -> list[dict[str, Any]]:
    return [leaf(f"d{i}", scores[i], priors[i]) for i in range(len(scores))]


def is_wrong(document: dict[str, Any]) -> bool:
    return ("chance", "root") in found(document)


def said(document: dict[str, Any]) -> list[str]:
    """How severe each finding of the rule is."""
    log = read_log(json.dumps(document).encode())
    return [each.severity for each in check(log, compiled=False).findings("chance")]


@pytest.mark.parametrize(
    ("priors", "scores", "score"),
    [
        ((0.5, 0.5), (1.0, 3.0), 2.0),
        ((0.75, 0.25), (2.0, 8.0), 3.5),
        ((1 / 3, 2 / 3), (1.0, 2.0), 5 / 3),
        (THIRDS, (30.0, 60.0, 10.0), 100 / 3),
        ((0.0278, 0.972), (36.0, 72.0), 71.0),
        ((0.33333334, 0.6666667), (100.0, 400.0), 300.0),
        ((1.0, 0.0), (3.0, 9.0), 3.0),
    ],
)
def test_a_mean_by_priors_passes_as_exactly_as_the_priors_are_written(
    priors: tuple[float, ...], scores: tuple[float, ...], score: float
) -> None:
    document = dice(score, *falls(priors, *scores))
    assert found(document) == []
    document["root"]["score"] = score + 1.25
    assert is_wrong(document)


@pytest.mark.parametrize("score", [4, 5])
def test_whole_scores_may_be_cut_or_rounded_where_all_are(score: float) -> None:
    assert found(dice(score, *falls((0.25, 0.75), 2.0, 5.8))) == []


def test_a_whole_score_is_no_rounded_one_where_another_chance_node_has_decimals() -> None:
    inner = dice(2.25, *falls((0.75, 0.25), 1.0, 6.0))["root"] | {"ply": "a"}
    other = dice(5, *falls((0.75, 0.25), 4.25, 6.25))["root"] | {"ply": "b"}
    root = {"layer": "max", "score": 5, "bound": "exact", "children": [inner, other]}
    assert found({"plyscope": 1, "root": root}) == [("chance", "b"), ("claim", "b")]


@pytest.mark.parametrize(
    "more",
    [
        {"outcome": "cutoff"},
        {"bound": "lower"},
        {"bound": "upper"},
        {"cut_by": "child"},
        {"tt": {"use": "narrow", "bound": "lower", "score": 4}},
        {"bound": None, "alpha": 20, "beta": 30},
    ],
)
def test_a_node_that_was_cut_or_is_a_bound_is_not_asked(more: dict[str, Any]) -> None:
    assert not is_wrong(dice(9, *falls((0.5, 0.5), 1, 2), **more))
    assert is_wrong(dice(9, *falls((0.5, 0.5), 1, 2)))


@pytest.mark.parametrize(
    "last",
    [
        {"outcome": "unlogged", "count": 1},
        {"outcome": "pruned", "count": 1},
        {"outcome": "limited", "count": 1},
        leaf("c", 7),
        {"ply": "c", "layer": "max", "outcome": "stopped", "prior": 0.0},
        {"ply": "c", "layer": "max", "outcome": "leaf", "prior": 0.0},
        leaf("d1", 5, 0.5),
    ],
    ids=["unlogged", "pruned", "limited", "no prior", "stopped", "no score", "twice"],
)
def test_a_node_whose_children_or_odds_are_not_all_known_is_not_asked(last: dict[str, Any]) -> None:
    assert not is_wrong(dice(9, *falls((0.5, 0.5), 1, 2), last))


@pytest.mark.parametrize(("score", "wrong"), [(1, False), (4, False), (0.5, True), (4.5, True)])
def test_without_priors_a_score_lies_between_its_children(score: float, wrong: bool) -> None:
    inner = dice(1.5, leaf("x", 1.5))["root"] | {"ply": "c"}
    assert is_wrong(dice(score, leaf("a", 1), leaf("b", 4), inner)) is wrong


def test_without_priors_and_bounds_all_children_must_be_known_to_be_there() -> None:
    document = dice(9, leaf("a", 1), leaf("b", 4), bound=None)
    assert not is_wrong(document)
    document["root"]["moves"] = 2
    assert is_wrong(document)


@pytest.mark.parametrize(
    "priors", [(0.2, 0.3, 0.4), (0.25, 0.25, 0.4), (0.333, 0.333, 0.33), (0.1, 0.1, 0.1)]
)
def test_priors_that_lack_an_outcome_are_odd_whatever_the_score(priors: tuple[float, ...]) -> None:
    assert said(dice(9, *falls(priors, 1, 2, 3))) == ["odd"]
    whole = (*priors[:2], 1 - sum(priors[:2]))
    assert "wrong" in said(dice(9, *falls(whole, 1, 2, 3)))


def test_a_stub_stands_for_the_outcomes_that_are_missing() -> None:
    assert said(dice(9, *falls((0.25, 0.25), 1, 2), {"outcome": "unlogged", "count": 2})) == []


def test_a_score_that_no_missing_outcome_allows_is_wrong() -> None:
    document = {**dice(9, *falls((0.25, 0.25), 1, 2)), "search": {"range": [-10, 10]}}
    assert said(document) == ["wrong"]
    document["root"]["score"] = 5.5
    assert said(document) == ["odd"]


def test_priors_above_one_are_wrong() -> None:
    assert said(dice(1.5, *falls((0.5, 0.75), 1, 2))) == ["wrong"]
    assert said(dice(2, *falls((0.34, 0.33, 0.34), 1, 2, 3))) == []


@pytest.mark.parametrize(
    ("priors", "scores", "score"),
    [
        ((0.5, 0.3, 0.2), (40, 30, 30), 31.5),
        ((0.25, 0.25, 0.5), (8, 0, 4), 2),
        ((0.1, 0.9), (60, 20), 40),
        ((0.17, 0.83), (6, 0), 3),
    ],
    ids=["weights of others", "one outcome left out", "alike", "alike, and rounded priors"],
)
def test_wrong_weights_are_found_though_priors_may_be_rounded(
    priors: tuple[float, ...], scores: tuple[float, ...], score: float
) -> None:
    assert "wrong" in said(dice(score, *falls(priors, *scores)))


@pytest.mark.parametrize(
    ("priors", "scores", "score"),
    [
        ((0.333, 0.667), (0, 15), 10),
        ((0.17, 0.83), (0.6, 0.3), 0.35),
        ((0.0278, 0.9722), (1000, 400), 416.67),
    ],
)
def test_a_mean_by_exact_weights_fits_those_that_were_rounded(
    priors: tuple[float, ...], scores: tuple[float, ...], score: float
) -> None:
    assert said(dice(score, *falls(priors, *scores))) == []


def test_a_missing_child_leaves_the_score_free() -> None:
    assert not is_wrong(dice(9, leaf("a", 1), leaf("b", 4), moves=3, outcome="searched"))


def test_what_an_outcome_is_worth_itself_is_counted() -> None:
    children = falls((0.5, 0.5), 1, 3)
    children[1]["counted_as"] = 8
    assert found(dice(4.5, *children)) == []
    assert is_wrong(dice(2, *children))


def test_probes_and_shallower_visits_of_an_outcome_do_not_count() -> None:
    probe = leaf("d0", 40, 0.5, purpose="probe")
    shallow = leaf("d1", 50, 0.5, depth=0)
    children = [{**fall, "depth": 1} for fall in falls((0.5, 0.5), 1, 3)]
    assert found(dice(2, probe, shallow, *children)) == []


def test_means_over_visits_are_not_asked() -> None:
    document = dice(9, *falls((0.5, 0.5), 1, 2), visits=3)
    assert not is_wrong({**document, "search": {"order": "best_first"}})


def test_a_claim_above_a_bound_below_a_chance_node_is_wrong() -> None:
    """One outcome is at most 4, so the mean is at most 3 and not known to be so."""
    children = falls((0.5, 0.5), 2, 4)
    children[1] |= {"bound": "upper", "outcome": "searched"}
    assert found(dice(3, *children)) == [("claim", "root")]
    assert found(dice(3, *children, bound="upper")) == []


def worth(document: dict[str, Any]) -> tuple[float, float]:
    sight = derive(sight_of(log_of(document["root"])), Work())
    refold = refolded(sight, Work())
    return float(refold.low[0]), float(refold.high[0])


def test_leaves_are_folded_up_through_a_chance_node() -> None:
    children = [leaf("a", 2, 0.75, static=2), leaf("b", 8, 0.25, static=8)]
    assert worth(dice(9, *children)) == (3.5, 3.5)
    assert worth(dice(3.500001, *children)) == (3.500001, 3.500001)


@pytest.mark.parametrize("more", [{"outcome": "cutoff"}, {"bound": "lower", "outcome": "cutoff"}])
def test_a_cut_chance_node_is_worth_what_it_claims(more: dict[str, Any]) -> None:
    children = [leaf("a", 2, 0.75, static=2), leaf("b", 8, 0.25, static=8)]
    assert worth(dice(9, *children, **more)) == (9, math.inf if "bound" in more else 9)


def test_a_root_above_a_chance_node_that_its_leaves_do_not_give_is_said() -> None:
    roll = {"ply": "r", "layer": "chance", "children": falls((0.5, 0.5), 2, 4)}
    root = {"layer": "max", "score": 5, "children": [roll]}
    for child in roll["children"]:  # type: ignore[attr-defined]
        child["static"] = child["score"]
    assert found({"plyscope": 1, "root": root}) == [("repropagate", "root")]
    assert found({"plyscope": 1, "root": root | {"score": 3}}) == []


def test_a_log_without_chance_nodes_is_not_said_to_be_asked() -> None:
    report = check(log_of(leaf("a", 3)))
    assert "chance" not in report.checked
