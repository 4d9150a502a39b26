"""`plyscope bench`: the total of nodes of fixed searches, the same from every way to run them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

import pytest

from plyscope.engine.games import GAMES
from plyscope.visualizer.cli.play.bench import POSITIONS, TECHNIQUES, searches
from tests.unit.cli.conftest import Command

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
