"""The examples in the docstrings of the studies: each module that has some is a test of its own."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

STUDIES = Path(__file__).parents[1]


def modules_with_examples() -> list[str]:
    """Their names, found by reading."""
    return sorted(
        ".".join(path.relative_to(STUDIES).with_suffix("").parts).removesuffix(".__init__")
        for path in (STUDIES / "plyscope_studies").rglob("*.py")
        if ">>> " in path.read_text("utf-8")
    )


@pytest.mark.parametrize("name", modules_with_examples())
def test_examples_in_docstrings_are_true(name: str) -> None:
    results = doctest.testmod(import_module(name))
    assert results.attempted
    assert not results.failed, "standard output says which"
