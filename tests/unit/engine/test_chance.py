"""Plain games with dice: what a game may say of chance, and what its searches say of it."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from plyscope.engine.game import CHANCE, GameError
from plyscope.engine.games.plain import PlainKernels, chances_of
from plyscope.engine.option import OptionError
from plyscope.engine.options import SearchOptions
from plyscope.engine.run import search


class Coin:
    """Ann keeps 2, or flips for 0 or 5; Ben has nothing to say.

    A position is what was played: `""`, `"flip"`, then `"keep"`, `"heads"` or `"tails"`.
    """

    players = ("Ann", "Ben")
    factors = {"coins": 1.0}  # noqa: RUF012

    def __init__(self, found: Any = (("heads", 0.5), ("tails", 0.5)), first: str = "") -> None:
        self.found, self.first = found, first

    def start(self) -> str:
        return self.first

    def plies(self, position: str) -> list[str]:
        return ["keep", "flip"] if position == "" else []

    def chances(self, position: str) -> Any:
        assert position == "flip"
        return self.found

    def apply(self, position: str, ply: str) -> str:
        return ply

    def player(self, position: str) -> int:
        return CHANCE if position == "flip" else 0

    def winner(self, position: str) -> int | None:
        return None if position in ("", "flip") else 4

    def values(self, position: str) -> list[float]:
        return [{"keep": 2.0, "heads": 5.0}.get(position, 0.0)]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([("heads", 0.5), ("tails", 0.4)], "gave probabilities that add up to 0.9, expected 1, in flip"),
        ([("heads", 1.5), ("tails", -0.5)], "gave 'tails' the probability -0.5, expected a number above"),
        ([("heads", float("nan"))], "gave 'heads' the probability nan, expected a number above 0, in flip"),
        ([("heads", 0.5), ("heads", 0.5)], "gave an outcome twice, ['heads', 'heads'], in flip"),
        (["heads", "tails"], "gave ['heads', 'tails'], expected pairs of a ply and its probability, in flip"),
    ],
)
def test_wrong_probabilities_are_refused_with_what_was_found(found: Any, said: str) -> None:
    with pytest.raises(GameError) as error:
        search(Coin(found), options=SearchOptions(depth=2, algorithm="expectimax"))
    assert str(error.value).startswith(f"Coin: chances() {said}")
    for third in (Fraction(1, 3), 1 / 3, 0.3333333333):  # which are right
        assert len(chances_of(Coin([(ply, third) for ply in "abc"]), "flip")) == 3


def test_a_game_whose_turns_are_nobodys_or_that_is_not_over_without_plies_is_refused() -> None:
    class Endless(Coin):
        chances = property()  # type: ignore[assignment]

        def player(self, position: str) -> int:
            return CHANCE if position == "" else 2

    state = PlainKernels(Endless()).read_position(None)
    with pytest.raises(GameError, match=r"player\(\) gave -1, but the game has no chances\(position\)"):
        PlainKernels(Endless()).player(state)
    state[0] = "flip"
    with pytest.raises(GameError, match=r"player\(\) gave 2, expected 0 or 1"):
        PlainKernels(Endless()).player(state)
    coin = Coin()
    coin.plies = lambda position: []  # type: ignore[method-assign]
    with pytest.raises(GameError, match="Coin: a position is not over but has no plies: "):
        search(coin, options=SearchOptions(depth=1, algorithm="expectimax"))


def test_expectimax_refuses_techniques_in_one_sentence() -> None:
    asked: dict[str, Any] = dict.fromkeys(("killers", "history", "prove_wins"), True)
    asked |= dict.fromkeys(("table", "reverse_futility", "aspiration"), 1.0)
    asked |= dict.fromkeys(("iid", "quiescence", "null_move", "lmr"), 1)
    for name, value in asked.items():
        said = f"^{name}: expectimax visits every node, without windows and techniques$"
        with pytest.raises(OptionError, match=said):
            SearchOptions(algorithm="expectimax", iterative=True, **{name: value})
    with pytest.raises(OptionError, match="fail: expectimax has no windows"):
        SearchOptions(algorithm="expectimax", fail="hard")
