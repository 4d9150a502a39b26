"""Parents that are ended while their children are at work, of which none may outlive them. Needs /proc.

Each child plays a game, chooses or thinks without end, once it has written a file that names its process, and
it holds the interpreter's lock, so no thread of it hears of anything.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from tests import heaps
from tests.patience import PATIENCE, wait_for

GAME: Final = f"""{Path(heaps.__file__).read_text("utf-8")}
import multiprocessing, os, re, sys
from pathlib import Path

def work():
    Path(f"at-work-{{os.getpid()}}").touch()
    re.match("(a+)+$", "a" * 60 + "b")

class Endless(Heap):
    def apply(self, position, ply):
        if multiprocessing.parent_process():
            work()
        return super().apply(position, ply)

class Agent:
    def choose(self, game, state, log):
        work()

if __name__ == "__main__":
    for line in sys.stdin:
        if line.startswith("go"):
            work()
        print({{"uci": "uciok", "isready": "readyok"}}.get(line.strip(), ""), flush=True)
"""
CLUSTER: Final = """
from distributed import LocalCluster
import plyscope
with LocalCluster(n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None) as cluster:
    plyscope.match("a: random", "b: random", game="game.py:Endless", scheduler=cluster.scheduler_address)
"""
PLYSCOPE: Final = ("-m", "plyscope")
PLAY: Final = ("--text", "--side", "second")
PARENTS: Final = {
    "match": (2, *PLYSCOPE, "match", "a: random", "b: random", "--game", "game.py:Endless", "--workers", "2"),
    "tuning": (2, *PLYSCOPE, "tune", "game.py:Endless", "--workers", "2", "--depth", "1"),
    "match on a cluster": (2, "-c", CLUSTER),
    "game against a class": (1, *PLYSCOPE, "play", "game.py:Endless", "game.py:Agent", *PLAY),
    "game against an engine": (1, *PLYSCOPE, "play", "chess", f"uci={sys.executable} game.py,depth=1", *PLAY),
}
"""How many children each has at work at once, and the arguments of Python that begin it."""
WAYS: Final = (signal.SIGTERM, signal.SIGKILL, signal.SIGHUP)


def outliving(parent: str, way: signal.Signals) -> tuple[int, int]:
    """How many processes a parent had when a signal ended it, all its children at work; how many are left."""
    n_at_work, *arguments = PARENTS[parent]
    with tempfile.TemporaryDirectory() as folder, Path(folder, "errors").open("w+") as errors:
        Path(folder, "game.py").write_text(GAME, "utf-8")

        def alive() -> list[int]:
            pids = [int(each.name) for each in Path("/proc").glob("[0-9]*")]
            return [pid for pid in pids if f"PARENT_IN={folder}\0" in environment(pid)]

        heard = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup we and what we begin ignore it
        process = subprocess.Popen(
            [sys.executable, *map(str, arguments)],
            cwd=folder,
            env={**os.environ, "PARENT_IN": folder, "PLYSCOPE_DATA": folder},
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
        signal.signal(signal.SIGHUP, heard)
        try:
            wait_for(
                lambda: len([*Path(folder).glob("at-work-*")]) >= n_at_work or process.poll() is not None
            )
            assert process.poll() is None, Path(folder, "errors").read_text()
            n_begun = len(alive())
            process.send_signal(way)
            process.wait(PATIENCE)
            with suppress(AssertionError):
                wait_for(lambda: not alive())
            return n_begun, len(alive())
        finally:
            kill(alive())
            process.communicate()


def kill(pids: Iterable[int]) -> None:
    """Kill those processes that are still there."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def environment(pid: int) -> str:
    """What a process was begun with; empty for one that has ended, or is another user's."""
    with suppress(OSError):
        return Path(f"/proc/{pid}/environ").read_text(errors="replace")
    return ""
