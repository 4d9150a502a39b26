"""The text of a terminal: figures of three digits, names told apart, logs through pipes, completion."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import plyscope as face
from tests.patience import PATIENCE
from tests.unit.cli.conftest import Command

EXAMPLES = Path(__file__).parents[3] / "examples"
PLYSCOPE = [sys.executable, "-m", "plyscope"]


def run(*arguments: str, **more: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*PLYSCOPE, *arguments], capture_output=True, timeout=PATIENCE, check=True, **more)  # type: ignore[call-overload,no-any-return]


def test_a_log_is_written_to_a_pipe_and_the_rest_said_beside_it() -> None:
    done = run("search", f"{EXAMPLES}/nim.py:Nim", "--depth", "3", "-o", "-")
    assert face.open(done.stdout).header["result"]["depth"] == 3
    assert b"nodes" in done.stderr
    source = EXAMPLES / "textbook-alpha-beta.json"
    log = face.open(run("convert", str(source), "-").stdout)
    assert [node.path for node in log] == [node.path for node in face.open(source)]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_click_completes_the_commands_in_each_shell(shell: str) -> None:
    asked = {"_PLYSCOPE_COMPLETE": f"{shell}_complete", "COMP_WORDS": "plyscope wha", "COMP_CWORD": "1"}
    asked["COMP_CWORD"] = "wha" if shell == "fish" else "1"  # fish gives the word, others its place
    program = "from plyscope.visualizer.cli.main import run; run([])"
    command = [sys.executable, "-c", program]
    told = subprocess.run(command, capture_output=True, timeout=PATIENCE, env=asked, text=True).stdout
    assert "what-if" in told.replace("\n", " ")


def test_logs_that_share_no_ply_are_said_first_to_have_nothing_in_common(
    tmp_path: Path, plyscope: Command
) -> None:
    for ply in ("a", "b"):
        root = {"children": [{"ply": ply, "score": 1}]}
        (tmp_path / f"{ply}.json").write_text(json.dumps({"plyscope": 1, "root": root}))
    _, out, _ = plyscope("diff", tmp_path / "a.json", tmp_path / "b.json")
    assert out.splitlines()[1].startswith("The two logs have nothing in common")
    assert "Note" not in out


def test_tables_of_statistics_fit_80_columns(plyscope: Command) -> None:
    _, out, _ = plyscope("stats", EXAMPLES / "hive-midgame.json.gz")
    assert max(map(len, out.splitlines())) <= 80


def test_what_siblings_share_is_cut_from_their_names(tmp_path: Path, plyscope: Command) -> None:
    plies = [f"the {kind} wall of the castle to the north of d7" for kind in ("inner", "outer")]
    children = [{"ply": ply, "layer": "min", "score": 1, "outcome": "leaf"} for ply in plies]
    path = tmp_path / "wide.json"
    path.write_text(json.dumps({"plyscope": 1, "root": {"layer": "max", "children": children}}))
    _, out, _ = plyscope("stats", path)
    assert [line.split()[0] for line in out.splitlines() if line.endswith("50.0%")] == ["inner", "outer"]
