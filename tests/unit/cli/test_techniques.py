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
    *("--quiescence", 2, "--null-move", 1, "--lmr", 1, "--reverse-futility", 5),
    *("--prove-wins", "--fail", "hard"),
)


@pytest.mark.slow
def test_every_technique_reaches_the_log_and_is_counted(plyscope: Command, tmp_path: Path) -> None:
    out = tmp_path / "a.json"
    code, text, err = plyscope("search", "connect_four", "--depth", 4, *EVERYTHING, "-o", out)
    assert code == 0, err
    log = json.loads(out.read_bytes())
    options = log["search"]["options"]
    said = {"table_use": "narrow", "table_keep": "clear", "iid": 1, "quiescence": 2, "null_move": 1, "lmr": 1}
    said |= {"killers": True, "history": True, "prove_wins": True, "reverse_futility": 5}
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
    ],
)
def test_techniques_that_make_no_sense_are_refused_in_one_line(
    plyscope: Command, arguments: tuple[object, ...], names: str
) -> None:
    code, _, err = plyscope("search", *arguments)
    assert (code, err.count("\n")) == (2, 1)
    assert names in err


def test_the_command_line_takes_the_former_options_which_help_does_not_list(
    plyscope: Command, tmp_path: Path
) -> None:
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
    code, _, err = plyscope("search", "tictactoe", "--futility", 2, "--reverse-futility", 3)
    assert code == 2
    assert err.startswith("plyscope: --futility: this is the former name of --reverse-futility 3.0;")
    text = plyscope("search", "--help")[1].replace("--reverse-", "")
    assert not [name for name in RENAMED if f"--{name.replace('_', '-')} " in text]
