"""docs/python.md: its examples are true, and what it lists is what there is."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

import plyscope

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "python.md"


def test_the_examples_are_true(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("PLYSCOPE_DATA", str(tmp_path))
    results = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert results.attempted > 20
    assert not results.failed, capsys.readouterr().out


def test_every_public_function_and_exception_is_shown() -> None:
    text = PAGE.read_text("utf-8")
    shown = [name for name in plyscope.__all__ if name[0].islower()]
    shown += [name for name in plyscope.__all__ if name.endswith("Error") or name == "Interrupted"]
    assert [name for name in shown if f"plyscope.{name}" not in text and f" {name}" not in text] == []
