"""A game says what its factors count, and the header of its searches carries the words."""

from __future__ import annotations

from typing import Any

import pytest

from plyscope.engine.game import Game, GameError, meanings_of
from plyscope.engine.games import GAMES, find
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search
from tests.heaps import Heap

every_game = pytest.mark.parametrize("game", [find(name) for name in GAMES], ids=list(GAMES))


class Sticks(Heap):
    """It explains one of its two factors."""

    factors = {"even": 1.0, "left": 2.0}  # noqa: RUF012 (as people write it)
    meanings: Any = {"left": "Sticks left."}  # noqa: RUF012
    matches, most = 4, 2

    def values(self, position: tuple[int, int]) -> tuple[float, ...]:
        return position[0] % 2, position[0]


@every_game
def test_every_factor_is_explained_in_one_short_sentence(game: Game) -> None:
    meanings = meanings_of(game)
    assert list(meanings) == list(game.factors)
    for name, meaning in meanings.items():
        assert meaning.endswith("."), name
        assert ". " not in meaning, name
        assert meaning[0].isupper() or meaning[0].isdigit(), name
        assert len(meaning) <= 120, name


def test_the_header_carries_the_words_of_those_factors_that_have_some() -> None:
    header = search(Sticks(), options=SearchOptions(depth=2, weights={"left": 3.0})).header
    assert header["factors"] == [
        {"name": "even", "weight": 1.0},
        {"name": "left", "weight": 3.0, "meaning": "Sticks left."},
    ]


@pytest.mark.parametrize(
    ("meanings", "message"),
    [
        ({"odd": "?"}, "Sticks: meanings explains 'odd', which is no factor; expected one of even, left"),
        ({"even": 2}, r"Sticks: meanings\['even'\] = 2, expected a text"),
        (["Sticks left."], r"Sticks: meanings = \['Sticks left.'\], expected texts by the names of factors"),
    ],
)
def test_words_on_no_factor_are_refused_before_the_search(meanings: object, message: str) -> None:
    game = Sticks()
    game.meanings = meanings
    with pytest.raises(GameError, match=message):
        search(game, options=SearchOptions(depth=200))
