"""Writing a log to a file, in the form that the file's ending names."""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final, cast

from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.write.write_json import Progress, write_json
from plyscope.visualizer.formats.write.write_jsonl import write_jsonl
from plyscope.visualizer.store.folder_lock import FolderLock, make_held, remove_unheld
from plyscope.visualizer.store.log import Log


def _write_binary(log: Log, out: BinaryIO, on_progress: Progress | None) -> None:
    from plyscope.visualizer.formats.binary.writer import write_binary

    write_binary(log, out, on_progress)


Writer = Callable[[Log, BinaryIO, Progress | None], None]
WRITERS: Final[dict[str, Writer]] = {
    ".json": write_json,
    ".jsonl": write_jsonl,
    ".plyb": _write_binary,
}

GZIP_LEVEL: Final = 2
"""Three times as fast as the default level, for a file that is a quarter larger."""
PACKED: Final = (".gz", ".zst")
"""Endings that may follow those of `WRITERS`."""
UNFINISHED: Final = ".plyscope-"
"""The prefix of files that are being written."""
PARQUET: Final = ".parquet"
"""Compressed already, and written by a database, not piece by piece."""
ENDINGS: Final = f"{', '.join(WRITERS)}, {' or '.join(PACKED)} of them, or {PARQUET}"
"""The endings of files that can be written, in words."""


def check_target(path: Path) -> None:
    """Raise LogError where a log cannot be written to `path`, before long work instead of after it.

    >>> check_target(Path("a"))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    plyscope.visualizer.formats.errors.LogError: a: found the ending "a", expected .json, .jsonl, ...
    """
    _writer(path)
    try:
        beside, lock = _temporary(path)
        beside.unlink()
        if lock is not None:
            lock.release()
    except OSError as error:
        raise _unwritable(path, error) from None


def write_log_file(log: Log, path: Path, on_progress: Progress | None = None) -> None:
    """Write `log` to `path`, atomically. Raises LogError.

    Unfinished files of killed processes in the folder are removed. `on_progress` gets the part that is
    written, from 0 to 1.
    """
    writer = _writer(path)
    try:
        beside, lock = _temporary(path)
        try:
            with beside.open("wb") as file:
                if writer is None:
                    from plyscope.visualizer.formats.parquet.write_parquet import write_parquet

                    write_parquet(log, beside, on_progress)
                elif path.suffix in PACKED:
                    with _packed(file, path.suffix) as packed:
                        writer(log, packed, on_progress)
                else:
                    writer(log, file, on_progress)
            os.chmod(beside, 0o666 & ~_umask())
            os.replace(beside, path)
        finally:
            beside.unlink(missing_ok=True)
            if lock is not None:
                lock.release()
    except OSError as error:
        raise _unwritable(path, error) from None


def _packed(file: BinaryIO, ending: str) -> BinaryIO:
    """A file that writes compressed data to `file`, always the same bytes for the same log."""
    if ending == ".gz":
        return cast("BinaryIO", gzip.GzipFile("", "wb", compresslevel=GZIP_LEVEL, fileobj=file, mtime=0))
    from plyscope.visualizer.formats.zstandard import ZstdFile

    return cast("BinaryIO", ZstdFile(file, "w"))


def _temporary(path: Path) -> tuple[Path, FolderLock | None]:
    """A new file beside `path`, locked while it is written."""

    def make() -> Path:
        handle, beside = tempfile.mkstemp(prefix=UNFINISHED, dir=path.parent)
        os.close(handle)
        return Path(beside)

    remove_unheld(path.parent, f"{UNFINISHED}*")
    return make_held(make)


def _unwritable(path: Path, error: OSError) -> LogError:
    return LogError(
        f"{path} cannot be written: {error.strerror or error}; choose another folder or make room"
    )


def _writer(path: Path) -> Writer | None:
    """The writer of a file of this name, None for Parquet; raises LogError for another ending."""
    if path.suffix == PARQUET:
        return None
    ending = Path(path.stem if path.suffix in PACKED else path.name).suffix
    if ending not in WRITERS:
        found = path.suffix or path.name
        raise LogError(f'{path}: found the ending "{found}", expected {ENDINGS}')
    return WRITERS[ending]


def _umask() -> int:
    """The process's umask, which can only be read by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
