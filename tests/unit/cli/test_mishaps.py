"""Tests of failures at the command line: one line says so, before long work where that can be known."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO

import duckdb
import pytest

import plyscope as face
from plyscope.visualizer.formats.write import files as write
from plyscope.visualizer.store.log import Log
from tests import heaps
from tests.patience import PATIENCE
from tests.unit.cli.conftest import Command

LOG = '{"plyscope": 1, "root": {"score": 1, "children": [{"ply": "a", "score": 1}]}}'

BASE = f"""{Path(heaps.__file__).read_text("utf-8")}

class Broken(Heap):
    matches, winner = 10**6, lambda self, position: None
"""
LINE = len(BASE.splitlines()) + 1

PLYSCOPE = [sys.executable, "-c", "from plyscope.visualizer.cli.main import run; run()"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("def plies(self, position): return {}['x']", "broken.py, in plies)"),
        ("def plies(self, position): raise SystemExit(4)", f"SystemExit: 4 (line {LINE} of"),
        ("def plies(self, position): return self.plies(position)", "RecursionError"),
        ("def plies(self, position): return None", "in what its methods gave to generate"),
        ("def values(self, position): return ['a']", "in what its methods gave to values"),
        ("def __init__(self, size): pass", "missing 1 required positional argument"),
        ("def start(self): raise OSError('no book')", f"OSError: no book (line {LINE} of"),
        ("players = ('alone',)", "docs/adding-a-game.md"),
        ("factors = {'matches': 'large'}", "could not convert string to float: 'large'"),
        ("import no_such_module", f"no_such_module' (line {LINE} of"),
    ],
)
def test_a_broken_game_is_one_line_that_says_where(
    plyscope: Command, tmp_path: Path, body: str, said: str
) -> None:
    path = tmp_path / "broken.py"
    path.write_text(f"{BASE}    {body}\n")
    code, _, err = plyscope("search", f"{path}:Broken", "--depth", 2, "-o", tmp_path / "log.json")
    assert (code, err.count("\n")) == (2, 1), err
    assert said in err
    assert err.startswith("plyscope: ")
    assert not (tmp_path / "log.json").exists()


def test_a_log_is_converted_onto_itself(plyscope: Command, tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text(LOG)
    assert plyscope("convert", path, path)[0] == 0
    assert plyscope("stats", path)[1].startswith("log.json: 2 nodes")
    assert [each.name for each in tmp_path.iterdir()] == ["log.json"]


def test_a_position_in_a_file_that_is_no_text_is_refused(plyscope: Command, tmp_path: Path) -> None:
    path = tmp_path / "position"
    path.write_bytes(b"\xff\xfe\x00")
    code, _, err = plyscope("search", "tictactoe", "--position", f"@{path}")
    assert (code, "no text in UTF-8" in err, err.count("\n")) == (2, True, 1)


def test_a_file_name_that_is_no_text_is_shown_escaped(tmp_path: Path) -> None:
    path = os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.json")
    Path(path).write_text(LOG)
    done = subprocess.run([*PLYSCOPE, "stats", path], capture_output=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.startswith(rb"caf\udce9.json: 2 nodes")


def test_compiling_is_told_where_there_is_no_terminal(
    plyscope: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyscope.engine.jit.needs_compiling", lambda *arguments: True)
    code, _, err = plyscope("perft", "connect_four", 2)
    assert (code, err.count("\n")) == (0, 1)
    assert err.startswith("plyscope: compiling the ")
    assert "once on a machine" in err
    monkeypatch.setattr("plyscope.engine.jit.needs_compiling", lambda *arguments: False)
    assert plyscope("perft", "connect_four", 2)[2] == ""


@pytest.mark.parametrize(
    "verb", [pytest.param(("search", "hive", "--depth", 1), marks=pytest.mark.slow), ("perft", "hive", 1)]
)
def test_a_position_that_states_what_its_plies_do_not_give_is_told(
    plyscope: Command, verb: tuple[Any, ...]
) -> None:
    code, _, err = plyscope(*verb, "--position", "Base;InProgress;Black[9];wS1;bG1 -wS1")
    said = [line for line in err.splitlines() if "compiling" not in line]
    assert (code, said) == (0, ["plyscope: 'Black[9]' is stated, but its plies give White[2]"])


def test_an_interrupted_writing_leaves_what_was_there(
    plyscope: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(log: Log, out: BinaryIO, on_progress: Callable[[float], None]) -> None:
        out.write(b"half")
        on_progress(0.5)
        raise KeyboardInterrupt

    monkeypatch.setitem(write.WRITERS, ".json", interrupted)
    path, target = tmp_path / "log.jsonl", tmp_path / "a.json"
    path.write_text(LOG)
    for fate in ("was not written", "is as it was"):
        code, out, err = plyscope("convert", path, target)
        said = f"plyscope: {target} {fate}: 50% of 2 rows were done\n\nplyscope: stopped\n"
        assert (code, out, err) == (130, "", said)
        assert {each.name for each in tmp_path.iterdir()} <= {"log.jsonl", "a.json"}
        assert target.exists() == (fate == "is as it was")
        target.write_text("before")
    assert target.read_text() == "before"


def test_an_interrupted_search_leaves_a_whole_log(tmp_path: Path) -> None:
    """The game itself sends the signal, in the middle of the search."""
    path = tmp_path / "slow.py"
    path.write_text(
        f"{BASE}    met = 0\n\n"
        "    def values(self, position):\n"
        "        import os, signal\n"
        "        Broken.met += 1\n"
        "        if Broken.met == 500:\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "        return [1.0]\n"
    )
    target = tmp_path / "log.json"
    command = [*PLYSCOPE, "search", f"{path}:Broken", "--depth", "30", "-o", str(target)]
    done = subprocess.run(command, capture_output=True, timeout=PATIENCE, text=True)
    assert (done.returncode, "wrote" in done.stderr) == (130, True), done.stderr
    assert face.open(target).main_root.outcome == "stopped"
    once = "            os.kill(os.getpid(), signal.SIGINT)\n"
    path.write_text(path.read_text().replace(once, 2 * once))
    target.unlink()
    stopped = subprocess.run(command, capture_output=True, timeout=PATIENCE, text=True)
    assert (stopped.returncode, "Traceback" in stopped.stderr) == (130, False), stopped.stderr
    assert not target.exists()
    assert stopped.returncode != -signal.SIGINT


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system counts other memory")
def test_some_hundred_bytes_that_become_twenty_million_rows_end_in_one_sentence(tmp_path: Path) -> None:
    """In a process that takes the machine to have less memory than it has."""
    rows = "SELECT 0::INT AS id, 0::INT AS parent, 'x' AS ply FROM range(20_000_000)"
    duckdb.connect().execute(f"COPY ({rows}) TO '{tmp_path / 'rows.parquet'}' (FORMAT parquet)")
    less = (
        "import os, sys; from plyscope.visualizer import memory_limit; "
        "machine = os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES'); "
        "memory_limit.MEMORY_PART = 2**29 / machine; "
        "from plyscope.visualizer.cli.main import run; run()"
    )
    for asked in ("stats rows.parquet", "query . ply='x'", "convert rows.parquet rows.jsonl"):
        command = [sys.executable, "-c", less, *asked.split()]
        environment = os.environ | {"OPENBLAS_NUM_THREADS": "1"}
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=PATIENCE
        )
        assert (done.returncode, done.stdout) == (2, "")
        said = r"plyscope: .* (needs|takes) more memory than (the 0\.5 GB that|there is for it).*\n"
        assert re.fullmatch(said, done.stderr)
