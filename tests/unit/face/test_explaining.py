"""`plyscope.explain` and the command: the same figures and words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import plyscope
from tests.unit.cli.conftest import Command
from tests.unit.face.conftest import BUGS

HIVE = BUGS.parent / "hive-midgame.json.gz"


def test_plies_are_named_by_node_id_path_and_beside_the_chosen_one() -> None:
    log = plyscope.open(HIVE)
    chosen = log.node("bB2 \\bS1")
    rival = log.node("bA2 \\bS1")
    found = plyscope.explain(log, chosen, rival)
    for one, two in ((chosen.id, rival.id), (chosen.path, rival.path), ([chosen.ply], f"#{rival.id}")):
        assert plyscope.explain(log, one, two).as_json() == found.as_json()
    below = plyscope.explain(log, "bB2 \\bS1 > wA2 bQ-", "wA2 bQ/")
    assert below.rival == log.node("bB2 \\bS1 > wA2 bQ/")


def test_what_is_not_there_is_refused() -> None:
    log = plyscope.open(HIVE)
    with pytest.raises(LookupError, match="no 'x9' below the root"):
        plyscope.explain(log, None, "x9")
    with pytest.raises(LookupError, match="no node has the id '999999'"):
        plyscope.explain(log, 999999)
    with pytest.raises(TypeError, match="not by True"):
        plyscope.explain(log, True)
    with pytest.raises(TypeError, match="a path is a list of plies"):
        plyscope.explain(log, ["a", 3])  # type: ignore[list-item]
    other = plyscope.open('{"plyscope": 1, "root": {"children": [{"ply": "a"}]}}')
    with pytest.raises(ValueError, match="another log"):
        plyscope.explain(log, other.node("a"))


def test_the_command_prints_the_explanation_and_its_json(command: Command) -> None:
    log = BUGS.parent / "reversi-midgame.json.gz"
    found = plyscope.explain(log, None, "d6")
    assert command("explain", log, "--versus", "d6")[1] == f"{found}\n"
    assert json.loads(command("explain", log, "--versus", "d6", "--json")[1]) == found.as_json()


def test_a_ply_with_only_a_bound_or_no_row_is_searched_exactly(tmp_path: Path, command: Command) -> None:
    """An exact search of a ply that was cut off finds the score of a search with all windows open."""
    log = plyscope.search("reversi", depth=4, limit=3)
    open_log = plyscope.search("reversi", depth=4, limit=3, algorithm="minimax")
    (cut,) = (node for node in log.main_root.children if node.bound == "upper" and node.ply == "c4")
    found = plyscope.explain(log, None, cut, exact=True)
    (searched,) = found.searched
    assert (searched.ply, searched.depth) == ("c4", 3)
    assert searched.score == open_log.node(["c4"]).score
    assert searched.nodes == searched.log.stats.nodes
    assert searched.log.header["search"]["limit"] == 3
    assert found.sentences[-1].startswith("Searched exactly, c4 is worth ")
    log.write(path := tmp_path / "reversi.json")
    told = json.loads(command("explain", path, "--versus", "c4", "--exact", "--json")[1])
    assert told == plyscope.explain(path, None, "c4", exact=True).as_json()
    assert told["searched"][0]["score"] == searched.score
    (limited,) = (node for node in log.main_root.children if node.outcome == "limited")
    dropped = plyscope.explain(log, None, f"#{limited.id}", exact=True)
    assert dropped.searched == ()
    assert dropped.not_searched == (
        "The ply cannot be searched exactly: the log does not say which ply this is.",
    )


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({}, "`plyscope check` may say why"),
        ({"table": 1}, "table entries of other windows or searches may stand behind one of them"),
        ({"lmr": 2}, "with late move reductions on, the window decides what is searched"),
        (
            {"futility": 5.0, "null_move": 1},
            "with null move and reverse futility pruning on, the window decides what is searched",
        ),
    ],
)
def test_a_claim_that_the_exact_search_refutes_is_told_with_what_may_have_led_to_it(
    tmp_path: Path, options: dict[str, Any], why: str
) -> None:
    """The log says of a ply that it is worth at most -1000, which the search of that ply alone denies."""
    plyscope.search("reversi", depth=3, limit=3, progress=False).write(path := tmp_path / "a.json")
    document = json.loads(path.read_bytes())
    document["search"]["options"] |= options
    claimed = document["root"]["children"][1]
    claimed |= {"score": -1000, "bound": "upper"}
    found = plyscope.explain(json.dumps(document), None, claimed["ply"], exact=True)
    assert len(found.searched) == 1
    claim, _, said = found.sentences[-1].partition(", and the two searches disagree: ")
    assert claim == "The log claims at most \N{MINUS SIGN}1000.00 of it"
    assert said == f"{why}."


def test_a_ply_of_empty_text_is_named_as_one_without_a_ply() -> None:
    plies = [
        f'{{"id": {id_}, "ply": "{ply}", "layer": "min", "outcome": "leaf", "score": {score}, '
        f'"bound": "exact", "factors": [{score}]}}'
        for id_, ply, score in ((7, "", 3), (8, "a", 1))
    ]
    log = plyscope.open(
        '{"plyscope": 1, "factors": [{"name": "f", "weight": 1}], '
        f'"root": {{"id": 1, "layer": "max", "score": 3, "children": [{", ".join(plies)}]}}}}'
    )
    assert plyscope.explain(log).sentences[0] == "#7 is worth +3, a +1: 2 better."
    assert "a ply without a name" in str(plyscope.what_if(log, {"f": 2})).splitlines()[0]
    assert any(line.startswith("(no ply) ") for line in str(plyscope.statistics(log)).splitlines())
