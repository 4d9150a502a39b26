"""Two searches of one position held against each other: what is exact in both must be equal."""

from __future__ import annotations

from typing import Any

import pytest

from tests.unit.logs import log_of
from visualizer.analysis.check.against import against
from visualizer.formats.errors import LogError
from visualizer.store.log import Log


def of(header: dict[str, Any] | None = None, **second: Any) -> Log:
    """A root with two children, the second one with the fields given."""
    common = {"layer": "min", "depth": 1, "bound": "exact", "score": 3}
    children = [{"ply": "a", **common}, {"ply": "b", **common, **second}]
    root = {"layer": "max", "depth": 2, "bound": "exact", "score": 3, "children": children}
    return log_of(root, **(header or {}))


def test_an_exact_score_that_differs_is_found_at_its_node_with_both_figures() -> None:
    (finding,) = against(of(score=2), of(score=1))
    assert (finding.path, finding.found, finding.expected) == ("b", 2, 1)


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
