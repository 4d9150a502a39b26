"""A search of ours that is watched while it runs: copies are logs of what was searched, and its rate."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from plyscope.engine import watch
from plyscope.engine.games.tictactoe import GAME
from plyscope.engine.record.recording import Recording
from plyscope.engine.run import SearchOptions, search
from plyscope.visualizer.formats.seal.recording import log_from_recording
from plyscope.visualizer.formats.write.files import write_log_file
from plyscope.visualizer.shelf.follow import growing
from plyscope.visualizer.shelf.follow.growing import SECONDS, NodeRate, RunSoFar
from plyscope.visualizer.shelf.shelf import Shelf
from plyscope.visualizer.store.seal import seal
from plyscope.visualizer.store.words import OPEN
from tests.patience import PATIENCE

OPTIONS = [
    SearchOptions(depth=4),
    SearchOptions(depth=4, iterative=True, table=1),
    SearchOptions(depth=4, algorithm="pvs", iterative=True, limit=4),
]


@pytest.mark.parametrize("options", OPTIONS)
def test_every_copy_of_a_running_search_is_a_part_of_its_log(
    options: SearchOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "SLICE_SECONDS", 0.0)  # slices are as short as can be
    monkeypatch.setattr(watch, "FIRST_SLICE", 1)
    copies: list[Recording] = []
    whole = log_from_recording(
        search(GAME, options=options, compiled=False, on_rows=lambda _, copy: copies.append(copy()))
    )
    assert len(copies) > 1
    for copy in copies:
        log = log_from_recording(copy)
        assert "result" not in log.header
        sealed = seal(log.columns["parent"])
        assert sealed.order.tolist() == list(range(log.n_rows))
        assert sealed.end.tolist() == log.columns["end"].tolist()
        is_open = log.columns["outcome"] == OPEN
        assert is_open.any()
        left = ~is_open
        for name in ("score", "outcome", "bound", "ply", "end", "static"):
            ours, all_rows = log.columns[name], whole.columns[name][: log.n_rows]
            if name == "ply":
                words = [log.text(int(ply)) for ply in ours]
                assert words == [whole.text(int(ply)) for ply in all_rows]
            else:
                np.testing.assert_array_equal(ours[left], all_rows[left], err_msg=name)


def test_a_search_is_copied_only_where_somebody_waits_for_it() -> None:
    run = RunSoFar()
    run.offer(10, lambda: pytest.fail("nobody asked"))
    assert run.n_searched == 10
    run.end()
    assert run.snapshot() is None


def test_a_watched_search_is_an_ordinary_log_in_the_end(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path / "data", tmp_path / "cache")
    run = RunSoFar()
    path = tmp_path / "tictactoe.json"
    followed = shelf.follow_run(path, path.name, run)
    entry = shelf.first()
    assert entry is not None
    assert entry.summary()["live"] == {"state": "written", "from": "search"}
    rows: list[int] = []

    def look() -> None:
        tree = followed.first_tree(PATIENCE)
        rows.append(0 if tree is None else tree.log.n_rows)
        has_seen.set()

    has_seen = threading.Event()
    threading.Thread(target=look, daemon=True).start()

    def offer(n_nodes: int, copy: Callable[[], Recording]) -> None:
        run.offer(n_nodes, copy)
        followed.counted()
        if not has_seen.is_set():
            has_seen.wait(0.01)

    recording = search(GAME, options=SearchOptions(depth=6), compiled=False, on_rows=offer)
    assert has_seen.wait(PATIENCE)
    assert 0 < rows[0] < len(recording.rows)
    write_log_file(log_from_recording(recording), path)
    run.end()
    followed.finish()
    assert entry.live is None
    assert shelf.open(entry.id).log.n_rows == len(recording.rows)
    shelf.close()


def test_the_rate_is_that_of_the_last_seconds_and_none_once_nothing_came_in_these(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(growing.time, "monotonic", lambda: now)
    rate = NodeRate()
    for second in range(1, 11):
        now = 100.0 + second
        rate.note(50 * second)
    assert rate.a_second(500) == 50
    now += SECONDS
    assert 0 < rate.a_second(500) < 50
    now += 0.1
    assert rate.a_second(500) == 0
    now += 20  # compiling, or another search
    rate.note(800)
    now += 1
    assert rate.a_second(800) == 150
