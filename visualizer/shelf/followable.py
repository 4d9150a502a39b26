"""Which logs of lines can be followed while they are written: JSON Lines in the words of the log format."""

from __future__ import annotations

from plyscope.visualizer.formats.compressed import is_packed
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.read.first_line import is_json_lines, is_table_of_others


def refuse_others(start: bytes, name: str, *, is_file: bool) -> None:
    """Raise a LogError that says what to do, where a log cannot be followed that begins with `start`.

    start       whole lines, without a mark of the order of bytes
    is_file     whether what comes is a file already, so that it can be opened later
    """
    otherwise = "open it without --follow" if is_file else "write it to a file, and open that"
    if is_packed(start[:4]):
        raise LogError(
            f"{name} is compressed, and a log can only be followed as it is; "
            f"let the engine write it uncompressed, or {otherwise} once it is whole"
        )
    if not _is_in_lines(start):
        raise LogError(
            f"{name} does not begin as JSON Lines or a compact log does, and only these can be followed "
            f"while they are written; {otherwise} once it is whole"
        )
    if is_table_of_others(start):
        raise LogError(
            f"{name} names its plies, scores or parents otherwise than the log format "
            f"does, and what they are is found in the whole of it; {otherwise}"
        )


def _is_in_lines(start: bytes) -> bool:
    """Whether a file begins with a header line, or with a node."""
    first, _, rest = start.lstrip().partition(b"\n")
    if is_json_lines(first + b"\n" + (rest or b"{")):
        return True
    return not first.strip()  # nothing but empty lines so far
