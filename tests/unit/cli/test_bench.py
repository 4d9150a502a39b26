"""`plyscope bench`: the total of nodes of fixed searches, the same from every way to run them."""

from __future__ import annotations

import json

import pytest

from plyscope.engine.games import GAMES
from plyscope.visualizer.cli.bench import POSITIONS, TECHNIQUES, searches
from tests.unit.cli.conftest import Command


def signature(*, compiled: bool) -> dict[tuple[str, str, str], int]:
    """The nodes of each search, by game, position and techniques."""
    done = searches(compiled=compiled, most_depth=2)
    return {(each.game, each.position, each.techniques): each.nodes for each in done}


@pytest.mark.slow
def test_compiled_and_plain_searches_of_a_small_game_have_one_signature(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("plyscope.visualizer.cli.bench.POSITIONS", (("tictactoe", None, 9),))
    found = signature(compiled=True)
    assert found == signature(compiled=False)
    assert len(found) > 8


@pytest.mark.slow
def test_compiled_and_plain_searches_have_one_signature() -> None:
    found = signature(compiled=True)
    assert found == signature(compiled=False)
    assert len(found) > len(POSITIONS) * 8


def test_every_game_is_searched_with_every_technique_that_it_allows() -> None:
    done = {(each.game, each.techniques) for each in searches(compiled=False, most_depth=1)}
    assert {game for game, _ in done} == set(GAMES)
    for game in ("connect_four", "explicit_tree", "reversi"):
        assert {techniques for name, techniques in done if name == game} == set(TECHNIQUES)
    assert ("tictactoe", "null_move") in done
    assert ("tictactoe", "quiescence") not in done


@pytest.mark.slow
def test_the_signature_is_the_sum_of_the_searches(plyscope: Command) -> None:
    code, out, err = plyscope("bench", "--json")
    assert code == 0, err
    answer = json.loads(out)
    assert answer["signature"] == sum(each["nodes"] for each in answer["searches"])
    assert plyscope("bench")[1].splitlines()[-2].startswith(f"signature {answer['signature']}: ")
