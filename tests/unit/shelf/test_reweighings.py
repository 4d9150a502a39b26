"""What-ifs of open logs: few are kept, and what broke off is begun anew."""

from __future__ import annotations

import json

import pytest

from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.shelf import prepared as kept_answers
from plyscope.visualizer.shelf.prepared import KeptReweighing, Reweighings
from plyscope.visualizer.store.tree import Tree
from tests.patience import PATIENCE


def tree(n_leaves: int = 2) -> Tree:
    leaves = [
        {"ply": str(number), "layer": "min", "outcome": "leaf", "score": number, "factors": [number]}
        for number in range(n_leaves)
    ]
    root = {"layer": "max", "children": leaves}
    document = {"plyscope": 1, "factors": [{"name": "f", "weight": 1}], "root": root}
    return Tree(read_log(json.dumps(document).encode()))


def prepared(kept: KeptReweighing) -> KeptReweighing:
    assert kept.prepared.settled.wait(PATIENCE)
    return kept


def test_the_log_that_was_asked_longest_ago_is_let_go() -> None:
    logs = Reweighings()
    trees = [tree() for _ in range(4)]
    kept = [logs.of(each) for each in trees[:3]]
    assert logs.of(trees[0]) is kept[0]
    logs.of(trees[3])
    assert logs.of(trees[0]) is kept[0]
    assert logs.of(trees[2]) is kept[2]
    assert logs.of(trees[1]) is not kept[1]


def test_large_logs_make_others_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_answers, "MOST_ROWS", 10)
    logs = Reweighings()
    small, large = tree(), tree(20)
    kept = logs.of(small)
    logs.of(large)
    assert logs.of(large) is logs.of(large)
    assert logs.of(small) is not kept


def test_what_broke_off_is_said_and_begun_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    logs = Reweighings()
    one = tree()
    kept = prepared(logs.of(one))

    def breaks(on_progress: object) -> None:
        raise MemoryError

    monkeypatch.setattr(kept.log, "ranges", breaks)
    monkeypatch.setattr("threading.excepthook", lambda arguments: None)
    job = kept.ranges()
    assert job.settled.wait(PATIENCE)
    assert job.as_json() == {
        "state": "failed",
        "progress": 0.0,
        "reason": "the work broke off; the terminal says why",
    }
    again = prepared(logs.of(one))
    assert again is not kept
    assert again.ranges().settled.wait(PATIENCE)
    assert [each.weight.name for each in again.log.all_ranges] == ["f"]
