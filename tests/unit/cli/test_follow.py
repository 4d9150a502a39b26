"""`plyscope view - --follow` as a person runs it: it shows what comes, and Ctrl+C ends it quietly."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

from tests.patience import PATIENCE

PROGRAM = "from plyscope.visualizer.cli.main import run; run()"


def test_standard_input_is_shown_until_ctrl_c_while_more_could_come(tmp_path: Path) -> None:
    command = [sys.executable, "-c", PROGRAM, "view", "-", "--follow", "--no-browser"]
    environment = {**os.environ, "PLYSCOPE_DATA": str(tmp_path), "PLYSCOPE_CACHE": str(tmp_path)}
    with subprocess.Popen(
        command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as viewer:
        assert viewer.stdin is not None
        assert viewer.stdout is not None
        viewer.stdin.write(b'{"id": 0}\n{"id": 1, "parent": 0, "ply": "a1"}\n')
        viewer.stdin.flush()
        said = viewer.stdout.readline().decode()
        found = re.fullmatch(r"plyscope: showing standard input at (\S+/) \(press Ctrl\+C to stop\)\n", said)
        assert found is not None, said
        with urllib.request.urlopen(f"{found[1]}api/logs", timeout=PATIENCE) as answer:
            (log,) = json.load(answer)["logs"]
        assert log["live"] == {"state": "written", "from": "stdin"}
        with urllib.request.urlopen(f"{found[1]}api/logs/{log['id']}", timeout=PATIENCE) as answer:
            assert json.load(answer)["totals"]["nodes"] == 2
        viewer.send_signal(signal.SIGINT)
        assert viewer.wait(PATIENCE) == 0
        assert viewer.stderr is not None
        assert viewer.stderr.read() == b""
    (kept,) = (tmp_path / "pasted").glob("*.log")
    assert kept.read_bytes().endswith(b'"a1"}\n')
