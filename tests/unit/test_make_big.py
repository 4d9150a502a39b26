"""`examples/make_big.py` makes a log of as many nodes as asked, in which check finds nothing wrong."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import plyscope

SCRIPT = Path(__file__).parents[2] / "examples" / "make_big.py"


@pytest.mark.parametrize("name", ["big.jsonl", "big.plyb"])
def test_the_log_has_the_nodes_asked_for_and_no_finding(
    tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    runpy.run_path(str(SCRIPT))["main"](["3000", str(path)])
    log = plyscope.open(path)
    assert log.stats.nodes == 3000
    assert capsys.readouterr().out.startswith(f"{path}: 3,000 nodes, {len(log):,} rows\n")
    assert not [finding for finding in plyscope.check(log) if finding.severity == "wrong"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["0"], "nodes is 0, expected 1 or more"), (["5", "a.txt"], 'found the ending ".txt"')],
)
def test_what_cannot_be_made_is_said_in_a_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        runpy.run_path(str(SCRIPT))["main"](arguments)
    assert caught.value.code == 2
    assert words in capsys.readouterr().err
