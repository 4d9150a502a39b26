"""The options of techniques as a person types them, and what is reported of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plyscope.engine.former import RENAMED
from tests.unit.cli.conftest import Command

EVERYTHING = (
    *("--algorithm", "pvs", "--iterative", "--aspiration", 4, "--table", 1, "--table-depth", "at_least"),
    *("--table-use", "narrow", "--table-keep", "clear", "--killers", "--history", "--iid", 1),
    *(
        "--quiescence",
        2,
        "--null-move",
        1,
        "--lmr",
        1,
        "--reverse-futility",
        5,
        "--prove-wins",
        "--fail",
        "hard",
    ),
)


@pytest.mark.slow
def test_every_technique_reaches_the_log_and_is_counted(plyscope: Command, tmp_path: Path) -> None:
    out = tmp_path / "a.json"
    code, text, err = plyscope("search", "connect_four", "--depth", 4, *EVERYTHING, "-o", out)
    assert code == 0, err
    log = json.loads(out.read_bytes())
    options = log["search"]["options"]
    said = {
        "table_use": "narrow",
        "table_keep": "clear",
        "killers": True,
        "history": True,
        "iid": 1,
        "quiescence": 2,
        "null_move": 1,
        "lmr": 1,
        "reverse_futility": 5,
        "prove_wins": True,
    }
    assert {name: options[name] for name in said} == said
    assert (log["search"]["fail"], log["search"]["table"]) == ("hard", "at_least")
    counters = log["result"]["counters"]
    assert len(counters) == 12
    for name, pair in counters.items():
        (line,) = [line for line in text.splitlines() if line.startswith(name.replace("_", " ") + "  ")]
        assert f"{pair['tried']:,} " in line
        assert f" {pair['succeeded']:,} " in line


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        (("tictactoe", "--quiescence", 2), "noisy"),
        (("reversi", "--table-use", "narrow"), "table"),
        (("reversi", "--algorithm", "minimax", "--null-move", 2), "--null-move"),
        (("reversi", "--fail", "loud"), "--fail"),
        (("reversi", "--table", 0), "--table"),
    ],
)
def test_techniques_that_make_no_sense_are_refused_in_one_line(
    plyscope: Command, arguments: tuple[object, ...], names: str
) -> None:
    code, _, err = plyscope("search", *arguments)
    assert (code, err.count("\n")) == (2, 1)
    assert names in err


def test_the_command_line_takes_the_former_options(plyscope: Command, tmp_path: Path) -> None:
    out = tmp_path / "a.json"
    said = ("--internal-deepening", 1, "--reductions", 1, "--futility", 2)
    asked = ("--depth", 4, "--limit", 3, "--algorithm", "pvs", "--killers")
    code, _, err = plyscope("search", "connect_four", *asked, *said, "-o", out)
    assert code == 0, err
    log = json.loads(out.read_bytes())
    present = set(RENAMED.values())
    assert present <= log["search"]["options"].keys()
    assert present <= log["result"]["counters"].keys()
    assert not RENAMED.keys() & (log["search"]["options"].keys() | log["result"]["counters"].keys())


def test_help_lists_the_present_options_only(plyscope: Command) -> None:
    text = plyscope("search", "--help")[1]
    assert not [name for name in RENAMED if f"--{name.replace('_', '-')} " in text.replace("--reverse-", "")]
    assert all(f"--{name.replace('_', '-')} " in text for name in RENAMED.values())


def test_the_command_line_refuses_both_names(plyscope: Command) -> None:
    code, _, err = plyscope("search", "tictactoe", "--futility", 2, "--reverse-futility", 3)
    assert code == 2
    assert err.startswith("plyscope: --futility: this is the former name of --reverse-futility 3.0;")
