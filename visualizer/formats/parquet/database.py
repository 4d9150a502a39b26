"""The database that reads and writes Parquet: in memory, limited, with access to certain files only."""

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
"""The prefix of temporary folders."""
MOST_MEMORY: Final = "2GB"
"""The memory after which the database writes to its temporary folder, or gives up if it has none."""
MOST_THREADS: Final = 4
WILD: Final = re.compile(r"[*?\[\\]")
"""The characters that make a file's name a pattern for the database."""


@contextmanager
def reading(paths: Sequence[Path]) -> Iterator[tuple[duckdb.DuckDBPyConnection, list[Path]]]:
    """A database that reads only these files, and their names there.

    A name that would be a pattern is replaced by that of a link.
    """
    with temporary_folder(LEFT) as folder:
        called = [path.resolve() for path in paths]
        for place, path in enumerate(called):
            if WILD.search(str(path)):
                called[place] = folder / f"{place}.parquet"
                try:
                    called[place].symlink_to(path)
                except OSError:  # on Windows, not everybody may make links
                    shutil.copyfile(path, called[place])
        with database(folder, reads=called) as connection:
            yield connection, called


@contextmanager
def database(folder: Path, *, reads: Sequence[Path] | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in memory with its temporary files in `folder`.

    With `reads`, it can reach only these files, load no extension and change no setting.
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
    """A database in memory with temporary files in `folder`, which loads nothing and prints nothing."""
    import duckdb

    config: dict[str, str | bool | int | float | list[str]] = {
        "threads": min(MOST_THREADS, os.cpu_count() or 1),
        "memory_limit": MOST_MEMORY,
        "temp_directory": folder,
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
    }
    connection = duckdb.connect(":memory:", config=config)
    # In a notebook it would draw a progress bar on standard output after two seconds.
    connection.execute("SET enable_progress_bar = false")
    return connection
