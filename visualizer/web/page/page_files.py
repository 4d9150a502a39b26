"""The files of the page, under addresses that change with their content.

The version of all files is part of the address of each (`/static/3f…/main.js`), and modules import each other
by relative paths. So a browser caches every file for good and asks for none twice. `/` is not cached and
names the version of the files on disk now: an edited file is there at the next reload.

Knows nothing of logs, nor of Flask.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path, PurePosixPath
from posixpath import dirname, join, normpath
from threading import Lock
from typing import Final

from plyscope.visualizer.web.page.one_script import UnknownFormError, one_script, source_map

SCRIPT: Final = "main.js"
SHEET: Final = "main.css"

_IMPORT: Final = re.compile(r'^(?:import|export)\b[^"\';]*\bfrom\s*"(\.[^"]+)";|^import\s*"(\.[^"]+)";', re.M)
_SHEET_IMPORT: Final = re.compile(rb'^@import "([^"]+)";$', re.M)
_VERSION: Final = re.compile(r"[0-9a-f]{16}")
_TYPES: Final = {
    ".js": "text/javascript",
    ".map": "application/json",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
}

_Stamp = tuple[str, int, int, int]


@dataclass(frozen=True)
class Files:
    """The files of one version: their content by their name below the folder (`views/tree/tree-view.js`)."""

    version: str
    content: dict[str, bytes]
    first_modules: tuple[str, ...]
    """The modules without which the page cannot begin: one script, or all that are imported statically."""
    in_script: dict[str, bytes]
    """The modules of the one script, as on disk."""

    @cached_property
    def source_map(self) -> bytes:
        """The map of the one script, for the tools of a browser."""
        return source_map(self.in_script, list(self.in_script))


def imported_statically(content: dict[str, bytes]) -> tuple[str, ...]:
    """The modules without which `main.js` cannot begin: those imported statically, nearest first."""
    found = {SCRIPT: None}
    queue = [SCRIPT]
    for name in queue:
        for several, alone in _IMPORT.findall(content.get(name, b"").decode()):
            imported = normpath(join(dirname(name), several or alone))
            if imported not in found:
                found[imported] = None
                queue.append(imported)
    return tuple(found)


class PageFiles:
    """The files in `folder`, read again when one of them changed; asked from any thread.

    The modules that the page begins with are one script, unless they are wanted `as_modules`.
    """

    def __init__(self, folder: Path, *, as_modules: bool = False) -> None:
        self._folder, self._as_modules = folder, as_modules
        self._reading = Lock()
        self._stamps: list[_Stamp] = []
        self._files: Files | None = None

    def now(self) -> Files:
        """The present files on disk. Raises OSError where one cannot be read."""
        with self._reading:
            stamps = sorted(_stamps(self._folder, ""))
            if self._files is None or stamps != self._stamps:
                self._files = _read(self._folder, [name for name, *_ in stamps], as_modules=self._as_modules)
                self._stamps = stamps
            return self._files

    def find(self, address: str) -> tuple[bytes, bool] | None:
        """The file at `address` below `/static/`, and whether it stays so for good; None where there is none.

        It stays so under its version. The address of an older version, and one without a version, give the
        present file: a page that was opened before an edit still finds the modules that it loads late.
        """
        version, _, name = address.partition("/")
        if not _VERSION.fullmatch(version):
            name = address
        files = self._files
        if files is None or files.version != version:
            files = self.now()
        if name == f"{SCRIPT}.map" and files.in_script:
            return files.source_map, files.version == version
        found = files.content.get(name)
        return None if found is None else (found, files.version == version)


@cache
def page_files(folder: Path) -> PageFiles:
    """The files in `folder`, read once for all applications of this process."""
    return PageFiles(folder)


@cache
def modules_of_page(folder: Path) -> PageFiles:
    """The same, every module a file of its own: for a page that does not begin with `main.js`."""
    return PageFiles(folder, as_modules=True)


def media_type(name: str) -> str:
    """The media type of a file of the page; not asked of the system, where a registry may have other ones."""
    return _TYPES.get(PurePosixPath(name).suffix, "application/octet-stream")


def _stamps(folder: Path, above: str) -> Iterator[_Stamp]:
    """Name, time, size and number of each file below `folder`; links are left out."""
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                yield from _stamps(folder / entry.name, f"{above}{entry.name}/")
            elif entry.is_file(follow_symlinks=False):
                facts = entry.stat(follow_symlinks=False)
                yield f"{above}{entry.name}", facts.st_mtime_ns, facts.st_size, facts.st_ino


def _read(folder: Path, names: list[str], *, as_modules: bool) -> Files:
    """Read the files. The version is a hash of names and contents: equal folders have the same anywhere."""
    content = {}
    for name in names:
        with suppress(FileNotFoundError):  # an editor's file that has gone meanwhile
            content[name] = (folder / name).read_bytes()
    if SHEET in content:
        content[SHEET] = _SHEET_IMPORT.sub(lambda found: content[found[1].decode()], content[SHEET])
    digest = hashlib.sha256()
    for name, data in content.items():
        digest.update(f"{name}\n{len(data)}\n".encode() + data)
    version, modules = digest.hexdigest()[:16], imported_statically(content)
    in_script: dict[str, bytes] = {}
    if not as_modules:
        with suppress(UnknownFormError, KeyError):  # modules that are not understood stay files
            written = one_script(content, modules, SCRIPT)
            in_script = {name: content[name] for name in modules}
            content |= written
    return Files(version, content, (SCRIPT,) if in_script else modules, in_script)
