"""The database that reads and writes Parquet: in memory, bounded, closed off but for certain files."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from plyscope.visualizer.formats.parquet.schema import literal
from plyscope.visualizer.store.folder_lock import temporary_folder

if TYPE_CHECKING:
    import duckdb

LEFT: Final = "plyscope-parquet-"
"""How folders are named for what is temporary."""
MOST_MEMORY: Final = "2GB"
"""Beyond it the database writes to its folder for what is temporary; without one it gives up."""
MOST_THREADS: Final = 4
WILD: Final = re.compile(r"[*?\[\\]")
"""The signs that make a file's name a pattern to the database."""


@contextmanager
def reading(paths: Sequence[Path]) -> Iterator[tuple[duckdb.DuckDBPyConnection, list[Path]]]:
    """A database that reads these files and no others, and what they are called there.

    A name that would be a pattern there is replaced by that of a link.
    """
    with temporary_folder(LEFT) as folder:
        called = [path.resolve() for path in paths]
        for place, path in enumerate(called):
            if WILD.search(str(path)):
                called[place] = folder / f"{place}.parquet"
                try:
                    called[place].symlink_to(path)
                except OSError:  # not everybody may make links on Windows
                    shutil.copyfile(path, called[place])
        with database(folder, reads=called) as connection:
            yield connection, called


@contextmanager
def database(folder: Path, *, reads: Sequence[Path] | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in memory that keeps what is temporary in `folder`.

    Where the files that it `reads` are named it reaches no others, loads nothing, and no setting changes.
    """
    connection = in_memory(str(folder))
    try:
        if reads is not None:
            allowed = ", ".join(literal(str(path)) for path in reads)
            connection.execute(f"SET allowed_paths = [{allowed}]")
            connection.execute("SET enable_external_access = false")
            connection.execute("SET lock_configuration = true")
        yield connection
    finally:
        connection.close()


def in_memory(folder: str) -> duckdb.DuckDBPyConnection:
    """A database in memory that keeps what is temporary in `folder`, loads nothing and prints nothing."""
    import duckdb

    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": min(MOST_THREADS, os.cpu_count() or 1),
        "memory_limit": MOST_MEMORY,
        "temp_directory": folder,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    connection = duckdb.connect(":memory:", config=config)
    # Where nobody runs a file, as in a notebook, it draws a bar on standard output after two seconds.
    connection.execute("SET enable_progress_bar = false")
    return connection
