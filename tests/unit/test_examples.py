"""The searches among the examples: those with a bug, and the one that makes a large log."""

from __future__ import annotations

import json
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plyscope
from plyscope.visualizer.analysis.check.run import check
from tests.unit.logs import log_of

BUGS = Path(__file__).parents[2] / "examples" / "bugs"

SUFFICES = (
    '{"exact": True, "lower": entry["score"] >= beta, "upper": entry["score"] <= alpha}[entry["bound"]]'
)
MENDS = {
    "wrong_sign": ('value = child["score"]', 'value = -child["score"]'),
    "lost_alpha": ("raised, beta, level + 1", "-beta, -raised, level + 1"),
    "bounds_as_exact": ("if entry is not None:", f"if entry is not None and {SUFFICES}:"),
}
"""What the guide changes in the faulty line."""

CHOICES = {"wrong_sign": ("b2", "c3"), "lost_alpha": ("right 6", "right 6"), "bounds_as_exact": ("d", "b")}
"""The ply chosen with the bug, and without it."""


def log_file(name: str) -> Path:
    return BUGS / f"bug-{name.replace('_', '-')}.json"


def searched(source: str) -> dict[str, Any]:
    """The log that a program makes."""
    names: dict[str, Any] = {"__name__": "bug"}
    exec(compile(source, "bug", "exec"), names)
    log: Callable[[], dict[str, Any]] = names["log"]
    return log()


def source_of(name: str) -> str:
    return (BUGS / f"{name}.py").read_text("utf-8")


def test_every_search_with_a_bug_is_listed_here() -> None:
    assert {path.stem for path in BUGS.glob("*.py")} == set(CHOICES)
    assert {path.name for path in BUGS.glob("*.json")} == {log_file(name).name for name in CHOICES}


@pytest.mark.parametrize("name", CHOICES)
def test_the_log_is_what_its_program_makes_and_clean_once_its_line_is_mended(name: str) -> None:
    """If the program was changed, `python examples/bugs/NAME.py` makes the log again."""
    source, (line, mend) = source_of(name), MENDS[name]
    found = searched(source)
    assert json.loads(log_file(name).read_bytes()) == found
    assert source.count(line) == 1
    mended = searched(source.replace(line, mend))
    assert check(log_of(**mended)).findings() == []
    assert (found["result"]["ply"], mended["result"]["ply"]) == CHOICES[name]


def test_a_program_without_a_file_to_write_says_how_it_is_called() -> None:
    ran = subprocess.run(
        [sys.executable, BUGS / "lost_alpha.py"], capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (1, "usage: python lost_alpha.py LOG\n")


def test_an_alpha_that_is_not_passed_at_all_is_waste() -> None:
    """With an open window every child is searched as if nothing were known: right, and for nothing."""
    line, _ = MENDS["lost_alpha"]
    report = check(
        log_of(**searched(source_of("lost_alpha").replace(line, "-INFINITY, INFINITY, level + 1")))
    )
    assert report.counts["wrong"] == 0
    assert {group.rule for group in report.groups} == {"window-wide"}


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
