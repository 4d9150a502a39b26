"""`plyscope study castle`: a turn ranked, its log, and what cannot be."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import plyscope as face
from tests.unit.cli.conftest import Command


def test_a_turn_is_told_and_its_log_holds_the_same(plyscope: Command, tmp_path: Path) -> None:
    path = tmp_path / "turn.json"
    code, out, _ = plyscope("study", "castle", "turn", 5, "--keep", 100, "-o", path, "--json")
    assert code == 0
    answer, log = json.loads(out), json.loads(path.read_text("utf-8"))
    assert answer["best"] == log["root"]["children"][:10]
    assert log["search"]["algorithm"] == "ranked"
    assert log["result"]["ply"] == answer["best"][0]["ply"]
    assert list(face.check(path)) == []
    table = plyscope("study", "castle", "turn", 5, "--keep", 100)[1]
    assert answer["best"][0]["ply"] in table
    assert "skipped: not next to a tile" in table


def test_a_turn_after_the_end_is_refused(plyscope: Command) -> None:
    code, _, err = plyscope("study", "castle", "turn", 500, "--players", 2)
    assert code == 2
    assert "the game ended after" in err


def test_a_plan_of_ones_own_is_read(plyscope: Command, tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    plan.write_text('{"rows": 1}', "utf-8")
    code, _, err = plyscope("study", "castle", "turn", "--plan", plan)
    assert (code, "rows: expected a list of texts" in err) == (2, True)


def test_the_log_is_written_as_its_ending_says(plyscope: Command, tmp_path: Path) -> None:
    path = tmp_path / "turn.json.gz"
    assert plyscope("study", "castle", "turn", "--keep", 5, "-o", path)[0] == 0
    header = json.loads(gzip.decompress(path.read_bytes()))
    assert header["board"]["value"] == "heat"
    code, _, err = plyscope("study", "castle", "turn", "-o", tmp_path / "turn.txt")
    assert code == 2
    assert 'found the ending ".txt"' in err
