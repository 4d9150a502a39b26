"""Writing a file atomically: it is there as a whole, or as it was."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Final

PART: Final = ".part"
"""The ending of files that are being written."""


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write, which stands beside its place and is moved there at the end of the block.

    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with whole_file(path := Path(folder, "a")) as file:
    ...         _ = file.write(b"all"), path.exists()
    ...     path.read_bytes()
    b'all'
    """
    handle, part = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=PART)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            Path(part).unlink(missing_ok=True)
        raise
