"""Wins that a branching limit leaves unproven are searched again with every reply that it left out.

With a limit of 1 the opponent, after ply a of the tree below, keeps the reply that looks best, and loses.

    root, max
      a, min: replies    a, worth -4: kept; then max wins at once
                         b, worth 5: left out, though it saves the game
      b, worth -9: left out at the root
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from plyscope.engine.games import find
from plyscope.engine.games.plain import PlainKernels
from plyscope.engine.options import SearchOptions
from plyscope.engine.quotient import draw_rank
from plyscope.engine.record.recording import Recording
from plyscope.engine.record.rows import LIMITED, STOPPED
from plyscope.engine.run import Iteration, search
from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.seal.recording import log_from_recording
from tests.heaps import Heap
from tests.oracle import nodes_of

TREE: Any = find("explicit_tree")
LOSES: dict[str, Any] = {"value": -4, "player": "max", "key": "loses", "children": [{"ending": "win"}]}
SAVES: dict[str, Any] = {"value": 5, "player": "max", "key": "saves", "children": [5]}
LOSES_TOO: dict[str, Any] = SAVES | {"key": "loses too", "children": [{"ending": "win"}]}
BAD = {"value": -9, "player": "min", "children": [-9]}


def tree(*replies: Any, player: str = "max") -> str:
    """The tree above, where `replies` follow ply a."""
    return json.dumps({"player": player, "children": [{"key": "replies", "children": list(replies)}, BAD]})


HIDDEN = tree(LOSES, SAVES)
ASKED = SearchOptions(depth=3, limit=1, prove_wins=True)
WIN_IN_3 = 1e9 - 3


def searched(text: str, asked: SearchOptions = ASKED, **said: Any) -> Recording:
    return search(TREE, text, replace(asked, **said), compiled=False)


def replies(last: Any, key: str = "replies") -> dict[str, Any]:
    """A position of min with three replies, of which a limit of 2 leaves out the last."""
    likely = [LOSES, LOSES | {"key": "loses again", "value": -3}]
    return {"player": "min", "key": key, "children": [*likely, last]}


def limited(recording: Recording, tree: int) -> int:
    """The number of plies that the limit left out in one of the trees."""
    rows = recording.rows[recording.trees[tree].row : recording.trees[tree].end]
    return int(rows["moves"][rows["outcome"] == LIMITED].sum())


def test_a_false_win_is_refuted_by_a_further_root_of_its_iteration() -> None:
    bare = searched(HIDDEN, prove_wins=False)
    assert (bare.score, bare.is_proven, len(bare.trees)) == (WIN_IN_3, False, 1)
    told: list[Iteration] = []
    recording = search(TREE, HIDDEN, replace(ASKED, iterative=True), compiled=False, on_iteration=told.append)
    assert (recording.score, recording.is_proven) == (5, False)
    assert [each.iteration for each in recording.trees] == [1, 2, 3, 3]
    assert [(each.depth, each.score) for each in told] == [(1, 0), (2, -4), (3, 5)]
    assert recording.header["result"]["root"] == 3
    assert recording.header["result"]["counters"]["prove_wins"] == {"tried": 1, "succeeded": 1}
    assert [limited(recording, tree) for tree in (2, 3)] == [2, 1]  # at the root ply b stays out


def test_an_entry_of_an_unproven_win_ends_no_visit_when_searched_again() -> None:
    """Ply a visits the replies first, and is no win by another answer; ply b wins by their entry.

    So the first search notes nothing. The second visits the replies below b again, the third at full width.
    """
    noted = {"player": "max", "value": -5, "children": [replies(SAVES)]}
    drawn = {"player": "max", "value": -4, "children": [0]}
    text = json.dumps([{"value": 1, "children": [noted, drawn]}, [noted]])
    recording = searched(text, depth=5, limit=2, table=1.0)
    assert len(recording.trees) == 3
    assert recording.score == 5
    assert recording.header["result"]["counters"]["prove_wins"] == {"tried": 1, "succeeded": 1}


def test_a_win_known_from_a_scout_narrows_no_window_in_which_it_is_to_be_proven() -> None:
    """Ply b wins, which its scout finds and stores as a lower bound; nothing is limited.

    Narrowed by that bound, the search again would return the same score at its edge, and prove nothing.
    """
    asked = replace(ASKED, limit=2, algorithm="pvs", table=1.0, table_use="narrow")
    recording = searched('[5, [[{"ending": "win"}]]]', asked)
    result = recording.header["result"]
    assert (recording.ply, recording.score, recording.is_proven) == ("b", WIN_IN_3, True)
    assert (len(recording.trees), result["counters"]["prove_wins"]) == (1, {"tried": 0, "succeeded": 0})


def test_a_search_out_of_nodes_keeps_the_unproven_win_and_its_root() -> None:
    whole = searched(HIDDEN)
    first = whole.trees[0].totals.nodes
    for nodes in (first, first + 2):
        recording = searched(HIDDEN, nodes=nodes)
        result = recording.header["result"]
        assert (recording.score, result["root"], result["stopped"]) == (WIN_IN_3, 0, "nodes")
        assert result["counters"]["prove_wins"] == {"tried": 1, "succeeded": 0}
        assert not recording.is_proven
        assert len(recording.trees) == (1 if nodes == first else 2)
        assert (recording.rows["outcome"] == STOPPED).any() == (nodes > first)
        assert check(log_from_recording(recording), compiled=False).findings() == []


def test_a_chosen_ply_below_the_best_is_proven_too() -> None:
    """Two plies win, the second only where the limit hides its last reply."""
    text = json.dumps([replies(LOSES_TOO, key="first"), replies(SAVES, key="second")])
    seed = next(seed for seed in range(99) if draw_rank(2, seed, 2) == 1)
    asked = {"limit": 2, "quotient": 2, "seed": seed}
    assert searched(text, prove_wins=False, **asked).score == WIN_IN_3
    recording = searched(text, **asked)
    assert (recording.header["result"]["rank"], recording.ply, recording.score) == (1, "b", 5)
    assert check(log_from_recording(recording), compiled=False).findings() == []


def test_a_carried_table_brings_the_positions_that_it_kept_at_full_width() -> None:
    first = searched(HIDDEN, table=1.0)
    assert first.table is not None
    assert len(first.table.full) == 1
    again = search(TREE, HIDDEN, replace(ASKED, table=1.0), compiled=False, table=first.table)
    assert (again.score, len(again.trees)) == (5, 1)


class Counting(Heap):
    """The evaluation likes large steps."""

    matches = 7

    def values(self, position: tuple[int, int]) -> tuple[float, ...]:
        return (float((7 - position[0]) * (1 if position[1] else -1)),)


@pytest.mark.parametrize("table", [None, 1.0])
def test_a_plain_game_without_keys_has_its_wins_proven(table: float | None) -> None:
    recording = search(Counting(), None, SearchOptions(depth=7, limit=1, prove_wins=True, table=table))
    assert isinstance(recording.game, PlainKernels)
    counts = recording.header["result"]["counters"]["prove_wins"]
    assert counts["tried"] == counts["succeeded"] == 1
    assert np.unique(recording.rows["key"]).size > 3
    log = log_from_recording(recording)
    assert check(log, compiled=False).findings() == []
    assert len(nodes_of(log)) == len(recording.rows)
