"""Over random trees and options: plain minimax's score, sound logs, the same rows from every way to run."""

from __future__ import annotations

import json
from typing import Any

import hypothesis.strategies as st
from hypothesis import given, settings

from plyscope.engine.games.explicit_tree import GAME
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.store import words
from tests.oracle import broken_rules, nodes_of
from tests.property.examples import examples
from tests.property.trees import told

VALUES = st.one_of(st.integers(-4, 4), st.sampled_from([0.25, -1.5, 2.75, 1e3, -1e3]))
LEAVES: st.SearchStrategy[Any] = st.one_of(
    VALUES, VALUES, st.sampled_from([{"ending": ending} for ending in ("win", "loss", "draw")])
)


def _inner(below: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Nodes whose player need not alternate, with an evaluation, sometimes with another node's key."""
    children = st.lists(below, min_size=1, max_size=4)
    said = {"player": st.sampled_from(["max", "min"]), "value": VALUES, "key": st.sampled_from(["", "", "A"])}
    return st.one_of(children, st.fixed_dictionaries({"children": children}, optional=said))


TREES = st.recursive(LEAVES, _inner, max_leaves=40)
OPTIONS = st.fixed_dictionaries(
    {
        "depth": st.integers(1, 6),
        "limit": st.sampled_from([None, None, 1, 2, 3]),
        "algorithm": st.sampled_from(["minimax", "alphabeta", "pvs"]),
        "iterative": st.booleans(),
        "keep": st.sampled_from(["all", "last"]),
    },
    optional={"quotient": st.integers(2, 3), "seed": st.integers(0, 99), "nodes": st.integers(1, 60)},
)
WIDTHS = st.sampled_from([None, 0.5, 2.0, 50.0])


def _options(said: dict[str, Any], width: float | None) -> SearchOptions:
    if said["iterative"] and said["algorithm"] != "minimax":
        said = said | {"aspiration": width}
    return SearchOptions(**said)


@settings(max_examples=examples(300), deadline=None)
@given(TREES, OPTIONS, WIDTHS)
def test_every_log_keeps_the_rules(tree: Any, said: dict[str, Any], width: float | None) -> None:
    recording = search(GAME, json.dumps(tree), _options(said, width), compiled=False)
    assert broken_rules(log_from_recording(recording)) == []


@settings(max_examples=examples(100), deadline=None)
@given(TREES, OPTIONS, WIDTHS, st.integers(3, 20))
def test_a_search_that_runs_out_of_rows_and_goes_on_writes_the_same_log(
    tree: Any, said: dict[str, Any], width: float | None, n_rows: int
) -> None:
    said |= {"seed": 5}
    text = json.dumps(tree)
    whole = search(GAME, text, _options(said, width), compiled=False)
    first = search(GAME, text, _options(said, width), compiled=False, first_rows=n_rows)
    assert told(first) == told(whole)


@settings(max_examples=examples(100), deadline=None)
@given(TREES, OPTIONS, st.integers(1, 40))
def test_a_search_stopped_anywhere_leaves_the_beginning_of_the_whole_log(
    tree: Any, said: dict[str, Any], nodes: int
) -> None:
    said |= {"nodes": None, "keep": "all", "seed": 5}
    text = json.dumps(tree)
    whole = log_from_recording(search(GAME, text, SearchOptions(**said), compiled=False))
    said["nodes"] = nodes
    part = log_from_recording(search(GAME, text, SearchOptions(**said), compiled=False))
    for cut, full in zip(nodes_of(part), nodes_of(whole), strict=False):
        assert part.text(cut.fields.pop("ply")) == whole.text(full.fields.pop("ply"))
        if cut.outcome == words.STOPPED:
            assert (cut.level, cut.key, cut.moves) == (full.level, full.key, full.moves)
        else:
            assert str(cut.fields) == str(full.fields)
