"""`plyscope uhp` as a viewer starts it: a process at the other end of two pipes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from plyscope.engine.compile.code_cache import CACHE_VARIABLE
from plyscope.version import __version__
from plyscope.visualizer.cli.play.uhp import Stops
from plyscope.visualizer.formats.detect import read_log_file
from plyscope.visualizer.uhp.inbox import Inbox
from plyscope.visualizer.uhp.session import Session

pytestmark = pytest.mark.slow

START = [sys.executable, "-c", "from plyscope.visualizer.cli.main import run; run()", "uhp"]
MIDDLE = "newgame Base;;;wS1;bG1 -wS1;wQ wS1-;bQ -bG1;wA1 wQ-;bA1 -bQ"
HELLO = [f"id plyscope {__version__}", "Mosquito;Ladybug;Pillbug", "ok"]
REPORT = "options set ReportIntermediateBestMoves True"


class Viewer:
    """The other end of the pipes; it reads a whole answer before it writes again."""

    def __init__(self, folder: Path) -> None:
        pipe = subprocess.PIPE
        self.engine = subprocess.Popen(START, bufsize=0, stdin=pipe, stdout=pipe, stderr=pipe, cwd=folder)

    def hear(self) -> list[str]:
        return [*iter(self.line, "ok")]

    def line(self) -> str:
        line = _open(self.engine.stdout).readline()
        assert line.endswith(b"\n"), "the engine went away"
        return line.decode().rstrip("\r\n")

    def send(self, line: str) -> None:
        entry = _open(self.engine.stdin)
        entry.write(f"{line}\n".encode())
        entry.flush()

    def ask(self, line: str) -> list[str]:
        self.send(line)
        return self.hear()

    def think(self) -> str:
        """Have a search begin that goes on for an hour; its first report, so it runs."""
        self.ask(MIDDLE)
        self.ask(REPORT)
        self.send("bestmove time 01:00:00")
        return self.line()

    def end(self) -> tuple[int, list[str], str]:
        """Exit code, what was still said, what was said on standard error."""
        out, err = self.engine.communicate(timeout=600)
        return self.engine.returncode, out.decode().splitlines(), err.decode()


def _open(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream


def piped(folder: Path, script: str, *arguments: str) -> tuple[int, list[str], str]:
    """Exit code, standard output after the first answer and standard error of a session from a script."""
    command = [*START, *arguments]
    done = subprocess.run(command, input=script, capture_output=True, cwd=folder, timeout=600, text=True)
    said = done.stdout.splitlines()
    assert said[:3] == HELLO
    return done.returncode, said[3:], done.stderr


@pytest.fixture
def viewer(tmp_path: Path) -> Iterator[Viewer]:
    viewer = Viewer(tmp_path)
    assert [*viewer.hear(), "ok"] == HELLO
    yield viewer
    viewer.engine.kill()
    viewer.engine.wait()
    for stream in (viewer.engine.stdin, viewer.engine.stdout, viewer.engine.stderr):
        _open(stream).close()


def test_a_script_gets_every_answer_whether_it_ends_with_exit_or_not(tmp_path: Path) -> None:
    """The end of input does not end a search, and each has left its log when the command is done."""
    script = f"{MIDDLE}\n{REPORT}\nbestmove depth 4\n\n\tinfo\r\nnewgame Base;Draw;White[7];wS1"
    for n_logs, end in ((1, ""), (2, "\nexit\ninfo\n")):
        code, said, err = piped(tmp_path, script + end, "--log-folder", "logs")
        assert (code, said.count("ok"), said[-1]) == (0, 5, "ok")
        assert err == (
            "plyscope: newgame: 'Draw' is stated, but its plies give InProgress; "
            "'White[7]' is stated, but its plies give Black[1]\n"
        )
        reports = [line for line in said if line.split(";")[1:2] and line.split(";")[1].isdigit()]
        assert [report.split(";")[1] for report in reports] == ["1", "2", "3", "4"]
        logs = sorted((tmp_path / "logs").iterdir())
        assert len(logs) == n_logs
        assert read_log_file(logs[-1]).header["result"]["depth"] == 4


def test_what_needs_no_search_is_answered_before_anything_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With no machine code at hand, which takes many seconds to make; nothing is kept, so it was not made."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    for end in ("", "exit\n"):
        code, said, err = piped(tmp_path, f"options get Level\nhelp undo\n{end}")
        assert (code, err) == (0, "")
        assert said == ["Level;int;9;9;1;9", "ok", "undo [N]: take plies back", "ok"]
    assert [*(tmp_path / "cache").rglob("*.bin")] == []


@pytest.mark.parametrize(("closes", "says"), [("<&-", HELLO), (">&-", [])])
def test_a_pipe_that_was_never_open_ends_it_quietly(tmp_path: Path, closes: str, says: list[str]) -> None:
    command = ["sh", "-c", f'"$@" {closes}', "sh", *START]
    done = subprocess.run(command, input=b"info\n", capture_output=True, cwd=tmp_path, timeout=600)
    assert (done.returncode, done.stdout.decode().splitlines(), done.stderr) == (0, says, b"")


@pytest.mark.parametrize(("how", "code"), [("Exit", 0), ("SIGTERM", 143)])
def test_exit_and_termination_end_the_search_that_runs(viewer: Viewer, how: str, code: int) -> None:
    """Exit with the best ply so far."""
    report = viewer.think()
    if how == "Exit":
        viewer.send(how)
    else:
        viewer.engine.send_signal(signal.SIGTERM)
    left, said, err = viewer.end()
    assert (left, err) == (code, "")
    assert how != "Exit" or [report, *said[:-2]][-1].startswith(f"{said[-2]};")


def test_an_interrupt_ends_the_search_that_runs_and_the_session_goes_on(viewer: Viewer) -> None:
    viewer.think()
    viewer.engine.send_signal(signal.SIGINT)
    ply = viewer.hear()[-1].split(";")[0]
    assert ply in viewer.ask("validmoves")[0].split(";")
    viewer.engine.send_signal(signal.SIGINT)
    assert viewer.end() == (130, [], "")


def test_an_interrupt_is_for_the_command_that_waits_and_the_next_one_for_all(tmp_path: Path) -> None:
    """A viewer cancels what it has sent, be it that the engine has not come to it yet."""
    reading, writing = os.pipe()
    stops, session = Stops(), Session(tmp_path, compiled=False)
    stops.inbox = Inbox(reading)
    stops.inbox.start()
    codes: list[int] = []
    with stops.listening(session, codes.append):
        os.write(writing, b"bestmove time 01:00:00\n")
        while not stops.inbox.has_lines:
            assert not stops.should_stop()
        signal.raise_signal(signal.SIGINT)
        assert (stops.should_stop(), codes) == (True, [])
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGTERM)
    assert codes == [130, 143]
    os.close(writing)


def test_a_viewer_that_is_gone_ends_the_search_that_runs(viewer: Viewer) -> None:
    viewer.ask(MIDDLE)
    viewer.send("help\nbestmove time 01:00:00")
    viewer.hear()
    _open(viewer.engine.stdout).close()
    _open(viewer.engine.stdin).close()
    assert viewer.engine.wait(600) == 0
    assert _open(viewer.engine.stderr).read() == b""
