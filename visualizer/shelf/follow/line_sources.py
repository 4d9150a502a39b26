"""Logs that come in while an engine searches: from standard input, or from a socket of this machine.

Over a socket an engine may ask to be held. It writes a line `{"hold": "why"}`, with the `node` it is at if it
likes, or this line in a chunk `hold` of a compact log, and waits for a line, which is `go`.
"""

from __future__ import annotations

import logging
import math
import select
import socket
import threading
import time
from contextlib import suppress
from io import FileIO
from typing import TYPE_CHECKING, BinaryIO, Final

import orjson

from plyscope.visualizer.formats.binary.chunks import HEADER_BYTES, MARK
from plyscope.visualizer.formats.compressed import is_packed
from plyscope.visualizer.formats.errors import TooLarge
from plyscope.visualizer.formats.following.whole_parts import WholeParts
from plyscope.visualizer.shelf.entry import Entry
from plyscope.visualizer.shelf.follow.engine_holds import header_in, holds_in_chunks, holds_in_lines
from plyscope.visualizer.shelf.follow.growing_file import Spool
from plyscope.visualizer.shelf.pastes import LONGEST_NAME
from plyscope.visualizer.shelf.shelf import Shelf
from plyscope.visualizer.store.log import object_in

if TYPE_CHECKING:
    from plyscope.visualizer.shelf.follow.followed_log import FollowedLog

LOOPBACK: Final = "127.0.0.1"
PIECE_BYTES: Final = 2**20
GO: Final = b"go\n"
NO_LOG: Final = b'{"error": "expected a log on this port: JSON Lines, or a compact log"}\n'
BUSY: Final = b'{"error": "another engine is connected to this viewer; one at a time"}\n'
SECONDS_BETWEEN_LOOKS: Final = 0.5
SECONDS_TO_END: Final = 0.5
"""So long the log of an engine that has gone may take to end, before the next one is refused."""
SECONDS_OF_SILENCE: Final = 2.0, 60.0
"""After which the next one gets the place of an engine that has not begun its log, or that has; one that is
held keeps it."""


def follow_stream(shelf: Shelf, stream: BinaryIO | FileIO, name: str) -> Entry:
    """Follow the log in a stream of bytes until it ends; raises OSError."""
    entry, spool = shelf.follow_lines(name, "stdin")

    read = getattr(stream, "read1", stream.read)  # returns available bytes without waiting for more

    def pump() -> None:
        try:
            while piece := read(PIECE_BYTES):
                if not spool.append(piece):
                    return
        except (OSError, ValueError):
            logging.getLogger(__name__).exception("reading %s", name)
        spool.close()

    threading.Thread(target=pump, name="plyscope-stdin", daemon=True).start()
    return entry


class EngineListener:
    """Shows the searches of engines that connect to a port of this machine, one at a time."""

    def __init__(self, shelf: Shelf, listener: socket.socket) -> None:
        self._shelf, self._listener = shelf, listener
        self.port = int(listener.getsockname()[1])
        self._is_closed = False
        self._next: tuple[Entry, Spool] | None = self._new_log()
        self._last: FollowedLog | None = None
        self._engine: threading.Thread | None = None
        self._socket: socket.socket | None = None
        self._silent_from = 0.0
        """When the engine will have been silent for too long."""
        self._thread = threading.Thread(target=self._accept, name="plyscope-listen", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def close(self) -> None:
        """Listen no longer; the engine that is connected goes on without us."""
        self._is_closed = True
        self._listener.close()

    def _new_log(self) -> tuple[Entry, Spool]:
        return self._shelf.follow_lines(f"engine on port {self.port}", "socket")

    def _accept(self) -> None:
        while not self._is_closed:
            try:
                ready, _, _ = select.select([self._listener], [], [], SECONDS_BETWEEN_LOOKS)
                if not ready:
                    continue
                engine, _ = self._listener.accept()
            except (OSError, ValueError):
                return  # closed
            if self._engine is not None:
                self._engine.join(SECONDS_TO_END)
            if self._engine is not None and self._engine.is_alive() and not self._gives_way():
                with suppress(OSError), engine:
                    engine.sendall(BUSY)
                continue
            try:
                entry, spool = self._next or self._new_log()
            except OSError:
                logging.getLogger(__name__).exception("no log can be kept")
                engine.close()
                continue
            self._next = None
            if self._last is not None and self._last is not entry.live:
                self._last.follow_on(entry.id)
            self._last = entry.live
            self._socket, self._silent_from = engine, time.monotonic() + SECONDS_OF_SILENCE[0]
            self._engine = threading.Thread(target=self._serve, args=(engine, entry, spool), daemon=True)
            self._engine.start()

    def _gives_way(self) -> bool:
        """Return whether the engine that is connected was silent for so long that it is let go."""
        assert self._socket is not None
        assert self._engine is not None
        if time.monotonic() < self._silent_from:
            return False
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._engine.join(SECONDS_TO_END)
        return not self._engine.is_alive()

    def _serve(self, engine: socket.socket, entry: Entry, spool: Spool) -> None:
        """Take the lines of one engine until it closes."""
        engine.setblocking(True)
        parts, has_begun = WholeParts(), False
        try:
            with engine:
                while piece := engine.recv(PIECE_BYTES):
                    if not has_begun and not _may_be_log(piece):
                        engine.sendall(NO_LOG)  # such as a browser: its bytes are refused
                        return
                    has_begun = True
                    whole = parts.add(piece)
                    self._silent_from = math.inf
                    if whole and not self._take(engine, entry, spool, whole, parts):
                        return
                    self._silent_from = time.monotonic() + SECONDS_OF_SILENCE[1 if spool.n_bytes else 0]
        except (OSError, TooLarge):
            pass  # it broke off, or is no log, which whoever follows it says: what it wrote is there
        finally:
            with suppress(OSError):
                spool.append(parts.rest() if spool.n_bytes else b"")
            if spool.n_bytes:
                spool.close()
            else:  # it went without a word: its log is the next one's
                self._next = entry, spool

    def _take(
        self, engine: socket.socket, entry: Entry, spool: Spool, whole: bytes, parts: WholeParts
    ) -> bool:
        """Take complete parts, and hold the engine at those that ask for it; False once it is to stop."""
        if spool.n_bytes <= (HEADER_BYTES if parts.is_binary else 0):  # the first chunk may come by itself
            _name_by_header(entry, header_in(whole, parts))
        for taken, hold in holds_in_chunks(whole, parts) if parts.is_binary else holds_in_lines(whole):
            if not spool.append(taken):
                return False
            if hold is None:
                continue
            if entry.live is not None:
                entry.live.hold(*hold, spool.n_bytes, lambda: _is_open(engine))
            engine.sendall(GO)
        return True


def _may_be_log(start: bytes) -> bool:
    """Whether a log may begin so: as JSON does, with a mark of the order of bytes, packed, or compact."""
    return is_packed(start[:4]) or start.lstrip()[:1] in (b"", b"{", b"[", b"\xef", MARK[:1])


def _name_by_header(entry: Entry, text: bytes) -> None:
    """Call the log by the engine's own name, where its header says it."""
    try:
        header = orjson.loads(text)
    except orjson.JSONDecodeError:
        return
    name = object_in(header, "search").get("engine") if isinstance(header, dict) else None
    if isinstance(name, str) and name.strip():
        entry.name = name.strip()[:LONGEST_NAME]


def _is_open(engine: socket.socket) -> bool:
    try:
        ready, _, _ = select.select([engine], [], [], 0)
        return not ready or bool(engine.recv(1, socket.MSG_PEEK))
    except OSError:
        return False
