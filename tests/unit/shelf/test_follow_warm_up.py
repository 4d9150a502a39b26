"""The kernels that follow a log are loaded before it is large."""

from __future__ import annotations

import json

import pytest

from plyscope.engine.jit import compiled
from plyscope.visualizer.analysis.overview.measure import FEW_ROWS
from plyscope.visualizer.analysis.overview.picture import draw_above, draw_part, overview
from plyscope.visualizer.formats.following.growing_log import GrowingLog
from plyscope.visualizer.shelf.follow import warm_up


def test_kernels_that_are_on_disk_are_loaded_without_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    warm_up.follow_lines()
    assert warm_up._are_compiled()
    monkeypatch.setattr(warm_up, "compile_elsewhere", None)
    monkeypatch.setattr(warm_up._is_ready, "set", lambda: None)
    warm_up._make_ready()


def test_kernels_that_are_not_are_compiled_by_another_process_first(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(warm_up, "compile_elsewhere", done.append)
    monkeypatch.setattr(warm_up, "_are_compiled", lambda: False)
    monkeypatch.setattr(warm_up, "follow_lines", lambda: done.append("loaded"))
    monkeypatch.setattr(warm_up._is_ready, "set", lambda: done.append("ready"))
    warm_up._make_ready()
    assert done == ["follow", "loaded", "ready"]


def test_the_overview_of_a_log_that_has_become_large_needs_no_other_machine_code() -> None:
    warm_up.follow_lines()
    kernels = [compiled(draw_above), compiled(draw_part)]
    before = [len(kernel.signatures) for kernel in kernels]
    log = GrowingLog()
    log.run = compiled
    nodes = [{"id": n, "parent": (n - 1) // 3, "ply": f"p{n % 9}"} for n in range(1, FEW_ROWS + 2)]
    log.take(b"".join(json.dumps(node).encode() + b"\n" for node in [{"plyscope": 1}, {"id": 0}, *nodes]))
    sealed = log.snapshot()
    assert sealed is not None
    assert sealed.log.n_rows > FEW_ROWS
    overview(sealed, width=80, n_bands=4)
    assert [len(kernel.signatures) for kernel in kernels] == before
    assert min(before) > 0
