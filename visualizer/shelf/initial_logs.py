"""The logs with which a viewer is started: files and folders of its command line, or bundled examples."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from plyscope.visualizer.formats.uci_session import searches_of
from plyscope.visualizer.shelf.jobs.log_reader import SMALL_BYTES
from plyscope.visualizer.shelf.shelf import LOG_ENDINGS, Shelf

if TYPE_CHECKING:  # loaded only to follow a log
    from plyscope.visualizer.shelf.follow.line_sources import EngineListener

STANDARD_INPUT: Final = Path("-")

FIRST_EXAMPLES: Final = ("hive-", "chess-")
"""How the names of the examples begin with which the list does; a viewer without logs opens the first."""

BUGS: Final = "bugs"
"""The folder among the examples whose logs are of searches with a known bug."""


def list_examples(shelf: Shelf, examples: Path) -> None:
    """List the bundled examples: those to start with, then those with a bug, then the others by name."""
    inside, faulty = (
        sorted(folder.iterdir()) if folder.is_dir() else [] for folder in (examples, examples / BUGS)
    )
    first = [path for start in FIRST_EXAMPLES for path in inside if path.name.startswith(start)]
    for path in dict.fromkeys((*first, *faulty, *inside)):
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
            if not mapping and path.stat().st_size <= SMALL_BYTES:
                shelf.add_searches(path, len(searches_of(path.read_bytes())) - 1)


def follow_paths(shelf: Shelf, paths: Iterable[Path]) -> None:
    """List files that are still being written, and the log on standard input; raises OSError."""
    for path in paths:
        if path == STANDARD_INPUT:
            from plyscope.visualizer.shelf.follow.line_sources import follow_stream

            # Unbuffered: a thread that reads a buffer holds it when the program ends.
            stream = open(sys.stdin.fileno(), "rb", buffering=0, closefd=False)  # noqa: SIM115
            follow_stream(shelf, stream, "standard input")
        else:
            shelf.follow(shelf.add_file(path, may_come=True))


def listen_for_engines(shelf: Shelf, listener: socket.socket) -> EngineListener:
    """Follow the logs of engines that connect to `listener`; raises OSError."""
    from plyscope.visualizer.shelf.follow.line_sources import EngineListener

    engines = EngineListener(shelf, listener)
    engines.start()
    return engines
