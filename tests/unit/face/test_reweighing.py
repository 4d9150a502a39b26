"""`plyscope.what_if`: typed values, and what the command prints."""

from __future__ import annotations

from pathlib import Path

import pytest

import plyscope
from plyscope.visualizer.cli.main import plyscope as plyscope_command

REVERSI = Path(__file__).parents[3] / "examples" / "reversi-midgame.json.gz"
TEXT = """{"plyscope": 1, "factors": [{"name": "f", "weight": 2}], "root": {"layer": "max", "children": [
  {"ply": "a", "layer": "min", "outcome": "leaf", "score": 6, "factors": [3]},
  {"ply": "b", "layer": "min", "outcome": "cutoff", "children": [
    {"ply": "c", "layer": "max", "outcome": "leaf", "score": 5, "factors": [1]},
    {"outcome": "pruned", "count": 29}]}]}}"""


def test_a_script_reads_what_becomes_of_every_root_ply() -> None:
    log = plyscope.open(TEXT)
    found = plyscope.what_if(log, {"f": 0})
    assert (found.weights, found.logged) == ({"f": 0.0}, {"f": 2.0})
    assert (found.first.ply, found.plies[0].low, found.certain, found.tie) == ("a", 0, False, False)
    assert (found.depends_on.plies, found.depends_on.at_least, found.depends_on.unknown) == (29, False, 0)
    assert (found.choice.node, found.choice.state) == (log.node("a"), "depends")
    assert found.interval(log.node("b")) == (float("-inf"), 3)
    assert found.interval(log.main_root) == (0, 3)
    with pytest.raises(ValueError, match="of another log"):
        found.interval(plyscope.open(TEXT).main_root)
    assert repr(found) == "<WhatIf log: a first, depends on 29 unsearched plies>"
    (ranged,) = found.ranges
    assert (ranged.name, ranged.weight, ranged.state, ranged.flips_at) == ("f", 2, "certain", 0.5)
    assert ranged.stands == (1.5, float("inf"))
    assert ranged.segments == ((float("-inf"), 1.5, "depends"), (1.5, float("inf"), "certain"))


def test_the_command_prints_one_set_of_weights_and_the_ranges(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "log.json"
    path.write_text(TEXT)
    plyscope_command(["what-if", str(path), "--weights", "f=0"], standalone_mode=False)
    assert capsys.readouterr().out == (
        "With f 0 instead of 2, a is still first of what was searched, worth 0. "
        "It depends on 29 unsearched plies; 1 rival could overtake: b could reach +3.\n\n"
        "a                  +6                   0  first\n"
        "b                ≤ +5                ≤ +3  could overtake\n\n"
        "Re-weighed from 2 recorded leaves. Horizon, kept plies and reductions are those of the log.\n"
    )
    plyscope_command(["what-if", str(path)], standalone_mode=False)
    assert capsys.readouterr().out == (
        "With the weights of the log, a is first of what was searched, worth +6. That is certain.\n\n"
        "f         2      −25 %  certain from 1.5 on\n\n"
        "Each line: that weight alone, the others as logged. "
        "Re-weighed from 2 recorded leaves. Horizon, kept plies and reductions are those of the log.\n"
    )


def test_the_ranges_come_first_that_flip_by_the_least_share_of_their_weight() -> None:
    ranges = plyscope.what_if(REVERSI).ranges
    shares = [each.flips_at / abs(each.weight) for each in ranges]
    assert shares == sorted(shares)
    assert ranges[0].name == "mobility"
