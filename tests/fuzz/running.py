"""Inputs read in child processes that are begun again behind an input that ended them."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

ROOT: Final = Path(__file__).parents[2]
SILENCE: Final = 600.0
"""Seconds after which a child that neither reads nor computes is given up."""
THREADS: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""A pool of threads for each core would take the address space that a log is to be read in."""


@dataclass(frozen=True)
class Failure:
    """An input that was not read as it ought to be."""

    number: int
    wrong: str


@dataclass
class Share:
    """One child's share of the inputs: those that it has yet to read."""

    kind: tuple[str, ...]
    next: int
    last: int
    process: subprocess.Popen[bytes] | None = None
    under_way: int | None = None
    is_done: bool = False
    unread: bytes = b""
    complaints: IO[bytes] = field(default_factory=tempfile.TemporaryFile)
    """Standard error: a file, since nobody reads a pipe while a child writes a long traceback."""

    def begin(self) -> IO[bytes]:
        """Start a child at the next input; what it says."""
        command = [sys.executable, "-m", "tests.fuzz.child", *self.kind, str(self.next), str(self.last)]
        self.complaints.seek(0)
        self.complaints.truncate()
        environment = {**os.environ, **dict.fromkeys(THREADS, "1")}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=self.complaints, cwd=ROOT, env=environment
        )
        assert self.process.stdout is not None
        return self.process.stdout

    def hear(self, said: bytes) -> Iterator[Failure]:
        """Take in what the child said; the failures it told of."""
        *lines, self.unread = (self.unread + said).split(b"\n")
        for line in lines:
            message = json.loads(line)
            if "begins" in message:
                self.under_way = message["begins"]
                self.next = message["begins"] + 1
            elif "wrong" in message:
                yield Failure(message["number"], message["wrong"])
            else:
                self.is_done = True

    def end(self) -> Failure | None:
        """The failure that ended the child; raises RuntimeError where it never came to an input."""
        assert self.process is not None
        code = self.process.wait()
        self.complaints.seek(0)
        complaint = self.complaints.read().decode("utf-8", "replace").strip().splitlines()[-1:]
        number, self.under_way = self.under_way, None
        if self.is_done:
            return None
        if number is None:
            raise RuntimeError(f"the child ended with {code} before its first input: {complaint}")
        if code == -signal.SIGPROF:
            return Failure(number, "takes too long: its processor time is over")
        if code == -signal.SIGKILL:
            return Failure(number, f"neither reads nor computes for {SILENCE:.0f} s")
        return Failure(number, f"ends the process with {code}: {' '.join(complaint)[:300]}")


def run(
    kind: tuple[str, ...],
    first: int,
    last: int,
    *,
    jobs: int = 1,
    on_failure: Callable[[Failure], None] = lambda failure: None,
    on_progress: Callable[[int], None] = lambda done: None,
) -> list[Failure]:
    """Read the inputs from `first` to before `last` in `jobs` children; all failures, by number."""
    edges = [first + (last - first) * job // jobs for job in range(jobs + 1)]
    shares = [Share(kind, edges[job], edges[job + 1]) for job in range(jobs)]
    failures: list[Failure] = []

    def note(failure: Failure) -> None:
        failures.append(failure)
        on_failure(failure)

    with ExitStack() as at_end, selectors.DefaultSelector() as selector:

        def start(share: Share) -> None:
            if share.next >= share.last:
                return
            stream = share.begin()
            assert share.process is not None
            at_end.callback(share.process.kill)
            selector.register(stream, selectors.EVENT_READ, share)

        for share in shares:
            at_end.callback(share.complaints.close)
            start(share)
        while selector.get_map():
            ready = selector.select(SILENCE)
            if not ready:
                for key in selector.get_map().values():
                    key.data.process.kill()
            for key, _ in ready:
                share, stream = key.data, key.fileobj
                said = os.read(key.fd, 2**16)
                for failure in share.hear(said):
                    note(failure)
                if not said:
                    selector.unregister(stream)
                    stream.close()
                    ended = share.end()
                    if ended is not None:
                        note(ended)
                        start(share)
            on_progress(sum(share.next - edge for share, edge in zip(shares, edges, strict=False)))
    return sorted(failures, key=lambda failure: failure.number)
