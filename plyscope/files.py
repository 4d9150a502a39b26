"""Reading logs from every kind of source and writing them to files with a status line, for all functions."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol

from plyscope.engine.quoting import counted, quoted
from plyscope.status import StatusLine
from plyscope.visualizer.analysis.warm_up import compile_beside
from plyscope.visualizer.formats.detect import missed, read_log, read_log_file
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.foreign.meaning.mapping import checked_mapping, parse_mapping
from plyscope.visualizer.formats.write.files import write_log_file
from plyscope.visualizer.store.log import Log


class Readable(Protocol):
    """An open file, binary or text."""

    def read(self) -> str | bytes:
        """The rest of the content."""


Source = str | os.PathLike[str] | bytes | bytearray | memoryview | Readable
"""The sources of a log."""

UNUSED_MAPPING: Final = "The mapping was not used: the log names its fields as we do."
NAMELESS: Final = "log"
LONGEST_PATH: Final = 4096
"""A longer text is no path."""
MOST_SHOWN: Final = 60


def read(source: Source, mapping: Mapping[str, str] | None = None, status: StatusLine | None = None) -> Log:
    """Read a log from a path, text, bytes or an open file (see `plyscope.open`).

    Raises LogError that names the file, TypeError for what is none of these.
    """
    shown = status or StatusLine(is_shown=False)
    name = name_of(source)

    def tell(part: float) -> None:
        shown.show(f"reading {name}  {part:.0%}")

    shown.show(f"reading {name} …")
    path = path_of(source)
    if path is not None and not _may_be_path(source):
        raise _no_path(str(source))
    try:
        if path is None:
            log = read_log(_bytes_of(source), mapping=mapping, on_progress=tell)
        else:
            log = read_log_file(path, mapping=mapping, on_progress=tell)
            if missed:
                compile_beside("read", Path(path), outlives=True)
    except LogError as error:
        if path is not None:
            error.file = str(source)
        elif name != NAMELESS:
            error.file = name
        if path is not None and not os.path.isfile(path):
            error.message += _instead(source, path)
        raise
    return replace(log, notices=(*log.notices, UNUSED_MAPPING)) if mapping and not log.mapping else log


def write(
    log: Log,
    path: Path,
    status: StatusLine,
    on_progress: Callable[[float], None] = lambda part: None,
) -> None:
    """Write a log to `path`, in the form of its ending; raises LogError, and what was there before stays."""
    rows, start = counted(log.n_rows, "row"), time.monotonic()

    def tell(part: float) -> None:
        on_progress(part)
        rate = part * log.n_rows / max(time.monotonic() - start, 1e-9)
        status.show(f"writing {rows} to {path.name}  {part:.0%}  {rate / 1e6:.2f} M rows/s")

    status.show(f"writing {rows} to {path.name} …")
    write_log_file(log, path, tell)


def mapping_of(given: Mapping[str, str] | str | None) -> dict[str, str] | None:
    """The mapping that `map` states, as pairs or as the command line writes it; raises LogError.

    >>> mapping_of("children=replies, score=value") == mapping_of({"children": "replies", "score": "value"})
    True
    """
    if given is None or isinstance(given, str):
        return None if given is None else parse_mapping(given)
    return checked_mapping(given)


def is_text(source: object) -> bool:
    """Whether this is the text of a log, and no path: a str that begins with `{` or `[`.

    >>> is_text(' {"plyscope": 1}'), is_text("a.json"), is_text(Path("{a}.json"))
    (True, False, False)
    """
    return isinstance(source, str) and source.lstrip("\ufeff \t\r\n")[:1] in ("{", "[")


def path_of(source: object) -> Path | None:
    """The path that `source` names; None where it is text, bytes or an open file."""
    if isinstance(source, str | os.PathLike) and not is_text(source):
        return Path(source)
    return None


def name_of(source: object) -> str:
    """The name of a log in a line: that of its file where there is one.

    >>> name_of("runs/a.json"), name_of('{"plyscope": 1}')
    ('a.json', 'log')
    """
    if (path := path_of(source)) is not None:
        return path.name or str(path)
    name = getattr(source, "name", None)
    return Path(name).name if isinstance(name, str) and name else NAMELESS


def _may_be_path(source: object) -> bool:
    """Whether it can be a path; a str of several lines is text that somebody meant to be a log."""
    text = str(source)
    if not isinstance(source, str):
        return "\0" not in text
    return bool(text.strip()) and len(text) <= LONGEST_PATH and not set(text) & set("\0\n\r")


def _bytes_of(source: Any) -> bytes:
    if isinstance(source, str):
        return source.encode("utf-8", "surrogatepass")
    if isinstance(source, bytes | bytearray | memoryview):
        return bytes(source)
    if not callable(getattr(source, "read", None)):
        hint = "; give its text, as json.dumps writes it" if isinstance(source, dict | list) else ""
        found = type(source).__name__
        raise TypeError(f"a log is read from a path, text, bytes or an open file, not from {found}{hint}")
    try:
        found = source.read()
    except (OSError, ValueError) as error:
        raise LogError(f"the open file cannot be read: {error}; give its path, or open it again") from None
    if not isinstance(found, str | bytes | bytearray | memoryview):
        raise TypeError(f"reading the open file gave {type(found).__name__}, expected text or bytes")
    return _bytes_of(found)


def _no_path(text: str) -> LogError:
    what = f"the text {quoted(text, MOST_SHOWN)}" if text.strip() else "an empty text"
    expected = "the text of a log begins with { or [, any other is given as bytes"
    return LogError(f"{what} is no log and names no file; {expected}")


def _instead(source: object, path: Path) -> str:
    """A hint for a path that is no file: the end of the error's sentence, or ''."""
    if os.path.isdir(path):
        return "; this is a folder, open one of the logs in it"
    return " (a str that does not begin with { or [ is a path)" if isinstance(source, str) else ""
