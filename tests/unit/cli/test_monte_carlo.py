"""Monte Carlo tree search as a person types it: its options, what is refused, what is reported."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import plyscope
from plyscope.engine.option import OptionError
from tests import heaps
from tests.unit.cli.conftest import Command

HEAP = f"{heaps.__file__}:Heap"
"""A game of one's own, which needs no compiling."""


def test_a_search_writes_a_log_that_check_finds_clean(plyscope: Command, tmp_path: Path) -> None:
    out = tmp_path / "a.json"
    asked = ("--algorithm", "mcts", "--playouts", 2_000, "--seed", 1, "--c", 1, "--choose", "mean")
    code, text, err = plyscope("search", HEAP, *asked, "-o", out)
    assert code == 0, err
    log = json.loads(out.read_bytes())
    search, result = log["search"], log["result"]
    assert (search["algorithm"], search["order"], search["choose"]) == ("mcts", "best_first", "mean")
    assert (search["range"], search["draw"], search["unit"]) == ([0, 1], 0.5, "win rate")
    options = {"playouts": 2000, "select": "ucb1", "c": 1, "turn_limit": 100, "log_visits": 1, "seed": 1}
    assert search["options"] == options
    assert [root["iteration"] for root in log["roots"]] == [20, 200, 2000]
    assert result["ply"] == "2"
    assert text.startswith(f"2  mean {100 * result['score']:.1f} %, {result['visits']:,} visits  (2 > ")
    assert "\n2,000 play-outs in " in text
    assert f"deepest level {result['max_level']}" in text
    assert plyscope("check", out)[0] == 0


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            ("--algorithm", "mcts", "--depth", 3),
            "--depth is no option of mcts; --playouts or --seconds end it.",
        ),
        (("--algorithm", "mcts", "--reductions", 2), "--reductions is no option of mcts"),
        (("--playouts", 10), "--playouts is an option of Monte Carlo tree search; add --algorithm mcts."),
        (("--algorithm", "mcts", "--fpu", "x"), "'x' is no number and not 'heuristic'."),
        (("--algorithm", "mcts", "--select", "plain", "--fpu", 1), "--fpu: plain selection knows no urgency"),
        (("--algorithm", "mcts", "--guide", "ring"), "--guide: Heap has no ring"),
    ],
)
def test_options_of_the_other_search_are_refused(
    plyscope: Command, options: tuple[Any, ...], says: str
) -> None:
    code, _, err = plyscope("search", HEAP, *options)
    assert code == 2
    assert says in err
    assert len(err.splitlines()) == 1


def test_so_they_are_in_python() -> None:
    for options, says in (
        ({"algorithm": "mcts", "depth": 3}, "depth: Monte Carlo tree search has no such option; alpha-beta"),
        ({"playouts": 3}, 'playouts: an option of Monte Carlo tree search; expected algorithm="mcts"'),
        ({"algorithm": "mcts", "playout": 3}, "a search has no such option; did you mean playouts?"),
    ):
        with pytest.raises(OptionError, match=re.escape(says)):
            plyscope.search("tictactoe", progress=False, **options)  # type: ignore[arg-type]


def test_the_turn_limit_tells_how_many_play_outs_it_ended(plyscope: Command) -> None:
    asked = ("--algorithm", "mcts", "--playouts", 50, "--turn-limit", 1, "--seed", 1)
    _, text, _ = plyscope("search", HEAP, *asked)
    _, answer, _ = plyscope("search", HEAP, *asked, "--json")
    result = json.loads(answer)["result"]
    assert result["cut_short"] > 0
    assert f"the turn limit ended {result['cut_short']}" in text
    assert "nodes" not in result


def test_help_lists_the_options_of_both_searches_apart(plyscope: Command) -> None:
    _, text, _ = plyscope("search", "--help")
    shared, rest = text.split("Of minimax, alphabeta and pvs:")
    alpha_beta, tree = rest.split("Of mcts (Monte Carlo tree search):")
    assert "--seconds" in shared
    assert "--null-move" in alpha_beta
    assert "--turn-limit" in tree
    assert all(option not in alpha_beta for option in ("--playouts", "--guide", "--fpu"))
