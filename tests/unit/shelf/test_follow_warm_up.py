"""The kernels that follow a log are loaded before it is large."""

from __future__ import annotations

import pytest

from plyscope.visualizer.shelf import follow_warm_up


def test_kernels_that_are_on_disk_are_loaded_without_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    follow_warm_up.run_kernels()
    assert follow_warm_up._are_compiled()
    monkeypatch.setattr(follow_warm_up, "ChildProcess", None)
    monkeypatch.setattr(follow_warm_up._is_ready, "set", lambda: None)
    follow_warm_up._make_ready()


def test_kernels_that_are_not_are_compiled_by_another_process_first(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    class Child:
        def __init__(self, module: str) -> None:
            done.append(module)

        def __enter__(self) -> Child:
            return self

        def __exit__(self, *_: object) -> None:
            done.append("left")

        def result(self) -> None:
            done.append("compiled")

    monkeypatch.setattr(follow_warm_up, "ChildProcess", Child)
    monkeypatch.setattr(follow_warm_up, "_are_compiled", lambda: False)
    monkeypatch.setattr(follow_warm_up, "run_kernels", lambda: done.append("loaded"))
    monkeypatch.setattr(follow_warm_up._is_ready, "set", lambda: done.append("ready"))
    follow_warm_up._make_ready()
    assert done == [follow_warm_up.__name__, "compiled", "left", "loaded", "ready"]
