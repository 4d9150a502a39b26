"""The command as a person types it: what it prints, where, and how it ends."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click import Command as ClickCommand
from click import Context

import plyscope as face
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


def test_a_search_tells_scripts_its_seed_as_a_number(plyscope: Command) -> None:
    asked = ("search", "tictactoe", "--depth", 1, "--quotient", 2, "--seed", 2**64 - 1)
    assert json.loads(plyscope(*asked, "--json")[1])["result"]["seed"] == 2**64 - 1


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


TEXTBOOK = Path(__file__).parents[3] / "examples" / "textbook-alpha-beta.json"
BAD = [
    ("stats nowhere.json", "nowhere.json"),
    ("convert TREE out.xml", ".jsonl"),
    ("search reversi -o out.png", ".json"),
    ("search tictactoe --depth 2 -o nowhere/log.json", "cannot be written: No such file or directory"),
    ("search reversi --weights wisdom=3", "wisdom"),
    ("search reversi --weights mobility=much", "much"),
    ("search reversi --aspiration 2", "iterative"),
    ("search tictactoe --quiescence 2", "noisy"),
    ("search reversi --table-use narrow", "table"),
    ("search reversi --algorithm minimax --null-move 2", "--null-move"),
    ("search tictactoe --algorithm mcts --depth 3", "--depth is no option of mcts; --playouts or --seconds"),
    ("search tictactoe --algorithm mcts --reductions 2", "--reductions is no option of mcts"),
    ("search tictactoe --playouts 10", "an option of Monte Carlo tree search; add --algorithm mcts."),
    ("search tictactoe --algorithm mcts --fpu x", "'x' is no number and not 'heuristic'."),
    ("search tictactoe --algorithm mcts --select plain --fpu 1", "--fpu: plain selection knows no urgency"),
    ("search tictactoe --algorithm mcts --guide ring", "--guide: tictactoe has no ring"),
    ("perft reversi many", "many"),
    ("view nowhere", "nowhere"),
    ("view -", "view - --follow"),
    ("view nowhere/run.jsonl --follow", "nowhere"),
    ("view . --follow", "folder"),
    ("view run.jsonl --follow --map score=value", "--map"),
    ("stats TREE --map score", "score"),
    ("check TREE --against nowhere.json", "nowhere.json: "),
    ("check TREE --baseline nowhere.json", "nowhere.json: "),
    ("query TREE 'level > 0' --sort 'score >'", "plyscope: sort: column 8: found the end"),
    (
        "query TREE 'level > 0' --sort \"'x'\"",
        "sort: column 1: 'x' is a text, the same at every node",
    ),
    ("query TREE 'level > 0' -o rows.xlsx", "plyscope: rows.xlsx: rows are written as .csv or .parquet"),
    ("query TREE 'level > 0' -o /no/a.csv", "plyscope: /no/a.csv: No such file or directory"),
    ("query TREE 'level > 0' --csv --json", "plyscope: --csv and --json are two forms"),
    ("picture TREE -o tree.gif", "tree.gif: a picture ends in .svg, .png or .pdf"),
    (f"picture {TEXTBOOK} --highlight c --node b", "a highlighted node does not lie below the node"),
    ("picture TREE --levels -1", "-1 is not in the range x>=0"),
    ("quotient 2 --plies 0", "--plies: found 0, expected a whole number from 1 to 1,000"),
    ("quotient 2 --draws 0", "--draws: found 0, expected a whole number from 1"),
    ("quotient 2 --seed 1", "--seed: there is nothing to draw"),
    ("match random depth=1 --game shogi", "no game 'shogi'"),
    ("match random", "'random' plays alone: name a second player"),
    ("match random depth=1 --logs x", "logs: a folder for logs, but which? add log: losses"),
    ("match uci=x random --game chess", "an engine takes either seconds or depth or nodes"),
    ("match uci=x,depth=1 random --game reversi", "speaks UCI, which is not for reversi"),
    ("match uci=/no/x,depth=1 random --game chess", "there is no program '/no/x'"),
    ("match uci=x,depth=1,speed=2 random --game chess", "has an unknown option 'speed'"),
    ("match uhp=x,depth=1 random --game reversi", "Universal Hive Protocol, which is not for reversi"),
    ("match uhp=/no/x,depth=1 random --game hive", "there is no program '/no/x'"),
    ("picture TREE --board", "there is no board: the log does not say"),
    ("lab --seed 1", "plyscope-studies: pip install ./studies, then run `plyscope study lab`"),
    ("study dance", "dance"),
    ("uhp --log-folder TREE/logs", "plyscope: WriteLogs: "),
    ("diff TREE", "Compare with what?"),
    ("diff TREE --iterations 1 2", "there is no iteration 1 in this log"),
    ("diff TREE --iterations 1 2 --order", "--order compares whole runs"),
    ("diff TREE TREE --order --fail-on score", "only `--fail-on any` has a meaning"),
    ("diff TREE TREE --kind x", "there is no kind of change 'x'"),
]


@pytest.mark.parametrize(("line", "names"), BAD, ids=lambda value: value[:40])
def test_an_error_is_one_line_that_names_the_culprit_and_the_exit_code_is_2(
    plyscope: Command, tree: Path, line: str, names: str
) -> None:
    code, out, err = plyscope(*shlex.split(line.replace("TREE", str(tree))))
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("plyscope: ")
    assert names in err
    sentence, _, hint = err.partition(" Try `plyscope")
    assert not hint or sentence.endswith((".", "?"))


def test_a_closed_pipe_ends_it_quietly(tree: Path) -> None:
    program = f"{sys.executable} -c 'from plyscope.visualizer.cli.main import run; run()' stats {tree} | true"
    answer = subprocess.run(
        program, shell=True, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert answer.stderr == ""


def test_a_log_is_written_to_a_pipe_and_the_rest_said_beside_it() -> None:
    def run(*arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-m", "plyscope", *arguments]
        return subprocess.run(command, capture_output=True, timeout=PATIENCE, check=True)

    done = run("search", f"{TEXTBOOK.parent}/nim.py:Nim", "--depth", "3", "-o", "-")
    assert face.open(done.stdout).header["result"]["depth"] == 3
    assert b"nodes" in done.stderr
    log = face.open(run("convert", TEXTBOOK, "-").stdout)
    assert [node.path for node in log] == [node.path for node in face.open(TEXTBOOK)]


def test_a_shell_completes_the_commands() -> None:
    asked = {"_PLYSCOPE_COMPLETE": "bash_complete", "COMP_WORDS": "plyscope wha", "COMP_CWORD": "1"}
    program = "from plyscope.visualizer.cli.main import run; run([])"
    command = [sys.executable, "-c", program]
    told = subprocess.run(command, capture_output=True, timeout=PATIENCE, env=asked, text=True).stdout
    assert "what-if" in told.replace("\n", " ")


def test_what_siblings_share_is_cut_from_their_names(tmp_path: Path, plyscope: Command) -> None:
    plies = [f"the {kind} wall of the castle to the north of d7" for kind in ("inner", "outer")]
    children = [{"ply": ply, "layer": "min", "score": 1, "outcome": "leaf"} for ply in plies]
    path = tmp_path / "wide.json"
    path.write_text(json.dumps({"plyscope": 1, "root": {"layer": "max", "children": children}}))
    _, out, _ = plyscope("stats", path)
    assert [line.split()[0] for line in out.splitlines() if line.endswith("50.0%")] == ["inner", "outer"]
