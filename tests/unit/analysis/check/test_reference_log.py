"""Two searches of one position held against each other: what is exact in both must be equal."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyscope.visualizer.analysis.check.reference_log import against
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store.log import Log
from tests.property.examples import examples
from tests.unit.logs import log_of


def of(header: dict[str, Any] | None = None, **second: Any) -> Log:
    """A root with two children, the second one with the fields given."""
    common = {"layer": "min", "depth": 1, "bound": "exact", "score": 3}
    children = [{"ply": "a", **common}, {"ply": "b", **common, **second}]
    root = {"layer": "max", "depth": 2, "bound": "exact", "score": 3, "children": children}
    return log_of(root, **(header or {}))


@pytest.mark.parametrize(
    "fields", [{"bound": "lower"}, {"depth": 3}, {"ply": "c"}, {"outcome": "stopped"}, {"score": 2}]
)
def test_only_what_is_exact_at_equal_path_and_depth_is_compared(fields: dict[str, Any]) -> None:
    assert against(of(score=2), of(**{"score": 1, **fields})) == []


@pytest.mark.parametrize(("name", "one", "two"), [("position", "x", "y"), ("game", "reversi", "chess")])
def test_logs_of_another_game_or_position_are_refused(name: str, one: str, two: str) -> None:
    with pytest.raises(LogError, match=f"different {name}s"):
        against(of({name: one}), of({name: two}))


def test_logs_with_nothing_in_common_are_refused() -> None:
    other = log_of({"score": 3, "depth": 7, "bound": "exact"})
    with pytest.raises(LogError, match="nothing to compare"):
        against(of(), other)


def test_findings_stand_in_the_order_in_which_nodes_were_left() -> None:
    def tree(score: int) -> Log:
        leaf = {"ply": "b", "depth": 1, "bound": "exact", "score": score}
        child = {"ply": "a", "depth": 2, "bound": "exact", "score": score, "children": [leaf]}
        return log_of({"depth": 3, "bound": "exact", "score": score, "children": [child]})

    findings = against(tree(1), tree(2))
    assert [(each.path, each.found, each.expected) for each in findings] == [
        (path, 1, 2) for path in ("a > b", "a", "root")
    ]


def test_infinity_differs_from_any_number_and_not_from_itself() -> None:
    assert against(of(score="inf"), of(score="inf")) == []
    assert len(against(of(score="inf"), of(score=1e300))) == 1


PLACES = st.lists(
    st.tuples(st.integers(0, 9), st.sampled_from("ab"), st.integers(0, 1), st.integers(0, 2), st.booleans()),
    max_size=12,
)


def grown(places: list[tuple[int, str, int, int, bool]]) -> Log:
    nodes: list[dict[str, Any]] = [{"depth": 9, "bound": "exact", "score": 0, "children": []}]
    for above, ply, depth, score, has_ply in places:
        node = {"depth": depth, "bound": "exact", "score": score, "children": []}
        nodes.append(node | {"ply": ply} if has_ply else node)
        nodes[above % (len(nodes) - 1)]["children"].append(nodes[-1])
    return log_of(nodes[0])


def placed(log: Log) -> list[tuple[Any, ...]]:
    """Path, depth and score of each row, one after the other."""
    paths: list[tuple[str | None, ...]] = []
    for parent, ply in zip(log.columns["parent"].tolist(), log.columns["ply"].tolist(), strict=True):
        paths.append((*paths[parent], log.text(ply)) if parent >= 0 else ())
    return list(zip(paths, log.columns["depth"].tolist(), log.columns["score"].tolist(), strict=True))


@given(PLACES, PLACES)
@settings(max_examples=examples(60), deadline=None)
def test_paths_are_compared_as_tuples_of_plies_in_a_dictionary_are(one: Any, two: Any) -> None:
    log, other = grown(one), grown(two)
    known = {(path, depth): score for path, depth, score in placed(other)}
    expected = [
        (row, score, known[path, depth])
        for row, (path, depth, score) in enumerate(placed(log))
        if known.get((path, depth), score) != score
    ]
    assert sorted((found.row, found.found, found.expected) for found in against(log, other)) == expected
