"""What each file of a folder is read as: the log, or the error with its place; and what progress told."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from plyscope.visualizer.formats.detect import read_log, read_log_file
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.store.log import Log
from tests.equality.log_text import shortened, text_of


def read_files(folder: Path, asked: Mapping[str, Any]) -> str:
    """Each file in the order of their names, under its label; by machine code as well, if that differs.

    Machine code keeps numbers of unknown fields as they are spelled, so these are compared by value.

    mapping     which field of a foreign tree is which of ours
    by          `path` has the file opened by its name, else its bytes are read
    most        the limit in bytes
    """
    said = []
    for path in sorted(folder.iterdir()):
        text = read_one(path, asked)
        other = read_one(path, asked, compiles=True)
        if other != text and _by_value(path, asked) != _by_value(path, asked, compiles=True):
            text += f"-- by machine code:\n{other}"
        said.append(f"== {path.name[5:]}\n{text}")
    return "".join(said)


def read_again(folder: Path, asked: Mapping[str, Any]) -> str:
    """What each file is once it was written in another form and read again."""
    import plyscope

    said = []
    for path in sorted(folder.iterdir()):
        for ending in asked["endings"]:
            with tempfile.TemporaryDirectory() as beside:
                target = Path(beside) / f"log{ending}"
                try:
                    plyscope.convert(path, target)
                except LogError as error:
                    said.append(f"== {path.name[5:]} as {ending}\n{_error(error, path)}")
                    continue
                said.append(f"== {path.name[5:]} as {ending}\n{read_one(target, {'by': 'path'})}")
    return "".join(said)


def read_one(path: Path, asked: Mapping[str, Any], *, compiles: bool = False, by_value: bool = False) -> str:
    """The text of what one file is read as."""
    told: list[float] = []
    options = {"mapping": asked.get("mapping"), "max_bytes": asked.get("most"), "on_progress": told.append}
    options["compiles"] = compiles
    try:
        if asked.get("by") == "path":
            log: Log = read_log_file(path, **options)
        else:
            log = read_log(path.read_bytes(), **options)
    except Exception as error:  # whatever it is, it is what a person sees
        return _error(error, path) + _progress(told, is_whole=False)
    return text_of(log, by_value=by_value) + _progress(told, is_whole=True)


def _by_value(path: Path, asked: Mapping[str, Any], *, compiles: bool = False) -> str:
    return read_one(path, asked, compiles=compiles, by_value=True)


def _error(error: Exception, path: Path) -> str:
    text = shortened(str(error).replace(str(path.parent) + os.sep, ""))
    if not isinstance(error, LogError):
        return f"not refused but failed: {type(error).__name__}: {text}\n"
    places = [("line", error.line), ("column", error.column), ("path", error.path)]
    return f"error: {text}\n" + "".join(
        f"error {name}: {shortened(str(value))}\n" for name, value in places if value is not None
    )


def _progress(told: list[float], *, is_whole: bool) -> str:
    """Nothing where progress went from 0 to 1 without a step back, else what is wrong with it."""
    if told != sorted(told) or (told and not 0 <= told[0] <= told[-1] <= 1):
        return f"progress goes back, or beyond its ends: {told[:20]}\n"
    if is_whole and (not told or told[-1] != 1):
        return f"progress ends at {told[-1:]}\n"
    return ""
