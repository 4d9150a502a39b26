"""The transposition table: what it keeps, what gives way, and whose search it may serve."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plyscope.engine.alphabeta.stack import OPTIONS
from plyscope.engine.alphabeta.table import (
    ENTRY,
    NOT_IN_LOG,
    entries_for,
    find,
    place_for,
    score_at,
    store,
    table_for,
    turned_bound,
)
from plyscope.engine.games.explicit_tree import GAME as TREE
from plyscope.engine.games.tictactoe import GAME as TICTACTOE
from plyscope.engine.option import OptionError
from plyscope.engine.options import SearchOptions
from plyscope.engine.record.recording import Recording
from plyscope.engine.record.rows import EXACT, LOWER, TT, UPPER, USED_TO_ORDER
from plyscope.engine.run import search


def option(root_player: int = 0, age: int = 1) -> Any:
    options = np.zeros(1, OPTIONS)
    options[0]["mate_threshold"], options[0]["mate_step"] = 1000.0, 1.0
    options[0]["root_player"], options[0]["age"] = root_player, age
    return options[0]


def test_two_entries_fill_a_cache_line_and_are_turned_for_the_other_side() -> None:
    assert ENTRY.itemsize == 32
    assert entries_for(4).ctypes.data % 64 == 0
    assert len(table_for(1, ()).entries) == 2**20 // 32
    # The other side sees a lower bound as an upper one.
    entries = entries_for(1)
    store(entries, option(0), 7, 0, 2, 5.0, LOWER, 4, 0, False)
    entry = entries[find(entries, 7)]
    assert (score_at(entry, 0, option(1)), turned_bound(entry["bound"], option(1))) == (-5.0, UPPER)


def test_an_older_entry_gives_way_before_a_shallower_one() -> None:
    entries = entries_for(1)
    store(entries, option(age=1), 1, 0, 9, 1.0, EXACT, 0, 0, False)
    store(entries, option(age=2), 2, 0, 3, 2.0, EXACT, 0, 0, False)
    store(entries, option(age=2), 3, 0, 1, 3.0, EXACT, 0, 0, False)
    assert [find(entries, key) >= 0 for key in (1, 2, 3)] == [False, True, True]
    store(entries, option(age=2), 4, 0, 1, 4.0, EXACT, 0, 0, False)
    assert [find(entries, key) >= 0 for key in (2, 3, 4)] == [True, False, True]
    assert place_for(entries, 2, 2, 2) == -1  # one of the same position that is deeper stays
    assert place_for(entries, 2, 3, 2) == find(entries, 2)


def test_a_carried_table_answers_from_outside_the_log() -> None:
    options = SearchOptions(depth=5, table=1)
    first = search(TICTACTOE, options=options, compiled=False)
    again = search(TICTACTOE, options=options, compiled=False, table=first.table)
    assert again.score == first.score
    assert again.header["search"]["table_carried"] is True
    assert len(again.rows) < len(first.rows)
    assert (again.hits["source"] == -2).any()
    assert (again.rows["outcome"] == TT).any()


def test_no_row_of_an_earlier_recording_is_named() -> None:
    table = None
    for is_recorded, n_nodes in ((True, None), (False, None), (True, None), (True, 5)):
        options = SearchOptions(depth=4, table=1, record=is_recorded, nodes=n_nodes)
        found = search(TICTACTOE, options=options, compiled=False, table=table)
        table = found.table
        assert table is not None
        stored = table.entries["row"][table.entries["bound"] > 0]
        if is_recorded:
            assert (found.hits["source"] < found.hits["row"]).all()
            assert stored.max() < len(found.rows)
        else:
            assert (stored == NOT_IN_LOG).all()


@pytest.mark.parametrize("use", ["cut", "narrow"])
def test_a_root_is_searched_and_ranked_though_the_table_knows_its_score(use: str) -> None:
    """An entry names one ply at most, and none where it bounds the score: the root would name none."""
    options = SearchOptions(depth=5, table=1, table_use=use)
    first = search(TICTACTOE, options=options, compiled=False)
    again = search(TICTACTOE, options=options, compiled=False, table=first.table)
    assert again.hits[again.hits["row"] == 0]["use"].tolist() == [USED_TO_ORDER]
    assert again.hits[again.hits["row"] == 0]["bound"].tolist() == [EXACT]
    assert (again.ply, again.score) == (first.ply, first.score)


def test_a_root_is_not_narrowed_by_the_bound_of_an_aspiration_that_failed() -> None:
    """The first root at depth 2 fails high with 5 in a window around 0; 5 is what the second must rank."""
    text = '{"children": [{"value": 0, "children": [5]}, {"value": -1, "children": [4]}]}'
    options = SearchOptions(depth=2, iterative=True, aspiration=1.0, table=1, table_use="narrow")
    recording = search(TREE, text, options, compiled=False)
    assert [(root["bound"], root["score"]) for root in roots_of(recording)[1:]] == [(LOWER, 5), (EXACT, 5)]
    assert (recording.ply, recording.score) == ("a", 5)


def roots_of(recording: Recording) -> list[Any]:
    return [recording.rows[tree.row] for tree in recording.trees]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({}, "a table is carried; expected its size"),
        ({"table": 2}, "table: 2 MB, but the carried one"),
        ({"table": 1, "limit": 3}, "another limit: None, expected 3"),
        ({"table": 1, "prove_wins": True}, "another prove_wins: False, expected True"),
        ({"table": 1, "weights": {"centre": 9.0}}, "another set of weights"),
    ],
)
def test_a_table_whose_scores_mean_something_else_is_refused(said: dict[str, Any], message: str) -> None:
    table = search(TICTACTOE, options=SearchOptions(depth=2, table=1), compiled=False).table
    with pytest.raises(OptionError, match=message):
        search(TICTACTOE, options=SearchOptions(depth=2, **said), compiled=False, table=table)
    of_a_tree = search(TREE, "[[1, 2], 3]", SearchOptions(table=1), compiled=False).table
    with pytest.raises(OptionError, match="another numbering of positions"):
        search(TREE, "[[1, 2], 4]", SearchOptions(table=1), compiled=False, table=of_a_tree)


def test_a_table_larger_than_the_free_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyscope.engine.alphabeta.carrying.free_bytes", lambda: 10 * 2**20)
    with pytest.raises(OptionError, match="table: 16 MB, expected at most 10") as refused:
        search(TICTACTOE, None, SearchOptions(table=16), compiled=False)
    assert refused.value.option == "table"
