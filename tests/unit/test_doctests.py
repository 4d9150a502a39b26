"""The examples in docstrings: each module that has some is a test of its own."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = {"plyscope": "", "engine": "plyscope.", "visualizer": "plyscope.", "tests": ""}
"""What stands before the names of the modules in a folder."""


def modules_with_examples() -> list[str]:
    """Their names, found by reading: nothing is imported before its test runs."""
    return sorted(
        package + ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for folder, package in FOLDERS.items()
        for path in (ROOT / folder).rglob("*.py")
        if path != Path(__file__) and ">>> " in path.read_text("utf-8")
    )


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_in_docstrings_are_true(name: str) -> None:
    results = doctest.testmod(import_module(name))
    assert results.attempted
    assert not results.failed, "standard output says which"
