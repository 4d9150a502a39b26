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
    assert "turn 500: the game ended before it" in err


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


OTHER_HEAT = ("--keep", 30, "--weights", "2:heat=-40,next_1=0")


def first(log: face.Log, weights: dict[str, float]) -> str | None:
    """The ply that is worth most by other weights."""
    return next(ply.ply for ply in face.what_if(log, weights).plies if ply.place == "first")


def test_four_play_by_weights_of_their_own_and_each_turn_is_weighed_again(
    plyscope: Command, tmp_path: Path
) -> None:
    folder = tmp_path / "game"
    code, out, err = plyscope("study", "castle", "play", folder, *OTHER_HEAT)
    assert (code, err) == (0, "")
    logs = [face.open(path) for path in sorted(folder.iterdir())]
    assert len(logs) > 20
    assert out.count("turn ") == len(logs)
    assert out.splitlines()[-1].startswith("points  player 1: ")
    for log in logs:
        heat = next(each["weight"] for each in log.header["factors"] if each["name"] == "heat")
        assert heat == (-40 if log.main_root.player == "player 2" else 160)
        if log.header["result"]["ply"] is not None:
            assert first(log, {}) == log.header["result"]["ply"]
    other = {"tile_score": -500.0, "adjacent_score": -500.0}
    of_second = [log for log in logs[1::4] if log.header["result"]["ply"] is not None]
    assert any(first(log, other) != log.header["result"]["ply"] for log in of_second)
    code, _, err = plyscope("study", "castle", "play", folder, "--weights", "5:heat=1")
    assert (code, "expected a player from 1 to 4" in err) == (2, True)


def test_weights_are_held_together_by_deals_that_are_played_from_both_seats(plyscope: Command) -> None:
    code, out, _ = plyscope("study", "castle", "tune", "heat=160", "--pairs", 2)
    assert (code, out.startswith("+0.00 points a player and game (95 % interval: +0.00 to +0.00)")) == (
        0,
        True,
    )
    worse = plyscope("study", "castle", "tune", "tile_score=-100,adjacent_score=-300", "--pairs", 2)[1]
    assert float(worse.split()[0]) < -1
    code, _, err = plyscope("study", "castle", "tune", "warmth=1")
    assert (code, "expected a finite weight of one of tile_score" in err) == (2, True)
