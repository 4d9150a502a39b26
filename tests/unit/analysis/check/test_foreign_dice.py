"""Correct searches with chance nodes and of many players give nothing wrong, whatever they leave out."""

from __future__ import annotations

import dataclasses
import json

import pytest

from plyscope.visualizer.formats.detect import read_log
from tests.foreign_engines.dice import Dice, DiceStyle
from tests.foreign_engines.many import Many, ManyStyle
from tests.property.examples import examples
from tests.unit.analysis.check.checked import report_of

N_SEEDS = examples(30)

DICE = {
    "expectimax": DiceStyle(alone=True),
    "expectiminimax": DiceStyle(),
    "expectiminimax, seen by the mover": DiceStyle(turned=True, depth=5),
    "scores and priors alone": DiceStyle(omits=("bound", "outcome", "moves", "static")),
    "priors of three decimals": DiceStyle(priors="decimals"),
    "thirds of three decimals": DiceStyle(priors="decimals", alike=True),
    "no priors": DiceStyle(priors="none"),
    "no priors, no bounds": DiceStyle(priors="none", omits=("bound",)),
    "scores of two decimals": DiceStyle(decimals=2),
    "scores cut to whole numbers": DiceStyle(whole=True, turned=True),
    "rewards": DiceStyle(rewards=True),
    "unlogged outcomes": DiceStyle(unlogged="stub"),
    "outcomes left out silently": DiceStyle(unlogged="silent", omits=("moves",)),
    "star1": DiceStyle(star1=True, depth=5),
    "star1, seen by the mover": DiceStyle(star1=True, depth=5, turned=True),
    "star1, fail-hard, undeclared": DiceStyle(star1=True, hard=True, depth=5, omits=("fail", "bound")),
    "star1, thirds": DiceStyle(star1=True, alike=True, depth=5, priors="decimals"),
    "star1 without windows": DiceStyle(star1=True, depth=5, omits=("alpha", "beta")),
    "star1, scores alone": DiceStyle(
        star1=True, depth=5, omits=("alpha", "beta", "bound", "outcome", "moves", "fail")
    ),
    "star1, no priors": DiceStyle(star1=True, depth=5, priors="none", omits=("moves",)),
    "star1, no priors, scores alone": DiceStyle(
        star1=True, depth=5, priors="none", omits=("alpha", "beta", "bound", "outcome", "moves", "fail")
    ),
}
LEFT_OUT = "outcomes left out silently"
UNJUDGED = "star1, no priors, scores alone"

MANY = {
    "maxn": ManyStyle(),
    "maxn with ties": ManyStyle(most=1),
    "maxn, the last of equals": ManyStyle(most=1, ties="last", n_players=4),
    "maxn, the first rival's layer min": ManyStyle(layers="mixed"),
    "maxn without layers": ManyStyle(layers="none"),
    "maxn, another at the root, declared": ManyStyle(shifted=True, declared=True),
    "maxn, rewards": ManyStyle(rewards=True),
    "maxn, shallow pruning, no bounds": ManyStyle(prunes=True, depth=5, omits=("bound", "outcome")),
    "maxn without movers, the root player declared": ManyStyle(omits=("player",), declared=True),
    "maxn without vectors": ManyStyle(omits=("scores",)),
    "maxn, seen by the mover, the first rival's layer min": ManyStyle(turned=True, layers="mixed"),
    "maxn without layers, seen by the mover": ManyStyle(turned=True, layers="none"),
    "maxn, seen by the mover": ManyStyle(turned=True),
    "maxn of four with ties, seen by the mover": ManyStyle(turned=True, n_players=4, most=1, ties="last"),
    "maxn, seen by the mover, another at the root": ManyStyle(turned=True, shifted=True, declared=True),
    "paranoid, seen by the mover": ManyStyle(turned=True, paranoid=True, n_players=4),
    "paranoid without vectors, seen by the mover": ManyStyle(turned=True, paranoid=True, omits=("scores",)),
    "paranoid, rewards": ManyStyle(paranoid=True, rewards=True),
    "paranoid": ManyStyle(paranoid=True),
    "paranoid without vectors": ManyStyle(paranoid=True, omits=("scores",)),
}


@pytest.mark.parametrize("name", DICE)
def test_a_correct_search_with_chance_nodes_has_nothing_wrong(name: str) -> None:
    n_judged = 0
    for seed in range(N_SEEDS):
        report = report_of(Dice(seed, DICE[name]).log())
        expected = {("odd", "chance")} if name == LEFT_OUT else set()
        assert {(each.severity, each.rule) for each in report.findings()} == expected, seed
        n_judged += "chance" in report.checked
    assert (n_judged > N_SEEDS // 3) is (name != UNJUDGED)


@pytest.mark.parametrize("name", [name for name in MANY if MANY[name].turned])
def test_scores_of_many_players_are_those_of_the_log_that_the_root_player_wrote(name: str) -> None:
    for seed in range(N_SEEDS):
        turned = read_log(json.dumps(Many(seed, MANY[name]).log()).encode())
        as_seen = Many(seed, dataclasses.replace(MANY[name], turned=False)).log()
        of_root = read_log(json.dumps(as_seen).encode())
        assert turned.columns["score"].tolist() == of_root.columns["score"].tolist(), seed
        assert turned.columns["layer"].tolist() == of_root.columns["layer"].tolist(), seed


@pytest.mark.parametrize("name", MANY)
def test_a_correct_search_of_many_players_has_nothing_wrong(name: str) -> None:
    n_judged = 0
    for seed in range(N_SEEDS):
        report = report_of(Many(seed, MANY[name]).log())
        assert report.findings() == [], seed
        n_judged += "maxn" in report.checked
    assert (n_judged > N_SEEDS // 3) is ("scores" not in MANY[name].omits)
