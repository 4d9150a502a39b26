"""Engines that ask over a socket to be held, and wait until a page releases them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import orjson

from plyscope.visualizer.formats.binary.chunks import (
    CHUNK_HEADER_BYTES,
    HEADER_BYTES,
    Chunk,
    Start,
    chunks_of,
    is_binary_log,
)
from plyscope.visualizer.formats.errors import LogError
from plyscope.visualizer.formats.following.whole_parts import WholeParts

HOLD: Final = b"hold"
"""The kind of a chunk that asks to be held: one of those that files may have of their own."""
Asked = tuple[str, int | str | None]
"""The reason, and the node if it is named."""
SECONDS_BETWEEN_LOOKS: Final = 0.5
LONGEST_WHY: Final = 500


def hold_in(line: bytes) -> Asked | None:
    """The reason and the node of a line that asks to be held, None for any other line.

    >>> hold_in(b'{"hold": "score fell", "node": 7}'), hold_in(b'{"id": 1, "hold": 2}')
    (('score fell', 7), None)
    """
    if b'"hold"' not in line:
        return None
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(fields, dict) or "hold" not in fields or fields.keys() - {"hold", "node"}:
        return None
    node = fields.get("node")
    return str(fields["hold"] or ""), node if type(node) is int or type(node) is str else None


def holds_in_lines(lines: bytes) -> Iterator[tuple[bytes, Asked | None]]:
    """Complete lines up to each that asks to be held, with its request; finally the remaining ones.

    >>> [*holds_in_lines(b'{"id": 1}\\n{"hold": "why"}\\n')]
    [(b'{"id": 1}\\n', ('why', None)), (b'', None)]
    """
    if b'"hold"' not in lines:
        yield lines, None
        return
    kept: list[bytes] = []
    for line in lines.splitlines(keepends=True):
        hold = hold_in(line)
        if hold is None:
            kept.append(line)
            continue
        yield b"".join(kept), hold
        kept.clear()
    yield b"".join(kept), None


def holds_in_chunks(data: bytes, parts: WholeParts) -> Iterator[tuple[bytes, Asked | None]]:
    """Complete chunks up to each that asks to be held, with its request; finally the remaining ones.

    They come from `parts`, at the beginning with the first bytes of the log.
    """
    begin = 0
    if HOLD in data:
        with suppress(LogError):  # the follower of the log reports the error
            for chunk in _chunks_in(data, parts):
                hold = hold_in(data[chunk.begin : chunk.end]) if chunk.kind == HOLD else None
                if hold is not None:
                    yield data[begin : chunk.begin - CHUNK_HEADER_BYTES], hold
                    begin = chunk.end
    yield data[begin:], None


def header_in(data: bytes, parts: WholeParts) -> bytes:
    """The written header of a log that begins with these lines or chunks; empty if it has none."""
    if not parts.is_binary:
        return data.partition(b"\n")[0]
    with suppress(LogError):
        for chunk in _chunks_in(data, parts):
            return data[chunk.begin : chunk.end]
    return b""


def _chunks_in(data: bytes, parts: WholeParts) -> Iterator[Chunk]:
    """The chunks of whole parts, behind the first bytes of the log where `data` has them; raises LogError."""
    return chunks_of(data, Start(parts.order, False), HEADER_BYTES if is_binary_log(data) else 0)


@dataclass
class Hold:
    """The engine waits: why, as it says, and at which node."""

    why: str
    node: int | str | None
    """The id that it wrote, None for the node that came last."""
    at: int
    """Bytes that it wrote before."""
    since: float


class EngineHold:
    """The hold of one log's engine, while it waits. All that follow the log share one condition.

    Once it was waited in vain, the engine is not held again until a page asks.
    """

    def __init__(self, changed: threading.Condition, tell: Callable[[], None]) -> None:
        """`tell` says that something changed."""
        self.current: Hold | None = None
        self._changed, self._tell = changed, tell
        self._is_alone = False

    def page_asked(self) -> None:
        """Note that a page is there."""
        self._is_alone = False

    def wait(
        self,
        why: str,
        node: int | str | None,
        at: int,
        *,
        goes_on: Callable[[], bool],
        is_asked_since: Callable[[float], bool],
    ) -> None:
        """Hold the engine while it `goes_on`, until it is released, or no page asks any more.

        `at` is the number of bytes before. `is_asked_since` returns whether a page asked lately, for an
        engine that has been waiting since a time.
        """
        if self._is_alone:
            return
        with self._changed:
            hold = self.current = Hold(why[:LONGEST_WHY], node, at, time.monotonic())
            self._tell()
            while self.current is hold and goes_on():
                self._is_alone = not is_asked_since(hold.since)
                if self._is_alone:
                    break
                self._changed.wait(SECONDS_BETWEEN_LOOKS)
            self.current = None
            self._tell()

    def release(self) -> bool:
        """Let the engine go on; False where it does not wait."""
        with self._changed:
            was_held, self.current = self.current is not None, None
            self._changed.notify_all()
        return was_held
