"""The library of converted logs in the cache: its contents, their sizes, and the order of eviction.

A log counts as used when it is opened; the least recently used one is evicted first, but none that is open in
any process. Leftovers of a killed converter are removed by the next viewer or converter.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from plyscope.version import __version__
from plyscope.visualizer.analysis.json_answer import HIDDEN, called
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store import disk
from plyscope.visualizer.store.columns import LAYOUT

FOLDER: Final = "library"
INDEX: Final = "index"
"""The folder in it of the digests of files."""
MAPPING: Final = ".mapping"
BUDGET: Final = "PLYSCOPE_LIBRARY"
"""The environment variable for the disk space that the library may take."""
DEFAULT_BUDGET: Final = 10 * 10**9
LARGEST_SHARE: Final = 0.5
"""The largest share of the disk, free or the library's, that it takes by default."""
UNITS: Final = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
BYTES: Final = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)B?", re.IGNORECASE)
PLACE: Final = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Converted:
    """One converted log of the library."""

    id: str
    """The name of its folder."""
    name: str | None
    """The file it was converted from; None where that is not known."""
    source: str | None
    """The path of that file."""
    n_nodes: int | None = field(metadata=called("nodes"))
    """Its nodes, stubs not counted."""
    n_bytes: int
    """What it takes on the disk."""
    used: float
    """When it was last opened, seconds since 1970."""
    content: str | None = field(metadata=HIDDEN)
    """The digest of the bytes it was converted from; None where that is not known."""
    is_current: bool = field(metadata=called("current"))
    """Whether this version of Plyscope wrote it; what others wrote is converted again when it is opened."""


class Library:
    """The converted logs below the folder `cache`."""

    def __init__(self, cache: Path) -> None:
        self.folder = cache / FOLDER

    def logs(self) -> list[Converted]:
        """All converted logs, the one used last first."""
        return sorted(self._logs(), key=lambda each: (-each.used, each.id))

    def _logs(self) -> Iterator[Converted]:
        with suppress(FileNotFoundError, NotADirectoryError):
            for entry in list(os.scandir(self.folder)):
                if PLACE.fullmatch(entry.name) and entry.is_dir():
                    with suppress(OSError):  # another process removes it just now
                        yield _converted(Path(entry.path))

    def budget(self) -> int:
        """The bytes that the library may take; raises LogError where the environment states no valid number.

        By `PLYSCOPE_LIBRARY`, else 10 GB, and at most half of the space that is free or the library's.
        """
        return self._budget(self._logs())

    def _budget(self, logs: Iterable[Converted]) -> int:
        stated = stated_budget()
        if stated is not None:
            return stated
        present = next((each for each in (self.folder, *self.folder.parents) if each.exists()), None)
        if present is None:
            return DEFAULT_BUDGET
        room = shutil.disk_usage(present).free + sum(each.n_bytes for each in logs)
        return min(DEFAULT_BUDGET, int(LARGEST_SHARE * room))

    def keep_budget(self, *, besides: str = "") -> list[Converted]:
        """Remove the logs that were not used for longest until the others fit; returns those removed.

        Never one that is open, nor the one whose id is `besides`, which still counts. The entries of files
        whose logs are gone go as well, whenever these went.
        """
        kept, removed = self.logs(), []
        budget = self._budget(kept)
        n_bytes = sum(each.n_bytes for each in kept)
        for log in reversed(kept):
            if n_bytes <= budget:
                break
            if log.id != besides and self.remove(log.id):
                removed.append(log)
                n_bytes -= log.n_bytes
        self._forget_files(self.logs() if removed else kept)  # another may have come meanwhile
        return removed

    def remove(self, log_id: str) -> bool:
        """Remove one converted log; False where it is open in some process, or cannot be removed."""
        try:
            is_removed = disk.remove(self.folder / log_id)
        except FileNotFoundError:
            is_removed = True
        except OSError:
            is_removed = False
        if is_removed:
            with suppress(OSError):
                mapping_of(self.folder, log_id).unlink(missing_ok=True)
        return is_removed

    def forget_files(self) -> int:
        """Remove the entries of files whose converted logs are gone, and return their number.

        Entries are the digests by which a file is found without being read, and mappings.
        """
        return self._forget_files(self.logs())

    def _forget_files(self, kept: Sequence[Converted]) -> int:
        ids, contents = {log.id for log in kept}, {log.content for log in kept}
        n_removed = 0
        with suppress(FileNotFoundError, NotADirectoryError):
            for entry in list(os.scandir(self.folder / INDEX)):
                with suppress(OSError):
                    if Path(entry.path).read_text("ascii", errors="replace") not in contents:
                        os.unlink(entry.path)
                        n_removed += 1
        for mapping in self.folder.glob(f"*{MAPPING}"):
            with suppress(OSError):
                if mapping.name.removesuffix(MAPPING) not in ids:
                    mapping.unlink()
                    n_removed += 1
        return n_removed

    def remove_leftovers(self) -> int:
        """Remove the leftovers of killed converters, and return their number."""
        return disk.remove_leftovers(self.folder)


def stated_budget() -> int | None:
    """The bytes that the environment states, None where it does not; raises LogError."""
    stated = os.environ.get(BUDGET, "").strip()
    return parsed_bytes(stated) if stated else None


def mapping_of(folder: Path, log_id: str) -> Path:
    """The file that keeps which remembered mapping the log was read with."""
    return folder / f"{log_id}{MAPPING}"


def parsed_bytes(text: str) -> int:
    """A number of bytes with a decimal unit; raises LogError.

    >>> parsed_bytes("20G"), parsed_bytes("1.5 MB"), parsed_bytes("0")
    (20000000000, 1500000, 0)
    """
    found = BYTES.fullmatch(text)
    if found is None:
        raise LogError(f"{BUDGET}={text!r} is no amount of disk; expected bytes, such as 20G or 500M")
    return int(float(found[1]) * UNITS[found[2].upper()])


def bytes_of(folder: Path) -> int:
    """The size of the files of a folder in bytes; raises OSError."""
    return sum(file.stat().st_size for file in os.scandir(folder))


def _converted(folder: Path) -> Converted:
    """The converted log in `folder`; raises OSError where it is not there any more."""
    n_bytes = bytes_of(folder)
    try:
        about, used = disk.about_log(folder), (folder / disk.META).stat().st_mtime
    except (OSError, ValueError, KeyError, TypeError):  # damaged: of no use, and the first to go
        about, used = {}, 0.0
    source = about.get("source")
    return Converted(
        id=folder.name,
        name=Path(source).name if source else None,
        source=source,
        n_nodes=about.get("nodes"),
        n_bytes=n_bytes,
        used=round(used, 3),
        content=about.get("content"),
        is_current=(about.get("layout"), about.get("version")) == (LAYOUT, __version__),
    )
