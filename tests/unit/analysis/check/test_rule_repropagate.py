"""repropagate: the leaves folded up again give the root's score."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plyscope.engine.games import connect_four
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.check.rules.values.repropagate import Refold, refolded
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.analysis.columns.kernel_call import Work
from plyscope.visualizer.analysis.columns.sight import sight_of
from plyscope.visualizer.analysis.columns.sweep import derive
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.log import Log
from tests.unit.analysis.check.checked import child, example, found
from tests.unit.logs import log_of


def worths(log: Log, compiled: bool = False) -> Refold:
    return refolded(derive(sight_of(log), Work(compiled)), Work(compiled))


def root_worth(root: dict[str, Any], **header: Any) -> list[float]:
    refold = worths(log_of(root, **header))
    return [float(refold.low[0]), float(refold.high[0])]


def leaf(ply: str, static: float, **fields: Any) -> dict[str, Any]:
    """A leaf whose score says nothing, so that only its static counts."""
    return {"ply": ply, "layer": "min", "score": 77, "outcome": "leaf", "static": static, **fields}


def max_node(*children: Any, **fields: Any) -> dict[str, Any]:
    return {"layer": "max", "score": 77, "outcome": "searched", "children": list(children), **fields}


def min_node(*children: Any, **fields: Any) -> dict[str, Any]:
    return max_node(*children, **{"layer": "min", **fields})


def test_weights_that_are_not_known_leave_the_scores_as_they_are() -> None:
    document = example("repropagate")
    del document["factors"][1]["weight"]
    assert found(document) == []


def test_the_last_root_is_judged_though_it_states_no_bound_and_others_are_not() -> None:
    document = example("repropagate")
    root = document.pop("root")
    document["roots"] = [{**root, "iteration": 1}, {**root, "iteration": 2, "children": [{"ply": "c6"}]}]
    assert found(document) == []
    document["roots"].reverse()
    document["roots"][0]["iteration"], document["roots"][1]["iteration"] = 1, 2
    assert found(document) == [("repropagate", "root")]


@pytest.mark.parametrize("score", [4, 5, 9])
@pytest.mark.parametrize("bound", ["lower", "upper", "exact", None])
def test_a_cut_root_is_worth_at_least_what_was_found(bound: str | None, score: int) -> None:
    """The leaves give 5 or more; whether the bound says too much is for `claim`."""
    root = max_node(leaf("a", 5, score=5), {"outcome": "pruned", "count": 3}, score=score, outcome="cutoff")
    root |= {} if bound is None else {"bound": bound}
    is_found = score == 4 and bound != "lower"
    assert (found({"plyscope": 1, "root": root}, "repropagate") != []) is is_found


@pytest.mark.parametrize(
    ("root", "worth"),
    [
        (max_node(leaf("a", 3), leaf("b", 5)), [5, 5]),
        (min_node(leaf("a", 3), leaf("b", 5)), [3, 3]),
        (max_node(leaf("a", 3), leaf("b", 9, purpose="null"), leaf("c", 8, purpose="probe")), [3, 3]),
        (max_node(leaf("a", 3), stand_pat=4), [4, 4]),
        (max_node(leaf("a", 3), {"outcome": "limited", "count": 2}), [3, 3]),
        (max_node(leaf("a", 3), {"outcome": "pruned", "count": 2}), [3, np.inf]),
        (min_node(leaf("a", 3), {"outcome": "pruned", "count": 2}), [-np.inf, 3]),
        (max_node(leaf("a", 3), {"outcome": "unlogged", "count": 2}), [-np.inf, np.inf]),
        (max_node(leaf("a", 3), outcome="cutoff"), [3, np.inf]),
        (max_node(leaf("a", 3), score=6, outcome="cutoff", cut_by="null"), [6, np.inf]),
        (min_node(score=6, outcome="cutoff", cut_by="estimate"), [-np.inf, 6]),
        (max_node(leaf("a", 3), {"ply": "b", "layer": "min", "outcome": "stopped"}), [np.nan, np.nan]),
        (max_node(leaf("a", 3), layer="chance"), [np.nan, np.nan]),
        (max_node(leaf("a", 3), leaf("b", 9, score=4, outcome="terminal")), [4, 4]),
        (max_node(leaf("a", 3, depth=1), leaf("a", 8, depth=0)), [3, 3]),
    ],
)
def test_what_a_node_is_worth(root: dict[str, Any], worth: list[float]) -> None:
    assert root_worth(root) == pytest.approx(worth, nan_ok=True)


def test_the_declared_range_closes_what_a_cut_opened() -> None:
    root = max_node(leaf("a", 3), {"outcome": "pruned", "count": 2})
    assert root_worth(root, search={"range": [-9, 9]}) == [3, 9]


def test_visits_of_one_ply_are_intersected() -> None:
    scout = min_node(leaf("x", 4), {"outcome": "pruned", "count": 1}, ply="a", outcome="cutoff")
    again = min_node(leaf("x", 4), leaf("y", 2), ply="a", purpose="research")
    assert root_worth(max_node(scout, again)) == [2, 2]


def test_a_table_row_is_worth_what_its_source_is_with_wins_nearer_above() -> None:
    """A win at level 3, stored at level 2, is a ply nearer where it is used at level 1."""
    win = {"ply": "c", "layer": "max", "score": 97, "outcome": "terminal", "ending": "win"}
    source = max_node(min_node(win, ply="b"), ply="a", layer="min")
    used = {"ply": "d", "layer": "min", "score": 0, "outcome": "tt", "tt": {"use": "cut", "from": 2}}
    search = {"mate": {"score": 100, "step": 1, "threshold": 90}}
    refold = worths(log_of(max_node(source, used), search=search))
    assert (refold.low[2], refold.low[4]) == (97, 98)


def test_an_entry_narrows_what_the_visit_shows() -> None:
    pruned = {"outcome": "pruned", "count": 1}
    tt = {"use": "narrow", "bound": "upper", "score": 6}
    assert root_worth(max_node(leaf("a", 3), pruned, tt=tt)) == [3, 6]
    assert root_worth(max_node(leaf("a", 7), pruned, tt=tt)) == pytest.approx([np.nan] * 2, nan_ok=True)


@pytest.mark.parametrize(("weight", "value"), [(1e308, 1e308), (1e308, -1e308), (1e308, "inf"), (0, "inf")])
def test_terms_beyond_all_numbers_are_added_without_a_warning(weight: float, value: float) -> None:
    document = example("repropagate")
    document["factors"][0]["weight"] = weight
    child(document, 0)["factors"] = [value, 0]
    document["root"]["static"] = 7
    document["root"]["factors"] = [value, 0]
    assert ("repropagate", "root") in found(document) or weight == 0


def test_a_best_first_search_is_not_folded() -> None:
    document = example("repropagate")
    document["search"] = {"order": "best_first"}
    assert found(document, "repropagate") == []


@pytest.mark.slow
def test_compiled_and_plain_give_the_same_worths() -> None:
    options = SearchOptions(depth=5, limit=4, algorithm="pvs", iterative=True, table=1.0, table_use="narrow")
    log = log_from_recording(search(connect_four.GAME, options=options, compiled=False))
    plain, compiled = worths(log), worths(log, compiled=True)
    for name in ("low", "high"):
        np.testing.assert_array_equal(getattr(plain, name), getattr(compiled, name))
    assert np.isfinite(plain.low[log.roots[-1].row])


def test_scores_between_the_leaves_and_the_root_are_not_asked() -> None:
    inner = {**min_node(leaf("x", 5, score=5), ply="a"), "score": None}
    root = max_node(inner, score=4)
    named = [finding.rule for finding in check(log_of(root)).findings()]
    assert named == ["repropagate"]
