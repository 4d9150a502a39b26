"""Large logs that come piece by piece: each is read while it arrives, and is a paste once it is complete.

Until then it is a part in the folder of pastes. An aborted upload, and one without a piece for long, leaves
nothing.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NoReturn, Protocol

from plyscope.visualizer.formats.compressed import SMALLER
from plyscope.visualizer.formats.errors import LogError, TooLarge
from plyscope.visualizer.shelf.jobs.log_reader import ChildReading, Progress
from plyscope.visualizer.shelf.pastes import Pastes
from plyscope.visualizer.store.log import Log

MOST_UPLOADS: Final = 8
BYTES_AT_ONCE: Final = 2**18
BYTES_BETWEEN_NEWS: Final = 2**20
"""How often the reading process hears that more is there."""
SECONDS_A_PIECE_MAY_TAKE: Final = 600.0
MOST_PIECES: Final = 16
"""Pieces of an upload that come at once, or wait for those before them."""

Begin = Callable[[Path, Mapping[str, str] | None, int], ChildReading]
"""Starts reading a file that will have this many bytes."""


class Body(Protocol):
    """The body of a request, of which an upload takes its pieces."""

    def readinto(self, buffer: memoryview, /) -> int | None:
        """Read some bytes into `buffer`; returns their number, 0 at the end."""


class MisplacedError(Exception):
    """A piece that does not fit; the message says which byte to send on from."""


@dataclass(eq=False)
class _Piece:
    """Bytes of an upload that are taken now, or were taken before those in front of them."""

    at: int
    end: int
    reached: int
    """Where those end that are written."""


class Upload:
    """A log of `n_bytes` that is on its way; any thread may call any method."""

    def __init__(
        self, name: str, mapping: Mapping[str, str] | None, n_bytes: int, part: Path, child: ChildReading
    ) -> None:
        self.name, self.mapping, self.n_bytes, self.part = name, mapping, n_bytes, part
        self.child = child
        self.n_arrived = 0
        """Bytes that are there without a gap."""
        self.progress = 0.0
        """How far the reading of it is, from 0 to 1."""
        self._log: Future[Log] = Future()
        self._on_progress: Progress = lambda part: None
        self._digest = hashlib.sha256()
        self._lock = threading.Lock()
        """Held while bytes are written, never while they are waited for."""
        self._pieces: list[_Piece] = []
        self._n_told = 0
        self._has_ended = False
        self._fault: OSError | None = None
        self._file = part.open("r+b", buffering=0)
        self._file.truncate(n_bytes)
        threading.Thread(target=self._await_child, daemon=True).start()

    def append(self, at: int, n_bytes: int, piece: Body) -> bool:
        """Take `n_bytes` that belong at `at`; returns whether the file is complete with them.

        A piece that comes early is kept until its turn. A piece whose client went silent may be sent again.
        Raises MisplacedError, and OSError where the disk is full, at once and on every later call.
        """
        mine = _Piece(at, at + n_bytes, at)
        with self._lock:
            others = [one for one in self._pieces if one.end <= at or mine.end <= one.at]
            if at < self.n_arrived or mine.end > self.n_bytes or len(others) >= MOST_PIECES:
                self._refuse(mine)
            self._pieces = [*others, mine]
        room, is_whole = memoryview(bytearray(BYTES_AT_ONCE)), False
        try:
            while mine.reached < mine.end:
                n_taken = piece.readinto(room[: mine.end - mine.reached])
                with self._lock:
                    if not n_taken or self._has_ended or mine not in self._pieces:
                        self._refuse(mine)
                    try:
                        self._write(room[:n_taken], mine.reached)
                        mine.reached += n_taken
                        is_whole = self._go_on(room)
                    except OSError as error:
                        self._fault, self._has_ended = error, True
                        raise
        finally:
            with self._lock:
                if mine.reached < mine.end and mine in self._pieces:
                    self._pieces.remove(mine)
        return is_whole

    def _refuse(self, piece: _Piece) -> NoReturn:
        if self._fault is not None:
            raise self._fault
        raise MisplacedError(
            f"the piece from byte {piece.at:,} to {piece.end:,} does not fit: "
            f"{self.n_arrived:,} of {self.n_bytes:,} bytes have arrived, send on from there"
        )

    def _go_on(self, room: memoryview) -> bool:
        """Count the pieces without a gap before them, and report it; returns whether that is all."""
        while due := next((one for one in self._pieces if one.at <= self.n_arrived < one.reached), None):
            while self.n_arrived < due.reached:
                self._file.seek(self.n_arrived)
                n_read = self._file.readinto(room[: due.reached - self.n_arrived])
                self._digest.update(room[:n_read])
                self.n_arrived += n_read
            if self.n_arrived == due.end:
                self._pieces.remove(due)
            if self.n_arrived == due.end or self.n_arrived - self._n_told >= BYTES_BETWEEN_NEWS:
                self._n_told = self.n_arrived
                self.child.arrived(self.n_arrived)
        return self.n_arrived == self.n_bytes

    def _write(self, taken: memoryview, at: int) -> None:
        self._file.seek(at)
        while taken:
            taken = taken[self._file.write(taken) :]

    @property
    def content(self) -> str:
        """The digest of the bytes so far."""
        return self._digest.hexdigest()

    def close(self) -> None:
        """Nothing more comes; a piece that is being taken is not taken to its end."""
        with self._lock:
            self._has_ended = True
            self._file.close()

    def give_up(self) -> None:
        """Abort: end its reading and delete its files."""
        self.close()
        self.child.kill()
        with suppress(OSError):
            self.part.unlink(missing_ok=True)

    def wait(self, on_progress: Progress) -> Log:
        """Wait for the log, as `ChildReading.wait` does, with the same errors."""
        self._on_progress = on_progress
        on_progress(self.progress)
        return self._log.result()

    def _await_child(self) -> None:
        def on_progress(part: float) -> None:
            self.progress = part
            self._on_progress(part)

        try:
            self._log.set_result(self.child.wait(on_progress))
        except Exception as error:
            self._log.set_exception(error)


class Uploads:
    """The uploads under way in one viewer."""

    def __init__(self, pastes: Pastes, begin_child: Begin, max_bytes: int) -> None:
        self._pastes, self._begin_child, self._max_bytes = pastes, begin_child, max_bytes
        self._lock = threading.Lock()
        self._uploads: dict[str, Upload] = {}
        self._timers: dict[str, threading.Timer] = {}

    @property
    def is_full(self) -> bool:
        """Whether no other upload may begin."""
        return len(self._uploads) >= MOST_UPLOADS

    def begin(self, name: str, mapping: Mapping[str, str] | None, n_bytes: int) -> str:
        """Begin an upload and return its id; raises LogError, OSError."""
        if n_bytes > self._max_bytes:
            most = f"expected at most {self._max_bytes:,}"
            raise TooLarge(f"the log has {n_bytes:,} bytes, {most}; {SMALLER}")
        with self._lock:
            if self.is_full:
                raise LogError(
                    f"{MOST_UPLOADS} other logs are arriving now; wait until one is there, or stop one"
                )
            upload_id = secrets.token_hex(6)
            part = self._pastes.new_part()
            try:
                os.truncate(part, n_bytes)
                child = self._begin_child(part, mapping, n_bytes)
                self._uploads[upload_id] = Upload(name, mapping, n_bytes, part, child)
            except BaseException:
                part.unlink(missing_ok=True)
                raise
        self._expect_piece(upload_id)
        return upload_id

    def upload(self, upload_id: str) -> Upload:
        """The upload with this id, which is alive with this; raises KeyError."""
        self._expect_piece(upload_id)
        with self._lock:
            return self._uploads[upload_id]

    def take(self, upload_id: str) -> Upload:
        """The upload with this id, which is another's to end from now on; raises KeyError."""
        with self._lock:
            upload = self._uploads.pop(upload_id)
            timer = self._timers.pop(upload_id, None)
        if timer is not None:
            timer.cancel()
        return upload

    def give_up(self, upload_id: str) -> None:
        """Abort an upload and delete its files; a finished one is left alone."""
        with suppress(KeyError):
            self.take(upload_id).give_up()

    def close(self) -> None:
        """Give up all."""
        with self._lock:
            ids = list(self._uploads)
        for upload_id in ids:
            self.give_up(upload_id)

    def _expect_piece(self, upload_id: str) -> None:
        """Give the upload up where nothing is heard of it for long."""
        timer = threading.Timer(SECONDS_A_PIECE_MAY_TAKE, self.give_up, [upload_id])
        timer.daemon = True
        with self._lock:
            before = self._timers.pop(upload_id, None)
            if upload_id in self._uploads:
                self._timers[upload_id] = timer
                timer.start()
        if before is not None:
            before.cancel()
