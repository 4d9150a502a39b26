"""Inputs read in child processes that are begun again behind an input that ended them."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[2]
SILENCE: Final = 600.0
"""Seconds after which children that neither read nor compute are given up."""
THREADS: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""A pool of threads for each core would take the address space that a log is to be read in."""


class Failure(NamedTuple):
    """An input that was not read as it ought to be."""

    number: int
    wrong: str


class Share(threading.Thread):
    """One child's share of the inputs; `said` gets each that is begun, failures, an error, then None."""

    def __init__(self, kind: tuple[str, ...], first: int, last: int, said: queue.Queue[object]) -> None:
        super().__init__(daemon=True)
        self.kind, self.next, self.last, self.said = kind, first, last, said
        self.process: subprocess.Popen[bytes] | None = None

    def run(self) -> None:
        try:
            while self.next < self.last:
                self.read_on()
        except Exception as error:  # whoever waits for the share gets it
            self.said.put(error)
        self.said.put(None)

    def read_on(self) -> None:
        """Have a child read from the next input on, until all are read or one ends it."""
        command = [sys.executable, "-m", "tests.fuzz.child", *self.kind, str(self.next), str(self.last)]
        environment = {**os.environ, **dict.fromkeys(THREADS, "1")}
        number = None
        # Standard error is a file, since nobody reads a pipe while a child writes a long traceback.
        with tempfile.TemporaryFile() as complaints:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=complaints, cwd=ROOT, env=environment
            )
            assert self.process.stdout is not None
            with self.process.stdout as lines:
                for message in map(json.loads, lines):
                    if "done" in message:
                        self.next = self.last
                    elif "wrong" in message:
                        self.said.put(Failure(**message))
                    else:
                        number = message["begins"]
                        self.next = number + 1
                        self.said.put(number)
            code = self.process.wait()
            complaints.seek(0)
            complaint = complaints.read().decode("utf-8", "replace").strip().splitlines()[-1:]
        if code == 0:
            return
        if number is None:
            raise RuntimeError(f"the child ended with {code} before its first input: {complaint}")
        wrong = {
            -signal.SIGPROF: "takes too long: its processor time is over",
            -signal.SIGKILL: f"neither reads nor computes for {SILENCE:.0f} s",
        }.get(code, f"ends the process with {code}: {' '.join(complaint)[:300]}")
        self.said.put(Failure(number, wrong))

    def stop(self) -> None:
        """End the child, and begin no other."""
        self.last = self.next
        self.kill()

    def kill(self) -> None:
        if self.process is not None:
            self.process.kill()


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
    said: queue.Queue[object] = queue.Queue()
    shares = [Share(kind, *edges[job : job + 2], said) for job in range(jobs)]
    failures: list[Failure] = []
    n_begun, n_left = 0, jobs
    try:
        for share in shares:
            share.start()
        while n_left:
            try:
                each = said.get(timeout=SILENCE)
            except queue.Empty:
                for share in shares:
                    share.kill()
                continue
            if isinstance(each, Exception):
                raise each
            if isinstance(each, Failure):
                failures.append(each)
                on_failure(each)
            elif each is None:
                n_left -= 1
            else:
                n_begun += 1
                on_progress(n_begun)
    finally:
        for share in shares:
            share.stop()
    return sorted(failures)
