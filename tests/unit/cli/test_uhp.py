"""`plyscope uhp` as a viewer starts it: a process at the other end of two pipes."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from tests.unit.cli.conftest import Command
from visualizer.version import __version__

pytestmark = pytest.mark.slow

START = [sys.executable, "-c", "from visualizer.cli.main import run; run(['uhp'])"]


class Viewer:
    """The other end of the pipes; it reads a whole answer before it writes again."""

    def __init__(self, folder: Path) -> None:
        pipe = subprocess.PIPE
        self.engine = subprocess.Popen(START, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder)

    def hear(self) -> list[str]:
        """The lines up to `ok`."""
        lines = [*iter(self._line, "ok")]
        assert self.engine.poll() is None or "" not in lines
        return lines

    def _line(self) -> str:
        line = _open(self.engine.stdout).readline()
        assert line.endswith(b"\n"), "the engine went away"
        return line.decode().rstrip("\r\n")

    def ask(self, line: str | bytes) -> list[str]:
        entry = _open(self.engine.stdin)
        entry.write(line if isinstance(line, bytes) else line.encode())
        entry.write(b"\n")
        entry.flush()
        return self.hear()

    def end(self) -> tuple[int, bytes, bytes]:
        """Exit code, what was still said, what was said on standard error."""
        out, err = self.engine.communicate(timeout=60)
        return self.engine.returncode, out, err


def _open(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


@pytest.fixture
def viewer(tmp_path: Path) -> Iterator[Viewer]:
    viewer = Viewer(tmp_path)
    assert viewer.hear() == [f"id plyscope {__version__}", "Mosquito;Ladybug;Pillbug"]
    yield viewer
    viewer.engine.kill()
    viewer.engine.communicate()


def test_a_viewer_is_answered_line_by_line_until_exit(viewer: Viewer) -> None:
    assert viewer.ask("newgame Base+MLP") == ["Base+MLP;NotStarted;White[1]"]
    for _ in range(6):
        (ply,) = viewer.ask("bestmove time 00:00:00.2")
        assert ply in viewer.ask("validmoves")[0].split(";")
        (played,) = viewer.ask(f"play {ply}")
    assert played.startswith("Base+MLP;InProgress;White[4];")
    assert viewer.ask(b"play \xff\xfe")[0].startswith("invalidmove ")
    _open(viewer.engine.stdin).write(b"exit\n")
    assert viewer.end() == (0, b"", b"")


def test_the_end_of_input_ends_it_quietly(viewer: Viewer) -> None:
    viewer.ask("newgame")
    assert viewer.end() == (0, b"", b"")


def test_an_interrupt_ends_it_quietly_while_it_thinks(viewer: Viewer) -> None:
    viewer.ask("newgame Base;;;wS1;bG1 -wS1;wQ wS1-;bQ -bG1;wA1 wQ-;bA1 -bQ")
    _open(viewer.engine.stdin).write(b"help\nbestmove time 01:00:00\n")
    _open(viewer.engine.stdin).flush()
    viewer.hear()
    viewer.engine.send_signal(signal.SIGINT)
    assert viewer.end() == (0, b"", b"")


def test_a_folder_for_logs_that_is_a_file_is_refused_in_one_line(plyscope: Command, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, out, err = plyscope("uhp", "--log-folder", tmp_path / "file" / "logs")
    assert (code, out) == (2, "")
    assert err.startswith("plyscope: WriteLogs: ")
    assert err.count("\n") == 1
