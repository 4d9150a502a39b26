"""The options of `plyscope search` as a person types them, and the signature that `plyscope bench` has."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from plyscope.engine.former import RENAMED
from plyscope.engine.games import GAMES
from plyscope.visualizer.cli.play.bench import POSITIONS, TECHNIQUES, searches
from tests import heaps
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


HEAP = f"{heaps.__file__}:Heap"
"""A game of one's own, which needs no compiling."""


def test_the_turn_limit_tells_how_many_play_outs_it_ended(plyscope: Command) -> None:
    asked = ("--algorithm", "mcts", "--playouts", 50, "--turn-limit", 1, "--seed", 1)
    _, text, _ = plyscope("search", HEAP, *asked)
    _, answer, _ = plyscope("search", HEAP, *asked, "--json")
    result = json.loads(answer)["result"]
    assert result["cut_short"] > 0
    assert f"the turn limit ended {result['cut_short']}" in text
    assert "nodes" not in result


SHARED = ("connect_four",)
"""Of its search without a record the run has the machine code; other games take 15 seconds each, and plain
searches of Hive longer."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "games", [SHARED, pytest.param([*GAMES], marks=pytest.mark.sweep)], ids=["shared", "all"]
)
def test_compiled_and_plain_searches_have_one_signature(
    monkeypatch: pytest.MonkeyPatch, games: Sequence[str]
) -> None:
    positions = tuple(each for each in POSITIONS if each[0] in games)
    monkeypatch.setattr("plyscope.visualizer.cli.play.bench.POSITIONS", positions)
    compiled, plain = (
        [
            (each.game, each.position, each.techniques, each.nodes)
            for each in searches(compiled=by, most_depth=2)
        ]
        for by in (True, False)
    )
    assert compiled == plain
    assert len(compiled) > len(positions) * 8


def test_every_game_is_searched_with_every_technique_that_it_allows() -> None:
    done = {(each.game, each.techniques) for each in searches(compiled=False, most_depth=1)}
    assert {game for game, _ in done} == set(GAMES)
    for game in ("connect_four", "explicit_tree", "reversi"):
        assert {techniques for name, techniques in done if name == game} == set(TECHNIQUES)
    assert ("tictactoe", "null_move") in done
    assert ("tictactoe", "quiescence") not in done


def test_the_signature_is_the_sum_of_the_searches(plyscope: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of positions that are searched in no time as plain Python."""
    small = tuple(each for each in POSITIONS if each[0] in ("connect_four", "tictactoe"))
    monkeypatch.setattr("plyscope.visualizer.cli.play.bench.POSITIONS", small)
    searched = partial(searches, compiled=False, most_depth=2)
    monkeypatch.setattr("plyscope.visualizer.cli.play.bench.searches", searched)
    code, out, err = plyscope("bench", "--json")
    assert code == 0, err
    answer = json.loads(out)
    assert answer["signature"] == sum(each["nodes"] for each in answer["searches"]) > 0
    assert plyscope("bench")[1].splitlines()[-2].startswith(f"signature {answer['signature']}: ")
