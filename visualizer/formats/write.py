"""Writing a log to a file, in the form that the file's ending names."""

from __future__ import annotations

import gzip
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO, Final, cast

from visualizer.formats.errors import LogError
from visualizer.formats.write_json import write_json
from visualizer.formats.write_jsonl import write_jsonl
from visualizer.store.log import Log

Writer = Callable[[Log, BinaryIO], None]
WRITERS: Final[dict[str, Writer]] = {".json": write_json, ".jsonl": write_jsonl}


def check_target(path: Path) -> None:
    """Raise LogError where a log cannot be written to `path`: to be known before long work, not after it.

    >>> check_target(Path("a"))
    Traceback (most recent call last):
    visualizer.formats.errors.LogError: a: found the ending "a", expected .json or .jsonl, or .gz of them
    """
    _writer(path)
    try:
        handle, beside = _temporary(path)
        os.close(handle)
        Path(beside).unlink()
    except OSError as error:
        raise _unwritable(path, error) from None


def write_log_file(log: Log, path: Path) -> None:
    """Write `log` to `path`; the file is complete or not there. Raises LogError."""
    writer = _writer(path)
    try:
        handle, beside = _temporary(path)
        try:
            with os.fdopen(handle, "wb") as file:
                if path.suffix == ".gz":
                    with gzip.GzipFile("", "wb", compresslevel=6, fileobj=file, mtime=0) as packed:
                        writer(log, cast("BinaryIO", packed))
                else:
                    writer(log, file)
            os.chmod(beside, 0o666 & ~_umask())
            os.replace(beside, path)
        finally:
            Path(beside).unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path, error) from None


def _temporary(path: Path) -> tuple[int, str]:
    return tempfile.mkstemp(prefix=".plyscope-", dir=path.parent)


def _unwritable(path: Path, error: OSError) -> LogError:
    return LogError(
        f"{path} cannot be written: {error.strerror or error}; choose another folder or make room"
    )


def _writer(path: Path) -> Writer:
    ending = Path(path.name.removesuffix(".gz")).suffix
    if ending not in WRITERS:
        found = path.suffix or path.name
        raise LogError(f'{path}: found the ending "{found}", expected .json or .jsonl, or .gz of them')
    return WRITERS[ending]


def _umask() -> int:
    """The permissions that new files leave out; it can only be learnt by setting it."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
