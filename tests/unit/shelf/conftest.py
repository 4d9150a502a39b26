"""What tests of the shelf share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from plyscope.visualizer.shelf.shelf import Shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    shelf = Shelf(tmp_path / "data", tmp_path / "cache")
    yield shelf
    shelf.close()
