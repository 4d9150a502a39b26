"""Layers of a foreign tree: said by a person, or guessed by what most scores fit."""

from __future__ import annotations

import json
from typing import Any

import pytest

from plyscope.visualizer.analysis.check.run import check
from plyscope.visualizer.formats.detect import read_log
from plyscope.visualizer.formats.foreign.meaning.mapping import parse_mapping
from plyscope.visualizer.store import words
from plyscope.visualizer.store.log import Log


def minimax(depth: int, level: int = 0, seed: int = 1, *, passes: bool = False) -> dict[str, Any]:
    """A tree of three replies a node whose scores are backed up, largest at even levels.

    With `passes` the player of the first reply's subtree moves twice running.
    """
    if depth == 0:
        return {"val": seed * 7919 % 101}
    below = [
        minimax(depth - 1, level + 1 + (passes and level == 0 and i == 0), 3 * seed + i + 1) for i in range(3)
    ]
    best = max if level % 2 == 0 else min
    return {"val": best(child["val"] for child in below), "replies": below}


def read(tree: Any, **mapping: str) -> Log:
    return read_log(json.dumps(tree).encode(), mapping=mapping or None)


def layers(log: Log) -> list[str]:
    return [words.LAYERS[code] for code in log.columns["layer"]]


def found(log: Log) -> list[tuple[str, str, int]]:
    return [(finding.severity, finding.rule, finding.id) for finding in check(log).findings()]


def test_one_wrong_score_takes_no_layers_away_and_is_found() -> None:
    tree = minimax(3)
    tree["replies"][1]["replies"][0]["val"] += 1000
    log = read(tree)
    assert layers(log)[:3] == ["max", "min", "max"]
    assert any("1 score of 13 above children" in notice for notice in log.notices)
    row = log.columns["score"].tolist().index(tree["replies"][1]["replies"][0]["val"])
    assert ("wrong", "value", row) in found(log)


def test_the_smallest_in_the_place_of_the_largest_is_odd_where_layers_are_a_guess() -> None:
    tree = minimax(3)
    assert len({child["val"] for child in tree["replies"]}) > 1
    tree["val"] = min(child["val"] for child in tree["replies"])
    log = read(tree)
    assert layers(log)[:2] == ["max", "min"]
    assert found(log) == [("odd", "value", 0)]
    assert found(read(tree, layer="max first")) == [("wrong", "value", 0)]


def test_one_wrong_score_of_negamax_takes_no_view_away() -> None:
    def turned(tree: dict[str, Any], sign: int) -> dict[str, Any]:
        below = [turned(child, -sign) for child in tree.get("replies", ())]
        return {"val": sign * tree["val"], **({"replies": below} if below else {})}

    tree = turned(minimax(3), 1)
    tree["replies"][2]["val"] = 5000
    log = read(tree)
    assert any("Most scores are the largest of their children's, negated" in notice for notice in log.notices)
    assert layers(log)[:2] == ["max", "min"]
    assert log.header.get("search") in (None, {})


def test_layers_are_not_guessed_where_a_player_moves_twice() -> None:
    assert set(layers(read(minimax(4, passes=True)))) == {""}


@pytest.mark.parametrize(
    ("said", "first", "second"), [("max first", "max", "min"), ("min first", "min", "max")]
)
def test_layers_can_be_said(said: str, first: str, second: str) -> None:
    tree = {"val": 1, "replies": [{"val": 1, "replies": [{"val": 1}]}, {"val": 1}]}
    assert set(layers(read(tree))) == {""}
    log = read(tree, **parse_mapping(f"layer={said}"))
    assert layers(log) == [first, second, first, second]
    assert log.mapping["layer"] == said
    assert any(f"layer in turn, {said}" in notice for notice in log.notices)


def test_what_is_said_of_layers_goes_before_a_field_and_before_scores() -> None:
    tree = {"layer": "max", **minimax(2)}
    assert layers(read(tree, layer="min first"))[:2] == ["min", "max"]


NONE_FITS = "No reading of the layers fits the scores: "


@pytest.mark.parametrize(
    ("scores", "figures"),
    [
        ([0.77, 0.75, -0.2], "of 1 above children 0 fit max first, 0 min first and 0 negamax."),
        ([4, 3, 6], "of 1 above children 0 fit max first, 0 min first and 0 negamax."),
        ([3, 3, 6], None),
        ([-3, 3, 6], None),
        ([3], None),
    ],
)
def test_scores_that_fit_no_reading_of_the_layers_are_said(scores: list[float], figures: str | None) -> None:
    log = read(
        {"val": scores[0], "replies": [{"move": at, "val": score} for at, score in enumerate(scores[1:])]}
    )
    said = [notice for notice in log.notices if notice.startswith(NONE_FITS)]
    assert [notice.removeprefix(NONE_FITS).partition(" `")[0] for notice in said] == (
        [figures] if figures else []
    )


def test_two_players_whose_scores_fit_differently_are_said() -> None:
    above = [{"val": 6, "replies": [{"val": 3}, {"val": 6}]}, {"val": 1, "replies": [{"val": 1}, {"val": 4}]}]
    log = read({"val": 5, "replies": above})
    said = "of 3 above children 1 fit max first, 1 min first and 0 negamax."
    assert any(said in notice for notice in log.notices)


def test_nodes_that_a_cut_left_open_count_for_no_misfit() -> None:
    whole = json.dumps(minimax(4))
    for part in (0.5, 0.7, 0.9):
        log = read_log(whole[: int(part * len(whole))].encode())
        assert "open" in {words.OUTCOMES[code] for code in log.columns["outcome"]}
        assert any(notice.endswith("and nothing else.") for notice in log.notices)
