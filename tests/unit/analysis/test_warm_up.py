"""Compiling beside: another process asks the question again, and ends with us unless it is told otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from plyscope.visualizer.analysis import warm_up
from plyscope.visualizer.analysis.warm_up import compile_beside, compile_elsewhere, serve
from plyscope.visualizer.analysis.whatif import reweighing
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.store import disk
from tests.patience import PATIENCE

LOG = b'{"plyscope": 1, "game": "tictactoe", "root": {"children": [{"ply": "a1", "score": 1}]}}'


def test_a_question_is_compiled_for_beside_once_by_a_process_that_gives_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent: list[Mapping[str, Any]] = []

    @contextmanager
    def child(module: str, **options: Any) -> Iterator[Any]:
        assert module == warm_up.__name__
        yield SimpleNamespace(send=sent.append, result=lambda: None)

    def at_once(*, target: Any, kwargs: Any, **rest: Any) -> Any:
        """A thread that is done when it begins."""
        return SimpleNamespace(start=lambda: target(**kwargs))

    monkeypatch.setattr(warm_up, "ChildProcess", child)
    monkeypatch.setattr(warm_up, "_begun", set())
    monkeypatch.setattr(warm_up.threading, "Thread", at_once)
    for _ in range(2):
        compile_beside("statistics")
    compile_elsewhere("statistics")  # whoever waits for it does not have it give way
    asked = {"question": "statistics", "folder": None, "outlives": False}
    assert sent == [asked | {"gives_way": True}, asked | {"gives_way": False}]


@pytest.mark.parametrize("question", ["check", "replay", "statistics", "weights"])
def test_each_question_is_asked_by_machine_code(
    question: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool | None] = []

    def stands_in(*arguments: Any, compiled: bool | None = None) -> Any:
        asked.append(compiled if compiled is not None else arguments[1].compiled)
        raise InterruptedError

    for name in ("check.run.check", "check.rules.game.walk.Replay", "statistics.run.counted_in"):
        monkeypatch.setattr(f"plyscope.visualizer.analysis.{name}", stands_in)
    monkeypatch.setattr(reweighing, "Reweighing", stands_in)
    disk.save(read_log(LOG), tmp_path / "log")
    folder = str(tmp_path / "log") if question in ("check", "replay") else None
    task = {"question": question, "folder": folder, "gives_way": False, "outlives": True}
    with pytest.raises(InterruptedError):
        serve(iter([task]), lambda message: None)
    assert asked == [True]


def test_a_log_that_was_let_go_is_not_compiled_for(tmp_path: Path) -> None:
    told: list[Mapping[str, Any]] = []
    task = {"question": "check", "folder": str(tmp_path / "gone"), "gives_way": False, "outlives": True}
    serve(iter([task]), told.append)
    assert told == [{"result": None}]


def test_a_process_that_does_not_outlive_its_parent_ends_while_it_compiles() -> None:
    with warm_up.ChildProcess(warm_up.__name__) as child:
        child.send({"question": "weights", "folder": None, "gives_way": True, "outlives": False})
        child.close_input()
        assert child._process.wait(PATIENCE) in (0, 1)


def test_the_sample_can_be_counted_and_weighed() -> None:
    tree = warm_up.Tree(read_log(warm_up._LOG))
    assert len(reweighing.Reweighing(tree, compiled=False).ranges()) == 1
