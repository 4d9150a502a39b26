"""The command as a person types it: what it prints, where, and how it ends."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click import Command as ClickCommand
from click import Context

from plyscope.engine.games import tictactoe
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import Progress
from plyscope.searching import mate_of_search, words
from plyscope.visualizer.cli import main
from plyscope.visualizer.cli.main import COMMANDS, SECTIONS
from tests.patience import PATIENCE
from tests.unit.cli.conftest import Command

TREE = {
    "plyscope": 1,
    "root": {"score": 1, "outcome": "searched", "children": [{"ply": "a", "score": 1, "outcome": "leaf"}]},
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    path = tmp_path / "tree.json"
    path.write_text(json.dumps(TREE))
    return path


def test_every_command_stands_in_one_section_of_the_help(plyscope: Command) -> None:
    _, listed = plyscope("--help")[1].split("\n\nLook at a search:\n")
    assert re.findall(r"^(\S.*):$", listed, re.M) == list(SECTIONS)[1:]
    assert re.findall(r"^  (\S+)  ", listed, re.M) == [name for each in SECTIONS.values() for name in each]
    for name, (module, _) in COMMANDS.items():
        assert isinstance(main.plyscope.get_command(Context(main.plyscope), name), ClickCommand), module


@pytest.mark.parametrize(
    ("misspelt", "sentence"),
    [
        (["serch"], "No such command 'serch'; did you mean search? Try `plyscope --help`."),
        (["What_If"], "No such command 'What_If'; did you mean what-if? Try `plyscope --help`."),
        (["library", "cler"], "No such command 'cler'; did you mean clear? Try `plyscope library --help`."),
        (["xxxx"], "No such command 'xxxx'. Try `plyscope --help`."),
        (["search", "reversi", "--dept", "3"], "'--depth'"),
    ],
)
def test_what_is_misspelt_is_answered_with_the_nearest(
    plyscope: Command, misspelt: list[str], sentence: str
) -> None:
    code, _, err = plyscope(*misspelt)
    assert code == 2
    assert sentence in err


def test_stats_says_how_many_leaves_are_returns_without_a_reply(plyscope: Command, tree: Path) -> None:
    leaf = '"outcome": "cutoff", "cut_by": "stand_pat", "quiescence": true'
    tree.write_text(tree.read_text().replace('"outcome": "leaf"', leaf))
    said = "tree.json: 2 nodes, 1 leaf (1 where quiescence or pruning returned at once) in 1 tree"
    assert plyscope("stats", tree)[1].startswith(said)


@pytest.mark.parametrize("recorded", [pytest.param(False, marks=pytest.mark.slow), True])
def test_a_win_is_said_by_its_distance_and_whether_it_is_proven(
    plyscope: Command, tmp_path: Path, recorded: bool
) -> None:
    asked = ["search", "connect_four", "--position", "4455", "--depth", 4]
    asked += ["-o", tmp_path / "log.json"] if recorded else []
    assert re.match(r"\d  win in 3  \(", plyscope(*asked)[1])
    assert json.loads(plyscope(*asked, "--json")[1])["result"]["proof"] == {"is": "proven"}
    asked += ["--limit", 3]
    assert re.match(r"\d  win in 3 among the plies searched  \(", plyscope(*asked)[1])
    assert json.loads(plyscope(*asked, "--json")[1])["result"]["proof"] == {"is": "none"}
    mate = mate_of_search(tictactoe.GAME, SearchOptions(depth=3))
    at = Progress("searching", "tictactoe", 3, 10, 0.5, "c3", mate.score - 5 * mate.step)
    assert words(at, mate).endswith("  best c3 win in 5 among the plies searched")
    assert words(replace(at, score=2.5), mate).endswith("  best c3 +2.5")


def test_the_line_is_told_from_the_table_where_nothing_is_recorded(plyscope: Command, tmp_path: Path) -> None:
    asked = ("search", "connect_four", "--position", "4", "--depth", 5)
    recorded = plyscope(*asked, "--table", 16, "-o", tmp_path / "a.json")[1].splitlines()[0]
    first, _, line = plyscope(*asked, "--table", 16)[1].splitlines()[0].partition("  (")
    assert recorded.startswith(f"{first}  ({line.removesuffix(')')}")
    assert line.count(" > ") > 0
    assert len(json.loads(plyscope(*asked, "--table", 16, "--json")[1])["result"]["pv"]) > 1
    assert "(-o, --view or --table tells the line)" in plyscope(*asked)[1].splitlines()[0]
    assert "tells the line" not in plyscope(*asked[:-1], 1)[1]


@pytest.mark.parametrize(
    ("asked", "line", "said"),
    [
        (("--depth", 3), 1, "depth 3: "),
        (("--depth", 30, "--iterative", "--nodes", 3000), 1, "depth [3-9] of 30: "),
        (("--depth", 9, "--nodes", 5), 1, "[0-9]+ nodes"),
        (("--position", "4455667"), 0, ".*the game is over"),
        (("--depth", 9, "--nodes", 5), 0, ".*before depth 9 was done; with --iterative"),
        (("--nodes", 2, "--iterative"), 0, ".*before its first iteration was done"),
        (("--position", "4455667", "--algorithm", "mcts"), 0, "no ply: the game is over in this position"),
    ],
)
def test_the_depth_that_was_done_is_told_and_why_there_is_no_ply(
    plyscope: Command, asked: tuple[Any, ...], line: int, said: str
) -> None:
    assert re.match(said, plyscope("search", "connect_four", *asked)[1].splitlines()[line])


def test_a_position_may_come_from_a_file(plyscope: Command, tmp_path: Path) -> None:
    (tmp_path / "position.txt").write_text("44444")
    typed, read = (
        plyscope("perft", "connect_four", 3, "--position", position, "--json")[:2]
        for position in ("44444", f"@{tmp_path / 'position.txt'}")
    )
    assert typed == read
    assert json.loads(typed[1])["nodes"] != 343


BAD = [
    (("stats", "nowhere.json"), "nowhere.json"),
    (("convert", "TREE", "out.xml"), ".jsonl"),
    (("search", "reversi", "-o", "out.png"), ".json"),
    (("search", "reversi", "--weights", "wisdom=3"), "wisdom"),
    (("search", "reversi", "--weights", "mobility=much"), "much"),
    (("search", "reversi", "--aspiration", "2"), "iterative"),
    (("perft", "reversi", "many"), "many"),
    (("view", "nowhere"), "nowhere"),
    (("view", "-"), "view - --follow"),
    (("view", "nowhere/run.jsonl", "--follow"), "nowhere"),
    (("view", ".", "--follow"), "folder"),
    (("view", "run.jsonl", "--follow", "--map", "score=value"), "--map"),
    (("stats", "TREE", "--map", "score"), "score"),
    (("lab",), "`plyscope study lab`"),
    (("study", "dance"), "dance"),
]


@pytest.mark.parametrize(("arguments", "names"), BAD, ids=lambda value: " ".join(value)[:40])
def test_an_error_is_one_line_that_names_the_culprit_and_the_exit_code_is_2(
    plyscope: Command, tree: Path, arguments: tuple[str, ...], names: str
) -> None:
    code, out, err = plyscope(*(str(tree) if argument == "TREE" else argument for argument in arguments))
    assert code == 2
    assert out == ""
    assert err.startswith("plyscope: ")
    assert err.count("\n") == 1
    assert names in err
    sentence, _, hint = err.partition(" Try `plyscope")
    assert not hint or sentence.endswith((".", "?"))


def test_a_closed_pipe_ends_it_quietly(tree: Path) -> None:
    program = f"{sys.executable} -c 'from plyscope.visualizer.cli.main import run; run()' stats {tree} | true"
    answer = subprocess.run(
        program, shell=True, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert answer.stderr == ""
