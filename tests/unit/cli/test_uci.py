"""`plyscope uci` keeps what an engine says of a search as a log."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from plyscope.visualizer.formats.detect import read_log_file
from tests.unit.cli.conftest import Command

ENGINE = shlex.join([sys.executable, "-m", "tests.uci_engine"])


def test_what_a_live_engine_says_becomes_a_log(plyscope: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    code, out, err = plyscope("uci", ENGINE, "--depth", "2", "--multipv", "3", "-o", str(path))
    assert (code, out.splitlines()[-1]) == (0, "bestmove a2a3"), err
    log = read_log_file(path)
    assert [root.iteration for root in log.roots] == [1, 2]
    search, result = log.header["search"], log.header["result"]
    assert (search["engine"], search["go"], search["options"]) == ("Small 1", "depth 2", {"MultiPV": "3"})
    assert (result["ply"], result["score"], result["nodes"]) == ("a2a3", 0.3, 70)
    assert log.notices == (
        "These are the lines that an engine said over UCI, not the tree that it searched: each depth is a "
        "root, a principal variation is a chain below.",
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((f"{ENGINE} crash", "--depth", "1"), "ended with code 3 and did not answer 'go depth 1'"),
        ((ENGINE, "--option", "MultyPV=2"), "has no option 'MultyPV'; did you mean 'MultiPV'?"),
        ((ENGINE, "--option", "MultiPV"), "--option wants NAME=VALUE"),
        ((ENGINE, "--depth", "1", "--nodes", "2"), "a search is bound by one of --depth, --nodes"),
        (("/no/such/program",), "could not be started: No such file or directory"),
    ],
)
def test_what_an_engine_or_a_user_does_wrong_is_said(
    plyscope: Command, arguments: tuple[str, ...], said: str
) -> None:
    code, _, err = plyscope("uci", *arguments)
    assert (code, said in err) == (2, True), err
