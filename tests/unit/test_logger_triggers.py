"""The part of a search that a trigger leaves: the wanted subtree with the way there; the rest is counted."""

from __future__ import annotations

import pytest

from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log
from plyscope.visualizer.store.tree import Tree
from tests.unit.loggers.running import LANGUAGES, LOGGERS, logged, program

N_NODES = 40
"""Of the root, three plies, nine and 27."""


def paths(log: Log) -> set[str]:
    """The nodes of the first tree that have rows, by the plies that lead there."""
    tree = Tree(log)
    rows = range(int(log.columns["end"][0]))
    return {
        "".join(tree.ply(each) or "" for each in tree.path(row))
        for row in rows
        if log.columns["outcome"][row] < words.FIRST_STUB
    }


KEPT = {
    "below": {"", "b", "ba", "baa", "bab", "bac"},
    "at": {"", "b", "ba", "bac"},
    "rows": {"", "a", "aa", "aaa", "aab", "aac", "ab", "b", "c"},
}


COMPACT = [("triggers_compact", language) for language in ("c", "cpp")]
"""They have no trigger by a key."""


@pytest.mark.parametrize(("name", "language"), [*(("triggers", each) for each in LANGUAGES), *COMPACT])
def test_a_trigger_keeps_its_subtree_and_counts_the_rest(
    name: str, language: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp(name + language)
    command = program(name, language, folder)
    whole = logged(command, folder / "all.jsonl", str(LOGGERS), "all")
    assert len(paths(whole)) == N_NODES
    for trigger, kept in KEPT.items():
        if trigger == "at" and (name, language) in COMPACT:
            continue
        log = logged(command, folder / f"{trigger}.jsonl", str(LOGGERS), trigger)
        assert paths(log) == kept, trigger
        first = slice(0, int(log.columns["end"][0]))
        is_stub = log.columns["outcome"][first] == words.UNLOGGED
        assert log.columns["nodes"][first][is_stub].sum() == N_NODES - len(kept), trigger
        assert [root.iteration for root in log.roots] == [1, 2]
        assert log.columns["score"][0] == 0
