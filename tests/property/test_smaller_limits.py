"""Tests of the verdicts on smaller branching limits, against searches that really had them."""

from __future__ import annotations

from typing import Any

import hypothesis.strategies as st
from hypothesis import given, settings

from plyscope.engine.games.explicit_tree import GAME
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.analysis.statistics.figures import Limits
from plyscope.visualizer.analysis.statistics.run import counted_in
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store.tree import Tree
from tests.property.examples import examples
from tests.property.trees import trees

HOW = st.fixed_dictionaries(
    {
        "depth": st.integers(1, 5),
        "limit": st.sampled_from([None, 2, 3, 4]),
        "algorithm": st.sampled_from(["minimax", "alphabeta", "pvs"]),
        "fail": st.sampled_from(["soft", "hard"]),
        "iterative": st.booleans(),
        "quiescence": st.sampled_from([None, None, 2]),
    }
)
REORDERING = st.fixed_dictionaries(
    {"killers": st.booleans(), "history": st.booleans()},
    optional={"table": st.just(1.0), "table_use": st.sampled_from(["cut", "narrow"])},
)


def limits_of(text: str, said: dict[str, Any]) -> Limits | None:
    if "table" not in said:
        said = {name: value for name, value in said.items() if name != "table_use"}
    if said["algorithm"] == "minimax":
        said = said | {"killers": False, "history": False, "fail": "soft"}
    recording = search(GAME, text, SearchOptions(**said), compiled=False)
    return counted_in(Tree(log_from_recording(recording)), compiled=False).limits


def chosen(text: str, said: dict[str, Any], limit: int) -> str | None:
    """The ply of a plain alpha-beta search with a limit."""
    plain = SearchOptions(
        depth=said["depth"], limit=limit, algorithm="alphabeta", quiescence=said["quiescence"]
    )
    return search(GAME, text, plain, compiled=False).header["result"].get("ply")


@settings(max_examples=examples(500), deadline=None)
@given(trees(), HOW, st.just({}) | REORDERING)
def test_what_is_said_for_sure_is_what_a_search_with_the_smaller_limit_does(
    text: str, said: dict[str, Any], more: dict[str, Any]
) -> None:
    """Tables, killers and history may reorder the plies of the one that is asked."""
    limits = limits_of(text, said | more)
    for each in limits.each if limits is not None else ():
        ply = chosen(text, said, each.limit)
        assert each.decision == "unknown" or (ply == limits.ply) == (each.decision == "kept"), each.limit
