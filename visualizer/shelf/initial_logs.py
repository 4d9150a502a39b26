"""What a viewer is started with: the files and folders of its command line, or the bundled examples."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from plyscope.visualizer.shelf.shelf import LOG_ENDINGS, Shelf

FIRST_EXAMPLE: Final = "hive-"
"""How the name of the example begins that a viewer without logs opens."""

BUGS: Final = "bugs"
"""The folder among the examples whose logs are of searches with a known bug."""


def list_examples(shelf: Shelf, examples: Path) -> None:
    """List the bundled examples: the one to start with, then the others by name, then those with a bug."""
    inside = sorted(examples.iterdir()) if examples.is_dir() else []
    inside.sort(key=lambda path: not path.name.startswith(FIRST_EXAMPLE))
    faulty = examples / BUGS
    for path in (*inside, *(sorted(faulty.iterdir()) if faulty.is_dir() else ())):
        if path.name.endswith(LOG_ENDINGS):
            shelf.add_file(path, "example")


def add_paths(shelf: Shelf, paths: Iterable[Path], mapping: dict[str, str] | None = None) -> None:
    """List files, foreign ones to be read with `mapping`, and the logs in folders.

    Raises OSError for a path that is neither.
    """
    for path in paths:
        if path.is_dir():
            shelf.add_folder(path)
        else:
            shelf.add_file(path, mapping=mapping)
