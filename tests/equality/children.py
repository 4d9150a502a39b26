"""Children that answer cases, one a core, in this tree or in another; a dear case has its own child."""

from __future__ import annotations

import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.equality.case import LARGE, Case

ROOT: Final = Path(__file__).parents[2]
BUILD: Final = ROOT / "build" / "equality"
PATIENCE: Final = 900.0
"""Seconds after which an answer is given up."""
THREADS: Final = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""A pool of threads for each core would take the address space that a log is to be read in."""


@dataclass(frozen=True)
class Answered:
    """What a child said of a case."""

    name: str
    digest: str
    text: Path


class Child:
    """A process that answers lines of JSON in the tree `root`, begun with these arguments of Python."""

    def __init__(self, root: Path, *arguments: str) -> None:
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 nobody reads a pipe while it is filled
        environment = {**os.environ, **dict.fromkeys(THREADS, "1"), "COLUMNS": "100", "TERM": "dumb"}
        environment |= {"PLYSCOPE_DATA": str(BUILD / f"data-{threading.get_ident()}"), "NO_COLOR": "1"}
        self.process = subprocess.Popen(
            [sys.executable, *(arguments or ("-m", "tests.equality.child"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._complaints,
            cwd=root,
            env=environment | {"PYTHONPATH": str(root)},
        )

    def ask(self, case: Case, folder: Path, out: Path) -> Answered:
        """Have a case answered; a child that dies of it is what was answered."""
        said = self.say({"how": case.how, "folder": str(folder), "asked": dict(case.asked), "out": str(out)})
        if isinstance(said, dict):
            return Answered(case.name, text=out, **said)
        out.write_text(f"the process ended with {said}\n{self.last_words()}\n", "utf-8")
        return Answered(case.name, f"ended with {said}", out)

    def say(self, question: Mapping[str, Any] | None) -> dict[str, Any] | int:
        """What a child says to a question (to none: at first), or with which code it dies of it."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        guard = threading.Timer(PATIENCE, self.process.kill)
        guard.start()
        said = b""
        with suppress(BrokenPipeError):
            if question is not None:
                self.process.stdin.write(json.dumps(question).encode() + b"\n")
                self.process.stdin.flush()
            said = self.process.stdout.readline()
        guard.cancel()
        return dict(json.loads(said)) if said else self.process.wait()

    def last_words(self) -> str:
        """The last line that it wrote to standard error, once it has ended."""
        self._complaints.seek(0)
        text = self._complaints.read().decode("utf-8", "replace")
        return re.sub(r"0x[0-9a-f]+", "0x…", " ".join(text.splitlines()[-1:]))

    @property
    def is_alive(self) -> bool:
        return self.process.poll() is None

    def end(self) -> None:
        """Let the process go."""
        for stream in (self.process.stdin, self.process.stdout, self._complaints):
            with suppress(BrokenPipeError):
                stream.close()  # type: ignore[union-attr]
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def answers(
    cases: Sequence[Case], into: Path, *, root: Path = ROOT, jobs: int | None = None
) -> Iterator[Answered]:
    """Answer the cases in the tree `root`, in whichever order they are ready; their texts lie in `into`."""
    into.mkdir(parents=True, exist_ok=True)
    idle: queue.Queue[Child] = queue.Queue()

    def answer(case: Case) -> Answered:
        with _inputs(case, into) as folder:
            out = into / f"{file_name(case.name)}.txt"
            try:
                child = idle.get_nowait()
            except queue.Empty:
                child = Child(root)
            is_kept = case.dearness < LARGE
            if not is_kept:
                idle.put(child)
                child = Child(root)
            answered = child.ask(case, folder, out)
            if is_kept and child.is_alive:
                idle.put(child)
            else:
                child.end()
            return answered

    with ThreadPoolExecutor(jobs or os.cpu_count() or 1) as threads:
        try:
            for future in as_completed([threads.submit(answer, case) for case in cases]):
                yield future.result()
        finally:
            threads.shutdown(cancel_futures=True)
            while not idle.empty():
                idle.get_nowait().end()


@contextmanager
def _inputs(case: Case, into: Path) -> Iterator[Path]:
    """A folder with the files of a case, as long as it is asked about; dear ones are made by a process."""
    folder = into / "inputs" / file_name(case.name)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    try:
        if case.dearness < LARGE:
            case.make(folder)
        else:
            command = [sys.executable, "-m", "tests.equality", "inputs", case.name, str(folder)]
            subprocess.run(command, cwd=ROOT, check=True)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def file_name(name: str) -> str:
    """The name of a case as the name of a file.

    >>> file_name("form/maps in maps.json/cut")
    'form~maps in maps.json~cut'
    """
    return name.replace("/", "~")
